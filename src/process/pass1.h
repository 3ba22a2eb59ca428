/*
 * pass1.h - the first pass: side-band records into the world, events counted, switches collected
 *
 * Owns: see struct pass1. Threads: uses the pool. Private to process/.
 */
#ifndef PERFOLD_PROCESS_PASS1_H
#define PERFOLD_PROCESS_PASS1_H

#include "input/perfdata/perfdata.h"
#include "model/recording.h"
#include "process/cgroups.h"
#include "process/code_paths.h"
#include "process/callstack/callstack.h"
#include "process/events/events.h"
#include "process/jit_code/jit_code.h"
#include "process/world/world.h"

struct pass1 {
	struct perfdata *pd;               /* borrowed */
	struct world *world;               /* borrowed */
	struct recording *recording;       /* borrowed: events, facts and diag are filled */
	bool has_times;                    /* every event's samples have a time */
	struct jit_hints hints;            /* filled; released by the caller */
	struct cgroups cgroups;            /* likewise */
	struct deferred deferred;          /* likewise */
	struct read_groups reads;          /* likewise */
	struct losses losses;              /* likewise, where blocked time is wanted */
	struct code_paths code_paths;      /* likewise, where wanted */
	bool off_cpu;                      /* blocked time is wanted */
	bool departures;                   /* SWITCH records go into recording->off_cpu */
	struct switch_waits *switch_waits; /* one for each worker, who fills it; NULL: switches wait
					      for pass 2 */
	struct running_log *running;       /* likewise; NULL: nobody asks who ran when */
	struct progress *progress;
};

/* Events of the recording from its attributes, nothing counted yet. */
void pass1_init_events(struct recording *r, const struct perfdata *pd);
int pass1_run(struct pass1 *p, struct pool *pool, struct err *e);

#endif
