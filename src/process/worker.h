/*
 * worker.h - a worker of the second pass: what it knows, and what it counts
 *
 * Samples are taken in pass2.c, switches of --off-cpu in waits.c.
 *
 * Owns: what is in it; log, timeline and marks until workers_hand_over() gives them to the
 * recording. Threads: each has its own. Private to process/.
 */
#ifndef PERFOLD_PROCESS_WORKER_H
#define PERFOLD_PROCESS_WORKER_H

#include "process/pass2.h"
#include "process/whose.h"

struct worker {
	const struct pass2 *pass;          /* borrowed */
	const struct perfdata_attr *attrs; /* borrowed */
	struct stacklog *log;              /* handed over to the recording */
	struct timeline *timeline;         /* likewise, or NULL */
	struct marks *marks;               /* likewise */
	struct stacks stacks;
	struct resolver resolver;
	struct whose whose;
	struct noted noted; /* switches, of --off-cpu */
	struct diag diag;
	struct kept {
		uint64_t samples, weight;
	} * of_event;
	bool *is_offcpu;      /* by event */
	uint32_t read_sample; /* of pass->reads, found last */
	uint64_t kept, weight;
};

/* Whose sample it is, once that is known to be wanted. */
struct owner {
	struct whose_thread *thread;
	const struct cgroup *cgroup;
	struct moment at;
};

/* noted: what was noted down in pass 1, which is taken over; or NULL. */
void worker_init(struct worker *w, const struct pass2 *p, struct noted *noted);
void worker_release(struct worker *w);
/* The root of a stack; state: that of the thread while it is blocked, else 0. */
root_id worker_root(struct worker *w, const struct owner *o, const struct perfdata_sample *s,
	uint32_t event, str_id state);
/* Hand what n workers found and counted to the recording. */
void workers_hand_over(struct recording *r, struct worker *workers, unsigned n, bool timeline);

#endif
