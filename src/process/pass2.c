#include "process/pass2.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/saturated.h"
#include "process/blocked.h"
#include "process/offcpu.h"
#include "process/resolve.h"
#include "process/stacks.h"
#include "process/whose.h"

#include <stdlib.h>

struct worker {
	const struct pass2 *pass;          /* borrowed */
	const struct perfdata_attr *attrs; /* borrowed */
	struct stacklog *log;              /* handed over to the recording */
	struct timeline *timeline;         /* likewise, or NULL */
	struct marks *marks;               /* likewise */
	struct stacks stacks;
	struct resolver resolver;
	struct whose whose;
	struct noted noted; /* switches, of --off-cpu */
	struct diag diag;
	struct kept {
		uint64_t samples, weight;
	} * of_event;
	bool *is_offcpu;      /* by event */
	uint32_t read_sample; /* of pass->reads, found last */
	uint64_t kept, weight;
};

static bool is_chosen_sample(const struct worker *w, const struct perfdata_sample *s)
{
	const struct sample_choice *choice = w->pass->opts->choice;

	return s->time_ns >= w->pass->from_ns && s->time_ns <= w->pass->to_ns &&
	       (!choice || number_list_has(&choice->cpus, s->cpu));
}

/* Whose sample it is, once that is known to be wanted. */
struct owner {
	struct whose_thread *thread;
	const struct cgroup *cgroup;
	struct moment at;
};

static uint32_t add_row(struct worker *w, const struct owner *o, const struct perfdata_sample *s,
	uint32_t event, uint64_t weight)
{
	const struct whose_thread *t = o->thread;
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
				     .cpu = s->cpu,
			     });
}

static bool find_owner(struct worker *w, const struct perfdata_record *r,
	const struct perfdata_sample *s, struct owner *o)
{
	if (!is_chosen_sample(w, s))
		return false;
	o->at = (struct moment){ w->pass->has_times ? s->time_ns : 0, r->position };
	o->thread = whose_find(&w->whose, s->pid, s->tid, o->at);
	o->cgroup = cgroups_find(w->pass->cgroups, s->cgroup, o->at);
	return o->thread->wanted && cgroups_wants(w->pass->cgroups, o->cgroup);
}

static root_id root_of(struct worker *w, const struct owner *o, const struct perfdata_sample *s,
	uint32_t event, str_id state)
{
	const struct pass2 *p = w->pass;
	struct root of = {
		.event = w->attrs[event].name,
		.cgroup = o->cgroup ? o->cgroup->path : 0,
		.cpu = s->cpu,
		.state = state,
	};
	uint32_t i;

	for (i = 0; i < ROOT_FIELDS_MAX; i++)
		of.field[i] = tracing_root(p->tracing, p->recording->strings, event, s, i);
	return whose_root(&w->whose, o->thread, &of);
}

/* False where a field was to tell and does not, or a blocked time is too short or long. */
static bool find_weight(
	const struct worker *w, uint32_t event, const struct perfdata_sample *s, uint64_t *weight)
{
	const struct pass2 *p = w->pass;

	if (w->is_offcpu[event] && p->opts->off_cpu &&
		(s->period < p->opts->min_block_ns ||
			(p->opts->max_block_ns && s->period > p->opts->max_block_ns)))
		return false;
	*weight = p->opts->weight_by_samples || !s->period ? 1 : s->period;
	return !p->tracing->by_field || tracing_weight(p->tracing, event, s, weight);
}

/* What perf record --off-cpu wrote: blocked, nobody says why. 0 where that is not wanted. */
static str_id blocked_state(const struct worker *w)
{
	return w->pass->switching->state_names[STATE_UNKNOWN];
}

static uint32_t add_mark(
	struct worker *w, const struct owner *o, const struct perfdata_sample *s, uint32_t event)
{
	const struct whose_thread *t = o->thread;
	struct mark mark = {
		.time_ns = s->time_ns,
		.position = o->at.position,
		.thread = timeline_thread(
			w->marks->threads, t->thread.pid, t->tid, t->thread.name, s->time_ns),
		.event = (uint16_t)event,
	};

	return marking_add(w->pass->marking, w->marks, &mark, s, w->pass->recording->strings);
}

/* The stack taken last, for an event. */
static void add_sample(struct worker *w, const struct owner *o, const struct perfdata_sample *s,
	uint32_t event, uint64_t weight)
{
	stacklog_add(w->log,
		&(struct stacklog_sample){
			.root = root_of(w, o, s, event, w->is_offcpu[event] ? blocked_state(w) : 0),
			.space = o->thread->thread.space,
			.at = o->at,
			.weight = weight,
			.tag = w->marks ? add_mark(w, o, s, event)
					: add_row(w, o, s, event, weight),
			.n = w->stacks.chain.n,
			.entries = w->stacks.chain.entry,
		});
	whose_count(&w->whose, o->thread, weight);
	w->of_event[event].weight = add_saturated(w->of_event[event].weight, weight);
	w->of_event[event].samples++;
	w->weight = add_saturated(w->weight, weight);
	w->kept++;
}

/* A counter that has moved, of an event that is wanted. */
static bool is_chosen_count(const struct worker *w, struct read_count c)
{
	return c.event != READ_NOBODY && c.count && w->pass->recording->events[c.event].chosen;
}

static bool is_chosen_group(const struct worker *w)
{
	uint32_t at, to;

	for (read_groups_counters(w->pass->reads, w->read_sample, &at, &to); at < to; at++)
		if (is_chosen_count(w, read_groups_count(w->pass->reads, at)))
			return true;
	return false;
}

static void add_group(struct worker *w, const struct owner *o, const struct perfdata_sample *s)
{
	uint32_t at, to;

	for (read_groups_counters(w->pass->reads, w->read_sample, &at, &to); at < to; at++) {
		struct read_count c = read_groups_count(w->pass->reads, at);

		if (is_chosen_count(w, c))
			add_sample(
				w, o, s, c.event, w->pass->opts->weight_by_samples ? 1 : c.count);
	}
}

/* ---- switches, of which the samples weigh what their join says ------------------------------ */

/* The stack taken last goes into the log, and the switch waits for its number. */
static void log_switch(
	struct worker *w, const struct owner *o, root_id root, uint32_t what, uint32_t n)
{
	stacklog_add(w->log, &(struct stacklog_sample){
				     .root = root,
				     .space = o->thread->thread.space,
				     .at = o->at,
				     .later = true,
				     .tag = what,
				     .n = n,
				     .entries = w->stacks.chain.entry,
			     });
}

/* Returns the number of what there is to know of it. */
static uint32_t add_switch(struct worker *w, const struct switch_seen *seen)
{
	uint32_t what = switch_log_add_what(&w->noted.log, &seen->what);

	switch_log_add(&w->noted.log, what, seen);
	return what;
}

static void add_switch_with_stack(struct worker *w, const struct owner *o, root_id root,
	const struct switch_seen *seen, uint32_t n)
{
	uint32_t what = add_switch(w, seen);

	if (what != SWITCH_NO_WHAT)
		log_switch(w, o, root, what, n);
}

static struct owner find_switcher(struct worker *w, int32_t pid, int32_t tid, struct moment at)
{
	return (struct owner){ .at = at, .thread = whose_find(&w->whose, pid, tid, at) };
}

/* Is the blocked time of the thread wanted, as far as the sample tells? */
static bool is_wanted_switch(struct worker *w, const struct owner *o,
	const struct perfdata_sample *s, const struct switch_what *what)
{
	const struct sample_choice *choice = w->pass->opts->choice;

	return o->thread->wanted && what->tid > 0 &&
	       (!choice || !choice->cpus.n || number_list_has(&choice->cpus, s->cpu)) &&
	       cgroups_wants(w->pass->cgroups, o->cgroup) &&
	       (!w->pass->tracing->where || tracing_holds(w->pass->tracing, what->event, s));
}

/* The waker's name is drawn on top of its stack. */
static root_id waker_root(struct worker *w, const struct owner *o)
{
	struct root key = { .comm = o->thread->thread.name, .pid = -1, .tid = -1, .cpu = -1 };

	return roots_add(w->pass->recording->roots, &key);
}

static root_id switch_root(struct worker *w, const struct owner *o, const struct perfdata_sample *s,
	const struct switch_what *what)
{
	const struct switching *sw = w->pass->switching;

	if (what->kind == SWITCH_WAKE)
		return waker_root(w, o);
	return root_of(
		w, o, s, what->event, what->kind == SWITCH_OUT ? sw->state_names[what->state] : 0);
}

static void take_switch(struct worker *w, const struct perfdata_record *r, uint32_t event)
{
	struct perfdata_sample s;
	struct switch_seen seen;
	struct owner o;

	if (!perfdata_sample_decode(&w->attrs[event], r, &s)) {
		diag_count(&w->diag, DIAG_BAD_SAMPLE, r->position);
		return;
	}
	if (!switching_sample(w->pass->switching, event, &s, &seen))
		return;
	o = find_switcher(w, s.pid, s.tid, (struct moment){ s.time_ns, r->position });
	o.cgroup = w->pass->cgroups->n ? cgroups_find(w->pass->cgroups, s.cgroup, o.at) : NULL;
	if (seen.what.kind != SWITCH_WAKE) {
		if (!is_wanted_switch(w, &o, &s, &seen.what)) {
			/* Who comes in its place counts all the same. */
			add_switch(w, &seen);
			return;
		}
		seen.what.thread = o.thread->use;
	}
	if (!stacks_take(&w->stacks, &w->attrs[event], &s, o.thread->thread.space, o.at))
		return;
	add_switch_with_stack(w, &o, switch_root(w, &o, &s, &seen.what), &seen, w->stacks.chain.n);
}

/* Of records alone: nothing is known but who and when. */
static void take_switch_record(struct worker *w, const struct perfdata_record *r)
{
	struct perfdata_trailer t;
	struct perfdata_sample s = { .cpu = -1 };
	struct switch_seen seen;
	struct owner o;

	if (!switching_record(w->pass->switching, w->pass->pd, r, &seen))
		return;
	if (seen.what.kind == SWITCH_OUT && perfdata_trailer_decode(w->pass->pd, r, &t)) {
		o = find_switcher(w, t.pid, t.tid, (struct moment){ t.time_ns, r->position });
		s.cpu = t.cpu;
		if (is_wanted_switch(w, &o, &s, &seen.what)) {
			seen.what.thread = o.thread->use;
			add_switch_with_stack(w, &o, switch_root(w, &o, &s, &seen.what), &seen, 0);
			return;
		}
	}
	add_switch(w, &seen);
}

/* ---- switches that were noted down -------------------------------------------------------- */

/* What a wait means, as long as that holds. */
struct meaning {
	struct validity valid;
	uint32_t what; /* of the log: there it says so */
};

/* What is found out of all waits. */
struct settling {
	struct meaning *meaning;
	uint64_t *from_ns;    /* from when on it holds */
	uint64_t all_from_ns; /* that of any wait does */
};

static bool is_plain(const struct perfdata_sample *s)
{
	return callchain_is_plain(s->ips, s->n_ips, s->swapped);
}

/* Find out for what of the log, which is as the wait is, what it means at that moment. A chain that
 * is no plain one is counted as damage for each switch, or goes on elsewhere: it holds for one. */
static struct meaning find_meaning(
	struct worker *w, const struct wait *wait, uint32_t what, struct moment at)
{
	struct switch_what *of = &w->noted.log.whats[what];
	struct perfdata_sample s = noted_sample(&w->noted, wait);
	struct owner o = find_switcher(w, s.pid, s.tid, at);
	struct meaning m = { .valid = o.thread->valid, .what = what };

	if (of->kind != SWITCH_WAKE) {
		if (!is_wanted_switch(w, &o, &s, of))
			return m;
		of->thread = o.thread->use;
	}
	stacks_take(&w->stacks, &w->attrs[wait->key.event], &s, o.thread->thread.space, at);
	log_switch(w, &o, switch_root(w, &o, &s, of), what, w->stacks.chain.n);
	stacklog_flush(w->log);
	if (is_plain(&s))
		validity_narrow(&m.valid, stacklog_valid(w->log, of->stack));
	else
		m.valid = (struct validity){ 0 };
	return m;
}

/* From when on what the last switch of a wait means holds for all of them; 0: for each. At one time
 * the order in the file decides; that is looked at where it matters. */
static uint64_t holds_from_ns(struct validity v, const struct wait *wait)
{
	if (wait->last.time_ns >= v.until.time_ns)
		return UINT64_MAX;
	return v.from.time_ns < wait->from_ns ? 0 : v.from.time_ns + 1;
}

/* A thread is named, or becomes another program, soon after it was begun: by what the last of its
 * switches means nearly all are settled. Returns from when on. */
static uint64_t settle_wait(struct worker *w, uint32_t i, struct meaning *m)
{
	const struct wait *wait = &w->noted.waits[i];
	struct perfdata_sample s;

	*m = (struct meaning){ .what = w->noted.first_what + i };
	if (wait->key.kind == SWITCH_IN)
		return 0;
	s = noted_sample(&w->noted, wait);
	if (is_plain(&s))
		*m = find_meaning(w, wait, m->what, wait->last);
	return holds_from_ns(m->valid, wait);
}

/* A switch of a wait whose meaning varies. */
static void settle_row(struct worker *w, struct meaning *m, size_t number, struct moment at)
{
	struct noted *n = &w->noted;
	uint32_t i = switch_log_what(&n->log, number) - n->first_what;

	if (!validity_holds(m[i].valid, at)) {
		uint32_t what = noted_add_what(n, i);

		if (what == SWITCH_NO_WHAT)
			return;
		m[i] = find_meaning(w, &n->waits[i], what, at);
	}
	switch_log_set_what(&n->log, number, m[i].what);
}

/* Of rows of a stretch those that their waits do not settle. */
static void settle_stretch(struct worker *w, const struct settling *s, size_t stretch, size_t from,
	size_t to, uint64_t position)
{
	const struct switch_log *l = &w->noted.log;
	struct moment at = { .position = position };
	size_t k;

	for (k = from; k < to; k++) {
		at.time_ns = l->stretches[stretch].begin_ns + l->rows[k].after_ns;
		if (at.time_ns >= s->all_from_ns)
			return;
		if (at.time_ns < s->from_ns[switch_log_what(l, k) - w->noted.first_what])
			settle_row(w, s->meaning, k, at);
	}
}

static void settle_rows(struct worker *w, const struct settling *s)
{
	struct noted *n = &w->noted;
	size_t k, end, stretch;
	uint32_t i;

	for (i = 0; i < n->n_blocks; i++) {
		size_t to = i + 1 < n->n_blocks ? n->blocks[i + 1].row : n->log.n;

		for (k = n->blocks[i].row; k < to; k = end) {
			stretch = switch_log_stretch(&n->log, k);
			end = switch_log_stretch_end(&n->log, stretch);
			if (end > to)
				end = to;
			settle_stretch(w, s, stretch, k, end, n->blocks[i].position + 1);
		}
	}
}

/* Find out what all that was noted down means. */
static void settle(struct worker *w)
{
	struct noted *n = &w->noted;
	struct settling s = {
		.meaning = xcalloc(n->n_waits, sizeof(*s.meaning)),
		.from_ns = xcalloc(n->n_waits, sizeof(*s.from_ns)),
	};
	uint32_t i;

	for (i = 0; i < n->n_waits; i++) {
		s.from_ns[i] = settle_wait(w, i, &s.meaning[i]);
		if (s.from_ns[i] > s.all_from_ns)
			s.all_from_ns = s.from_ns[i];
	}
	if (s.all_from_ns)
		settle_rows(w, &s);
	free(s.meaning);
	free(s.from_ns);
	progress_add(w->pass->opts->progress, n->n_bytes);
	noted_forget_waits(n);
}

/* ------------------------------------------------------------------------------------------- */

/* False where it is damaged. */
static bool decode_sample(const struct worker *w, const struct perfdata_record *r, uint32_t event,
	struct perfdata_sample *s)
{
	return perfdata_sample_decode(&w->attrs[event], r, s) &&
	       (!w->is_offcpu[event] || offcpu_take(s, w->pass->recording->facts.last_time_ns));
}

static void take_sample(struct worker *w, const struct perfdata_record *r)
{
	struct perfdata_sample s;
	struct owner owner;
	uint64_t weight;
	uint32_t event;
	bool group;

	if (!perfdata_sample_event(w->pass->pd, r, &event))
		return;
	if (w->pass->switching->on) {
		if (w->pass->switching->of[event].role)
			take_switch(w, r, event);
		return;
	}
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
	if (!tracing_holds(w->pass->tracing, event, &s) || !find_weight(w, event, &s, &weight))
		return;
	if (!find_owner(w, r, &s, &owner) || !stacks_take(&w->stacks, &w->attrs[event], &s,
						     owner.thread->thread.space, owner.at))
		return;
	if (group)
		add_group(w, &owner, &s);
	else
		add_sample(w, &owner, &s, event, weight);
}

static void set_switch_stack(void *ctx, uint32_t tag, stack_no stack)
{
	struct switch_log *l = ctx;

	l->whats[tag].stack = stack;
}

/* noted: what was noted down in pass 1, which is taken over; or NULL. */
static void worker_init(struct worker *w, const struct pass2 *p, struct noted *noted)
{
	struct recording *r = p->recording;
	uint32_t n, i;

	w->pass = p;
	w->attrs = perfdata_attrs(p->pd, &n);
	w->of_event = xcalloc(n, sizeof(*w->of_event));
	w->is_offcpu = xcalloc(n, sizeof(*w->is_offcpu));
	for (i = 0; i < n; i++)
		w->is_offcpu[i] =
			offcpu_is_event(&w->attrs[i], strtab_get(r->strings, w->attrs[i].name));
	stacks_init(&w->stacks, p->world, p->codemaps, p->deferred, p->unwinder, p->opts);
	w->stacks.chain.adjusted = perfdata_features(p->pd)->simpleperf;
	w->stacks.interpreted = p->interpreted;
	resolver_init(
		&w->resolver, r, p->world, p->codemaps, &w->stacks.chain, p->opts->compat_perf);
	w->log = stacklog_new(resolver_resolve, &w->resolver);
	whose_init(&w->whose, p->world, p->opts->choice, r, p->opts->root_fields);
	if (p->opts->timeline) {
		w->timeline = timeline_new();
		stacklog_set_on_stack(w->log, timeline_set_stack, w->timeline);
	}
	if (p->marking->fields) {
		w->marks = marks_new();
		stacklog_set_on_stack(w->log, marks_set_stack, w->marks);
	}
	if (!p->switching->on)
		return;
	stacklog_set_on_stack(w->log, set_switch_stack, &w->noted.log);
	if (noted) {
		w->noted = *noted;
		*noted = (struct noted){ 0 };
	} else if (noted_is_enough(p->switching, p->pd, p->opts)) {
		noted_init(&w->noted, p->switching, p->pd, p->opts);
	}
}

static void worker_release(struct worker *w)
{
	stacks_release(&w->stacks);
	whose_release(&w->whose);
	noted_release(&w->noted);
	free(w->of_event);
	free(w->is_offcpu);
}

static void take_record(struct worker *w, const struct perfdata_record *r)
{
	if (r->type == RECORD_SAMPLE)
		take_sample(w, r);
	else if (w->pass->switching->on &&
		 (r->type == RECORD_SWITCH || r->type == RECORD_SWITCH_CPU_WIDE))
		take_switch_record(w, r);
}

struct workers {
	const struct pass2 *pass;
	struct worker *worker;
};

static void take_block(struct worker *w, struct perfdata_block *b)
{
	struct perfdata_record r;

	if (w->noted.switching) {
		noted_take_block(&w->noted, b);
		if (noted_is_full(&w->noted))
			settle(w);
		return;
	}
	while (perfdata_block_next(b, &r))
		take_record(w, &r);
	progress_add(w->pass->opts->progress, b->n_bytes);
}

static int run_worker(void *ctx, unsigned number, struct err *e)
{
	struct workers *all = ctx;
	struct worker *w = &all->worker[number];
	struct perfdata_block block = { 0 };
	int rc;

	while ((rc = perfdata_next_block(all->pass->pd, &block, e)) == OK)
		take_block(w, &block);
	settle(w);
	stacklog_flush(w->log);
	perfdata_block_release(&block);
	return rc == END ? OK : rc;
}

/* ---- what the workers counted ------------------------------------------------------------- */

static int compare_uses(const void *pa, const void *pb)
{
	const struct thread_use *a = pa, *b = pb;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return a->tid < b->tid ? -1 : a->tid > b->tid;
}

/* Sorted by pid and tid, each thread once. */
static void merge_uses(struct recording *r, const struct worker *workers, unsigned n)
{
	uint32_t total = 0, i, out = 0;
	unsigned k;

	for (k = 0; k < n; k++)
		total += workers[k].whose.n_uses;
	r->threads = xcalloc(total, sizeof(*r->threads));
	for (k = 0, i = 0; k < n; k++) {
		const struct whose *w = &workers[k].whose;

		if (w->n_uses)
			memcpy(r->threads + i, w->uses, w->n_uses * sizeof(*w->uses));
		i += w->n_uses;
	}
	qsort(r->threads, total, sizeof(*r->threads), compare_uses);
	for (i = 0; i < total; i++) {
		struct thread_use *last = out ? &r->threads[out - 1] : NULL;

		if (!last || compare_uses(last, &r->threads[i])) {
			r->threads[out++] = r->threads[i];
			continue;
		}
		if (r->threads[i].name_time_ns > last->name_time_ns) {
			last->name = r->threads[i].name;
			last->name_time_ns = r->threads[i].name_time_ns;
		}
		last->samples += r->threads[i].samples;
		last->weight = add_saturated(last->weight, r->threads[i].weight);
	}
	r->n_threads = out;
}

static int compare_pids(const void *pa, const void *pb)
{
	const struct process_use *a = pa, *b = pb;

	return a->pid < b->pid ? -1 : a->pid > b->pid;
}

/* They are listed in order of pid. */
static struct process_use *find_process(struct recording *r, int32_t pid)
{
	struct process_use key = { .pid = pid };

	return r->n_processes
		       ? bsearch(&key, r->processes, r->n_processes, sizeof(key), compare_pids)
		       : NULL;
}

static void count_processes(struct recording *r)
{
	struct process_use *p = NULL;
	uint32_t i;

	for (i = 0; i < r->n_threads; i++) {
		if (!p || p->pid != r->threads[i].pid)
			p = find_process(r, r->threads[i].pid);
		if (p)
			p->samples += r->threads[i].samples;
	}
}

static void take_over(struct recording *r, struct worker *workers, unsigned n, bool timeline)
{
	unsigned k;
	uint32_t i;

	r->n_logs = n;
	r->logs = xcalloc(n, sizeof(*r->logs));
	r->timelines = timeline ? xcalloc(n, sizeof(*r->timelines)) : NULL;
	r->marks = workers[0].marks ? xcalloc(n, sizeof(*r->marks)) : NULL;
	for (k = 0; k < n; k++) {
		struct worker *w = &workers[k];

		r->logs[k] = w->log;
		if (timeline)
			r->timelines[k] = w->timeline;
		if (r->marks)
			r->marks[k] = w->marks;
		diag_merge(&r->diag, &w->diag);
		diag_merge(&r->diag, &w->noted.diag);
		diag_merge(&r->diag, &w->stacks.diag);
		diag_merge(&r->diag, &w->resolver.diag);
		r->samples_kept += w->kept;
		r->weight_kept = add_saturated(r->weight_kept, w->weight);
		for (i = 0; i < r->n_events; i++) {
			struct event *v = &r->events[i];

			v->weight = add_saturated(v->weight, w->of_event[i].weight);
			v->kept += w->of_event[i].samples;
		}
	}
	merge_uses(r, workers, n);
	count_processes(r);
}

/* The first worker stands for all in what is counted. */
static void join_switches(
	const struct pass2 *p, struct worker *workers, unsigned n, struct pool *pool)
{
	bool in_order = p->opts->wakers || p->opts->timeline;
	struct blocked_part *parts = xcalloc(n, sizeof(*parts));
	struct switch_log *logs = xcalloc(n, sizeof(*logs));
	struct switches_opts o = {
		.min_ns = p->opts->min_block_ns,
		.max_ns = p->opts->max_block_ns,
		.wanted = { p->from_ns, p->to_ns },
		.lost = p->losses->range,
		.n_lost = p->losses->n,
	};
	struct blocked_total total = { 0 };
	unsigned k;

	for (k = 0; k < n; k++) {
		parts[k] = (struct blocked_part){ workers[k].log, workers[k].timeline,
			workers[k].whose.uses, workers[k].whose.n_uses };
		logs[k] = workers[k].noted.log;
		workers[k].noted.log = (struct switch_log){ 0 };
	}
	blocked_join(p->recording, logs, parts, n, &o, p->wakers, &total, in_order ? NULL : pool);
	workers[0].kept = total.samples;
	workers[0].weight = total.weight;
	free(parts);
	free(logs);
}

int pass2_run(struct pass2 *p, struct pool *pool, struct err *e)
{
	bool one_block = !p->noted && perfdata_block_count(p->pd) <= 1;
	unsigned n = one_block ? 1 : pool_workers(pool), k;
	struct workers all = { p, xcalloc(n, sizeof(*all.worker)) };
	int rc;

	for (k = 0; k < n; k++)
		worker_init(&all.worker[k], p, p->noted ? &p->noted[k] : NULL);
	if (p->noted)
		perfdata_rewind_to_rest(p->pd);
	rc = pool_run(one_block ? NULL : pool, run_worker, &all, e);
	if (p->switching->on)
		join_switches(p, all.worker, n, pool);
	take_over(p->recording, all.worker, n, p->opts->timeline);
	for (k = 0; k < n; k++)
		worker_release(&all.worker[k]);
	free(all.worker);
	return rc;
}
