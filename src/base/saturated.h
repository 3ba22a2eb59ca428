/*
 * saturated.h - sums of numbers from a recording, which may be any
 *
 * A sum that does not fit stays at the largest number: wrong, but not small.
 *
 * Threads: any.
 */
#ifndef PERFOLD_BASE_SATURATED_H
#define PERFOLD_BASE_SATURATED_H

#include <stdint.h>

static inline uint64_t saturated_add(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* As much of n as there is room for; the room shrinks by it. */
static inline uint64_t saturated_fit(uint64_t n, uint64_t *room)
{
	uint64_t fits = n < *room ? n : *room;

	*room -= fits;
	return fits;
}

#endif
