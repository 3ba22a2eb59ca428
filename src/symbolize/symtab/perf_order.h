/*
 * perf_order.h - the symbol that perf 6.1 finds for an address
 *
 * For --compat perf. perf inserts symbols one by one into a red-black tree; after each symbol
 * section it extends those of size zero, and deletes all but the best of those that start together.
 * A look-up takes the first hit on the way down: among overlapping symbols the shape of the tree
 * decides. The tree here has the same shape.
 *
 * Private to symbolize/: part of struct symtab.
 */
#ifndef PERFOLD_SYMBOLIZE_SYMTAB_PERF_ORDER_H
#define PERFOLD_SYMBOLIZE_SYMTAB_PERF_ORDER_H

#include "symbolize/symtab/symtab.h"

/* Symbols t->n_inserted .. t->n are new. */
void perf_order_insert(struct symtab *t);
/* Extend and choose. */
void perf_order_settle(struct symtab *t);
uint32_t perf_order_find(const struct symtab *t, uint64_t address);

#endif
