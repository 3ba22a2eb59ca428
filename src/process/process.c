/*
 * The tour of one perf.data recording is read_recording(), near the end; the rest of this file is
 * its steps, in this order:
 *
 *	pass1_run		all records but samples, in file order: the world, counts, losses
 *	choose_*, check_*	does the recording have what the options ask for?
 *	world_freeze		records are sorted by time; look-ups change nothing from here on
 *	jit_maps_load		the perf map and the jitdump of each process
 *	first_seen_date_maps	when samples first saw the code of ambiguous perf maps
 *	calibrate_interpreter	where the frames of V8's interpreter keep their bytecode
 *	running_read		how many threads ran at each moment (--weight latency)
 *	span_marks_read		which times of which threads are wanted (--during)
 *	strip_run		a copy without stacks is written (perfold strip)
 *	pass2_run		samples, in blocks, by all workers: stacks of sites
 *	stitch_stacks		truncated stacks are completed (--truncated merge)
 *
 * Why two passes: a recording is a sequence of chunks of the ring buffers of all CPUs, so its order
 * is only roughly that of time. perf queues all events and sorts them
 * (tools/perf/util/ordered-events.c): one thread, and memory for the queue. But only side-band
 * records (mmap, comm, fork, exit) need an order, and they are few. They are collected first and
 * sorted; a sample then asks for the state of the world at its own time. So samples need no order,
 * and any worker may read any block of them.
 *
 * Every pass over the blocks of a recording (a compressed one is unpacked again each time):
 *
 *	pass 1		always; all workers. Samples are only counted. With --off-cpu it also
 *			collects switches where their records suffice (switch_waits.h), and
 *			pass 2 reads only the blocks that it left. With --weight latency it
 *			logs who ran when, and a pass reads the blocks that it left.
 *	map owners	if a process has JIT code and no map, and there are maps that belong to
 *			no process (map_owners.h); one thread, about 200,000 samples
 *	first seen	if a perf map lists several functions at one address, and its process has
 *			no jitdump (first_seen.h); all workers, all samples
 *	calibration	if stacks were copied and a perf map lists bytecode (interpreter.h); one
 *			thread, about 50,000 samples, fewer where all processes voted
 *	running		with --weight latency, if there are no switches; all workers
 *	spans		with --during (span_marks.h); all workers, events that begin and end spans
 *	pass 2		always; all workers
 *
 * --compat perf makes only passes 1 and 2. Files of one `perf record --switch-output` run are read
 * as one recording, with one world: blocks of later files follow those of earlier ones
 * (process_read_run()).
 */
#include "process/process.h"

#include "base/mem.h"
#include "model/names/event_name.h"
#include "process/branch_stacks.h"
#include "process/calibrate.h"
#include "process/machine.h"
#include "process/pass1.h"
#include "process/pass2.h"
#include "process/first_seen.h"
#include "process/running.h"
#include "process/strip_run.h"
#include "process/span_marks.h"

#include <stdlib.h>
#include <sys/utsname.h>

bool process_is_perf_data(struct span head)
{
	return perfdata_sniff(head);
}

/* Of a copy without the host name. */
static bool is_hashed_machine(const struct recording *r, const struct perfdata_features *f)
{
	uint8_t here[SHA256_SIZE];

	_Static_assert(sizeof(f->stripped.machine) == SHA256_SIZE, "a hash");
	return f->stripped.has_machine &&
	       machine_hash(strtab_get(r->strings, f->os_release), here) &&
	       memcmp(f->stripped.machine, here, sizeof(here)) == 0;
}

/* Was the recording made here? Host name and kernel release decide. */
static bool is_same_machine(const struct recording *r, const struct perfdata_features *f)
{
	struct utsname here;

	if (is_hashed_machine(r, f))
		return true;
	return f->hostname && f->os_release && uname(&here) == 0 &&
	       strcmp(strtab_str(r->strings, f->hostname), here.nodename) == 0 &&
	       strcmp(strtab_str(r->strings, f->os_release), here.release) == 0;
}

static void copy_facts(struct recording *r, const struct perfdata *pd, const struct read_opts *o)
{
	const struct perfdata_features *f = perfdata_features(pd);
	struct recording_facts *facts = &r->facts;
	const struct perfdata_attr *a;
	uint32_t n, i;

	a = perfdata_attrs(pd, &n);
	facts->format = strtab_add_str(r->strings, "perf.data");
	facts->host = f->hostname;
	facts->os_release = f->os_release;
	facts->arch = f->arch;
	facts->cmdline = f->cmdline;
	facts->perf_version = f->version;
	facts->cpu = f->cpu_desc;
	facts->n_cpus = f->cpus_online;
	facts->same_machine = !(o->files && o->files->no_system) && is_same_machine(r, f);
	facts->killed = f->unfinished;
	facts->exclude_kernel = n > 0;
	for (i = 0; i < n; i++) {
		facts->has_callchains |= (a[i].sample_type & SAMPLE_CALLCHAIN) != 0;
		facts->exclude_kernel &= a[i].exclude_kernel;
		if (branch_stacks_has(&a[i]))
			facts->branch_stacks = BRANCH_STACKS_COUNTABLE;
		else if (a[i].sample_type & SAMPLE_BRANCH_STACK && !facts->branch_stacks)
			facts->branch_stacks = BRANCH_STACKS_OF_CALLS;
	}
}

/* CLOCK_DATA, which perf writes if it was given a clock (-k). */
static void set_time_of_day(struct recording *r, const struct perfdata *pd)
{
	const struct perfdata_features *f = perfdata_features(pd);

	if (f->clock_data.known && r->facts.first_time_ns <= r->facts.last_time_ns)
		r->facts.wall_ns =
			f->clock_data.wall_ns + (r->facts.first_time_ns - f->clock_data.clock_ns);
}

/* The event of the earliest sample; the first attribute where there is no sample. With --during, of
 * those that do not begin or end spans, if any of them has samples. */
static str_id first_event(const struct recording *r, const bool *of_spans)
{
	uint32_t i, first = 0;
	bool other = false;

	for (i = 0; i < r->n_events && of_spans; i++)
		other |= !of_spans[i] && r->events[i].samples;
	for (i = 0; i < r->n_events; i++)
		if (!(other && of_spans[i]) &&
			((other && of_spans[first]) ||
				r->events[i].first_time_ns < r->events[first].first_time_ns))
			first = i;
	return r->n_events ? r->events[first].name : 0;
}

static int no_such_event(const struct recording *r, const char *wanted, struct err *e)
{
	struct buf names = { 0 };
	uint32_t i;

	for (i = 0; i < r->n_events; i++) {
		buf_puts(&names, i ? ", " : "");
		buf_put_span(&names, strtab_get(r->strings, r->events[i].name));
	}
	err_set(e, ERR_USAGE, "no event is called \"%.100s\"; there are: %.800s", wanted,
		buf_str(&names));
	buf_release(&names);
	return e->code;
}

static int choose_events(
	struct recording *r, const struct perfdata *pd, const struct read_opts *o, struct err *e)
{
	bool any = false, *of_spans;
	struct span first;
	uint32_t i;
	int rc = span_marks_find_events(r, o, &of_spans, e);

	first = strtab_get(r->strings, first_event(r, of_spans));
	free(of_spans);
	if (rc)
		return rc;
	if (o->off_cpu)
		return switch_events_choose(r, pd, o, e);
	for (i = 0; i < r->n_events; i++) {
		struct event *v = &r->events[i];

		v->chosen = event_name_wanted(strtab_get(r->strings, v->name), o->events, first);
		any |= v->chosen;
	}
	if (!any && r->n_events && o->events)
		return no_such_event(r, o->events[0], e);
	return OK;
}

static int choose_cgroups(struct pass1 *p, const struct read_opts *o, struct err *e)
{
	const struct name_pattern *wanted = o->choice ? o->choice->cgroup : NULL;
	const struct recording *r = p->recording;
	uint32_t n, i;
	const struct perfdata_attr *attrs = perfdata_attrs(p->pd, &n);

	cgroups_choose(&p->cgroups, wanted, r->strings);
	p->cgroups.outside = wanted && o->choice->outside == CHOICE_CGROUP;
	for (i = 0; i < n; i++)
		if (r->events[i].chosen && attrs[i].sample_type & SAMPLE_CGROUP)
			return OK;
	if (!wanted && !o->by_cgroup)
		return OK;
	return err_set(
		e, ERR_UNSUPPORTED, "the recording has no cgroups: record with --all-cgroups");
}

/* perf record leaves CPUs out where it records a process that it started. */
static int check_cpus(const struct pass1 *p, const struct read_opts *o, struct err *e)
{
	const struct recording *r = p->recording;
	uint32_t n, i;
	const struct perfdata_attr *attrs = perfdata_attrs(p->pd, &n);

	for (i = 0; i < n; i++)
		if (r->events[i].chosen && attrs[i].sample_type & SAMPLE_CPU)
			return OK;
	if (!n || o->off_cpu || !o->choice || !o->choice->cpus.n)
		return OK;
	return err_set(e, ERR_UNSUPPORTED,
		"the recording does not have the CPUs of its samples: record with "
		"--sample-cpu");
}

static void time_bounds(const struct recording *r, const struct read_opts *o, struct pass2 *p)
{
	p->from_ns = 0;
	p->to_ns = UINT64_MAX;
	if (o->choice && p->has_times && r->facts.first_time_ns <= r->facts.last_time_ns)
		sample_choice_resolve_time(o->choice, r->facts.first_time_ns, r->facts.last_time_ns,
			&p->from_ns, &p->to_ns);
}

/* Stacks are stitched to others of the same thread, so roots must have it. */
static void add_stitch_roots(struct read_opts *o, const struct sample_stack_copies *copies)
{
	if (sample_stack_is_stitched(copies, o))
		o->root_fields |= 1u << ROOT_COMM_PID_TID;
}

static void stitch_cut_stacks(
	struct recording *r, const struct read_opts *o, const struct sample_stack_copies *copies)
{
	if (sample_stack_is_stitched(copies, o))
		stitch_stacks(r, (struct stitch_marks){ resolver_mark_site(r, CALLCHAIN_TRUNCATED),
					 resolver_mark_site(r, CALLCHAIN_UNFINISHED) });
}

/* All times but those. */
static void turn_around(struct thread_times *t)
{
	struct thread_times rest = { 0 };

	thread_times_add_all(&rest);
	thread_times_settle(&rest);
	thread_times_subtract(&rest, t);
	thread_times_release(t);
	*t = rest;
}

/* What is outside of --time are two ranges. */
static void exclude_time(struct pass2 *p, struct thread_times *inside)
{
	struct thread_times time = { 0 };
	uint64_t to_ns = p->to_ns < UINT64_MAX ? p->to_ns + 1 : p->to_ns;

	time_set_add(&time.others, (struct time_range){ p->from_ns, to_ns });
	thread_times_subtract(inside, &time);
	thread_times_release(&time);
	p->from_ns = 0;
	p->to_ns = UINT64_MAX;
}

/* Spans and times that samples must be in, beside from_ns and to_ns. */
static int find_times(
	struct pass2 *p, struct thread_times *inside, struct pool *pool, struct err *e)
{
	const struct sample_choice *c = p->opts->choice;
	bool during = c && c->during && c->during->n_conditions;
	int rc = span_marks_read(inside, p, pool, e);

	if (rc || !c)
		return rc;
	if (!during && c->outside == CHOICE_TIME)
		turn_around(inside);
	if (during && c->outside == CHOICE_DURING)
		turn_around(inside);
	if (c->outside == CHOICE_TIME)
		exclude_time(p, inside);
	if (during || c->outside == CHOICE_TIME)
		p->inside = inside;
	return OK;
}

static int run_pass2(struct pass2 *p, struct jit_maps *maps, struct running_log **running,
	struct pool *pool, struct err *e)
{
	struct interpreter interpreter;
	struct parallelism parallelism = { 0 };
	struct thread_times inside = { 0 };
	int rc = first_seen_date_maps(maps, p, pool, e);

	if (!rc)
		rc = running_read(&parallelism, running, p, pool, e);
	if (!rc)
		rc = find_times(p, &inside, pool, e);
	if (rc) {
		parallelism_release(&parallelism);
		thread_times_release(&inside);
		return rc;
	}
	p->parallelism = &parallelism;
	p->parts_of_unit = running_unit(p->recording, p->opts);
	interpreter_init(&interpreter, p->jit_maps);
	calibrate_interpreter(&interpreter, p);
	p->interpreter = &interpreter;
	if (p->opts->strip)
		rc = strip_run(p, pool, e);
	if (!rc && !(p->opts->strip && p->opts->strip->alone))
		rc = pass2_run(p, pool, e);
	interpreter_release(&interpreter);
	parallelism_release(&parallelism);
	if (p->inside && p->opts->marks)
		p->recording->inside = xmemdup(&inside, sizeof(inside));
	else
		thread_times_release(&inside);
	return rc;
}

static int read_samples(struct recording *r, struct pass1 *first,
	const struct switch_events *switch_events, const struct read_opts *o, struct pool *pool,
	struct err *e)
{
	struct files_opts where = *o->files;
	struct read_opts opts = *o;
	struct files *files;
	struct jit_maps maps;
	struct wakers wakers = { 0 };
	struct marking marking;
	struct departures departures;
	struct pass2 pass = { .recording = r,
		.pd = first->pd,
		.world = first->world,
		.jit_maps = &maps,
		.cgroups = &first->cgroups,
		.deferred = &first->deferred,
		.reads = &first->reads,
		.tracing = switch_events->tracing,
		.marking = &marking,
		.switch_events = switch_events,
		.departures = &departures,
		.losses = &first->losses,
		.code_paths = &first->code_paths,
		.switch_waits = first->switch_waits,
		.wakers = &wakers,
		.opts = &opts,
		.has_times = first->has_times };
	int rc;

	where.same_machine = r->facts.same_machine;
	where.arch = r->facts.arch ? strtab_str(r->strings, r->facts.arch) : NULL;
	marking_init(&marking, switch_events->tracing, o->marks);
	departures_init(&departures, r, first->pd, switch_events->tracing, o);
	files = files_new(&where, r->strings);
	jit_maps_load(&maps, &(struct jit_maps_source){ .recording = r,
				     .pd = first->pd,
				     .world = first->world,
				     .files = files,
				     .hints = &first->hints,
				     .compat_perf = o->compat_perf,
				     .lines = o->lines,
				     .code_addresses = o->code_addresses,
				     .columns = o->columns,
				     .has_times = first->has_times,
				     .copied_stacks = sample_stack_any_copied(first->pd, r) });
	pass.copies = sample_stack_copies_open(first->pd, r, files);
	r->facts.copied_stacks = pass.copies.copied || pass.copies.unwound;
	r->facts.links = pass.copies.links;
	add_stitch_roots(&opts, &pass.copies);
	time_bounds(r, o, &pass);
	rc = run_pass2(&pass, &maps, &first->running, pool, e);
	departures_finish(r);
	if (!rc)
		stitch_cut_stacks(r, o, &pass.copies);
	if (!rc)
		rc = wakers_finish(&wakers, r, e);
	wakers_release(&wakers);
	marking_release(&marking);
	sample_stack_copies_close(&pass.copies);
	jit_maps_release(&maps);
	files_free(files);
	return rc;
}

/* ---- switches collected in pass 1 --------------------------------------------------------- */

struct early_switches {
	struct switch_events expected;
	struct switch_waits *switch_waits; /* one for each worker */
	unsigned n;
};

static void early_switches_release(struct early_switches *early)
{
	unsigned i;

	for (i = 0; i < early->n; i++)
		switch_waits_release(&early->switch_waits[i]);
	free(early->switch_waits);
	switch_events_release(&early->expected);
	*early = (struct early_switches){ 0 };
}

/* Pass 1 collects switches if the attributes alone say which events they are. */
static void early_switches_init(struct early_switches *early, struct pass1 *p,
	const struct tracing *t, const struct read_opts *o, struct pool *pool)
{
	unsigned i;

	if (!o->off_cpu || !switch_events_expect(&early->expected, p->recording, p->pd, t, o) ||
		!switch_waits_suffice(&early->expected, p->pd, o))
		return;
	early->n = pool_workers(pool);
	early->switch_waits = xcalloc(early->n, sizeof(*early->switch_waits));
	for (i = 0; i < early->n; i++)
		switch_waits_init(&early->switch_waits[i], &early->expected, p->pd, o);
	p->switch_waits = early->switch_waits;
}

/* Were the events of switches what the attributes promised? If not, pass 2 reads them. */
static void early_switches_check(
	struct early_switches *early, struct pass1 *p, const struct switch_events *s)
{
	unsigned i;

	if (!p->switch_waits)
		return;
	if (!switch_events_is_as_expected(s, &early->expected, p->recording)) {
		p->switch_waits = NULL;
		early_switches_release(early);
		return;
	}
	for (i = 0; i < early->n; i++)
		early->switch_waits[i].switch_events = s;
}

/* A span in which records were lost is none. */
static bool wants_gaps(const struct read_opts *o)
{
	return o->marks || (o->choice && o->choice->during);
}

static int read_recording(struct recording *r, struct perfdata *pd, uint64_t size_bytes,
	const struct read_opts *o, struct process_kernel *kernel, struct pool *pool, struct err *e)
{
	struct world *w = world_new(r->strings, r->modules, o->compat_perf);
	struct pass1 pass = { .pd = pd, .world = w, .recording = r, .progress = o->progress };
	struct tracing tracing = { 0 };
	struct switch_events switch_events = { 0 };
	struct early_switches early = { 0 };
	int rc;

	pass.departures = departures_are_records(pd, o);
	pass.code_paths.wanted = o->strip;
	pass.off_cpu = o->off_cpu != OFF_CPU_NOT || wants_gaps(o);
	world_set_containers(w, o->files);
	pass1_init_events(r, pd);
	copy_facts(r, pd, o);
	perfdata_read_symbols(pd, &r->symbols, &r->diag);
	progress_start(o->progress, "looking through", size_bytes);
	rc = tracing_init(&tracing, r, pd, o, e);
	if (!rc) {
		early_switches_init(&early, &pass, &tracing, o, pool);
		pass.running = running_logs_new(pd, o, pool_workers(pool));
		rc = pass1_run(&pass, pool, e);
	}
	if (!rc)
		rc = choose_events(r, pd, o, e);
	if (!rc)
		rc = choose_cgroups(&pass, o, e);
	if (!rc)
		rc = check_cpus(&pass, o, e);
	if (!rc)
		rc = tracing_check(&tracing, r, o, e);
	if (!rc) {
		r->facts.has_times = pass.has_times;
		set_time_of_day(r, pd);
		if (wants_gaps(o))
			marking_copy_gaps(r, &pass.losses);
		switch_events_init(&switch_events, r, pd, &tracing, o);
		early_switches_check(&early, &pass, &switch_events);
		world_freeze(w);
		kernel->known = world_kernel_reference(
			w, &kernel->reference_symbol, &kernel->reference_address);
		progress_start(o->progress, "reading", size_bytes);
		rc = read_samples(r, &pass, &switch_events, o, pool, e);
	}
	jit_hints_release(&pass.hints);
	cgroups_release(&pass.cgroups);
	code_paths_release(&pass.code_paths);
	deferred_release(&pass.deferred);
	read_groups_release(&pass.reads);
	tracing_release(&tracing);
	switch_events_release(&switch_events);
	early_switches_release(&early);
	running_logs_free(pass.running, pool_workers(pool));
	losses_release(&pass.losses);
	world_free(w);
	return rc;
}

/* ---- parts of a run ----------------------------------------------------------------------- */

int process_find_run(struct process_part *part, struct err *e)
{
	struct strtab *strings = strtab_new();
	struct diag unused = { 0 };
	struct perfdata_part found = { 0 };
	struct perfdata *pd;
	int rc = perfdata_open(&pd, part->file, strings, 0, &unused, e);

	if (!rc)
		rc = perfdata_find_run(pd, &found, e);
	perfdata_free(pd);
	strtab_free(strings);
	part->run = found.run;
	part->begun_ns = found.begun_ns;
	return rc;
}

static int append_part(struct perfdata *pd, struct recording *r, const struct process_part *part,
	const struct read_opts *o, struct err *e)
{
	struct perfdata *later;
	int rc = perfdata_open(&later, part->file, r->strings, o->block_bytes, &r->diag, e);

	if (!rc)
		rc = perfdata_append(pd, later, part->begun_ns, e);
	perfdata_free(later);
	return rc;
}

int process_read_run(struct recording *r, const struct process_part *parts, size_t n,
	const struct read_opts *o, struct process_kernel *kernel, struct pool *pool, struct err *e)
{
	struct perfdata *pd;
	size_t i;
	int rc;

	*kernel = (struct process_kernel){ 0 };
	if (perfdata_open(&pd, parts[0].file, r->strings, o->block_bytes, &r->diag, e))
		return e->code;
	for (i = 1, rc = OK; i < n && !rc; i++)
		rc = append_part(pd, r, &parts[i], o, e);
	r->facts.n_parts = (uint32_t)n;
	if (!rc)
		rc = read_recording(r, pd, perfdata_size_bytes(pd), o, kernel, pool, e);
	perfdata_free(pd);
	return rc;
}
