/*
 * dwarf_strings.h - copies the strings of one unit out of a table that many units share
 *
 * A unit of split DWARF refers to its strings through .debug_str_offsets (DWARF 5, 7.26; the older
 * GNU form has no header). In a package each unit has its own part of that section, but all share
 * one .debug_str, which may be larger than everything else. Only the strings that the unit refers
 * to are copied, and its offsets are rewritten to match. No byte is copied twice, so false offsets
 * cannot make the copy larger than the table.
 *
 * Owns: nothing. Threads: any. Private to symbolize/.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_STRINGS_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_STRINGS_H

#include "base/buf.h"
#include "base/span.h"
#include "files/files.h"

struct dwarf_strings {
	struct span all; /* n 0: they are in the file: */
	int fd;
	const struct files_origin *origin;
	uint64_t offset, size_bytes; /* there */
};

/* offsets: the unit's part of .debug_str_offsets, as in its file; it is rewritten. swapped: the
 * byte order of that file. version: of the unit. The strings are appended to to. False where the
 * table is damaged or cannot be read. */
bool dwarf_strings_gather(const struct dwarf_strings *from, struct buf *offsets, bool swapped,
	uint16_t version, struct buf *to);

#endif
