/*
 * elf_layout.h - which part of an ELF file was loaded at which address
 *
 * A separate debug file made by objcopy --only-keep-debug has segments without content, whose
 * offsets mean nothing. If only such a file is here, offsets follow from addresses for GNU ld,
 * which keeps the distance between segments, and from nothing for lld and mold.
 *
 * Owns: nothing. Threads: any. Source: elf(5).
 */
#ifndef PERFOLD_FILES_ELF_LAYOUT_H
#define PERFOLD_FILES_ELF_LAYOUT_H

#include "model/modules.h"

struct elf_file;

enum { ELF_SEGMENTS_MAX = 64 };

/* The loaded segments of the runtime file. */
struct elf_layout {
	struct elf_segment {
		uint64_t address, offset, size_bytes;
		bool executable;
	} segment[ELF_SEGMENTS_MAX];
	uint32_t n;
};

/* False where ef is a separate debug file whose segments do not say where they are in the runtime
 * file. */
bool elf_layout_read(struct elf_layout *l, const struct elf_file *ef);
/* Those with code, as struct module has them; returns how many. */
uint32_t elf_layout_code(
	const struct elf_layout *l, struct module_segment segments[ELF_SEGMENTS_MAX]);
/* False where no segment holds the address. */
bool elf_layout_offset(const struct elf_layout *l, uint64_t address, uint64_t *offset);
bool elf_layout_address(const struct elf_layout *l, uint64_t offset, uint64_t *address);

#endif
