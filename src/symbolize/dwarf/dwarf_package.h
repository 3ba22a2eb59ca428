/*
 * dwarf_package.h - reads a package of .dwo files, a .dwp (DWARF 5, 7.3.5; before it GNU's version
 * 2)
 *
 * A package has the sections of all its .dwo files, joined. Its .debug_cu_index maps the id of a
 * unit to the unit's part of each section. These parts together are what the .dwo file was, except
 * for the strings (dwarf_texts.h), so an image of that .dwo is built from them; the rest of the
 * package is not read. The index is a hash table. It is read once and sorted, so a table that was
 * filled wrongly, or by another hash, cannot cause long searches.
 *
 * Compressed sections are unpacked when the package is opened. No tool writes such packages, but
 * objcopy can make them.
 *
 * Owns: the file and its index. Threads: one opens and closes; any may read in between.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_PACKAGE_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_PACKAGE_H

#include "symbolize/dwarf/dwarf_image.h"

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

/* Takes ef over if it is a package. */
bool dwarf_package_open(struct dwarf_package *p, struct elf_file *ef);
void dwarf_package_close(struct dwarf_package *p);
/* Builds the image of a unit as if it came from a .dwo file. version: of its skeleton. False if the
 * package does not have the unit, or it is damaged. */
bool dwarf_package_read(const struct dwarf_package *p, uint64_t id, uint16_t version,
	const struct dwarf_borrowed *borrowed, struct dwarf_image *image);

#endif
