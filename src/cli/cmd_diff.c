/*
 * perfold diff: what changed from one recording, or several, to another.
 *
 * Each side is a pipeline run of its own, with no outputs, that shares the strings and frames of
 * the first one, so that a frame_id means the same function everywhere. collapse/diff.c then makes
 * one profile that has both weights in each node, and outputs get that in place of the profile
 * after. Without -o the functions that changed are a table (diff_table.c). --fail-if judges the
 * result last (gate_check.c).
 *
 * One input is compared with itself if there is an option that chooses among its samples: the side
 * before has those that the option does not choose.
 *
 * Costs: one run for each recording; all results stay in memory until the end.
 */
#include "cli/diff_table.h"

#include "base/chars.h"
#include "base/mem.h"
#include "base/shell.h"
#include "base/utf8.h"
#include "cli/cli.h"
#include "cli/file_args.h"
#include "cli/gate_check.h"
#include "cli/run_command.h"
#include "cli/run_summary.h"

#include <stdlib.h>

/* Both sides of the comparison. */

/* The inputs before are those of --base and all arguments but the last. */
static size_t count_before(const struct options *o)
{
	return o->diff.bases.n + o->inputs.n - 1;
}

static const char *input_before(const struct options *o, size_t i)
{
	return i < o->diff.bases.n ? o->diff.bases.item[i] : o->inputs.item[i - o->diff.bases.n];
}

/* The options that one input can be compared with itself by. */
static bool is_given(const struct options *o, enum choice_part part)
{
	const struct sample_choice *c = &o->choice;

	switch (part) {
	case CHOICE_DURING:
		return o->during.n_conditions;
	case CHOICE_TIME:
		return c->from.how != TIME_OPEN || c->to.how != TIME_OPEN;
	case CHOICE_COMM:
		return c->comm;
	case CHOICE_PROCESS:
		return c->process;
	case CHOICE_CGROUP:
		return c->cgroup;
	case CHOICE_CPU:
		return c->cpus.n;
	case CHOICE_PID:
		return c->pids.n;
	case CHOICE_TID:
		return c->tids.n;
	case CHOICE_NONE:
		break;
	}
	return false;
}

static struct span name_of(enum choice_part part)
{
	struct span rest = span_of(CHOICE_WORDS), word;
	unsigned i;

	for (i = CHOICE_NONE + 1;; i++) {
		word = (struct span){ rest.p, strcspn(rest.p, " ") };
		if (i == part)
			return word;
		rest = span_skip(rest, word.n + 1);
	}
}

/* Of several options, the one that is turned around must be named, or is --during. */
static int choose_outside(struct options *o, struct err *e)
{
	enum choice_part part, found = CHOICE_NONE;

	if (o->diff.outside && !is_given(o, o->diff.outside))
		return err_set(e, ERR_USAGE, "--outside %.*s needs the option --%.*s",
			SPAN_ARG(name_of(o->diff.outside)), SPAN_ARG(name_of(o->diff.outside)));
	if (o->diff.outside)
		return OK;
	for (part = CHOICE_NONE + 1; part <= CHOICE_TID; part++) {
		if (!is_given(o, part) || found == CHOICE_DURING)
			continue;
		if (found)
			return err_set(e, ERR_USAGE,
				"one input: is it to be compared with what is outside of --%.*s, "
				"or of --%.*s? Give --outside",
				SPAN_ARG(name_of(found)), SPAN_ARG(name_of(part)));
		found = part;
	}
	o->diff.outside = found;
	return OK;
}

static int wrong_number(size_t wanted, struct err *e)
{
	return err_set(e, ERR_USAGE,
		wanted == 2
			? "diff needs two inputs: BEFORE AFTER; or one, and an option that chooses "
			  "some of its samples, such as --during or --comm"
			: "with --base, diff needs one more input: AFTER");
}

static int check_inputs(struct options *o, struct err *e)
{
	size_t wanted = o->diff.bases.n ? 1 : 2;

	if (wanted == 2 && o->inputs.n == 1) {
		if (choose_outside(o, e))
			return e->code;
		if (!o->diff.outside)
			return wrong_number(wanted, e);
		if (strcmp(o->inputs.item[0], "-") == 0)
			return err_set(e, ERR_USAGE,
				"standard input cannot be read twice, to compare it with itself");
		string_list_add(&o->inputs, o->inputs.item[0]);
		return OK;
	}
	if (o->diff.outside)
		return err_set(e, ERR_USAGE, "--outside compares one input with itself");
	if (o->default_input || o->inputs.n != wanted)
		return wrong_number(wanted, e);
	return file_args_check_stdin(o, e);
}

static int read_side(struct options *o, const char *input, struct pipeline_result *r, struct err *e)
{
	const char *inputs[] = { input, NULL };
	int rc;

	o->run.inputs = inputs;
	o->run.n_inputs = 1;
	rc = run_command_pipeline(o, r, e);
	o->run.inputs = NULL;
	o->run.n_inputs = 0;
	return rc;
}

/* Any shares of totals can be compared; weights as they are must count the same thing. */
static int check_units(const struct diff_run *c, const struct options *o, struct err *e)
{
	const struct profile *after = c->after.by_name;
	size_t i;

	for (i = 0; i < c->n_before; i++) {
		const struct profile *before = c->before[i].by_name;
		bool shared = c->n_before > 1 && before->unit != c->before[0].by_name->unit;

		if (!shared && (!o->diff.absolute || before->unit == after->unit))
			continue;
		return err_set(e, ERR_USAGE,
			"%s counts %s, %s counts %s: use --event or --weight samples",
			input_before(o, i), strtab_str(before->strings, before->unit),
			shared ? input_before(o, 0) : o->inputs.item[o->inputs.n - 1],
			shared ? strtab_str(before->strings, c->before[0].by_name->unit)
			       : strtab_str(after->strings, after->unit));
	}
	return OK;
}

static void compare(struct diff_run *c, const struct options *o)
{
	const struct profile **before = xcalloc(c->n_before, sizeof(*before));
	/* In one recording a name means one thing. */
	struct diff_opts opts = { .exact = o->diff.exact || o->diff.outside,
		.absolute = o->diff.absolute,
		.max_p_value = 1 - o->diff.confidence / 100 };
	size_t i;

	for (i = 0; i < c->n_before; i++)
		before[i] = c->before[i].by_name;
	diff_make(&c->diff, before, c->n_before, c->after.by_name, &opts);
	free(before);
}

/* What a reader sees as the paths of both sides. */
static void name_sides(struct diff_run *c, const struct options *o)
{
	const char *path = o->inputs.item[0];
	struct span option = name_of(o->diff.outside);
	const char *condition = "";

	if (o->during.n_conditions == 1 && o->diff.outside == CHOICE_DURING)
		condition = o->during.conditions[0].text;
	c->outside = xasprintf("%s outside of --%.*s%s%s", path, SPAN_ARG(option),
		*condition ? " " : "", condition);
	c->inside = xasprintf("%s inside", path);
	c->before[0].recordings[0]->path = c->outside;
	c->after.recordings[0]->path = c->inside;
}

static int read_sides(struct diff_run *c, struct options *o, struct err *e)
{
	struct pipeline_opts opts = o->run;
	size_t i, n = count_before(o);
	int rc = OK;

	*c = (struct diff_run){ .before = xcalloc(n, sizeof(*c->before)) };
	o->run.n_outputs = 0;
	o->run.needs = OUTPUT_BY_NAME;
	/* A branch that is small on one side only would show as a difference. */
	o->run.collapse.min_percent = 0;
	for (i = 0; i < n && !rc; i++) {
		o->run.share = i ? &c->before[0] : NULL;
		o->choice.outside = o->diff.outside;
		rc = read_side(o, input_before(o, i), &c->before[i], e);
		c->n_before++;
	}
	o->run.share = &c->before[0];
	o->choice.outside = CHOICE_NONE;
	if (!rc)
		rc = read_side(o, o->inputs.item[o->inputs.n - 1], &c->after, e);
	o->run = opts;
	if (!rc)
		rc = check_units(c, o, e);
	if (!rc && o->diff.outside)
		name_sides(c, o);
	if (!rc)
		compare(c, o);
	return rc;
}

static void release_sides(struct diff_run *c)
{
	gate_check_free(c->judged);
	diff_release(&c->diff);
	/* The first result has the strings and frames of all, so it goes last. */
	pipeline_release(&c->after);
	while (c->n_before)
		pipeline_release(&c->before[--c->n_before]);
	free(c->before);
	free(c->outside);
	free(c->inside);
}

/* Notes on standard error. */

static void note_unless_quiet(const struct options *o, struct buf *line)
{
	if (!o->quiet)
		message("%s", buf_str(line));
}

static void put_name(struct buf *b, const struct diff_run *c, frame_id frame)
{
	if (frame)
		profile_put_name(c->diff.profile, frame, b);
	else
		buf_puts(b, "the root");
}

static void note_matches(const struct diff_run *c, const struct options *o)
{
	const struct diff *d = &c->diff;
	struct buf line = { 0 };
	size_t i;

	if (!d->n_alike && !d->n_skipped)
		return;
	buf_printf(&line, "names matched with others: %zu; frames matched as inlined: %zu%s",
		d->n_alike, d->n_skipped, o->verbose ? "" : " (-v lists them)");
	note_unless_quiet(o, &line);
	for (i = 0; i < d->n_alike && o->verbose; i++) {
		line.n = 0;
		buf_puts(&line, d->alike[i].before ? "before, " : "after, ");
		put_name(&line, c, d->alike[i].frame);
		buf_puts(&line, " is matched with ");
		put_name(&line, c, d->alike[i].as);
		note_unless_quiet(o, &line);
	}
	for (i = 0; i < d->n_skipped && o->verbose; i++) {
		line.n = 0;
		put_name(&line, c, d->skipped[i].frame);
		buf_puts(&line, d->skipped[i].before ? " counts as inlined after, into "
						     : " counts as inlined before, into ");
		put_name(&line, c, d->skipped[i].caller);
		note_unless_quiet(o, &line);
	}
	buf_release(&line);
}

/* Paths whose files may be others are not matched: a rule says that they are the same. */
enum { UNCLEAR_PATHS = 3 };

/* In s|expression|replacement| within single quotes of a shell. */
static void put_literal(struct buf *line, struct span text)
{
	struct buf b = { 0 };
	size_t i;

	for (i = 0; i < text.n; i++) {
		if (text.p[i] == '\'')
			buf_puts(&b, "'\\'");
		else if (char_is_punct(text.p[i]) && !strchr("/-_:,", text.p[i]))
			buf_putc(&b, '\\');
		buf_putc(&b, text.p[i]);
	}
	utf8_put_terminal(line, buf_span(&b));
	buf_release(&b);
}

static void put_unclear(struct buf *line, const struct diff_path *p)
{
	buf_puts(line, "all names below ");
	utf8_put_terminal(line, p->from);
	buf_puts(line, " are gone, and all below ");
	utf8_put_terminal(line, p->to);
	buf_puts(line, " are new; if these are the same files: -e 'rename s|");
	put_literal(line, p->from);
	buf_putc(line, '|');
	put_literal(line, p->to);
	buf_puts(line, "|'");
}

static void note_paths(const struct diff_run *c, const struct options *o)
{
	const struct diff *d = &c->diff;
	struct buf line = { 0 };
	size_t i, unclear = 0;

	for (i = 0; i < d->n_paths; i++) {
		line.n = 0;
		if (!d->path[i].unclear) {
			buf_puts(&line, "names of ");
			utf8_put_terminal(&line, d->path[i].from);
			buf_puts(&line, " are compared with those of ");
			utf8_put_terminal(&line, d->path[i].to);
		} else if (unclear++ < UNCLEAR_PATHS) {
			put_unclear(&line, &d->path[i]);
		} else {
			continue;
		}
		note_unless_quiet(o, &line);
	}
	buf_release(&line);
}

static void report_side(
	const struct pipeline_result *r, struct options *o, const char *side, int *status)
{
	struct buf line = { 0 };

	buf_printf(&line, "%s: %s", side, r->recordings[0]->path);
	note_unless_quiet(o, &line);
	buf_release(&line);
	run_summary_print(r, o);
	run_command_check_quality(o, r, status);
}

static void report(const struct diff_run *c, struct options *o, int *status)
{
	size_t i;

	for (i = 0; i < c->n_before; i++)
		report_side(&c->before[i], o, "before", status);
	report_side(&c->after, o, "after", status);
	note_paths(c, o);
	note_matches(c, o);
}

/* The command. */

static int check_formats(const struct options *o, struct err *e)
{
	size_t i;

	for (i = 0; i < o->n_outputs; i++)
		if (!(o->outputs[i].format->needs & OUTPUT_DIFFERENCE))
			return err_set(e, ERR_USAGE,
				"%.200s: %s cannot hold a difference; svg, html, folded and "
				"markdown can",
				o->outputs[i].path, o->outputs[i].format->name);
	return OK;
}

/* The arguments that name the same comparison, for commands to go on with. False: what chose the
 * samples inside is not known as text, or standard input has been read. */
static bool put_args(struct buf *b, const struct options *o)
{
	const char *path = o->inputs.item[o->inputs.n - 1];
	size_t i, n = count_before(o);

	if (o->diff.outside && o->diff.outside != CHOICE_DURING)
		return false;
	for (i = 0; i < o->during.n_conditions; i++) {
		buf_puts(b, "--during ");
		shell_put_word(b, span_of(o->during.conditions[i].text));
		buf_putc(b, ' ');
	}
	for (i = 0; i < n && !o->diff.outside; i++) {
		if (strcmp(input_before(o, i), "-") == 0)
			return false;
		buf_puts(b, i < o->diff.bases.n ? "--base " : "");
		shell_put_file(b, span_of(input_before(o, i)));
		buf_putc(b, ' ');
	}
	shell_put_file(b, span_of(path));
	return strcmp(path, "-") != 0;
}

struct diff_sides {
	const char **paths;
	struct output_side *side;
	struct buf args;
};

static void set_output_opts(struct diff_sides *s, struct output_opts *to, const struct diff_run *c,
	const struct options *o)
{
	size_t i;

	*s = (struct diff_sides){ .paths = xcalloc(c->n_before, sizeof(*s->paths)),
		.side = xcalloc(c->n_before, sizeof(*s->side)) };
	for (i = 0; i < c->n_before; i++) {
		const struct pipeline_result *r = &c->before[i];

		s->paths[i] = r->recordings[0]->path;
		s->side[i] = (struct output_side){ r->recordings, r->n_recordings, &r->diag };
	}
	to->n_before = c->n_before;
	to->before = s->paths;
	to->sides = s->side;
	to->diff_args = put_args(&s->args, o) ? buf_str(&s->args) : NULL;
	to->verdict = gate_check_verdict(c->judged);
}

static void release_output_opts(struct diff_sides *s)
{
	free(s->paths);
	free(s->side);
	buf_release(&s->args);
}

/* Writers get the difference in place of the profile after. */
static int write_difference(struct diff_run *c, const struct options *o, struct err *e)
{
	struct profile *after = c->after.by_name;
	struct profile *picture = diff_picture(&c->diff, o->diff.widths_before);
	struct pipeline_opts one = o->run;
	struct diff_sides sides;
	size_t i;
	int rc = OK;

	set_output_opts(&sides, &one.output, c, o);
	one.n_outputs = 1;
	for (i = 0; i < o->n_outputs && !rc; i++) {
		one.outputs = &o->outputs[i];
		c->after.by_name =
			o->outputs[i].format->needs & OUTPUT_PICTURE ? picture : c->diff.profile;
		rc = pipeline_write(&one, &c->after, e);
	}
	c->after.by_name = after;
	profile_free(picture);
	release_output_opts(&sides);
	return rc;
}

static int run_diff(struct options *o, int *status, struct err *e)
{
	struct diff_run c;
	int rc = check_inputs(o, e);

	if (!rc)
		rc = check_formats(o, e);
	if (rc)
		return rc;
	rc = read_sides(&c, o, e);
	if (!rc)
		c.judged = gate_check_diff(&c, o);
	if (!rc && o->n_outputs)
		rc = write_difference(&c, o, e);
	else if (!rc)
		diff_table_print(&c, o);
	if (!rc)
		rc = run_command_flush(e);
	if (!rc) {
		report(&c, o, status);
		rc = gate_check_report(c.judged, o, status, e);
	}
	release_sides(&c);
	return rc;
}

int cmd_diff(int argc, char **argv, int *status, struct err *e)
{
	return run_command(FOR_DIFF, (struct command_line){ argc, argv },
		"perfold diff [OPTION...] BEFORE AFTER\n"
		"perfold diff [OPTION...] --during CONDITION INPUT\n\n"
		"Shows what costs more or less than before, and what of that is noise: as a\n"
		"table, or with -o as a picture, a report, a page of Markdown, or folded stacks\n"
		"with both counts.",
		run_diff, status, e);
}
