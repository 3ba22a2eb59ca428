/*
 * dwarf_units.h - which compilation unit holds an address
 *
 * Made from the ranges of all units (DW_AT_low_pc, DW_AT_ranges). libdw has only .debug_aranges,
 * which is optional: clang does not write it.
 *
 * Owns: its ranges. Threads: read by any.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_UNITS_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_UNITS_H

#include "symbolize/dwarf/dwarf_line_table.h"
#include "symbolize/dwarf/dwarf_walk.h"

struct dwarf_unit_range {
	uint64_t start, end; /* [start, end) */
	uint64_t reach;      /* the largest end of this and all before it */
	uint64_t unit;       /* offset of the unit's DIE */
};

/* A unit's offsets in .debug_info. */
struct dwarf_unit {
	uint64_t start, root, end; /* root: offset of its DIE */
	struct dwarf_unit_lines lines;
};

struct dwarf_units {
	struct dwarf_unit_range *range; /* in order of start */
	uint32_t n, cap;
	struct dwarf_unit *unit; /* in the order of the file */
	uint32_t n_units, cap_units;
	struct dwarf_line_parts *parts; /* of each unit's lines, by who reads them; NULL: none */
};

enum { DWARF_NO_UNIT = 0 }; /* there is a header before the first DIE */

/* dwarf is open on image, of which the roots of all units are loaded on the way. */
void dwarf_units_read(struct dwarf_units *u, Dwarf *dwarf, struct dwarf_image *image,
	struct dwarf_budget *budget);
void dwarf_units_release(struct dwarf_units *u);
/* The unit at an address: of several, the one whose range starts last. DWARF_NO_UNIT: none. */
uint64_t dwarf_units_find(const struct dwarf_units *u, uint64_t address);
/* A unit that was found. */
const struct dwarf_unit *dwarf_units_get(const struct dwarf_units *u, uint64_t root);
/* Makes room for parts, before units are shared. */
void dwarf_units_want_parts(struct dwarf_units *u);
/* Those of a unit that was found, for one thread at a time; NULL: there is no room. */
struct dwarf_line_parts *dwarf_units_parts(const struct dwarf_units *u, uint64_t root);

#endif
