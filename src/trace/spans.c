/*
 * How events are paired: marks come in order of time. The event of a mark has roles (span_match.h);
 * a role and the values of its key choose a queue, found by hash:
 *
 *	(group, tid/pid/fields) -> queue:  head -> begun -> begun -> NOTHING
 *
 * A mark that begins is linked in front (SPAN_NESTED, SPAN_SINGLE) or at the end (SPAN_QUEUE); a
 * mark that ends pops the head. Within one event, roles that end come first, so that an event that
 * does both ends the one before.
 *
 * Entries of queues are taken from a free list, so memory grows with what is open at a time, and 8
 * bytes for each step. Gaps,
 * where records were lost, are sorted by time and passed once beside the marks.
 */
#include "trace/spans.h"

#include "base/hash.h"
#include "base/index.h"
#include "base/mem.h"
#include "trace/http_requests.h"
#include "trace/run_queue.h"
#include "trace/span_match.h"

#include <stdlib.h>

enum { NOTHING = UINT32_MAX };

/* What has begun: one list for each group and key. */
struct span_pairing {
	struct durations *d;
	const struct spans_opts *opts;
	const struct recording *recording;
	const struct marks *marks;
	struct span_matcher matcher;
	uint32_t first_thread; /* where the recording's begin in d */

	struct span_queue {
		uint32_t group;
		uint64_t part[SPAN_KEYS_MAX];
		uint32_t head, tail; /* begun, NOTHING: empty; head is the next to end */
	} * queues;
	uint32_t n_queues, cap_queues;
	struct index by_key;

	struct span_begun {
		uint32_t mark; /* NOTHING: one that is not wanted */
		uint32_t next;
		uint32_t last_step; /* in steps, or SPAN_NO_STEP */
	} * begun;
	uint32_t n_begun, cap_begun, free;
	struct span_step *steps;
	uint32_t n_steps, cap_steps;
	size_t gap; /* the first that is not over at the current mark */
};

/* ---- lists -------------------------------------------------------------------------------- */

static uint32_t new_begun(struct span_pairing *p, uint32_t mark)
{
	uint32_t b = p->free;

	if (b == NOTHING) {
		ARRAY_GROW(p->begun, p->n_begun, p->cap_begun);
		b = p->n_begun++;
	} else {
		p->free = p->begun[b].next;
	}
	p->begun[b] = (struct span_begun){ mark, NOTHING, SPAN_NO_STEP };
	return b;
}

static void push(struct span_pairing *p, struct span_queue *w, uint32_t mark, enum span_order order)
{
	uint32_t b = new_begun(p, mark);

	if (order == SPAN_QUEUE && w->head != NOTHING) {
		p->begun[w->tail].next = b;
		w->tail = b;
		return;
	}
	p->begun[b].next = w->head;
	if (w->head == NOTHING)
		w->tail = b;
	w->head = b;
}

static struct span_begun pop(struct span_pairing *p, struct span_queue *w)
{
	uint32_t b = w->head;
	struct span_begun begun = p->begun[b];

	w->head = begun.next;
	p->begun[b].next = p->free;
	p->free = b;
	return begun;
}

static void add_step(struct span_pairing *p, struct span_queue *w, uint32_t mark)
{
	struct span_begun *begun = &p->begun[w->head];

	ARRAY_GROW(p->steps, p->n_steps, p->cap_steps);
	p->steps[p->n_steps] = (struct span_step){ mark, begun->last_step };
	begun->last_step = p->n_steps++;
}

/* ---- keys --------------------------------------------------------------------------------- */

/* False if the mark lacks a field of the key. */
static bool key_of(const struct span_pairing *p, const struct span_role *role,
	const struct mark *mark, uint64_t part[SPAN_KEYS_MAX])
{
	const struct span_key *k = &p->matcher.keys[role->rule];
	const struct timeline_thread *t = &p->marks->threads->threads[mark->thread];
	uint32_t i;

	for (i = 0; i < SPAN_KEYS_MAX; i++)
		part[i] = 0;
	for (i = 0; i < k->n; i++) {
		if (k->part[i] == KEY_TID)
			part[i] = (uint32_t)t->tid;
		else if (k->part[i] == KEY_PID)
			part[i] = (uint32_t)t->pid;
		else if (!marks_value(p->marks, mark, k->field[i], &part[i]))
			return false;
	}
	return true;
}

static struct span_queue *find_queue(
	struct span_pairing *p, uint32_t group, const uint64_t part[SPAN_KEYS_MAX])
{
	uint64_t hash = hash_pair(hash_pair(part[0], part[1]), hash_pair(part[2], group));
	struct index_cursor c;
	uint32_t i;

	index_for_each (&p->by_key, hash, c, i)
		if (p->queues[i].group == group &&
			memcmp(p->queues[i].part, part, sizeof(p->queues[i].part)) == 0)
			return &p->queues[i];
	ARRAY_GROW(p->queues, p->n_queues, p->cap_queues);
	index_add(&p->by_key, hash, p->n_queues);
	p->queues[p->n_queues] =
		(struct span_queue){ group, { part[0], part[1], part[2] }, NOTHING, NOTHING };
	return &p->queues[p->n_queues++];
}

/* ---- names -------------------------------------------------------------------------------- */

/* "syscalls:sys_enter_read" is "read", "uv:uv__io_poll" is "uv__io_poll". */
static str_id name_of(const struct span_pairing *p, const struct span_rule *rule, uint32_t event)
{
	struct span name = strtab_get(p->recording->strings, p->recording->events[event].name);
	ptrdiff_t colon = span_find(name, SPAN(":"));

	if (rule->name)
		return strtab_add_str(p->recording->strings, rule->name);
	if (colon >= 0)
		name = span_skip(name, (size_t)colon + 1);
	if (span_starts(name, SPAN("sys_enter_")))
		name = span_skip(name, sizeof("sys_enter_") - 1);
	return strtab_add(p->recording->strings, name);
}

/* ---- pairs -------------------------------------------------------------------------------- */

/* Were records lost between the two times? to_ns is that of the current mark. */
static bool is_lost_between(const struct span_pairing *p, uint64_t from_ns, uint64_t to_ns)
{
	const struct recording *r = p->recording;

	if (p->gap < r->n_gaps && r->gaps[p->gap].from_ns < to_ns)
		return true;
	return p->gap && r->gaps[p->gap - 1].to_ns > from_ns;
}

static void add_pair(struct span_pairing *p, const struct span_role *role,
	const struct span_begun *begun, const struct mark *end)
{
	const struct mark *begin = &p->marks->mark[begun->mark];
	struct span_pair pair = { &p->opts->rules[role->rule], begin, end, 0, p->steps,
		begun->last_step };
	struct duration d = {
		.from_ns = begin->time_ns,
		.duration_ns = end->time_ns - begin->time_ns,
		.thread = p->first_thread + begin->thread,
		.stack = begin->stack,
	};

	pair.name = name_of(p, pair.rule, begin->event);
	if (p->opts->describe)
		d.detail = p->opts->describe(p->opts->ctx, &pair);
	/* describe may have found a better one: by the number of a system call */
	d.kind = durations_kind(p->d, pair.name);
	durations_add(p->d, &d);
}

static void pair_end(struct span_pairing *p, const struct span_role *role, const struct mark *mark,
	struct span_queue *w)
{
	struct span_begun begun;

	if (w->head == NOTHING) {
		p->d->left_out.unbegun++;
		return;
	}
	begun = pop(p, w);
	if (begun.mark == NOTHING)
		return;
	if (is_lost_between(p, p->marks->mark[begun.mark].time_ns, mark->time_ns))
		p->d->left_out.lost++;
	else
		add_pair(p, role, &begun, mark);
}

/* mark: NOTHING if it is not wanted, but will end. */
static void add_begin(
	struct span_pairing *p, const struct span_role *role, uint32_t mark, struct span_queue *w)
{
	enum span_order order = p->opts->rules[role->rule].order;

	if (order == SPAN_SINGLE && w->head != NOTHING)
		p->d->left_out.unended += pop(p, w).mark != NOTHING;
	push(p, w, mark, order);
}

/* Does the end of what does not meet the condition come all the same? */
static bool ends_anyway(const struct span_role *role, const struct span_rule *rule)
{
	return role->kind == ROLE_BEGINS && strcmp(rule->begin, rule->end) != 0;
}

static void apply_role(
	struct span_pairing *p, const struct span_role *role, const struct mark *mark)
{
	const struct span_rule *rule = &p->opts->rules[role->rule];
	uint64_t part[SPAN_KEYS_MAX];
	struct span_queue *w;
	bool holds = role->kind == ROLE_STEPS ||
		     span_match_condition(&p->matcher, p->marks, mark,
			     role->kind == ROLE_BEGINS ? &rule->begin_if : &rule->end_if);

	if (!holds && !ends_anyway(role, rule))
		return;
	if (!key_of(p, role, mark, part)) {
		p->d->left_out.unkeyed++;
		return;
	}
	w = find_queue(p, role->group, part);
	if (role->kind == ROLE_BEGINS)
		add_begin(p, role, holds ? (uint32_t)(mark - p->marks->mark) : NOTHING, w);
	else if (role->kind == ROLE_ENDS)
		pair_end(p, role, mark, w);
	else if (w->head != NOTHING)
		add_step(p, w, (uint32_t)(mark - p->marks->mark));
}

static void apply_mark(struct span_pairing *p, const struct mark *mark)
{
	const struct span_matcher *m = &p->matcher;
	uint32_t i = m->first[mark->event], end = m->first[mark->event + 1];
	const struct recording *r = p->recording;

	while (p->gap < r->n_gaps && r->gaps[p->gap].to_ns <= mark->time_ns)
		p->gap++;
	for (; i < end; i++)
		apply_role(p, &m->roles[i], mark);
}

static void count_open(struct span_pairing *p)
{
	uint32_t i, b;

	for (i = 0; i < p->n_queues; i++)
		for (b = p->queues[i].head; b != NOTHING; b = p->begun[b].next)
			p->d->left_out.open += p->begun[b].mark != NOTHING;
}

static void add_threads(struct span_pairing *p, uint32_t number)
{
	const struct timeline *t = p->marks->threads;
	uint32_t i;

	p->first_thread = p->d->n_threads;
	ARRAY_RESERVE(p->d->threads, p->d->n_threads + t->n_threads, p->d->cap_threads);
	for (i = 0; i < t->n_threads; i++)
		p->d->threads[p->d->n_threads++] = (struct duration_thread){ t->threads[i].pid,
			t->threads[i].tid, t->threads[i].name, number };
}

int spans_pair_marks(struct durations *d, const struct recording *r, const struct marks *marks,
	uint32_t number, const struct spans_opts *o, struct err *e)
{
	struct span_pairing p = { .d = d, .opts = o, .recording = r, .marks = marks };
	int rc = span_match_init(&p.matcher, r, o, e);
	size_t i;

	p.free = NOTHING;
	if (!rc)
		add_threads(&p, number);
	if (!rc && o->of == SPANS_OF_RUN_QUEUE) {
		run_queue_pair(d, r, marks, p.first_thread, o);
	} else if (!rc && o->of == SPANS_OF_HTTP) {
		http_requests_pair(d, r, marks, p.first_thread, &p.matcher);
	} else if (!rc) {
		for (i = 0; i < p.marks->n; i++)
			apply_mark(&p, &p.marks->mark[i]);
		count_open(&p);
	}
	span_match_release(&p.matcher);
	index_release(&p.by_key);
	free(p.queues);
	free(p.begun);
	free(p.steps);
	return rc;
}

int spans_pair(struct durations *d, const struct recording *r, uint32_t number,
	const struct spans_opts *o, struct err *e)
{
	return spans_pair_marks(d, r, r->marks[0], number, o, e);
}

bool spans_applies(const struct recording *r, const struct spans_opts *o)
{
	struct span_matcher m;
	struct err ignored;
	bool begins = false, ends = false;
	uint32_t i;

	if (span_match_init(&m, r, o, &ignored) == OK) {
		for (i = 0; i < m.n_roles; i++) {
			begins |= m.roles[i].kind == ROLE_BEGINS &&
				  (o->of == SPANS_OF_RULES || !m.roles[i].rule);
			ends |= m.roles[i].kind == ROLE_ENDS;
		}
	}
	span_match_release(&m);
	return begins && ends;
}
