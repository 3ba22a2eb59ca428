/*
 * elf.h - segments, sections and symbols of ELF files (elf(5))
 *
 * Addresses of symbols become offsets in the runtime file, which is what recordings of files
 * hold: offset = st_value - p_vaddr + p_offset of the PT_LOAD that holds it, each segment for
 * itself (lld and mold give each another difference).
 *
 * Files are hostile: any header may be wrong. libelf checks sizes against the file; what it does
 * not check (indices, names, sums) is checked here, and what does not fit is left out.
 *
 * Private to symbolize/. Threads: one for each file.
 */
#ifndef PERFOLD_SYMBOLIZE_ELF_ELF_H
#define PERFOLD_SYMBOLIZE_ELF_ELF_H

#include "symbolize/elf/elf_functions.h"
#include "symbolize/elf/elf_places.h"
#include "symbolize/elf/elf_wanted.h"
#include "symbolize/symtab/symtab.h"

bool elf_is_object(const struct elf_file *ef);

/* Add the symbols of ef's section of type sh_type (SHT_SYMTAB or SHT_DYNSYM). runtime is the file
 * that ran, or ef itself; sections without content in ef (a debug file) are looked up there. asked:
 * what offsets of the file will be looked up, NULL where that is not known; where it is, this has
 * to be the only table but for the stubs. */
void elf_symbols_add(struct symtab *t, const struct elf_file *ef, const struct elf_file *runtime,
	uint32_t sh_type, struct elf_wanted *wanted);
/* Add the symbols of .symtab under their addresses: for a kernel, which is recorded by address. */
void elf_addresses_add(struct symtab *t, const struct elf_file *ef);
/* Add the symbols of a kernel module, except in sections whose address is not known. */
void elf_module_symbols_add(
	struct symtab *t, const struct elf_file *ef, const struct elf_places *places);
/* Add "name@plt" for the stubs of the procedure linkage table; a hole where ef is a file of debug
 * information, which says where they are and no more. */
void elf_plt_add(struct symtab *t, const struct elf_file *ef);

/* Can stubs change the answer for a wanted address? False only where symbols of t are around the
 * stubs, and the addresses are sorted. */
bool elf_plt_matters(
	const struct symtab *t, const struct elf_file *runtime, const struct elf_wanted *wanted);

#endif
