/*
 * elf_places.h - the addresses at which the sections of a kernel module were loaded
 *
 * A module is an object file (ET_REL). Its sections have no addresses until the kernel loads it,
 * and memory has them in another order than the file. Symbols and relocations count from the start
 * of a section.
 *
 * Owns: the list. Threads: one fills it, then any may read. Private to symbolize/.
 */
#ifndef PERFOLD_SYMBOLIZE_ELF_ELF_PLACES_H
#define PERFOLD_SYMBOLIZE_ELF_ELF_PLACES_H

#include "files/files.h"

struct elf_places {
	struct elf_place {
		uint64_t address;
		bool known;
		bool disputed; /* two addresses were set: not known */
	} * section;           /* by number */
	size_t n;
};

/* With no address known. */
void elf_places_init(struct elf_places *p, const struct elf_file *ef);
/* For a module that was loaded at start: its sections of code in their order, without .init ones,
 * as the kernel lays them out (kernel/module/main.c, layout_sections()). */
void elf_places_lay_out(struct elf_places *p, const struct elf_file *ef, uint64_t start);
/* The section begins at the address. A second, different address makes it unknown for good. */
void elf_places_set(struct elf_places *p, size_t section, uint64_t address);
/* False where it is not known. */
bool elf_places_get(const struct elf_places *p, size_t section, uint64_t *address);
bool elf_places_any(const struct elf_places *p);
void elf_places_release(struct elf_places *p);

#endif
