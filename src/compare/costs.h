/*
 * costs.h - what each function of a profile costs: by itself (self) and with what it calls (total)
 *
 * A stack that holds a function twice counts once for it: otherwise recursion would cost more than
 * the whole. Root frames (the thread's name) are no functions; stacks without any code are the
 * function "[empty]".
 *
 * Owns: the table, and the functions it is about. Threads: each has its own.
 */
#ifndef PERFOLD_COMPARE_COSTS_H
#define PERFOLD_COMPARE_COSTS_H

#include "model/functions.h"
#include "model/tree.h"

struct cost {
	uint64_t weight, samples;
};

static inline void costs_add(struct cost *to, uint64_t weight, uint64_t samples)
{
	to->weight += weight;
	to->samples += samples;
}

static inline void costs_add_all(struct cost *to, struct cost c)
{
	costs_add(to, c.weight, c.samples);
}

static inline bool costs_is_zero(struct cost c)
{
	return !c.weight && !c.samples;
}

/* For qsort(): the larger first. */
int costs_compare(const struct cost *a, const struct cost *b);

struct function_cost {
	function_id function;
	struct cost self, total;
};

struct costs {
	struct functions functions;
	struct function_cost *of; /* by function_id, functions.n of them */
	/* The same for the side before, if the profile is a difference; else NULL. */
	struct function_cost *before;
};

void costs_init(struct costs *c, const struct profile *p);
/* Of a profile that may not have been made yet: trees of frames become its nodes. names: has what
 * it has beside nodes, as far as names are shown by it. Returns the sum of all stacks. */
struct cost costs_init_of_trees(
	struct costs *c, const struct profile *names, const struct tree *const *trees, uint32_t n);
void costs_release(struct costs *c);

enum cost_order { BY_SELF, BY_TOTAL };

/* The nodes that make up what the marked functions cost together, by themselves or in total: a
 * stack that holds several of them counts once. */
struct costs_walk {
	struct costs *c;
	const bool *marked; /* by function_id */
	enum cost_order by;
	node_id next, counted; /* nodes below counted belong to a node that was already given */
};
bool costs_walk_next(struct costs_walk *w, node_id *node);
/* What a node of the walk adds. */
struct cost costs_of_node(const struct costs_walk *w, node_id node, bool before);
/* The sum over the walk. */
struct cost costs_sum(struct costs *c, const bool *marked, enum cost_order by, bool before);

/* The functions that cost anything, in that order, the largest first; ties are broken by name, so
 * that the order is always the same. *n becomes their number; owned by the caller. */
struct function_cost *costs_ranked(const struct costs *c, enum cost_order by, uint32_t *n);
/* Those of them that are marked, by function_id. */
struct function_cost *costs_ranked_among(
	const struct costs *c, enum cost_order by, const bool *among, uint32_t *n);

#endif
