/*
 * work.h - what the workers do next: read a module, or a compilation unit of one that was read
 *
 * A large program has its debug information in thousands of units: all workers help with these
 * before another module is read, so that no module keeps one worker busy alone, and no more
 * debug information is in memory than there are workers.
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
	unsigned loading;         /* batches that were taken and may bring units */
	struct dwarf_debug *open; /* with units that nobody has taken */
};

struct work_item {
	uint32_t batch;            /* where debug is NULL */
	struct dwarf_debug *debug; /* with one use of it: dwarf_debug_release() after the task */
	const struct dwarf_task *task;
};

void work_init(struct work *w, uint32_t n_batches);
void work_release(struct work *w);
/* False: all is done. */
bool work_take(struct work *w, struct work_item *item);
/* A batch is done. debug: with tasks, or NULL; taken over. */
void work_loaded(struct work *w, struct dwarf_debug *debug);

#endif
