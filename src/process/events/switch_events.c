/*
 * How events are chosen for --off-cpu: in this order
 *
 *	offcpu-time (BPF output of perf record --off-cpu): off-CPU times ready made, samples as any
 *	sched:sched_switch: departures, with the next thread, and so its return
 *	context-switches: departures; returns need SWITCH records
 *	SWITCH records alone: departures and returns, without stacks
 *
 * Beside it sched:sched_waking or sched_wakeup is chosen for --wakers, and an event of running
 * threads for --wall. Each event gets a role, and the offsets of its fields.
 *
 * What is chosen depends on which events have samples, known after pass 1. But pass 1 wants to
 * record switches already (switch_waits.h), so it is guessed before, as if all events had samples,
 * and checked afterwards; where the guess was wrong, pass 2 reads them.
 */
#include "process/events/switch_events.h"

#include "base/mem.h"
#include "model/names/event_name.h"
#include "process/events/offcpu.h"

#include <stdlib.h>

/* Of common_flags: in a hard or soft interrupt, or in an NMI (enum trace_flag_type of the kernel).
 */
enum { IN_INTERRUPT = 0x08 | 0x10 | 0x40 };

/* ---- events ------------------------------------------------------------------------------- */

static bool is_out(const struct perfdata_attr *a, struct span name)
{
	return span_eq(name, SPAN("sched:sched_switch")) ||
	       (a->type == EVENT_SOFTWARE && a->config == SOFTWARE_CONTEXT_SWITCHES);
}

static bool is_wake(struct span name)
{
	return span_eq(name, SPAN("sched:sched_waking")) ||
	       span_eq(name, SPAN("sched:sched_wakeup"));
}

/* An event of samples, not one that only carries records. */
static bool may_have_run(const struct perfdata_attr *a, struct span name)
{
	return !is_out(a, name) && !is_wake(name) && a->type != EVENT_TRACEPOINT &&
	       !(a->type == EVENT_SOFTWARE &&
		       (a->config == SOFTWARE_DUMMY || a->config == SOFTWARE_BPF_OUTPUT));
}

/* Is it what perf record --off-cpu wrote? Those are blocked times, not switches. */
static bool is_blocked_event(const struct recording *r, const struct perfdata *pd, uint32_t i)
{
	uint32_t n;

	return offcpu_is_event(
		&perfdata_attrs(pd, &n)[i], strtab_get(r->strings, r->events[i].name));
}

/* An event sampled at a frequency misses some; then SWITCH records must have all returns. */
static int check_rate(
	const struct recording *r, const struct perfdata *pd, uint32_t i, struct err *e)
{
	if (!r->events[i].frequency_hz || perfdata_has_switches(pd))
		return OK;
	return err_set(e, ERR_UNSUPPORTED,
		"%s was recorded with a frequency, so most switches are missing: record with "
		"-c 1, or with --switch-events",
		strtab_str(r->strings, r->events[i].name));
}

/* The events whose samples --wall shows of threads that run: as named, else that of the earliest
 * sample. Where off-CPU times come from perf record --off-cpu, it must be a clock. */
static int choose_ran(struct recording *r, const struct perfdata *pd, const char *const *names,
	bool clocks_only, struct err *e)
{
	bool any = false;
	uint32_t n, i, first = UINT32_MAX;
	const struct perfdata_attr *a = perfdata_attrs(pd, &n);

	for (i = 0; i < n; i++) {
		struct span name = strtab_get(r->strings, r->events[i].name);

		if (!may_have_run(&a[i], name) || !r->events[i].samples ||
			(clocks_only && !r->events[i].time_ns_unit))
			continue;
		if (names && event_name_wanted(name, names, name))
			r->events[i].chosen = any = true;
		else if (first == UINT32_MAX ||
			 r->events[i].first_time_ns < r->events[first].first_time_ns)
			first = i;
	}
	if (!names && first != UINT32_MAX)
		r->events[first].chosen = any = true;
	return any ? OK
		   : err_set(e, ERR_UNSUPPORTED,
			     "--wall: the recording has no samples of running threads%s: also "
			     "record -e cpu-clock",
			     names ? " of these events" : "");
}

/* One event is chosen for switches: offcpu-time rather than the tracepoint, and that rather than
 * the counter. */
static uint32_t find_out(const struct recording *r, const struct perfdata *pd)
{
	uint32_t n, i, found = UINT32_MAX;
	const struct perfdata_attr *a = perfdata_attrs(pd, &n);

	for (i = 0; i < n; i++) {
		struct span name = strtab_get(r->strings, r->events[i].name);

		if (!r->events[i].samples)
			continue;
		if (offcpu_is_event(&a[i], name))
			return i;
		if (is_out(&a[i], name) && (found == UINT32_MAX || a[i].type == EVENT_TRACEPOINT))
			found = i;
	}
	return found;
}

static bool has_wakes(const struct recording *r)
{
	uint32_t i;

	for (i = 0; i < r->n_events; i++)
		if (is_wake(strtab_get(r->strings, r->events[i].name)))
			return true;
	return false;
}

int switch_events_choose(
	struct recording *r, const struct perfdata *pd, const struct read_opts *o, struct err *e)
{
	uint32_t out = find_out(r, pd), i;
	bool by_bpf;

	for (i = 0; i < r->n_events; i++)
		r->events[i].chosen = false;
	if (out == UINT32_MAX && !perfdata_has_switches(pd))
		return err_set(e, ERR_UNSUPPORTED,
			"--%s: the recording has no context switches: record with "
			"-e sched:sched_switch --switch-events -g",
			o->off_cpu == OFF_CPU_WALL ? "wall" : "off-cpu");
	if (o->wakers && !has_wakes(r))
		return err_set(e, ERR_UNSUPPORTED,
			"--wakers: the recording does not say who ended a wait: also record -e "
			"sched:sched_waking");
	if (out != UINT32_MAX) {
		r->events[out].chosen = true;
		if (check_rate(r, pd, out, e))
			return e->code;
	}
	by_bpf = out != UINT32_MAX && is_blocked_event(r, pd, out);
	return o->off_cpu == OFF_CPU_WALL ? choose_ran(r, pd, o->events, by_bpf, e) : OK;
}

/* ---- roles -------------------------------------------------------------------------------- */

static enum switch_role role_of(const struct recording *r, uint32_t i,
	const struct perfdata_attr *a, const struct read_opts *o)
{
	struct span name = strtab_get(r->strings, r->events[i].name);

	if (o->wakers && is_wake(name) && i < SWITCH_EVENTS_MAX)
		return ROLE_WAKE;
	if (!r->events[i].chosen || i >= SWITCH_EVENTS_MAX)
		return ROLE_NONE;
	return is_out(a, name) ? ROLE_OUT : ROLE_RAN;
}

static struct switch_class what_of(uint32_t event, enum switch_role role)
{
	return (struct switch_class){
		.thread = SWITCH_NO_THREAD,
		.stack = SWITCH_NO_STACK,
		.event = event,
		.kind = role == ROLE_WAKE  ? SWITCH_WAKE
			: role == ROLE_OUT ? SWITCH_OUT
					   : SWITCH_RAN,
	};
}

static void find_fields(struct switch_event *v, const struct trace_format *f)
{
	if (!f)
		return;
	v->state = trace_format_number(
		f, v->role == ROLE_WAKE ? SPAN("common_flags") : SPAN("prev_state"));
	v->prev = trace_format_number(f, SPAN("prev_pid"));
	v->next = trace_format_number(f, SPAN("next_pid"));
	v->woken = trace_format_number(f, SPAN("pid"));
}

void switch_events_init(struct switch_events *s, struct recording *r, const struct perfdata *pd,
	const struct tracing *t, const struct read_opts *o)
{
	uint32_t n, i, out;
	const struct perfdata_attr *a = perfdata_attrs(pd, &n);

	*s = (struct switch_events){ .tracing = t };
	if (!o->off_cpu)
		return;
	for (i = 0; i < STATE_COUNT; i++)
		s->state_names[i] =
			strtab_add_str(r->strings, switch_state_name((enum switch_state)i));
	r->weight_unit = strtab_add_str(r->strings, "nanoseconds");
	r->weighs = strtab_add_str(
		r->strings, o->off_cpu == OFF_CPU_WALL ? "Wall time" : "Off-CPU time");
	out = find_out(r, pd);
	if (out < n && is_blocked_event(r, pd, out))
		return;
	s->on = true;
	r->rows_have_duration = true;
	s->no_stacks = out == UINT32_MAX;
	s->of = xcalloc(n, sizeof(*s->of));
	for (i = 0; i < n; i++) {
		s->of[i].role = role_of(r, i, &a[i], o);
		s->of[i].class = what_of(i, s->of[i].role);
		find_fields(&s->of[i], t->of[i].format);
	}
}

void switch_events_release(struct switch_events *s)
{
	free(s->of);
}

/* ---- what will be chosen ------------------------------------------------------------------ */

bool switch_events_expect(struct switch_events *s, const struct recording *r,
	const struct perfdata *pd, const struct tracing *t, const struct read_opts *o)
{
	struct recording guess = { .strings = r->strings, .n_events = r->n_events };
	struct err e;
	uint32_t i;
	bool chosen;

	guess.events = xmemdup(r->events, r->n_events * sizeof(*r->events));
	for (i = 0; i < guess.n_events; i++)
		guess.events[i].samples = 1;
	chosen = !switch_events_choose(&guess, pd, o, &e);
	if (chosen)
		switch_events_init(s, &guess, pd, t, o);
	free(guess.events);
	return chosen && s->on;
}

bool switch_events_is_as_expected(const struct switch_events *s,
	const struct switch_events *expected, const struct recording *r)
{
	uint32_t i;

	if (!s->on || s->no_stacks != expected->no_stacks)
		return false;
	for (i = 0; i < r->n_events; i++)
		if (r->events[i].samples && s->of[i].role != expected->of[i].role)
			return false;
	return true;
}

/* ---- samples and records ------------------------------------------------------------------ */

static inline bool read_number(
	const struct trace_number *t, const struct perfdata_sample *s, uint64_t *v)
{
	return trace_format_read_number(t, s->raw, s->raw_bytes, s->swapped, v);
}

bool switch_events_same_namespace(const struct switch_event *event, const struct perfdata_sample *s)
{
	uint64_t prev;

	return !read_number(&event->prev, s, &prev) || (int32_t)prev == s->tid;
}

/* The thread id in a field. */
static inline int32_t read_tid(const struct trace_number *t, const struct switch_event *event,
	const struct perfdata_sample *s)
{
	uint64_t tid;

	if (!read_number(t, s, &tid) || tid >= SWITCH_TIDS_MAX ||
		!switch_events_same_namespace(event, s))
		return SWITCH_NOBODY;
	return (int32_t)tid;
}

bool switch_events_decode_sample(const struct switch_events *s, uint32_t event,
	const struct perfdata_sample *sample, struct switch_seen *seen)
{
	const struct switch_event *v = &s->of[event];
	uint64_t state;

	seen->class = v->class;
	seen->class.tid = sample->tid;
	seen->time_ns = sample->time_ns;
	seen->other_tid = SWITCH_NOBODY;
	seen->cpu = switch_events_cpu(sample->cpu);
	if (v->role == ROLE_WAKE) {
		seen->other_tid = read_tid(&v->woken, v, sample);
		if (read_number(&v->state, sample, &state) && state & IN_INTERRUPT)
			seen->class.state = SWITCH_BY_INTERRUPT;
	}
	if (v->role != ROLE_OUT)
		return v->role != ROLE_WAKE || seen->other_tid > 0;
	seen->other_tid = read_tid(&v->next, v, sample);
	if (read_number(&v->state, sample, &state))
		seen->class.state = switch_log_state(state);
	return true;
}

bool switch_events_decode_record(const struct switch_events *s, const struct perfdata *pd,
	const struct perfdata_record *r, struct switch_seen *seen)
{
	struct perfdata_switch sw;
	struct perfdata_trailer t;

	if (!perfdata_record_decode_switch(pd, r, &sw) ||
		!perfdata_record_decode_trailer(pd, r, &t) || !t.has_time ||
		(sw.out && !s->no_stacks))
		return false;
	*seen = (struct switch_seen){
		.class = { .thread = SWITCH_NO_THREAD,
			.stack = SWITCH_NO_STACK,
			.tid = t.tid,
			.event = t.attr,
			.kind = sw.out ? SWITCH_OUT : SWITCH_IN,
			.state = sw.out && sw.preempted ? STATE_PREEMPTED : STATE_UNKNOWN },
		.time_ns = t.time_ns,
		.other_tid = SWITCH_NOBODY,
		.cpu = switch_events_cpu(t.cpu),
	};
	return true;
}
