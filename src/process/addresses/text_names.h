/*
 * textnames.h - names the addresses in a text; all else stays, byte for byte
 *
 * An address is a word of hexadecimal digits: 5 to 16 behind 0x, 8 to 16 alone. Whether it is one
 * is for the namer to say: a word that lies in no known code is left as it is. How tools print
 * them:
 *
 *	gdb, lldb	#5  0x00001226b65063ae in ?? ()
 *			#5  0x00001226b65063ae in 0x1226b65063ae ()
 *	lldb		  frame #1: 0x00001226b65063ae
 *	DTrace		      0x1226b65063ae
 *			      node`0x1226b65063ae
 *	bpftrace	    0x1226b65063ae
 *			1226b65063ae 0x1226b65063ae ([unknown])
 *	bcc		    1226b65063ae [unknown]
 *	perf script	    1226b65063ae [unknown] (/tmp/perf-17.map)
 *	Valgrind	==9==    by 0x1226B65063AE: ???
 *	macOS		3   ???  0x00001226b65063ae 0 + 19947216495534
 *
 * Where the tool left room for a name (??, [unknown], the address once more) the name goes there. A
 * frame that has a name keeps it. Any other address is followed by its name, or replaced by it
 * (in_place).
 *
 * A stack has return addresses, and calls lie before these. A return address is known by the number
 * of its frame (#1 and up), by an indented frame line above it (these tools print the leaf first),
 * or by the ";" of folded stacks behind it.
 *
 * Owns: a buffer. Threads: one.
 */
#ifndef PERFOLD_PROCESS_ADDRESSES_TEXTNAMES_H
#define PERFOLD_PROCESS_ADDRESSES_TEXTNAMES_H

#include "base/buf.h"

struct text_address {
	uint64_t address;
	bool is_return; /* the call lies before it */
	int32_t pid;    /* of the process, where the line tells it (perf-17.map); else -1 */
	/* That the address lies in, where the line tells it; the address may then be an offset. */
	struct span file;
};

enum text_answer {
	TEXT_UNKNOWN,    /* no address, or not known: stays as it is */
	TEXT_UNNAMED,    /* in a file that is not here or has no symbol there: stays */
	TEXT_AMBIGUOUS,  /* two files say two names: stays */
	TEXT_NAMED,      /* the name was appended */
	TEXT_NAMED_LAST, /* likewise; other functions lay there before */
	TEXT_ANSWERS,
};

typedef enum text_answer (*text_name)(void *ctx, const struct text_address *at, struct buf *name);

struct text_names {
	text_name name;
	void *ctx;
	bool in_place;
	uint64_t count[TEXT_ANSWERS]; /* words that look like an address and have no name */
	/* What the text put before ended with, to go on from: */
	char before;      /* the last byte, in the middle of a line; else 0 */
	bool after_frame; /* the line before is one of a stack */
	struct buf scratch;
};

enum { TEXT_LINE_MAX = 1 << 20 }; /* a longer line is taken piece by piece */

/* Takes all whole lines, and appends them to out. Returns how many bytes were taken; the rest is to
 * come again, with more behind it. last: there is no more, so all is taken. */
size_t text_names_put(struct text_names *t, struct span text, bool last, struct buf *out);
void text_names_release(struct text_names *t);

#endif
