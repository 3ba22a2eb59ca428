/*
 * dwarf_texts.h - the texts of one unit, out of a table that many have in common
 *
 * A unit of split DWARF names its texts by numbers of .debug_str_offsets (DWARF 5, 7.26; before it,
 * GNU's, which has no header). In a package that section has a part for each unit, but .debug_str
 * is one for all, and may be larger than all else. So what the unit names is put together here, and
 * its offsets are written anew. No text is there twice: offsets that lie cannot make it larger than
 * the table is.
 *
 * Owns: nothing. Threads: any. Private to symbolize/.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_TEXTS_H
#define PERFOLD_SYMBOLIZE_DWARF_TEXTS_H

#include "base/buf.h"
#include "base/span.h"

struct dwarf_texts {
	struct span all; /* n 0: they are in the file: */
	int fd;
	uint64_t offset, size_bytes; /* there */
};

/* offsets: what the unit has of .debug_str_offsets, as it lies in its file; is changed. swapped: as
 * that file is. version: of the unit. The texts are put behind what is in to. False where the table
 * is damaged, or cannot be read. */
bool dwarf_texts_gather(const struct dwarf_texts *from, struct buf *offsets, bool swapped,
	uint16_t version, struct buf *to);

#endif
