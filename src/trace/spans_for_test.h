/* spans_for_test.h - a recording of marks, as tests of pairs need it */
#ifndef PERFOLD_TRACE_SPANS_FOR_TEST_H
#define PERFOLD_TRACE_SPANS_FOR_TEST_H

#include "model/durations.h"

#include <stdlib.h>

struct marked {
	struct strtab *strings;
	struct frames *frames;
	struct recording *r;
	struct marks *marks;
	struct durations d; /* what was made of it */
};

static inline void marked_init(struct marked *m, const char *const *events)
{
	*m = (struct marked){ .strings = strtab_new() };
	m->frames = frames_new(m->strings);
	m->r = recording_new("test", m->strings, m->frames);
	m->r->marks = calloc(1, sizeof(struct marks *));
	m->r->marks[0] = m->marks = marks_new();
	m->r->n_logs = 1;
	m->r->logs = calloc(1, sizeof(struct stacklog *));
	m->r->logs[0] = stacklog_new(NULL, NULL);
	while (events[m->r->n_events])
		m->r->n_events++;
	m->r->events = calloc(m->r->n_events, sizeof(struct event));
	for (uint32_t i = 0; i < m->r->n_events; i++)
		m->r->events[i] = (struct event){ .name = strtab_add_str(m->strings, events[i]),
			.tracepoint = strchr(events[i], ':') != NULL,
			.chosen = true };
}

static inline void marked_release(struct marked *m)
{
	durations_release(&m->d);
	recording_free(m->r);
	frames_free(m->frames);
	strtab_free(m->strings);
}

static inline int marked_setup(void **state)
{
	*state = calloc(1, sizeof(struct marked));
	return *state ? 0 : -1;
}

static inline int marked_teardown(void **state)
{
	marked_release(*state);
	free(*state);
	return 0;
}

/* Records were lost between these times; there is one such gap. */
static inline void marked_lose(struct marked *m, uint64_t from_ns, uint64_t to_ns)
{
	m->r->gaps = calloc(1, sizeof(*m->r->gaps));
	m->r->gaps[0] = (struct mark_gap){ from_ns, to_ns };
	m->r->n_gaps = 1;
}

/* The process is tid / 10; values belong to the mark added last. */
static inline void marked_add(struct marked *m, uint64_t time_ns, int32_t tid, uint16_t event)
{
	struct mark mark = { .time_ns = time_ns,
		.position = m->marks->n,
		.thread = timeline_thread(m->marks->threads, tid / 10, tid, 0, 0),
		.event = event };

	marks_add(m->marks, &mark);
}

static inline void marked_number(struct marked *m, uint32_t field, int64_t value)
{
	struct field_value v = { .has_number = true, .number = (uint64_t)value };

	marks_add_value(m->marks, field, &v, m->strings);
}

static inline void marked_text(struct marked *m, uint32_t field, const char *value)
{
	struct field_value v = { .has_text = true, .text = span_of(value) };

	marks_add_value(m->marks, field, &v, m->strings);
}

#endif
