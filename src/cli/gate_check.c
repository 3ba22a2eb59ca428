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

	if (!f)
		return err_errno(e, "--summary: %.500s", path);
	rc = put_text(v, output_verdict_markdown, f);
	if (fclose(f) || rc)
		return err_errno(e, "--summary: %.500s", path);
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

static int judge(struct verdict *v, const struct reasons *reasons, const struct options *o,
	int *status, struct err *e)
{
	v->unfit = reasons->strings.item;
	v->n_unfit = reasons->strings.n;
	if (v->n_unfit)
		*status = EXIT_QUALITY;
	else if (v->n_failed)
		*status = EXIT_THRESHOLD;
	return write_all(v, o, e);
}

/* What is judged, for the heading of a report. */
struct judged {
	struct headline headline;
	struct buf subtitle;
};

static void describe(struct judged *j, struct verdict *v, const struct headline_source *of)
{
	j->subtitle = (struct buf){ 0 };
	headline_make(&j->headline, of);
	headline_put_subtitle(&j->headline, 0, &j->subtitle);
	v->title = buf_str(&j->headline.title);
	v->subtitle = buf_str(&j->subtitle);
}

static void judged_release(struct judged *j)
{
	headline_release(&j->headline);
	buf_release(&j->subtitle);
}

static struct verdict_input input_of(const struct options *o, const struct profile *p)
{
	return (struct verdict_input){ .p = p,
		.max_p_value = 1 - o->gate.confidence / 100,
		.variation = o->gate.variation / 100,
		.min_samples = o->gate.min_samples };
}

/* Each recording before compared alone with the one after, with names matched as in the whole. */
static struct diff *compare_each(const struct diff_run *c, const struct options *o)
{
	struct diff_opts opts = { .exact = o->diff.exact, .absolute = o->diff.absolute };
	struct diff *each = xcalloc(c->n_before, sizeof(*each));
	size_t i;

	for (i = 0; i < c->n_before; i++) {
		const struct profile *before = c->before[i].by_name;

		diff_make(&each[i], &before, 1, c->after.by_name, &opts);
	}
	return each;
}

int gate_check_diff(const struct diff_run *c, const struct options *o, int *status, struct err *e)
{
	struct verdict_input in = input_of(o, c->diff.profile);
	const struct profile **bases;
	struct reasons reasons = { 0 };
	struct judged judged;
	const char **names;
	struct verdict v;
	struct diff *each;
	size_t i;
	int rc;

	if (!o->gate.rules.n)
		return OK;
	each = compare_each(c, o);
	bases = xcalloc(c->n_before, sizeof(*bases));
	names = xcalloc(c->n_before, sizeof(*names));
	for (i = 0; i < c->n_before; i++) {
		bases[i] = each[i].profile;
		names[i] = c->before[i].recordings[0]->path;
		find_reasons(&reasons, &c->before[i], o);
	}
	find_reasons(&reasons, &c->after, o);
	in.bases = bases;
	in.n_bases = c->n_before;
	verdict_make(&v, &o->gate.rules, &in);
	v.before_names = names;
	v.after_name = c->after.recordings[0]->path;
	describe(&judged, &v,
		&(struct headline_source){ .p = c->diff.profile,
			.recordings = c->after.recordings,
			.n_recordings = c->after.n_recordings,
			.before = names,
			.n_before = c->n_before });
	rc = judge(&v, &reasons, o, status, e);
	judged_release(&judged);
	verdict_release(&v);
	for (i = 0; i < c->n_before; i++)
		diff_release(&each[i]);
	reasons_release(&reasons);
	free(each);
	free(bases);
	free(names);
	return rc;
}

int gate_check_profile(
	const struct pipeline_result *r, const struct options *o, int *status, struct err *e)
{
	const struct diff_opts exact = { .exact = true };
	struct reasons reasons = { 0 };
	struct verdict_input in;
	struct judged judged;
	struct verdict v;
	struct diff alone; /* a difference from nothing, as that counts samples like a comparison */
	int rc;

	if (!o->gate.rules.n)
		return OK;
	diff_make(&alone, NULL, 0, r->by_name, &exact);
	in = input_of(o, alone.profile);
	find_reasons(&reasons, r, o);
	verdict_make(&v, &o->gate.rules, &in);
	v.after_name = r->n_recordings ? r->recordings[0]->path : NULL;
	describe(&judged, &v,
		&(struct headline_source){ .p = r->by_name,
			.recordings = r->recordings,
			.n_recordings = r->n_recordings });
	rc = judge(&v, &reasons, o, status, e);
	judged_release(&judged);
	verdict_release(&v);
	diff_release(&alone);
	reasons_release(&reasons);
	return rc;
}
