#include "process/blocked.h"

#include "base/mem.h"
#include "base/saturated.h"

#include <stdlib.h>

/* What a share of the threads waited for, added up. */
struct weighed {
	uint64_t weight, samples;
};

struct blocked;

struct share {
	struct blocked *of;
	struct switches_counts counts;
	struct weighed *event;
	struct weighed **stack; /* of each log */
};

struct blocked {
	struct recording *recording;
	struct switch_log *logs;
	const struct blocked_part *parts;
	unsigned n; /* of both */
	const struct switches_opts *opts;
	struct wakers *wakers;
	struct share *share;
	unsigned n_shares;
};

static void weigh(struct weighed *w, uint64_t weight, uint32_t samples)
{
	w->weight = add_saturated(w->weight, weight);
	w->samples += samples;
}

static void take_piece(void *ctx, const struct switches_piece *p)
{
	struct share *s = ctx;
	const struct blocked_part *part = &s->of->parts[p->at.log];
	struct thread_use *use = &part->uses[p->row->thread]; /* no other share has it */
	uint32_t samples = p->again ? 0 : 1;
	struct timeline_row row;

	use->samples += samples;
	use->weight = add_saturated(use->weight, p->duration_ns);
	weigh(&s->event[p->row->event], p->duration_ns, samples);
	if (!p->waker)
		weigh(&s->stack[p->at.log][p->row->stack], p->duration_ns, samples);
	if (!p->waker && !part->timeline)
		return;
	row = (struct timeline_row){
		.time_ns = p->from_ns,
		.weight = p->duration_ns,
		.stack = p->row->stack,
		.event = p->row->event,
		.cpu = p->row->cpu,
	};
	if (p->waker) {
		uint32_t pair = wakers_add(s->of->wakers, p);

		if (part->timeline)
			wakers_add_row(s->of->wakers, pair, use, row);
		return;
	}
	row.thread =
		timeline_thread(part->timeline, use->pid, use->tid, use->name, use->name_time_ns);
	timeline_add(part->timeline, &row);
}

static int join_share(void *ctx, unsigned number, struct err *e)
{
	struct blocked *b = ctx;
	struct share *s = &b->share[number];
	struct switches_opts o = *b->opts;
	unsigned i;

	(void)e;
	s->of = b;
	s->event = xcalloc(b->recording->n_events, sizeof(*s->event));
	s->stack = xcalloc(b->n, sizeof(*s->stack));
	for (i = 0; i < b->n; i++)
		s->stack[i] = xcalloc(stacklog_count(b->parts[i].log), sizeof(**s->stack));
	o.share = number;
	o.shares = b->n_shares;
	switches_join(b->logs, b->n, &o, &s->counts, take_piece, s);
	return OK;
}

/* ---- what the shares have, together ------------------------------------------------------- */

static void add_stacks(struct stacklog *log, const struct weighed *stack)
{
	stack_no i, n = stacklog_count(log);

	for (i = 0; i < n; i++)
		if (stack[i].weight || stack[i].samples)
			stacklog_weigh(log, i, stack[i].weight,
				stack[i].samples < UINT32_MAX ? (uint32_t)stack[i].samples
							      : UINT32_MAX);
}

static void add_share(struct blocked *b, struct share *s, struct blocked_total *total)
{
	struct recording *r = b->recording;
	uint32_t i;

	for (i = 0; i < r->n_events; i++) {
		struct event *event = &r->events[i];

		event->kept += s->event[i].samples;
		event->weight = add_saturated(event->weight, s->event[i].weight);
		total->samples += s->event[i].samples;
		total->weight = add_saturated(total->weight, s->event[i].weight);
	}
	diag_add(&r->diag, DIAG_BLOCK_LOST, s->counts.lost, 0);
	diag_add(&r->diag, DIAG_BLOCK_UNENDED, s->counts.unended, 0);
	diag_add(&r->diag, DIAG_BLOCK_OPEN, s->counts.open, 0);
	for (i = 0; i < b->n; i++) {
		add_stacks(b->parts[i].log, s->stack[i]);
		free(s->stack[i]);
	}
	free(s->stack);
	free(s->event);
}

void blocked_join(struct recording *r, struct switch_log *logs, const struct blocked_part *parts,
	unsigned n, const struct switches_opts *o, struct wakers *wakers,
	struct blocked_total *total, struct pool *pool)
{
	struct blocked b = { r, logs, parts, n, o, wakers, NULL, pool ? pool_workers(pool) : 1 };
	struct err e;
	unsigned i;

	b.share = xcalloc(b.n_shares, sizeof(*b.share));
	switches_order(logs, n);
	pool_run(pool, join_share, &b, &e); /* which cannot fail */
	for (i = 0; i < b.n_shares; i++)
		add_share(&b, &b.share[i], total);
	for (i = 0; i < n; i++)
		switch_log_release(&logs[i]);
	free(b.share);
}
