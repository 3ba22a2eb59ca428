/*
 * perfold view: a recording to look at in the terminal.
 *
 * The recording is read as for perfold top; then the view (view/view.h) and the terminal
 * (view_terminal.h) take turns: events go to the view, which draws cells, which go to the terminal.
 * What a run says on standard error comes before that, or when the terminal has been given back.
 *
 * Source and instructions need what top does not: where each sample hit which line. They are read
 * when somebody first asks for them, by a second run over the inputs, which keeps its files open
 * for the functions that are asked for next.
 */
#include "base/mem.h"
#include "cli/cli.h"
#include "cli/run_command.h"
#include "cli/run_summary.h"
#include "cli/view_terminal.h"

#include <stdlib.h>
#include <string.h>

struct second_reader {
	struct options *o;
	struct pipeline_result result, rows; /* with source; with rows */
	bool is_read;
	char *name;                /* of the last function */
	struct name_pattern *none; /* matches no other one */
};

static void choose_function(struct second_reader *s, struct span name)
{
	enum { SAME_NAME_MOST = 10 };
	struct annotation_opts *a = &s->o->run.annotation;

	free(s->name);
	s->name = xasprintf("%.*s", (int)name.n, name.p);
	*a = (struct annotation_opts){ .name = s->name,
		.most = SAME_NAME_MOST,
		.instructions = true,
		.instruction_text = true,
		.intel = s->o->annotate.intel,
		.pattern = s->none };
}

/* The screen is in use: what there is to say has been said. */
static int read_again(struct options *o, unsigned needs, struct pipeline_result *r, struct err *e)
{
	o->quiet = true;
	o->run.needs = needs;
	return run_command_pipeline(o, r, e);
}

static int read_all(struct second_reader *s, struct err *e)
{
	const struct options *o = s->o;

	if (o->run.symbolize.lines_in_names)
		return err_set(e, ERR_USAGE, "no source with --lines: each line is a function");
	s->is_read = true;
	return read_again(s->o, OUTPUT_FULL | OUTPUT_PLACES, &s->result, e);
}

static int read_source(void *ctx, struct span name, struct view_source *source, struct err *e)
{
	struct second_reader *s = ctx;
	bool is_first = !s->is_read;
	int rc;

	choose_function(s, name);
	if (is_first)
		rc = read_all(s, e);
	else if (s->result.profile)
		rc = pipeline_annotate(&s->o->run, &s->result, e);
	else
		rc = err_set(e, ERR_IO, "the source could not be read");
	*source = (struct view_source){ &s->result.annotations, s->result.profile };
	return rc;
}

static int read_rows(void *ctx, struct headline_source *of, struct err *e)
{
	struct second_reader *s = ctx;
	int rc = read_again(s->o, OUTPUT_BY_NAME | OUTPUT_TIMELINE, &s->rows, e);

	*of = (struct headline_source){ .p = s->rows.by_name ? s->rows.by_name : s->rows.profile,
		.recordings = s->rows.recordings,
		.n_recordings = s->rows.n_recordings };
	if (!rc && !of->p)
		rc = err_set(e, ERR_IO, "the times could not be read");
	return rc;
}

static void draw(struct view *v, struct view_terminal *t, struct screen *s)
{
	unsigned columns, rows;

	view_terminal_size(t, &columns, &rows);
	screen_reset(s, columns, rows);
	view_draw(v, s);
	view_terminal_show(t, s);
}

static int look(struct view *v, struct view_terminal *t, struct err *e)
{
	struct screen s = { 0 };
	struct view_event event;
	bool goes_on = true;
	int rc = OK;

	while (goes_on && !rc) {
		draw(v, t, &s);
		if (view_is_waiting(v)) {
			view_work(v);
			continue;
		}
		switch (view_terminal_wait(t, &event)) {
		case VIEW_TERMINAL_EVENT:
			goes_on = view_take(v, &event);
			break;
		case VIEW_TERMINAL_GONE:
			rc = err_set(e, ERR_IO, "the terminal is gone");
			break;
		case VIEW_TERMINAL_REDRAW:
			break;
		}
	}
	screen_release(&s);
	return rc;
}

static int show(struct options *o, const struct pipeline_result *r, struct err *e)
{
	struct second_reader reader = { .o = o };
	int rc = name_pattern_new(&reader.none, "(?!)", e);
	const struct view_opts opts = {
		.of = { .p = r->by_name,
			.recordings = r->recordings,
			.n_recordings = r->n_recordings },
		.by_total = o->top.by == TOP_BY_TOTAL,
		.read_source = read_source,
		.read_rows = read_rows,
		.ctx = &reader,
	};
	struct view_terminal *t;
	struct view *v;

	if (rc)
		return rc;
	v = view_new(&opts);
	rc = view_terminal_open(&t, e);
	if (!rc) {
		rc = look(v, t, e);
		view_terminal_close(t);
	}
	view_free(v);
	name_pattern_free(reader.none);
	pipeline_release(&reader.result);
	pipeline_release(&reader.rows);
	free(reader.name);
	return rc;
}

/* Keys come from there. */
static int check_inputs(const struct options *o, struct err *e)
{
	size_t i;

	for (i = 0; i < o->inputs.n; i++)
		if (strcmp(o->inputs.item[i], "-") == 0)
			return err_set(e, ERR_USAGE,
				"-: keys come from standard input, so a recording cannot");
	return OK;
}

static int run_view(struct options *o, int *status, struct err *e)
{
	struct pipeline_result result = { 0 };
	const bool quiet = o->quiet;
	int rc = view_terminal_check(e);

	o->run.n_outputs = 0;
	o->run.needs = OUTPUT_BY_NAME;
	if (!rc)
		rc = check_inputs(o, e);
	if (!rc)
		rc = run_command_pipeline(o, &result, e);
	if (!rc)
		rc = show(o, &result, e);
	if (!rc) {
		o->quiet = quiet;
		run_summary_print(&result, o);
		run_command_check_quality(o, &result, status);
	}
	pipeline_release(&result);
	return rc;
}

int cmd_view(int argc, char **argv, int *status, struct err *e)
{
	return run_command(FOR_VIEW, (struct command_line){ argc, argv },
		"perfold view [OPTION...] [INPUT...]\n\n"
		"Shows a recording in the terminal: as a flame graph to move in and to zoom, as a\n"
		"table of functions, by callers and callees, by source. The key ? lists the keys.",
		run_view, status, e);
}
