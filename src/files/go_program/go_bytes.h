/*
 * go_bytes.h - bytes of a Go program, read from its file when they are needed
 *
 * The table of functions of a large program has 50 MB, of which a recording needs a few hundred
 * functions.
 *
 * Owns: the memory. Threads: one at a time.
 */
#ifndef PERFOLD_FILES_GO_PROGRAM_GO_BYTES_H
#define PERFOLD_FILES_GO_PROGRAM_GO_BYTES_H

#include "files/files.h"

/* A zeroed one has no bytes. */
struct go_bytes {
	struct span all;             /* zeros where nothing was read yet */
	const struct elf_file *file; /* borrowed */
	uint64_t offset;
	uint8_t *has_block; /* NULL: all bytes are there, and belong to the ELF file */
};

enum { GO_BYTES_BLOCK = 16 << 10 };

/* n bytes of the file at offset. False if it has less. */
bool go_bytes_open(struct go_bytes *b, const struct elf_file *ef, uint64_t offset, uint64_t n);
void go_bytes_release(struct go_bytes *b);
/* Reads the blocks from one offset to another, of b->all. */
void go_bytes_read(struct go_bytes *b, size_t from, size_t until);

/* Says that n bytes are needed, if p is one of b's; they must end where b does. */
static inline void go_bytes_need(struct go_bytes *b, const void *p, size_t n)
{
	size_t from = (uintptr_t)p - (uintptr_t)b->all.p, until = from + n;

	if (b->has_block && n && from < b->all.n &&
		!(b->has_block[from / GO_BYTES_BLOCK] &&
			b->has_block[(until - 1) / GO_BYTES_BLOCK]))
		go_bytes_read(b, from, until);
}

#endif
