/*
 * How off-CPU time gets to stacks: trace/switches.h emits intervals, and each is added to the
 * stack, the thread and the event of its class. Where there are many rows for a class, intervals
 * are summed up by class first (one addition in place of three, in tables that are small beside the
 * rows), and the sums are added at the end.
 *
 * If only departures and returns were recorded, the time is cut into parts, which the workers of
 * the pool join in parallel, each with sums of its own. Else, and where a timeline or wakers want
 * intervals in order, one worker joins all.
 *
 * Memory: 16 bytes for each stack, thread and class, times the workers.
 */
#include "process/events/blocked.h"

#include "base/mem.h"
#include "base/saturated.h"

#include <stdlib.h>

enum {
	PARTS_PER_WORKER = 4, /* one may be late */
	ROWS_PER_CLASS = 64,  /* from here on sums are made by class first */
};

struct blocked_sum {
	uint64_t weight, samples;
};

/* What one worker adds up. */
struct blocked_sums {
	struct blocked *all;
	struct switches_sink sink;
	struct switches_counts counts;
	struct blocked_sum *event;
	struct blocked_sum **stack, **use; /* of each log */
	struct switch_sum **class;         /* likewise; NULL: intervals are not summed up first */
};

struct blocked {
	struct recording *recording;
	struct switch_log *logs;
	const struct blocked_part *parts;
	unsigned n; /* of both */
	struct wakers *wakers;
	struct switches_parts *cut;
	_Atomic uint32_t next_cut;
	struct blocked_sums *sums;
};

static inline void add(struct blocked_sum *to, struct blocked_sum by)
{
	to->weight = saturated_add(to->weight, by.weight);
	to->samples += by.samples;
}

/* Adds one interval, or all that one class has. */
static void add_to_class(struct blocked_sums *s, uint32_t log, const struct switch_class *class,
	struct blocked_sum by, bool woken)
{
	add(&s->use[log][class->thread], by);
	add(&s->event[class->event], by);
	if (!woken)
		add(&s->stack[log][class->stack], by);
}

static void add_row(struct blocked_sums *s, const struct switches_interval *p)
{
	const struct blocked_part *part = &s->all->parts[p->log];
	const struct thread_use *use = &part->uses[p->class->thread];
	struct timeline_row row = {
		.time_ns = p->from_ns,
		.weight = p->duration_ns,
		.stack = p->class->stack,
		.event = p->class->event,
		.wait = p->class->kind == SWITCH_OUT ? p->class->state + 1 : 0,
		.cpu = p->cpu,
	};

	if (p->n_wakers) {
		uint32_t chain = wakers_add(s->all->wakers, p);

		if (part->timeline)
			wakers_add_row(s->all->wakers, chain, use, row);
		return;
	}
	row.thread =
		timeline_thread(part->timeline, use->pid, use->tid, use->name, use->name_time_ns);
	timeline_add(part->timeline, &row);
}

static void add_interval(void *ctx, const struct switches_interval *p)
{
	struct blocked_sums *s = ctx;

	add_to_class(s, p->log, p->class, (struct blocked_sum){ p->duration_ns, !p->again },
		p->n_wakers);
	if (p->n_wakers || s->all->parts[p->log].timeline)
		add_row(s, p);
}

static void sums_init(struct blocked_sums *s, struct blocked *b)
{
	unsigned i;

	s->all = b;
	s->event = xcalloc(b->recording->n_events, sizeof(*s->event));
	s->stack = xcalloc(b->n, sizeof(*s->stack));
	s->use = xcalloc(b->n, sizeof(*s->use));
	s->class = xcalloc(b->n, sizeof(*s->class));
	s->sink = (struct switches_sink){ add_interval, s, s->class };
	for (i = 0; i < b->n; i++) {
		const struct switch_log *l = &b->logs[i];

		if (!b->parts[i].timeline && l->n_classes <= l->n / ROWS_PER_CLASS)
			s->class[i] = xcalloc(l->n_classes, sizeof(**s->class));
		s->stack[i] = xcalloc(stacklog_count(b->parts[i].log), sizeof(**s->stack));
		s->use[i] = xcalloc(b->parts[i].n_uses, sizeof(**s->use));
	}
}

static int join_parts(void *ctx, unsigned worker, struct err *e)
{
	struct blocked *b = ctx;
	uint32_t i;

	(void)e;
	while ((i = pool_next(&b->next_cut)) < switches_part_count(b->cut))
		switches_join_part(b->cut, i, &b->sums[worker].sink);
	return OK;
}

/* ---- sums into the recording -------------------------------------------------------------- */

static void add_stacks(struct stacklog *log, const struct blocked_sum *stack)
{
	stack_id i, n = stacklog_count(log);

	for (i = 0; i < n; i++)
		if (stack[i].weight || stack[i].samples)
			stacklog_weigh(log, i, stack[i].weight,
				stack[i].samples < UINT32_MAX ? (uint32_t)stack[i].samples
							      : UINT32_MAX);
}

static void add_uses(const struct blocked_part *part, const struct blocked_sum *use)
{
	uint32_t i;

	for (i = 0; i < part->n_uses; i++) {
		part->uses[i].samples += use[i].samples;
		part->uses[i].weight = saturated_add(part->uses[i].weight, use[i].weight);
	}
}

static void add_classes(struct blocked *b, struct blocked_sums *s)
{
	unsigned i;
	uint32_t k;

	for (i = 0; i < b->n; i++) {
		for (k = 0; s->class[i] && k < b->logs[i].n_classes; k++) {
			struct blocked_sum by = { s->class[i][k].duration_ns,
				s->class[i][k].intervals };

			if (by.weight || by.samples)
				add_to_class(s, i, &b->logs[i].classes[k], by, false);
		}
		free(s->class[i]);
	}
	free(s->class);
}

/* Frees s. */
static void add_sums(struct blocked *b, struct blocked_sums *s, struct blocked_total *total)
{
	struct recording *r = b->recording;
	uint32_t i;

	add_classes(b, s);
	for (i = 0; i < r->n_events; i++) {
		struct event *event = &r->events[i];

		event->kept += s->event[i].samples;
		event->weight = saturated_add(event->weight, s->event[i].weight);
		total->samples += s->event[i].samples;
		total->weight = saturated_add(total->weight, s->event[i].weight);
	}
	diag_add(&r->diag, DIAG_BLOCK_LOST, s->counts.lost, 0);
	diag_add(&r->diag, DIAG_BLOCK_UNENDED, s->counts.unended, 0);
	diag_add(&r->diag, DIAG_BLOCK_OPEN, s->counts.open, 0);
	for (i = 0; i < b->n; i++) {
		add_stacks(b->parts[i].log, s->stack[i]);
		add_uses(&b->parts[i], s->use[i]);
		free(s->stack[i]);
		free(s->use[i]);
	}
	free(s->stack);
	free(s->use);
	free(s->event);
}

void blocked_join(struct recording *r, struct switch_log *logs, const struct blocked_part *parts,
	unsigned n, const struct switches_opts *o, struct wakers *wakers,
	struct blocked_total *total, struct pool *pool)
{
	struct blocked b = {
		.recording = r, .logs = logs, .parts = parts, .n = n, .wakers = wakers
	};
	unsigned n_sums = pool_workers(pool), i;
	struct err e;

	if (n_sums > 1)
		b.cut = switches_cut(logs, n, o, PARTS_PER_WORKER * n_sums);
	if (!b.cut)
		n_sums = 1;
	b.sums = xcalloc(n_sums, sizeof(*b.sums));
	for (i = 0; i < n_sums; i++)
		sums_init(&b.sums[i], &b);
	if (b.cut) {
		pool_run(pool, join_parts, &b, &e); /* which cannot fail */
		switches_join_ends(b.cut, &b.sums[0].counts, &b.sums[0].sink);
	} else {
		switches_join(logs, n, o, &b.sums[0].counts, &b.sums[0].sink);
	}
	for (i = 0; i < n_sums; i++)
		add_sums(&b, &b.sums[i], total);
	for (i = 0; i < n; i++)
		switch_log_release(&logs[i]);
	free(b.sums);
}
