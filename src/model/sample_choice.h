/*
 * sample_choice.h - which samples the user wants
 *
 * Owns: lists and compiled expressions. Threads: read by any.
 */
#ifndef PERFOLD_MODEL_SAMPLE_CHOICE_H
#define PERFOLD_MODEL_SAMPLE_CHOICE_H

#include "model/name_pattern.h"
#include "model/number_list.h"
#include "model/where.h"

struct during;

/* Options that can be turned around, in the order of CHOICE_WORDS. */
enum choice_part {
	CHOICE_NONE,
	CHOICE_DURING,
	CHOICE_TIME,
	CHOICE_COMM,
	CHOICE_PROCESS,
	CHOICE_CGROUP,
	CHOICE_CPU,
	CHOICE_PID,
	CHOICE_TID,
};
#define CHOICE_WORDS "during time comm process cgroup cpu pid tid"

struct sample_choice {
	struct number_list pids, tids, cpus;
	struct name_pattern *comm, *process, *cgroup; /* NULL: all */
	/* --time FROM,TO */
	struct time_bound {
		enum { TIME_OPEN, TIME_SECONDS, TIME_PERCENT, TIME_ABSOLUTE } how;
		/* Seconds from the first sample, percent, or seconds as recorded, times 10^9:
		 * exact, so that a time copied from perf script is included. */
		uint64_t nano;
	} from, to;
	struct where_list where;     /* conditions on fields of tracepoints: all must hold */
	const struct during *during; /* trace/during.h, borrowed; NULL: at any time */
	enum choice_part outside; /* the part of which samples are wanted that it does not choose */
};

/* Is a sample wanted that a part chooses, or not? */
static inline bool sample_choice_keeps(
	const struct sample_choice *c, enum choice_part part, bool chosen)
{
	return chosen != (c->outside == part);
}

int sample_choice_parse_time(struct sample_choice *c, const char *text, struct err *e);
/* The bounds in nanoseconds, both inclusive, once the first and last sample are known. */
void sample_choice_resolve_time(const struct sample_choice *c, uint64_t first_ns, uint64_t last_ns,
	uint64_t *from_ns, uint64_t *to_ns);
void sample_choice_release(struct sample_choice *c);

#endif
