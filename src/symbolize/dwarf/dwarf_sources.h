/*
 * dwarf_sources.h - what line tables say about the source files that sites have lines in
 *
 * Units repeat the names of files, so a file is noted once for each unit, with its MD5
 * (dwarf_md5.h).
 *
 * Owns: its tables. Threads: one for each Dwarf handle. Private to symbolize/.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_SOURCES_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_SOURCES_H

#include "model/source_files.h"
#include "symbolize/dwarf/dwarf_image.h"

/* The line table of a unit. */
struct dwarf_line_table {
	const Dwarf_Files *files; /* of libdw */
	uint32_t n;
	const struct source_md5 **md5; /* n of them, in the image; NULL: it has none */
	bool *noted;                   /* n of them */
};

/* Those of a skeleton and its .dwo. Zeroed: empty. */
struct dwarf_sources {
	struct dwarf_line_table table[2];
	unsigned n_tables;
};

/* A file of a line table. */
struct dwarf_source {
	Dwarf_Die *unit; /* that has the table */
	const struct dwarf_image *image;
	Dwarf_Files *files; /* NULL: not known */
	size_t number;
};

/* Adds what is known of it to to, once for each unit. claim: its file, and what the program says.
 */
void dwarf_sources_note(struct dwarf_sources *s, struct source_files *to, struct source_claim claim,
	const struct dwarf_source *source);
/* Forgets all, before another unit is read. */
void dwarf_sources_clear(struct dwarf_sources *s);

#endif
