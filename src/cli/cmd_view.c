/*
 * perfold view: a recording to look at in the terminal.
 *
 * The recording is read as for perfold top; then the view (view/view.h) and the terminal
 * (view_terminal.h) take turns: events go to the view, which draws cells, which go to the terminal.
 * What a run says on standard error comes before that, or when the terminal has been given back.
 */
#include "cli/cli.h"
#include "cli/run_command.h"
#include "cli/run_summary.h"
#include "cli/view_terminal.h"

#include <string.h>

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

static int show(const struct options *o, const struct pipeline_result *r, struct err *e)
{
	const struct view_opts opts = {
		.of = { .p = r->by_name,
			.recordings = r->recordings,
			.n_recordings = r->n_recordings },
		.by_total = o->top.by == TOP_BY_TOTAL,
	};
	struct view_terminal *t;
	struct view *v = view_new(&opts);
	int rc = view_terminal_open(&t, e);

	if (!rc) {
		rc = look(v, t, e);
		view_terminal_close(t);
	}
	view_free(v);
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
