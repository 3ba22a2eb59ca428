/*
 * dwarf_walk.h - from addresses to the functions that hold them, and what was inlined there
 *
 * One walk over the tree of a unit serves all its addresses. A tree comes from a stranger: its
 * depth is bounded, and so are steps and time (struct dwarf_budget); what cannot be told in time
 * is left out.
 *
 * Owns: what is said below. Threads: one for each Dwarf handle.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_WALK_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_WALK_H

#include "symbolize/dwarf/dwarf_range.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

struct dwarf_image;
struct dwarf_split;

/* Time of a thread's processor. A step is no constant: of a list of ranges it is one range, of a
 * tree all that lies inside an entry that is of no interest. */
struct dwarf_budget {
	uint64_t until_ns;
	uint32_t steps;
	bool spent;
};

void dwarf_budget_start(struct dwarf_budget *b, uint64_t limit_ns);
/* False where the time is over. */
bool dwarf_budget_step(struct dwarf_budget *b);
/* Processor time of this thread. */
uint64_t dwarf_budget_clock_ns(void);

typedef void (*dwarf_range_fn)(void *ctx, Dwarf_Die *die, uint64_t start, uint64_t end);

/* True of ranges of functions that the linker threw away: at 0, 1 or the end of the address space.
 */
bool dwarf_range_is_dropped(uint64_t start, uint64_t end);
/* The code of a DIE, without such ranges. */
void dwarf_range_each(Dwarf_Die *die, struct dwarf_budget *b, dwarf_range_fn fn, void *ctx);
/* The same of a list. */
void dwarf_range_list_each(struct dwarf_range_list list, Dwarf_Die *die, struct dwarf_budget *b,
	dwarf_range_fn fn, void *ctx);
/* The code of all functions of the unit at offset in image; dwarf is open on that. fn may be told
 * of no DIE. */
void dwarf_walk_functions(Dwarf *dwarf, const struct dwarf_image *image, uint64_t offset,
	struct dwarf_budget *b, dwarf_range_fn fn, void *ctx);

/* What an address lies in: a function, then what was inlined, outermost first. */
struct dwarf_chain {
	uint64_t address;
	Dwarf_Die *scope; /* owned */
	uint32_t n, cap;  /* n 0: in no function */
};

/* Fill the chains of n addresses in ascending order. image: that unit is of. split: that unit is
 * the root of, or NULL. */
void dwarf_walk_chains(Dwarf_Die *unit, const struct dwarf_image *image,
	const struct dwarf_split *split, struct dwarf_budget *b, struct dwarf_chain *chains,
	uint32_t n);

#endif
