/*
 * perfmap.h - the lines of a perf map, from blocks of bytes
 *
 * Seen in practice, and understood: "0x" before numbers (Java, Erlang), upper case, tabs, CR LF,
 * a last line without LF, names with line breaks in them (V8), NUL bytes after a crash, torn
 * lines (two threads of Node.js 12 to 18 writing), sizes of 0.
 *
 * Owns: an unfinished line. Threads: one. Private to jit/.
 */
#ifndef PERFOLD_JIT_PERFMAP_H
#define PERFOLD_JIT_PERFMAP_H

#include "jit/codemap.h"

struct perf_map_reader {
	struct codemap *map;               /* borrowed */
	struct diag *diag;                 /* borrowed */
	const struct codemap_ranges *exec; /* borrowed; NULL: all addresses are code */
	size_t exec_hint;                  /* the range found last */
	bool compat_perf;
	uint64_t line;         /* number of the last one */
	struct buf unfinished; /* a line of which the end has not come yet */

	/* The name of the line before may go on in this line: */
	enum perf_map_name { NAME_ENDED, NAME_OPEN, NAME_OPEN_BYTECODE, NAME_OPEN_UNUSED } name;
	size_t name_bytes; /* of it so far */
};

/* Any part of the file after the parts before it. */
void perf_map_take(struct perf_map_reader *r, struct span block);
/* The file has ended. Frees what the reader owns. */
void perf_map_end(struct perf_map_reader *r);

#endif
