#include "process/blocked.h"

#include "base/mem.h"
#include "base/saturated.h"

struct blocked {
	struct recording *recording;
	const struct blocked_part *parts;
	struct wakers *wakers;
	struct blocked_total *total;
};

static void count(struct blocked *b, const struct switches_piece *p, struct thread_use *use)
{
	struct event *event = &b->recording->events[p->row->event];
	uint32_t samples = p->again ? 0 : 1;

	use->samples += samples;
	use->weight = add_saturated(use->weight, p->duration_ns);
	event->kept += samples;
	event->weight = add_saturated(event->weight, p->duration_ns);
	b->total->samples += samples;
	b->total->weight = add_saturated(b->total->weight, p->duration_ns);
}

static void take_piece(void *ctx, const struct switches_piece *p)
{
	struct blocked *b = ctx;
	const struct blocked_part *part = &b->parts[p->at.log];
	struct thread_use *use = &part->uses[p->row->thread];
	struct timeline_row row = {
		.time_ns = p->from_ns,
		.weight = p->duration_ns,
		.stack = p->row->stack,
		.event = p->row->event,
		.cpu = p->row->cpu,
	};

	count(b, p, use);
	if (p->waker) {
		uint32_t pair = wakers_add(b->wakers, p);

		if (part->timeline)
			wakers_add_row(b->wakers, pair, use, row);
		return;
	}
	stacklog_weigh(part->log, p->row->stack, p->duration_ns, p->again ? 0 : 1);
	if (!part->timeline)
		return;
	row.thread =
		timeline_thread(part->timeline, use->pid, use->tid, use->name, use->name_time_ns);
	timeline_add(part->timeline, &row);
}

void blocked_join(struct recording *r, struct switch_log *logs, const struct blocked_part *parts,
	unsigned n, const struct switches_opts *o, struct wakers *wakers,
	struct blocked_total *total)
{
	struct blocked b = { r, parts, wakers, total };
	struct switches_counts counts;
	unsigned i;

	switches_join(logs, n, o, &counts, take_piece, &b);
	diag_add(&r->diag, DIAG_BLOCK_LOST, counts.lost, 0);
	diag_add(&r->diag, DIAG_BLOCK_UNENDED, counts.unended, 0);
	diag_add(&r->diag, DIAG_BLOCK_OPEN, counts.open, 0);
	for (i = 0; i < n; i++)
		switch_log_release(&logs[i]);
}
