/*
 * activity_name.h - what kind of work a function is known to do: garbage collection, locking, ...
 *
 *	garbage collection    (garbage collector), runtime.gcBgMarkWorker
 *	locks                 futex_wait, ___pthread_mutex_lock, native_queued_spin_lock_slowpath
 *	page faults           asm_exc_page_fault, do_user_addr_fault
 *	memory allocation     malloc, _int_free, operator new(unsigned long)
 *
 * Well-known functions of the kernel, C libraries and runtimes only: one that is none of these has
 * no activity. Whoever asks counts a stack with any of them once.
 *
 * Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_MODEL_NAMES_ACTIVITY_NAME_H
#define PERFOLD_MODEL_NAMES_ACTIVITY_NAME_H

#include "base/span.h"

enum activity {
	ACTIVITY_NONE,
	ACTIVITY_GC,
	ACTIVITY_LOCKS,
	ACTIVITY_PAGE_FAULTS,
	ACTIVITY_ALLOCATION,
	ACTIVITY_COPYING,
	ACTIVITY_JIT_COMPILER,
	ACTIVITY_SYSTEM_CALLS,
	ACTIVITY_COUNT
};

/* name: as it is shown, without annotation. */
enum activity activity_name_of(struct span name);
/* "garbage collection" */
const char *activity_name_text(enum activity a);

#endif
