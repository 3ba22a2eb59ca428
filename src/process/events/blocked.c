#include "process/events/blocked.h"

#include "base/mem.h"
#include "base/saturated.h"

#include <stdlib.h>

enum {
	PARTS_EACH = 4, /* of the time, for each worker: one may be late */
	/* From this many rows for each struct switch_class on, sums are made by these first: one
	 * for each piece in place of three, in tables that are small beside the rows. */
	ROWS_EACH = 64,
};

/* What one share, of the threads or of the time waited, adds up to. */
struct weighed {
	uint64_t weight, samples;
};

struct blocked;

struct share {
	struct blocked *of;
	struct switches_sink to;
	struct switches_counts counts;
	struct weighed *event;
	struct weighed **stack, **use; /* of each log */
	struct switch_sum **what;      /* likewise, summed up first; NULL: there are too many */
};

struct blocked {
	struct recording *recording;
	struct switch_log *logs;
	const struct blocked_part *parts;
	unsigned n; /* of both */
	const struct switches_opts *opts;
	struct wakers *wakers;
	struct switches_parts *cut; /* of the time; NULL: the shares are of threads */
	_Atomic uint32_t next_cut;
	struct share *share;
	unsigned n_shares;
};

static inline void weigh(struct weighed *w, uint64_t weight, uint64_t samples)
{
	w->weight = saturated_add(w->weight, weight);
	w->samples += samples;
}

/* Adds one piece, or all that one struct switch_class has. */
static void weigh_what(struct share *s, uint32_t log, const struct switch_class *what,
	struct weighed by, bool woken)
{
	weigh(&s->use[log][what->thread], by.weight, by.samples);
	weigh(&s->event[what->event], by.weight, by.samples);
	if (!woken)
		weigh(&s->stack[log][what->stack], by.weight, by.samples);
}

static void take_row(struct share *s, const struct switches_interval *p)
{
	const struct blocked_part *part = &s->of->parts[p->log];
	const struct thread_use *use = &part->uses[p->what->thread];
	struct timeline_row row = {
		.time_ns = p->from_ns,
		.weight = p->duration_ns,
		.stack = p->what->stack,
		.event = p->what->event,
		.cpu = p->cpu,
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

static void take_piece(void *ctx, const struct switches_interval *p)
{
	struct share *s = ctx;
	const struct weighed by = { p->duration_ns, p->again ? 0 : 1 };

	weigh_what(s, p->log, p->what, by, p->waker);
	if (p->waker || s->of->parts[p->log].timeline)
		take_row(s, p);
}

static void share_init(struct share *s, struct blocked *b)
{
	unsigned i;

	s->of = b;
	s->event = xcalloc(b->recording->n_events, sizeof(*s->event));
	s->stack = xcalloc(b->n, sizeof(*s->stack));
	s->use = xcalloc(b->n, sizeof(*s->use));
	s->what = xcalloc(b->n, sizeof(*s->what));
	s->to = (struct switches_sink){ take_piece, s, s->what };
	for (i = 0; i < b->n; i++) {
		const struct switch_log *l = &b->logs[i];

		if (!b->parts[i].timeline && l->n_classes <= l->n / ROWS_EACH)
			s->what[i] = xcalloc(l->n_classes, sizeof(**s->what));
		s->stack[i] = xcalloc(stacklog_count(b->parts[i].log), sizeof(**s->stack));
		s->use[i] = xcalloc(b->parts[i].n_uses, sizeof(**s->use));
	}
}

static int join_share(void *ctx, unsigned number, struct err *e)
{
	struct blocked *b = ctx;
	struct share *s = &b->share[number];
	struct switches_opts o = *b->opts;
	uint32_t i;

	(void)e;
	share_init(s, b);
	if (b->cut) {
		while ((i = pool_next(&b->next_cut)) < switches_part_count(b->cut))
			switches_join_part(b->cut, i, &s->to);
		return OK;
	}
	o.share = number;
	o.shares = b->n_shares;
	switches_join(b->logs, b->n, &o, &s->counts, &s->to);
	return OK;
}

/* ---- what the shares have, together ------------------------------------------------------- */

static void add_stacks(struct stacklog *log, const struct weighed *stack)
{
	stack_id i, n = stacklog_count(log);

	for (i = 0; i < n; i++)
		if (stack[i].weight || stack[i].samples)
			stacklog_weigh(log, i, stack[i].weight,
				stack[i].samples < UINT32_MAX ? (uint32_t)stack[i].samples
							      : UINT32_MAX);
}

static void add_uses(const struct blocked_part *part, const struct weighed *use)
{
	uint32_t i;

	for (i = 0; i < part->n_uses; i++) {
		part->uses[i].samples += use[i].samples;
		part->uses[i].weight = saturated_add(part->uses[i].weight, use[i].weight);
	}
}

/* Adds what each struct switch_class summed up to all that it belongs to. */
static void share_out_whats(struct blocked *b, struct share *s)
{
	unsigned i;
	uint32_t k;

	for (i = 0; i < b->n; i++) {
		for (k = 0; s->what[i] && k < b->logs[i].n_classes; k++) {
			struct weighed by = { s->what[i][k].duration_ns, s->what[i][k].pieces };

			if (by.weight || by.samples)
				weigh_what(s, i, &b->logs[i].classes[k], by, false);
		}
		free(s->what[i]);
	}
	free(s->what);
}

static void add_share(struct blocked *b, struct share *s, struct blocked_total *total)
{
	struct recording *r = b->recording;
	uint32_t i;

	share_out_whats(b, s);
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
	struct blocked b = { .recording = r,
		.logs = logs,
		.parts = parts,
		.n = n,
		.opts = o,
		.wakers = wakers,
		.n_shares = pool ? pool_workers(pool) : 1 };
	struct err e;
	unsigned i;

	b.share = xcalloc(b.n_shares, sizeof(*b.share));
	switches_order(logs, n);
	if (b.n_shares > 1)
		b.cut = switches_cut(logs, n, o, PARTS_EACH * b.n_shares);
	pool_run(pool, join_share, &b, &e); /* which cannot fail */
	if (b.cut)
		switches_join_ends(b.cut, &b.share[0].counts, &b.share[0].to);
	for (i = 0; i < b.n_shares; i++)
		add_share(&b, &b.share[i], total);
	for (i = 0; i < n; i++)
		switch_log_release(&logs[i]);
	free(b.share);
}
