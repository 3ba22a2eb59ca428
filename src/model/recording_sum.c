/*
 * How it works. Each recording has strings of its own, so whatever is added is translated first:
 *
 *	events		by name and whether they were chosen; counts add up, and they are sorted
 *	times		durations add up, the time of day is the earliest
 *	facts		a string or number stays as long as all agree
 *	modules		one for each name that frames have, and each build-id of it
 *
 * None of these depends on the order.
 */
#include "model/recording_sum.h"

#include "base/mem.h"
#include "base/saturated.h"

#include <stdlib.h>

/* The string of one strtab in another. */
static str_id translate(const struct recording *whole, const struct recording *from, str_id string)
{
	return string ? strtab_add(whole->strings, strtab_get(from->strings, string)) : 0;
}

static struct event *find_event(
	struct recording *whole, const struct event *v, str_id name, str_id unit)
{
	uint32_t i;

	for (i = 0; i < whole->n_events; i++)
		if (whole->events[i].name == name && whole->events[i].chosen == v->chosen)
			return &whole->events[i];
	whole->events =
		xreallocarray(whole->events, (size_t)whole->n_events + 1, sizeof(*whole->events));
	whole->events[whole->n_events] = (struct event){
		.name = name,
		.unit = unit,
		.first_time_ns = UINT64_MAX,
		.chosen = v->chosen,
		.tracepoint = v->tracepoint,
		.time_ns_unit = v->time_ns_unit,
	};
	return &whole->events[whole->n_events++];
}

static void add_events(struct recording *whole, const struct recording *from)
{
	uint32_t i;

	for (i = 0; i < from->n_events; i++) {
		const struct event *v = &from->events[i];
		struct event *to = find_event(
			whole, v, translate(whole, from, v->name), translate(whole, from, v->unit));

		to->samples = saturated_add(to->samples, v->samples);
		to->kept = saturated_add(to->kept, v->kept);
		to->weight = saturated_add(to->weight, v->weight);
		to->lost = saturated_add(to->lost, v->lost);
		to->throttled = saturated_add(to->throttled, v->throttled);
		to->periods |= v->periods;
	}
}

/* Recordings are added in any order. */
static int compare_events(const void *pa, const void *pb, void *strings)
{
	const struct event *a = pa, *b = pb;
	int c = span_cmp(strtab_get(strings, a->name), strtab_get(strings, b->name));

	return c ? c : b->chosen - a->chosen;
}

static void sort_events(struct recording *whole)
{
	if (whole->n_events > 1)
		qsort_r(whole->events, whole->n_events, sizeof(*whole->events), compare_events,
			whole->strings);
}

/* Each recording has its own clock: durations add up, as when pprof merges files; the time of day
 * is the earliest. */
static void add_times(struct recording_facts *to, const struct recording_facts *from)
{
	if (from->first_time_ns <= from->last_time_ns) {
		to->first_time_ns = 0;
		to->last_time_ns =
			saturated_add(to->last_time_ns, from->last_time_ns - from->first_time_ns);
	}
	if (from->wall_ns && (!to->wall_ns || from->wall_ns < to->wall_ns))
		to->wall_ns = from->wall_ns;
}

static void keep_common_string(
	const struct recording_sum *j, str_id *string, const struct recording *from, str_id own)
{
	str_id theirs = translate(j->whole, from, own);

	if (!j->n)
		*string = theirs;
	else if (*string != theirs)
		*string = 0;
}

static void keep_common_facts(const struct recording_sum *j, const struct recording *from)
{
	struct recording_facts *to = &j->whole->facts;
	const struct recording_facts *own = &from->facts;

	keep_common_string(j, &to->format, from, own->format);
	keep_common_string(j, &to->host, from, own->host);
	keep_common_string(j, &to->os_release, from, own->os_release);
	keep_common_string(j, &to->arch, from, own->arch);
	keep_common_string(j, &to->cpu, from, own->cpu);
	keep_common_string(j, &to->perf_version, from, own->perf_version);
	to->n_cpus = j->n && to->n_cpus != own->n_cpus ? 0 : own->n_cpus;
	to->v8_samples = (!j->n || to->v8_samples) && own->v8_samples;
	to->annotate |= own->annotate;
	to->sums = to->sums > own->sums ? to->sums : own->sums;
}

static void add_account(struct recording *whole, const struct frame_account *a)
{
	int why;

	for (why = 0; why < WHY_COUNT; why++)
		whole->summed_frames[why] = saturated_add(whole->summed_frames[why], a->why[why]);
}

void recording_sum_add(
	struct recording_sum *j, const struct recording *from, const struct frame_account *account)
{
	struct recording *whole = j->whole;

	add_events(whole, from);
	sort_events(whole);
	add_times(&whole->facts, &from->facts);
	keep_common_facts(j, from);
	add_account(whole, account);
	diag_merge(&whole->diag, &from->diag);
	whole->samples_read = saturated_add(whole->samples_read, from->samples_read);
	whole->stacks_read = saturated_add(whole->stacks_read, from->stacks_read);
	whole->samples_kept = saturated_add(whole->samples_kept, from->samples_kept);
	whole->weight_kept = saturated_add(whole->weight_kept, from->weight_kept);
	j->n++;
}

/* By str_id of the profile: what is known of a module that frames are in. */
struct module_name {
	bool used, known, conflict;
	struct build_id id;
};

static struct module_name *find_names(const struct recording *from, const struct profile *p)
{
	struct module_name *name = xcalloc((size_t)strtab_count(p->strings) + 1, sizeof(*name));
	module_id m;
	node_id i;

	for (i = 1; i < p->n_nodes; i++)
		name[frames_get(p->frames, p->nodes[i].frame)->module].used = true;
	for (m = 1; m < modules_count(from->modules); m++) {
		const struct module *module = modules_get(from->modules, m);
		struct module_name *n = &name[module->shown];

		n->conflict |= n->known && !build_id_same(&n->id, &module->build_id);
		n->known = true;
		n->id = module->build_id;
	}
	return name;
}

void recording_sum_add_modules(
	struct recording_sum *j, const struct recording *from, const struct profile *p)
{
	struct module_name *name = find_names(from, p);
	uint32_t n = strtab_count(p->strings);
	str_id i;

	for (i = 1; i < n; i++) {
		struct module m = { .kind = MODULE_TEXT, .build_id = name[i].id };

		if (!name[i].used)
			continue;
		if (name[i].conflict)
			m.build_id = (struct build_id){ 0 };
		m.shown = strtab_add(j->whole->strings, strtab_get(p->strings, i));
		modules_add(j->whole->modules, &m);
	}
	free(name);
}
