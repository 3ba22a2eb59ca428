/*
 * How steps are made: the rows of all logs are walked in order of time (switch_merge.h).
 *
 *	switches	each thread is running or not; a change is a step of its process
 *	samples		each CPU has a process; where that changes, or samples stop, a step ends it
 *			half an interval after its last sample, another begins half of one before
 *
 * A process has no more steps than its rows, which are counted first: the steps of switches, of
 * which there can be millions, are written where they stay. Those of samples are not in order:
 * they are changes {time, process, +1 or -1} first, which are then sorted. Of several steps at one
 * time the last stays.
 *
 * Cost: two passes over rows, and 16 bytes for each of them; most of the time is the kernel's, for
 * the memory.
 */
#include "trace/parallelism.h"

#include "base/bisect.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/sort.h"
#include "trace/switch_merge.h"

#include <stdlib.h>

/* A change of how many threads of a process run. */
struct parallelism_change {
	uint64_t time_ns;
	uint32_t process;
	int32_t by;
};

/* What is known of a thread, or of a CPU. */
struct parallelism_lane {
	int32_t key; /* tid, or -2 - CPU */
	uint32_t process;
	uint64_t last_ns;
	enum { LANE_NEW, LANE_RUNS, LANE_STOPPED } now;
};

/* The median of many times, to 1/16: they are counted by their highest five bits. */
enum { GAP_BITS = 4, GAP_BUCKETS = 64 << GAP_BITS };

struct parallelism_maker {
	struct parallelism *p;
	struct switch_log *logs; /* borrowed */
	unsigned n_logs;
	uint32_t **lane_of_class, **process_of_class; /* by log, then by class */
	struct parallelism_lane *lanes;
	uint32_t n_lanes, cap_lanes;
	struct index by_key;
	int32_t *more;                      /* by process: of its last step */
	struct parallelism_change *changes; /* of samples */
	size_t n_changes, cap_changes;
	uint64_t *gaps; /* how often, by bucket */
	uint64_t n_gaps, interval_ns;
};

static uint32_t find_process(const struct parallelism *p, int32_t pid)
{
	uint64_t hash = hash_u64((uint32_t)pid);
	struct index_cursor c;
	uint32_t i;

	index_for_each (&p->by_pid, hash, c, i)
		if (p->process[i].pid == pid)
			return i;
	return INDEX_NONE;
}

static uint32_t add_process(struct parallelism *p, int32_t pid)
{
	uint32_t i;

	if (!p->by_process)
		pid = 0;
	i = find_process(p, pid);
	if (i != INDEX_NONE)
		return i;
	ARRAY_GROW(p->process, p->n_processes, p->cap_processes);
	p->process[p->n_processes] = (struct parallelism_process){ .pid = pid };
	index_add(&p->by_pid, hash_u64((uint32_t)pid), p->n_processes);
	return p->n_processes++;
}

static uint32_t add_lane(struct parallelism_maker *m, int32_t key)
{
	uint64_t hash = hash_u64((uint32_t)key);
	struct index_cursor c;
	uint32_t i;

	index_for_each (&m->by_key, hash, c, i)
		if (m->lanes[i].key == key)
			return i;
	ARRAY_GROW(m->lanes, m->n_lanes, m->cap_lanes);
	m->lanes[m->n_lanes] = (struct parallelism_lane){ .key = key };
	index_add(&m->by_key, hash, m->n_lanes);
	return m->n_lanes++;
}

static void init_classes(struct parallelism_maker *m)
{
	unsigned i;
	uint32_t k;

	m->lane_of_class = xcalloc(m->n_logs, sizeof(*m->lane_of_class));
	m->process_of_class = xcalloc(m->n_logs, sizeof(*m->process_of_class));
	for (i = 0; i < m->n_logs; i++) {
		const struct switch_log *l = &m->logs[i];

		m->lane_of_class[i] = xcalloc(l->n_classes, sizeof(**m->lane_of_class));
		m->process_of_class[i] = xcalloc(l->n_classes, sizeof(**m->process_of_class));
		for (k = 0; k < l->n_classes; k++) {
			m->lane_of_class[i][k] = add_lane(m, l->classes[k].tid);
			m->process_of_class[i][k] =
				add_process(m->p, (int32_t)l->classes[k].thread);
		}
	}
}

/* Processes have n steps at most, in to. Makes room for them. */
static void make_room(struct parallelism_maker *m)
{
	struct parallelism *p = m->p;
	size_t at = 0;
	uint32_t i;

	for (i = 0; i < p->n_processes; i++) {
		size_t n = p->process[i].to;

		p->process[i].from = p->process[i].to = at;
		at += n;
	}
	p->steps = xcalloc(at, sizeof(*p->steps));
	m->more = xcalloc(p->n_processes, sizeof(*m->more));
}

/* In order of time. None where the number has not changed. */
static void add_step(struct parallelism_maker *m, uint64_t time_ns, uint32_t process)
{
	struct parallelism_process *of = &m->p->process[process];
	struct parallelism_step *steps = m->p->steps;
	int32_t last = of->to == of->from ? 0 : steps[of->to - 1].more;

	if (last == m->more[process])
		return;
	if (of->to == of->from || steps[of->to - 1].time_ns != time_ns)
		of->to++;
	steps[of->to - 1] = (struct parallelism_step){ time_ns, m->more[process] };
}

/* ---- switches ----------------------------------------------------------------------------- */

/* A moment makes one step at most. */
static void count_moments(struct parallelism_maker *m)
{
	unsigned i;
	size_t row;

	for (i = 0; i < m->n_logs; i++)
		for (row = 0; row < m->logs[i].n; row++) {
			uint32_t class = switch_log_class_at(&m->logs[i], row);

			if (m->logs[i].classes[class].kind == SWITCH_RAN)
				m->p->process[m->process_of_class[i][class]].to++;
		}
}

static void begin_running(
	struct parallelism_maker *m, struct parallelism_lane *lane, uint32_t process)
{
	if (lane->now == LANE_RUNS)
		return;
	lane->now = LANE_RUNS;
	lane->process = process;
	m->more[process]++;
}

/* A thread that stops first of all has run before. */
static void end_running(
	struct parallelism_maker *m, struct parallelism_lane *lane, uint32_t process)
{
	if (lane->now == LANE_NEW) {
		lane->process = process;
		m->p->process[process].n_at_start++;
	}
	if (lane->now != LANE_STOPPED)
		m->more[lane->process]--;
	lane->now = LANE_STOPPED;
}

static void add_switch(struct parallelism_maker *m, const struct switch_batch *b, uint32_t row)
{
	const struct switch_log *l = &m->logs[b->log];
	struct switch_point at = switch_log_point(l, b->begin_ns, row);
	uint32_t class = (uint32_t)l->transitions[at.transition].class;
	struct parallelism_lane *lane = &m->lanes[m->lane_of_class[b->log][class]];
	uint32_t process = m->process_of_class[b->log][class];

	if (l->classes[class].kind == SWITCH_IN)
		begin_running(m, lane, process);
	else if (l->classes[class].kind == SWITCH_OUT)
		end_running(m, lane, process);
	else
		add_step(m, at.time_ns, process);
}

/* ---- samples ------------------------------------------------------------------------------ */

static void add_change(struct parallelism_maker *m, uint64_t time_ns, uint32_t process, int32_t by)
{
	ARRAY_GROW_FAR(m->changes, m->n_changes, m->cap_changes, SIZE_MAX);
	m->changes[m->n_changes++] = (struct parallelism_change){ time_ns, process, by };
}

/* Below 16, the time itself; then 16 buckets for each power of two. */
static unsigned gap_bucket(uint64_t ns)
{
	unsigned exponent;

	if (ns < 1u << GAP_BITS)
		return (unsigned)ns;
	exponent = 63 - (unsigned)__builtin_clzll(ns) - GAP_BITS;
	return ((exponent + 1) << GAP_BITS) + (unsigned)(ns >> exponent) - (1u << GAP_BITS);
}

/* The middle of a bucket. */
static uint64_t gap_of_bucket(unsigned bucket)
{
	unsigned exponent = (bucket >> GAP_BITS) - 1;
	uint64_t mantissa = (bucket & ((1u << GAP_BITS) - 1)) | 1u << GAP_BITS;

	if (bucket < 1u << GAP_BITS)
		return bucket;
	return (mantissa << exponent) + ((uint64_t)1 << exponent) / 2;
}

static uint64_t median_gap(const struct parallelism_maker *m)
{
	uint64_t seen = 0;
	unsigned i;

	for (i = 0; i < GAP_BUCKETS; i++) {
		seen += m->gaps[i];
		if (m->n_gaps && seen * 2 >= m->n_gaps)
			return gap_of_bucket(i);
	}
	return 0;
}

static struct parallelism_lane *lane_of_sample(
	struct parallelism_maker *m, const struct switch_batch *b, union switch_transition t)
{
	return &m->lanes[t.cpu >= 0 ? add_lane(m, -2 - (int32_t)t.cpu)
				    : m->lane_of_class[b->log][t.class]];
}

static void count_gap(struct parallelism_maker *m, const struct switch_batch *b, uint32_t row)
{
	const struct switch_log *l = &m->logs[b->log];
	struct switch_point at = switch_log_point(l, b->begin_ns, row);
	struct parallelism_lane *lane = lane_of_sample(m, b, l->transitions[at.transition]);

	if (lane->last_ns && at.time_ns > lane->last_ns) {
		m->gaps[gap_bucket(at.time_ns - lane->last_ns)]++;
		m->n_gaps++;
	}
	lane->last_ns = at.time_ns;
}

/* At the latest when something else is seen there. Returns when. */
static uint64_t end_of_samples(
	struct parallelism_maker *m, struct parallelism_lane *lane, uint64_t next_ns)
{
	uint64_t end_ns = lane->last_ns + m->interval_ns / 2 + 1;

	if (end_ns > next_ns)
		end_ns = next_ns;
	if (lane->now == LANE_RUNS)
		add_change(m, end_ns, lane->process, -1);
	return end_ns;
}

static void add_sample(struct parallelism_maker *m, const struct switch_batch *b, uint32_t row)
{
	const struct switch_log *l = &m->logs[b->log];
	struct switch_point at = switch_log_point(l, b->begin_ns, row);
	union switch_transition t = l->transitions[at.transition];
	struct parallelism_lane *lane = lane_of_sample(m, b, t);
	uint32_t process = m->process_of_class[b->log][t.class];
	uint64_t half_ns = m->interval_ns / 2, begin_ns;

	if (lane->now == LANE_RUNS && lane->process == process &&
		at.time_ns - lane->last_ns <= m->interval_ns + half_ns) {
		lane->last_ns = at.time_ns;
		return;
	}
	begin_ns = at.time_ns > half_ns ? at.time_ns - half_ns : 0;
	if (lane->now == LANE_RUNS) {
		uint64_t end_ns = end_of_samples(m, lane, at.time_ns);

		begin_ns = end_ns > begin_ns ? end_ns : begin_ns;
	}
	*lane = (struct parallelism_lane){ lane->key, process, at.time_ns, LANE_RUNS };
	add_change(m, begin_ns, process, 1);
}

/* ------------------------------------------------------------------------------------------- */

static void walk(struct parallelism_maker *m,
	void (*row)(struct parallelism_maker *, const struct switch_batch *, uint32_t))
{
	struct switch_merge merge;
	struct switch_batch b;
	uint32_t k;

	switch_merge_init(
		&merge, m->logs, m->n_logs, &(struct switch_merge_window){ .to_the_end = true });
	while (switch_merge_next(&merge, &b))
		for (k = b.from; k < b.to; k++)
			row(m, &b, k);
	switch_merge_release(&merge);
}

static void walk_switches(struct parallelism_maker *m)
{
	count_moments(m);
	make_room(m);
	walk(m, add_switch);
}

static int compare_changes(const void *pa, const void *pb)
{
	const struct parallelism_change *a = pa, *b = pb;

	return (a->time_ns > b->time_ns) - (a->time_ns < b->time_ns);
}

static void add_changes(struct parallelism_maker *m)
{
	size_t i;

	if (m->n_changes)
		sort_in_place(m->changes, m->n_changes, sizeof(*m->changes), compare_changes);
	for (i = 0; i < m->n_changes; i++)
		m->p->process[m->changes[i].process].to++;
	make_room(m);
	for (i = 0; i < m->n_changes; i++) {
		m->more[m->changes[i].process] += m->changes[i].by;
		add_step(m, m->changes[i].time_ns, m->changes[i].process);
	}
	free(m->changes);
}

static void walk_samples(struct parallelism_maker *m)
{
	uint32_t i;

	m->gaps = xcalloc(GAP_BUCKETS, sizeof(*m->gaps));
	walk(m, count_gap);
	m->interval_ns = median_gap(m);
	free(m->gaps);
	for (i = 0; i < m->n_lanes; i++)
		m->lanes[i].last_ns = 0;
	walk(m, add_sample);
	for (i = 0; i < m->n_lanes; i++)
		end_of_samples(m, &m->lanes[i], UINT64_MAX);
	add_changes(m);
}

void parallelism_make(struct parallelism *p, struct switch_log *logs, unsigned n,
	const struct parallelism_opts *o)
{
	struct parallelism_maker m = { .p = p, .logs = logs, .n_logs = n };
	unsigned i;

	*p = (struct parallelism){ .by_process = o->by_process, .count_at_most = o->count_at_most };
	init_classes(&m);
	if (o->from_samples)
		walk_samples(&m);
	else
		walk_switches(&m);
	for (i = 0; i < n; i++) {
		free(m.lane_of_class[i]);
		free(m.process_of_class[i]);
	}
	free(m.lane_of_class);
	free(m.process_of_class);
	free(m.lanes);
	free(m.more);
	index_release(&m.by_key);
}

void parallelism_release(struct parallelism *p)
{
	free(p->process);
	free(p->steps);
	index_release(&p->by_pid);
	*p = (struct parallelism){ 0 };
}

/* ---- look-ups ----------------------------------------------------------------------------- */

/* How many steps of a process are at or before the time, counted from all. Samples come in order,
 * mostly: from the step found last, the distance is doubled. */
static size_t steps_until(const struct parallelism *p, const struct parallelism_process *of,
	size_t near, uint64_t time_ns)
{
	size_t low = of->from, high = of->to, reach = 1;

	if (near < low || near > high)
		near = low;
	if (near > low && p->steps[near - 1].time_ns > time_ns) {
		high = near - 1;
		return bisect(i, low, high, p->steps[i].time_ns > time_ns);
	}
	for (low = near; low + reach < high; reach *= 2) {
		if (p->steps[low + reach].time_ns > time_ns) {
			high = low + reach;
			break;
		}
		low += reach;
	}
	return bisect(i, low, high, p->steps[i].time_ns > time_ns);
}

uint32_t parallelism_at(
	const struct parallelism *p, struct parallelism_cursor *c, int32_t pid, uint64_t time_ns)
{
	const struct parallelism_process *of;
	int64_t n;

	if (!p->by_process)
		pid = 0;
	if (c->process >= p->n_processes || p->process[c->process].pid != pid) {
		*c = (struct parallelism_cursor){ .process = find_process(p, pid) };
		if (c->process == INDEX_NONE)
			return 1;
	}
	of = &p->process[c->process];
	c->step = steps_until(p, of, c->step, time_ns);
	n = of->n_at_start;
	if (c->step > of->from)
		n += p->steps[c->step - 1].more;
	if (p->count_at_most && n > p->count_at_most)
		n = p->count_at_most;
	return n > 0 ? (uint32_t)n : 1;
}
