/*
 * perftree.h - the tree in which perf 6.1 keeps the symbols of a map
 *
 * perf puts all lines of a map, overlapping ones too, into one red-black tree ordered by start, and
 * returns the first symbol on the way down that covers the address. Which one that is depends on
 * the shape of the tree, so only the same tree gives the same answer.
 *
 * Source: symbols__insert(), symbols__find() in tools/perf/util/symbol.c, lib/rbtree.c.
 *
 * Owns: its nodes. Threads: one while building, then any. Private to jit/.
 */
#ifndef PERFOLD_JIT_PERFTREE_H
#define PERFOLD_JIT_PERFTREE_H

#include <stdint.h>

struct perf_tree;

enum { PERF_TREE_NONE = -1 };

struct perf_tree *perf_tree_new(void);
void perf_tree_free(struct perf_tree *t);
/* Entries are numbered 0, 1, 2, ... as they come. */
void perf_tree_insert(struct perf_tree *t, uint64_t start, uint64_t end);
/* The number of the entry that perf returns, or PERF_TREE_NONE. */
int64_t perf_tree_find(const struct perf_tree *t, uint64_t address);

#endif
