/*
 * --fail-if: rules (compare/gate.h) are applied to a difference (compare/verdict.h), and the
 * verdict goes to standard output, to --verdict files, each in the form of its suffix, and to
 * --summary.
 *
 * A comparison is judged by the difference between all recordings before and the one after; each of
 * those before is compared alone, too, as that shows how much costs vary from run to run. A single
 * result is a difference from nothing. A recording that is not fit (--require, --strict, no samples
 * at all) fails before any rule: the reasons are in the verdict, and the status is EXIT_QUALITY.
 */
#include "cli/gate_check.h"

#include "base/mem.h"
#include "cli/cli.h"
#include "cli/run_command.h"
#include "compare/verdict.h"
#include "model/headline.h"

#include <stdlib.h>

typedef void (*verdict_writer)(const struct verdict *v, struct sink *to);

/* Output of the verdict. */

static verdict_writer writer_for(const char *path)
{
	struct span s = span_of(path);

	if (span_ends(s, SPAN(".md")))
		return output_verdict_markdown;
	return span_ends(s, SPAN(".json")) ? output_verdict_json : output_verdict_text;
}

static int write_file(const struct verdict *v, const char *path, struct err *e)
{
	struct sink *to;

	if (sink_open(&to, path, SINK_PLAIN, e))
		return err_wrap(e, "--verdict");
	writer_for(path)(v, to);
	return sink_commit(to, e);
}

static int put_text(const struct verdict *v, verdict_writer write, FILE *to)
{
	struct buf text = { 0 };
	struct sink *sink = sink_to_buf(&text);
	struct err e = { 0 };
	int rc;

	write(v, sink);
	rc = sink_commit(sink, &e);
	if (!rc && fwrite(text.p, 1, text.n, to) != text.n)
		rc = ERR_IO;
	buf_release(&text);
	return rc;
}

/* The summary of a CI job is a file to which steps append: $GITHUB_STEP_SUMMARY. */
static int append_summary(const struct verdict *v, const char *path, struct err *e)
{
	FILE *f = fopen(path, "ae");
	int rc;

	if (!f) {
		err_errno(e, "--summary: %.500s", path);
		return err_of_output(e);
	}
	rc = put_text(v, output_verdict_markdown, f);
	if (fclose(f) || rc) {
		err_errno(e, "--summary: %.500s", path);
		return err_of_output(e);
	}
	return OK;
}

/* Files first, then standard output; standard error where that is for an output of diff, or for
 * JSON. */
static int write_all(const struct verdict *v, const struct options *o, struct err *e)
{
	bool aside;
	size_t i;

	for (i = 0; i < o->gate.verdicts.n; i++)
		if (write_file(v, o->gate.verdicts.item[i], e))
			return e->code;
	if (o->gate.summary && append_summary(v, o->gate.summary, e))
		return e->code;
	aside = (o->command == FOR_DIFF && o->n_outputs) || o->top.json;
	if (!aside || !o->quiet || v->n_failed)
		put_text(v, output_verdict_text, aside ? stderr : stdout);
	return run_command_flush(e);
}

/* Reasons why a recording is not fit to be judged. */

struct reasons {
	struct string_list strings; /* owned */
	const char *path;
};

static void add_reason(void *ctx, const char *line)
{
	struct reasons *r = ctx;
	struct buf text = { 0 };

	buf_printf(&text, "%s: %s", r->path, line);
	string_list_add(&r->strings, buf_str(&text));
}

static void find_reasons(
	struct reasons *to, const struct pipeline_result *r, const struct options *o)
{
	enum diag_kind which;

	to->path = r->n_recordings ? r->recordings[0]->path : "";
	/* Without samples no rule fails, but a build should not pass for that reason. */
	if (!profile_samples(r->by_name, 0).total)
		add_reason(to, "no samples");
	requirements_report(&o->requirements, r, add_reason, to);
	if (o->strict && diag_strict_failure(&r->diag, &which))
		add_reason(to, diag_message(&r->diag, which));
}

static void reasons_release(struct reasons *r)
{
	string_list_release_all(&r->strings);
}

/* The verdict. */

struct gate_result {
	struct verdict v;
	struct reasons reasons;
	struct headline headline; /* what is judged, for the heading of a report */
	struct buf subtitle;
	struct diff alone; /* of a single result */
	struct diff *each; /* of a comparison */
	const struct profile **bases;
	const char **names;
	size_t n_bases;
};

static void describe(struct gate_result *g, const struct headline_source *of)
{
	headline_make(&g->headline, of);
	headline_put_subtitle(&g->headline, 0, &g->subtitle);
	g->v.title = buf_str(&g->headline.title);
	g->v.subtitle = buf_str(&g->subtitle);
}

static void judge(struct gate_result *g, const struct options *o, const struct profile *p)
{
	const struct verdict_input in = { .p = p,
		.bases = g->bases,
		.n_bases = g->n_bases,
		.max_p_value = 1 - o->gate.confidence / 100,
		.variation = o->gate.variation / 100,
		.min_samples = o->gate.min_samples };

	verdict_make(&g->v, &o->gate.rules, &in);
	g->v.unfit = g->reasons.strings.item;
	g->v.n_unfit = g->reasons.strings.n;
	g->v.page_tokens = o->run.output.page_tokens;
}

/* Each recording before compared alone with the one after, with names matched as in the whole. */
static void compare_each(struct gate_result *g, const struct diff_run *c, const struct options *o)
{
	struct diff_opts opts = { .exact = o->diff.exact, .absolute = o->diff.absolute };
	size_t i;

	g->each = xcalloc(c->n_before, sizeof(*g->each));
	g->bases = xcalloc(c->n_before, sizeof(*g->bases));
	g->names = xcalloc(c->n_before, sizeof(*g->names));
	g->n_bases = c->n_before;
	for (i = 0; i < c->n_before; i++) {
		const struct profile *before = c->before[i].by_name;

		diff_make(&g->each[i], &before, 1, c->after.by_name, &opts);
		g->bases[i] = g->each[i].profile;
		g->names[i] = c->before[i].recordings[0]->path;
	}
}

struct gate_result *gate_check_diff(const struct diff_run *c, const struct options *o)
{
	struct gate_result *g;
	size_t i;

	if (!o->gate.rules.n)
		return NULL;
	g = xcalloc(1, sizeof(*g));
	compare_each(g, c, o);
	for (i = 0; i < c->n_before; i++)
		find_reasons(&g->reasons, &c->before[i], o);
	find_reasons(&g->reasons, &c->after, o);
	judge(g, o, c->diff.profile);
	g->v.before_names = g->names;
	g->v.after_name = c->after.recordings[0]->path;
	describe(g, &(struct headline_source){ .p = c->diff.profile,
			    .recordings = c->after.recordings,
			    .n_recordings = c->after.n_recordings,
			    .before = g->names,
			    .n_before = c->n_before });
	return g;
}

struct gate_result *gate_check_profile(const struct pipeline_result *r, const struct options *o)
{
	const struct diff_opts exact = { .exact = true };
	struct gate_result *g;

	if (!o->gate.rules.n)
		return NULL;
	g = xcalloc(1, sizeof(*g));
	/* A difference from nothing, as that counts samples like a comparison. */
	diff_make(&g->alone, NULL, 0, r->by_name, &exact);
	find_reasons(&g->reasons, r, o);
	judge(g, o, g->alone.profile);
	g->v.after_name = r->n_recordings ? r->recordings[0]->path : NULL;
	describe(g, &(struct headline_source){ .p = r->by_name,
			    .recordings = r->recordings,
			    .n_recordings = r->n_recordings });
	return g;
}

const struct verdict *gate_check_verdict(const struct gate_result *g)
{
	return g ? &g->v : NULL;
}

int gate_check_report(
	const struct gate_result *g, const struct options *o, int *status, struct err *e)
{
	if (!g)
		return OK;
	if (g->v.n_unfit)
		*status = EXIT_QUALITY;
	else if (g->v.n_failed)
		*status = EXIT_THRESHOLD;
	return write_all(&g->v, o, e);
}

void gate_check_free(struct gate_result *g)
{
	if (!g)
		return;
	headline_release(&g->headline);
	buf_release(&g->subtitle);
	verdict_release(&g->v);
	if (g->alone.profile)
		diff_release(&g->alone);
	while (g->n_bases)
		diff_release(&g->each[--g->n_bases]);
	reasons_release(&g->reasons);
	free(g->each);
	free(g->bases);
	free(g->names);
	free(g);
}
