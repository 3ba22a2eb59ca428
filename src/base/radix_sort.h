/*
 * radix_sort.h - radix sort by 64-bit keys
 *
 * Byte by byte, from the lowest to the highest, and only by bytes in which keys differ: three or
 * four for the addresses of one file. No comparison is called. Equal keys keep their order.
 *
 * Threads: any.
 */
#ifndef PERFOLD_BASE_RADIX_SORT_H
#define PERFOLD_BASE_RADIX_SORT_H

#include <stddef.h>
#include <stdint.h>

struct radix_key {
	uint64_t key;
	uint32_t number; /* of the element that the key belongs to */
};

void radix_sort(struct radix_key *keys, size_t n);
/* Moves n elements into the order of their sorted keys; the numbers of the keys count from 0.
 * Afterwards key i has the number i. */
void radix_sort_arrange(struct radix_key *keys, size_t n, void *elements, size_t size_bytes);

#endif
