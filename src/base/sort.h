/*
 * sort.h - sorting without a copy
 *
 * qsort() of glibc needs as much memory again as it sorts. Input that is in order costs one pass;
 * no input costs more than n log n comparisons.
 *
 * Threads: any.
 */
#ifndef PERFOLD_BASE_SORT_H
#define PERFOLD_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* For comparisons: less than 0, 0 or more. */
static inline int sort_compare_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Equal elements may change places. */
void sort_in_place(
	void *p, size_t n, size_t size_bytes, int (*compare)(const void *a, const void *b));

#endif
