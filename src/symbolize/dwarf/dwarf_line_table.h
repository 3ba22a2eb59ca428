/*
 * dwarf_line_table.h - the line table of a unit: paths of its files, and lines of its code
 *
 * The header is read at once, rows when an address is first looked up. A path is as the compiler
 * had it: absolute if the table or the unit says below which directory it is.
 *
 * Owns: its files and rows; what they point to is in the image, or its own where the image has no
 * tables. Threads: one for each. Private to symbolize/.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_LINE_TABLE_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_LINE_TABLE_H

#include "base/strtab.h"
#include "symbolize/dwarf/dwarf_image.h"
#include "symbolize/dwarf/dwarf_lines.h"

/* Where a unit's table is, as its root says, and below which directory its files are. */
struct dwarf_unit_lines {
	bool is_plain; /* else libdw has to say it */
	bool has_table;
	uint64_t table;        /* offset in .debug_line */
	const char *directory; /* in .debug_str or .debug_line_str of the image; NULL: none */
};

struct dwarf_line_table {
	Dwarf_CU *unit;
	const char *directory; /* DW_AT_comp_dir of the unit; NULL: it has none */
	struct dwarf_room own; /* what header is in, where the image has no tables */
	struct dwarf_line_header header;
	struct dwarf_lines lines;
	bool has_lines;                     /* they were read */
	const struct dwarf_line_part *part; /* that lines_of_part are of; NULL: of none yet */
	struct dwarf_lines lines_of_part;
};

/* Reads the header; false where the unit has no table. t: zeroed, or closed. */
bool dwarf_line_table_open(
	struct dwarf_line_table *t, const struct dwarf_image *image, Dwarf_CU *unit);
/* The same without libdw, where that is plain, of an image that may hold no more than lines. */
bool dwarf_line_table_open_plain(struct dwarf_line_table *t, struct dwarf_image *image,
	const struct dwarf_unit_lines *lines);
/* The same of a .dwo, whose only table is at the beginning of the section. */
bool dwarf_line_table_open_split(
	struct dwarf_line_table *t, const struct dwarf_image *image, Dwarf_CU *unit);
/* Keeps memory for the next table that is opened in t. */
void dwarf_line_table_close(struct dwarf_line_table *t);
void dwarf_line_table_release(struct dwarf_line_table *t);
/* Frees rows. */
void dwarf_line_table_drop_lines(struct dwarf_line_table *t);
/* NULL: the table does not have the address. wanted: all addresses that are looked up until lines
 * are dropped; NULL: any may be. */
const struct dwarf_line_row *dwarf_line_table_find(
	struct dwarf_line_table *t, uint64_t address, const struct dwarf_lines_wanted *wanted);
/* The same of any address, of which most are in parts of the table that were noted before: one of
 * these is read at a time. */
const struct dwarf_line_row *dwarf_line_table_find_by_part(
	struct dwarf_line_table *t, uint64_t address, const struct dwarf_line_parts *parts);
/* The path of a file; 0: there is none of that number. */
str_id dwarf_line_table_path(struct dwarf_line_table *t, uint64_t number, struct strtab *strings);

#endif
