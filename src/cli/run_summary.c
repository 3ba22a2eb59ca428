/*
 * Notes and the closing line, in this order: events not used, files refused, maps found by what
 * they cover, unknown events, damage (model/diag.def has the texts), rules that never matched, and
 * last
 *
 * 	407 samples read, 407 kept; 0 lost; frames: 99.8% resolved (unresolved: 12 no symbol)
 *
 * A note is for what the user may not expect and would not see in the output; what is as it should
 * be is printed with -v only.
 */
#include "cli/run_summary.h"

#include "base/amount.h"
#include "base/counted.h"
#include "base/mem.h"
#include "base/saturated.h"
#include "cli/jit_advice.h"
#include "cli/message.h"
#include "cli/source_map_hint.h"
#include "model/names/event_name.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Frames without a name. */

double run_summary_percent(uint64_t part, uint64_t whole)
{
	if (!whole || part == whole)
		return whole ? 100.0 : 0.0;
	return floor(1000.0 * (double)part / (double)whole) / 10.0;
}

const char *run_summary_why(enum frame_why why)
{
	static const char *const text[WHY_COUNT] = {
		[WHY_HAS_NAME] = "resolved",
		[WHY_NO_MAPPING] = "nothing mapped there",
		[WHY_NO_FILE] = "no file",
		[WHY_REFUSED] = "file refused",
		[WHY_NO_SYMBOL] = "no symbol",
		[WHY_NO_JIT_MAP] = "no map of generated code",
		[WHY_NOT_IN_MAP] = "not in the map",
		[WHY_NO_KALLSYMS] = "no kernel symbols",
		[WHY_IN_TEXT] = "unknown in the text",
	};

	return text[why];
}

/* Notes. */

/* Lists the first few events, and how many more there are: perf trace records hundreds. */
static void list_events(struct buf *out, const struct recording *r, bool chosen)
{
	enum { EVENTS_SHOWN_MAX = 5 };
	uint64_t samples = 0;
	uint32_t i, n = 0;

	for (i = 0; i < r->n_events; i++) {
		const struct event *event = &r->events[i];

		if (event->chosen != chosen || !event->samples)
			continue;
		if (n++ < EVENTS_SHOWN_MAX)
			buf_printf(out, "%s%s (%" PRIu64 ")", n > 1 ? ", " : "",
				strtab_str(r->strings, event->name), event->samples);
		else
			samples += event->samples;
	}
	if (n > EVENTS_SHOWN_MAX)
		buf_printf(
			out, " and %" PRIu32 " more (%" PRIu64 ")", n - EVENTS_SHOWN_MAX, samples);
}

/* Notes events that were recorded but not used. */
static void note_events(const struct recording *r)
{
	struct buf others = { 0 }, used = { 0 };

	list_events(&used, r, true);
	list_events(&others, r, false);
	if (others.n)
		message("events used: %s; not used: %s", used.n ? buf_str(&used) : "none",
			buf_str(&others));
	buf_release(&others);
	buf_release(&used);
}

static bool is_recorded(const struct pipeline_result *r, const char *event)
{
	const char *const wanted[] = { event, NULL };
	bool any = false;
	uint32_t k;
	size_t i;

	for (i = 0; i < r->n_recordings; i++) {
		const struct recording *in = r->recordings[i];

		any |= in->n_events != 0;
		for (k = 0; k < in->n_events; k++)
			if (event_name_wanted(
				    strtab_get(in->strings, in->events[k].name), wanted, SPAN("")))
				return true;
	}
	return !any; /* sums have no events */
}

/* A mistyped one of several --event would look like an event without samples. */
static void note_unknown_events(const struct pipeline_result *r, const struct options *o)
{
	size_t i;

	for (i = 0; i < o->events.n; i++)
		if (!is_recorded(r, o->events.item[i]))
			message("no event is called \"%s\"", o->events.item[i]);
}

/* Switches say how many threads ran; samples only roughly. */
static void note_parallelism(const struct recording *r)
{
	if (r->facts.parallelism_estimated)
		message("--weight latency: no switches were recorded, so how many threads ran is "
			"estimated from samples; with --switch-events perf records it exactly");
}

static void note_refusals(const struct pipeline_result *r, size_t which)
{
	const struct symbolize_report *rep = &r->reports[which];
	const struct modules *modules = r->recordings[which]->modules;
	struct buf line = { 0 };
	uint32_t i;

	for (i = 0; i < rep->n; i++) {
		const struct symbolize_module *m = &rep->modules[i];
		const struct files_step *s = files_trail_refusal(&m->trail);

		if (m->why != WHY_REFUSED || !s)
			continue;
		line.n = 0;
		files_step_put(&line, s, &modules_get(modules, m->module)->build_id);
		message("%s", buf_str(&line));
	}
	buf_release(&line);
}

static void note_unread_file(void *ctx, const char *path, const char *why)
{
	uint32_t *left = ctx;

	if (*left && (*left)--)
		message("%s: cannot be read: %s", path, why);
}

/* An error of a disk, or of a limit, may be for a while only. */
void run_summary_print_unread(const struct symbolize_report *rep)
{
	uint32_t left = 3;

	files_unread_visit(rep->unread, note_unread_file, &left);
}

/* A map that was found by the addresses it covers deserves a note: it may be another process's. */
static void note_covering_maps(const struct recording *r)
{
	uint32_t i;

	for (i = 0; i < r->n_processes; i++) {
		const struct process_use *p = &r->processes[i];
		str_id path = p->jitdump ? p->jitdump : p->perf_map;

		if (p->covered)
			message("%s is used for process %" PRId32 " (%s): it names %" PRIu32
				" of %" PRIu32 " sampled addresses",
				strtab_str(r->strings, path), p->pid,
				strtab_str(r->strings, p->name), p->covered, p->sampled);
	}
}

static void put_left_out(struct buf *b, uint64_t n, const char *why)
{
	if (n)
		buf_printf(b, "; %" PRIu64 " %s", n, why);
}

/* How many spans were there, and which could not be judged. */
static void note_spans(const struct recording *r)
{
	struct buf b = { 0 };
	uint32_t i;

	for (i = 0; i < r->n_span_counts; i++) {
		const struct span_count *c = &r->span_counts[i];

		b.n = 0;
		buf_printf(&b, "--during '%s': %" PRIu64 " of %" PRIu64 " %s", c->condition,
			c->chosen, c->spans, counted(c->spans, "span", "spans"));
		if (c->chosen) {
			buf_puts(&b, ", together ");
			amount_put_time(&b, c->chosen_ns);
		}
		put_left_out(&b, c->unbegun, "begun before the recording, left out");
		put_left_out(&b, c->open, "without an end in the recording, left out");
		put_left_out(&b, c->lost, "left out, as records were lost in them");
		put_left_out(&b, c->unkeyed, "events without the field to pair them by");
		put_left_out(&b, c->moved,
			"ended on another thread than they are known to be on: name the event "
			"between as BEGIN..STEP..END");
		message("%s", buf_str(&b));
	}
	buf_release(&b);
}

static void put_message(void *ctx, const char *line)
{
	(void)ctx;
	message("%s", line);
}

/* JIT code without a name is what a profile of it is about. */
static void note_unnamed_jit(const struct recording *r, const struct frame_account *a)
{
	enum { PROCESSES_MAX = 3 };
	uint64_t unnamed = jit_advice_unnamed(r, a);

	if (!jit_advice_is_needed(unnamed, a))
		return;
	message("%.1f%% of the frames are JIT code without a name, shown as [perf-PID.map] or "
		"[JIT]",
		run_summary_percent(unnamed, a->frames));
	jit_advice_report(r, a, PROCESSES_MAX, put_message, NULL);
}

/* Bundles and compiled TypeScript are read by few. */
void run_summary_note_source_maps(const struct recording *r, const struct options *o)
{
	struct buf line = { 0 };

	source_map_hint_put(&line, r, o);
	if (line.n)
		message("%s", buf_str(&line));
	buf_release(&line);
}

/* Notes that names are derived from a measurement. */
static void note_interpreted(const struct recording *r)
{
	const struct recording_generated *g = &r->generated;

	if (g->interpreted && g->slot_bytes)
		message("interpreted frames: %" PRIu64 " of %" PRIu64
			" named, by the bytecode at fp-0x%" PRIx32,
			g->interpreted_named, g->interpreted, g->slot_bytes);
}

void run_summary_print_damage(const struct diag *d)
{
	int k;

	for (k = 0; k < DIAG_KINDS; k++) {
		const struct diag_info *info = diag_info(k);

		if (k == DIAG_LOST || k == DIAG_LOST_CHUNKS || !d->count[k])
			continue; /* lost events are in the closing line */
		if (k == DIAG_BAD_LINE)
			message("%" PRIu64 " %s, the first is line %" PRIu64, d->count[k],
				diag_message(d, k), d->first_at[k]);
		else
			message("%" PRIu64 " %s%s%s", d->count[k], diag_message(d, k),
				info->hint ? ": " : "", info->hint ? info->hint : "");
	}
}

static void note_rules(const struct pipeline_result *r, bool all)
{
	uint32_t i;

	for (i = 0; r->filter && i < filter_rule_count(r->filter); i++) {
		struct filter_rule_use u = filter_rule_use(r->filter, i);

		/* Shipped files have rules for every version of everything: most rules never
		 * match. */
		if (!all && (u.hits || strncmp(u.place, "-e", 2) != 0))
			continue;
		if (!u.hits)
			message("%s never matched: %s", u.place, u.text);
		else
			message("%s: %" PRIu64 " %s: %s", u.place, u.hits,
				counted(u.hits, "hit", "hits"), u.text);
	}
}

/* A .cpuprofile holds one thread: reports which one, and what is left out. */
static void note_thread(const struct pipeline_result *r, const struct options *o)
{
	const struct profile *p = r->profile ? r->profile : r->by_name;
	size_t i;

	if (o->run.split.by)
		return; /* each part has its own */
	for (i = 0; p && p->n_threads && i < o->n_outputs; i++) {
		const struct profile_thread *t = &p->threads[0];

		if (!(o->outputs[i].format->needs & OUTPUT_ONE_THREAD))
			continue;
		message("%s: only the busiest thread, %s (pid %" PRId32 ", tid %" PRId32
			"): %" PRIu64 " of %zu %s in %" PRIu32 " %s",
			o->outputs[i].path, strtab_str(r->strings, t->name), t->pid, t->tid,
			t->samples, p->n_rows, counted(p->n_rows, "sample", "samples"),
			p->n_threads, counted(p->n_threads, "thread", "threads"));
	}
}

/* Lists the options that choose among samples, with commas. */
static void list_choosers(struct buf *out, const struct options *o)
{
	const struct sample_choice *c = &o->choice;
	const struct {
		const char *option;
		bool given;
	} choosers[] = { { "--pid", c->pids.n }, { "--tid", c->tids.n }, { "--cpu", c->cpus.n },
		{ "--comm", c->comm }, { "--process", c->process }, { "--cgroup", c->cgroup },
		{ "--time", c->from.how != TIME_OPEN || c->to.how != TIME_OPEN },
		{ "--where", c->where.n }, { "--during", o->during.n_conditions },
		{ "--event", o->events.n },
		{ "--min-block or --max-block",
			o->run.read.min_block_ns || o->run.read.max_block_ns } };
	size_t i;

	for (i = 0; i < ARRAY_LEN(choosers); i++)
		if (choosers[i].given)
			buf_printf(out, "%s%s", out->n ? ", " : "", choosers[i].option);
}

static bool has_format(const struct recording *r, struct span format)
{
	return span_eq(strtab_get(r->strings, r->facts.format), format);
}

/* Folded stacks are sums, which have nothing to choose by; and a picture of nothing would be drawn
 * without a word. */
static void note_choices(const struct pipeline_result *r, const struct options *o, bool none_left)
{
	struct buf by = { 0 };
	size_t i;

	list_choosers(&by, o);
	for (i = 0; i < r->n_recordings && by.n; i++)
		if (has_format(r->recordings[i], SPAN("folded")))
			message("%s: folded stacks do not say what to choose by (%s): all are "
				"kept",
				r->recordings[i]->path, buf_str(&by));
	if (by.n && none_left)
		message("no sample is left by %s", buf_str(&by));
	buf_release(&by);
}

/* An unfinished file without samples looks like one that perfold cannot read. */
static void note_unfinished(const struct pipeline_result *r)
{
	size_t i;

	for (i = 0; i < r->n_recordings; i++)
		if (r->recordings[i]->facts.killed)
			message("%s: the recorder did not finish this file",
				r->recordings[i]->path);
}

/* Notes a large share of lost samples: such a recording is not to be trusted. */
static void note_lost(const struct diag *d, uint64_t read)
{
	enum { MANY_PERCENT = 10 };
	const uint64_t lost = d->count[DIAG_LOST];

	if (run_summary_percent(lost, saturated_add(lost, read)) >= MANY_PERCENT)
		message("%" PRIu64 " %s: %s", lost, diag_message(d, DIAG_LOST),
			diag_info(DIAG_LOST)->hint);
}

/* The closing line. */

static void put_unresolved(struct buf *b, const struct frame_account *a)
{
	bool first = true;
	int w;

	for (w = WHY_HAS_NAME + 1; w < WHY_COUNT; w++) {
		if (!a->why[w])
			continue;
		buf_printf(b, "%s%" PRIu64 " %s", first ? " (unresolved: " : ", ", a->why[w],
			run_summary_why(w));
		first = false;
	}
	if (!first)
		buf_putc(b, ')');
}

static void closing_line(
	const struct pipeline_result *r, const struct options *o, const struct frame_account *a)
{
	struct buf b = { 0 };
	uint64_t read = 0, kept = 0, stacks = 0;
	const char *one = "sample", *many = "samples";
	size_t i;

	for (i = 0; i < r->n_recordings; i++) {
		stacks = saturated_add(stacks, r->recordings[i]->stacks_read);
		if (r->recordings[i]->facts.sums == SUMS_OF_OTHERS) {
			one = "stack";
			many = "stacks";
		}
		read = saturated_add(read, r->recordings[i]->samples_read);
		kept = saturated_add(kept, r->recordings[i]->samples_kept);
	}
	note_lost(&r->diag, read);
	note_choices(r, o, read && !kept);
	if (stacks && strcmp(one, "stack") != 0)
		buf_printf(&b, "%" PRIu64 " %s, ", stacks, counted(stacks, "stack", "stacks"));
	buf_printf(&b, "%" PRIu64 " %s read, %" PRIu64 " kept; %" PRIu64 " lost", read,
		counted(read, one, many), kept, r->diag.count[DIAG_LOST]);
	if (a->frames) {
		buf_printf(&b, "; frames: %.1f%% resolved",
			run_summary_percent(a->why[WHY_HAS_NAME], a->frames));
		put_unresolved(&b, a);
	}
	message("%s", buf_str(&b));
	buf_release(&b);
}

static void add_account(struct frame_account *sum, const struct frame_account *a)
{
	int why;

	sum->frames += a->frames;
	for (why = 0; why < WHY_COUNT; why++)
		sum->why[why] += a->why[why];
}

void run_summary_print(const struct pipeline_result *r, const struct options *o)
{
	struct frame_account sum = { 0 };
	size_t i;

	if (o->quiet)
		return;
	for (i = 0; i < r->n_recordings; i++) {
		struct frame_account a = { 0 };

		frame_account_add(&a, r->recordings[i]);
		add_account(&sum, &a);
		note_events(r->recordings[i]);
		note_parallelism(r->recordings[i]);
		note_refusals(r, i);
		run_summary_print_unread(&r->reports[i]);
		note_covering_maps(r->recordings[i]);
		note_unnamed_jit(r->recordings[i], &a);
		note_interpreted(r->recordings[i]);
		note_spans(r->recordings[i]);
		run_summary_note_source_maps(r->recordings[i], o);
	}
	note_unknown_events(r, o);
	note_thread(r, o);
	note_unfinished(r);
	run_summary_print_damage(&r->diag);
	note_rules(r, o->verbose > 0);
	closing_line(r, o, &sum);
}
