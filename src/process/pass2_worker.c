/*
 * A worker's life: pass2_worker_init() connects its log, caches and counts with the frozen data of
 * struct pass2; pass2.c and pass2_switches.c fill them; pass2_worker_merge() gives logs and
 * timelines to the recording as they are, one for each worker, and adds up the counts. Logs are
 * merged later, by collapse/, where equal stacks meet by name.
 *
 * Threads are the only lists that several workers may have entries of: merge_uses() sorts all of
 * them by pid and tid and adds up neighbours, so that the result does not depend on who saw which
 * sample. The name of a thread is the one that was valid last.
 *
 * A stack gets its number only after it has been looked up, some samples later (model/stacklog.c).
 * So rows of the timeline, marks and switches are written at once, and the callback of
 * stacklog_set_on_stack() adds the number when it is known, by the tag of the sample.
 */
#include "process/pass2_worker.h"

#include "base/mem.h"
#include "base/saturated.h"

#include <stdlib.h>

/* Does an event that is wanted have branch stacks? */
static bool any_branch_stacks(const struct pass2_worker *w)
{
	const struct recording *r = w->pass->recording;
	uint32_t i;

	for (i = 0; i < r->n_events; i++)
		if (r->events[i].chosen && branch_stacks_has(&w->attrs[i]))
			return true;
	return false;
}

static void set_switch_stack(void *ctx, uint32_t tag, stack_id stack)
{
	struct switch_log *l = ctx;

	l->classes[tag].stack = stack;
}

void pass2_worker_init(
	struct pass2_worker *w, const struct pass2 *p, struct switch_waits *switch_waits)
{
	struct recording *r = p->recording;
	uint32_t n, i;

	w->pass = p;
	w->attrs = perfdata_attrs(p->pd, &n);
	w->of_event = xcalloc_apart(n, sizeof(*w->of_event));
	w->is_offcpu = xcalloc_apart(n, sizeof(*w->is_offcpu));
	for (i = 0; i < n; i++)
		w->is_offcpu[i] =
			offcpu_is_event(&w->attrs[i], strtab_get(r->strings, w->attrs[i].name));
	sample_stack_init(&w->stacks, p->world, p->jit_maps, p->deferred, &p->copies, p->opts);
	w->stacks.chain.adjusted = perfdata_features(p->pd)->simpleperf;
	w->stacks.interpreter = p->interpreter;
	resolver_init(
		&w->resolver, r, p->world, p->jit_maps, &w->stacks.chain, p->opts->compat_perf);
	w->log = stacklog_new(resolver_resolve, &w->resolver);
	if (!p->opts->compat_perf)
		stacklog_set_trim(w->log, resolver_trim, &w->resolver);
	thread_cache_init(&w->threads, p->world, p->opts->choice, r, p->opts->root_fields);
	if (p->opts->timeline) {
		w->timeline = timeline_new();
		stacklog_set_on_stack(w->log, timeline_set_stack, w->timeline);
	}
	if (p->marking->fields) {
		w->marks = marks_new();
		stacklog_set_on_stack(w->log, marks_set_stack, w->marks);
	}
	if (p->opts->branches && (p->opts->branch_samples || any_branch_stacks(w)))
		w->branches = branch_stacks_new(p->world, r->modules, !any_branch_stacks(w));
	if (!p->switch_events->on)
		return;
	stacklog_set_on_stack(w->log, set_switch_stack, &w->switch_waits.log);
	if (switch_waits) {
		w->switch_waits = *switch_waits;
		*switch_waits = (struct switch_waits){ 0 };
	} else if (switch_waits_suffice(p->switch_events, p->pd, p->opts)) {
		switch_waits_init(&w->switch_waits, p->switch_events, p->pd, p->opts);
	}
}

void pass2_worker_release(struct pass2_worker *w)
{
	sample_stack_release(&w->stacks);
	branch_stacks_free(w->branches);
	thread_cache_release(&w->threads);
	switch_waits_release(&w->switch_waits);
	free(w->of_event);
	free(w->is_offcpu);
}

root_id pass2_worker_root(struct pass2_worker *w, const struct sample_owner *o,
	const struct perfdata_sample *s, uint32_t event, str_id state)
{
	const struct pass2 *p = w->pass;
	struct root of = {
		.event = w->attrs[event].name,
		.cgroup = o->cgroup ? o->cgroup->path : 0,
		.cpu = s->cpu,
		.state = state,
	};
	root_id known = thread_cache_known_root(&w->threads, o->thread, state);
	uint32_t i;

	if (known)
		return known;
	for (i = 0; i < ROOT_FIELDS_MAX; i++)
		of.field[i] = tracing_root(p->tracing, p->recording->strings, event, s, i);
	return thread_cache_root(&w->threads, o->thread, &of);
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
static void merge_uses(struct recording *r, const struct pass2_worker *workers, unsigned n)
{
	uint32_t total = 0, i, out = 0;
	unsigned k;

	for (k = 0; k < n; k++)
		total += workers[k].threads.n_uses;
	r->threads = xcalloc(total, sizeof(*r->threads));
	for (k = 0, i = 0; k < n; k++) {
		const struct thread_cache *w = &workers[k].threads;

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
		last->weight = saturated_add(last->weight, r->threads[i].weight);
	}
	r->n_threads = out;
}

static void count_processes(struct recording *r)
{
	struct process_use *p = NULL;
	uint32_t i;

	for (i = 0; i < r->n_threads; i++) {
		if (!p || p->pid != r->threads[i].pid)
			p = recording_process(r, r->threads[i].pid);
		if (p)
			p->samples += r->threads[i].samples;
	}
}

static void merge_branches(struct recording *r, struct pass2_worker *workers, unsigned n)
{
	unsigned k;

	if (!workers[0].branches)
		return;
	for (k = 0; k < n; k++)
		branch_stacks_collect(workers[k].branches, &r->branches);
	branch_traces_sort(r->branches);
}

void pass2_worker_merge(
	struct recording *r, struct pass2_worker *workers, unsigned n, bool timeline)
{
	unsigned k;
	uint32_t i;

	r->n_logs = n;
	r->logs = xcalloc(n, sizeof(*r->logs));
	r->timelines = timeline ? xcalloc(n, sizeof(*r->timelines)) : NULL;
	r->marks = workers[0].marks ? xcalloc(n, sizeof(*r->marks)) : NULL;
	for (k = 0; k < n; k++) {
		struct pass2_worker *w = &workers[k];

		r->logs[k] = w->log;
		if (timeline)
			r->timelines[k] = w->timeline;
		if (r->marks)
			r->marks[k] = w->marks;
		diag_merge(&r->diag, &w->diag);
		diag_merge(&r->diag, &w->switch_waits.diag);
		diag_merge(&r->diag, &w->stacks.diag);
		diag_merge(&r->diag, &w->resolver.diag);
		diag_add(&r->diag, DIAG_CHAIN_TO_DATA, stacklog_trimmed(w->log), 0);
		off_cpu_merge(&r->off_cpu, &w->off_cpu);
		r->samples_kept += w->kept;
		r->weight_kept = saturated_add(r->weight_kept, w->weight);
		for (i = 0; i < r->n_events; i++) {
			struct event *v = &r->events[i];

			v->weight = saturated_add(v->weight, w->of_event[i].weight);
			v->kept += w->of_event[i].samples;
		}
	}
	if (r->diag.count[DIAG_LATE_MAP])
		r->diag.count[DIAG_LATE_MAP] = sites_count_late(r->sites);
	merge_branches(r, workers, n);
	merge_uses(r, workers, n);
	count_processes(r);
}
