/*
 * perfmap.h - the lines of a perf map, from blocks of bytes
 *
 * Seen in practice, and understood: "0x" before numbers (Java, Erlang), upper case, tabs, CR LF,
 * a last line without LF, names with line breaks in them (V8), NUL bytes after a crash, torn
 * lines (two threads of Node.js 12 to 18 writing), sizes of 0.
 *
 * Owns: an unfinished line, and a name that may go on. Threads: one. Private to jit/.
 */
#ifndef PERFOLD_JIT_PERF_MAP_PARSER_H
#define PERFOLD_JIT_PERF_MAP_PARSER_H

#include "base/buf.h"
#include "jit/jit.h"

struct perf_map_entry {
	uint64_t start, end;
	uint64_t offset;  /* of its line, in the file */
	struct span name; /* until take() returns */
	bool is_code;     /* lies in executable memory */
};

struct perf_map_parser {
	/* The entries in their order. */
	void (*visit)(void *ctx, const struct perf_map_entry *entry);
	void *ctx;
	struct diag *diag;                 /* borrowed */
	const struct codemap_ranges *exec; /* borrowed; NULL: all addresses are code */
	size_t exec_hint;                  /* the range found last */
	bool compat_perf;
	bool stop;             /* set by take(): no more lines are read */
	uint64_t line;         /* number of the last one */
	uint64_t block;        /* where the next block begins, and the next line: both are at the */
	uint64_t offset;       /* beginning of the file if they are not set */
	struct buf unfinished; /* a line whose end has not come yet */
	bool any_nul;          /* in the blocks so far */

	/* The name of the entry before may go on in this line: */
	enum perf_map_name { NAME_ENDED, NAME_OPEN, NAME_FULL } name;
	struct perf_map_entry open;
	struct buf open_name; /* so far; empty: its only line is still in the block */
};

enum {
	/* All that can belong to an entry lies within this many bytes behind the place of its
	 * line. */
	PERF_MAP_ENTRY_BYTES = 256 * 1024,
};

/* The next part of the file; the parts come in order. */
void perf_map_parser_feed(struct perf_map_parser *r, struct span block);
/* The file has ended. Frees what the reader owns. */
void perf_map_parser_end(struct perf_map_parser *r);

#endif
