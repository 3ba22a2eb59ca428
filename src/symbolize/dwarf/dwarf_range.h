/*
 * dwarf_list.h - a list of ranges, as it lies in .debug_rnglists (DWARF 5, 2.17.3), or in
 * .debug_ranges before
 *
 * Owns: nothing. Threads: one for each list. Private to symbolize/.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_RANGE_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_RANGE_H

#include "base/cursor.h"

struct dwarf_range_list {
	struct cursor rest; /* what is left of it */
	struct span addr;   /* .debug_addr, from where the unit's part begins */
	uint64_t base;      /* DW_AT_low_pc of the unit */
	uint16_t version;   /* of the unit */
	uint8_t address_bytes;
};

/* False at its end. What has start == end is no range. */
bool dwarf_range_list_next(struct dwarf_range_list *l, uint64_t *start, uint64_t *end);

#endif
