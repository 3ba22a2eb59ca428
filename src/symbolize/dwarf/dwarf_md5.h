/*
 * dwarf_md5.h - the MD5s of source files in line tables
 *
 * From version 5 on, a line table may have the MD5 of each of its files, which libdw 0.188 does not
 * give out: so its header is read here once more.
 *
 * Owns: nothing. Threads: any. Private to symbolize/.
 * Source: DWARF 5, 6.2.4 (the line number program header).
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_MD5_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_MD5_H

#include "base/span.h"
#include "model/source_files.h"

/* Those of the first n files of the line table that begins at offset, in the section; md5[i] stays
 * as it is where there is none. */
void dwarf_md5_read(struct span debug_line, uint64_t offset, bool swapped,
	const struct source_md5 **md5, uint32_t n);

#endif
