/*
 * How switches get stacks: in one of two ways, chosen for the whole recording.
 *
 * In pass 2, each sample is decoded, its thread and stack are found, and it is a class of its own
 * in the log: pass2_switches_add_sample(), _add_record().
 *
 * Where waits were recorded in pass 1 (switch_waits.h), each wait is resolved once, at the time of
 * its last switch. That gives an interval in which the thread, its name and its mappings stay as
 * they are:
 *
 *	switches of a wait   |x  x   |  x x x  xx  x|          x: a row
 *	                     |       |<-- meaning -->|          of the last switch
 *	                      resolved one by one
 *
 * Rows before the interval are walked by run (trace/switch_log.h), and get a class of their own.
 * Nearly always there are none, so millions of rows are not looked at. pass2_switches_join() hands
 * the logs of all workers to blocked.h.
 */
#include "process/pass2_switches.h"

#include "base/mem.h"

#include <stdlib.h>

/* The stack found last goes into the log, which later reports its number for the class. */
static void log_switch(struct pass2_worker *w, const struct sample_owner *o, root_id root,
	uint32_t class, uint32_t n)
{
	stacklog_add(w->log, &(struct stacklog_sample){
				     .root = root,
				     .space = o->thread->thread.space,
				     .at = o->at,
				     .later = true,
				     .tag = class,
				     .n = n,
				     .entries = w->stacks.chain.entry,
			     });
}

/* Returns its class. */
static uint32_t add_switch(struct pass2_worker *w, const struct switch_seen *seen)
{
	uint32_t class = switch_log_add_class(&w->switch_waits.log, &seen->class);

	switch_log_add(&w->switch_waits.log, class, seen);
	return class;
}

static void add_switch_with_stack(struct pass2_worker *w, const struct sample_owner *o,
	root_id root, const struct switch_seen *seen, uint32_t n)
{
	uint32_t class = add_switch(w, seen);

	if (class != SWITCH_NO_CLASS)
		log_switch(w, o, root, class, n);
}

static struct sample_owner find_owner_of_switch(
	struct pass2_worker *w, int32_t pid, int32_t tid, struct moment at)
{
	return (struct sample_owner){ .at = at,
		.thread = thread_cache_find(&w->threads, pid, tid, at) };
}

/* Is the thread's off-CPU time wanted, as far as the sample says? */
static bool is_wanted_switch(struct pass2_worker *w, const struct sample_owner *o,
	const struct perfdata_sample *s, const struct switch_class *class)
{
	const struct sample_choice *choice = w->pass->opts->choice;

	return o->thread->wanted && class->tid > 0 &&
	       (!choice || !choice->cpus.n ||
		       sample_choice_keeps(
			       choice, CHOICE_CPU, number_list_has(&choice->cpus, s->cpu))) &&
	       cgroups_wants(w->pass->cgroups, o->cgroup) &&
	       (!w->pass->tracing->where || tracing_where_holds(w->pass->tracing, class->event, s));
}

/* The waker's name is drawn on top of its stack. */
static root_id waker_root(struct pass2_worker *w, const struct sample_owner *o)
{
	struct root key = { .comm = o->thread->thread.name, .pid = -1, .tid = -1, .cpu = -1 };

	return roots_add(w->pass->recording->roots, &key);
}

static root_id switch_root(struct pass2_worker *w, const struct sample_owner *o,
	const struct perfdata_sample *s, const struct switch_class *class)
{
	const struct switch_events *sw = w->pass->switch_events;

	if (class->kind == SWITCH_WAKE)
		return waker_root(w, o);
	return pass2_worker_root(w, o, s, class->event,
		class->kind == SWITCH_OUT ? sw->state_names[class->state] : 0);
}

void pass2_switches_add_sample(
	struct pass2_worker *w, const struct perfdata_record *r, uint32_t event)
{
	struct perfdata_sample s;
	struct switch_seen seen;
	struct sample_owner o;

	if (!perfdata_sample_decode(&w->attrs[event], r, &s)) {
		diag_count(&w->diag, DIAG_BAD_SAMPLE, r->position);
		return;
	}
	if (!switch_events_decode_sample(w->pass->switch_events, event, &s, &seen))
		return;
	o = find_owner_of_switch(w, s.pid, s.tid, (struct moment){ s.time_ns, r->position });
	o.cgroup = w->pass->cgroups->n ? cgroups_find(w->pass->cgroups, s.cgroup, o.at) : NULL;
	if (seen.class.kind != SWITCH_WAKE) {
		if (!is_wanted_switch(w, &o, &s, &seen.class)) {
			/* It still says that the next thread is back. */
			add_switch(w, &seen);
			return;
		}
		seen.class.thread = o.thread->use;
	}
	if (!sample_stack_find(&w->stacks, &w->attrs[event], &s, o.thread->thread.space, o.at))
		return;
	add_switch_with_stack(w, &o, switch_root(w, &o, &s, &seen.class), &seen, w->stacks.chain.n);
}

/* A SWITCH record alone: the thread and the time are known, the stack is not. */
void pass2_switches_add_record(struct pass2_worker *w, const struct perfdata_record *r)
{
	struct perfdata_trailer t;
	struct perfdata_sample s = { .cpu = -1 };
	struct switch_seen seen;
	struct sample_owner o;

	if (!switch_events_decode_record(w->pass->switch_events, w->pass->pd, r, &seen))
		return;
	if (seen.class.kind == SWITCH_OUT && perfdata_record_decode_trailer(w->pass->pd, r, &t)) {
		o = find_owner_of_switch(
			w, t.pid, t.tid, (struct moment){ t.time_ns, r->position });
		s.cpu = t.cpu;
		if (is_wanted_switch(w, &o, &s, &seen.class)) {
			seen.class.thread = o.thread->use;
			add_switch_with_stack(w, &o, switch_root(w, &o, &s, &seen.class), &seen, 0);
			return;
		}
	}
	add_switch(w, &seen);
}

/* ---- waits of pass 1 ----------------------------------------------------------------------- */

/* The class that a wait is resolved to, and from when until when that holds. */
struct wait_meaning {
	struct validity valid;
	uint32_t class; /* of the log */
};

/* Of all waits. */
struct wait_meanings {
	struct wait_meaning *meaning;
	uint64_t *from_ns;    /* by wait: from when on its meaning holds */
	uint64_t all_from_ns; /* from when on all of them hold */
};

static bool is_plain(const struct pass2_worker *w, const struct switch_wait *wait,
	const struct perfdata_sample *s)
{
	return !w->attrs[wait->key.event].unwound &&
	       callchain_is_plain(s->ips, s->n_ips, s->swapped);
}

/* Resolves the wait at that moment, into a class of the log that is a copy of the wait's. A chain
 * that is not plain is counted as damage for each switch, or continues elsewhere: then the meaning
 * holds for one switch only. */
static struct wait_meaning find_meaning(
	struct pass2_worker *w, const struct switch_wait *wait, uint32_t class, struct moment at)
{
	struct switch_class *of = &w->switch_waits.log.classes[class];
	struct perfdata_sample s = switch_waits_sample(&w->switch_waits, wait);
	struct sample_owner o = find_owner_of_switch(w, s.pid, s.tid, at);
	struct wait_meaning m = { .valid = o.thread->valid, .class = class };

	if (of->kind != SWITCH_WAKE) {
		if (!is_wanted_switch(w, &o, &s, of))
			return m;
		of->thread = o.thread->use;
	}
	sample_stack_find(&w->stacks, &w->attrs[wait->key.event], &s, o.thread->thread.space, at);
	log_switch(w, &o, switch_root(w, &o, &s, of), class, w->stacks.chain.n);
	stacklog_flush(w->log);
	if (is_plain(w, wait, &s))
		validity_narrow(&m.valid, stacklog_valid(w->log, of->stack));
	else
		m.valid = (struct validity){ 0 };
	return m;
}

/* From when on the meaning of a wait's last switch holds for all later ones; 0: it holds for all.
 * Equal times are left to resolve_row(), which goes by the order in the file. */
static uint64_t holds_from_ns(struct validity v, const struct switch_wait *wait)
{
	if (wait->last.time_ns >= v.until.time_ns)
		return UINT64_MAX;
	return v.from.time_ns < wait->from_ns ? 0 : v.from.time_ns + 1;
}

/* A thread is named, or becomes another program, soon after it has begun: the meaning of a wait's
 * last switch holds for nearly all of them. Returns from when on. */
static uint64_t resolve_wait(struct pass2_worker *w, uint32_t i, struct wait_meaning *m)
{
	const struct switch_wait *wait = &w->switch_waits.waits[i];
	struct perfdata_sample s;

	*m = (struct wait_meaning){ .class = w->switch_waits.first_class + i };
	if (wait->key.kind == SWITCH_IN)
		return 0;
	s = switch_waits_sample(&w->switch_waits, wait);
	if (is_plain(w, wait, &s))
		*m = find_meaning(w, wait, m->class, wait->last);
	return holds_from_ns(m->valid, wait);
}

/* A switch of a wait whose meaning varies. */
static void resolve_row(
	struct pass2_worker *w, struct wait_meaning *m, size_t number, struct moment at)
{
	struct switch_waits *n = &w->switch_waits;
	uint32_t i = switch_log_class_at(&n->log, number) - n->first_class;

	if (!validity_holds(m[i].valid, at)) {
		uint32_t class = switch_waits_add_class(n, i);

		if (class == SWITCH_NO_CLASS)
			return;
		m[i] = find_meaning(w, &n->waits[i], class, at);
	}
	switch_log_set_class(&n->log, number, m[i].class);
}

/* Resolves the rows of a run for which the meaning of their wait does not hold. */
static void resolve_run(struct pass2_worker *w, const struct wait_meanings *s, size_t run,
	size_t from, size_t to, uint64_t position)
{
	const struct switch_log *l = &w->switch_waits.log;
	struct moment at = { .position = position };
	size_t k;

	for (k = from; k < to; k++) {
		at.time_ns = l->runs[run].begin_ns + l->rows[k].after_ns;
		if (at.time_ns >= s->all_from_ns)
			return;
		if (at.time_ns <
			s->from_ns[switch_log_class_at(l, k) - w->switch_waits.first_class])
			resolve_row(w, s->meaning, k, at);
	}
}

static void resolve_rows(struct pass2_worker *w, const struct wait_meanings *s)
{
	struct switch_waits *n = &w->switch_waits;
	size_t k, end, run;
	uint32_t i;

	for (i = 0; i < n->n_blocks; i++) {
		size_t to = i + 1 < n->n_blocks ? n->blocks[i + 1].row : n->log.n;

		for (k = n->blocks[i].row; k < to; k = end) {
			run = switch_log_run_of(&n->log, k);
			end = switch_log_run_end(&n->log, run);
			if (end > to)
				end = to;
			resolve_run(w, s, run, k, end, n->blocks[i].position + 1);
		}
	}
}

void pass2_switches_resolve(struct pass2_worker *w)
{
	struct switch_waits *n = &w->switch_waits;
	struct wait_meanings s = {
		.meaning = xcalloc(n->n_waits, sizeof(*s.meaning)),
		.from_ns = xcalloc(n->n_waits, sizeof(*s.from_ns)),
	};
	uint32_t i;

	for (i = 0; i < n->n_waits; i++) {
		s.from_ns[i] = resolve_wait(w, i, &s.meaning[i]);
		if (s.from_ns[i] > s.all_from_ns)
			s.all_from_ns = s.from_ns[i];
	}
	if (s.all_from_ns)
		resolve_rows(w, &s);
	free(s.meaning);
	free(s.from_ns);
	progress_add(w->pass->opts->progress, n->n_bytes);
	switch_waits_clear(n);
}

void pass2_switches_join(
	const struct pass2 *p, struct pass2_worker *workers, unsigned n, struct pool *pool)
{
	bool in_order = p->opts->wakers || p->opts->timeline;
	struct blocked_part *parts = xcalloc(n, sizeof(*parts));
	struct switch_log *logs = xcalloc(n, sizeof(*logs));
	struct switches_opts o = {
		.n_wakers = p->opts->wakers ? p->opts->waker_depth + !p->opts->waker_depth : 0,
		.min_ns = p->opts->min_block_ns,
		.max_ns = p->opts->max_block_ns,
		.wanted = { p->from_ns, p->to_ns },
		.inside = p->inside,
		.lost = p->losses->range,
		.n_lost = p->losses->n,
	};
	struct blocked_total total = { 0 };
	unsigned k;

	for (k = 0; k < n; k++) {
		parts[k] = (struct blocked_part){ workers[k].log, workers[k].timeline,
			workers[k].threads.uses, workers[k].threads.n_uses };
		logs[k] = workers[k].switch_waits.log;
		workers[k].switch_waits.log = (struct switch_log){ 0 };
	}
	blocked_join(p->recording, logs, parts, n, &o, p->wakers, &total, in_order ? NULL : pool);
	workers[0].kept = total.samples;
	workers[0].weight = total.weight;
	free(parts);
	free(logs);
}
