/*
 * text_log.c - from the samples of a text to stack logs
 *
 * A text names its frames, so the entries of a stack log are numbers of sites (text_frame.h). A
 * sample goes into the worker's own log, with a tag where a timeline or marks are wanted:
 *
 *	frames -- push --> entries[] -- add --> stacklog: stack, root, weight
 *	                                '-----> timeline or marks: a row, tagged with its stack
 *
 * Rows hold the worker's numbers of events, until text_log_merge() knows those of the recording.
 */
#include "input/text/text_log.h"

#include <stdlib.h>

void text_log_init(struct text_log *s, struct recording *r, const struct text_rules *rules)
{
	*s = (struct text_log){ .log = stacklog_new_of_sites() };
	text_usage_init(&s->usage, r, rules);
	ARRAY_RESERVE(s->entries, 64, s->cap_entries); /* a stack may be empty, but not NULL */
	if (rules->opts->timeline) {
		s->timeline = timeline_new();
		stacklog_set_on_stack(s->log, timeline_set_stack, s->timeline);
	}
}

void text_log_make_marks(struct text_log *s)
{
	s->marks = marks_new();
	stacklog_set_on_stack(s->log, marks_set_stack, s->marks);
}

void text_log_release(struct text_log *s)
{
	text_usage_release(&s->usage);
	free(s->entries);
}

void text_log_reverse(struct text_log *s)
{
	uint32_t i, n = s->n_entries;

	for (i = 0; i < n / 2; i++) {
		uint64_t swap = s->entries[i];

		s->entries[i] = s->entries[n - 1 - i];
		s->entries[n - 1 - i] = swap;
	}
}

/* The value of the label that timelines are divided by. */
static str_id find_group(struct text_log *s, str_id packed)
{
	struct strtab *strings = s->usage.recording->strings;
	struct label_list l = { 0 };
	const char *value;

	if (packed == s->group_of)
		return s->group;
	label_list_unpack(&l, strtab_get(strings, packed));
	value = label_list_find(&l, span_of(s->usage.rules->opts->by_label));
	s->group_of = packed;
	s->group = value ? strtab_add_str(strings, value) : 0;
	label_list_release(&l);
	return s->group;
}

static uint32_t thread_number(
	struct text_log *s, const struct text_counted *sample, struct timeline *of)
{
	struct text_usage_thread *t = &s->usage.threads[sample->thread];

	if (s->usage.rules->opts->by_label)
		return timeline_thread_in(
			of, t->use.pid, t->use.tid, find_group(s, sample->labels), t->use.name, 0);
	if (t->timeline == UINT32_MAX)
		t->timeline = timeline_thread(of, t->use.pid, t->use.tid, t->use.name, 0);
	return t->timeline;
}

static uint32_t add_row(struct text_log *s, const struct text_counted *sample)
{
	struct timeline_row row = { .time_ns = sample->time_ns,
		.weight = sample->weight,
		.event = sample->event,
		.cpu = sample->cpu,
		.thread = thread_number(s, sample, s->timeline) };

	return timeline_add(s->timeline, &row);
}

static uint32_t add_mark(struct text_log *s, const struct text_counted *sample)
{
	struct mark mark = { .time_ns = sample->time_ns,
		.position = sample->place,
		.thread = thread_number(s, sample, s->marks->threads),
		.event = (uint16_t)sample->event };

	return marks_add(s->marks, &mark);
}

void text_log_add(struct text_log *s, const struct text_counted *sample)
{
	struct stacklog_sample l = { .weight = sample->weight,
		.more_samples = stacklog_more(sample->samples) };

	l.n = s->n_entries;
	l.entries = s->entries;
	l.at.time_ns = sample->time_ns;
	l.root = text_usage_root(&s->usage, sample);
	if (s->timeline)
		l.tag = add_row(s, sample);
	else if (s->marks)
		l.tag = add_mark(s, sample);
	stacklog_add(s->log, &l);
}

/* ---- merging what all workers logged ---- */

void text_log_hand_over(struct recording *r, struct text_log *const *all, unsigned n)
{
	unsigned i;

	r->n_logs = n;
	r->logs = xcalloc(n, sizeof(struct stacklog *));
	if (n && all[0]->timeline)
		r->timelines = xcalloc(n, sizeof(struct timeline *));
	if (n && all[0]->marks)
		r->marks = xcalloc(n, sizeof(struct marks *));
	for (i = 0; i < n; i++) {
		stacklog_flush(all[i]->log);
		r->logs[i] = all[i]->log;
		if (r->timelines)
			r->timelines[i] = all[i]->timeline;
		if (r->marks)
			r->marks[i] = all[i]->marks;
	}
	if (r->marks)
		r->gaps = marks_merge_gaps(r->marks, n, &r->n_gaps);
}

static void renumber_rows(struct timeline *t, const uint32_t *event_number)
{
	size_t i;

	for (i = 0; t && i < t->n; i++)
		t->rows[i].event = event_number[t->rows[i].event];
}

static void renumber_marks(struct marks *m, const uint32_t *event_number)
{
	size_t i;

	for (i = 0; m && i < m->n; i++)
		m->mark[i].event = (uint16_t)event_number[m->mark[i].event];
}

/* A worker knows the name that a thread had in its blocks; the last one in the text is shown. */
static void rename_threads(const struct recording *r, struct timeline *t)
{
	uint32_t i;

	for (i = 0; t && i < t->n_threads; i++)
		t->threads[i].name = text_usage_name(r, t->threads[i].pid, t->threads[i].tid);
}

int text_log_merge(struct recording *r, struct text_log *const *all, unsigned n,
	const struct sample_choice *choice, struct err *e)
{
	struct text_usage **usages = xcalloc(n, sizeof(struct text_usage *));
	uint32_t **event_number = xcalloc(n, sizeof(uint32_t *));
	unsigned i;
	int rc;

	for (i = 0; i < n; i++)
		usages[i] = &all[i]->usage;
	text_usage_merge(r, usages, n, event_number);
	for (i = 0; i < n; i++) {
		renumber_rows(all[i]->timeline, event_number[i]);
		renumber_marks(all[i]->marks, event_number[i]);
		rename_threads(r, all[i]->timeline);
		rename_threads(r, all[i]->marks ? all[i]->marks->threads : NULL);
		r->facts.has_callchains |= all[i]->saw_chain;
		free(event_number[i]);
	}
	rc = text_usage_check(usages, n, choice, e);
	free(event_number);
	free(usages);
	return rc;
}
