/*
 * Each row is 8 bytes of a switch_log. Its class is found by its thread and kind among those found
 * last, else by hash. Rows are in the order of the file; parallelism_make() merges those of all
 * workers in order of time, so that it makes no difference who saw what.
 *
 * Cost: there can be a million switches between two samples, so a switch is not decoded as other
 * records are: where the trailers of all events are alike, as perf record makes them, thread and
 * time are two loads (read_plain_switch()). Of 10 million switches, decoding them took a sixth of
 * the run. running_test.c compares the two ways.
 */
#include "process/events/running_log.h"

#include "base/hash.h"
#include "base/mem.h"
#include "process/events/switch_events.h"

#include <stdlib.h>
#include <string.h>

enum { LAST_SLOTS = 1024 };

static struct perfdata_trailer_offsets common_trailer(const struct perfdata *pd)
{
	uint32_t n, i;
	const struct perfdata_attr *a = perfdata_attrs(pd, &n);

	if (!n)
		return (struct perfdata_trailer_offsets){ 0 };
	for (i = 0; i < n; i++)
		if (!a[i].offsets.trailer.time || !a[i].offsets.trailer.tid ||
			memcmp(&a[i].offsets.trailer, &a->offsets.trailer,
				sizeof(a->offsets.trailer)) != 0)
			return (struct perfdata_trailer_offsets){ 0 };
	return a->offsets.trailer;
}

void running_log_init(struct running_log *l, const struct perfdata *pd, uint32_t event)
{
	uint32_t unused;

	*l = (struct running_log){
		.pd = pd,
		.attrs = perfdata_attrs(pd, &unused),
		.event = event,
		.trailer = common_trailer(pd),
		.last = xcalloc(LAST_SLOTS, sizeof(*l->last)),
	};
}

void running_log_release(struct running_log *l)
{
	switch_log_release(&l->log);
	index_release(&l->by_class);
	free(l->last);
	*l = (struct running_log){ 0 };
}

/* ---- classes ------------------------------------------------------------------------------ */

static inline bool is_class(const struct running_log *l, uint32_t i, const struct switch_class *of)
{
	const struct switch_class *class = &l->log.classes[i];

	return class->tid == of->tid && class->thread == of->thread && class->kind == of->kind;
}

static uint32_t look_up_class(struct running_log *l, const struct switch_class *of)
{
	uint64_t hash = hash_pair((uint64_t)of->thread << 32 | (uint32_t)of->tid, of->kind);
	struct index_cursor c;
	uint32_t i;

	index_for_each (&l->by_class, hash, c, i)
		if (is_class(l, i, of))
			return i;
	i = switch_log_add_class(&l->log, of);
	if (i != SWITCH_NO_CLASS)
		index_add(&l->by_class, hash, i);
	return i;
}

static inline uint32_t find_class(struct running_log *l, const struct switch_class *of)
{
	uint32_t *last = &l->last[((uint32_t)of->tid * 4 + of->kind) % LAST_SLOTS];

	if (*last >= l->log.n_classes || !is_class(l, *last, of))
		*last = look_up_class(l, of);
	return *last;
}

static inline void add(struct running_log *l, enum switch_kind kind, int32_t pid, int32_t tid,
	int32_t cpu, uint64_t time_ns)
{
	struct switch_seen seen = {
		.class = { .thread = (uint32_t)pid, .tid = tid, .kind = kind },
		.time_ns = time_ns,
		.other_tid = SWITCH_NOBODY,
		.cpu = cpu,
	};

	if (time_ns)
		switch_log_add(&l->log, find_class(l, &seen.class), &seen);
}

/* ---- records ------------------------------------------------------------------------------ */

/* Idle (0) is no thread. */
static inline void add_switch(
	struct running_log *l, enum switch_kind kind, int32_t pid, int32_t tid, uint64_t time_ns)
{
	if (tid > 0)
		add(l, kind, pid, tid, -1, time_ns);
}

/* Where trailers are alike, it is not needed which event the record came with. */
static inline void read_plain_switch(struct running_log *l, const struct perfdata_record *r)
{
	const uint8_t *end = r->p + r->size, *thread = end - l->trailer.tid;
	bool swapped = l->attrs->swapped;

	if (r->size - RECORD_HEADER_BYTES >= l->trailer.bytes)
		add_switch(l, perfdata_record_is_switch_out(r) ? SWITCH_OUT : SWITCH_IN,
			(int32_t)bytes_u32(thread, swapped),
			(int32_t)bytes_u32(thread + 4, swapped),
			bytes_u64(end - l->trailer.time, swapped));
}

static void read_switch(struct running_log *l, const struct perfdata_record *r)
{
	struct perfdata_trailer t;
	struct perfdata_switch s;

	if (perfdata_record_decode_switch(l->pd, r, &s) &&
		perfdata_record_decode_trailer(l->pd, r, &t) && t.has_time)
		add_switch(l, s.out ? SWITCH_OUT : SWITCH_IN, t.pid, t.tid, t.time_ns);
}

/* No switch follows the end of a thread. */
static void read_exit(struct running_log *l, const struct perfdata_record *r)
{
	struct perfdata_task t;

	if (perfdata_record_decode_task(l->pd, r, &t))
		add_switch(l, SWITCH_OUT, t.pid, t.tid, t.time_ns);
}

/* perf record's own command begins with an exec, not with a switch. */
static void read_comm(struct running_log *l, const struct perfdata_record *r)
{
	struct perfdata_trailer t;
	struct perfdata_comm c;

	if (perfdata_record_decode_comm(l->pd, r, &c) && c.exec &&
		perfdata_record_decode_trailer(l->pd, r, &t) && t.has_time)
		add_switch(l, SWITCH_IN, c.pid, c.tid, t.time_ns);
}

/* Its thread makes no difference. */
static void read_moment(struct running_log *l, const struct perfdata_record *r)
{
	const struct perfdata_attr *a;
	uint64_t time_ns;
	uint32_t event;

	if (!perfdata_sample_event(l->pd, r, &event))
		return;
	a = &l->attrs[event];
	if (perfdata_sample_time(a, r, &time_ns))
		add(l, SWITCH_RAN, perfdata_sample_pid(a, r), 0, -1, time_ns);
}

static void read_sample(struct running_log *l, const struct perfdata_record *r)
{
	struct perfdata_sample s;
	uint32_t event;

	if (perfdata_sample_event(l->pd, r, &event) && event == l->event &&
		perfdata_sample_decode(&l->attrs[event], r, &s) && s.tid > 0)
		add(l, SWITCH_RAN, s.pid, s.tid, switch_events_cpu(s.cpu), s.time_ns);
}

static void read_record(struct running_log *l, const struct perfdata_record *r)
{
	switch (r->type) {
	case RECORD_SAMPLE:
		read_moment(l, r);
		break;
	case RECORD_SWITCH:
	case RECORD_SWITCH_CPU_WIDE:
		if (l->trailer.bytes && r->type == RECORD_SWITCH)
			read_plain_switch(l, r);
		else
			read_switch(l, r);
		break;
	case RECORD_EXIT:
		read_exit(l, r);
		break;
	case RECORD_COMM:
		read_comm(l, r);
		break;
	}
}

void running_log_add_block(struct running_log *l, struct perfdata_block *b)
{
	struct perfdata_record r;

	while (perfdata_block_next(b, &r)) {
		if (l->event == RUNNING_SWITCHES)
			read_record(l, &r);
		else if (r.type == RECORD_SAMPLE)
			read_sample(l, &r);
	}
}
