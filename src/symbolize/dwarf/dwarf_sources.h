/*
 * dwarf_sources.h - the line tables of the units that are being read, and what they say about files
 *
 * Units repeat the names of files, so a file is noted once for each unit, with its MD5.
 *
 * Owns: its tables. Threads: one for each. Private to symbolize/.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_SOURCES_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_SOURCES_H

#include "base/index.h"
#include "symbolize/dwarf/dwarf_line_table.h"

/* Tables by unit. Zeroed: empty. */
struct dwarf_sources {
	struct dwarf_line_table **table; /* n of n_made that are open */
	uint32_t n, n_made, cap;
	struct index by_unit;
};

/* That of a unit of an image, or of a .dwo (split). Never NULL; without a table it has no files. */
struct dwarf_line_table *dwarf_sources_table(
	struct dwarf_sources *s, const struct dwarf_image *image, Dwarf_CU *unit, bool split);
/* Frees rows: those of a unit are not needed for others. */
void dwarf_sources_drop_lines(struct dwarf_sources *s);
/* Forgets all, before handles of units are closed; memory is kept for the next tables. */
void dwarf_sources_clear(struct dwarf_sources *s);
void dwarf_sources_release(struct dwarf_sources *s);

/* A file of a line table. */
struct dwarf_source {
	struct dwarf_line_table *table; /* NULL: not known */
	uint64_t number;
};

/* Adds what is known of it to to, once for each unit. claim: its file, and what the program says.
 */
void dwarf_sources_note(
	struct source_files *to, struct source_claim claim, const struct dwarf_source *source);

#endif
