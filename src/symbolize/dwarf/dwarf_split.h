/*
 * dwarf_split.h - a unit whose tree lies in a .dwo file, or in a package of them (DWARF 5, 7.3.2;
 * before it, GNU's)
 *
 * The program keeps a skeleton, with the name of the .dwo and an id that proves it, the addresses
 * and, before DWARF 5, the ranges. libdw looks for the .dwo itself, under its recorded path
 * only and whatever lies there. So we find it, and give libdw a file in which the tables of the
 * skeleton are in place; then it knows all but the base of ranges, which are read here.
 *
 * Packages are asked first, as debuggers do.
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

/* Where the tree of a skeleton may be; borrowed. */
struct dwarf_split_places {
	const struct files *files;
	const struct files_dwp_owner *beside;
	struct dwarf_packages *packages; /* that were looked for there */
};

/* image: the debug information that the skeleton is in. False: its tree is nowhere. */
bool dwarf_split_open(struct dwarf_split *s, Dwarf_Die *skeleton, const struct dwarf_image *image,
	const struct dwarf_split_places *places);
void dwarf_split_close(struct dwarf_split *s);

/* The ranges that attribute DW_AT_ranges of die, in the .dwo, stands for. */
void dwarf_split_ranges(const struct dwarf_split *s, Dwarf_Die *die, struct dwarf_budget *b,
	dwarf_range_fn fn, void *ctx);

#endif
