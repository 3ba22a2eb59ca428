/*
 * branches.h - the nodes of a profile as a tree is read: callers first, the most expensive callee
 * after them, and with all below it before the next one
 *
 *	branches_init(&b, p, least);
 *	while (branches_next(&b, &branch))
 *		...
 *	branches_release(&b);
 *
 * What weighs less than the least is left out with all below it, and counted. Of equals the first
 * in the profile comes first.
 *
 * Owns: a list of what is to come. Threads: one.
 */
#ifndef PERFOLD_COMPARE_BRANCHES_H
#define PERFOLD_COMPARE_BRANCHES_H

#include "model/profile.h"

struct branch {
	node_id node;
	uint32_t depth;    /* from 1 */
	uint32_t siblings; /* that are given; itself included */
	bool is_last;      /* of them */
};

struct branches {
	const struct profile *p;
	double least;
	struct branch *waiting; /* the next one is last */
	size_t n, cap;
	node_id begun;   /* whose callees are to come; 0: none */
	uint32_t hidden; /* nodes left out so far */
};

void branches_init(struct branches *b, const struct profile *p, double least);
bool branches_next(struct branches *b, struct branch *next);
/* How many nodes there are besides those that were given. */
uint32_t branches_rest(const struct branches *b);
void branches_release(struct branches *b);

#endif
