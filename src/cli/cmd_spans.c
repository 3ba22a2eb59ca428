/*
 * perfold spans: how long things took, from pairs of events.
 *
 * A run of the pipeline reads only the events of the measure, with marks (model/marks.h) that have
 * the fields by which a begin and an end belong together. trace/ pairs them: the result are
 * durations (model/durations.h), each with its stack at the beginning. From these come the table of
 * kinds, the list of --slower, the files of --json, --histogram and --heatmap, and outputs
 * (spans_files.c), in which the weight of a stack is the time of what began there.
 *
 * A preset is a table row (trace/span_preset.c); --begin, --end and --key make a rule of the same
 * form. If records were lost between a begin and its end, the pair is left out and counted.
 */
#include "base/amount.h"
#include "base/counted.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/near_word.h"
#include "base/utf8.h"
#include "cli/cli.h"
#include "cli/run_command.h"
#include "cli/run_summary.h"
#include "cli/spans_files.h"
#include "cli/spans_slow.h"
#include "cli/terminal.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	ROWS_DEFAULT = 20,
	EVENTS_MAX = 64,
	FRAMES_SHOWN = 40, /* of a stack in the list */
	FDS_MAX_BYTES = 16 << 20,
	FIGURE = 10, /* columns */
	NAME = 24,
};

/* A preset, or a rule made of --begin, --end and --key. */
struct measure {
	struct span_preset preset;
	struct span_rule rule; /* of --begin and --end */
	const char *events[EVENTS_MAX + 1];
	struct string_list strings; /* owned, of events and fields */
	struct spans_opts opts;
	struct details details;
};

struct spans_report {
	const struct options *o;
	struct pipeline_result *result;
	const struct profile *p;
	struct durations d;
	enum span_view view;
	struct loop_samples samples; /* of the event loop */
	struct terminal terminal;
	struct terminal_line line;
};

/* The measure: a preset, or a pair of events. */

static const char *keep_string(struct measure *m, struct span s)
{
	char *text = xmalloc(s.n + 1);

	memcpy(text, s.p, s.n);
	text[s.n] = '\0';
	string_list_add(&m->strings, text);
	return text;
}

static int add_events(struct measure *m, size_t *n, const char *names, struct err *e)
{
	struct span rest = span_of(names), word;

	while (rest.n) {
		const char *blank = memchr(rest.p, ' ', rest.n);

		word = blank ? span_range(rest.p, blank) : rest;
		rest = span_skip(rest, word.n + 1);
		if (*n == EVENTS_MAX)
			return err_set(e, ERR_USAGE, "more than %d events", EVENTS_MAX);
		if (word.n)
			m->events[(*n)++] = keep_string(m, word);
	}
	return OK;
}

static int list_events(struct measure *m, struct err *e)
{
	size_t n = 0, i;
	int rc = OK;

	for (i = 0; i < m->preset.n_rules && !rc; i++) {
		rc = add_events(m, &n, m->preset.rules[i].begin, e);
		if (!rc)
			rc = add_events(m, &n, m->preset.rules[i].end, e);
	}
	if (!rc && m->preset.others)
		rc = add_events(m, &n, m->preset.others, e);
	return rc;
}

/* Lists the fields that --key names, and that of the result, which an event of a return has. */
static int list_fields(struct measure *m, struct err *e)
{
	struct mark_fields *fields = &m->preset.fields;
	struct span rest = span_of(m->rule.key);
	const struct span field = SPAN("field:");

	while (rest.n) {
		const char *comma = memchr(rest.p, ',', rest.n);
		struct span part = comma ? span_range(rest.p, comma) : rest;

		rest = span_skip(rest, part.n + 1);
		if (!span_starts(part, field))
			continue;
		if (fields->n == SPAN_KEYS_MAX)
			return err_set(e, ERR_USAGE, "--key: at most %d fields", SPAN_KEYS_MAX);
		fields->name[fields->n++] = keep_string(m, span_skip(part, field.n));
	}
	fields->name[fields->n++] = MARK_RESULT_FIELD;
	return OK;
}

static int no_such_preset(const char *name, struct err *e)
{
	struct near_word near = near_word_of(span_of(name));
	const char *found = NULL;
	size_t i;

	for (i = 0; span_preset_at(i); i++)
		if (near_word_is_nearer(&near, span_of(span_preset_at(i)->name)))
			found = span_preset_at(i)->name;
	if (found)
		return err_set(e, ERR_USAGE,
			"\"%.100s\" is neither a preset nor a file; did you mean perfold spans %s?",
			name, found);
	return err_set(e, ERR_USAGE,
		"\"%.100s\" is neither a preset nor a file; perfold spans --help lists the presets",
		name);
}

static int measure_pair(
	struct measure *m, const struct spans_command_opts *o, const char *first, struct err *e)
{
	if (!o->begin && !o->end && first && strcmp(first, "-") != 0 && access(first, F_OK))
		return no_such_preset(first, e);
	if (!o->begin || !o->end)
		return err_set(e, ERR_USAGE,
			"spans needs a PRESET, or --begin EVENT and --end EVENT; see perfold spans "
			"--help");
	m->rule = (struct span_rule){
		.begin = o->begin, .end = o->end, .key = o->key ? o->key : "tid"
	};
	m->preset = (struct span_preset){ .name = "pairs", .rules = &m->rule, .n_rules = 1 };
	return list_fields(m, e);
}

static int read_descriptors(
	struct measure *m, const char *path, struct strtab *strings, struct err *e)
{
	struct buf text = { 0 };
	struct file f;
	size_t got = 0;
	int rc = file_open(&f, path, e);

	if (rc)
		return err_wrap(e, "--fds");
	buf_reserve(&text, FDS_MAX_BYTES);
	rc = file_read_some_at(&f, text.p, FDS_MAX_BYTES, 0, &got, e);
	text.n = got;
	file_close(&f);
	if (!rc && !details_read_descriptors(&m->details.descriptors, buf_span(&text), strings))
		rc = err_set(e, ERR_FORMAT,
			"--fds: %s: is not a list of descriptors as printed by ls -l /proc/PID/fd",
			path);
	buf_release(&text);
	return rc;
}

/* A preset is given by --preset, or as the first argument. */
static int find_measure(struct measure *m, struct options *o, struct err *e)
{
	const struct spans_command_opts *s = &o->spans;
	const struct span_preset *preset = NULL;
	int rc = OK;

	if (s->preset)
		preset = span_preset_find(s->preset);
	else if (!s->begin && !s->end && o->run.n_inputs)
		preset = span_preset_find(o->run.inputs[0]);
	if (s->preset && !preset)
		return err_set(e, ERR_USAGE, "--preset: no preset is called \"%.100s\"", s->preset);
	if (preset)
		m->preset = *preset;
	else
		rc = measure_pair(m, s, o->default_input ? NULL : o->run.inputs[0], e);
	if (!rc)
		rc = list_events(m, e);
	m->opts = (struct spans_opts){
		.rules = m->preset.rules,
		.n_rules = m->preset.n_rules,
		.fields = &m->preset.fields,
		.of = m->preset.of,
		.describe = details_describe,
		.ctx = &m->details,
	};
	m->details.fields = &m->preset.fields;
	m->details.files = m->preset.view == SPAN_VIEW_FILES;
	if (!rc && (s->slower_ns || spans_files_have_page(o))) {
		o->choice.during = &o->during;
		rc = during_list(&o->during, preset, &m->rule, e);
	}
	return rc;
}

static void measure_release(struct measure *m)
{
	string_list_release_all(&m->strings);
	details_release_descriptors(&m->details.descriptors);
}

/* Pairs of events. */

/* If only some hits were recorded, a begin may be paired with the end of another one. */
static int check_rate(const struct recording *r, struct err *e)
{
	uint32_t i;

	for (i = 0; i < r->n_events; i++) {
		const struct event *v = &r->events[i];

		if (!v->chosen || !v->tracepoint || !v->samples ||
			(!v->frequency_hz && v->period <= 1))
			continue;
		return err_set(e, ERR_UNSUPPORTED,
			"%s: %s was recorded with a frequency or a period, so hits are missing and "
			"no pair is certain: record with -c 1, or give --force",
			r->path, strtab_str(r->strings, v->name));
	}
	return OK;
}

static int check_events(const struct recording *r, const struct measure *m, struct err *e)
{
	if (spans_applies(r, &m->opts))
		return OK;
	return err_set(e, ERR_UNSUPPORTED,
		"%s: has none of the events to pair; perfold spans %s --help shows how to record "
		"them",
		r->path, m->preset.how ? m->preset.name : "PRESET");
}

static bool is_inside(
	const struct recording *r, const struct durations *d, const struct duration *i)
{
	const struct time_set *s = thread_times_of(r->inside, d->threads[i->thread].tid);
	struct time_range when = { i->from_ns, i->from_ns + i->duration_ns };

	return i->duration_ns ? time_set_overlap_ns(s, when) == i->duration_ns
			      : time_set_has(s, i->from_ns);
}

/* --during: spans count that are inside as a whole. */
static void choose_spans(struct durations *d, const struct recording *r, size_t first)
{
	size_t i, n = first;

	for (i = first; i < d->n; i++)
		if (is_inside(r, d, &d->item[i]))
			d->item[n++] = d->item[i];
	d->n = n;
}

static int pair_recording(
	struct spans_report *report, struct measure *m, uint32_t number, struct err *e)
{
	struct recording *r = report->result->recordings[number];
	struct loop_source from;
	unsigned n = r->n_logs;
	int rc = check_events(r, m, e);

	if (!rc && !report->o->spans.force)
		rc = check_rate(r, e);
	if (rc || !r->marks)
		return rc;
	r->marks[0] = marks_merge(r->marks, n);
	while (n > 1)
		r->marks[--n] = NULL;
	m->details.recording = r;
	from = (struct loop_source){ r, report->result->profile, report->d.n, report->d.n_threads };
	rc = spans_pair(&report->d, r, number, &m->opts, e);
	if (!rc && m->preset.view == SPAN_VIEW_LOOP)
		event_loop_add(&report->d, &from, &report->samples);
	if (!rc && r->inside)
		choose_spans(&report->d, r, from.first_item);
	return rc;
}

static int pair_all(struct spans_report *report, struct measure *m, struct err *e)
{
	size_t i;
	int rc = OK;

	if (report->o->spans.fds)
		rc = read_descriptors(m, report->o->spans.fds, report->result->strings, e);
	for (i = 0; i < report->result->n_recordings && !rc; i++)
		rc = pair_recording(report, m, (uint32_t)i, e);
	durations_finish(&report->d, report->result->strings);
	return rc;
}

/* The table. */

static void put_right(struct buf *b, struct span text)
{
	size_t n = utf8_length(text);

	for (; n < FIGURE; n++)
		buf_putc(b, ' ');
	buf_put_span(b, text);
	buf_putc(b, ' ');
}

static void put_time(struct buf *b, uint64_t ns)
{
	struct buf text = { 0 };

	amount_put_time(&text, ns);
	put_right(b, buf_span(&text));
	buf_release(&text);
}

static void print_kind(struct spans_report *r, const struct duration_kind *k)
{
	struct buf figures = { 0 }, count = { 0 };

	buf_printf(&count, "%" PRIu64, k->count);
	put_right(&figures, buf_span(&count));
	buf_release(&count);
	put_time(&figures, k->total_ns);
	put_time(&figures, k->count ? k->total_ns / k->count : 0);
	put_time(&figures, k->p50_ns);
	put_time(&figures, k->p95_ns);
	put_time(&figures, k->p99_ns);
	put_time(&figures, k->max_ns);
	terminal_printf(&r->line, "%s ", buf_str(&figures));
	buf_release(&figures);
	terminal_put(&r->terminal, &r->line, strtab_get(r->p->strings, k->name), COLOUR_BOLD, 0, 0);
	terminal_end_line(&r->line);
}

static void print_table(struct spans_report *r)
{
	static const char *const heads[] = { "count", "total", "mean", "p50", "p95", "p99", "max" };
	struct buf head = { 0 };
	uint32_t i;

	for (i = 0; i < ARRAY_LEN(heads); i++)
		put_right(&head, span_of(heads[i]));
	terminal_put(&r->terminal, &r->line, buf_span(&head), COLOUR_DIM, 0, 0);
	buf_release(&head);
	terminal_end_line(&r->line);
	for (i = 0; i < r->d.n_kinds; i++)
		if (r->d.kinds[r->d.by_total[i]].count)
			print_kind(r, &r->d.kinds[r->d.by_total[i]]);
}

/* The list of --slower. */

static void print_stack(struct spans_report *r, node_id stack)
{
	const struct profile *p = r->p;
	uint32_t shown = 0;
	struct buf name = { 0 };

	for (; stack && stack < p->n_nodes; stack = p->nodes[stack].parent) {
		enum frame_kind kind = profile_frame_kind(p, p->nodes[stack].frame);

		if (kind == FRAME_ROOT)
			continue;
		if (++shown > FRAMES_SHOWN) {
			printf("        ...\n");
			break;
		}
		name.n = 0;
		profile_put_name(p, p->nodes[stack].frame, &name);
		terminal_printf(&r->line, "        ");
		terminal_put(&r->terminal, &r->line, buf_span(&name),
			kind == FRAME_JIT ? COLOUR_GREEN : COLOUR_NONE, 0, 0);
		terminal_end_line(&r->line);
	}
	buf_release(&name);
}

static void print_slow(struct spans_report *r, const struct spans_slow *slow, size_t i)
{
	const struct duration *d = &r->d.item[slow->item[i]];
	const struct duration_thread *t = &r->d.threads[d->thread];
	struct buf duration = { 0 };
	char number[16];

	snprintf(number, sizeof(number), "#%" PRIu32, slow->number[slow->item[i]]);
	if (slow->numbered)
		terminal_printf(&r->line, "%8s ", slow->number[slow->item[i]] ? number : "-");
	terminal_printf(&r->line, "%" PRIu64 ".%09" PRIu64 " ", d->from_ns / 1000000000,
		d->from_ns % 1000000000);
	terminal_put(
		&r->terminal, &r->line, strtab_get(r->p->strings, t->name), COLOUR_NONE, 15, 0);
	put_time(&duration, d->duration_ns);
	terminal_printf(&r->line, " %7d %s", t->tid, buf_str(&duration));
	buf_release(&duration);
	terminal_put(&r->terminal, &r->line, strtab_get(r->p->strings, r->d.kinds[d->kind].name),
		COLOUR_BOLD, 12, 0);
	terminal_printf(&r->line, " ");
	if (d->detail)
		terminal_put(&r->terminal, &r->line, strtab_get(r->p->strings, d->detail),
			COLOUR_NONE, 0, 0);
	terminal_end_line(&r->line);
	print_stack(r, d->stack);
}

static void print_slowest(struct spans_report *r)
{
	bool files = r->view == SPAN_VIEW_FILES;
	size_t most = r->o->spans.rows ? r->o->spans.rows : ROWS_DEFAULT, i;
	struct spans_slow slow;

	spans_slow_find(&slow, &r->d, r->result,
		&(struct spans_slow_opts){ r->view, r->o->spans.slower_ns, most });
	printf("\n%s%-20s %-15s %7s %*s  %-12s %s\n", slow.numbered ? "  number " : "", "time",
		"comm", "tid", FIGURE, "duration", "what", files ? "D     bytes file" : "");
	for (i = 0; i < slow.n && i < most; i++)
		print_slow(r, &slow, i);
	if (slow.n > most)
		printf("(%zu more; --rows N shows %s)\n", slow.n - most,
			counted(slow.n - most, "it", "them"));
	spans_slow_release(&slow);
}

/* The command. */

static void print_left_out(const struct spans_report *r)
{
	const struct durations_left_out *l = &r->d.left_out;

	if (r->o->quiet)
		return;
	if (l->lost)
		message("%" PRIu64 " %s", l->lost,
			counted(l->lost, "pair left out: records were lost in it",
				"pairs left out: records were lost in them"));
	if (l->unended)
		message("%" PRIu64 " %s left out: no end was recorded", l->unended,
			counted(l->unended, "beginning", "beginnings"));
	if (l->unbegun)
		message("%" PRIu64 " %s left out: no beginning was recorded", l->unbegun,
			counted(l->unbegun, "end", "ends"));
	if (l->open)
		message("%" PRIu64 " had not ended when the recording ended", l->open);
	if (l->unkeyed)
		message("%" PRIu64 " %s by", l->unkeyed,
			counted(l->unkeyed, "event left out: it lacks the field to pair it",
				"events left out: they lack the field to pair them"));
}

/* Refuses options that choose what spans decides by itself. */
static int check_options(const struct options *o, struct err *e)
{
	if (o->run.read.off_cpu)
		return err_set(e, ERR_USAGE, "perfold spans does not take --off-cpu");
	if (o->run.read.weight_field || o->run.read.weight_by_samples ||
		o->run.read.weight_by_latency)
		return err_set(e, ERR_USAGE,
			"perfold spans does not take --weight: the weight is the duration");
	return OK;
}

static frame_id label_frame(const struct spans_report *r, str_id name)
{
	return frames_add(r->p->frames, &(struct frame){ .name = name, .kind = FRAME_ROOT });
}

/* Each duration weighs on the stack where it began, below a frame that says what it was. */
static void stack_durations(const struct spans_report *r, struct weighted_stack *stacks)
{
	frame_id *label = xcalloc(r->d.n_kinds, sizeof(*label));
	uint32_t i;
	size_t k;

	for (i = 0; i < r->d.n_kinds; i++)
		label[i] = label_frame(r, r->d.kinds[i].name);
	for (k = 0; k < r->d.n; k++)
		stacks[k] = (struct weighted_stack){ label[r->d.item[k].kind], r->d.item[k].stack,
			r->d.item[k].beside, r->d.item[k].duration_ns, 1 };
	free(label);
}

/* Samples weigh on their stacks, below a frame for the phase of the event loop. */
static void stack_samples(const struct spans_report *r, struct weighted_stack *stacks)
{
	frame_id label = 0;
	size_t k;

	for (k = 0; k < r->samples.n; k++) {
		const struct loop_sample *s = &r->samples.item[k];

		if (!k || s->phase != s[-1].phase)
			label = label_frame(r, s->phase);
		stacks[k] = (struct weighted_stack){ label, s->stack, 0, 1, 1 };
	}
}

static int write_files(struct spans_report *r, struct err *e)
{
	size_t n = r->samples.n ? r->samples.n : r->d.n;
	struct weighted_stack *stacks = xcalloc(n, sizeof(*stacks));
	int rc;

	if (r->samples.n)
		stack_samples(r, stacks);
	else
		stack_durations(r, stacks);
	rc = spans_files_write(r->o, r->result, &r->d,
		&(struct spans_stacks){
			stacks, n, r->samples.n ? "samples" : "nanoseconds", r->view },
		e);
	free(stacks);
	return rc;
}

static void print_report(struct spans_report *r)
{
	print_table(r);
	if (r->o->spans.slower_ns)
		print_slowest(r);
}

/* The table would be amid the data. */
static bool writes_to_stdout(const struct options *o)
{
	const char *const files[] = { o->spans.json, o->spans.histogram, o->spans.heatmap };
	size_t i;

	for (i = 0; i < ARRAY_LEN(files); i++)
		if (files[i] && strcmp(files[i], "-") == 0)
			return true;
	for (i = 0; i < o->n_outputs; i++)
		if (strcmp(o->outputs[i].path, "-") == 0)
			return true;
	return false;
}

static int report_all(struct spans_report *r, struct measure *m, struct err *e)
{
	int rc = pair_all(r, m, e);

	if (rc)
		return rc;
	r->p = r->result->profile;
	if (!writes_to_stdout(r->o))
		print_report(r);
	print_left_out(r);
	return write_files(r, e);
}

static int run_measure(struct options *o, struct measure *m, int *status, struct err *e)
{
	struct pipeline_result result;
	struct spans_report r = { .o = o,
		.result = &result,
		.view = m->preset.view,
		.terminal = terminal_query(STDOUT_FILENO) };
	int rc;

	o->run.n_outputs = 0;
	o->run.needs = OUTPUT_FULL;
	o->run.read.events = m->events;
	o->run.read.marks = &m->preset.fields;
	o->run.read.marks_of_switches = m->preset.of == SPANS_OF_RUN_QUEUE;
	o->run.read.weight_by_samples = true;
	rc = run_command_pipeline(o, &result, e);
	if (rc == ERR_USAGE && m->preset.how)
		err_wrap(e, "spans %s (perfold spans %s --help shows how to record)",
			m->preset.name, m->preset.name);
	if (!rc)
		rc = report_all(&r, m, e);
	if (!rc) {
		rc = run_command_flush(e);
		run_summary_print(&result, o);
		run_command_check_quality(o, &result, status);
	}
	durations_release(&r.d);
	event_loop_samples_release(&r.samples);
	terminal_line_release(&r.line);
	pipeline_release(&result);
	return rc;
}

static int run_spans(struct options *o, int *status, struct err *e)
{
	struct measure m = { 0 };
	int rc = check_options(o, e);

	if (!rc)
		rc = find_measure(&m, o, e);
	if (!rc)
		rc = run_measure(o, &m, status, e);
	measure_release(&m);
	return rc;
}

static void print_preset(const struct span_preset *p)
{
	printf("perfold spans %s [OPTION...] [INPUT...]\n\nMeasures %s.\n\nTo record:\n\n%s",
		p->name, p->about, p->how);
}

static bool asks_for_help(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
			return true;
	return false;
}

static char *usage(void)
{
	struct buf b = { 0 };
	char *text;
	size_t i;

	buf_puts(&b, "perfold spans PRESET [OPTION...] [INPUT...]\n"
		     "perfold spans --begin EVENT --end EVENT [OPTION...] [INPUT...]\n\n"
		     "Measures how long things took, from pairs of events. perfold spans PRESET\n"
		     "--help shows how to record them.\n\nPresets:\n");
	for (i = 0; span_preset_at(i); i++)
		buf_printf(&b, "  %-20s  %s%s", span_preset_at(i)->name, span_preset_at(i)->about,
			span_preset_at(i + 1) ? "\n" : "");
	text = xstrdup(buf_str(&b));
	buf_release(&b);
	return text;
}

/* The first argument may be a preset: it counts as the option. */
int cmd_spans(int argc, char **argv, int *status, struct err *e)
{
	const struct span_preset *preset = argc > 1 ? span_preset_find(argv[1]) : NULL;
	char *option = NULL, *first = argc > 1 ? argv[1] : NULL, *text;
	int rc;

	if (preset && asks_for_help(argc, argv)) {
		print_preset(preset);
		return run_command_flush(e);
	}
	if (preset)
		argv[1] = option = xasprintf("--preset=%s", preset->name);
	text = usage();
	rc = run_command(
		FOR_SPANS, (struct command_line){ argc, argv }, text, run_spans, status, e);
	if (preset)
		argv[1] = first;
	free(option);
	free(text);
	return rc;
}
