/*
 * How wakers get on top: while switches are joined, each wait that a thread ended adds its weight
 * to a pair (log and stack of the blocked thread, log and stack of the waker). When all is joined,
 * the logs are replayed once to keep the sites of those stacks that are in a pair, and each pair
 * becomes a stack of a new log:
 *
 *	blocked: main poll schedule         sites, outermost first
 *	waker:   work write try_to_wake_up
 *
 *	-> main poll schedule -- try_to_wake_up write work comm
 *
 * Rows of a timeline have the number of their pair until the new log gives the stack its number.
 *
 * Memory: the sites of all stacks in pairs, as arrays.
 */
#include "process/events/wakers.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/saturated.h"

#include <stdlib.h>

void wakers_release(struct wakers *w)
{
	free(w->pair);
	index_release(&w->by_stacks);
	timeline_free(w->timeline);
	*w = (struct wakers){ 0 };
}

static uint32_t find_pair(struct wakers *w, const struct wakers_pair *key)
{
	uint64_t hash = hash_pair(
		(uint64_t)key->log << 32 | key->stack, (uint64_t)key->waker_log << 32 | key->waker);
	struct index_cursor c;
	uint32_t i;

	index_for_each (&w->by_stacks, hash, c, i) {
		const struct wakers_pair *p = &w->pair[i];

		if (p->log == key->log && p->stack == key->stack &&
			p->waker_log == key->waker_log && p->waker == key->waker)
			return i;
	}
	ARRAY_GROW(w->pair, w->n, w->cap);
	w->pair[w->n] = *key;
	index_add(&w->by_stacks, hash, w->n);
	return w->n++;
}

uint32_t wakers_add(struct wakers *w, const struct switches_interval *p)
{
	uint32_t i = find_pair(w, &(struct wakers_pair){
					  .log = p->log,
					  .waker_log = p->waker_log,
					  .stack = p->class->stack,
					  .waker = p->waker->stack,
				  });

	w->pair[i].weight = saturated_add(w->pair[i].weight, p->duration_ns);
	w->pair[i].samples += !p->again;
	return i;
}

void wakers_add_row(
	struct wakers *w, uint32_t pair, const struct thread_use *use, struct timeline_row row)
{
	if (!w->timeline)
		w->timeline = timeline_new();
	row.stack = pair;
	row.thread = timeline_thread(w->timeline, use->pid, use->tid, use->name, use->name_time_ns);
	timeline_add(w->timeline, &row);
}

/* ---- pairs to stacks ---------------------------------------------------------------------- */

/* The stacks of one log, as far as pairs are made from them. */
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
	stack_id *number; /* by pair */
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
	for (i = 0; i < w->n; i++) {
		m->of_log[w->pair[i].log][w->pair[i].stack].wanted = true;
		m->of_log[w->pair[i].waker_log][w->pair[i].waker].wanted = true;
	}
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

static void add_pair(struct waker_maker *m, uint32_t i)
{
	const struct wakers_pair *p = &m->wakers->pair[i];
	const struct waker_stack *blocked = &m->of_log[p->log][p->stack];
	const struct waker_stack *waker = &m->of_log[p->waker_log][p->waker];
	const struct root *who = roots_get(m->recording->roots, waker->root);
	uint32_t k;

	m->n_entries = 0;
	for (k = 0; k < blocked->n; k++)
		put_site(m, blocked->sites[k]);
	put_site(m, m->separator);
	for (k = waker->n; k--;)
		put_site(m, waker->sites[k]);
	put_site(m, label_site(m->recording, who->comm));
	stacklog_add(m->log, &(struct stacklog_sample){ .root = blocked->root,
				     .later = true,
				     .tag = i,
				     .n = m->n_entries,
				     .entries = m->entry });
}

static void set_number(void *ctx, uint32_t tag, stack_id stack)
{
	struct waker_maker *m = ctx;
	const struct wakers_pair *p = &m->wakers->pair[tag];

	m->number[tag] = stack;
	stacklog_weigh(m->log, stack, p->weight, p->samples);
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
		add_pair(&m, i);
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
