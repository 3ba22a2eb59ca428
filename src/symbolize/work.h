/*
 * work.h - what workers do next: read a module, or a compilation unit of one that was read
 *
 * The kernel takes as long to print its list of symbols as reading a program takes. So one worker
 * reads /proc/kallsyms while others read modules, and the batches that need it come last.
 *
 * The debug information of a large program has thousands of units. All workers share these, so that
 * no module keeps a single worker busy, while one of them reads the next module ahead: the others
 * may have nothing else to do soon. A third module is not read before one has no units left, which
 * bounds the debug information in memory.
 *
 * Owns: the debug information given to work_batch_done(). Threads: any.
 */
#ifndef PERFOLD_SYMBOLIZE_WORK_H
#define PERFOLD_SYMBOLIZE_WORK_H

#include "symbolize/dwarf/dwarf.h"

#include <pthread.h>

struct work {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint32_t next_batch, n_batches;
	uint32_t n_free;          /* the first of the batches, which need no kallsyms */
	bool reads_ahead;         /* there are other workers for the units meanwhile */
	bool kallsyms_wanted;     /* no worker has begun to read them */
	bool kallsyms_missing;    /* they are not there yet */
	unsigned loading;         /* batches that were started and may bring units, and kallsyms */
	struct dwarf_debug *open; /* with units that were not started */
};

struct work_item {
	bool kallsyms;             /* read them, then work_kallsyms_done() */
	uint32_t batch;            /* if kallsyms is false and debug is NULL */
	struct dwarf_debug *debug; /* with a reference: dwarf_debug_release() after the task */
	const struct dwarf_task *task;
};

/* n_free: the first batches, which need no kallsyms; n_batches: these are not read. */
void work_init(struct work *w, uint32_t n_batches, uint32_t n_free, unsigned workers);
void work_release(struct work *w);
/* False when everything is done. */
bool work_next(struct work *w, struct work_item *item);
/* A batch is named. debug: with tasks, owned from now on; or NULL. */
void work_batch_done(struct work *w, struct dwarf_debug *debug);
void work_kallsyms_done(struct work *w);

#endif
