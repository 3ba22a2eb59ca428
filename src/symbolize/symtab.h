/*
 * symtab.h - which symbol covers an address
 *
 * Symbols are added in the order of their file, then put in order, then looked up. Addresses are
 * whatever the source says: offsets in the file for ELF files, addresses for the kernel.
 *
 * Rules, as in perf: a symbol of size zero reaches to the next one (the last: to the end of the
 * next page); of symbols with one start the best is kept; gaps between symbols belong to none.
 * perf extends first and chooses then, so that of several symbols of size zero the last wins
 * (seen in kallsyms: __pi_memset for memset). We choose first.
 *
 * Owns: symbols, texts made by symtab_text(), the held ELF files. Names are borrowed from these.
 * Threads: one at a time while it is built, then any number of readers.
 */
#ifndef PERFOLD_SYMBOLIZE_SYMTAB_H
#define PERFOLD_SYMBOLIZE_SYMTAB_H

#include "base/arena.h"
#include "files/files.h"

struct symbol {
	uint64_t start, end; /* [start, end) */
	struct span name;
	uint32_t order;      /* set by symtab_add() */
	uint8_t bind, type;  /* STB_*, STT_* */
	bool plt;            /* a stub that jumps to name */
};

struct symtab_range;

struct symtab {
	bool compat_perf;
	uint64_t shift; /* to be added to a recorded address, modulo 2^64 */
	struct symbol *sym;
	uint32_t n, cap;
	struct symtab_range *range;
	uint32_t n_ranges;
	struct arena texts;
	struct elf_file *held[4];
	uint32_t n_held;
};

enum { SYMTAB_NONE = UINT32_MAX, SYMTAB_MAX = 1u << 28 };

void symtab_add(struct symtab *t, const struct symbol *s);
/* A set of symbols is complete: .symtab is, before .dynsym comes. Matters under compat only. */
void symtab_settle(struct symtab *t);
/* No more symbols. */
void symtab_freeze(struct symtab *t);
/* The number of the symbol that covers the address, or SYMTAB_NONE. */
uint32_t symtab_find(const struct symtab *t, uint64_t address);
/* Keep the file as long as the table: symbols have names in it. NULL is fine. */
void symtab_hold(struct symtab *t, struct elf_file *ef);
void symtab_release(struct symtab *t);

#endif
