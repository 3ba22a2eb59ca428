/*
 * dwarf_image.h - the debug information of a file, unpacked, once for all threads
 *
 * libdw wants a handle for each thread, and each would read and inflate all sections again; some
 * forms of compression it does not know. So the sections that are needed are read into one piece
 * of memory that is an ELF file by itself, and any number of handles read that.
 *
 * The .debug_info of a compiler has 140 MB. If it is not compressed, it may be loaded by unit, when
 * somebody needs that unit. Until then there are zeros, except in the first bytes of each unit,
 * with its header and root, which libdw reads of all units. Of a .debug_line that is not compressed
 * either, a table is read by who needs it, into memory of its own.
 *
 * Owns: its bytes. Threads: read by any, with handles of their own; a unit is loaded and dropped by
 * one of them.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_IMAGE_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_IMAGE_H

#include "symbolize/dwarf/dwarf_line_header.h"
#include "symbolize/dwarf/dwarf_sections.h"
#include "symbolize/elf/elf.h"

#include <elfutils/libdw.h>

struct dwarf_image {
	char *bytes; /* NULL: none */
	size_t size_bytes;
	struct span section[SECTIONS]; /* inside bytes, or empty */
	bool mapped;                   /* bytes do not come from malloc() */
	bool by_unit;                  /* .debug_info is there as far as it was loaded */
	bool lines_by_unit;            /* .debug_line is zeros */
	int fd;                        /* the file they are loaded from */
	const struct files_origin *origin;
	uint64_t info_at, line_at, str_at; /* where they are in that file */
	struct span strings_left;          /* .debug_str, whose pages were given back */
};

/* What dwarf_units_read() has loaded of each unit. */
enum { DWARF_ROOT_BYTES = 4096 };

/* Tables of the program that a .dwo refers to, from where its skeleton says. */
struct dwarf_borrowed {
	struct span addr, ranges;
};

enum dwarf_image_flags {
	DWARF_LINES = 1,      /* with the tables of lines, a sixth of the whole */
	DWARF_BY_UNIT = 2,    /* units are loaded before they are read */
	DWARF_ONLY_LINES = 4, /* in a store: of dwarf_image_keep_lines() */
};

/* dwo: NULL, or ef is a .dwo. False where there is nothing, or a section is damaged. */
bool dwarf_image_read(struct dwarf_image *image, const struct elf_file *ef,
	const struct dwarf_borrowed *dwo, unsigned flags);
/* The same from sections that were found already. */
bool dwarf_image_build(
	struct dwarf_image *image, const struct dwarf_sections *from, unsigned flags);
/* The same of an object file (ET_REL), relocated and whole. */
bool dwarf_image_read_object(struct dwarf_image *image, const struct elf_file *ef,
	const struct elf_places *places, unsigned flags);
/* Adds the sections that a .dwo does not have itself. */
void dwarf_image_borrow(struct dwarf_sections *to, const struct dwarf_borrowed *what);
void dwarf_image_release(struct dwarf_image *image);

/* Is its byte order not that of this machine? */
bool dwarf_image_is_swapped(const struct dwarf_image *image);
/* Is a section not there as a whole: units, or tables, are read when they are needed? */
bool dwarf_image_is_loaded_later(const struct dwarf_image *image, int section);

/* Loads .debug_info from an offset to another, or to its end. False where the file ends before. */
bool dwarf_image_load(const struct dwarf_image *image, uint64_t from, uint64_t until);
/* Loads all of it, if units refer to others, and their line tables. */
bool dwarf_image_load_all(struct dwarf_image *image);
/* Loads .debug_line, for libdw. */
bool dwarf_image_load_lines(struct dwarf_image *image);
/* Memory that one table after the other is read into. Zeroed: none yet. */
struct dwarf_room {
	char *p;
	size_t size_bytes;
};

void dwarf_image_release_room(struct dwarf_room *room);
/* The line table at an offset of .debug_line, in to until that is used again. Empty where the file
 * ends before. Of a large one the header alone; pieces then says where its program is. */
struct span dwarf_image_read_table(const struct dwarf_image *image, uint64_t offset,
	struct dwarf_room *to, struct dwarf_line_pieces *pieces);
/* Makes whole pages of what was loaded zeros again. */
void dwarf_image_drop(const struct dwarf_image *image, uint64_t from, uint64_t until);

/* Gives back the memory of all but tables of lines, after which no handle may read it. strings:
 * .debug_str stays, too; it does in any case where it could not be loaded again. */
void dwarf_image_keep_lines(struct dwarf_image *image, bool strings);
/* Loads .debug_str again. False where it was not given back, or cannot be read. */
bool dwarf_image_load_strings(struct dwarf_image *image);

/* A way to read an image, for one thread. */
struct dwarf_handle {
	Elf *elf;
	Dwarf *dwarf; /* NULL: not open */
};

bool dwarf_image_open_handle(struct dwarf_handle *h, const struct dwarf_image *image);
void dwarf_image_close_handle(struct dwarf_handle *h);

#endif
