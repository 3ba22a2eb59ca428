/*
 * The modules of a recording, with the largest share of frames first. symbolize/ reports what it
 * did for each module: the files it found and tried, and why names are missing. Here sites are
 * counted by samples (model/site_use.h) to get the shares, since the report counts distinct sites
 * only. Generated code has no entry in the report, so it gets one when its first site is counted.
 */
#include "cli/module_list.h"

#include "base/counted.h"
#include "base/mem.h"
#include "cli/run_summary.h"
#include "model/site_use.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SHOWN_PER_MILLE = 1 };

struct module_row {
	const struct symbolize_module *m;
	const struct module *module;
	module_id id;
	uint64_t frames, named; /* in all stacks */
};

struct module_listing {
	const struct recording *r;
	struct module_row *entry;
	uint32_t n;
	uint64_t frames;
	struct buf line;
	void (*put)(void *ctx, const char *line);
	void *ctx;
};

/* Puts the line that was built, and clears it. */
static void put_line(struct module_listing *l)
{
	l->put(l->ctx, buf_str(&l->line));
	l->line.n = 0;
}

/* The share of each module. */

static struct module_row *add_entry(
	struct module_listing *l, module_id id, const struct symbolize_module *m)
{
	struct module_row *e = &l->entry[l->n++];

	e->m = m;
	e->id = id;
	e->module = id ? modules_get(l->r->modules, id) : NULL;
	return e;
}

/* The report of generated code: names are from a map or a dump, so no file was needed. */
static const struct symbolize_module generated = { .why = WHY_HAS_NAME };

static void count_site(
	struct module_listing *l, struct module_row **of_module, site_id id, uint64_t samples)
{
	module_id module = sites_get(l->r->sites, id)->module;
	struct module_row *e = of_module[module];
	uint32_t n, i;
	const frame_id *f = sites_frames(l->r->sites, id, &n);

	/* [truncated] is at no address. */
	if (!n || !samples || frames_get(l->r->frames, f[0])->kind == FRAME_LABEL)
		return;
	if (!e)
		e = of_module[module] = add_entry(l, module, &generated);
	e->frames += n * samples;
	l->frames += n * samples;
	for (i = 0; i < n; i++)
		if (frames_get(l->r->frames, f[i])->why == WHY_HAS_NAME)
			e->named += samples;
}

static void count(struct module_listing *l, const struct symbolize_report *rep)
{
	struct module_row **of_module =
		xcalloc(modules_count(l->r->modules) + 1, sizeof(*of_module));
	uint64_t *samples = site_use_count(l->r);
	site_id id;
	uint32_t i;

	l->entry = xcalloc(modules_count(l->r->modules) + 1, sizeof(*l->entry));
	for (i = 0; i < rep->n; i++)
		of_module[rep->modules[i].module] =
			add_entry(l, rep->modules[i].module, &rep->modules[i]);
	for (id = 1; id < sites_count(l->r->sites); id++)
		count_site(l, of_module, id, samples[id]);
	free(samples);
	free(of_module);
}

static int by_share(const void *pa, const void *pb)
{
	const struct module_row *a = pa, *b = pb;

	if (a->frames != b->frames)
		return a->frames > b->frames ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

/* Help to get names. */

static bool lacks_symbols(const struct module_row *e)
{
	return e->m->sites > 4 && e->m->named * 2 < e->m->sites;
}

/* A file that was deleted, or never had a name, can be copied only while it is mapped. */
static void put_copy_help(struct module_listing *l, struct span path, const char *id)
{
	struct span mark = SPAN(" (deleted)");
	bool deleted = span_ends(path, mark), gone = deleted || span_starts(path, SPAN("/memfd:"));
	int n;

	if (gone && !*id)
		return; /* no copy could be proved to be that file */
	if (deleted)
		path.n -= mark.n;
	n = (int)path.n;
	buf_puts(&l->line, "           to get it: copy ");
	if (gone)
		buf_puts(&l->line, "/proc/PID/map_files/.. of the running process");
	else
		buf_printf(&l->line, "%.*s", n, path.p);
	buf_printf(&l->line, " from the recorded machine to DIR%.*s and give --symfs DIR%s%s", n,
		path.p, *id ? "; or give --debuginfod: build-id " : "", id);
}

/* Puts what a user can do to get the names of a file, if any are missing. */
static void put_help(struct module_listing *l, const struct module_row *e)
{
	bool is_file = e->module->kind == MODULE_FILE;
	char id[41] = "";

	if (e->module->build_id.n)
		build_id_hex(&e->module->build_id, id);
	if ((e->m->why == WHY_NO_FILE || e->m->why == WHY_REFUSED) && is_file)
		put_copy_help(l, strtab_get(l->r->strings, e->module->path), id);
	else if (e->m->why == WHY_NO_FILE && e->module->kind == MODULE_VDSO)
		buf_puts(&l->line,
			"           to get it: run perf archive on the recorded machine, "
			"give --debug-dir");
	else if (e->m->why == WHY_NO_KALLSYMS)
		buf_puts(&l->line,
			"           to get it: copy /proc/kallsyms of the recorded machine "
			"as root, give --kallsyms FILE");
	else if (e->m->why == WHY_HAS_NAME && is_file && lacks_symbols(e))
		buf_printf(&l->line,
			"           stripped: to name the rest, give debug symbols by "
			"--debug-dir%s%s",
			*id ? " or --debuginfod: build-id " : "", id);
	if (l->line.n)
		put_line(l);
}

/* The lines of a module. */

static void put_summary(struct module_listing *l, const struct module_row *e)
{
	char id[41];

	buf_printf(&l->line, "%5.1f%%  %s", run_summary_percent(e->frames, l->frames),
		e->module ? strtab_str(l->r->strings, e->module->shown) : "[nothing mapped]");
	if (e->module && e->module->build_id.n)
		buf_printf(&l->line, " %s", build_id_hex(&e->module->build_id, id));
	buf_printf(&l->line, ": %.1f%% named", run_summary_percent(e->named, e->frames));
	if (e->m->why != WHY_HAS_NAME && e->module)
		buf_printf(&l->line, ": %s", run_summary_why(e->m->why));
	else if (e->m->dwarf_path)
		buf_puts(&l->line, ", with inlined functions");
	put_line(l);
}

static void put_found(struct module_listing *l, const char *what, const char *path)
{
	if (!path)
		return;
	buf_printf(&l->line, "           %s: %s", what, path);
	put_line(l);
}

static void put_shared(struct module_listing *l, const struct module_row *e)
{
	if (!e->m->shared || e->module->kind != MODULE_FILE)
		return;
	buf_printf(&l->line,
		"           %" PRIu32 " %s in code that has the names of several functions: debug "
		"information would say which one was compiled",
		e->m->shared, counted(e->m->shared, "place", "places"));
	put_line(l);
}

static void put_details(struct module_listing *l, const struct module_row *e)
{
	uint32_t i;

	buf_printf(&l->line, "           %" PRIu32 " %s, %" PRIu32 " named", e->m->sites,
		counted(e->m->sites, "place", "places"), e->m->named);
	put_line(l);
	put_shared(l, e);
	put_found(l, "file", e->m->runtime_path);
	put_found(l, "symbols", e->m->symbols_path);
	put_found(l, "inlined functions and lines", e->m->dwarf_path);
	put_found(l, "package of its .dwo files", e->m->package_path);
	for (i = 0; i < e->m->trail.n; i++) {
		if (e->m->trail.step[i].verdict == FILES_USED)
			continue;
		buf_puts(&l->line, "           tried: ");
		files_step_put(&l->line, &e->m->trail.step[i], &e->module->build_id);
		put_line(l);
	}
	put_help(l, e);
}

/* A refused file is worth a line even in the short form. */
static void put_refusal(struct module_listing *l, const struct module_row *e)
{
	const struct files_step *s = files_trail_refusal(&e->m->trail);

	if (e->m->why != WHY_REFUSED || !s)
		return;
	buf_puts(&l->line, "           ");
	files_step_put(&l->line, s, &e->module->build_id);
	put_line(l);
}

void module_list_report(const struct recording *r, const struct symbolize_report *rep, bool all,
	void (*put)(void *ctx, const char *line), void *ctx)
{
	struct module_listing l = { .r = r, .put = put, .ctx = ctx };
	uint32_t i;

	count(&l, rep);
	qsort(l.entry, l.n, sizeof(*l.entry), by_share);
	for (i = 0; i < l.n; i++) {
		const struct module_row *e = &l.entry[i];

		if (!all && e->frames * 1000 < l.frames * SHOWN_PER_MILLE)
			break;
		put_summary(&l, e);
		if (all && e->module)
			put_details(&l, e);
		else if (e->module)
			put_refusal(&l, e);
	}
	if (i < l.n) {
		buf_printf(&l.line,
			"and %" PRIu32 " with less than 0.1%% each; --symbols lists all", l.n - i);
		put_line(&l);
	}
	free(l.entry);
	buf_release(&l.line);
}
