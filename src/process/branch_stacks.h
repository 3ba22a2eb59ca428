/*
 * branch_stacks.h - branch stacks of recorded samples, to model/branch_history.h
 *
 * Owns: its history. Borrows: world, modules.
 * Threads: each worker has its own. Private to process/.
 */
#ifndef PERFOLD_PROCESS_BRANCH_STACKS_H
#define PERFOLD_PROCESS_BRANCH_STACKS_H

#include "input/perfdata/perfdata.h"
#include "model/branch_history.h"
#include "model/recording.h"
#include "process/world/world.h"

struct branch_stacks;

/* Does the event record branches in the order in which they were taken? LBR call stacks hold calls
 * that have not returned yet. */
bool branch_stacks_has(const struct perfdata_attr *a);

/* alone: no event that is wanted has branch stacks, so that the addresses of samples are counted
 * instead. */
struct branch_stacks *branch_stacks_new(
	const struct world *w, const struct modules *modules, bool alone);
void branch_stacks_free(struct branch_stacks *b);

void branch_stacks_add(struct branch_stacks *b, const struct perfdata_attr *a,
	const struct perfdata_sample *s, space_id space, struct moment at);

/* As branch_history_collect(). */
void branch_stacks_collect(struct branch_stacks *b, struct branch_traces **sum);

#endif
