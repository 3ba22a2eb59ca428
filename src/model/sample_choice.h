/*
 * choice.h - which samples the user wants
 *
 * Owns: lists and compiled expressions. Threads: read by any. A match costs an allocation: callers
 * match each distinct text once.
 */
#ifndef PERFOLD_MODEL_CHOICE_H
#define PERFOLD_MODEL_CHOICE_H

#include "base/err.h"
#include "base/span.h"
#include "model/field_value.h"

/* A list of numbers and ranges: "0,2-5". */
struct number_list {
	struct number_range {
		int64_t from, to;
	} * range;
	uint32_t n; /* 0: everything */
};

/* A compiled regular expression (PCRE2), matched anywhere in a text, even if that is not UTF-8. A
 * match that hits PCRE2's limits does not count. */
struct name_pattern;

struct sample_choice {
	struct number_list pids, tids, cpus;
	struct name_pattern *comm, *process, *cgroup; /* NULL: all */
	/* --time FROM,TO */
	struct time_bound {
		enum { TIME_OPEN, TIME_SECONDS, TIME_PERCENT, TIME_ABSOLUTE } how;
		/* Seconds from the first sample, percent, or seconds as recorded, times 10^9:
		 * exact, so that a time copied from a text is included. */
		uint64_t nano;
	} from, to;
	struct where_list where; /* conditions on fields of tracepoints: all must hold */
};

int number_list_parse(struct number_list *l, const char *text, struct err *e);
bool number_list_has(const struct number_list *l, int64_t n);
void number_list_release(struct number_list *l);

int name_pattern_new(struct name_pattern **p, const char *regex, struct err *e);
bool name_pattern_matches(const struct name_pattern *p, struct span text);
void name_pattern_free(struct name_pattern *p);

int sample_choice_parse_time(struct sample_choice *c, const char *text, struct err *e);
/* The bounds in nanoseconds, both inclusive, once the first and last sample are known. */
void sample_choice_resolve_time(const struct sample_choice *c, uint64_t first_ns, uint64_t last_ns,
	uint64_t *from_ns, uint64_t *to_ns);
void sample_choice_release(struct sample_choice *c);

#endif
