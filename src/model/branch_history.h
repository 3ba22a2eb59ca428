/*
 * branch_history.h - from the branch stacks of samples to traces (branch_traces.h)
 *
 * Whoever reads samples, of a recording or of a text, pushes the entries of each stack and says
 * what is at an address; what follows what, and in which reading, is decided here.
 *
 * Owns: its traces, until branch_history_collect(); a cache of look-ups. Borrows: modules.
 * Threads: each worker has its own.
 */
#ifndef PERFOLD_MODEL_BRANCH_HISTORY_H
#define PERFOLD_MODEL_BRANCH_HISTORY_H

#include "model/branch_traces.h"
#include "model/validity.h"

struct branch_place {
	uint64_t rel;     /* see enum module_kind */
	module_id module; /* 0: none */
	bool kernel;      /* by its address; whoever looks it up need not say so */
};

/* What is at an address of a space at that moment; shrinks *valid to where this holds. */
typedef struct branch_place (*branch_history_look_up)(
	void *ctx, uint64_t address, uint32_t space, struct moment at, struct validity *valid);

static inline bool branch_history_is_kernel(uint64_t address)
{
	return address >> 63;
}

struct branch_history;

struct branch_history *branch_history_new(
	const struct modules *modules, branch_history_look_up look_up, void *ctx);
void branch_history_free(struct branch_history *h);

/* An entry of a branch stack, as struct perf_branch_entry has it. */
struct branch_record {
	uint64_t from, to;
	bool mispredicted, predicted; /* neither: not known */
};

/* A stack: its entries are pushed the newest first. */
void branch_history_begin(struct branch_history *h, uint32_t space, struct moment at);
void branch_history_push(struct branch_history *h, const struct branch_record *branch);
void branch_history_end(struct branch_history *h);
/* Where a sample was, for recordings without branch stacks. */
void branch_history_add_sample(
	struct branch_history *h, uint32_t space, struct moment at, uint64_t address);

/* Adds its traces to *sum, which is made of those of the first one; afterwards only to be freed. */
void branch_history_collect(struct branch_history *h, struct branch_traces **sum);

#endif
