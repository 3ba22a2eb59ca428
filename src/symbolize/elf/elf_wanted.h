/*
 * asked.h - the addresses of a module that are asked for
 *
 * A program has hundreds of thousands of symbols, and a recording asks for some thousand places in
 * it: a symbol that can neither cover one of these nor say where another symbol ends need not be
 * sorted, nor its name be read.
 *
 * Owns: its addresses. Threads: one while it is made, then any number of readers. Private to
 * symbolize/.
 */
#ifndef PERFOLD_SYMBOLIZE_ELF_ELF_WANTED_H
#define PERFOLD_SYMBOLIZE_ELF_ELF_WANTED_H

#include <stdbool.h>
#include <stdint.h>

/* In tables of fewer symbols all are read: that takes less than to choose. */
enum { ELF_WANTED_BUCKETS = 1024, ELF_WANTED_MIN_SYMBOLS = 8192 };

struct elf_wanted {
	uint64_t *at; /* once settled: sorted, and each once */
	uint32_t n;
	bool settled;
	unsigned shift; /* a bucket is 2^shift wide, the first begins at at[0] */
	uint32_t bucket[ELF_WANTED_BUCKETS + 1]; /* how many addresses are before it */
};

/* A symbol: [start, end), end == start where its size is not known. */
struct elf_wanted_extent {
	uint64_t start, end;
	uint32_t number; /* the caller's */
	bool keep;       /* keep in any case; else elf_wanted_choose() decides */
};

/* Take over n addresses in any order. */
void elf_wanted_init(struct elf_wanted *a, uint64_t *at, uint32_t n);
/* Put them in order, unless they are: before the first question. */
void elf_wanted_sort(struct elf_wanted *a);
void elf_wanted_release(struct elf_wanted *a);
/* How many are below the address. */
uint32_t elf_wanted_count_below(const struct elf_wanted *a, uint64_t address);
/* Is there one in [start, end)? */
bool elf_wanted_within(const struct elf_wanted *a, uint64_t start, uint64_t end);

/* Keep of a whole table of symbols what symtab.h needs to answer for these addresses as it would
 * with all of them, and perhaps more:
 *
 *  - those that hold an address, and all that start with one of these;
 *  - those that start last before an address, for the case that they have no size: they reach
 *    that far unless a function holds them, which is kept too;
 *  - those that start last of all, since they end what is before. */
void elf_wanted_choose(const struct elf_wanted *a, struct elf_wanted_extent *s, uint32_t n);

#endif
