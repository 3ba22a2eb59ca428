/*
 * dynamic_symbol.h - where a function is that an ELF file exports
 *
 * Owns: nothing. Threads: one for each file. Private to unwind/.
 */
#ifndef PERFOLD_UNWIND_DYNAMIC_SYMBOL_H
#define PERFOLD_UNWIND_DYNAMIC_SYMBOL_H

#include "files/files.h"

/* The function of that name in .dynsym. False: there is none. */
bool dynamic_symbol_find(
	const struct elf_file *ef, const char *name, uint64_t *address, uint64_t *size_bytes);

#endif
