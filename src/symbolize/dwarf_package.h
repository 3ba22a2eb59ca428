/*
 * dwarf_package.h - a package of .dwo files, a .dwp (DWARF 5, 7.3.5; before it, GNU's: version 2)
 *
 * A package has each section of its .dwo files one behind the other, and .debug_cu_index, which
 * says by the id of a unit what part of each section is the unit's. Such parts are what the .dwo
 * was, but for its texts (dwarf_texts.h): from them the image of that .dwo is made, and no more of
 * the package is read. The index is a hash table; it is read whole and put in order, so that
 * nothing hangs on how it was filled.
 *
 * Sections that are packed, which no tool for packages writes, are unpacked once.
 *
 * Owns: the file, its index. Threads: one opens; then any.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_PACKAGE_H
#define PERFOLD_SYMBOLIZE_DWARF_PACKAGE_H

#include "symbolize/dwarf_image.h"

struct dwarf_package {
	struct elf_file *ef;
	struct dwarf_sections whole;
	char *unpacked[SECTIONS]; /* NULL: it is plain in the file */
	char *index;
	struct dwarf_package_unit {
		uint64_t id;
		uint32_t row;
	} * unit; /* in order of their ids */
	uint32_t n_units;
	uint32_t n_columns;
	uint32_t column[SECTIONS];      /* 0: none, else one more than its number */
	const uint8_t *offsets, *sizes; /* u32 [rows][columns] */
};

/* ef is taken over where it is a package. */
bool dwarf_package_open(struct dwarf_package *p, struct elf_file *ef);
void dwarf_package_close(struct dwarf_package *p);
/* The unit of the id, as though it were a .dwo of its own. version: of its skeleton. False where it
 * is not in the package, or is damaged. */
bool dwarf_package_read(const struct dwarf_package *p, uint64_t id, uint16_t version,
	const struct dwarf_borrowed *borrowed, struct dwarf_image *image);

#endif
