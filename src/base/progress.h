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

	/* The input that is being read, a path (borrowed), and NULL after the last one; its size,
	 * and that of the inputs before it. */
	_Atomic(const char *) input;
	_Atomic uint64_t input_bytes, before_bytes;
	uint64_t
		all_bytes; /* of all inputs, where there are several; else 0. Set before the work */
};

/* Begins the next input. */
static inline void progress_input(struct progress *p, const char *path, uint64_t bytes)
{
	if (!p)
		return;
	atomic_store_explicit(&p->done, 0, memory_order_relaxed);
	atomic_fetch_add_explicit(&p->before_bytes,
		atomic_exchange_explicit(&p->input_bytes, bytes, memory_order_relaxed),
		memory_order_relaxed);
	atomic_store_explicit(&p->input, path, memory_order_relaxed);
}

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
