/*
 * How phases become iterations: the durations of libuv's phases are sorted by thread and time, and
 * those inside another are dropped. System calls that wait go to the uv__io_poll around them.
 *
 *	poll ── check ─┄┄┄─ timers ── idle ── prepare ── poll ──
 *	├─ wait, rest   └ closing, inlined: a gap        │
 *	└───────────────── iteration ────────────────────┘
 *
 * One walk over the sorted phases emits the gaps between neighbours that are inlined phases (the
 * table `gaps`), the parts of each poll, and an iteration from one poll to the next. Where records
 * were lost in between, nothing is emitted.
 *
 * Without probes, the waits alone divide the time into iterations.
 *
 * The stack of an iteration is the longest that more than half of its CPU samples share: nodes of a
 * profile are in preorder, so a subtree is a range of numbers and the middle one of the sorted
 * nodes, or one of its callers, is that stack.
 */
#include "trace/event_loop.h"

#include "base/amount.h"
#include "base/mem.h"
#include "base/bisect.h"

#include <stdlib.h>

enum phase { PENDING, IDLE, PREPARE, POLL, CHECK, CLOSING, TIMERS, PHASES, NO_PHASE = PHASES };

static const char *const names[PHASES] = { "uv__run_pending", "uv__run_idle", "uv__run_prepare",
	LOOP_POLL, "uv__run_check", "uv__run_closing_handles", "uv__run_timers" };

/* The phase between two others, if it has no function of its own. */
static const struct {
	enum phase after, before, is;
	const char *name;
} gaps[] = {
	{ TIMERS, IDLE, PENDING, "uv__run_pending (inlined)" },
	{ POLL, CHECK, PENDING, "uv__run_pending (inlined)" },
	{ CHECK, TIMERS, CLOSING, "uv__run_closing_handles (inlined)" },
};

/* A phase that is not inside another, or a wait. */
struct loop_interval {
	uint32_t thread;
	enum phase phase;
	uint64_t from_ns, until_ns, wait_ns;
	str_id name;
};

struct loop {
	struct durations *d;
	const struct recording *r;
	const struct profile *p;
	uint32_t first_thread;
	struct loop_interval *intervals; /* by thread, then time */
	size_t n, cap;
	struct loop_interval *waits; /* likewise */
	size_t n_waits, cap_waits;
	const struct mark **samples; /* likewise */
	size_t n_samples, cap_samples;
	bool recorded[PHASES]; /* the recording has events of it */
};

/* ---- parts -------------------------------------------------------------------------------- */

static int compare_intervals(const void *pa, const void *pb)
{
	const struct loop_interval *a = pa, *b = pb;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->from_ns != b->from_ns)
		return a->from_ns < b->from_ns ? -1 : 1;
	return (a->until_ns < b->until_ns) - (a->until_ns > b->until_ns);
}

static enum phase phase_of(const struct loop *l, str_id name)
{
	struct span s = strtab_get(l->r->strings, name);
	int i;

	for (i = 0; i < PHASES; i++)
		if (span_eq(s, span_of(names[i])))
			return (enum phase)i;
	return NO_PHASE;
}

static void find_intervals(struct loop *l, size_t first_item)
{
	enum phase *of_kind = xcalloc(l->d->n_kinds, sizeof(*of_kind));
	size_t i;
	uint32_t k;

	for (k = 0; k < l->d->n_kinds; k++)
		of_kind[k] = phase_of(l, l->d->kinds[k].name);
	for (i = first_item; i < l->d->n; i++) {
		const struct duration *item = &l->d->item[i];
		struct loop_interval found = { item->thread, of_kind[item->kind], item->from_ns,
			item->from_ns + item->duration_ns, 0, l->d->kinds[item->kind].name };

		if (found.phase == NO_PHASE) {
			ARRAY_GROW(l->waits, l->n_waits, l->cap_waits);
			l->waits[l->n_waits++] = found;
		} else {
			l->recorded[found.phase] = true;
			ARRAY_GROW(l->intervals, l->n, l->cap);
			l->intervals[l->n++] = found;
		}
	}
	free(of_kind);
	if (l->n)
		qsort(l->intervals, l->n, sizeof(*l->intervals), compare_intervals);
	if (l->n_waits)
		qsort(l->waits, l->n_waits, sizeof(*l->waits), compare_intervals);
}

static void drop_inner(struct loop *l)
{
	size_t i, n = 0;

	for (i = 0; i < l->n; i++)
		if (!n || l->intervals[i].thread != l->intervals[n - 1].thread ||
			l->intervals[i].from_ns >= l->intervals[n - 1].until_ns)
			l->intervals[n++] = l->intervals[i];
	l->n = n;
}

/* Both are sorted. */
static void add_waits(struct loop *l)
{
	size_t i = 0, k;

	for (k = 0; k < l->n_waits; k++) {
		const struct loop_interval *w = &l->waits[k];

		while (i < l->n && (l->intervals[i].thread < w->thread ||
					   (l->intervals[i].thread == w->thread &&
						   l->intervals[i].until_ns <= w->from_ns)))
			i++;
		if (i < l->n && l->intervals[i].phase == POLL &&
			l->intervals[i].thread == w->thread &&
			l->intervals[i].from_ns <= w->from_ns &&
			w->until_ns <= l->intervals[i].until_ns)
			l->intervals[i].wait_ns += w->until_ns - w->from_ns;
	}
}

/* ---- samples ------------------------------------------------------------------------------ */

static int compare_samples(const void *pa, const void *pb)
{
	const struct mark *a = *(const struct mark *const *)pa;
	const struct mark *b = *(const struct mark *const *)pb;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return (a->position > b->position) - (a->position < b->position);
}

static void find_samples(struct loop *l)
{
	const struct marks *m = l->r->marks[0];
	size_t i;

	for (i = 0; i < m->n; i++) {
		if (l->r->events[m->mark[i].event].tracepoint)
			continue;
		ARRAY_GROW(l->samples, l->n_samples, l->cap_samples);
		l->samples[l->n_samples++] = &m->mark[i];
	}
	if (l->n_samples)
		qsort(l->samples, l->n_samples, sizeof(*l->samples), compare_samples);
}

static void assign_samples(struct loop *l, struct loop_samples *out)
{
	str_id outside = strtab_add_str(l->r->strings, LOOP_OUTSIDE);
	size_t i, at = 0;

	for (i = 0; i < l->n_samples; i++) {
		const struct mark *s = l->samples[i];
		uint32_t thread = l->first_thread + s->thread;
		bool inside;

		while (at < l->n && (l->intervals[at].thread < thread ||
					    (l->intervals[at].thread == thread &&
						    l->intervals[at].until_ns <= s->time_ns)))
			at++;
		inside = at < l->n && l->intervals[at].thread == thread &&
			 l->intervals[at].from_ns <= s->time_ns;
		ARRAY_GROW(out->item, out->n, out->cap);
		out->item[out->n++] =
			(struct loop_sample){ inside ? l->intervals[at].name : outside, s->stack };
	}
}

void event_loop_samples_release(struct loop_samples *s)
{
	free(s->item);
	*s = (struct loop_samples){ 0 };
}

/* The first sample of a thread that is not before a time. */
static size_t sample_from(const struct loop *l, uint32_t thread, uint64_t time_ns)
{
	struct mark wanted = { .thread = thread, .time_ns = time_ns };
	const struct mark *key = &wanted;
	return bisect(i, 0, l->n_samples, compare_samples(&l->samples[i], &key) >= 0);
}

static int compare_nodes(const void *pa, const void *pb)
{
	const node_id *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

/* How many of n nodes, which are sorted, are in a subtree. */
static size_t count_in(const struct profile *p, node_id root, const node_id *node, size_t n)
{
	size_t i, in = 0;

	for (i = 0; i < n; i++)
		in += node[i] >= root && node[i] - root < p->nodes[root].subtree;
	return in;
}

/* The longest stack that more than half of the samples in a time share; MARK_NO_STACK: there is
 * none. Nodes are in preorder, so the middle node or one of its callers ends it. */
static node_id busiest_stack(
	const struct loop *l, uint32_t thread, uint64_t from_ns, uint64_t until_ns)
{
	size_t first = sample_from(l, thread - l->first_thread, from_ns), i, n_nodes = 0;
	size_t n = sample_from(l, thread - l->first_thread, until_ns) - first;
	node_id *node = xcalloc(n, sizeof(*node)), best = 0;

	for (i = 0; i < n; i++)
		if (l->samples[first + i]->stack < l->p->n_nodes)
			node[n_nodes++] = l->samples[first + i]->stack;
	if (n_nodes) {
		qsort(node, n_nodes, sizeof(*node), compare_nodes);
		best = node[n_nodes / 2];
	}
	while (best && 2 * count_in(l->p, best, node, n_nodes) <= n_nodes)
		best = l->p->nodes[best].parent;
	free(node);
	return best ? best : MARK_NO_STACK;
}

/* ---- durations ---------------------------------------------------------------------------- */

static void add(struct loop *l, const char *name, const struct loop_interval *from,
	uint64_t duration_ns, node_id stack, str_id detail)
{
	durations_add(
		l->d, &(struct duration){ .from_ns = from->from_ns,
			      .duration_ns = duration_ns,
			      .kind = durations_kind(l->d, strtab_add_str(l->r->strings, name)),
			      .thread = from->thread,
			      .stack = stack,
			      .detail = detail });
}

static bool is_lost(const struct loop *l, uint64_t from_ns, uint64_t until_ns)
{
	size_t i;

	/* Gaps are few. */
	for (i = 0; i < l->r->n_gaps; i++)
		if (l->r->gaps[i].from_ns < until_ns && l->r->gaps[i].to_ns > from_ns)
			return true;
	return false;
}

static void add_gap(struct loop *l, const struct loop_interval *a, const struct loop_interval *b)
{
	struct loop_interval gap = { .thread = a->thread, .from_ns = a->until_ns };
	size_t i;

	for (i = 0; i < ARRAY_LEN(gaps); i++)
		if (a->phase == gaps[i].after && b->phase == gaps[i].before &&
			!l->recorded[gaps[i].is] && !is_lost(l, a->until_ns, b->from_ns))
			add(l, gaps[i].name, &gap, b->from_ns - a->until_ns, MARK_NO_STACK, 0);
}

static void split_poll(struct loop *l, const struct loop_interval *p)
{
	if (!l->n_waits)
		return;
	add(l, LOOP_WAIT, p, p->wait_ns, MARK_NO_STACK, 0);
	add(l, LOOP_CALLBACKS, p, p->until_ns - p->from_ns - p->wait_ns,
		busiest_stack(l, p->thread, p->from_ns, p->until_ns), 0);
}

/* "callbacks 12.1 ms, uv__run_timers 3.02 ms": what took long, in order. */
static str_id describe(const struct loop *l, size_t first, size_t end)
{
	struct buf b = { 0 };
	str_id text;
	uint64_t whole = l->intervals[end].from_ns - l->intervals[first].from_ns;
	size_t i;

	for (i = first; i < end; i++) {
		const struct loop_interval *p = &l->intervals[i];
		uint64_t busy = p->until_ns - p->from_ns - p->wait_ns;

		if (busy < whole / 50)
			continue;
		buf_puts(&b, b.n ? ", " : "");
		if (p->phase == POLL && l->n_waits)
			buf_puts(&b, "callbacks");
		else
			buf_puts(&b, names[p->phase]);
		buf_putc(&b, ' ');
		amount_put_time(&b, busy);
	}
	text = b.n ? strtab_add(l->r->strings, buf_span(&b)) : 0;
	buf_release(&b);
	return text;
}

/* From one uv__io_poll to the next: parts[first..end). */
static void add_iteration(struct loop *l, size_t first, size_t end)
{
	const struct loop_interval *p = &l->intervals[first];
	uint64_t until_ns = l->intervals[end].from_ns;
	node_id stack;
	str_id detail;

	if (is_lost(l, p->from_ns, until_ns))
		return;
	stack = busiest_stack(l, p->thread, p->from_ns, until_ns);
	detail = describe(l, first, end);
	add(l, LOOP_ITERATION, p, until_ns - p->from_ns, stack, detail);
	if (l->n_waits)
		add(l, LOOP_BUSY, p, until_ns - p->from_ns - p->wait_ns, stack, detail);
}

/* It is no news that a loop waits, once the wait is shown by itself. */
static void mark_waits(struct loop *l)
{
	static const char *const waits[] = { LOOP_ITERATION, LOOP_POLL, LOOP_WAIT, LOOP_CALLBACKS };
	size_t i;

	for (i = 0; i < ARRAY_LEN(waits) && l->n_waits; i++)
		l->d->kinds[durations_kind(l->d, strtab_add_str(l->r->strings, waits[i]))].waits =
			true;
	for (i = 0; i < l->n_waits; i++)
		l->d->kinds[durations_kind(l->d, l->waits[i].name)].waits = true;
}

static void walk(struct loop *l)
{
	size_t i, poll = SIZE_MAX;

	for (i = 0; i < l->n; i++) {
		const struct loop_interval *p = &l->intervals[i];

		if (i && p->thread != p[-1].thread)
			poll = SIZE_MAX;
		else if (i)
			add_gap(l, &p[-1], p);
		if (p->phase != POLL)
			continue;
		split_poll(l, p);
		if (poll != SIZE_MAX)
			add_iteration(l, poll, i);
		poll = i;
	}
}

static bool is_wait(const struct loop *l, const struct loop_interval *w)
{
	return span_find(strtab_get(l->r->strings, w->name), SPAN("wait")) >= 0;
}

/* Where only the waits were recorded: from the end of each to the next. */
static void walk_waits(struct loop *l)
{
	const struct loop_interval *last = NULL;
	struct loop_interval between;
	size_t i;

	for (i = 0; i < l->n_waits; i++) {
		const struct loop_interval *w = &l->waits[i];

		if (!is_wait(l, w))
			continue;
		if (last && last->thread == w->thread && !is_lost(l, last->until_ns, w->from_ns)) {
			between = (struct loop_interval){ .thread = w->thread,
				.from_ns = last->until_ns };
			add(l, LOOP_BUSY, &between, w->from_ns - last->until_ns,
				busiest_stack(l, w->thread, last->until_ns, w->from_ns), 0);
		}
		last = w;
	}
}

void event_loop_add(
	struct durations *d, const struct loop_source *from, struct loop_samples *samples)
{
	struct loop l = {
		.d = d, .r = from->recording, .p = from->profile, .first_thread = from->first_thread
	};

	find_intervals(&l, from->first_item);
	drop_inner(&l);
	add_waits(&l);
	find_samples(&l);
	walk(&l);
	if (!l.n)
		walk_waits(&l);
	mark_waits(&l);
	assign_samples(&l, samples);
	free(l.intervals);
	free(l.waits);
	free(l.samples);
}
