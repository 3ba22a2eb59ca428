/*
 * prefetch.h - prefetching memory that will be read soon
 *
 * GCC 12 believes that a function which only prefetches has no effect, and drops calls of it that
 * are not inlined early enough: half of ours had long been gone. The empty asm is an effect.
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
