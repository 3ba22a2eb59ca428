/*
 * keys.h - sorting by numbers of 64 bits
 *
 * By one byte of the keys after the other, from the last to the first, and only by those in which
 * they differ: of addresses of one file three or four. No comparison is called. Equal keys stay in
 * their order.
 *
 * Threads: any.
 */
#ifndef PERFOLD_BASE_KEYS_H
#define PERFOLD_BASE_KEYS_H

#include <stddef.h>
#include <stdint.h>

struct key {
	uint64_t key;
	uint32_t number; /* of what it is the key of */
};

void keys_sort(struct key *keys, size_t n);
/* Puts n elements into the order of their keys, which were sorted; numbers count from 0. Then each
 * number is its place. */
void keys_arrange(struct key *keys, size_t n, void *elements, size_t size_bytes);

#endif
