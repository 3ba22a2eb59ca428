/*
 * progress.h - how much of the work is done
 *
 * Workers add what they have done; cli/ reads it now and then. NULL is a
 * progress that is not shown.
 *
 * Threads: any.
 */
#ifndef PERFOLD_BASE_PROGRESS_H
#define PERFOLD_BASE_PROGRESS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
	_Atomic(const char *) stage;  /* a literal: "reading", "finding names" */
	_Atomic uint64_t done, total; /* total 0: not known */
};

static inline void progress_start(struct progress *p, const char *stage, uint64_t total)
{
	if (!p)
		return;
	atomic_store_explicit(&p->done, 0, memory_order_relaxed);
	atomic_store_explicit(&p->total, total, memory_order_relaxed);
	atomic_store_explicit(&p->stage, stage, memory_order_relaxed);
}

static inline void progress_add(struct progress *p, uint64_t n)
{
	if (p)
		atomic_fetch_add_explicit(&p->done, n, memory_order_relaxed);
}

#endif
