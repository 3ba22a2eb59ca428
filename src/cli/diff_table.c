/*
 * The functions that changed, on a terminal or in a file:
 *
 * 	  self before    after   change  total before    after   change  function, module
 *
 * Clear changes come first, those that may be noise after them with "~", both ranked by how much
 * they changed. Functions below --min-percent on both sides are left out; what has no room is
 * counted in the last line.
 */
#include "cli/diff_table.h"

#include "base/counted.h"
#include "base/mem.h"
#include "cli/terminal.h"
#include "compare/change.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	OTHER_ROWS = 10, /* of a terminal: headings, summaries, prompt */
	NAME_LEAST = 20,
	SHARE_COLUMNS = 2 * 26,
};

struct diff_table {
	const struct profile *p;
	const struct options *o;
	struct terminal terminal;
	struct change_functions changes;
	struct terminal_line line;
};

static void put_text(struct diff_table *t, enum colour colour, unsigned width, const char *text)
{
	terminal_put(&t->terminal, &t->line, span_of(text), colour, width, 0);
}

/* Columns of a row. */

static void put_share(struct diff_table *t, double share, struct cost cost)
{
	char text[32];

	if (costs_is_zero(cost))
		snprintf(text, sizeof(text), "%7s ", "-");
	else
		snprintf(text, sizeof(text), "%6.2f%% ", 100 * share);
	put_text(t, COLOUR_DIM, 8, text);
}

/* "+12.34pp", with "~" after what may be noise. */
static void put_change(struct diff_table *t, const struct change *c)
{
	bool clear = change_is_clear(t->p, c);
	double points = change_points(c);
	char text[32] = "";

	put_share(t, c->share_before, c->before);
	put_share(t, c->share_after, c->after);
	if (c->before.weight || c->after.weight)
		snprintf(text, sizeof(text), "%+6.2fpp%c ", points, clear ? ' ' : '~');
	put_text(t, !clear ? COLOUR_DIM : points > 0 ? COLOUR_WARM : COLOUR_BLUE, 10, text);
}

static void put_function(struct diff_table *t, const struct function_change *c)
{
	const struct functions *f = &t->changes.costs.functions;
	struct span module = strtab_get(t->p->strings, f->function[c->function].module);
	bool limited = t->terminal.is_terminal && t->terminal.columns;
	unsigned room = t->terminal.columns > SHARE_COLUMNS + NAME_LEAST
				? t->terminal.columns - SHARE_COLUMNS
				: NAME_LEAST;

	put_change(t, &c->self);
	put_change(t, &c->total);
	terminal_put(&t->terminal, &t->line, functions_name(f, c->function), COLOUR_NONE, 0,
		limited ? room : 0);
	if (!limited && module.n) {
		terminal_printf(&t->line, " ");
		terminal_put(&t->terminal, &t->line, module, COLOUR_DIM, 0, 0);
	}
	terminal_end_line(&t->line);
}

/* The whole table. */

/* "before: CPU cycles · 816 M cycles in 407 samples · ..." */
static void put_side(struct diff_table *t, const char *side, const struct pipeline_result *r,
	size_t n, struct cost whole)
{
	struct recording **recordings = xcalloc(n, sizeof(struct recording *));
	struct headline_source of = { .p = r->by_name, .recordings = recordings };
	struct headline h;

	for (; of.n_recordings < n; of.n_recordings++)
		recordings[of.n_recordings] = r[of.n_recordings].recordings[0];
	headline_make(&h, &of);
	h.weight.n = 0; /* of all of them */
	if (t->o->diff.outside == CHOICE_DURING)
		h.during.n = 0; /* the line above says on which side they are */
	headline_put_weight(&h.weight, &of, whole.weight, whole.samples);
	terminal_printf(&t->line, "%s: ", side);
	terminal_put_subtitle(&t->terminal, &t->line, &h, strlen(side) + 2);
	/* Folded stacks do not say how many samples they count. */
	if (r->by_name->sums == SUMS_ASSUMED && whole.samples != whole.weight)
		terminal_printf(&t->line, " · taken as %" PRIu64 " samples", whole.samples);
	terminal_end_line(&t->line);
	headline_release(&h);
	free(recordings);
}

/* "before.data → after.data" */
static void put_names(struct diff_table *t, const struct diff_run *c)
{
	const char **before = xcalloc(c->n_before, sizeof(*before));
	struct headline h;
	size_t i;

	for (i = 0; i < c->n_before; i++)
		before[i] = c->before[i].recordings[0]->path;
	headline_make(&h, &(struct headline_source){ .p = t->p,
				  .recordings = c->after.recordings,
				  .n_recordings = c->after.n_recordings,
				  .before = before,
				  .n_before = c->n_before });
	terminal_put(&t->terminal, &t->line, buf_span(&h.title), COLOUR_BOLD, 0, 0);
	terminal_end_line(&t->line);
	headline_release(&h);
	free(before);
}

static void put_heading(struct diff_table *t, const struct diff_run *c)
{
	struct change_scale s = change_scale_of(t->p);

	put_names(t, c);
	put_side(t, "before", c->before, c->n_before, s.before);
	put_side(t, "after", &c->after, 1, s.after);
	put_text(t, COLOUR_DIM, 26, "   self");
	put_text(t, COLOUR_DIM, 0, "  total");
	terminal_end_line(&t->line);
	put_text(t, COLOUR_DIM, 26, " before   after   change");
	put_text(t, COLOUR_DIM, 26, " before   after   change");
	put_text(t, COLOUR_DIM, 0, "function, module");
	terminal_end_line(&t->line);
}

static bool is_clear(const struct diff_table *t, const struct function_change *c)
{
	return change_is_clear(t->p, &c->self) || change_is_clear(t->p, &c->total);
}

/* Functions below --min-percent on both sides are not shown. */
static bool is_small(const struct diff_table *t, const struct function_change *c)
{
	double least = t->o->run.collapse.min_percent / 100;

	return c->total.share_before < least && c->total.share_after < least;
}

static bool costs_more(const struct diff_table *t, const struct function_change *c)
{
	double self = change_points(&c->self), total = change_points(&c->total);
	double by = t->o->top.by == TOP_BY_SELF ? self : total;

	return by > 0 || (!(by < 0) && self + total > 0);
}

/* Of an input compared with itself, what costs more inside comes first: that is what is asked. */
enum change_sign { CHANGE_ANY, CHANGE_MORE, CHANGE_LESS };

static uint32_t put_signed(struct diff_table *t, const struct function_change *row, uint32_t n,
	bool clear, enum change_sign sign, uint32_t *room)
{
	uint32_t i, left_out = 0;

	for (i = 0; i < n; i++) {
		if (is_clear(t, &row[i]) != clear ||
			(sign && costs_more(t, &row[i]) != (sign == CHANGE_MORE)))
			continue;
		if (!*room || is_small(t, &row[i])) {
			left_out++;
			continue;
		}
		--*room;
		put_function(t, &row[i]);
	}
	return left_out;
}

/* Puts the clear changes, or the others; returns how many were left out. */
static uint32_t put_rows(struct diff_table *t, const struct function_change *row, uint32_t n,
	bool clear, uint32_t *room)
{
	uint32_t left_out;

	if (!t->o->diff.outside)
		return put_signed(t, row, n, clear, CHANGE_ANY, room);
	left_out = put_signed(t, row, n, clear, CHANGE_MORE, room);
	return left_out + put_signed(t, row, n, clear, CHANGE_LESS, room);
}

static void put_rest(struct diff_table *t, uint32_t clear, uint32_t noise)
{
	if (clear || noise)
		terminal_printf(&t->line, "(more: %u %s with clear changes, %u with noise)", clear,
			counted(clear, "function", "functions"), noise);
	if (t->line.text.n)
		terminal_end_line(&t->line);
	put_text(t, COLOUR_DIM, 0, "~ may be noise: not clear at a confidence of ");
	terminal_printf(&t->line, "%g%%", t->o->diff.confidence);
	terminal_end_line(&t->line);
}

void diff_table_print(const struct diff_run *c, const struct options *o)
{
	struct diff_table t = {
		.p = c->diff.profile, .o = o, .terminal = terminal_query(STDOUT_FILENO)
	};
	struct function_change *row;
	uint32_t n, room = terminal_list_rows(&t.terminal, o->top.rows, OTHER_ROWS), clear, noise;

	change_functions_init(&t.changes, t.p, true);
	row = change_functions_ranked(
		&t.changes, o->top.by == TOP_BY_SELF ? BY_SELF : BY_TOTAL, &n);
	put_heading(&t, c);
	clear = put_rows(&t, row, n, true, &room);
	noise = put_rows(&t, row, n, false, &room);
	put_rest(&t, clear, noise);
	free(row);
	change_functions_release(&t.changes);
	terminal_line_release(&t.line);
}
