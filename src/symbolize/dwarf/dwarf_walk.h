/*
 * dwarf_walk.h - from addresses to the functions that contain them, and what was inlined there
 *
 * One walk over the tree of a unit serves all its addresses. Trees come from strangers: their depth
 * is bounded, and so is time (dwarf_budget.h); what is not found in time is left out.
 *
 * Owns: the scopes of chains, which the caller frees. Threads: one for each Dwarf handle.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_WALK_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_WALK_H

#include "symbolize/dwarf/dwarf_range.h"

struct dwarf_image;
struct dwarf_split;

/* Calls fn for the code of all functions of the unit at offset in image; dwarf is open on that. The
 * DIE may be empty: its addr is NULL then. */
void dwarf_walk_functions(Dwarf *dwarf, const struct dwarf_image *image, uint64_t offset,
	struct dwarf_budget *b, dwarf_range_fn fn, void *ctx);

/* The functions around an address: a function, then what was inlined, outermost first. */
struct dwarf_chain {
	uint64_t address;
	Dwarf_Die *scope; /* owned */
	uint32_t n, cap;  /* n 0: in no function */
};

/* Fills the chains of n addresses in ascending order. unit is a root in image. split: the unit is
 * in a .dwo; or NULL. */
void dwarf_walk_chains(Dwarf_Die *unit, const struct dwarf_image *image,
	const struct dwarf_split *split, struct dwarf_budget *b, struct dwarf_chain *chains,
	uint32_t n);

#endif
