/*
 * perf_map_parser.h - the lines of a perf map, from blocks of bytes
 *
 * Accepted, as runtimes write it: "0x" before numbers (Java, Erlang), upper case, tabs, CR LF, a
 * last line without LF, names with line breaks in them (V8), NUL bytes after a crash, torn lines
 * (two threads of Node.js 12 to 18 writing), sizes of 0.
 *
 * Owns: an unfinished line, and a name that may continue. Threads: one. Private to jit/.
 */
#ifndef PERFOLD_JIT_PERF_MAP_PARSER_H
#define PERFOLD_JIT_PERF_MAP_PARSER_H

#include "base/buf.h"
#include "jit/jit.h"

struct perf_map_entry {
	uint64_t start, end;
	uint64_t offset;  /* of its line, in the file */
	struct span name; /* valid until visit() returns */
	bool is_code;     /* in executable memory */
};

struct perf_map_parser {
	/* Called for each entry, in the order of the file. */
	void (*visit)(void *ctx, const struct perf_map_entry *entry);
	void *ctx;
	struct diag *diag;                 /* borrowed */
	const struct codemap_ranges *exec; /* borrowed; NULL: all addresses are code */
	size_t exec_hint;                  /* the range found last */
	bool compat_perf;
	bool stop;             /* set by visit(): no more lines are read */
	uint64_t line;         /* number of the last one */
	uint64_t block;        /* offset of the next block, and */
	uint64_t offset;       /* of the next line; both 0 at first */
	struct buf unfinished; /* the front of a line that the next block continues */
	bool any_nul;          /* in the blocks so far */

	/* The name of the entry before may go on in this line: */
	enum perf_map_name { NAME_ENDED, NAME_OPEN, NAME_FULL } name;
	struct perf_map_entry open;
	struct buf open_name; /* so far; empty: it is still in the block */
};

enum {
	/* An entry with a name of several lines ends within this many bytes of its offset. */
	PERF_MAP_ENTRY_BYTES = 256 * 1024,
};

/* Parse the next block of the file. */
void perf_map_parser_feed(struct perf_map_parser *r, struct span block);
/* To be called at the end of the file. Frees what the parser owns. */
void perf_map_parser_end(struct perf_map_parser *r);

#endif
