/*
 * light.h - the part of an ELF file that is needed to name what ran, to unwind and disassemble it
 *
 * Kept are symbols, call frame information, notes, links to debug files, the stubs of the PLT with
 * their relocations, the functions that were sampled, and the code that was read to unwind. The
 * rest of what is loaded becomes SHT_NOBITS, as with objcopy --only-keep-debug, but nothing that is
 * loaded moves: recordings have offsets in the file, so headers stay true, and zeros in between
 * cost nothing once they are compressed. Sections that are not loaded are moved together after
 * them. A section more, without a name, has a note of owner "perfold" and type 1: offset and size
 * of each piece of code that stayed, in the order of offsets.
 *
 * Private to files/. Owns: a plan owns its pieces. Threads: any, one plan each. Source: elf(5).
 */
#ifndef PERFOLD_FILES_LIGHT_H
#define PERFOLD_FILES_LIGHT_H

#include "base/file.h"
#include "files/pack.h"

/* n bytes of the result at a place: from the file, or those in bytes. Bytes in no piece are zero;
 * if pieces overlap the later one counts. */
struct light_piece {
	uint64_t at, n;
	uint64_t from;     /* in the file */
	const char *bytes; /* NULL: from */
};

struct light {
	struct light_piece *piece;
	uint32_t n, cap;
	uint64_t size_bytes;
	struct buf head, sections; /* rewritten */
	struct buf note;           /* added */
};

#define LIGHT_NOTE_OWNER "perfold"
enum { LIGHT_NOTE_CODE = 1 };

/* debug: with debug information. code: n_code pieces of code that must stay. A plan without pieces:
 * the file stays as it is, as it is no ELF file, has no sections, has nothing else, or is damaged.
 * An error: it cannot be read. */
int light_plan(struct light *l, const struct file *f, bool debug, const struct pack_code *code,
	uint32_t n_code, struct err *e);
void light_release(struct light *l);
/* Bytes of the result, all within its size. */
int light_read(
	const struct light *l, const struct file *f, void *p, size_t n, uint64_t at, struct err *e);

#endif
