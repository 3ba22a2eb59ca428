/*
 * dwarf_range.h - the ranges of addresses of a DIE
 *
 * libdw knows those of a DIE it has read. A list of ranges can also be read as it is in
 * .debug_rnglists (DWARF 5, 2.17.3), or in .debug_ranges before, without libdw.
 *
 * Owns: nothing. Threads: one for each list, or Dwarf handle. Private to dwarf/.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_RANGE_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_RANGE_H

#include "base/cursor.h"
#include "symbolize/dwarf/dwarf_budget.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

struct dwarf_range_list {
	struct cursor rest; /* what is left of it */
	struct span addr;   /* .debug_addr, from where the unit's part begins */
	uint64_t base;      /* DW_AT_low_pc of the unit */
	uint16_t version;   /* of the unit */
	uint8_t address_bytes;
};

/* False at the end of the list. An entry with start == end is no range. */
bool dwarf_range_list_next(struct dwarf_range_list *l, uint64_t *start, uint64_t *end);

/* True of ranges of functions that the linker dropped. GNU ld leaves 0 (1 in .debug_ranges) as
 * their start, lld the last addresses. */
static inline bool dwarf_range_is_dropped(uint64_t start, uint64_t end)
{
	return start <= 1 || start >= UINT64_MAX - 2 || end <= start;
}

typedef void (*dwarf_range_fn)(void *ctx, Dwarf_Die *die, uint64_t start, uint64_t end);

/* Calls fn for the ranges of a DIE, except dropped ones. */
void dwarf_range_each(Dwarf_Die *die, struct dwarf_budget *b, dwarf_range_fn fn, void *ctx);
/* The same for a list; die is only passed on. */
void dwarf_range_list_each(struct dwarf_range_list list, Dwarf_Die *die, struct dwarf_budget *b,
	dwarf_range_fn fn, void *ctx);

#endif
