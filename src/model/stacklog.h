/*
 * stacklog.h - the distinct stacks one worker has seen, and how often
 *
 * A stack is a root (thread, process, event ...) and entries, outermost first. An
 * entry is any 64-bit word that says what a frame is (an address with its context, or a number of a
 * frame line); equal words mean the same frame in the same root as long as a look-up says so (valid
 * until). Finding a stack again costs a hash of the entries that differ from the stack before it,
 * and one table look-up; look-ups lag some samples behind, with their slots prefetched.
 *
 * A new stack is logged as a difference to the one logged before (model/stack_delta.h). Names are
 * found later; stacklog_replay() then walks the log.
 *
 * Sums are another kind of log (stacklog_new_of_sums()): a tree of sites. Inputs whose stacks are
 * already added up have each stack once, next to those that begin alike: finding a stack by a hash
 * would cost more than continuing from the one before, and a tree needs less memory.
 *
 *	hash of a stack: two 64-bit lanes keyed by a secret of the process, so that a recording
 *	cannot be made to collide; at 10^8 stacks chance gives one false merge in 10^22 runs.
 *
 * Owns: everything in it. Threads: one for each log.
 */
#ifndef PERFOLD_MODEL_STACKLOG_H
#define PERFOLD_MODEL_STACKLOG_H

#include "base/err.h"
#include "model/sites.h"
#include "model/validity.h"

#include <stdbool.h>

typedef uint32_t root_id;  /* see model/roots.h; 0 is a root without frames */
typedef uint32_t stack_id; /* of one log, from 0 in the order of the log */

/* What the entry means for a sample at that moment; shrinks *valid to where this holds. */
typedef site_id (*stacklog_resolve)(
	void *ctx, uint32_t space, uint64_t entry, struct moment at, struct validity *valid);

struct stacklog;

struct stacklog *stacklog_new(stacklog_resolve resolve, void *ctx);
/* For stacks whose entries are numbers of sites. */
struct stacklog *stacklog_new_of_sites(void);
/* A log of sums, whose stacks all have one root. It is filled by growing its tree. */
struct stacklog *stacklog_new_of_sums(root_id root);
void stacklog_free(struct stacklog *l);

/* more_samples for a sum of n. */
static inline uint32_t stacklog_more(uint64_t n)
{
	return n > UINT32_MAX ? UINT32_MAX - 1 : n ? (uint32_t)n - 1 : 0;
}

/* An entry with both bits means the same in all spaces, as an address of the kernel does. */
#define STACKLOG_ALL_SPACES (1ull << 63 | 1ull << 61)

struct stacklog_sample {
	root_id root;
	uint32_t space; /* other entries mean the same only within one space */
	struct moment at;
	uint64_t weight;
	uint32_t more_samples; /* samples of the same stack beside this one, where an input has sums
				*/
	bool later;            /* its weight is added later, by stacklog_weigh() */
	uint32_t tag;          /* handed back by the on_stack callback: the timeline's row */
	uint32_t n;
	const uint64_t *entries; /* outermost first; copied */
};

/* Counts a sample. Its stack is reported later, through on_stack. */
void stacklog_add(struct stacklog *l, const struct stacklog_sample *s);
/* Adds to the weight of a stack. */
void stacklog_weigh(struct stacklog *l, stack_id stack, uint64_t weight, uint32_t samples);
/* All samples are added: finish those that are under way. */
void stacklog_flush(struct stacklog *l);
/* Nothing is added any more, and was flushed: frees what replays do not need. */
void stacklog_seal(struct stacklog *l);

/* Called once for each sample, in the order of stacklog_add(), when its stack is known. */
typedef void (*stacklog_on_stack)(void *ctx, uint32_t tag, stack_id stack);
void stacklog_set_on_stack(struct stacklog *l, stacklog_on_stack fn, void *ctx);

/* How many of a stack's outermost sites, fewer than n, do not belong to it. Called once for each
 * distinct stack. */
typedef uint32_t (*stacklog_trim)(void *ctx, const site_id *sites, uint32_t n);
void stacklog_set_trim(struct stacklog *l, stacklog_trim fn, void *ctx);
/* Samples of stacks that were trimmed. */
uint64_t stacklog_trimmed(const struct stacklog *l);

stack_id stacklog_count(const struct stacklog *l);
/* From when until when equal entries mean this stack. Not once the log is sealed. */
struct validity stacklog_valid(const struct stacklog *l, stack_id stack);

/* One stack of the log. sites[0..keep) are those of the stack before it. */
struct stacklog_entry {
	stack_id number;
	root_id root;
	uint64_t weight, samples;
	uint32_t keep, n;
	const site_id *sites;
};

typedef int (*stacklog_visit)(void *ctx, const struct stacklog_entry *s, struct err *e);
/* In replays that begin later, the stack has these n sites (copied) in place of its outermost one.
 * Called in order of stack numbers, once for each. */
void stacklog_stitch(struct stacklog *l, stack_id stack, const site_id *sites, uint32_t n);
/* Walk all stacks in the order of the log; stops where visit fails. */
int stacklog_replay(const struct stacklog *l, stacklog_visit visit, void *ctx, struct err *e);
/* The same in parts, in any order and by several threads; the first stack of each has keep 0. A log
 * of sums is one part; each part of another has STACKLOG_PART_STACKS, the last one what is left. */
enum { STACKLOG_PART_STACKS = 256 };
uint32_t stacklog_parts(const struct stacklog *l);
int stacklog_replay_part(
	const struct stacklog *l, uint32_t part, stacklog_visit visit, void *ctx, struct err *e);

/* Logs of sums; the number of a stack is that of its node. */

struct tree;

/* NULL if the log is not one of sums; see model/tree.h. */
struct tree *stacklog_tree(struct stacklog *l);
root_id stacklog_root(const struct stacklog *l);

/* What is left of a log that is replayed no more. */

/* Sets how many samples each site is in, which is owned by the log from now on. A stack that has a
 * site twice counts twice. */
void stacklog_set_counts(struct stacklog *l, uint64_t *samples, uint32_t n_sites);
/* Add these to samples, by site; false if they were not set, and the log is not one of sums. */
bool stacklog_count_sites(const struct stacklog *l, uint64_t *samples);
/* Frees the stacks and keeps the counts: replays have nothing to visit any more. */
void stacklog_drop_stacks(struct stacklog *l);

#endif
