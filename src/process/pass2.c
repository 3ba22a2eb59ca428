/*
 * Pass 2 turns samples into stacks. Workers read blocks in any order; each has its own stack log,
 * caches and counts (struct pass2_worker), and shares only frozen data with the others: the world,
 * JIT maps, control groups. At the end their results are merged in a way that depends neither on
 * the number of workers nor on the order of blocks.
 *
 *	sample ─► are its event, time, CPU, thread and cgroup wanted?	(read_sample)
 *	          ├─ weight: period, 1, or a field of the tracepoint	(find_weight)
 *	          │          --weight latency: shared among threads	(weight_of_moment)
 *	          ├─ thread: name, process, address space at its time	(thread_cache.h)
 *	          ├─ stack: call chain, LBR or unwound copy, as words	(sample_stack.h)
 *	          └─ stacklog_add: a hash finds the stack; the words of a new one are resolved to
 *	             sites (module, offset) in that space at that time	(resolver.h)
 *
 * The world's answers have a validity: the moments from which and until which they hold. The thread
 * cache and the stack log keep an answer with its validity and use it again only for samples within
 * it. So two libraries loaded in turn at one address, or a pid used twice, are two answers, and no
 * cache is ever invalidated.
 *
 * A sample is decoded only if its event is wanted. One that reads a group of counters
 * (PERF_SAMPLE_READ) counts once for each counter that moved. Switches (--off-cpu) are handled in
 * pass2_switches.c: their weight is known only when all are joined.
 */
#include "process/pass2.h"

#include "base/mem.h"
#include "base/saturated.h"
#include "process/pass2_switches.h"

#include <stdlib.h>

static bool is_chosen_sample(const struct pass2_worker *w, const struct perfdata_sample *s)
{
	const struct sample_choice *choice = w->pass->opts->choice;

	return s->time_ns >= w->pass->from_ns && s->time_ns <= w->pass->to_ns &&
	       (!choice || sample_choice_keeps(
				   choice, CHOICE_CPU, number_list_has(&choice->cpus, s->cpu)));
}

/* --during, and outside of --time. A wait is cut to the spans of its thread: it ended at the time
 * of its sample. */
static bool cut_to_spans(struct pass2_worker *w, uint32_t event, struct perfdata_sample *s)
{
	const struct thread_times *inside = w->pass->inside;

	/* Of spans, which are chosen as a whole, all marks are needed. */
	if (!inside || (w->marks && w->pass->recording->events[event].tracepoint))
		return true;
	if (w->is_total) {
		diag_add(&w->diag, DIAG_TIMELESS_WAIT, 1, 0);
		return false;
	}
	if (!w->is_offcpu[event])
		return thread_times_has(inside, s->tid, s->time_ns);
	s->period = time_set_overlap_ns(thread_times_of(inside, s->tid),
		(struct time_range){
			s->time_ns > s->period ? s->time_ns - s->period : 0, s->time_ns });
	return s->period != 0;
}

static uint32_t add_row(struct pass2_worker *w, const struct sample_owner *o,
	const struct perfdata_sample *s, uint32_t event, uint64_t weight)
{
	const struct thread_cache_entry *t = o->thread;
	str_id cgroup = w->pass->opts->by_cgroup && o->cgroup ? o->cgroup->path : 0;

	if (!w->timeline)
		return 0;
	return timeline_add(
		w->timeline, &(struct timeline_row){
				     .time_ns = s->time_ns,
				     .weight = weight,
				     .thread = timeline_thread_in(w->timeline, t->thread.pid,
					     t->tid, cgroup, t->thread.name, s->time_ns),
				     .event = event,
				     .wait = w->is_offcpu[event] ? STATE_UNKNOWN + 1 : 0,
				     .cpu = s->cpu,
			     });
}

static bool find_owner(struct pass2_worker *w, const struct perfdata_record *r,
	const struct perfdata_sample *s, struct sample_owner *o)
{
	bool chosen = is_chosen_sample(w, s);

	if (!chosen && !w->pass->opts->marks_of_switches)
		return false;
	o->at = (struct moment){ w->pass->has_times ? s->time_ns : 0, r->position };
	o->thread = thread_cache_find(&w->threads, s->pid, s->tid, o->at);
	o->cgroup = cgroups_find(w->pass->cgroups, s->cgroup, o->at);
	return chosen && o->thread->wanted && cgroups_wants(w->pass->cgroups, o->cgroup);
}

/* False if the field that should have the weight is missing, or if a blocked time is too short or
 * too long. */
static bool find_weight(const struct pass2_worker *w, uint32_t event,
	const struct perfdata_sample *s, uint64_t *weight)
{
	const struct pass2 *p = w->pass;

	if (w->is_offcpu[event] && p->opts->off_cpu &&
		(s->period < p->opts->min_block_ns ||
			(p->opts->max_block_ns && s->period > p->opts->max_block_ns)))
		return false;
	*weight = p->opts->weight_by_samples || !s->period ? 1 : s->period;
	return !p->tracing->by_field || tracing_weight(p->tracing, event, s, weight);
}

/* --weight latency: the sample's share of a moment in which several threads ran, rounded to the
 * nearest unit (running_unit()). */
static uint64_t weight_of_moment(
	struct pass2_worker *w, const struct perfdata_sample *s, uint64_t weight)
{
	const struct pass2 *p = w->pass;
	uint64_t n;

	if (!p->opts->weight_by_latency)
		return weight;
	n = parallelism_at(p->parallelism, &w->parallelism, s->pid, s->time_ns);
	weight = weight > UINT64_MAX / p->parts_of_unit ? UINT64_MAX : weight * p->parts_of_unit;
	return weight / n + (weight % n * 2 >= n);
}

/* The state of what perf record --off-cpu wrote: blocked, for no known reason. 0 if not wanted. */
static str_id blocked_state(const struct pass2_worker *w)
{
	return w->pass->switch_events->state_names[STATE_UNKNOWN];
}

static uint32_t add_mark(struct pass2_worker *w, const struct sample_owner *o,
	const struct perfdata_sample *s, uint32_t event)
{
	const struct thread_cache_entry *t = o->thread;
	struct mark mark = {
		.time_ns = s->time_ns,
		.position = o->at.position,
		.thread = timeline_thread(
			w->marks->threads, t->thread.pid, t->tid, t->thread.name, s->time_ns),
		.event = (uint16_t)event,
	};

	return marking_add(w->pass->marking, w->marks, &mark, s, w->pass->recording->strings);
}

/* Of threads that are not wanted, too: they wake those that are, and run in their place. */
static void add_mark_of_any(struct pass2_worker *w, const struct sample_owner *o,
	const struct perfdata_sample *s, uint32_t event)
{
	uint32_t number;

	if (s->time_ns < w->pass->from_ns || s->time_ns > w->pass->to_ns)
		return;
	number = add_mark(w, o, s, event);
	w->marks->mark[number].stack = MARK_NO_STACK;
	w->marks->mark[number].unwanted = true;
}

/* A record SWITCH: its thread is on a CPU again. */
static void add_switched_in(struct pass2_worker *w, const struct perfdata_record *r)
{
	struct perfdata_switch sw;
	struct perfdata_trailer t;
	const struct thread_cache_entry *thread;
	struct mark mark = {
		.position = r->position, .stack = MARK_NO_STACK, .event = MARK_SWITCHED_IN
	};

	if (!perfdata_record_decode_switch(w->pass->pd, r, &sw) || sw.out ||
		!perfdata_record_decode_trailer(w->pass->pd, r, &t) || !t.has_time ||
		t.time_ns < w->pass->from_ns || t.time_ns > w->pass->to_ns)
		return;
	thread = thread_cache_find(
		&w->threads, t.pid, t.tid, (struct moment){ t.time_ns, r->position });
	mark.time_ns = t.time_ns;
	mark.thread = timeline_thread(
		w->marks->threads, thread->thread.pid, t.tid, thread->thread.name, t.time_ns);
	mark.unwanted = !thread->wanted;
	marks_add(w->marks, &mark);
}

/* Adds the stack found last, for an event. */
static void add_sample(struct pass2_worker *w, const struct sample_owner *o,
	const struct perfdata_sample *s, uint32_t event, uint64_t weight)
{
	stacklog_add(w->log, &(struct stacklog_sample){
				     .root = pass2_worker_root(w, o, s, event,
					     w->is_offcpu[event] ? blocked_state(w) : 0),
				     .space = o->thread->thread.space,
				     .at = o->at,
				     .weight = weight,
				     .tag = w->marks ? add_mark(w, o, s, event)
						     : add_row(w, o, s, event, weight),
				     .n = w->stacks.chain.n,
				     .entries = w->stacks.chain.entry,
			     });
	thread_cache_count(&w->threads, o->thread, weight);
	w->of_event[event].weight = saturated_add(w->of_event[event].weight, weight);
	w->of_event[event].samples++;
	w->weight = saturated_add(w->weight, weight);
	w->kept++;
}

/* Is it a counter that has moved, of an event that is wanted? */
static bool is_chosen_count(const struct pass2_worker *w, struct read_count c)
{
	return c.event != READ_NO_EVENT && c.count && w->pass->recording->events[c.event].chosen;
}

static bool is_chosen_group(const struct pass2_worker *w)
{
	uint32_t at, to;

	for (read_groups_counters(w->pass->reads, w->read_sample, &at, &to); at < to; at++)
		if (is_chosen_count(w, read_groups_count(w->pass->reads, at)))
			return true;
	return false;
}

static void add_group(
	struct pass2_worker *w, const struct sample_owner *o, const struct perfdata_sample *s)
{
	uint32_t at, to;

	for (read_groups_counters(w->pass->reads, w->read_sample, &at, &to); at < to; at++) {
		struct read_count c = read_groups_count(w->pass->reads, at);

		if (is_chosen_count(w, c))
			add_sample(w, o, s, c.event,
				w->pass->opts->weight_by_samples ? 1
								 : weight_of_moment(w, s, c.count));
	}
}

/* False where it is damaged. */
static bool decode_sample(struct pass2_worker *w, const struct perfdata_record *r, uint32_t event,
	struct perfdata_sample *s)
{
	if (!perfdata_sample_decode(&w->attrs[event], r, s))
		return false;
	w->is_total = w->is_offcpu[event] && s->time_ns >= OFFCPU_TOTALS_NS;
	return !w->is_offcpu[event] || offcpu_decode(s, w->pass->recording->facts.last_time_ns);
}

static void read_sample(struct pass2_worker *w, const struct perfdata_record *r)
{
	struct perfdata_sample s;
	struct sample_owner owner;
	uint64_t weight;
	uint32_t event;
	bool group, holds, any = w->pass->opts->marks_of_switches;

	if (!perfdata_sample_event(w->pass->pd, r, &event))
		return;
	if (w->pass->switch_events->on) {
		if (w->pass->switch_events->of[event].role)
			pass2_switches_add_sample(w, r, event);
		return;
	}
	if (event == w->pass->departures->event)
		departures_add_sample(w->pass->departures, &w->off_cpu, r);
	group = w->attrs[event].sample_type & SAMPLE_READ &&
		read_groups_find(w->pass->reads, r->position, &w->read_sample);
	if (group ? !is_chosen_group(w) : !w->pass->recording->events[event].chosen)
		return;
	if (!decode_sample(w, r, event, &s)) {
		diag_count(&w->diag, DIAG_BAD_SAMPLE, r->position);
		return;
	}
	if (s.cpumode == CPUMODE_GUEST_KERNEL || s.cpumode == CPUMODE_GUEST_USER) {
		diag_count(&w->diag, DIAG_GUEST_SAMPLE, r->position);
		return;
	}
	holds = tracing_where_holds(w->pass->tracing, event, &s);
	if (!(holds || any) || !cut_to_spans(w, event, &s) || !find_weight(w, event, &s, &weight))
		return;
	if (!find_owner(w, r, &s, &owner) || !holds ||
		!sample_stack_find(
			&w->stacks, &w->attrs[event], &s, owner.thread->thread.space, owner.at)) {
		if (any)
			add_mark_of_any(w, &owner, &s, event);
		return;
	}
	if (w->branches)
		branch_stacks_add(
			w->branches, &w->attrs[event], &s, owner.thread->thread.space, owner.at);
	if (group)
		add_group(w, &owner, &s);
	else
		add_sample(w, &owner, &s, event, weight_of_moment(w, &s, weight));
}

static void read_record(struct pass2_worker *w, const struct perfdata_record *r)
{
	if (r->type == RECORD_SAMPLE)
		read_sample(w, r);
	else if (w->pass->switch_events->on &&
		 (r->type == RECORD_SWITCH || r->type == RECORD_SWITCH_CPU_WIDE))
		pass2_switches_add_record(w, r);
	else if (w->pass->opts->marks_of_switches &&
		 (r->type == RECORD_SWITCH || r->type == RECORD_SWITCH_CPU_WIDE))
		add_switched_in(w, r);
}

struct workers {
	const struct pass2 *pass;
	struct pass2_worker *worker;
};

static void read_block(struct pass2_worker *w, struct perfdata_block *b)
{
	struct perfdata_record r;

	if (w->switch_waits.switch_events) {
		switch_waits_add_block(&w->switch_waits, b);
		if (switch_waits_is_full(&w->switch_waits))
			pass2_switches_resolve(w);
		return;
	}
	while (perfdata_block_next(b, &r))
		read_record(w, &r);
	progress_add(w->pass->opts->progress, b->n_bytes);
}

static int run_worker(void *ctx, unsigned number, struct err *e)
{
	struct workers *all = ctx;
	struct pass2_worker *w = &all->worker[number];
	struct perfdata_block block = { 0 };
	int rc;

	while ((rc = perfdata_pop_block(all->pass->pd, &block, e)) == OK)
		read_block(w, &block);
	pass2_switches_resolve(w);
	stacklog_flush(w->log);
	perfdata_block_release(&block);
	return rc == END ? OK : rc;
}

int pass2_run(struct pass2 *p, struct pool *pool, struct err *e)
{
	bool one_block = !p->switch_waits && perfdata_block_count(p->pd) <= 1;
	unsigned n = one_block ? 1 : pool_workers(pool), k;
	struct workers all = { p, xcalloc_apart(n, sizeof(*all.worker)) };
	int rc;

	for (k = 0; k < n; k++)
		pass2_worker_init(&all.worker[k], p, p->switch_waits ? &p->switch_waits[k] : NULL);
	if (p->switch_waits)
		perfdata_rewind_unread(p->pd);
	rc = pool_run(one_block ? NULL : pool, run_worker, &all, e);
	if (p->switch_events->on)
		pass2_switches_join(p, all.worker, n, pool);
	pass2_worker_merge(p->recording, all.worker, n, p->opts->timeline);
	for (k = 0; k < n; k++)
		pass2_worker_release(&all.worker[k]);
	free(all.worker);
	return rc;
}
