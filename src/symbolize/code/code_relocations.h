/*
 * code_relocations.h - what the jumps and calls of a kernel module lead to
 *
 * A module is an object file: until the kernel has loaded it, the target of a call is zero, and a
 * relocation says what belongs there (gABI, "Relocation").
 *
 * Owns: its list; names are those of the file. Threads: one for each. Private to symbolize/code/.
 */
#ifndef PERFOLD_SYMBOLIZE_CODE_CODE_RELOCATIONS_H
#define PERFOLD_SYMBOLIZE_CODE_CODE_RELOCATIONS_H

#include "symbolize/elf/elf.h"

struct code_relocations {
	struct code_relocation {
		uint64_t address; /* of the bytes that are filled in */
		uint64_t target;  /* of a jump or call, if it is in the module; else 0 */
		struct span name; /* of the symbol, if it is not; else empty */
	} * at;                   /* by address */
	uint32_t n, cap;
};

/* Those of n bytes from an address on, in a file whose sections are at the places. Empty for a file
 * that is no object file. */
void code_relocations_read(struct code_relocations *r, const struct elf_file *ef,
	const struct elf_places *places, uint64_t address, uint64_t n);
void code_relocations_release(struct code_relocations *r);
/* The one in n bytes from an address on; NULL: none. */
const struct code_relocation *code_relocations_find(
	const struct code_relocations *r, uint64_t address, uint64_t n);

#endif
