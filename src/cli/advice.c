#include "cli/advice.h"

#include "base/mem.h"

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

static void say(const struct adviser *a, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
static void say(const struct adviser *a, const char *fmt, ...)
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

		if (p->generated_code && !p->perf_map && p->samples &&
			(a->account->why[WHY_NO_JIT_MAP] || a->account->why[WHY_NO_SYMBOL]))
			say(a,
				"process %" PRId32
				" (%s) runs generated code and no map of it is here: copy "
				"/tmp/perf-%" PRId32
				".map beside the recording, or name it by --perf-map (Node.js "
				"writes it with --perf-basic-prof)",
				p->pid, strtab_str(r->strings, p->name), p->pid);
	}
}

static void advise_kernel(const struct adviser *a)
{
	if (a->recording->facts.kernel_hidden)
		say(a, "kernel addresses were hidden while recording: record as root, or with "
		       "sysctl kernel.kptr_restrict=0");
	else if (a->account->why[WHY_NO_KALLSYMS])
		say(a, "kernel frames have no names: copy /proc/kallsyms (as root) of the recorded "
		       "machine beside the recording as \"kallsyms\", or name it by --kallsyms");
}

static void advise_callchains(const struct adviser *a)
{
	const struct recording *r = a->recording;

	if (!r->facts.has_callchains && r->samples_read)
		say(a, "the recording has no call chains: record with perf record -g");
	else if (r->samples_kept && a->account->frames < 3 * r->samples_kept &&
		 !r->facts.exclude_kernel)
		say(a, "stacks are short (%.1f frames): the program may be built without frame "
		       "pointers; build with -fno-omit-frame-pointer, or record with "
		       "--call-graph dwarf",
			(double)a->account->frames / (double)r->samples_kept);
}

static void advise_stripped(const struct adviser *a)
{
	uint32_t i;

	for (i = 0; i < a->report->n; i++) {
		const struct symbolize_module *m = &a->report->modules[i];
		const struct module *module = modules_get(a->recording->modules, m->module);

		if (module->kind == MODULE_FILE && m->runtime_path && !m->symbols_path &&
			m->sites > 4 && m->named * 2 < m->sites)
			say(a,
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
			say(a,
				"%s was recorded with a frequency (-F), so hits were left out: "
				"give -F to the clock alone: -e cpu-clock/freq=499/ -e %s",
				strtab_str(r->strings, r->events[i].name),
				strtab_str(r->strings, r->events[i].name));
}

void advice_give(const struct pipeline_result *r, size_t which, const struct frame_account *account,
	void (*put)(void *ctx, const char *line), void *ctx)
{
	struct adviser a = { r->recordings[which], &r->reports[which], account, put, ctx };

	advise_maps(&a);
	advise_kernel(&a);
	advise_callchains(&a);
	advise_stripped(&a);
	advise_events(&a);
}
