/*
 * codemap.h - the data of a code map
 *
 * From a perf map: ranges (perf_map_ranges.h), each with the offset of its line in the file, which
 * stays open. They need 16 to 24 bytes for each range of addresses that has a name, besides what
 * samples hit: no names are kept, and what later lines cover is dropped. From a jitdump: a log of
 * what was placed where, and when (code_log.h), with names as strings.
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

/* All lines, as perf keeps them. */
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
	 * No sample is at that address, as its memory is not executable; but the interpreter's
	 * frame on the stack points to it. So each is a range of one byte. A garbage collection may
	 * free bytecode and put other bytecode there: an address that is listed for several
	 * functions names none of them. */
	struct perf_map_ranges bytecode;
	bool with_bytecode;
	struct perf_map_layers layers; /* where there were several functions, with times */
	struct perf_tree *tree;        /* --compat perf: all lines are in it */
	struct perf_lines lines;       /* of the tree */
	bool ambiguous;                /* some range of code had several functions */

	/* Of a jitdump: */
	struct code_log log;
	struct buf names; /* names */
	struct file dump; /* the jitdump, if the log has offsets in it */
	bool has_dump, dump_swapped;
	bool with_lines, with_columns, with_addresses;
};

struct codemap *codemap_new(struct frames *frames, const struct perf_map_opts *o);
/* Read the name in the line at an offset. False if the hash of its function is another one (unless
 * any): the file has changed. */
bool perf_map_read_name(
	const struct codemap *m, uint64_t offset, uint32_t function, bool any, struct buf *name);

/* For a jitdump, whose reader adds and places code, and then freezes the log. */
struct codemap *codemap_new_of_dump(struct frames *frames, struct span module);
/* Add a piece of code with that name; returns its number. */
uint32_t codemap_add_code(
	struct codemap *m, const struct code *code, uint64_t key, struct span name);

#endif
