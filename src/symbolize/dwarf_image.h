/*
 * dwarf_image.h - the debug information of a file, unpacked, once for all threads
 *
 * libdw wants a handle for each thread, and each would read and inflate all sections again; some
 * forms of compression it does not know. So the sections that are needed are read into one piece
 * of memory that is an ELF file by itself, and any number of handles read that.
 *
 * Sections come plain, as SHF_COMPRESSED with zlib or zstd (gABI, "Section Compression"), or as the
 * older ".zdebug_info" ("ZLIB", u64 size, data).
 *
 * Owns: its bytes. Threads: read by any, by handles of their own.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_IMAGE_H
#define PERFOLD_SYMBOLIZE_DWARF_IMAGE_H

#include "files/files.h"

#include <elfutils/libdw.h>

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

struct dwarf_image {
	char *bytes; /* NULL: none */
	size_t size_bytes;
	struct span section[SECTIONS]; /* inside bytes, or empty */
};

/* The units of a .dwo count in tables of the file that names it, from where their skeleton says:
 * these tables, from there on. */
struct dwarf_borrowed {
	struct span addr, ranges;
};

/* dwo: NULL, or ef is a .dwo. lines: with the tables of lines, a sixth of the whole. False where
 * nothing is there or a section lies about itself. */
bool dwarf_image_read(struct dwarf_image *image, const struct elf_file *ef,
	const struct dwarf_borrowed *dwo, bool lines);
void dwarf_image_release(struct dwarf_image *image);

/* A way to read an image, for one thread. */
struct dwarf_handle {
	Elf *elf;
	Dwarf *dwarf; /* NULL: not open */
};

bool dwarf_handle_open(struct dwarf_handle *h, const struct dwarf_image *image);
void dwarf_handle_close(struct dwarf_handle *h);

#endif
