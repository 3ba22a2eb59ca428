/*
 * JIT code without a name, by process: its map is missing, or names other code.
 *
 * Each process with JIT code has modules of its own (module.owner_pid), so one pass over the sites
 * gives the frames of each module, and with them those of each process. It is made only if the
 * account of the recording has such frames at all.
 *
 * Texts do not say which process a map belongs to, but their modules do: perf-PID.map. For them,
 * and for sums, the line says which file in general.
 */
#include "cli/jit_advice.h"

#include "base/buf.h"
#include "base/mem.h"
#include "model/names/module_name.h"
#include "model/site_use.h"

#include <inttypes.h>
#include <stdlib.h>

/* Of the frames of a recording; and of the JIT frames of a process, below that. */
enum { NEEDED_PERCENT = 5, LACKS_PERCENT_MAX = 20 };

struct jit_use {
	uint64_t all, unnamed; /* frames in JIT code */
};

struct jit_share {
	const struct process_use *p;
	struct jit_use use;
};

static const struct frame *site_frame(const struct recording *r, site_id id)
{
	uint32_t n;
	const frame_id *f = sites_frames(r->sites, id, &n);

	return n ? frames_get(r->frames, f[0]) : NULL;
}

static uint64_t count_in_text(const struct recording *r)
{
	uint64_t *samples = site_use_count(r), n = 0;
	site_id id;

	for (id = 1; id < sites_count(r->sites); id++) {
		const struct frame *f = site_frame(r, id);

		if (f && f->why == WHY_IN_TEXT &&
			module_name_kind(strtab_get(r->strings, f->module)) == FRAME_JIT)
			n += samples[id];
	}
	free(samples);
	return n;
}

uint64_t jit_advice_unnamed(const struct recording *r, const struct frame_account *a)
{
	uint64_t n = a->why[WHY_NO_JIT_MAP] + a->why[WHY_NOT_IN_MAP];

	return jit_advice_is_needed(a->why[WHY_IN_TEXT], a) ? n + count_in_text(r) : n;
}

bool jit_advice_is_needed(uint64_t unnamed, const struct frame_account *a)
{
	return 100.0 * (double)unnamed > NEEDED_PERCENT * (double)a->frames;
}

/* In the order of r->processes. */
static struct jit_use *count_by_process(const struct recording *r)
{
	struct jit_use *use = xcalloc((size_t)r->n_processes + 1, sizeof(*use));
	uint64_t *samples = site_use_count(r);
	site_id id;

	for (id = 1; id < sites_count(r->sites); id++) {
		const struct module *module =
			modules_get(r->modules, sites_get(r->sites, id)->module);
		const struct frame *f = site_frame(r, id);
		const struct process_use *p = f && module->kind == MODULE_JIT
						      ? recording_process(r, module->owner_pid)
						      : NULL;

		if (!p)
			continue;
		use[p - r->processes].all += samples[id];
		if (f->why == WHY_NOT_IN_MAP || f->why == WHY_NO_JIT_MAP)
			use[p - r->processes].unnamed += samples[id];
	}
	free(samples);
	return use;
}

static int most_unnamed_first(const void *pa, const void *pb)
{
	const struct jit_share *a = pa, *b = pb;

	if (a->use.unnamed != b->use.unnamed)
		return a->use.unnamed < b->use.unnamed ? 1 : -1;
	return a->p->pid < b->p->pid ? -1 : a->p->pid > b->p->pid;
}

static char *no_map(const struct recording *r, const struct process_use *p)
{
	const char *name = strtab_str(r->strings, p->name);

	if (p->map_refused)
		return xasprintf("the JIT code of process %" PRId32 " (%s) has no names: %s",
			p->pid, name, strtab_str(r->strings, p->map_refused));
	if (p->map_too_old)
		return xasprintf("/tmp/perf-%" PRId32 ".map is older than process %" PRId32
				 " (%s): another process with that PID wrote it",
			p->pid, p->pid, name);
	if (p->ambiguous)
		return xasprintf("several maps fit process %" PRId32
				 " (%s) equally well: name the right one with --perf-map %" PRId32
				 "=FILE or --jitdump %" PRId32 "=FILE",
			p->pid, name, p->pid, p->pid);
	return xasprintf(
		"process %" PRId32 " (%s) ran JIT code, and its map is missing: copy "
		"/tmp/perf-%" PRId32
		".map from the machine that was recorded beside the recording, or name it "
		"with --perf-map (in a container its name has the PID inside the container; "
		"a process writes it only if told to: node --perf-basic-prof; others: man "
		"perfold-languages)",
		p->pid, name, p->pid);
}

static char *wrong_map(const struct recording *r, const struct jit_share *j)
{
	const struct process_use *p = j->p;
	const char *name = strtab_str(r->strings, p->name);
	double percent = run_summary_percent(j->use.unnamed, j->use.all);

	if (p->jitdump)
		return xasprintf("%s lacks %.0f%% of the JIT code that process %" PRId32
				 " (%s) ran: if another process wrote it, copy jit-%" PRId32
				 ".dump from the machine that was recorded beside the recording, "
				 "or name it with --jitdump",
			strtab_str(r->strings, p->jitdump), percent, p->pid, name, p->pid);
	return xasprintf(
		"%s lacks %.0f%% of the JIT code that process %" PRId32
		" (%s) ran: if another process wrote it, copy /tmp/perf-%" PRId32
		".map from the machine that was recorded beside the recording, or name it "
		"with --perf-map; Node.js 12 to 18 start their map anew with each worker "
		"thread: use a jitdump (--perf-prof, and perf record -k mono), or Node.js 20",
		strtab_str(r->strings, p->perf_map), percent, p->pid, name, p->pid);
}

static void put_process(const struct recording *r, const struct jit_share *j,
	void (*put)(void *ctx, const char *line), void *ctx)
{
	char *line = j->p->perf_map || j->p->jitdump ? wrong_map(r, j) : no_map(r, j->p);

	put(ctx, line);
	free(line);
}

/* The processes to be listed. A few addresses outside of a map are normal, unless they count for
 * much in the recording as a whole. */
static uint32_t choose_processes(
	const struct recording *r, const struct frame_account *a, struct jit_share *chosen)
{
	uint64_t unnamed = a->why[WHY_NO_JIT_MAP] + a->why[WHY_NOT_IN_MAP];
	const double least = jit_advice_is_needed(unnamed, a) ? 0 : LACKS_PERCENT_MAX;
	struct jit_use *uses;
	uint32_t i, n = 0;

	if (!unnamed)
		return 0;
	uses = count_by_process(r);
	for (i = 0; i < r->n_processes; i++) {
		const struct process_use *p = &r->processes[i];
		const struct jit_use use = uses[i];

		if (!p->generated_code || !p->samples)
			continue;
		if (use.unnamed && ((!p->perf_map && !p->jitdump) ||
					   100.0 * (double)use.unnamed > least * (double)use.all))
			chosen[n++] = (struct jit_share){ p, use };
	}
	free(uses);
	return n;
}

void jit_advice_report(const struct recording *r, const struct frame_account *a, uint32_t most,
	void (*put)(void *ctx, const char *line), void *ctx)
{
	struct jit_share *chosen = xcalloc((size_t)r->n_processes + 1, sizeof(*chosen));
	uint32_t n = choose_processes(r, a, chosen), i;

	if (n)
		qsort(chosen, n, sizeof(*chosen), most_unnamed_first);
	for (i = 0; i < n && i < most; i++)
		put_process(r, &chosen[i], put, ctx);
	if (n > most) {
		char *line = xasprintf("%" PRIu32 " more processes need their maps: perfold info "
				       "lists them",
			n - most);

		put(ctx, line);
		free(line);
	}
	if (!n && !r->n_processes && jit_advice_is_needed(jit_advice_unnamed(r, a), a))
		put(ctx, "the stacks were made without the maps of JIT code: make them again with "
			 "each /tmp/perf-PID.map of the machine that was recorded");
	free(chosen);
}
