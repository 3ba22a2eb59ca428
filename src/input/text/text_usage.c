/*
 * text_usage.c - counting the samples of a text, and merging what all workers counted
 *
 * Each worker has three tables, found by hash: events by name, threads by (name, pid, tid), and
 * roots by (thread, event, CPU, fields). The event of the sample before is compared first, as most
 * texts have one event only. Whether an event or a thread is wanted is decided when it is added to
 * its table, so a sample costs two look-ups, and the conditions on its own fields.
 *
 * Merging makes the result independent of the number of workers and of the size of blocks:
 *
 *	workers' events  --- sorted by the place of their first sample ---> r->events
 *	workers' threads --- sorted by pid, tid and place ----------------> r->threads
 *
 * A thread that changes its name has an entry for each name; the last one in the text is shown. A
 * place is text_place(): block and line, which order samples as they are in the text.
 */
#include "input/text/text_usage.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/saturated.h"
#include "input/text/text_fields.h"
#include "model/names/event_name.h"
#include "model/sample_choice.h"

#include <stdlib.h>

void text_usage_init(struct text_usage *u, struct recording *r, const struct text_rules *rules)
{
	*u = (struct text_usage){ .recording = r, .rules = rules, .first_time_ns = UINT64_MAX };
}

void text_usage_release(struct text_usage *u)
{
	arena_release(&u->strings);
	index_release(&u->by_event);
	index_release(&u->by_thread);
	index_release(&u->by_root);
	free(u->events);
	free(u->threads);
	free(u->roots);
}

static struct span keep(struct text_usage *u, struct span s)
{
	return (struct span){ arena_string(&u->strings, s.p, s.n), s.n };
}

static uint32_t add_event(
	struct text_usage *u, const struct text_sample *s, uint64_t hash, uint64_t place)
{
	struct text_usage_event *v;
	struct span name = s->event;

	ARRAY_GROW(u->events, u->n_events, u->cap_events);
	v = &u->events[u->n_events];
	*v = (struct text_usage_event){ .name = keep(u, name), .place = place };
	v->event.name = strtab_add(u->recording->strings, name);
	v->event.unit = strtab_add(u->recording->strings, s->unit);
	v->event.first_time_ns = UINT64_MAX;
	v->event.chosen = event_name_wanted(name, u->rules->opts->events, u->rules->first_event);
	v->event.tracepoint = event_name_is_tracepoint(name);
	v->event.time_ns_unit = event_name_is_clock(name);
	index_add(&u->by_event, hash, u->n_events);
	return u->n_events++;
}

static uint32_t find_event(struct text_usage *u, const struct text_sample *s, uint64_t place)
{
	struct span name = s->event;
	struct index_cursor c;
	uint64_t hash;
	uint32_t i;

	if (u->n_events && span_eq(u->events[u->last_event].name, name))
		return u->last_event;
	hash = hash_span(name);
	index_for_each (&u->by_event, hash, c, i)
		if (span_eq(u->events[i].name, name))
			break;
	if (i == INDEX_NONE)
		i = add_event(u, s, hash, place);
	u->last_event = i;
	return i;
}

static bool matches(const struct name_pattern *p, struct span name)
{
	return !p || name_pattern_matches(p, name);
}

static struct span process_of(const struct text_sample *v)
{
	return v->process.n ? v->process : v->comm;
}

static bool thread_wanted(const struct sample_choice *c, const struct text_sample *v)
{
	if (!c)
		return true;
	return sample_choice_keeps(c, CHOICE_PID,
		       !c->pids.n || (v->pid >= 0 && number_list_has(&c->pids, v->pid))) &&
	       sample_choice_keeps(c, CHOICE_TID, number_list_has(&c->tids, v->tid)) &&
	       sample_choice_keeps(c, CHOICE_COMM, matches(c->comm, v->comm)) &&
	       sample_choice_keeps(c, CHOICE_PROCESS, matches(c->process, process_of(v))) &&
	       !c->cgroup;
}

static uint32_t add_thread(struct text_usage *u, const struct text_sample *v, uint64_t hash)
{
	struct text_usage_thread *t;

	ARRAY_GROW(u->threads, u->n_threads, u->cap_threads);
	t = &u->threads[u->n_threads];
	*t = (struct text_usage_thread){ .comm = keep(u, v->comm),
		.process = v->process.n ? keep(u, v->process) : SPAN(""),
		.timeline = UINT32_MAX };
	t->use.pid = v->pid;
	t->use.tid = v->tid;
	t->use.name = strtab_add(u->recording->strings, v->comm);
	t->wanted = thread_wanted(u->rules->opts->choice, v);
	index_add(&u->by_thread, hash, u->n_threads);
	return u->n_threads++;
}

static uint32_t find_thread(struct text_usage *u, const struct text_sample *v)
{
	uint64_t ids = (uint64_t)(uint32_t)v->pid << 32 | (uint32_t)v->tid;
	uint64_t hash = hash_pair(hash_span(v->comm), ids);
	struct index_cursor c;
	uint32_t i;

	index_for_each (&u->by_thread, hash, c, i) {
		const struct text_usage_thread *t = &u->threads[i];

		if (t->use.tid == v->tid && t->use.pid == v->pid && span_eq(t->comm, v->comm) &&
			span_eq(t->process, v->process))
			return i;
	}
	return add_thread(u, v, hash);
}

static void count_known(struct text_usage *u, const struct text_sample *v, uint64_t samples)
{
	if (!v->counted)
		u->samples_read = saturated_add(u->samples_read, samples);
	u->has_pid |= v->pid >= 0;
	u->has_tid |= v->tid >= 0;
	u->has_cpu |= v->cpu >= 0;
	u->has_time |= v->has_time;
	if (v->has_time && v->time_ns < u->first_time_ns)
		u->first_time_ns = v->time_ns;
	if (v->has_time && v->time_ns > u->last_time_ns)
		u->last_time_ns = v->time_ns;
}

static bool sample_wanted(const struct text_rules *rules, const struct text_sample *v)
{
	const struct sample_choice *c = rules->opts->choice;

	if (!c)
		return true;
	return sample_choice_keeps(c, CHOICE_CPU,
		       !c->cpus.n || (v->cpu >= 0 && number_list_has(&c->cpus, v->cpu))) &&
	       (!v->has_time ||
		       sample_choice_keeps(c, CHOICE_TIME,
			       v->time_ns >= rules->from_ns && v->time_ns <= rules->to_ns));
}

static bool conditions_hold(const struct text_usage *u, const struct text_sample *v)
{
	const struct sample_choice *c = u->rules->opts->choice;
	struct field_value value;
	size_t i;

	for (i = 0; c && i < c->where.n; i++)
		if (!text_fields_find(v->fields, where_field(&c->where, i), &value) ||
			!where_holds(&c->where, i, &value))
			return false;
	return true;
}

static str_id root_field(struct text_usage *u, const struct text_sample *v, const char *name)
{
	struct field_value value;
	struct buf b = { 0 };
	str_id text;

	if (!text_fields_find(v->fields, span_of(name), &value))
		return 0;
	field_value_put(&b, &value);
	text = strtab_add(u->recording->strings, buf_span(&b));
	buf_release(&b);
	return text;
}

/* The weight of a sample: the value of a field, or its period. */
static bool find_weight(
	const struct text_usage *u, const struct text_sample *v, struct text_counted *s)
{
	const struct read_opts *o = u->rules->opts;
	struct field_value value;

	if (v->period && !o->weight_by_samples)
		s->weight = v->period;
	if (!o->weight_field)
		return true;
	if (!text_fields_find(v->fields, span_of(o->weight_field), &value) || !value.has_number ||
		(value.is_signed && (int64_t)value.number < 0))
		return false;
	s->weight = value.number;
	return true;
}

/* All choices that depend on the fields of a tracepoint. */
static bool read_fields(struct text_usage *u, const struct text_sample *v, struct text_counted *s)
{
	const struct root_fields *roots = u->rules->opts->root_field_names;
	uint32_t i;

	if (!conditions_hold(u, v) || !find_weight(u, v, s))
		return false;
	for (i = 0; roots && i < roots->n; i++)
		s->field[i] = root_field(u, v, roots->name[i]);
	return true;
}

bool text_usage_count(
	struct text_usage *u, const struct text_sample *v, uint64_t place, struct text_counted *s)
{
	const uint64_t samples = v->samples ? v->samples : 1;
	struct text_usage_thread *t;
	struct event *event;

	count_known(u, v, samples);
	*s = (struct text_counted){ .cpu = v->cpu,
		.time_ns = v->time_ns,
		.weight = 1,
		.samples = v->samples,
		.labels = u->rules->opts->root_fields >> ROOT_LABEL ? v->labels : 0,
		.place = place };
	s->event = find_event(u, v, place);
	event = &u->events[s->event].event;
	event->samples = saturated_add(event->samples, samples);
	event->periods |= v->period != 0;
	if (v->has_time && v->time_ns < event->first_time_ns)
		event->first_time_ns = v->time_ns;
	if (!event->chosen || !sample_wanted(u->rules, v) || !read_fields(u, v, s))
		return false;
	s->thread = find_thread(u, v);
	t = &u->threads[s->thread];
	if (!t->wanted)
		return false;
	t->place = place;
	t->use.samples = saturated_add(t->use.samples, samples);
	t->use.weight = saturated_add(t->use.weight, s->weight);
	event->weight = saturated_add(event->weight, s->weight);
	u->samples_kept = saturated_add(u->samples_kept, samples);
	u->weight_kept = saturated_add(u->weight_kept, s->weight);
	return true;
}

static root_id add_root(struct text_usage *u, struct text_usage_root key, uint64_t hash)
{
	const struct thread_use *t = &u->threads[key.thread].use;
	uint32_t fields = u->rules->opts->root_fields;
	bool pid = fields & (1u << ROOT_COMM_PID | 1u << ROOT_COMM_PID_TID);
	bool tid = fields & 1u << ROOT_COMM_PID_TID;
	struct root root = { .pid = pid ? t->pid : -1, .tid = tid ? t->tid : -1, .cpu = key.cpu };

	if (pid || fields & 1u << ROOT_COMM)
		root.comm = t->name;
	if (fields & 1u << ROOT_PROCESS)
		root.process = t->name;
	if (fields & 1u << ROOT_PROCESS && u->threads[key.thread].process.n)
		root.process = strtab_add(u->recording->strings, u->threads[key.thread].process);
	root.labels = key.labels;
	if (fields & 1u << ROOT_EVENT)
		root.event = u->events[key.event].event.name;
	memcpy(root.field, key.field, sizeof(root.field));
	key.root = roots_add(u->recording->roots, &root);
	ARRAY_GROW(u->roots, u->n_roots, u->cap_roots);
	u->roots[u->n_roots] = key;
	index_add(&u->by_root, hash, u->n_roots++);
	return key.root;
}

root_id text_usage_root(struct text_usage *u, const struct text_counted *s)
{
	uint32_t fields = u->rules->opts->root_fields;
	struct text_usage_root key = { s->thread, fields & 1u << ROOT_EVENT ? s->event : 0,
		fields & 1u << ROOT_CPU ? s->cpu : -1, 0, s->labels, { 0 } };
	uint64_t hash = hash_pair(key.thread, (uint64_t)key.event << 32 | (uint32_t)key.cpu);
	struct index_cursor c;
	uint32_t i;

	memcpy(key.field, s->field, sizeof(key.field));
	if (key.labels)
		hash = hash_pair(hash, key.labels);
	for (i = 0; i < ROOT_FIELDS_MAX; i++)
		hash = s->field[i] ? hash_pair(hash, s->field[i]) : hash;
	index_for_each (&u->by_root, hash, c, i) {
		const struct text_usage_root *k = &u->roots[i];

		if (k->thread == key.thread && k->event == key.event && k->cpu == key.cpu &&
			k->labels == key.labels &&
			memcmp(k->field, key.field, sizeof(key.field)) == 0)
			return k->root;
	}
	return add_root(u, key, hash);
}

/* ---- merging what all workers counted ---- */

struct event_in_text {
	const struct text_usage_event *use;
	uint32_t worker, number;
};

static int compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_events(const void *pa, const void *pb)
{
	const struct event_in_text *a = pa, *b = pb;

	return compare_u64(a->use->place, b->use->place);
}

static uint32_t merge_event(struct recording *r, struct index *by_name, const struct event *from)
{
	uint64_t hash = hash_u64(from->name);
	struct index_cursor c;
	struct event *v;
	uint32_t i;

	index_for_each (by_name, hash, c, i)
		if (r->events[i].name == from->name)
			break;
	if (i == INDEX_NONE) {
		r->events[r->n_events] = *from;
		index_add(by_name, hash, r->n_events);
		return r->n_events++;
	}
	v = &r->events[i];
	v->samples = saturated_add(v->samples, from->samples);
	v->periods |= from->periods;
	v->weight = saturated_add(v->weight, from->weight);
	if (from->first_time_ns < v->first_time_ns)
		v->first_time_ns = from->first_time_ns;
	return i;
}

static void merge_events(
	struct recording *r, struct text_usage *const *usages, unsigned n, uint32_t **event_number)
{
	struct index by_name = { 0 };
	struct event_in_text *all;
	size_t n_all = 0, at = 0, i;
	uint32_t k;
	unsigned w;

	for (w = 0; w < n; w++)
		n_all += usages[w]->n_events;
	all = xcalloc(n_all, sizeof(*all));
	for (w = 0; w < n; w++) {
		event_number[w] = xcalloc(usages[w]->n_events, sizeof(uint32_t));
		for (k = 0; k < usages[w]->n_events; k++)
			all[at++] = (struct event_in_text){ &usages[w]->events[k], w, k };
	}
	if (n_all)
		qsort(all, n_all, sizeof(*all), compare_events);
	r->events = xcalloc(n_all, sizeof(*r->events));
	for (i = 0; i < n_all; i++)
		event_number[all[i].worker][all[i].number] =
			merge_event(r, &by_name, &all[i].use->event);
	index_release(&by_name);
	free(all);
}

static int compare_ids(const void *pa, const void *pb)
{
	const struct thread_use *a = pa, *b = pb;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return (a->tid > b->tid) - (a->tid < b->tid);
}

static int compare_threads(const void *pa, const void *pb)
{
	const struct text_usage_thread *a = *(struct text_usage_thread *const *)pa;
	const struct text_usage_thread *b = *(struct text_usage_thread *const *)pb;
	int c = compare_ids(&a->use, &b->use);

	return c ? c : compare_u64(a->place, b->place);
}

/* Sorted by place, so the last name of a thread wins. */
static void merge_thread(struct recording *r, const struct thread_use *from)
{
	struct thread_use *t = r->n_threads ? &r->threads[r->n_threads - 1] : NULL;

	if (!t || t->pid != from->pid || t->tid != from->tid) {
		r->threads[r->n_threads++] = *from;
		return;
	}
	t->name = from->name;
	t->samples = saturated_add(t->samples, from->samples);
	t->weight = saturated_add(t->weight, from->weight);
}

static void merge_threads(struct recording *r, struct text_usage *const *usages, unsigned n)
{
	const struct text_usage_thread **all;
	size_t n_all = 0, at = 0, i;
	uint32_t k;
	unsigned w;

	for (w = 0; w < n; w++)
		n_all += usages[w]->n_threads;
	all = xcalloc(n_all, sizeof(*all));
	for (w = 0; w < n; w++)
		for (k = 0; k < usages[w]->n_threads; k++)
			if (usages[w]->threads[k].wanted)
				all[at++] = &usages[w]->threads[k];
	if (at)
		qsort(all, at, sizeof(*all), compare_threads);
	r->threads = xcalloc(at, sizeof(*r->threads));
	for (i = 0; i < at; i++)
		merge_thread(r, &all[i]->use);
	free(all);
}

/* Threads are sorted by process. A process is named after its first thread. */
static void make_processes(struct recording *r)
{
	uint32_t i;

	r->processes = xcalloc(r->n_threads, sizeof(*r->processes));
	for (i = 0; i < r->n_threads; i++) {
		const struct thread_use *t = &r->threads[i];
		struct process_use *p = r->n_processes ? &r->processes[r->n_processes - 1] : NULL;

		if (t->pid < 0)
			continue;
		if (!p || p->pid != t->pid) {
			p = &r->processes[r->n_processes++];
			*p = (struct process_use){ .pid = t->pid, .name = t->name };
		}
		if (t->tid == t->pid)
			p->name = t->name;
		p->samples = saturated_add(p->samples, t->samples);
	}
}

void text_usage_merge(
	struct recording *r, struct text_usage *const *usages, unsigned n, uint32_t **event_number)
{
	unsigned w;

	merge_events(r, usages, n, event_number);
	merge_threads(r, usages, n);
	make_processes(r);
	for (w = 0; w < n; w++) {
		const struct text_usage *u = usages[w];

		r->samples_read = saturated_add(r->samples_read, u->samples_read);
		r->samples_kept = saturated_add(r->samples_kept, u->samples_kept);
		r->weight_kept = saturated_add(r->weight_kept, u->weight_kept);
		r->facts.has_times |= u->has_time;
		if (u->first_time_ns < r->facts.first_time_ns)
			r->facts.first_time_ns = u->first_time_ns;
		if (u->last_time_ns > r->facts.last_time_ns)
			r->facts.last_time_ns = u->last_time_ns;
	}
}

str_id text_usage_name(const struct recording *r, int32_t pid, int32_t tid)
{
	struct thread_use key = { .pid = pid, .tid = tid };
	const struct thread_use *t =
		bsearch(&key, r->threads, r->n_threads, sizeof(key), compare_ids);

	return t ? t->name : 0;
}

int text_usage_check(
	struct text_usage *const *usages, unsigned n, const struct sample_choice *c, struct err *e)
{
	bool pid = false, tid = false, cpu = false, time = false, any = false;
	const char *missing = NULL;
	unsigned w;

	for (w = 0; w < n; w++) {
		any |= usages[w]->samples_read != 0;
		pid |= usages[w]->has_pid;
		tid |= usages[w]->has_tid;
		cpu |= usages[w]->has_cpu;
		time |= usages[w]->has_time;
	}
	if (!c || !any)
		return OK;
	if (c->pids.n && !pid)
		missing = "processes (perf script -F +pid)";
	else if (c->tids.n && !tid)
		missing = "threads (perf script -F +tid)";
	else if (c->cpus.n && !cpu)
		missing = "CPUs (perf script -F +cpu)";
	else if ((c->from.how || c->to.how) && !time)
		missing = "times (perf script -F +time)";
	else if (c->cgroup)
		missing = "cgroups";
	if (!missing)
		return OK;
	return err_set(e, ERR_UNSUPPORTED, "the text has no %s to select by", missing);
}
