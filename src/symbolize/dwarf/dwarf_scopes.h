/*
 * dwarf_scopes.h - the scopes around entries of a unit: namespaces, classes, functions
 *
 * An entry does not say what it is part of; one walk over the tree finds that for many. Entries
 * with none of them inside are skipped by DW_AT_sibling (gcc writes it, clang does not).
 *
 * Owns: nothing. Threads: one for each Dwarf handle.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_SCOPES_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_SCOPES_H

#include "symbolize/dwarf/dwarf_image.h"
#include "symbolize/dwarf/dwarf_walk.h"

/* which: the number of the entry. scope: the DIEs around it, outermost first, without the unit;
 * borrowed for the call. */
typedef void (*dwarf_scopes_fn)(void *ctx, uint32_t which, const Dwarf_Die *scope, uint32_t n);

/* Reports the scopes of n > 0 entries of one unit of image, which are in the order of the file.
 * Entries that are not found, or are too deep, are not reported. */
void dwarf_scopes_find(const struct dwarf_image *image, Dwarf_Die *entry, uint32_t n,
	struct dwarf_budget *b, dwarf_scopes_fn fn, void *ctx);

#endif
