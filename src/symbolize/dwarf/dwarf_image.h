/*
 * dwarf_image.h - the debug information of a file, unpacked, once for all threads
 *
 * libdw wants a handle for each thread, and each would read and inflate all sections again; some
 * forms of compression it does not know. So the sections that are needed are read into one piece
 * of memory that is an ELF file by itself, and any number of handles read that.
 *
 * Of a compiler .debug_info alone has 140 MB. Where it lies plain in a file, it may be read unit by
 * unit, when somebody asks for what is in that unit; until then there are zeros, but for the first
 * bytes of each unit, with its header and its root, which libdw wants of all.
 *
 * Owns: its bytes. Threads: read by any, by handles of their own; a unit is taken and dropped by
 * one of them.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_IMAGE_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_IMAGE_H

#include "symbolize/dwarf/dwarf_sections.h"
#include "symbolize/elf/elf.h"

#include <elfutils/libdw.h>

struct dwarf_image {
	char *bytes; /* NULL: none */
	size_t size_bytes;
	struct span section[SECTIONS]; /* inside bytes, or empty */
	bool mapped;                   /* bytes do not come from malloc() */
	bool by_unit;                  /* .debug_info is there as far as it was taken */
	int fd;                        /* the file it is taken from */
	uint64_t info_at;              /* where it is in that file */
};

/* So much of each unit is there, once dwarf_units_read() has been over them. */
enum { DWARF_ROOT_BYTES = 4096 };

/* The units of a .dwo count in tables of the file that names it, from where their skeleton says:
 * these tables, from there on. */
struct dwarf_borrowed {
	struct span addr, ranges;
};

enum dwarf_image_flags {
	DWARF_LINES = 1,   /* with the tables of lines, a sixth of the whole */
	DWARF_BY_UNIT = 2, /* units are taken before they are read */
};

/* dwo: NULL, or ef is a .dwo. False where nothing is there or a section lies about itself. */
bool dwarf_image_read(struct dwarf_image *image, const struct elf_file *ef,
	const struct dwarf_borrowed *dwo, unsigned flags);
/* The same of parts that were found by somebody else. */
bool dwarf_image_build(
	struct dwarf_image *image, const struct dwarf_sections *from, unsigned flags);
/* Of an object file (ET_REL), relocated; whole. */
bool dwarf_image_read_object(struct dwarf_image *image, const struct elf_file *ef,
	const struct elf_places *places, unsigned flags);
/* What a .dwo has not itself. */
void dwarf_image_borrow(struct dwarf_sections *to, const struct dwarf_borrowed *what);
void dwarf_image_release(struct dwarf_image *image);

/* .debug_info from an offset to another, or to its end. False where the file has no more of it. */
bool dwarf_image_load(const struct dwarf_image *image, uint64_t from, uint64_t until);
/* All of it: some units say what is in others. */
bool dwarf_image_load_all(struct dwarf_image *image);
/* Whole pages of what was taken are zeros again. */
void dwarf_image_drop(const struct dwarf_image *image, uint64_t from, uint64_t until);

/* A way to read an image, for one thread. */
struct dwarf_handle {
	Elf *elf;
	Dwarf *dwarf; /* NULL: not open */
};

bool dwarf_image_open_handle(struct dwarf_handle *h, const struct dwarf_image *image);
void dwarf_image_close_handle(struct dwarf_handle *h);

#endif
