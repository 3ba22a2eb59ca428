/*
 * collapse.h - stacks of sites with names, to the profile that writers see
 *
 * Each worker replays one log: sites become frames, rules change the stack, names are tidied,
 * and the stack goes into a tree of names. Only those trees are merged. The result does not
 * depend on the number of workers.
 *
 * Owns: nothing between calls. Threads: uses the pool it is given.
 */
#ifndef PERFOLD_COLLAPSE_COLLAPSE_H
#define PERFOLD_COLLAPSE_COLLAPSE_H

#include "base/pool.h"
#include "model/part.h"
#include "model/rewrite.h"

struct collapse_opts {
	enum root_part roots[ROOT_PARTS_MAX]; /* outermost first, up to ROOT_END */
	uint32_t annotate;                    /* enum annotate */
	bool addresses;
	bool full_names;    /* keep argument lists */
	bool tiers;         /* of JavaScript functions stay apart */
	uint32_t max_depth; /* frames kept, outermost first; 0: all */
	double min_percent; /* smaller subtrees become weight of their parent */
	bool timeline;      /* turn the recordings' rows into the profile's */
	bool weight_by_samples;
	bool lost_frame; /* a frame [lost] for what the kernel lost */
	bool by_name;    /* siblings of one shown name become one: see collapse_by_name() */
	const struct rewriter *rewriter; /* NULL: no rules */
};

/* Names of all sites must be set. The recordings' logs stay as they are; rows are taken over. */
int collapse(struct profile **out, struct recording *const *recordings, unsigned n,
	const struct collapse_opts *o, struct pool *pool, struct err *e);

/* The same profile with siblings of one shown name as one; with rows, if they are wanted, that
 * refer to its nodes. */
struct profile *collapse_by_name(const struct profile *full, bool with_rows);

/* The profile's rows taken apart, for --split. p must have rows; all is borrowed. */
struct parts;

struct parts *parts_new(
	const struct profile *p, const struct split *split, struct recording *const *recordings);
void parts_free(struct parts *s);
uint32_t parts_count(const struct parts *s);
struct profile_part parts_name(const struct parts *s, uint32_t part);
/* A profile of its own of one part; owned by the caller. One at a time. */
struct profile *parts_profile(struct parts *s, uint32_t part);

#endif
