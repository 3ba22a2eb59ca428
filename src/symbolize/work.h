/*
 * work.h - what workers do next: read a module, or a compilation unit of one that was read
 *
 * To print the list of its symbols takes the kernel as long as reading a program takes: one worker
 * reads it while others read modules, and the batches that need it come last.
 *
 * The debug information of a large program has thousands of units: all workers help with these, so
 * that no module keeps a single worker busy. One of them reads the next module meanwhile, as that
 * may be the last, which the others would have to wait for. No third module is read before one has
 * no units left, so as not to have more debug information in memory than there are workers.
 *
 * Owns: the debug information that is handed over. Threads: any.
 */
#ifndef PERFOLD_SYMBOLIZE_WORK_H
#define PERFOLD_SYMBOLIZE_WORK_H

#include "symbolize/dwarf/dwarf.h"

#include <pthread.h>

struct work {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint32_t next_batch, n_batches;
	uint32_t n_free;          /* of the batches: how many in front need no list */
	bool reads_ahead;         /* there are other workers to take units meanwhile */
	bool kallsyms_wanted;     /* and nobody has taken it on */
	bool kallsyms_missing;    /* it is not there yet */
	unsigned loading;         /* batches that were taken and may bring units, and the list */
	struct dwarf_debug *open; /* with units that nobody has taken */
};

struct work_item {
	bool kallsyms;             /* read the list; work_kallsyms_done() when it is there */
	uint32_t batch;            /* if list is false and debug is NULL */
	struct dwarf_debug *debug; /* with one use of it: dwarf_debug_release() after the task */
	const struct dwarf_task *task;
};

/* n_free: how many batches in front need no list; n_batches: no list is read. */
void work_init(struct work *w, uint32_t n_batches, uint32_t n_free, unsigned workers);
void work_release(struct work *w);
/* False: everything is done. */
bool work_next(struct work *w, struct work_item *item);
/* A batch is done. debug: with tasks, or NULL; taken over. */
void work_batch_done(struct work *w, struct dwarf_debug *debug);
void work_kallsyms_done(struct work *w);

#endif
