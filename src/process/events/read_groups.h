/*
 * read_groups.h - samples that read counters: what each counter of the group counted since
 *
 * With `perf record -e '{cycles,instructions}:S'` the leader alone is sampled, and each of its
 * samples has the values of all counters of the group. As in perf, such a sample counts once for
 * every member, its period being what the member's counter has gone up by since the sample before;
 * a member whose counter has not changed has no sample. The same holds for a single counter that is
 * read. Where counters were inherited, every thread has its own (Linux 6.12).
 *
 * "Before" goes by time, and samples are used in any order: so pass 1 collects all values, and
 * finds the differences when it is done. The samples of a counter come through one buffer in order,
 * unless the buffer was written backward (perf record --overwrite).
 *
 * Owns: 24 bytes for each such sample and 12 for each counter in it, of a bounded number. Threads:
 * filled by one, then read by any.
 * Source: perf_event_open(2), read_format; how perf report and perf script count. Private to
 * process/.
 */
#ifndef PERFOLD_PROCESS_EVENTS_READ_GROUPS_H
#define PERFOLD_PROCESS_EVENTS_READ_GROUPS_H

#include "base/index.h"
#include "input/perfdata/perfdata.h"

enum { READ_VALUES_MAX = 1 << 25 };

struct read_groups {
	struct read_sample {
		uint64_t position, time_ns; /* ascending positions */
		uint32_t first;             /* of value; they end where those of the next begin */
	} * sample;
	uint32_t n, cap;
	uint64_t *value;     /* as it was read; in the end, the difference */
	uint32_t *series_of; /* of value: index into series */
	uint32_t n_values, cap_values, cap_series_of;
	struct read_series {
		uint64_t id;
		int32_t tid;    /* -1: of all threads */
		uint32_t event; /* READ_NO_EVENT: the id is of no event */
		uint64_t time_ns, value;
	} * series;
	uint32_t n_series, cap_series;
	struct index by_id;
	bool unordered; /* some counter's samples go back in time */
};

/* True where samples of an event say which counters they read. Those of a group without ids do not;
 * a single value is the sample's own. */
static inline bool read_groups_applies(const struct perfdata_attr *a)
{
	return a->sample_type & SAMPLE_READ &&
	       (a->read_format & READ_ID || !(a->read_format & READ_GROUP));
}

enum read_groups_result {
	READ_NONE, /* the sample counts as itself: it reads nothing, does not say which, or is
		      damaged */
	READ_ADDED,
	READ_FULL, /* there is no room: likewise */
};

/* A sample of an event with the attribute a; in the order of the file. time_ns: that of the sample,
 * or one that all samples share. */
enum read_groups_result read_groups_add(struct read_groups *g, const struct perfdata *pd,
	const struct perfdata_attr *a, const struct perfdata_record *r, uint64_t time_ns);
/* All are there: find the differences. */
void read_groups_compute_deltas(struct read_groups *g);
void read_groups_release(struct read_groups *g);

#define READ_NO_EVENT UINT32_MAX

/* What one counter of a sample has counted. */
struct read_count {
	uint32_t event; /* index into the attributes, or READ_NO_EVENT */
	uint64_t count; /* 0: no sample of this event */
};

/* The counters [from, to) of sample number i. */
static inline void read_groups_counters(
	const struct read_groups *g, uint32_t i, uint32_t *from, uint32_t *to)
{
	*from = g->sample[i].first;
	*to = i + 1 < g->n ? g->sample[i + 1].first : g->n_values;
}

static inline struct read_count read_groups_count(const struct read_groups *g, uint32_t counter)
{
	return (struct read_count){ g->series[g->series_of[counter]].event, g->value[counter] };
}

/* The number of the sample at a position. *near: what the worker found last, 0 at first, as samples
 * come in runs. */
bool read_groups_find(const struct read_groups *g, uint64_t position, uint32_t *near);

#endif
