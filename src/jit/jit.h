/*
 * jit.h - names of generated code
 *
 * A code map tells which function of a process lay at an address of generated code, and when. It
 * is made from what the runtime wrote: /tmp/perf-PID.map, whose format is that of
 * tools/perf/Documentation/jit-interface.txt:
 *
 *	START SIZE symbolname		START and SIZE are hex numbers without 0x
 *
 * A runtime only ever appends: where lines overlap, the later one is what was there in the end,
 * and the earlier one keeps what is left of it. The map has no times, so an answer holds always.
 *
 * Owns: its ranges and texts; frames are borrowed. Threads: load from one, look up from any.
 */
#ifndef PERFOLD_JIT_JIT_H
#define PERFOLD_JIT_JIT_H

#include "model/diag.h"
#include "model/frame.h"
#include "model/stacklog.h"

struct codemap;

/* Addresses that were executable at some time in the process: in order, without overlap. Lines
 * outside them are no code: V8 lists the bytecode of its interpreter, at addresses of its heap. */
struct codemap_ranges {
	const struct codemap_range {
		uint64_t start, end;
	} * range;
	size_t n;
};

/* A regular file. exec may be NULL: all addresses count. pid makes the frames' module
 * "/tmp/perf-PID.map". compat_perf: take perf 6.1's choice among overlapping lines, and lose the
 * names it loses. Damaged lines are counted, never an error. */
int codemap_load_perf_map(struct codemap **out, const char *path, struct frames *frames,
	struct diag *diag, const struct codemap_ranges *exec, int32_t pid, bool compat_perf,
	struct err *e);
void codemap_free(struct codemap *m);

/* The frame of the code at an address, 0 where the map knows none; *valid is when that holds. */
frame_id codemap_find(
	const struct codemap *m, uint64_t address, struct moment at, struct validity *valid);

struct codemap_facts {
	uint64_t entries;           /* lines that name code */
	uint64_t outside;           /* lines that lie outside executable memory */
	uint64_t ranges;            /* of addresses that have a name */
	uint64_t overwritten_bytes; /* named by more than one line: the map may be wrong there */
};

struct codemap_facts codemap_facts(const struct codemap *m);

#endif
