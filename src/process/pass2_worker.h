/*
 * pass2_worker.h - a worker of the second pass: its log, its caches, its counts
 *
 * Samples are read in pass2.c, switches of --off-cpu in pass2_switches.c.
 *
 * Owns: what is in it; log, timeline and marks until pass2_worker_merge() gives them to the
 * recording. Threads: each has its own. Private to process/.
 */
#ifndef PERFOLD_PROCESS_PASS2_WORKER_H
#define PERFOLD_PROCESS_PASS2_WORKER_H

#include "base/mem.h"
#include "process/branch_stacks.h"
#include "process/pass2.h"
#include "process/thread_cache.h"

struct pass2_worker {
	MEM_APART const struct pass2 *pass; /* borrowed */
	const struct perfdata_attr *attrs;  /* borrowed */
	struct stacklog *log;               /* given to the recording */
	struct timeline *timeline;          /* likewise, or NULL */
	struct marks *marks;                /* likewise */
	struct branch_stacks *branches;     /* NULL: nobody wants them */
	struct sample_stack stacks;
	struct resolver resolver;
	struct thread_cache threads;
	struct switch_waits switch_waits; /* switches, of --off-cpu */
	struct off_cpu off_cpu;           /* departures that are samples */
	struct diag diag;
	struct event_sums {
		uint64_t samples, weight;
	} * of_event;
	bool *is_offcpu;      /* by event */
	uint32_t read_sample; /* of pass->reads, found last */
	bool is_total;        /* the sample decoded last is of waits at no known time */
	struct parallelism_cursor parallelism;
	uint64_t kept, weight;
};

/* Thread, control group and moment of a sample that is wanted. */
struct sample_owner {
	struct thread_cache_entry *thread;
	const struct cgroup *cgroup;
	struct moment at;
};

/* switch_waits: what this worker collected in pass 1, moved to w; or NULL. */
void pass2_worker_init(
	struct pass2_worker *w, const struct pass2 *p, struct switch_waits *switch_waits);
void pass2_worker_release(struct pass2_worker *w);
/* The root of a stack; state: that of the thread while it is blocked, else 0. */
root_id pass2_worker_root(struct pass2_worker *w, const struct sample_owner *o,
	const struct perfdata_sample *s, uint32_t event, str_id state);
/* Give the logs of n workers to the recording, and add up what they counted. */
void pass2_worker_merge(
	struct recording *r, struct pass2_worker *workers, unsigned n, bool timeline);

#endif
