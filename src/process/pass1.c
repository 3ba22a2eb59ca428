/*
 * Pass 1 reads everything but the contents of samples. perfdata_scan_tallied() shares the blocks
 * among the workers, who find the records in them; the records are then visited here in file order,
 * by one worker at a time, so nothing below needs a lock:
 *
 *	block ──► visit_record	a record that is no sample: one function for each type decodes it
 *				and adds a fact with its moment to the world, the cgroups, ...
 *	      ──► visit_samples	samples, summed up by event: their number, first and last time
 *	      ──► visit_block	the block itself, in the worker that has read it, while others go
 *				on: switches of --off-cpu (events/switch_waits.h), or who ran when
 *				(events/running_log.h)
 *
 * Samples are visited one by one (read_sample) only where sums are not enough: without times, where
 * the order is that of the file, and with counters of groups (PERF_SAMPLE_READ), whose values are
 * differences.
 *
 * A moment is (time, position in the file). Records that perf made up at its start have time 0 or
 * ~0: they describe what was there before the first sample or, in a later file of a --switch-output
 * run, when that file began (record_moment). Without sample times, all times are 0 and the position
 * decides.
 *
 * The world sorts by moment when it is frozen, so the order of visits decides only between records
 * of one moment. Memory grows with the side-band records, 64 bytes each, not with the file.
 *
 * Source: perf_event_open(2); tools/perf/util/session.c and machine.c for what each record means.
 */
#include "process/pass1.h"

#include "base/mem.h"
#include "base/progress.h"
#include "base/saturated.h"

static bool is_clock(const struct perfdata_attr *a)
{
	return a->type == EVENT_SOFTWARE &&
	       (a->config == SOFTWARE_CPU_CLOCK || a->config == SOFTWARE_TASK_CLOCK);
}

void pass1_init_events(struct recording *r, const struct perfdata *pd)
{
	uint32_t n, i;
	const struct perfdata_attr *attrs = perfdata_attrs(pd, &n);

	r->events = xcalloc(n, sizeof(*r->events));
	r->n_events = n;
	for (i = 0; i < n; i++)
		r->events[i] = (struct event){
			.name = attrs[i].name,
			.first_time_ns = UINT64_MAX,
			.period = attrs[i].period,
			.frequency_hz = attrs[i].frequency_hz,
			.tracepoint = attrs[i].type == EVENT_TRACEPOINT,
			.counted = read_groups_applies(&attrs[i]),
			.time_ns_unit =
				is_clock(&attrs[i]) ||
				offcpu_is_event(&attrs[i], strtab_get(r->strings, attrs[i].name)),
		};
}

/* Records that perf made up have time 0 or ~0: they come before all of their part of the run. */
static struct moment record_moment(const struct pass1 *p, const struct perfdata_record *r)
{
	struct perfdata_trailer t;
	struct moment at = { 0, r->position };

	if (!p->has_times)
		return at;
	if (perfdata_record_decode_trailer(p->pd, r, &t) && t.has_time && t.time_ns != UINT64_MAX)
		at.time_ns = t.time_ns;
	if (!at.time_ns)
		at.time_ns = perfdata_begun_ns(p->pd, r->position);
	return at;
}

static void add_to_recorded_symbols(struct recording *r, const struct perfdata_mmap *m)
{
	str_id path = strtab_add(r->strings, m->path);

	if (m->generated)
		recorded_symbols_set_generated(&r->symbols, path);
	else
		recorded_symbols_add_mapping(&r->symbols, path, m->file_offset, m->length);
}

static bool add_mmap(struct pass1 *p, const struct perfdata_record *r)
{
	struct perfdata_mmap m;

	if (!perfdata_record_decode_mmap(p->pd, r, &m))
		return false;
	/* kptr_restrict: the kernel hid its address. */
	if (m.cpumode == CPUMODE_KERNEL && m.pid == -1 && !m.start && !m.file_offset)
		p->recording->facts.kernel_hidden = true;
	if (m.maps_timeout)
		diag_count(&p->recording->diag, DIAG_MAPS_TIMEOUT, r->position);
	jit_hints_mmap(&p->hints, p->recording->strings, &m);
	if (m.executable && !m.generated)
		code_paths_add(&p->code_paths, p->recording->strings, m.path);
	if (m.executable && p->recording->symbols.n_files)
		add_to_recorded_symbols(p->recording, &m);
	world_add_mmap(p->world, record_moment(p, r),
		&(struct world_mmap){
			.pid = m.pid,
			.tid = m.tid,
			.start = m.start,
			.length = m.length,
			.file_offset = m.file_offset,
			.executable = m.executable,
			.kernel = m.cpumode == CPUMODE_KERNEL,
			.huge = m.huge,
			.private = m.private,
			.path = m.path,
			.build_id = m.build_id,
		});
	return true;
}

static bool add_task(struct pass1 *p, const struct perfdata_record *r)
{
	struct perfdata_task t;

	if (!perfdata_record_decode_task(p->pd, r, &t))
		return false;
	if (r->type == RECORD_FORK)
		world_add_fork(
			p->world, record_moment(p, r), t.pid, t.ppid, t.tid, t.ptid, t.synthesized);
	else
		world_add_exit(p->world, record_moment(p, r), t.pid, t.tid);
	return true;
}

static bool add_comm(struct pass1 *p, const struct perfdata_record *r)
{
	struct perfdata_comm c;

	if (!perfdata_record_decode_comm(p->pd, r, &c))
		return false;
	world_add_comm(p->world, record_moment(p, r), c.pid, c.tid, c.name, c.exec);
	return true;
}

static bool add_ksymbol(struct pass1 *p, const struct perfdata_record *r)
{
	struct perfdata_ksymbol k;

	if (!perfdata_record_decode_ksymbol(p->pd, r, &k))
		return false;
	world_add_ksymbol(
		p->world, record_moment(p, r), k.address, k.length, k.type, k.unregister, k.name);
	return true;
}

static bool add_cgroup(struct pass1 *p, const struct perfdata_record *r)
{
	struct perfdata_cgroup g;

	if (!perfdata_record_decode_cgroup(p->pd, r, &g))
		return false;
	cgroups_add(
		&p->cgroups, record_moment(p, r), g.id, strtab_add(p->recording->strings, g.path));
	return true;
}

static bool add_deferred(struct pass1 *p, const struct perfdata_record *r)
{
	struct perfdata_trailer t;
	struct perfdata_deferred d;

	if (!perfdata_record_decode_deferred(p->pd, r, &d) ||
		!perfdata_record_decode_trailer(p->pd, r, &t))
		return false;
	if (!deferred_add(&p->deferred, t.tid, d.cookie, d.ips, d.n_ips, d.swapped))
		diag_count(&p->recording->diag, DIAG_DEFERRED_LIMIT, r->position);
	return true;
}

static struct event *event_of_id(struct pass1 *p, uint64_t id)
{
	uint32_t i;

	return perfdata_find_event(p->pd, id, &i) ? &p->recording->events[i] : NULL;
}

static bool count_throttle(struct pass1 *p, const struct perfdata_record *r)
{
	struct perfdata_throttle t;
	struct event *event;

	if (!perfdata_record_decode_throttle(p->pd, r, &t))
		return false;
	event = event_of_id(p, t.id);
	if (event)
		event->throttled++;
	diag_count(&p->recording->diag, DIAG_THROTTLED, r->position);
	return true;
}

static bool count_lost(struct pass1 *p, const struct perfdata_record *r)
{
	struct perfdata_trailer t;
	struct perfdata_lost l;
	struct event *event;

	if (!perfdata_record_decode_lost(p->pd, r, &l))
		return false;
	if (l.by_bpf)
		return true;
	/* LOST names the event whose buffer was full; LOST_SAMPLES has it in its trailer. */
	if (r->type == RECORD_LOST_SAMPLES && perfdata_record_decode_trailer(p->pd, r, &t))
		l.id = t.id;
	event = event_of_id(p, l.id);
	if (event)
		event->lost = saturated_add(event->lost, l.lost);
	diag_add(&p->recording->diag, DIAG_LOST, l.lost, r->position);
	diag_count(&p->recording->diag, DIAG_LOST_CHUNKS, r->position);
	return true;
}

static void count_sample(struct pass1 *p, uint32_t i, uint64_t time_ns)
{
	struct event *event = &p->recording->events[i];

	p->recording->samples_read++;
	event->samples++;
	if (time_ns < event->first_time_ns)
		event->first_time_ns = time_ns;
}

static void count_unknown_sample(struct pass1 *p, uint64_t position)
{
	p->recording->samples_read++;
	diag_count(&p->recording->diag, DIAG_UNKNOWN_ID, position);
}

/* A loss is bounded by the records around it that were not lost. Only for blocked time. */
static void bound_losses(struct pass1 *p, const struct perfdata_attr *a,
	const struct perfdata_record *r, uint64_t time_ns)
{
	if (p->off_cpu)
		losses_add_record(&p->losses,
			a->offsets.cpu ? (int32_t)bytes_u32(r->p + a->offsets.cpu, a->swapped) : -1,
			(struct moment){ time_ns, r->position });
}

/* The event and the time of a sample are all that pass 1 needs, unless it reads counters. */
static bool read_sample(struct pass1 *p, const struct perfdata_record *r)
{
	struct recording_facts *facts = &p->recording->facts;
	const struct perfdata_attr *a;
	enum read_groups_result reads;
	uint64_t time_ns;
	uint32_t i, n;

	if (!perfdata_sample_event(p->pd, r, &i)) {
		count_unknown_sample(p, r->position);
		return true;
	}
	a = &perfdata_attrs(p->pd, &n)[i];
	if (perfdata_sample_time(a, r, &time_ns))
		bound_losses(p, a, r, time_ns);
	else
		time_ns = p->has_times ? UINT64_MAX : r->position; /* no times: order of the file */
	if (p->has_times && time_ns < facts->first_time_ns)
		facts->first_time_ns = time_ns;
	if (p->has_times && time_ns < OFFCPU_TOTALS_NS && time_ns > facts->last_time_ns)
		facts->last_time_ns = time_ns;
	reads = read_groups_applies(a) ? read_groups_add(&p->reads, p->pd, a, r, time_ns)
				       : READ_NONE;
	if (reads == READ_FULL)
		diag_count(&p->recording->diag, DIAG_READS_LIMIT, r->position);
	if (reads != READ_ADDED)
		count_sample(p, i, time_ns);
	return true;
}

/* Values of counters are differences, known only once all samples are read. */
static void count_reads(struct pass1 *p)
{
	const struct read_groups *g = &p->reads;
	uint32_t i, at, to;

	for (i = 0; i < g->n; i++)
		for (read_groups_counters(g, i, &at, &to); at < to; at++) {
			struct read_count c = read_groups_count(g, at);

			if (c.event == READ_NO_EVENT)
				count_unknown_sample(p, g->sample[i].position);
			else if (c.count)
				count_sample(p, c.event, g->sample[i].time_ns);
		}
}

static bool read_record(struct pass1 *p, const struct perfdata_record *r)
{
	switch (r->type) {
	case RECORD_SAMPLE:
		return read_sample(p, r);
	case RECORD_MMAP:
	case RECORD_MMAP2:
		return add_mmap(p, r);
	case RECORD_COMM:
		return add_comm(p, r);
	case RECORD_FORK:
	case RECORD_EXIT:
		return add_task(p, r);
	case RECORD_KSYMBOL:
		return add_ksymbol(p, r);
	case RECORD_CALLCHAIN_DEFERRED:
		return add_deferred(p, r);
	case RECORD_CGROUP:
		return add_cgroup(p, r);
	case RECORD_LOST:
	case RECORD_LOST_SAMPLES:
		return count_lost(p, r);
	case RECORD_THROTTLE:
		return count_throttle(p, r);
	case RECORD_TIME_CONV:
		jit_hints_time_conv(&p->hints, p->pd, r);
		return true;
	case RECORD_SWITCH:
	case RECORD_SWITCH_CPU_WIDE:
		if (p->departures)
			departures_add_record(&p->recording->off_cpu, p->pd, r);
		return true;
	case RECORD_AUX:
	case RECORD_AUXTRACE:
		diag_count(&p->recording->diag, DIAG_HARDWARE_TRACE, r->position);
		return true;
	}
	return true;
}

/* The time and CPU of lost records, and of the records around them. */
static void add_loss(struct pass1 *p, const struct perfdata_record *r)
{
	struct perfdata_trailer t;

	if (!perfdata_record_decode_trailer(p->pd, r, &t) || !t.has_time || !t.time_ns)
		return;
	if (r->type == RECORD_LOST || r->type == RECORD_LOST_SAMPLES)
		losses_add_lost(&p->losses, t.cpu, t.time_ns);
	losses_add_record(&p->losses, t.cpu, (struct moment){ t.time_ns, r->position });
}

static int visit_record(void *ctx, const struct perfdata_record *r, struct err *e)
{
	struct pass1 *p = ctx;

	(void)e;
	if (!read_record(p, r))
		diag_count(&p->recording->diag, DIAG_BAD_RECORD, r->position);
	if (p->off_cpu && r->type != RECORD_SAMPLE)
		add_loss(p, r);
	progress_add(p->progress, r->size);
	return OK;
}

static void bound_losses_by_tally(struct pass1 *p, const struct perfdata_tally *t)
{
	uint32_t i;

	for (i = 0; t->has_cpus && i < t->n_cpus; i++)
		if (t->cpu[i].time_ns != UINT64_MAX)
			losses_add_record(&p->losses, (int32_t)i,
				(struct moment){ t->cpu[i].time_ns, t->cpu[i].position });
	losses_add_record(&p->losses, -1, (struct moment){ t->last.time_ns, t->last.position });
}

/* Samples with times and without counters come summed up. */
static void visit_samples(void *ctx, const struct perfdata_tally *t)
{
	struct pass1 *p = ctx;
	struct recording *r = p->recording;
	uint32_t i;

	for (i = 0; i < t->n_events; i++) {
		struct event *event = &r->events[i];
		const struct tally_event *seen = &t->event[i];

		r->samples_read += seen->samples;
		event->samples += seen->samples;
		if (seen->first_time_ns < event->first_time_ns)
			event->first_time_ns = seen->first_time_ns;
		if (seen->first_time_ns < r->facts.first_time_ns)
			r->facts.first_time_ns = seen->first_time_ns;
	}
	if (t->last_time_ns > r->facts.last_time_ns)
		r->facts.last_time_ns = t->last_time_ns;
	if (p->off_cpu)
		bound_losses_by_tally(p, t);
	progress_add(p->progress, t->bytes);
}

static bool visit_block(void *ctx, unsigned worker, struct perfdata_block *b)
{
	struct pass1 *p = ctx;

	if (p->running) {
		running_log_add_block(&p->running[worker], b);
		return true;
	}
	switch_waits_add_block(&p->switch_waits[worker], b);
	return !switch_waits_is_full(&p->switch_waits[worker]);
}

static void add_build_ids(struct pass1 *p)
{
	const struct perfdata_features *f = perfdata_features(p->pd);
	uint32_t i;

	for (i = 0; i < f->n_build_ids; i++) {
		const struct perfdata_build_id *b = &f->build_ids[i];

		world_add_build_id(p->world, strtab_get(p->recording->strings, b->path),
			b->cpumode == CPUMODE_KERNEL, &b->id);
	}
}

int pass1_run(struct pass1 *p, struct pool *pool, struct err *e)
{
	struct perfdata_visitor visitor = { .ctx = p, .record = visit_record };
	uint32_t n, i;
	const struct perfdata_attr *attrs = perfdata_attrs(p->pd, &n);
	bool reads = false;

	p->has_times = n > 0;
	for (i = 0; i < n; i++) {
		p->has_times = p->has_times && attrs[i].sample_type & SAMPLE_TIME;
		reads |= read_groups_applies(&attrs[i]);
	}
	if (p->has_times && !reads)
		visitor.samples = visit_samples;
	if (p->switch_waits || p->running)
		visitor.block = visit_block;
	if (perfdata_scan(p->pd, &visitor, pool, &p->recording->diag, e))
		return e->code;
	/* In pipe mode build-ids are records, so this must follow the scan. */
	add_build_ids(p);
	jit_hints_clock(&p->hints, p->pd, p->has_times);
	read_groups_compute_deltas(&p->reads);
	losses_merge(&p->losses);
	count_reads(p);
	return OK;
}
