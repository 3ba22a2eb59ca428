/*
 * counted.h - the noun after a number: "1 sample", "2 samples"
 *
 *	note("%" PRIu64 " %s read", n, counted(n, "sample", "samples"));
 *
 * Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_BASE_COUNTED_H
#define PERFOLD_BASE_COUNTED_H

#include <stdint.h>

static inline const char *counted(uint64_t n, const char *one, const char *many)
{
	return n == 1 ? one : many;
}

#endif
