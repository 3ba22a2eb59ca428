/*
 * call_tree.h - the callers of functions, or what they call, merged into a tree
 *
 *	stacks                   callers of c       callees of c
 *	main;a;c;x 2             c 5                c 5
 *	main;b;c 3               ├ b 3              └ x 2
 *	                         │ └ main 3
 *	                         └ a 2
 *	                           └ main 2
 *
 * Of a stack that has any of the functions more than once, the outermost one counts: the callers of
 * a function weigh together what the function does, and so do its callees and its own cost.
 *
 * The tree is a profile of its own, whose nodes are not sorted by name: node 0 is all of the
 * functions, its children are they. In a tree of callers the self cost of a node is that of stacks
 * that begin there.
 *
 * Owns: the profile is the caller's, profile_free(); frames and strings are those of the profile
 * that it was made of. Threads: one.
 */
#ifndef PERFOLD_COMPARE_CALL_TREE_H
#define PERFOLD_COMPARE_CALL_TREE_H

#include "compare/costs.h"

/* marked: by function_id of c. */
struct profile *call_tree_callers(struct costs *c, const bool *marked);
struct profile *call_tree_callees(struct costs *c, const bool *marked);
/* All stacks from their innermost frame: what is above a function are its callers. Its nodes are as
 * many as the stacks have frames, at most. */
struct profile *call_tree_reversed(struct costs *c);

#endif
