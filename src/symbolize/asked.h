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
#ifndef PERFOLD_SYMBOLIZE_ASKED_H
#define PERFOLD_SYMBOLIZE_ASKED_H

#include <stdbool.h>
#include <stdint.h>

/* In tables of fewer symbols all are read: that takes less than to choose. */
enum { ASKED_BUCKETS = 1024, ASKED_WORTH_SYMBOLS = 8192 };

struct asked {
	uint64_t *at; /* once settled: sorted, and each once */
	uint32_t n;
	bool settled;
	unsigned shift; /* a bucket is 2^shift wide, the first begins at at[0] */
	uint32_t bucket[ASKED_BUCKETS + 1]; /* how many addresses are before it */
};

/* A symbol: [start, end), end == start where its size is not known. */
struct asked_extent {
	uint64_t start, end;
	uint32_t number; /* the caller's */
	bool keep;       /* keep in any case; else asked_choose() decides */
};

/* Take over n addresses in any order. */
void asked_make(struct asked *a, uint64_t *at, uint32_t n);
/* Put them in order, unless they are: before the first question. */
void asked_settle(struct asked *a);
void asked_release(struct asked *a);
/* How many are below the address. */
uint32_t asked_below(const struct asked *a, uint64_t address);
/* Is there one in [start, end)? */
bool asked_within(const struct asked *a, uint64_t start, uint64_t end);

/* Keep of a whole table of symbols what symtab.h needs to answer for these addresses as it would
 * with all of them, and perhaps more:
 *
 *  - those that hold an address, and all that start with one of these;
 *  - those that start last before an address, for the case that they have no size: they reach
 *    that far unless a function holds them, which is kept too;
 *  - those that start last of all, since they end what is before. */
void asked_choose(const struct asked *a, struct asked_extent *s, uint32_t n);

#endif
