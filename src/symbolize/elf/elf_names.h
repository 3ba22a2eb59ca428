/*
 * elf_names.h - names of a few symbols, out of a large string table
 *
 * The string table of a C++ program has 10 MB and more; a recording needs some hundred KB of it. So
 * only the page at each name is read. Callers ask in the order of the table, so that neighbours
 * share a page. Small tables, and those of files in memory, are read whole by libelf.
 *
 * Linkers let a name be the end of another one, but no table has several times its size in names.
 * A stranger's may: 20,000 names that begin one byte apart in a megabyte are 20 GB.
 *
 * Owns: the page that was read last; names are in the arena, or in what libelf has read. Threads:
 * one for each file. Private to symbolize/.
 */
#ifndef PERFOLD_SYMBOLIZE_ELF_ELF_NAMES_H
#define PERFOLD_SYMBOLIZE_ELF_ELF_NAMES_H

#include "base/arena.h"
#include "files/files.h"

struct elf_names {
	const struct elf_file *ef; /* borrowed */
	size_t section;
	uint64_t offset, size_bytes; /* of the table in the file; size 0: libelf reads it whole: */
	struct span all;             /* the table, if all_read; else elf_strptr() for each */
	bool all_asked, all_read;
	uint64_t bytes_left; /* that the names may have in all; 0: all others are empty */
	struct arena *arena; /* borrowed */
	char *page;
	uint64_t page_at; /* in the section */
	size_t page_bytes;
};

/* few: hardly any of the names will be asked for. */
void elf_names_open(struct elf_names *names, const struct elf_file *ef, size_t section, bool few,
	struct arena *arena);
/* The string at an offset of the section; empty where it has no end in it, is longer than any name,
 * or the names so far have several times the size of the table. */
struct span elf_names_get(struct elf_names *names, uint64_t at);
void elf_names_close(struct elf_names *names);

#endif
