/*
 * dwarf_scopes.h - what entries of a unit lie in: namespaces, classes, functions
 *
 * An entry does not say what it is part of; one walk over the tree finds that for many. What holds
 * none of them is stepped over where the compiler says how far it reaches (gcc does, clang not).
 *
 * Owns: nothing. Threads: one for each Dwarf handle.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_SCOPES_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_SCOPES_H

#include "symbolize/dwarf/dwarf_image.h"
#include "symbolize/dwarf/dwarf_walk.h"

/* which: of the entries that were asked for. scope: what it lies in, outermost first, without the
 * unit itself; lent for the call. */
typedef void (*dwarf_scopes_fn)(void *ctx, uint32_t which, const Dwarf_Die *scope, uint32_t n);

/* Tell of n entries, at least one, of one unit, which is of image; they are in the order in which
 * they lie. What cannot be found, or lies too deep, is not told of. */
void dwarf_scopes_find(const struct dwarf_image *image, Dwarf_Die *entry, uint32_t n,
	struct dwarf_budget *b, dwarf_scopes_fn fn, void *ctx);

#endif
