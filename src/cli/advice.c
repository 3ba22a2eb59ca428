/*
 * Advice: each function looks for one thing that could be better in a recording and says how. It
 * says nothing unless the figures of this recording show the need, with limits (..._PERCENT_...)
 * that keep what is normal, such as a few frames outside of all mappings, from becoming advice.
 *
 * Figures are frames in all samples, by the reason why they have no name (model/frame_account.h),
 * and what the recording says about each process (struct process_use) and each file
 * (symbolize_report). What is known about runtimes (Node.js, musl) is in man perfold-languages.
 */
#include "cli/advice.h"

#include "base/mem.h"
#include "cli/jit_advice.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

struct adviser {
	const struct recording *recording;
	const struct symbolize_report *report;
	const struct frame_account *account;
	void (*put)(void *ctx, const char *line);
	void *ctx;
};

static void put_advice(const struct adviser *a, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
static void put_advice(const struct adviser *a, const char *fmt, ...)
{
	va_list ap;
	char *line;

	va_start(ap, fmt);
	line = xvasprintf(fmt, ap);
	va_end(ap);
	a->put(a->ctx, line);
	free(line);
}

static void advise_maps(const struct adviser *a)
{
	const struct recording *r = a->recording;
	uint32_t i;

	for (i = 0; i < r->n_processes; i++) {
		const struct process_use *p = &r->processes[i];

		if (!p->generated_code || !p->samples)
			continue;
		if (p->jit_untimed)
			put_advice(a,
				"the clock of %s is not that of the samples: record with perf "
				"record -k mono",
				strtab_str(r->strings, p->jitdump));
	}
	jit_advice_report(r, a->account, UINT32_MAX, a->put, a->ctx);
}

static void advise_kernel(const struct adviser *a)
{
	if (a->recording->facts.kernel_hidden)
		put_advice(a,
			"kernel addresses were hidden while recording: record as root, or with "
			"sysctl kernel.kptr_restrict=0");
	else if (a->account->why[WHY_NO_KALLSYMS])
		put_advice(a,
			"kernel frames have no names: copy /proc/kallsyms (as root) of the "
			"recorded "
			"machine beside the recording as \"kallsyms\", or name it with --kallsyms");
}

enum { ASTRAY_PERCENT_MAX = 20 };

/* Where code uses the frame pointer register for something else (libcrypto, CPython), the kernel
 * follows data instead of frames. */
static bool goes_astray(const struct adviser *a)
{
	return !a->recording->facts.copied_stacks &&
	       a->account->why[WHY_NO_MAPPING] * 100 > a->account->frames * ASTRAY_PERCENT_MAX;
}

/* Then it has no stacks by intention. */
static bool is_of_branches(const struct adviser *a)
{
	const struct recording *r = a->recording;

	return r->facts.branch_stacks > BRANCH_STACKS_OF_CALLS &&
	       (!r->facts.has_callchains || a->account->frames <= r->samples_kept);
}

static void advise_callchains(const struct adviser *a)
{
	const struct recording *r = a->recording;

	if (is_of_branches(a))
		return;
	if (!r->facts.has_callchains && r->samples_read)
		put_advice(a, "the recording has no call chains: record with perf record -g");
	else if (goes_astray(a))
		put_advice(a,
			"%.0f%% of the frames are at addresses where nothing was mapped: stacks go "
			"wrong in code without frame pointers; build with -fno-omit-frame-pointer, "
			"or record with --call-graph dwarf",
			run_summary_percent(a->account->why[WHY_NO_MAPPING], a->account->frames));
	else if (r->samples_kept && a->account->frames < 3 * r->samples_kept &&
		 !r->facts.exclude_kernel)
		put_advice(a, "stacks are short (%.1f frames): %s",
			(double)a->account->frames / (double)r->samples_kept,
			r->facts.copied_stacks
				? "unwinding of copied stacks ends in code without .eh_frame (musl "
				  "is built that way); its debug information may help: --debug-dir"
				: "the program may be built without frame pointers; build with "
				  "-fno-omit-frame-pointer, or record with --call-graph dwarf");
}

enum { FRAMELESS_PERCENT_MIN = 10 };

/* Compilers leave out the frames of functions that call none: GCC even with
 * -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer, if they need no stack. */
static void advise_leaves(const struct adviser *a)
{
	const struct recording *r = a->recording;

	if (r->frameless_samples * 100 >= r->samples_kept * FRAMELESS_PERCENT_MIN &&
		r->frameless_samples)
		put_advice(a,
			"in %.0f%% of the samples the innermost function of user code had no stack "
			"frame, so its caller may be missing: record with --call-graph dwarf, or "
			"with --call-graph lbr if the CPU has it",
			run_summary_percent(r->frameless_samples, r->samples_kept));
}

enum { ELSEWHERE_PERCENT_MIN = 5 };

static void advise_files(const struct adviser *a)
{
	const struct frame_account *f = a->account;
	uint64_t elsewhere = f->why[WHY_NO_FILE] + f->why[WHY_REFUSED];

	if (elsewhere * 100 >= f->frames * ELSEWHERE_PERCENT_MIN && elsewhere)
		put_advice(a,
			"%.0f%% of the frames are in files that are missing here or differ from "
			"the recorded ones: perfold info --symbols says how to get each; or make a "
			"pack on "
			"the recorded machine: perfold pack",
			run_summary_percent(elsewhere, f->frames));
}

static void advise_stripped(const struct adviser *a)
{
	uint32_t i;

	for (i = 0; i < a->report->n; i++) {
		const struct symbolize_module *m = &a->report->modules[i];
		const struct module *module = modules_get(a->recording->modules, m->module);

		if (module->kind == MODULE_FILE && m->runtime_path && !m->symbols_path &&
			m->sites > 4 && m->named * 2 < m->sites)
			put_advice(a,
				"%s is stripped: %" PRIu32 " of %" PRIu32
				" places in it have a name; install its debug symbols or give "
				"--debug-dir",
				strtab_str(a->recording->strings, module->path), m->named,
				m->sites);
	}
}

static void advise_events(const struct adviser *a)
{
	const struct recording *r = a->recording;
	uint32_t i;

	for (i = 0; i < r->n_events; i++)
		if (r->events[i].tracepoint && r->events[i].frequency_hz)
			put_advice(a,
				"%s was recorded with a frequency (-F), so hits are missing: give "
				"a frequency only to the clock: -e cpu-clock/freq=499/ -e %s",
				strtab_str(r->strings, r->events[i].name),
				strtab_str(r->strings, r->events[i].name));
}

void advice_report(const struct pipeline_result *r, size_t which,
	const struct frame_account *account, void (*put)(void *ctx, const char *line), void *ctx)
{
	struct adviser a = { r->recordings[which], &r->reports[which], account, put, ctx };

	advise_maps(&a);
	advise_kernel(&a);
	advise_callchains(&a);
	advise_leaves(&a);
	advise_files(&a);
	advise_stripped(&a);
	advise_events(&a);
}
