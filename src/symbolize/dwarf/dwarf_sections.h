/*
 * dwarf_sections.h - finds the sections of debug information in a file, and unpacks them
 *
 * Sections are plain, SHF_COMPRESSED with zlib or zstd (gABI, "Section Compression"), or the older
 * ".zdebug_info" ("ZLIB", u64 size, data). A section that would reach beyond the file, or
 * unpack to more than is plausible, is refused before anything is allocated for it.
 *
 * Owns: nothing; the file is borrowed. Threads: one finds the sections; then any may read them,
 * unless the file is in memory. Private to symbolize/.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_SECTIONS_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_SECTIONS_H

#include "files/files.h"

enum dwarf_section {
	SECTION_INFO,
	SECTION_ABBREV,
	SECTION_STR,
	SECTION_STR_OFFSETS,
	SECTION_ADDR,
	SECTION_RANGES,
	SECTION_RNGLISTS,
	SECTION_LINE,
	SECTION_LINE_STR,
	SECTIONS
};

enum { DWARF_SECTION_NAME_BYTES = 32 }; /* room for ".debug_str_offsets" and its end */

/* "debug_info", ... */
const char *dwarf_sections_name(enum dwarf_section k);

enum dwarf_packing { PACKED_NOT, PACKED_ZLIB, PACKED_ZSTD };

/* A section, or a part of one: where it is, and how it is packed. */
struct dwarf_part {
	Elf_Scn *section;     /* NULL: not there, or borrowed */
	struct span borrowed; /* n 0: it is in the file */
	enum dwarf_packing packing;
	uint64_t offset, packed_bytes; /* in the file, with header of compression; without it */
	uint64_t header_bytes;
	uint64_t size_bytes; /* unpacked */
};

struct dwarf_sections {
	const struct elf_file *ef;
	uint16_t machine;
	uint8_t encoding; /* ELFDATA2LSB, ELFDATA2MSB */
	bool swapped;     /* not the byte order of this machine */
	bool wide;        /* ELFCLASS64 */
	struct dwarf_part part[SECTIONS];
};

/* dwo: sections are called ".debug_info.dwo" etc. lines: also .debug_line. False where there is no
 * debug information, or a section is damaged. */
bool dwarf_sections_find(struct dwarf_sections *s, const struct elf_file *ef, bool dwo, bool lines);
/* A section that is not in part[], as "debug_cu_index". False where it is missing or damaged. */
bool dwarf_sections_find_other(
	const struct dwarf_sections *s, const char *name, struct dwarf_part *p);

/* Reads its p->size_bytes. False where the file ends before, or it does not unpack to that size. */
bool dwarf_sections_read_part(const struct dwarf_sections *s, const struct dwarf_part *p, char *to);
#endif
