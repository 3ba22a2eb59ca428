/*
 * perf_tree.h - the red-black tree in which perf 6.1 keeps symbols, for --compat perf
 *
 * perf inserts the symbols of a file one by one, those of a perf map too, in the order in which it
 * reads them and ordered by start. A look-up returns the first symbol on the way down that covers
 * the address: among overlapping symbols the shape of the tree decides. The tree here has the same
 * shape (base/rbtree.h).
 *
 * After each symbol table of an ELF file, and after kallsyms, perf extends the symbols of size zero
 * and deletes all but the best of those that start together. It does neither for a perf map.
 *
 * Source: symbols__insert(), symbols__find(), symbols__fixup_end(), symbols__fixup_duplicate() in
 * tools/perf/util/symbol.c; lib/rbtree.c.
 *
 * Owns: its nodes. Threads: one while it is built, then any number of readers.
 */
#ifndef PERFOLD_MODEL_PERF_TREE_H
#define PERFOLD_MODEL_PERF_TREE_H

#include <stdbool.h>
#include <stdint.h>

struct perf_tree;

enum { PERF_TREE_NONE = -1 };

struct perf_tree *perf_tree_new(void);
/* NULL is fine. */
void perf_tree_free(struct perf_tree *t);
/* Symbols are numbered 0, 1, 2, ... as they come. */
void perf_tree_insert(struct perf_tree *t, uint64_t start, uint64_t end);
uint32_t perf_tree_count(const struct perf_tree *t);

/* Symbols of size zero reach to the next one, the last to perf_tree_page_after(). */
void perf_tree_fixup_end(struct perf_tree *t);
uint64_t perf_tree_end(const struct perf_tree *t, uint32_t i);
/* True where symbol b is better than a, which came first and starts where b does. */
typedef bool (*perf_tree_better_fn)(const void *ctx, uint32_t a, uint32_t b);
void perf_tree_fixup_duplicate(struct perf_tree *t, perf_tree_better_fn better, const void *ctx);

/* The number of the symbol that perf finds, or PERF_TREE_NONE. */
int64_t perf_tree_find(const struct perf_tree *t, uint64_t address);

/* The end of the page after the one the address is in, UINT64_MAX at most: how far perf extends a
 * symbol that no other one follows. */
uint64_t perf_tree_page_after(uint64_t address);

#endif
