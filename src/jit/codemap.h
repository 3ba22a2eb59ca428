/*
 * codemap.h - what a code map is made of
 *
 * From a perf map: ranges (ranges.h), each with the place of its line in the file, which stays
 * open. They take 16 to 24 bytes for each range of addresses that has a name, beside what samples
 * hit: no names are kept, and what newer lines cover is dropped. From a jitdump: a log of what was
 * placed where, and when (codelog.h), with names as text.
 *
 * A frame is made when an address is first looked up, as most code never runs.
 *
 * Threads: one while building. Private to jit/.
 */
#ifndef PERFOLD_JIT_CODEMAP_H
#define PERFOLD_JIT_CODEMAP_H

#include "base/buf.h"
#include "base/file.h"
#include "jit/code_log.h"
#include "jit/jit.h"
#include "jit/perf_map_layers.h"
#include "jit/perf_map_file.h"
#include "model/perf_tree.h"
#include "jit/perf_map_ranges.h"

/* perf keeps all lines. */
struct perf_lines {
	struct perf_line {
		uint64_t offset;
		frame_id frame; /* 0: not looked up yet; atomic */
	} * at;
	size_t n, cap;
};

struct codemap {
	struct frames *frames;
	str_id module;
	struct codemap_facts facts;

	/* Of a perf map: */
	struct perf_map_file source;
	struct codemap_ranges exec; /* owned; those of the options */
	bool has_exec;
	struct perf_map_ranges code;
	/* V8 lists a function that is interpreted at the address of its bytecode (a BytecodeArray):
	 *
	 *	2a1b7c3d4e51 3e JS:~onRequest /srv/server.js:34:50
	 *
	 * No sample lies there, for its memory is not executable; but the interpreter's frame on a
	 * stack points to it. So each is a range of one byte. A garbage collection may free
	 * bytecode and put other to its address: an address that several functions claimed names
	 * none of them. */
	struct perf_map_ranges bytecode;
	bool with_bytecode;
	struct perf_map_layers layers; /* where several functions lay, with times */
	struct perf_tree *tree;        /* --compat perf: all lines are in it */
	struct perf_lines lines;       /* of the tree */
	bool ambiguous;                /* some range of code has several functions */

	/* Of a jitdump: */
	struct code_log log;
	struct buf names; /* names */
	struct file dump; /* the jitdump, if its log has places in it */
	bool has_dump, dump_swapped;
	bool with_lines;
};

struct codemap *codemap_new(struct frames *frames, const struct perf_map_opts *o);
/* The name in the line at a place. False if it is not that of the function (any: whichever it is):
 * the file has changed. */
bool perf_map_read_name(
	const struct codemap *m, uint64_t offset, uint32_t function, bool any, struct buf *name);

/* For a jitdump: code is added and placed, then the log is frozen. */
struct codemap *codemap_new_of_dump(struct frames *frames, struct span module);
/* The number of a new piece of code; its name is filled in. */
uint32_t codemap_add_code(
	struct codemap *m, const struct code *code, uint64_t key, struct span name);

#endif
