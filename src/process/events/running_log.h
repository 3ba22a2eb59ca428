/*
 * running_log.h - which threads ran when, as one worker sees it (--weight latency)
 *
 *	IN	PERF_RECORD_SWITCH: a thread begins to run; an exec shows that it runs
 *	OUT	it stops, or ends
 *	RAN	a sample. Where there are switches, those of all events are logged: the moments for
 *		which the number of running threads will be asked. Where there are none, those of
 *		one event, which have to do instead.
 *
 * A class of the log is a thread with one kind of row; its process is in thread. With switches,
 * blocks are logged in pass 1, while their bytes are in the cache.
 *
 * Owns: its log. Threads: each worker has its own. Private to process/.
 */
#ifndef PERFOLD_PROCESS_EVENTS_RUNNING_LOG_H
#define PERFOLD_PROCESS_EVENTS_RUNNING_LOG_H

#include "base/index.h"
#include "base/mem.h"
#include "input/perfdata/perfdata.h"
#include "trace/trace.h"

/* Instead of the number of an event: there are switches. */
#define RUNNING_SWITCHES UINT32_MAX

struct running_log {
	MEM_APART const struct perfdata *pd; /* borrowed; NULL: nothing is logged */
	const struct perfdata_attr *attrs;   /* borrowed */
	uint32_t event;                      /* of samples, or RUNNING_SWITCHES */
	/* Of the trailer, where those of all events are alike; bytes is 0 where they are not. */
	struct perfdata_trailer_offsets trailer;
	struct switch_log log;
	struct index by_class;
	uint32_t *last; /* by the lower bits of a tid, and the kind: the class found last */
};

void running_log_init(struct running_log *l, const struct perfdata *pd, uint32_t event);
void running_log_release(struct running_log *l);

/* All records of a block. */
void running_log_add_block(struct running_log *l, struct perfdata_block *b);

#endif
