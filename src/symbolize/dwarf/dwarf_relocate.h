/*
 * dwarf_relocate.h - relocates the debug information of a kernel module
 *
 * A module is an object file (ET_REL). In its debug information, every address and every offset
 * into another section is zero, or an addend, until its relocation is applied (SHT_RELA, SHT_REL:
 * gABI, "Relocation"). Debuggers do that; the kernel does not. Compilers use only plain numbers of
 * 4 and 8 bytes there, symbol plus addend, and only these are supported. RISC-V also uses
 * differences of symbols; its files are refused.
 *
 * A section whose address is not known is placed at 0, where no kernel code is. So are the
 * sections of debug information: offsets into them count from their start.
 *
 * Owns: nothing. Threads: one for each file. Private to symbolize/.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_RELOCATE_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_RELOCATE_H

#include "symbolize/dwarf/dwarf_image.h"

/* image was built, whole, from s. False where a relocation is not known, or points outside. */
bool dwarf_relocate(
	struct dwarf_image *image, const struct dwarf_sections *s, const struct elf_places *places);

#endif
