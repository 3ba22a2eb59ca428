/*
 * perfold info: what a recording holds, what names it, and what could be better.
 *
 * A run of the pipeline over all events without outputs: the recording and the report of symbolize/
 * have all figures, this file prints them, one block of lines each, label first. What is not the
 * main thing (events that never occurred, processes after the twentieth) is summed up in one line
 * unless -v is given. Everything that a recording says goes through a terminal_line, which shows
 * control characters as escapes.
 */
#include "cli/advice.h"

#include "base/counted.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "cli/module_list.h"
#include "cli/run_command.h"
#include "cli/terminal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

static void print_line(const char *label, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
static void print_line(const char *label, const char *fmt, ...)
{
	struct terminal_line shown = { 0 };
	va_list ap;
	char *line;

	va_start(ap, fmt);
	line = xvasprintf(fmt, ap);
	va_end(ap);
	terminal_printf(&shown, "%-12s %s", label, line);
	terminal_end_line(&shown);
	terminal_line_release(&shown);
	free(line);
}

static void print_text(const struct recording *r, const char *label, str_id text)
{
	if (text)
		print_line(label, "%s", strtab_str(r->strings, text));
}

static void print_facts(const struct recording *r)
{
	const struct recording_facts *f = &r->facts;

	print_line("recording", "%s", r->path);
	if (f->n_parts > 1)
		print_line("parts", "%" PRIu32 " of one run; the first is above", f->n_parts);
	print_text(r, "format", f->format);
	print_text(r, "host", f->host);
	print_text(r, "kernel", f->os_release);
	print_text(r, "arch", f->arch);
	print_text(r, "cpu", f->cpu);
	if (f->n_cpus)
		print_line("cpus", "%" PRIu32, f->n_cpus);
	print_text(r, "perf", f->perf_version);
	print_text(r, "command", f->cmdline);
	if (f->first_time_ns <= f->last_time_ns)
		print_line("span", "%.3f s, from @%.6f to @%.6f",
			(double)(f->last_time_ns - f->first_time_ns) / 1e9,
			(double)f->first_time_ns / 1e9, (double)f->last_time_ns / 1e9);
	if (f->killed)
		print_line("note", "the recorder did not finish this file");
	print_line("made here", "%s",
		f->same_machine ? "yes: this machine's own files may be used"
				: "no: this machine's own files are used only if their build-id "
				  "proves them");
	if (r->stacks_read)
		print_line("stacks", "%" PRIu64, r->stacks_read);
	if (f->sums != SUMS_OF_OTHERS)
		print_line("samples", "%" PRIu64 ", lost %" PRIu64, r->samples_read,
			r->diag.count[DIAG_LOST]);
}

static void put_losses(struct buf *b, const struct event *v)
{
	if (v->lost)
		buf_printf(b, ", %" PRIu64 " lost", v->lost);
	if (v->throttled)
		buf_printf(b, ", throttled %" PRIu64 " times", v->throttled);
}

static void print_event(const struct recording *r, const struct event *v)
{
	struct buf losses = { 0 };

	put_losses(&losses, v);
	print_line("", "%-32s %10" PRIu64 " %s%s%s", strtab_str(r->strings, v->name), v->samples,
		r->facts.sums == SUMS_OF_OTHERS ? counted(v->samples, "stack", "stacks")
						: counted(v->samples, "sample", "samples"),
		v->tracepoint && v->frequency_hz ? ", hits left out (frequency)" : "",
		buf_str(&losses));
	buf_release(&losses);
}

/* -e 'sched:*' records dozens of events, most of which never occur. Of a few, those without samples
 * are listed too. */
enum { EVENTS_SHOWN = 8 };

static void print_events(const struct recording *r, bool all)
{
	uint32_t i, quiet = 0;

	puts("\nevents:");
	for (i = 0; i < r->n_events; i++)
		if (all || r->n_events <= EVENTS_SHOWN || r->events[i].samples)
			print_event(r, &r->events[i]);
		else
			quiet++;
	if (quiet)
		print_line("", "and %" PRIu32 " without samples; -v lists all", quiet);
}

static int compare_processes(const void *pa, const void *pb)
{
	const struct process_use *a = pa, *b = pb;

	if (a->samples != b->samples)
		return a->samples < b->samples ? 1 : -1;
	return a->pid < b->pid ? -1 : a->pid > b->pid;
}

/* Puts the files that name the generated code of a process. */
static void put_generated(struct buf *b, const struct recording *r, const struct process_use *p)
{
	if (!p->generated_code)
		return;
	buf_puts(b, ", generated code: ");
	if (p->jitdump)
		buf_printf(b, "%s%s%s", strtab_str(r->strings, p->jitdump),
			p->jit_untimed ? " (without times)" : "", p->perf_map ? ", " : "");
	if (p->perf_map)
		buf_puts(b, strtab_str(r->strings, p->perf_map));
	if (!p->jitdump && !p->perf_map)
		buf_puts(b, p->ambiguous ? "several maps fit equally well" : "no map found");
	if (p->covered)
		buf_printf(b, " (names %" PRIu32 " of %" PRIu32 " sampled addresses)", p->covered,
			p->sampled);
}

static void print_process(const struct recording *r, const struct process_use *p)
{
	struct buf generated = { 0 };

	put_generated(&generated, r, p);
	print_line("", "%8" PRId32 " %-20s %10" PRIu64 " %s%s", p->pid,
		strtab_str(r->strings, p->name), p->samples,
		counted(p->samples, "sample", "samples"), buf_str(&generated));
	buf_release(&generated);
}

/* A build or a test starts thousands of processes. */
enum { PROCESSES_SHOWN = 20 };

static void print_processes(struct recording *r, bool all)
{
	uint64_t samples = 0;
	uint32_t i, shown = 0, more = 0;

	if (!r->n_processes)
		return;
	puts("\nprocesses:");
	qsort(r->processes, r->n_processes, sizeof(*r->processes), compare_processes);
	for (i = 0; i < r->n_processes && r->processes[i].samples; i++)
		if (all || shown < PROCESSES_SHOWN) {
			print_process(r, &r->processes[i]);
			shown++;
		} else {
			samples += r->processes[i].samples;
			more++;
		}
	if (more)
		print_line("", "and %" PRIu32 " with %" PRIu64 " samples together; -v lists all",
			more, samples);
	if (i < r->n_processes)
		print_line("", "and %" PRIu32 " without samples", r->n_processes - i);
}

static void print_file(void *ctx, const char *line)
{
	(void)ctx;
	print_line("", "%s", line);
}

static void print_files(const struct recording *r, const struct symbolize_report *rep, bool all)
{
	if (!rep->n)
		return;
	puts("\nfiles, by their share of frames:");
	module_list_report(r, rep, all, print_file, NULL);
}

static void print_frames(const struct frame_account *a)
{
	int w;

	if (!a->frames)
		return;
	printf("\nframes: %" PRIu64 " in all stacks\n", a->frames);
	for (w = 0; w < WHY_COUNT; w++)
		if (a->why[w])
			print_line("", "%-24s %12" PRIu64 " (%.1f%%)", run_summary_why(w),
				a->why[w], run_summary_percent(a->why[w], a->frames));
}

/* False: branches of all inputs are counted. */
static bool print_uncountable(const struct pipeline_result *r)
{
	bool any = false;
	size_t i;

	for (i = 0; i < r->n_recordings; i++) {
		const char *why = recording_uncountable_branches(r->recordings[i]);

		if (why)
			printf("\nbranches:    %s%s%s\n",
				r->n_recordings > 1 ? r->recordings[i]->path : "",
				r->n_recordings > 1 ? ": " : "", why);
		any |= why != NULL;
	}
	return any;
}

/* Branches are of all inputs together, by file. */
static void print_branches(const struct pipeline_result *r, bool all)
{
	enum { FILES_SHOWN = 8 };
	const struct branch_profile *p = &r->branches;
	const struct branch_totals *t = &p->totals;
	uint32_t i;

	if (print_uncountable(r) && !(t->entries && p->n))
		return;
	if (!t->entries) {
		if (all)
			puts("\nbranches:    none; perf record -j any,u records them, for BOLT and "
			     "compilers");
		return;
	}
	printf("\nbranches:    %" PRIu64 " in the stacks of %" PRIu64 " %s", t->entries, t->samples,
		counted(t->samples, "sample", "samples"));
	if (t->predictions)
		printf(", %.1f%% mispredicted",
			100.0 * (double)t->mispredicted / (double)t->predictions);
	puts("; -o x.preagg, perfold top --branches");
	for (i = 0; i < p->n && (all || i < FILES_SHOWN); i++)
		print_line("", "%-32s %10" PRIu64 " %s%s",
			strtab_str(r->strings, p->binary[i].path), p->binary[i].entries,
			counted(p->binary[i].entries, "branch", "branches"),
			p->binary[i].why == BRANCH_FOUND
				? ""
				: ", without the file: addresses are not known");
	if (i < p->n)
		print_line("", "and %" PRIu32 " more files; -v lists all", p->n - i);
}

static bool has_perf_map(const struct recording *r)
{
	uint32_t i;

	for (i = 0; i < r->n_processes; i++)
		if (r->processes[i].perf_map)
			return true;
	return false;
}

static void print_generated(const struct recording *r)
{
	const struct recording_generated *g = &r->generated;

	if (g->ambiguous_samples)
		print_line("ambiguous",
			"%" PRIu64 " %s (%.1f%% of the weight) at addresses where the map of "
			"generated code names several functions",
			g->ambiguous_samples, counted(g->ambiguous_samples, "sample", "samples"),
			run_summary_percent(g->ambiguous_weight, r->weight_kept));
	if (g->interpreted && g->slot_bytes)
		print_line("interpreted",
			"%" PRIu64 " of %" PRIu64 " frames named, by the bytecode at fp-0x%" PRIx32,
			g->interpreted_named, g->interpreted, g->slot_bytes);
	else if (g->interpreted)
		print_line("interpreted", "none of %" PRIu64 " frames named: %s", g->interpreted,
			has_perf_map(r) ? "none of their slots holds bytecode that a map lists"
					: "only perf maps list bytecode: node --perf-basic-prof");
}

static void print_damage(const struct diag *d)
{
	bool any = false;
	int k;

	for (k = 0; k < DIAG_KINDS; k++) {
		const struct diag_info *info = diag_info(k);
		const char *text = diag_message(d, k);
		const char *joint = info->hint ? ": " : "", *hint = info->hint ? info->hint : "";

		if (!d->count[k])
			continue;
		if (!any)
			puts("\nlosses and damage:");
		any = true;
		if (k == DIAG_JIT_AMBIGUOUS) /* has no place in the file, and was printed above */
			print_line("", "%" PRIu64 " %s%s%s", d->count[k], text, joint, hint);
		else if (k == DIAG_BAD_LINE || k == DIAG_MAPS_OF_ALL)
			print_line("", "%" PRIu64 " %s, the first is line %" PRIu64 "%s%s",
				d->count[k], text, d->first_at[k], joint, hint);
		else
			print_line("", "%" PRIu64 " %s, first at 0x%" PRIx64 "%s%s", d->count[k],
				text, d->first_at[k], joint, hint);
	}
}

static void print_advice(void *ctx, const char *line)
{
	bool *any = ctx;

	if (!*any)
		puts("\nadvice:");
	*any = true;
	print_line("", "%s", line);
}

static void print_result(struct pipeline_result *r, bool all_files, bool verbose)
{
	size_t i;

	for (i = 0; i < r->n_recordings; i++) {
		struct frame_account account = { 0 };
		bool advised = false;

		if (i)
			putchar('\n');
		print_facts(r->recordings[i]);
		print_events(r->recordings[i], verbose);
		print_processes(r->recordings[i], verbose);
		print_files(r->recordings[i], &r->reports[i], all_files);
		frame_account_add(&account, r->recordings[i]);
		print_frames(&account);
		print_generated(r->recordings[i]);
		print_damage(&r->recordings[i]->diag);
		advice_report(r, i, &account, print_advice, &advised);
	}
	print_branches(r, verbose);
}

static int run_info(struct options *o, int *status, struct err *e)
{
	static const char *const all_events[] = { "all", NULL };
	struct pipeline_result result;
	int rc;

	o->run.n_outputs = 0;
	o->run.count_frameless = true;
	o->run.read.branches = true;
	o->run.read.events = all_events;
	rc = run_command_pipeline(o, &result, e);
	if (!rc) {
		print_result(&result, o->all_files, o->verbose);
		run_command_check_quality(o, &result, status);
	}
	pipeline_release(&result);
	return rc;
}

int cmd_info(int argc, char **argv, int *status, struct err *e)
{
	return run_command(FOR_INFO, (struct command_line){ argc, argv },
		"perfold info [OPTION...] [INPUT...]\n\n"
		"Shows what is in a recording: events, losses, processes; the files that its\n"
		"samples hit, which of them were found or refused, and why; and advice on how\n"
		"to record better.",
		run_info, status, e);
}
