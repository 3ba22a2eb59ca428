/*
 * prefetch.h - memory that will be read soon
 *
 * GCC 12 takes a function that only prefetches for one without effect, and drops its calls where
 * they are not inlined early enough: half of ours had been gone for long. The empty asm is an
 * effect.
 *
 * Threads: any.
 */
#ifndef PERFOLD_BASE_PREFETCH_H
#define PERFOLD_BASE_PREFETCH_H

static inline void prefetch(const void *p)
{
	__builtin_prefetch(p);
	__asm__ volatile("" : : "r"(p));
}

#endif
