#include "input/samples.h"

#include "base/mem.h"
#include "input/named.h"

#include <stdlib.h>

static void set_row_stack(void *ctx, uint32_t tag, stack_no stack)
{
	struct timeline *t = ctx;

	t->rows[tag].stack = stack;
}

void samples_init(struct samples *s, struct recording *r, const struct script_rules *rules)
{
	*s = (struct samples){ .log = named_log_new() };
	script_usage_init(&s->usage, r, rules);
	ARRAY_RESERVE(s->entries, 64, s->cap_entries); /* a stack may be empty, never NULL */
	if (rules->opts->timeline) {
		s->timeline = timeline_new();
		stacklog_set_on_stack(s->log, set_row_stack, s->timeline);
	}
}

void samples_release(struct samples *s)
{
	script_usage_release(&s->usage);
	free(s->entries);
}

void samples_push(struct samples *s, site_id site)
{
	ARRAY_GROW(s->entries, s->n_entries, s->cap_entries);
	s->entries[s->n_entries++] = site;
}

void samples_reverse(struct samples *s)
{
	uint32_t i, n = s->n_entries;

	for (i = 0; i < n / 2; i++) {
		uint64_t swap = s->entries[i];

		s->entries[i] = s->entries[n - 1 - i];
		s->entries[n - 1 - i] = swap;
	}
}

static uint32_t add_row(struct samples *s, const struct script_sample *sample)
{
	struct script_thread_use *t = &s->usage.threads[sample->thread];
	struct timeline_row row = { .time_ns = sample->time_ns,
		.weight = sample->weight,
		.event = sample->event,
		.cpu = sample->cpu };

	if (t->timeline == UINT32_MAX)
		t->timeline = timeline_thread(s->timeline, t->use.pid, t->use.tid, t->use.name, 0);
	row.thread = t->timeline;
	return timeline_add(s->timeline, &row);
}

void samples_add(struct samples *s, const struct script_sample *sample)
{
	struct stacklog_sample l = { .weight = sample->weight };

	l.n = s->n_entries;
	l.entries = s->entries;
	l.at.time_ns = sample->time_ns;
	l.root = script_usage_root(&s->usage, sample);
	if (s->timeline)
		l.tag = add_row(s, sample);
	stacklog_add(s->log, &l);
}

/* ---- merging ---- */

void samples_hand_over(struct recording *r, struct samples *const *all, unsigned n)
{
	unsigned i;

	r->n_logs = n;
	r->logs = xcalloc(n, sizeof(struct stacklog *));
	if (n && all[0]->timeline)
		r->timelines = xcalloc(n, sizeof(struct timeline *));
	for (i = 0; i < n; i++) {
		stacklog_flush(all[i]->log);
		r->logs[i] = all[i]->log;
		if (r->timelines)
			r->timelines[i] = all[i]->timeline;
	}
}

static void renumber_rows(struct timeline *t, const uint32_t *event_number)
{
	size_t i;

	for (i = 0; t && i < t->n; i++)
		t->rows[i].event = event_number[t->rows[i].event];
}

/* Workers know the name of a thread in their blocks; the last in the text is the one to show. */
static void rename_threads(const struct recording *r, struct timeline *t)
{
	uint32_t i;

	for (i = 0; t && i < t->n_threads; i++)
		t->threads[i].name = script_usage_name(r, t->threads[i].pid, t->threads[i].tid);
}

int samples_merge(struct recording *r, struct samples *const *all, unsigned n,
	const struct sample_choice *choice, struct err *e)
{
	struct script_usage **usages = xcalloc(n, sizeof(struct script_usage *));
	uint32_t **event_number = xcalloc(n, sizeof(uint32_t *));
	unsigned i;
	int rc;

	for (i = 0; i < n; i++)
		usages[i] = &all[i]->usage;
	script_usage_merge(r, usages, n, event_number);
	for (i = 0; i < n; i++) {
		renumber_rows(all[i]->timeline, event_number[i]);
		rename_threads(r, all[i]->timeline);
		r->facts.has_callchains |= all[i]->saw_chain;
		free(event_number[i]);
	}
	rc = script_usage_check(usages, n, choice, e);
	free(event_number);
	free(usages);
	return rc;
}
