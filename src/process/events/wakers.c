/*
 * How wakers get on top: while switches are joined, each wait that a thread ended adds its weight
 * to a chain: the stack of the blocked thread, and those of its wakers, each a number in a log.
 * When all is joined, the logs are replayed once to keep the sites of those stacks that are in a
 * chain, and each chain becomes a stack of a new log:
 *
 *	blocked: main poll schedule         sites, outermost first
 *	waker:   work write try_to_wake_up
 *
 *	-> main poll schedule -- try_to_wake_up write work comm [-- ... comm]
 *
 * Rows of a timeline have the number of their chain until the new log gives the stack its number.
 *
 * Memory: the sites of all stacks in chains, as arrays.
 */
#include "process/events/wakers.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/saturated.h"

#include <stdlib.h>

void wakers_release(struct wakers *w)
{
	free(w->chain);
	free(w->stacks);
	index_release(&w->by_stacks);
	timeline_free(w->timeline);
	*w = (struct wakers){ 0 };
}

/* The stacks of an interval, after those of all chains. */
static uint32_t put_stacks(struct wakers *w, const struct switches_interval *p)
{
	uint32_t n = p->n_wakers + 1, i;

	ARRAY_RESERVE(w->stacks, w->n_stacks + n, w->cap_stacks);
	w->stacks[w->n_stacks] = (struct wakers_stack){ p->log, p->class->stack };
	for (i = 1; i < n; i++)
		w->stacks[w->n_stacks + i] = (struct wakers_stack){ p->wakers[i - 1].log,
			p->wakers[i - 1].class->stack };
	return n;
}

static uint64_t hash_stacks(const struct wakers_stack *s, uint32_t n)
{
	uint64_t hash = n;
	uint32_t i;

	for (i = 0; i < n; i++)
		hash = hash_pair(hash, (uint64_t)s[i].log << 32 | s[i].stack);
	return hash;
}

/* That of the n stacks after those of all chains. */
static uint32_t find_chain(struct wakers *w, uint32_t n)
{
	const struct wakers_stack *key = &w->stacks[w->n_stacks];
	uint64_t hash = hash_stacks(key, n);
	struct index_cursor c;
	uint32_t i;

	index_for_each (&w->by_stacks, hash, c, i)
		if (w->chain[i].n == n &&
			memcmp(&w->stacks[w->chain[i].first], key, n * sizeof(*key)) == 0)
			return i;
	ARRAY_GROW(w->chain, w->n, w->cap);
	w->chain[w->n] = (struct wakers_chain){ .first = w->n_stacks, .n = n };
	w->n_stacks += n;
	index_add(&w->by_stacks, hash, w->n);
	return w->n++;
}

uint32_t wakers_add(struct wakers *w, const struct switches_interval *p)
{
	uint32_t i = find_chain(w, put_stacks(w, p));

	w->chain[i].weight = saturated_add(w->chain[i].weight, p->duration_ns);
	w->chain[i].samples += !p->again;
	return i;
}

void wakers_add_row(
	struct wakers *w, uint32_t chain, const struct thread_use *use, struct timeline_row row)
{
	if (!w->timeline)
		w->timeline = timeline_new();
	row.stack = chain;
	row.thread = timeline_thread(w->timeline, use->pid, use->tid, use->name, use->name_time_ns);
	timeline_add(w->timeline, &row);
}

/* ---- chains to stacks --------------------------------------------------------------------- */

/* The stacks of one log, as far as chains are made from them. */
struct waker_stack {
	bool wanted;
	root_id root;
	uint32_t n;
	const site_id *sites; /* in the arena */
};

struct waker_maker {
	struct wakers *wakers;
	struct recording *recording;
	struct waker_stack **of_log; /* by stack_id */
	struct arena sites;
	struct stacklog *log;
	stack_id *number; /* by chain */
	uint64_t *entry;
	uint32_t n_entries, cap_entries;
	site_id separator;
};

struct stack_keeper {
	struct waker_maker *maker;
	struct waker_stack *stacks;
};

static int keep_stack(void *ctx, const struct stacklog_entry *s, struct err *e)
{
	struct stack_keeper *t = ctx;
	struct waker_stack *kept = &t->stacks[s->number];
	site_id *copy;

	(void)e;
	if (!kept->wanted)
		return OK;
	copy = arena_alloc(&t->maker->sites, (s->n + 1) * sizeof(*copy));
	if (s->n)
		memcpy(copy, s->sites, s->n * sizeof(*copy));
	kept->root = s->root;
	kept->n = s->n;
	kept->sites = copy;
	return OK;
}

static int keep_stacks(struct waker_maker *m, struct err *e)
{
	const struct wakers *w = m->wakers;
	unsigned k;
	uint32_t i;
	int rc = OK;

	for (k = 0; k < m->recording->n_logs; k++)
		m->of_log[k] =
			xcalloc(stacklog_count(m->recording->logs[k]), sizeof(struct waker_stack));
	for (i = 0; i < w->n_stacks; i++)
		m->of_log[w->stacks[i].log][w->stacks[i].stack].wanted = true;
	for (k = 0; k < m->recording->n_logs && !rc; k++) {
		struct stack_keeper t = { m, m->of_log[k] };

		rc = stacklog_replay(m->recording->logs[k], keep_stack, &t, e);
	}
	return rc;
}

static site_id label_site(const struct recording *r, str_id name)
{
	struct frame f = { .name = name, .kind = FRAME_LABEL };

	return sites_add(r->sites,
		&(struct site){ .kind = FRAME_LABEL, .named = frames_add(r->frames, &f) });
}

static void put_site(struct waker_maker *m, site_id site)
{
	ARRAY_GROW(m->entry, m->n_entries, m->cap_entries);
	m->entry[m->n_entries++] = site;
}

static const struct waker_stack *stack_of(const struct waker_maker *m, uint32_t i)
{
	return &m->of_log[m->wakers->stacks[i].log][m->wakers->stacks[i].stack];
}

static void put_waker(struct waker_maker *m, const struct waker_stack *waker)
{
	const struct root *who = roots_get(m->recording->roots, waker->root);
	uint32_t k;

	put_site(m, m->separator);
	for (k = waker->n; k--;)
		put_site(m, waker->sites[k]);
	put_site(m, label_site(m->recording, who->comm));
}

static void add_chain(struct waker_maker *m, uint32_t i)
{
	const struct wakers_chain *c = &m->wakers->chain[i];
	const struct waker_stack *blocked = stack_of(m, c->first);
	uint32_t k;

	m->n_entries = 0;
	for (k = 0; k < blocked->n; k++)
		put_site(m, blocked->sites[k]);
	for (k = 1; k < c->n; k++)
		put_waker(m, stack_of(m, c->first + k));
	stacklog_add(m->log, &(struct stacklog_sample){ .root = blocked->root,
				     .later = true,
				     .tag = i,
				     .n = m->n_entries,
				     .entries = m->entry });
}

static void set_number(void *ctx, uint32_t tag, stack_id stack)
{
	struct waker_maker *m = ctx;
	const struct wakers_chain *c = &m->wakers->chain[tag];

	m->number[tag] = stack;
	stacklog_weigh(m->log, stack, c->weight, c->samples);
}

/* Adds a log to the recording, with its timeline. */
static void add_log(struct waker_maker *m)
{
	struct recording *r = m->recording;
	struct timeline *t = m->wakers->timeline;
	size_t i;

	r->logs = xreallocarray(r->logs, r->n_logs + 1, sizeof(struct stacklog *));
	r->logs[r->n_logs] = m->log;
	if (r->timelines) {
		r->timelines =
			xreallocarray(r->timelines, r->n_logs + 1, sizeof(struct timeline *));
		r->timelines[r->n_logs] = t ? t : timeline_new();
		for (i = 0; t && i < t->n; i++)
			t->rows[i].stack = m->number[t->rows[i].stack];
		m->wakers->timeline = NULL;
	}
	r->n_logs++;
}

int wakers_finish(struct wakers *w, struct recording *r, struct err *e)
{
	struct waker_maker m = { .wakers = w, .recording = r };
	unsigned n_logs = r->n_logs;
	uint32_t i;
	int rc;

	if (!w->n)
		return OK;
	m.of_log = xcalloc(n_logs, sizeof(*m.of_log));
	m.number = xcalloc(w->n, sizeof(*m.number));
	rc = keep_stacks(&m, e);
	m.separator = label_site(r, strtab_add_str(r->strings, "--"));
	m.log = stacklog_new_of_sites();
	stacklog_set_on_stack(m.log, set_number, &m);
	for (i = 0; i < w->n && !rc; i++)
		add_chain(&m, i);
	stacklog_flush(m.log);
	add_log(&m);
	while (n_logs)
		free(m.of_log[--n_logs]);
	free(m.of_log);
	free(m.number);
	free(m.entry);
	arena_release(&m.sites);
	return rc;
}
