/*
 * elf_functions.h - where functions begin and end, by call frame information
 *
 * Programs keep .eh_frame when they are stripped, because exceptions need it: one FDE for the code
 * of each function. .eh_frame_hdr has their starts in a sorted table, so a look-up is a bisection
 * and reads one FDE.
 *
 * Owns: nothing. Borrows: the ELF file, and memory that lives as long. Threads: one for each file.
 * Source: Linux Standard Base Core, 10.6.2 (".eh_frame_hdr").
 */
#ifndef PERFOLD_SYMBOLIZE_ELF_ELF_FUNCTIONS_H
#define PERFOLD_SYMBOLIZE_ELF_ELF_FUNCTIONS_H

#include "base/frame_entry.h"
#include "files/files.h"

/* Zeroed: a file without such a table. */
struct elf_functions {
	const struct elf_file *file;
	struct elf_layout layout;
	bool loaded;   /* what follows was read */
	uint64_t base; /* address of .eh_frame_hdr */
	struct span
		table; /* pairs of words: first address, address of the FDE, both from base on */
	struct frame_section frames; /* from .eh_frame to the end of its segment */
};

/* The table is read when it is first needed. */
void elf_functions_open(struct elf_functions *f, const struct elf_file *ef);
/* The code around an offset in the file, by address. False if no FDE covers it. */
bool elf_functions_find(struct elf_functions *f, uint64_t offset, struct frame_fde *code);
/* The offset at which code that begins at this one ends at the latest: at the end of its FDE or, if
 * it has none, at the start of the next one. UINT64_MAX: not known. */
uint64_t elf_functions_end(struct elf_functions *f, uint64_t offset);
/* Is the code at the offset what a signal handler returns to (sigreturn(2))? */
bool elf_functions_is_signal_return(const struct elf_functions *f, uint64_t offset);
/* Can a call end at the offset? True also where that is not known. */
bool elf_functions_may_follow_call(const struct elf_functions *f, uint64_t offset);

#endif
