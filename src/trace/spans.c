#include "trace/spans.h"

#include "base/hash.h"
#include "base/index.h"
#include "base/mem.h"
#include "trace/span_match.h"

#include <stdlib.h>

enum { NOTHING = UINT32_MAX };

/* What has begun: one list for each key. */
struct pairing {
	struct durations *d;
	const struct spans_opts *opts;
	const struct recording *recording;
	const struct marks *marks;
	struct span_matcher matcher;
	uint32_t first_thread; /* where the recording's begin in d */

	struct waiting {
		uint32_t group;
		uint64_t part[SPAN_KEYS_MAX];
		uint32_t head, tail; /* begun, NOTHING: empty; head is the next to end */
	} * waiting;
	uint32_t n_waiting, cap_waiting;
	struct index by_key;

	struct begun {
		uint32_t mark, next;
	} * begun;
	uint32_t n_begun, cap_begun, free;
	size_t gap; /* the first that is not over at the current mark */
};

/* ---- lists -------------------------------------------------------------------------------- */

static uint32_t new_begun(struct pairing *p, uint32_t mark)
{
	uint32_t b = p->free;

	if (b == NOTHING) {
		ARRAY_GROW(p->begun, p->n_begun, p->cap_begun);
		b = p->n_begun++;
	} else {
		p->free = p->begun[b].next;
	}
	p->begun[b] = (struct begun){ mark, NOTHING };
	return b;
}

static void push(struct pairing *p, struct waiting *w, uint32_t mark, enum span_order order)
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

static uint32_t pop(struct pairing *p, struct waiting *w)
{
	uint32_t b = w->head, mark = p->begun[b].mark;

	w->head = p->begun[b].next;
	p->begun[b].next = p->free;
	p->free = b;
	return mark;
}

/* ---- keys --------------------------------------------------------------------------------- */

/* False if the mark lacks a field of the key. */
static bool key_of(const struct pairing *p, const struct span_role *role, const struct mark *mark,
	uint64_t part[SPAN_KEYS_MAX])
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

static struct waiting *find_waiting(
	struct pairing *p, uint32_t group, const uint64_t part[SPAN_KEYS_MAX])
{
	uint64_t hash = hash_pair(hash_pair(part[0], part[1]), hash_pair(part[2], group));
	struct index_cursor c;
	uint32_t i;

	index_for_each (&p->by_key, hash, c, i)
		if (p->waiting[i].group == group &&
			memcmp(p->waiting[i].part, part, sizeof(p->waiting[i].part)) == 0)
			return &p->waiting[i];
	ARRAY_GROW(p->waiting, p->n_waiting, p->cap_waiting);
	index_add(&p->by_key, hash, p->n_waiting);
	p->waiting[p->n_waiting] =
		(struct waiting){ group, { part[0], part[1], part[2] }, NOTHING, NOTHING };
	return &p->waiting[p->n_waiting++];
}

/* ---- names -------------------------------------------------------------------------------- */

/* "syscalls:sys_enter_read" is "read", "uv:uv__io_poll" is "uv__io_poll". */
static str_id name_of(const struct pairing *p, const struct span_rule *rule, uint32_t event)
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

/* Were records lost after from, up to the current mark? */
static bool is_torn(const struct pairing *p, uint64_t from_ns, uint64_t to_ns)
{
	const struct recording *r = p->recording;

	if (p->gap < r->n_gaps && r->gaps[p->gap].from_ns < to_ns)
		return true;
	return p->gap && r->gaps[p->gap - 1].to_ns > from_ns;
}

static void add_pair(struct pairing *p, const struct span_role *role, const struct mark *begin,
	const struct mark *end)
{
	struct span_pair pair = { &p->opts->rules[role->rule], begin, end, 0 };
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

static void take_end(
	struct pairing *p, const struct span_role *role, const struct mark *mark, struct waiting *w)
{
	const struct mark *begin;

	if (w->head == NOTHING) {
		p->d->left_out.unbegun++;
		return;
	}
	begin = &p->marks->mark[pop(p, w)];
	if (is_torn(p, begin->time_ns, mark->time_ns))
		p->d->left_out.lost++;
	else
		add_pair(p, role, begin, mark);
}

static void take_begin(
	struct pairing *p, const struct span_role *role, const struct mark *mark, struct waiting *w)
{
	enum span_order order = p->opts->rules[role->rule].order;

	if (order == SPAN_SINGLE && w->head != NOTHING) {
		pop(p, w);
		p->d->left_out.unended++;
	}
	push(p, w, (uint32_t)(mark - p->marks->mark), order);
}

static void take_role(struct pairing *p, const struct span_role *role, const struct mark *mark)
{
	const struct span_rule *rule = &p->opts->rules[role->rule];
	uint64_t part[SPAN_KEYS_MAX];
	struct waiting *w;

	if (!span_match_condition(
		    &p->matcher, p->marks, mark, role->begins ? &rule->begin_if : &rule->end_if))
		return;
	if (!key_of(p, role, mark, part)) {
		p->d->left_out.unkeyed++;
		return;
	}
	w = find_waiting(p, role->group, part);
	if (role->begins)
		take_begin(p, role, mark, w);
	else
		take_end(p, role, mark, w);
}

static void take_mark(struct pairing *p, const struct mark *mark)
{
	const struct span_matcher *m = &p->matcher;
	uint32_t i = m->first[mark->event], end = m->first[mark->event + 1];
	const struct recording *r = p->recording;

	while (p->gap < r->n_gaps && r->gaps[p->gap].to_ns <= mark->time_ns)
		p->gap++;
	if (i == end && p->opts->other)
		p->opts->other(p->opts->ctx, mark);
	for (; i < end; i++)
		take_role(p, &m->roles[i], mark);
}

static void count_open(struct pairing *p)
{
	uint32_t i, b;

	for (i = 0; i < p->n_waiting; i++)
		for (b = p->waiting[i].head; b != NOTHING; b = p->begun[b].next)
			p->d->left_out.open++;
}

static void add_threads(struct pairing *p, uint32_t number)
{
	const struct timeline *t = p->marks->threads;
	uint32_t i;

	p->first_thread = p->d->n_threads;
	ARRAY_RESERVE(p->d->threads, p->d->n_threads + t->n_threads, p->d->cap_threads);
	for (i = 0; i < t->n_threads; i++)
		p->d->threads[p->d->n_threads++] = (struct duration_thread){ t->threads[i].pid,
			t->threads[i].tid, t->threads[i].name, number };
}

int spans_pair(struct durations *d, const struct recording *r, uint32_t number,
	const struct spans_opts *o, struct err *e)
{
	struct pairing p = { .d = d, .opts = o, .recording = r, .marks = r->marks[0] };
	int rc = span_match_init(&p.matcher, r, o, e);
	size_t i;

	p.free = NOTHING;
	if (!rc) {
		add_threads(&p, number);
		for (i = 0; i < p.marks->n; i++)
			take_mark(&p, &p.marks->mark[i]);
		count_open(&p);
	}
	span_match_release(&p.matcher);
	index_release(&p.by_key);
	free(p.waiting);
	free(p.begun);
	return rc;
}

bool spans_applies(const struct recording *r, const struct spans_opts *o)
{
	struct span_matcher m;
	struct err ignored;
	bool begins = false, ends = false;
	uint32_t i;

	if (span_match_init(&m, r, o, &ignored) == OK) {
		for (i = 0; i < m.n_roles; i++) {
			begins |= m.roles[i].begins;
			ends |= !m.roles[i].begins;
		}
	}
	span_match_release(&m);
	return begins && ends;
}
