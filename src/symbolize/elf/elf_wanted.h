/*
 * elf_wanted.h - the addresses of a module that will be looked up
 *
 * A program has hundreds of thousands of symbols, and a recording some thousand addresses in it. A
 * symbol that can neither cover one of these nor bound another symbol that does need not be sorted,
 * and its name need not be read.
 *
 * Owns: its addresses. Threads: one until they are sorted, then any number of readers.
 */
#ifndef PERFOLD_SYMBOLIZE_ELF_ELF_WANTED_H
#define PERFOLD_SYMBOLIZE_ELF_ELF_WANTED_H

#include <stdbool.h>
#include <stdint.h>

/* Smaller tables are read whole, which takes less time than choosing. */
enum { ELF_WANTED_BUCKETS = 1024, ELF_WANTED_MIN_SYMBOLS = 8192 };

struct elf_wanted {
	uint64_t *at; /* once sorted: ascending, without duplicates */
	uint32_t n;
	bool sorted;
	unsigned shift; /* a bucket is 2^shift wide, the first begins at at[0] */
	uint32_t bucket[ELF_WANTED_BUCKETS + 1]; /* addresses before it */
};

/* A symbol: [start, end), end == start where its size is not known. */
struct elf_wanted_extent {
	uint64_t start, end;
	uint32_t number; /* the caller's */
	bool keep;       /* keep in any case; else elf_wanted_choose() decides */
};

/* Takes over n addresses in any order. */
void elf_wanted_init(struct elf_wanted *a, uint64_t *at, uint32_t n);
/* Sorts them, once; needed before any of the following. */
void elf_wanted_sort(struct elf_wanted *a);
void elf_wanted_release(struct elf_wanted *a);
/* The number of wanted addresses below this one. */
uint32_t elf_wanted_count_below(const struct elf_wanted *a, uint64_t address);
/* Is a wanted address in [start, end)? */
bool elf_wanted_within(const struct elf_wanted *a, uint64_t start, uint64_t end);

/* Marks the symbols of a table that symtab.h needs to answer for these addresses as it would with
 * all of them, and perhaps some more:
 *
 *  - those that hold an address, and all that start with one of these;
 *  - the last to start before an address, as without a size it reaches that far, unless it is
 *    inside a function, which is kept too;
 *  - the last of all, which ends the one before. */
void elf_wanted_choose(const struct elf_wanted *a, struct elf_wanted_extent *s, uint32_t n);

#endif
