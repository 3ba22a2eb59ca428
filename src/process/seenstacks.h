/*
 * seenstacks.h - stacks of switches that were seen before, found without looking at their frames
 *
 * A thread waits in few places, again and again: most of millions of switches have the thread, the
 * state and the chain of one before. A worker keeps those it saw last, each with the number that
 * its log gave it and how long that holds; one that is here needs no root, no frames and no log.
 *
 * Only what such a stack is made of is compared, so it is for chains of kernel and user addresses
 * with roots that depend on thread, event and state alone.
 *
 * Owns: its slots. Threads: one for each. Private to process/.
 */
#ifndef PERFOLD_PROCESS_SEENSTACKS_H
#define PERFOLD_PROCESS_SEENSTACKS_H

#include "input/perfdata/perfdata.h"
#include "process/process.h"
#include "process/whose.h"
#include "trace/trace.h"

struct seen_stacks {
	struct seen_stack *slot; /* NULL: not for this recording */
	const struct stacklog *log;
	const struct switch_log *rows;
};

/* What a switch's stack is made of. */
struct seen_key {
	const struct whose_thread *thread;
	uint32_t event;
	uint8_t kind, state;
	const struct perfdata_sample *sample;
};

/* log and rows are the worker's. unwinds: some stacks are copied ones. */
void seen_stacks_init(struct seen_stacks *s, const struct stacklog *log,
	const struct switch_log *rows, const struct process_opts *o, bool unwinds);
void seen_stacks_release(struct seen_stacks *s);

bool seen_stacks_find(
	struct seen_stacks *s, const struct seen_key *k, struct moment at, stack_no *stack);
/* It is not here; the row is to get its number. */
void seen_stacks_add(struct seen_stacks *s, const struct seen_key *k, uint32_t row);

#endif
