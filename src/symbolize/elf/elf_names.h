/*
 * elf_names.h - names of a few symbols, out of a large table of texts
 *
 * The texts of a program with C++ take 10 MB and more, of which a recording asks for some hundred
 * KB: no more than a page around each is read. Who asks for many does so in the order in which they
 * lie, and neighbours are read together. Of small tables, and of files in memory, libelf has the
 * texts.
 *
 * Owns: the page that was read last; names lie in the arena, or in what libelf has read. Threads:
 * one for each file. Private to symbolize/.
 */
#ifndef PERFOLD_SYMBOLIZE_ELF_ELF_NAMES_H
#define PERFOLD_SYMBOLIZE_ELF_ELF_NAMES_H

#include "base/arena.h"
#include "files/files.h"

struct elf_names {
	const struct elf_file *ef; /* borrowed */
	size_t section;
	uint64_t offset, size_bytes; /* of the texts in the file; size 0: libelf reads them: */
	struct span all;             /* as they lie there; empty: each is asked for */
	bool all_asked;
	struct arena *arena; /* borrowed */
	char *page;
	uint64_t page_at; /* in the section */
	size_t page_bytes;
};

/* few: hardly any of the names will be asked for. */
void elf_names_open(struct elf_names *names, const struct elf_file *ef, size_t section, bool few,
	struct arena *arena);
/* The text at an offset of the section; empty where it is not in it whole. */
struct span elf_names_get(struct elf_names *names, uint64_t at);
void elf_names_close(struct elf_names *names);

#endif
