/*
 * work.h - what the workers do next: read a module, or a compilation unit of one that was read
 *
 * The list of the kernel's symbols takes the kernel as long to print as a program takes to read:
 * one worker reads it while others read modules, and the batches that need it come last.
 *
 * A large program has its debug information in thousands of units: all workers help with these, so
 * that no module keeps one worker busy alone. One of several reads the next module meanwhile, which
 * may be the last: the others would wait for it. No third one is read before one has no units
 * left, so that no more debug information is in memory than there are workers.
 *
 * Owns: the debug information that is handed over. Threads: any.
 */
#ifndef PERFOLD_SYMBOLIZE_WORK_H
#define PERFOLD_SYMBOLIZE_WORK_H

#include "symbolize/dwarf.h"

#include <pthread.h>

struct work {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint32_t next_batch, n_batches;
	uint32_t n_free;          /* of the batches: those in front, which need no list */
	bool reads_ahead;         /* there are others to take units meanwhile */
	bool list_wanted;         /* and nobody has taken it */
	bool list_missing;        /* it is not there yet */
	unsigned loading;         /* batches that were taken and may bring units, and the list */
	struct dwarf_debug *open; /* with units that nobody has taken */
};

struct work_item {
	bool list;                 /* read the list; work_listed() when it is there */
	uint32_t batch;            /* where that is false and debug is NULL */
	struct dwarf_debug *debug; /* with one use of it: dwarf_debug_release() after the task */
	const struct dwarf_task *task;
};

/* n_free: so many of the batches, from the first, need no list; n_batches: no list is read. */
void work_init(struct work *w, uint32_t n_batches, uint32_t n_free, unsigned workers);
void work_release(struct work *w);
/* False: all is done. */
bool work_take(struct work *w, struct work_item *item);
/* A batch is done. debug: with tasks, or NULL; taken over. */
void work_loaded(struct work *w, struct dwarf_debug *debug);
void work_listed(struct work *w);

#endif
