/*
 * branch_traces.h - the branches that samples had in their branch stacks, by distinct trace
 *
 * A trace is one entry of a branch stack with what follows it: the branch from -> to, and the
 * straight line of code that then ran, from `to` up to and including the branch instruction at
 * `next`, which is the source of the next younger entry. So edges are sums of traces over next, and
 * fall-through ranges are sums over from:
 *
 *	stack (newest first)	traces
 *	E -> F			{E, F, none}	the newest entry has no range
 *	C -> D			{C, D, E}	edge C->D, range D..E
 *	A -> B			{A, B, C}	edge A->B, range B..C
 *
 * A place is a module and the offset in it, as of a site (enum module_kind). What is in no file and
 * not in the kernel (generated code, nothing mapped) has rel 0, and without a module it is the same
 * for all: its addresses mean nothing to who reads the sums.
 *
 * There is a range only if `next` is in the module of `to`. Nothing else is judged here: ranges
 * may go backwards or cross functions, as those of doubled entries do.
 *
 * Entries with a kernel address, of interrupts and system calls, are where readers of branch
 * stacks differ. perf2bolt leaves them out, so that the range goes on where the interrupt ended.
 * llvm-profgen keeps them: the range ends, and a branch from elsewhere begins another one. It
 * leaves out entries that neither begin nor end in the module instead. A trace in which the two
 * agree is in both readings, and others say in which they are:
 *
 *	stack			BRANCH_RESUMED	BRANCH_INTERRUPTED
 *	c -> d			{c, d, none}	{c, d, none}	(one trace: BRANCH_ANY)
 *	kernel -> x				{kernel, x, c}
 *	a -> b			{a, b, c}	{a, b, none}
 *
 * So the edges and ranges of a reading are sums of the traces of BRANCH_ANY and of its own. Traces
 * that end in the kernel are as BRANCH_INTERRUPTED has them, and in both readings.
 *
 * Recordings without branch stacks have BRANCH_SAMPLE: `to` is where a sample was, from is nowhere.
 *
 * Counts are numbers of samples, not of events. The order, once sorted, does not depend on the
 * number of workers; it goes by numbers of modules, which do.
 *
 * Owns: rows. Threads: each worker adds to its own; merged and read by one thread.
 * Source: perf_event_open(2), struct perf_branch_entry; of LLVM 19 and later, DataAggregator.cpp of
 * BOLT and PerfReader.cpp of llvm-profgen.
 */
#ifndef PERFOLD_MODEL_BRANCH_TRACES_H
#define PERFOLD_MODEL_BRANCH_TRACES_H

#include "base/index.h"
#include "model/modules.h"

#include <stdbool.h>

enum branch_reading {
	BRANCH_ANY,
	BRANCH_RESUMED,     /* entries with a kernel address are left out */
	BRANCH_INTERRUPTED, /* they are kept, those outside of the module are left out */
	BRANCH_SAMPLE,      /* no branch: where a sample was */
};

#define BRANCH_NO_NEXT UINT64_MAX

struct branch_trace {
	uint64_t from, to; /* within their modules */
	uint64_t next;     /* within to_module, or BRANCH_NO_NEXT */
	module_id from_module, to_module;
	uint8_t reading; /* enum branch_reading */
	uint64_t count;  /* how often it was in a stack */
	uint64_t mispredicted;
};

/* What the stacks were, of those samples that have one. */
struct branch_totals {
	uint64_t samples;      /* with a stack, of at least one entry */
	uint64_t empty;        /* with one of none */
	uint64_t entries;      /* of all stacks */
	uint64_t predictions;  /* entries that say whether they were predicted */
	uint64_t mispredicted; /* of these */
	uint64_t sampled;      /* samples as BRANCH_SAMPLE */
};

void branch_traces_add_totals(struct branch_totals *to, const struct branch_totals *from);

struct branch_traces {
	struct branch_trace *row;
	uint32_t n, cap;
	struct index by_key; /* empty once sorted */
	struct branch_totals totals;
};

struct branch_traces *branch_traces_new(void);
void branch_traces_free(struct branch_traces *t);

/* The number of the trace's row, which was made with counts of 0 if there was none. Counts of the
 * trace are not read. */
uint32_t branch_traces_find(struct branch_traces *t, const struct branch_trace *trace);
void branch_traces_count(
	struct branch_traces *t, uint32_t row, uint64_t count, uint64_t mispredicted);
/* Adds all of `from`, which becomes empty. */
void branch_traces_merge(struct branch_traces *t, struct branch_traces *from);
/* By to_module, to, next, from_module, from, reading. Nothing can be added afterwards. */
void branch_traces_sort(struct branch_traces *t);

#endif
