/*
 * perfold filters: lists filter files, prints one, or shows what one does to a recording.
 *
 * --explain applies each rule alone, to each frame that the recording has, as a stack of that one
 * frame below an empty root. What a rule makes of a frame is what the next rule gets. A rule that
 * looks at several frames of a stack shows only what it does to a lone one.
 */
#include "cli/cli.h"
#include "cli/filter_dirs.h"
#include "cli/run_command.h"
#include "cli/run_summary.h"
#include "cli/terminal.h"

#include "base/mem.h"
#include "model/site_use.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

static const struct span suffix = { ".rules", 6 };

enum { FILTER_FILE_MAX = 1 << 20 };

/* Lists of files. */

/* The first line of a filter file is a comment that says what it does. */
static void print_entry(const char *dir, struct span file)
{
	char *path = xasprintf("%s/%.*s", dir, SPAN_ARG(file));
	struct buf text = { 0 };
	struct terminal_line shown = { 0 };
	struct span rest, line = { 0 };
	struct err e;

	if (!file_read_all(path, FILTER_FILE_MAX, &text, &e)) {
		rest = buf_span(&text);
		span_next_line(&rest, &line);
		while (line.n && line.p[0] == '#')
			line = span_skip(line, 1);
		line = span_trim(line);
		terminal_printf(
			&shown, "%-16.*s %.*s", (int)(file.n - suffix.n), file.p, SPAN_ARG(line));
		terminal_end_line(&shown);
		terminal_line_release(&shown);
	}
	buf_release(&text);
	free(path);
}

static bool in_earlier_dir(const struct filter_dirs *dirs, unsigned before, const char *name)
{
	unsigned i;

	for (i = 0; i < before; i++) {
		char *path = xasprintf("%s/%s", dirs->dir[i], name);
		bool there = access(path, R_OK) == 0;

		free(path);
		if (there)
			return true;
	}
	return false;
}

static void list_dir(const struct filter_dirs *dirs, unsigned which)
{
	struct dirent **entries;
	int n = scandir(dirs->dir[which], &entries, NULL, alphasort), i;

	for (i = 0; i < n; i++) {
		struct span name = span_of(entries[i]->d_name);

		if (span_ends(name, suffix) && !in_earlier_dir(dirs, which, entries[i]->d_name))
			print_entry(dirs->dir[which], name);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
}

static int list(const struct filter_dirs *dirs)
{
	unsigned i;

	for (i = 0; dirs->dir[i]; i++)
		list_dir(dirs, i);
	return OK;
}

static int print_file(const struct filter_dirs *dirs, const char *name, struct err *e)
{
	struct buf text = { 0 };
	unsigned i;

	for (i = 0; dirs->dir[i]; i++) {
		char *path = xasprintf("%s/%s%s", dirs->dir[i], name,
			span_ends(span_of(name), suffix) ? "" : ".rules");
		int rc = file_read_all(path, FILTER_FILE_MAX, &text, e);

		free(path);
		if (!rc) {
			fwrite(text.p, 1, text.n, stdout);
			buf_release(&text);
			return OK;
		}
		text.n = 0;
	}
	if (filter_nearest(dirs->dir, name, &text))
		err_set(e, ERR_USAGE, "no filter is called \"%.200s\"; did you mean %s?", name,
			buf_str(&text));
	else
		err_set(e, ERR_USAGE, "no filter is called \"%.200s\"; perfold filters lists them",
			name);
	buf_release(&text);
	return e->code;
}

/* --explain: one rule after another, on every frame of a recording. */

/* A single rule, to see what it does to a single frame. */
struct lone_rule {
	struct filter *filter;
	struct rewriter rewriter;
	void *worker;
};

struct explanation {
	const struct pipeline_result *result;
	uint64_t *samples; /* by frame: how many samples it is in */
	uint32_t n_frames;
};

static uint64_t *count_frames(const struct recording *r, uint32_t n_frames)
{
	uint64_t *of_site = site_use_count(r), *of_frame = xcalloc(n_frames, sizeof(*of_frame));
	uint32_t n, i;
	site_id id;

	for (id = 1; id < sites_count(r->sites); id++) {
		const frame_id *f = sites_frames(r->sites, id, &n);

		for (i = 0; i < n; i++)
			of_frame[f[i]] += of_site[id];
	}
	free(of_site);
	return of_frame;
}

static struct span frame_text(const struct frames *frames, frame_id id)
{
	struct span name = frames_name(frames, id);

	return name.n ? name : SPAN("[unknown]");
}

static void print_change(
	const struct frames *frames, uint64_t samples, frame_id before, const struct stack *after)
{
	static const struct terminal plain = { 0 };
	struct terminal_line line = { 0 };
	struct span to = after->dropped ? SPAN("(the stack is left out)")
			 : !after->n    ? SPAN("(dropped)")
					: frame_text(frames, after->frames[0]);

	terminal_printf(&line, "  %10" PRIu64 "  ", samples);
	terminal_put(&plain, &line, frame_text(frames, before), COLOUR_NONE, 0, 0);
	terminal_printf(&line, " -> ");
	terminal_put(&plain, &line, to, COLOUR_NONE, 0, 0);
	terminal_end_line(&line);
	terminal_line_release(&line);
}

static void print_rule(const char *place, const char *text)
{
	struct terminal_line line = { 0 };

	terminal_printf(&line, "%s: %s", place, text);
	terminal_end_line(&line);
	terminal_line_release(&line);
}

/* Applies a rule to every frame: now[] becomes what that makes of it, 0 where nothing is left. */
static void explain_rule(struct explanation *x, const char *place, const char *text, frame_id *now)
{
	static const char *const no_dirs[] = { NULL };
	static const struct root no_root = { .pid = -1, .tid = -1, .cpu = -1 };
	struct lone_rule rule = { .filter = filter_new(x->result->frames, no_dirs) };
	bool any = false;
	struct err e;
	uint32_t i;

	if (filter_add_rule(rule.filter, text, &e)) {
		filter_free(rule.filter);
		return;
	}
	rule.rewriter = filter_rewriter(rule.filter);
	rule.worker = rule.rewriter.worker_new(rule.rewriter.ctx);
	for (i = 1; i < x->n_frames; i++) {
		frame_id frame = now[i];
		struct stack s = { &frame, 1, &no_root, x->samples[i], x->samples[i], false };

		if (!frame || !x->samples[i])
			continue;
		rule.rewriter.apply(rule.worker, &s);
		if (!s.dropped && s.n && frame == now[i])
			continue;
		if (!any)
			print_rule(place, text);
		any = true;
		print_change(x->result->frames, x->samples[i], now[i], &s);
		now[i] = s.dropped || !s.n ? 0 : frame;
	}
	rule.rewriter.worker_merge(rule.rewriter.ctx, rule.worker);
	filter_free(rule.filter);
}

static void explain_all(struct pipeline_result *r)
{
	struct explanation x = { .result = r, .n_frames = frames_count(r->frames) };
	frame_id *now = xcalloc(x.n_frames, sizeof(*now));
	uint32_t i;

	x.samples = count_frames(r->recordings[0], x.n_frames);
	for (i = 0; i < x.n_frames; i++)
		now[i] = i;
	for (i = 0; i < filter_rule_count(r->filter); i++) {
		struct filter_rule_use u = filter_rule_use(r->filter, i);

		explain_rule(&x, u.place, u.text, now);
	}
	free(now);
	free(x.samples);
}

static int explain(struct options *o, struct err *e)
{
	struct pipeline_result result;
	int rc;

	if (o->inputs.n != 1)
		return err_set(e, ERR_USAGE, "--explain needs a filter's name and one recording");
	o->run.n_outputs = 0;
	rc = run_command_pipeline(o, &result, e);
	if (!rc)
		explain_all(&result);
	pipeline_release(&result);
	return rc;
}

static int run_filters(struct options *o, int *status, struct err *e)
{
	struct filter_dirs dirs;
	int rc;

	(void)status;
	if (o->explain)
		return explain(o, e);
	filter_dirs_init(&dirs, !o->run.files.no_system);
	rc = o->default_input ? list(&dirs) : print_file(&dirs, o->inputs.item[0], e);
	filter_dirs_release(&dirs);
	return rc;
}

int cmd_filters(int argc, char **argv, int *status, struct err *e)
{
	return run_command(FOR_FILTERS, (struct command_line){ argc, argv },
		"perfold filters [NAME]\n"
		"perfold filters --explain NAME INPUT\n\n"
		"Lists the filter files, prints one, or shows which frames of a recording each of\n"
		"its rules changes.",
		run_filters, status, e);
}
