/*
 * codemap.h - building a code map, entry by entry
 *
 * Of a perf map: entries are collected and, when they are as many as the live ranges, merged into
 * them by a sweep over the addresses: O(n log n) in all, and memory only for what is live. Of a
 * jitdump: a log of what was put where, and when (codelog.h).
 *
 * Names wait as text; a frame is made when an address is first looked up, for most code never
 * runs.
 *
 * Threads: one while building. Private to jit/.
 */
#ifndef PERFOLD_JIT_CODEMAP_H
#define PERFOLD_JIT_CODEMAP_H

#include "base/buf.h"
#include "base/file.h"
#include "jit/bytecodes.h"
#include "jit/codelog.h"
#include "jit/jit.h"
#include "jit/layers.h"
#include "jit/perftree.h"

/* Entries and live ranges alike. */
struct code_range {
	uint64_t start, end;
	uint64_t name; /* place in codemap.text; grows with the file, so the higher one is newer */
	uint32_t name_size;
	frame_id frame;  /* 0: not looked up yet; atomic */
	uint32_t entry;  /* its number among the lines that name code */
	bool of_several; /* other functions lay here too, at other times */
};

struct code_ranges {
	struct code_range *at;
	size_t n, cap;
};

struct codemap {
	struct frames *frames;
	str_id module;
	struct code_ranges live;  /* in order, without overlap */
	struct code_ranges added; /* not yet merged into live, in file order */
	struct buf text;
	struct layers layers;   /* where several functions lay, with times */
	struct layers *collect; /* borrowed; not NULL: entries go there alone */
	struct bytecodes bytecodes;
	struct perf_tree *tree; /* --compat perf: all entries are added, none is live */
	struct code_log log;    /* of a jitdump: then there is nothing in live and added */
	struct file dump;       /* the jitdump, where its log has places of */
	bool has_dump, dump_swapped;
	bool lines;     /* are wanted */
	bool ambiguous; /* some live range is of several functions */
	struct codemap_facts facts;
};

struct codemap *codemap_new(struct frames *frames, int32_t pid, bool compat_perf);
/* Code from start until before end. */
void codemap_add(struct codemap *m, uint64_t start, uint64_t end, struct span name);
/* The name of the entry added last goes on. */
void codemap_continue_name(struct codemap *m, struct span more);
void codemap_finish(struct codemap *m);

/* Of a jitdump: code is added and placed, then the log is frozen. */
struct codemap *codemap_new_of_dump(struct frames *frames, struct span module);
/* The number of a new piece of code; its name is filled in. */
uint32_t codemap_add_code(
	struct codemap *m, const struct code *code, uint64_t key, struct span name);

#endif
