/*
 * symtab.h - which symbol covers an address
 *
 * Symbols are added in the order of their file, then sorted, then looked up. Addresses are whatever
 * the source says: offsets in the file for ELF files, addresses for the kernel.
 *
 *  - Of symbols with the same start, the best is kept, by perf's rules: with a size rather than
 *    without, not weak, global, fewer leading underscores, the longer name.
 *    If names are there that have nothing to do with each other, the linker or the compiler has
 *    merged functions with equal code, and only debug information knows which one it was.
 *  - A symbol of size zero reaches to the next one, but not beyond its limit; where that is not
 *    known, the last reaches to the end of the next page. Inside a function of known size it is a
 *    label and left out.
 *  - Gaps between symbols belong to none.
 *  - Of symbols that overlap the one that starts last is the innermost, and wins.
 *
 * What perf 6.1 does instead is in model/perf_tree.h.
 *
 * Owns: symbols, names of its arena, the held ELF files. Other names are borrowed from these.
 * Threads: one at a time while it is built, then any number of readers.
 */
#ifndef PERFOLD_SYMBOLIZE_SYMTAB_SYMTAB_H
#define PERFOLD_SYMBOLIZE_SYMTAB_SYMTAB_H

#include "base/arena.h"
#include "files/files.h"
#include "symbolize/demangle/demangle.h"

struct symbol {
	uint64_t start, end; /* [start, end); end == start: its size is not known */
	uint64_t limit;      /* without a size, it ends here at the latest; 0: not known */
	struct span name;
	uint32_t order;     /* set by symtab_add() */
	uint8_t bind, type; /* STB_*, STT_* */
	bool plt;           /* a stub that jumps to name */
	bool thumb;         /* code of 32-bit ARM with short instructions */
	bool hole;          /* not a symbol: this code belongs to none */
	bool unsized;       /* set by symtab_freeze(): its end is a guess */
	bool shared;        /* set by symtab_freeze(): other functions start here, too */
	bool old_version;   /* only for programs that were linked long ago: cfree@GLIBC_2.2.5 */
};

struct symtab_range;
struct perf_tree;

struct symtab {
	struct demangle_style style; /* set by the user of the table, before the first symbol */
	uint64_t shift;              /* to be added to a recorded address, modulo 2^64 */
	struct symbol *sym;
	uint32_t n, cap;
	struct symbol *alias; /* all symbols that start together and differ only in their names, by
			       * start, then by order */
	uint32_t n_aliases, cap_aliases;
	struct symtab_range *range; /* NULL before symtab_freeze() and under compat_perf */
	uint32_t n_ranges;
	struct perf_tree
		*tree;      /* under compat_perf: the symbols that were there at the last fixup */
	struct arena names; /* those that were read one by one */
	struct elf_file *held[4];
	uint32_t n_held;
};

enum { SYMTAB_NONE = UINT32_MAX, SYMTAB_MAX = 1u << 28 };

void symtab_add(struct symtab *t, const struct symbol *s);
/* Makes room for that many more. */
void symtab_reserve(struct symtab *t, uint32_t more);
/* A table is complete: .symtab, before .dynsym is added. perf fixes up its symbols then; without
 * compat_perf nothing happens. */
void symtab_fixup(struct symtab *t);
/* No more symbols. */
void symtab_freeze(struct symtab *t);
/* The number of the symbol that covers the address, or SYMTAB_NONE. */
uint32_t symtab_find(const struct symtab *t, uint64_t address);
/* The best of those that start where this one does: sym[i] may have the name of any of them. */
struct symbol symtab_get(const struct symtab *t, uint32_t i);
/* May the two be names of one function? In C, libraries give one to callers and keep another for
 * themselves (free and __libc_free, fopen and _IO_new_fopen): one contains the other, but for the
 * underscores that it begins with, or has a version (_IO_file_read@@GLIBC_2.2.5). */
bool symtab_are_related(struct span a, struct span b);
/* Keep the file as long as the table: symbols have names in it. NULL is fine. */
void symtab_hold(struct symtab *t, struct elf_file *ef);
/* Empty it; the style stays. */
void symtab_release(struct symtab *t);

#endif
