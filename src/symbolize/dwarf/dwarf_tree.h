/*
 * dwarf_tree.h - the entries of a unit's tree (DIEs), one after the other, in the order of the file
 *
 * To get from an entry to its sibling, libdw reads the attributes of all entries between them, one
 * by one. Here the abbreviations of a unit are read once, as lists of what to skip: most attributes
 * have a fixed size, and neighbours of these are one step (DWARF 5, 7.5). An entry has its offset
 * and what the walk needs; libdw reads everything else.
 *
 * Damage ends the tree: nothing outside the unit is read, and no byte twice.
 *
 * Owns: the table of abbreviations. Threads: one.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_TREE_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_TREE_H

#include "symbolize/dwarf/dwarf_abbrev.h"
#include "symbolize/dwarf/dwarf_line_table.h"
#include "symbolize/dwarf/dwarf_range.h"
#include "symbolize/dwarf/dwarf_walk.h"

struct dwarf_entry {
	uint64_t offset;  /* in its unit */
	uint64_t sibling; /* the same of the next one that is no child; 0: it does not say */
	uint64_t low, size_bytes;
	uint64_t list;
	uint16_t tag; /* 0: the end of a list of children */
	bool has_children;
	bool has_low; /* low is a plain address; in a root: no list needs .debug_addr either */
	uint8_t code;
};

struct dwarf_tree {
	const uint8_t *unit; /* its header */
	struct cursor rest;  /* after the last entry that was read */
	struct dwarf_abbrev abbrev;
};

/* Opens the unit whose header is at offset in the image's .debug_info; the next entry is its root.
 * False where it cannot be read. */
bool dwarf_tree_open(struct dwarf_tree *t, const struct dwarf_image *image, uint64_t offset,
	struct dwarf_budget *b);

struct dwarf_root {
	struct dwarf_entry entry;
	struct dwarf_unit_lines lines; /* of an image with .debug_line */
	bool is_there;                 /* whole, and not damaged */
	uint64_t next;                 /* offset of the next unit */
};

/* The same, for the root alone: nothing else can be read then. t may have been open on another
 * unit: its memory is used again. */
bool dwarf_tree_open_root(struct dwarf_tree *t, const struct dwarf_image *image, uint64_t offset,
	struct dwarf_root *root, struct dwarf_budget *b);
/* True where no entry of the unit at offset can refer to one of another unit. */
bool dwarf_tree_stays_inside(
	const struct dwarf_image *image, uint64_t offset, struct dwarf_budget *b);
void dwarf_tree_close(struct dwarf_tree *t);
/* The next entry: a child of the last one, if that has children. False after the last entry. */
bool dwarf_tree_next(struct dwarf_tree *t, struct dwarf_entry *e);
/* The next one in this list of children that has one of these roles; others are skipped, with their
 * children. False at the end of the list. */
bool dwarf_tree_find(struct dwarf_tree *t, unsigned roles, struct dwarf_entry *e);
/* Skips the children of e, the entry that was read last. */
void dwarf_tree_skip(struct dwarf_tree *t, const struct dwarf_entry *e);
/* The list of e's ranges. base: the low of the unit's root. */
struct dwarf_range_list dwarf_tree_list(const struct dwarf_tree *t, const struct dwarf_image *image,
	const struct dwarf_entry *e, uint64_t base);

/* dwarf_tree_open(), after which the root is read; false, too, where the root has no children. */
static inline bool dwarf_tree_open_unit(struct dwarf_tree *t, const struct dwarf_image *image,
	uint64_t offset, struct dwarf_entry *root, struct dwarf_budget *b)
{
	return dwarf_tree_open(t, image, offset, b) && dwarf_tree_next(t, root) &&
	       root->has_children;
}

/* dwarf_offdie() would search its tree of units and read the abbreviation for each entry of a walk.
 * A Dwarf_Die is where the DIE is in memory and its unit, which is public in libdw.h; libdw fills
 * in abbrev when it needs it. Checked with elfutils 0.188; dwarf_tree_test.c compares it with
 * dwarf_offdie() for all entries of the test programs.
 *
 * The libdw DIE of an entry of the unit that known, at known_offset, is of; offsets count from the
 * unit's header. */
static inline Dwarf_Die dwarf_tree_die_at(
	const Dwarf_Die *known, uint64_t known_offset, uint64_t offset)
{
	/* The entry may come before that one: a signed distance. */
	return (Dwarf_Die){ .addr = (char *)known->addr + (int64_t)(offset - known_offset),
		.cu = known->cu };
}

#endif
