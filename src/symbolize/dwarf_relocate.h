/*
 * dwarf_relocate.h - the debug information of a kernel module, as if it had been linked
 *
 * In an object file (ET_REL) every offset into another section of debug information and every
 * address is left to the linker: it is zero, or a first summand, until its relocation is applied
 * (SHT_RELA, SHT_REL: gABI, "Relocation"). The kernel never does that, debuggers do. Only what
 * compilers put into debug information is known here: whole numbers of 4 and 8 bytes, each a symbol
 * and a summand. RISC-V has differences of symbols there: such files are not read.
 *
 * Sections whose place is not known begin at 0, where no code of a kernel is; those of debug
 * information do, too: an offset into them is what is wanted.
 *
 * Owns: nothing. Threads: one for each file. Private to symbolize/.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_RELOCATE_H
#define PERFOLD_SYMBOLIZE_DWARF_RELOCATE_H

#include "symbolize/dwarf_image.h"

/* image was built, whole, from s. False where a relocation is not known, or points outside. */
bool dwarf_relocate(
	struct dwarf_image *image, const struct dwarf_sections *s, const struct elf_places *places);

#endif
