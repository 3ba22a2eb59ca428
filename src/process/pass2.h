/*
 * pass2.h - the second pass: samples to raw stacks, by any number of workers
 *
 * Owns: see struct pass2, which borrows nearly all. Threads: uses the pool. Private to process/.
 */
#ifndef PERFOLD_PROCESS_PASS2_H
#define PERFOLD_PROCESS_PASS2_H

#include "process/cgroups.h"
#include "process/code_paths.h"
#include "process/callstack/callstack.h"
#include "process/events/events.h"
#include "process/jit_code/jit_code.h"
#include "process/process.h"
#include "input/perfdata/perfdata.h"

struct pass2 {
	struct recording *recording;           /* borrowed; gets logs, timelines, threads, counts */
	struct perfdata *pd;                   /* borrowed */
	const struct world *world;             /* borrowed, frozen */
	const struct jit_maps *jit_maps;       /* borrowed */
	const struct cgroups *cgroups;         /* borrowed, chosen */
	const struct deferred *deferred;       /* borrowed */
	const struct read_groups *reads;       /* borrowed, settled */
	struct sample_stack_copies copies;     /* borrowed: of user stack dumps */
	const struct interpreter *interpreter; /* borrowed, settled */
	const struct tracing *tracing;         /* borrowed */
	const struct marking *marking;         /* borrowed */
	const struct switch_events *switch_events; /* borrowed */
	const struct departures *departures;       /* borrowed */
	const struct losses *losses;               /* borrowed, settled */
	const struct code_paths *code_paths;       /* borrowed; used with opts->strip */
	struct switch_waits *switch_waits; /* collected in pass 1, one for each worker, who becomes
					    * the owner; or NULL */
	const struct parallelism *parallelism; /* borrowed; used with --weight latency */
	uint64_t parts_of_unit;                /* with --weight latency: of what an event counts */
	struct wakers *wakers;                 /* borrowed; gets what --wakers puts together */
	const struct read_opts *opts;          /* borrowed */
	uint64_t from_ns, to_ns;               /* samples outside are left out */
	const struct thread_times
		*inside; /* likewise, of each thread (--during); NULL: nothing is */
	bool has_times;
};

int pass2_run(struct pass2 *p, struct pool *pool, struct err *e);

#endif
