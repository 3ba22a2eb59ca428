/*
 * dwarf_split.h - a unit whose tree is in a .dwo file, or in a package of them (DWARF 5, 7.3.2;
 * GNU's before)
 *
 * The program keeps a skeleton, with the name of the .dwo and an id that proves it, the addresses
 * and, before DWARF 5, the ranges. libdw would look for the .dwo under its recorded path only, and
 * accept whatever is there. So it is found here, and libdw gets a file in which the skeleton's
 * tables are in place. What it still lacks is the base of ranges, so these are read here.
 *
 * Packages are searched first, as debuggers do.
 *
 * Owns: what it opened. Threads: one.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_SPLIT_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_SPLIT_H

#include "symbolize/dwarf/dwarf_packages.h"
#include "symbolize/dwarf/dwarf_walk.h"

struct dwarf_split {
	struct dwarf_image image;
	struct dwarf_handle handle;
	Dwarf_Die unit; /* the root of the tree */
	uint64_t id;    /* of unit and skeleton */
	uint64_t base;  /* for ranges: the skeleton's DW_AT_low_pc */
	uint16_t version;
	bool big; /* byte order */
	uint8_t address_bytes;
	struct dwarf_borrowed borrowed;
};

/* True where the unit is a skeleton. */
bool dwarf_split_needed(Dwarf_Die *unit);

/* Where to search for the tree of a skeleton; borrowed. */
struct dwarf_split_places {
	const struct files *files;
	const struct files_dwp_owner *beside;
	struct dwarf_packages *packages; /* that were found there */
};

/* image: that the skeleton is in. False: its tree was not found. */
bool dwarf_split_open(struct dwarf_split *s, Dwarf_Die *skeleton, const struct dwarf_image *image,
	const struct dwarf_split_places *places);
void dwarf_split_close(struct dwarf_split *s);

/* Calls fn for the ranges (DW_AT_ranges) of a DIE of the .dwo. */
void dwarf_split_ranges(const struct dwarf_split *s, Dwarf_Die *die, struct dwarf_budget *b,
	dwarf_range_fn fn, void *ctx);

#endif
