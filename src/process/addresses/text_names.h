/*
 * text_names.h - names the addresses in a text; all else stays, byte for byte
 *
 * An address is a word of hexadecimal digits: 5 to 16 after 0x, 8 to 16 alone. Whether it is one is
 * for the caller's look-up to say: a word that is in no known code is not changed. Tools print them
 * so:
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
 * If the tool left room for a name (??, [unknown], the address once more), the name goes there. A
 * frame that has a name keeps it. Any other address is followed by its name, or replaced by it
 * (in_place).
 *
 * A stack has return addresses; the call is before these. A return address is known by the number
 * of its frame (#1 and up), by an indented frame line above it (these tools print the leaf first),
 * or by the ";" of folded stacks after it.
 *
 * Owns: a buffer. Threads: one.
 */
#ifndef PERFOLD_PROCESS_ADDRESSES_TEXT_NAMES_H
#define PERFOLD_PROCESS_ADDRESSES_TEXT_NAMES_H

#include "base/buf.h"

struct text_address {
	uint64_t address;
	bool is_return; /* the call is before it */
	int32_t pid;    /* of the process, if the line has it (perf-17.map); else -1 */
	/* The file of the address, if the line names it; the address may then be an offset. */
	struct span file;
};

enum text_answer {
	TEXT_UNKNOWN,    /* no address, or not known: stays as it is */
	TEXT_UNNAMED,    /* in a file that is not here or has no symbol there: stays */
	TEXT_AMBIGUOUS,  /* two files give two names: stays */
	TEXT_NAMED,      /* the name was appended */
	TEXT_NAMED_LAST, /* likewise; other functions were there before */
	TEXT_ANSWERS,
};

typedef enum text_answer (*text_name)(void *ctx, const struct text_address *at, struct buf *name);

struct text_names {
	text_name name;
	void *ctx;
	bool in_place;
	uint64_t count[TEXT_ANSWERS]; /* words that look like an address and have no name */
	/* The end of the text before, to continue from: */
	char before;      /* the last byte, in the middle of a line; else 0 */
	bool after_frame; /* the line before is one of a stack */
	struct buf scratch;
};

enum { TEXT_LINE_MAX = 1 << 20 }; /* a longer line is handled piece by piece */

/* Appends all whole lines to out, with names. Returns how many bytes were used; the caller passes
 * the rest again, followed by more. last: there is no more, so all bytes are used. */
size_t text_names_put(struct text_names *t, struct span text, bool last, struct buf *out);
void text_names_release(struct text_names *t);

#endif
