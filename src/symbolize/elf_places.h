/*
 * elf_places.h - where the sections of a kernel module lay when it ran
 *
 * A module is an object file (ET_REL): its sections have no address before the kernel loads it, and
 * are not loaded side by side as they are in the file. Symbols and relocations say what they mean
 * from the start of a section.
 *
 * Owns: the list. Threads: one makes it, any read. Private to symbolize/.
 */
#ifndef PERFOLD_SYMBOLIZE_ELF_PLACES_H
#define PERFOLD_SYMBOLIZE_ELF_PLACES_H

#include "files/files.h"

struct elf_places {
	struct elf_place {
		uint64_t address;
		bool known;
		bool disputed; /* two have said it otherwise: not known */
	} * section;           /* by number */
	size_t n;
};

bool elf_is_object(const struct elf_file *ef);

/* No place is known. */
void elf_places_init(struct elf_places *p, const struct elf_file *ef);
/* Of a module that was loaded at start, as the kernel lays out its code (kernel/module/main.c,
 * layout_sections()): its sections of code, .init ones left out, in their order. */
void elf_places_lay_out(struct elf_places *p, const struct elf_file *ef, uint64_t start);
/* The section begins at the address, as somebody has found. */
void elf_places_say(struct elf_places *p, size_t section, uint64_t address);
/* False where it is not known. */
bool elf_places_get(const struct elf_places *p, size_t section, uint64_t *address);
bool elf_places_any(const struct elf_places *p);
void elf_places_release(struct elf_places *p);

#endif
