/*
 * markdown_diff.c - a page about a difference, as markdown.c has one of a profile
 *
 *	# `before.data → after.data`
 *	...
 *	## Cost more, by self
 *	- +15.35pp self, 11.90% before, 27.25% after: `copy` in `node`, `/srv/copy.js:3`
 *
 * The verdict of --fail-if comes first, if there is one; then the functions that changed clearly,
 * those that cost more apart from those that cost less; then what may be noise. A function is in
 * the lists by total only if that changed otherwise than its self.
 */
#include "output/markdown_diff.h"

#include "base/mem.h"
#include "base/shell.h"
#include "compare/change.h"
#include "output/markdown_fit.h"
#include "output/markdown_page.h"
#include "output/markdown_verdict.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define WAY_LEAST_POINTS 0.5

struct diff_way {
	double points;
	node_id node;
};

struct diff_page {
	struct markdown_page g;
	struct change_scale scale;
	struct change_functions changes;
	struct function_change *by_self, *by_total; /* the largest change first */
	uint32_t n_self, n_total;
	struct diff_way *way; /* stacks whose own cost changed, the largest change first */
	size_t n_ways, cap_ways;
	struct markdown_side *before;
	size_t n_sides;
};

enum change_list { COST_MORE, COST_LESS, MAY_BE_NOISE };

static const struct change *change_by(const struct function_change *f, enum cost_order by)
{
	return by == BY_SELF ? &f->self : &f->total;
}

/* Does the total say something that the self does not? */
static bool is_told_by(const struct function_change *f, enum cost_order by)
{
	return fabs(change_points(change_by(f, by))) > 0 &&
	       (by == BY_SELF || f->self.before.weight != f->total.before.weight ||
		       f->self.after.weight != f->total.after.weight);
}

static bool is_listed(const struct diff_page *d, const struct function_change *f,
	enum cost_order by, enum change_list list)
{
	const struct change *c = change_by(f, by);

	if (!is_told_by(f, by))
		return false;
	if (!change_is_clear(d->g.p, c))
		return list == MAY_BE_NOISE;
	return list == (change_points(c) > 0 ? COST_MORE : COST_LESS);
}

/* The first of a list, or NULL. */
static const struct function_change *first_of(
	const struct diff_page *d, enum cost_order by, enum change_list list)
{
	const struct function_change *row = by == BY_SELF ? d->by_self : d->by_total;
	uint32_t n = by == BY_SELF ? d->n_self : d->n_total, i;

	for (i = 0; i < n; i++)
		if (is_listed(d, &row[i], by, list))
			return &row[i];
	return NULL;
}

/* Lines */

static void put_change(struct diff_page *d, const struct function_change *f, enum cost_order by)
{
	const struct change *c = change_by(f, by);

	buf_printf(d->g.b, "%+.2fpp %s, %.2f%% before, %.2f%% after: ", change_points(c),
		by == BY_SELF ? "self" : "total", 100 * c->share_before, 100 * c->share_after);
	markdown_page_put_code(&d->g, markdown_page_name(&d->g, f->function));
	markdown_page_put_place(&d->g, f->function);
	buf_putc(d->g.b, '\n');
}

static void put_list(struct diff_page *d, const char *heading, enum cost_order by,
	enum change_list list, uint32_t most)
{
	const struct function_change *row = by == BY_SELF ? d->by_self : d->by_total;
	uint32_t n = by == BY_SELF ? d->n_self : d->n_total, i, shown = 0, more = 0;

	if (!first_of(d, by, list))
		return;
	buf_printf(d->g.b, "\n## %s\n\n", heading);
	for (i = 0; i < n; i++) {
		if (!is_listed(d, &row[i], by, list))
			continue;
		if (shown < most) {
			shown++;
			buf_puts(d->g.b, "- ");
			put_change(d, &row[i], by);
		} else {
			more++;
		}
	}
	markdown_page_put_more(&d->g, more, "function", "functions");
}

static void put_functions(struct diff_page *d)
{
	uint32_t rows = d->g.rows;

	put_list(d, "Cost more, by self", BY_SELF, COST_MORE, rows);
	put_list(d, "Cost less, by self", BY_SELF, COST_LESS, rows / 2 + 1);
	put_list(d, "Cost more, by total", BY_TOTAL, COST_MORE, rows / 2 + 1);
	put_list(d, "Cost less, by total", BY_TOTAL, COST_LESS, rows / 2 + 1);
	put_list(d, "May be noise, by self", BY_SELF, MAY_BE_NOISE, rows / 4 + 1);
	put_list(d, "May be noise, by total", BY_TOTAL, MAY_BE_NOISE, rows / 4 + 1);
}

/* Head */

static void put_side_weight(struct diff_page *d, const char *side, struct cost of)
{
	struct buf text = { 0 };
	struct headline_source source = { .p = d->g.p, .count_name = d->g.o->picture.count_name };

	headline_put_weight(&text, &source, of.weight, of.samples);
	buf_printf(d->g.b, "%s ", side);
	markdown_text_put_code(d->g.b, buf_span(&text));
	buf_release(&text);
}

static void put_head(struct diff_page *d)
{
	struct markdown_page *g = &d->g;
	struct buf line = { 0 };

	buf_puts(g->b, "# ");
	markdown_page_put_code(g, buf_span(&g->headline.title));
	headline_put_subtitle(&g->headline, 0, &line);
	buf_puts(g->b, "\n\n");
	markdown_text_put_code(g->b, buf_span(&line));
	buf_puts(g->b, "\n\nShares are of everything ");
	if (d->scale.absolute) {
		put_side_weight(d, "after,", d->scale.after);
		put_side_weight(d, ", on both sides; before there were", d->scale.before);
	} else {
		put_side_weight(d, "on their side: before, of", d->scale.before);
		put_side_weight(d, ", after, of", d->scale.after);
	}
	buf_printf(g->b,
		". Self: in the function itself. Total: with what it calls, once for each stack. "
		"Changes are in percentage points (pp), and more than noise at a confidence of "
		"%g%% where it is not said that they may be noise.\n",
		100 * (1 - g->p->before->max_p_value));
	buf_release(&line);
}

/* At a glance */

static bool is_new(const struct function_change *f)
{
	return costs_is_zero(f->total.before);
}

static bool is_gone(const struct function_change *f)
{
	return costs_is_zero(f->total.after);
}

static void put_first(
	struct diff_page *d, const char *what, enum cost_order by, enum change_list list)
{
	const struct function_change *f = first_of(d, by, list);

	if (!f)
		return;
	buf_printf(d->g.b, "- %s: ", what);
	put_change(d, f, by);
}

/* Functions of one side only, of those that changed clearly: the one that costs most. */
static void put_only(struct diff_page *d, const char *what,
	bool (*is_only)(const struct function_change *), enum change_list list)
{
	const struct function_change *most = NULL;
	uint32_t i, more = 0;

	for (i = 0; i < d->n_total; i++) {
		const struct function_change *f = &d->by_total[i];

		if (!is_only(f) || !change_is_clear(d->g.p, &f->total) ||
			(change_points(&f->total) > 0) != (list == COST_MORE))
			continue;
		if (most)
			more++;
		else
			most = f;
	}
	if (!most)
		return;
	buf_printf(d->g.b, "- %s: %.2f%% total %s in ", what,
		100 * (list == COST_MORE ? most->total.share_after : most->total.share_before),
		list == COST_MORE ? "after" : "before");
	markdown_page_put_code(&d->g, markdown_page_name(&d->g, most->function));
	markdown_page_put_place(&d->g, most->function);
	if (more)
		buf_printf(d->g.b, ", and %" PRIu32 " more", more);
	buf_putc(d->g.b, '\n');
}

static void for_each_side(
	struct diff_page *d, void (*put)(struct markdown_page *, const struct markdown_side *))
{
	size_t i;

	for (i = 0; i < d->n_sides; i++)
		put(&d->g, &d->before[i]);
	put(&d->g, &d->g.side);
}

static void find_sides(struct diff_page *d)
{
	const struct output_opts *o = d->g.o;

	d->before = xcalloc(o->n_before + 1, sizeof(*d->before));
	for (; o->sides && d->n_sides < o->n_before; d->n_sides++)
		d->before[d->n_sides] = markdown_page_side(&o->sides[d->n_sides], "before: ");
	d->g.side = markdown_page_side(
		&(struct output_side){ o->recordings, o->n_recordings, o->diag }, "after: ");
}

static void release_sides(struct diff_page *d)
{
	while (d->n_sides)
		free(d->before[--d->n_sides].gap);
	free(d->before);
	free(d->g.side.gap);
}

static void put_glance(struct diff_page *d)
{
	const struct verdict *v = d->g.o->verdict;

	buf_puts(d->g.b, "\n## At a glance\n\n");
	if (v)
		buf_printf(d->g.b, "- verdict of the rules: **%s**\n",
			verdict_result_name(verdict_result(v)));
	if (!first_of(d, BY_SELF, COST_MORE) && !first_of(d, BY_SELF, COST_LESS) &&
		!first_of(d, BY_TOTAL, COST_MORE) && !first_of(d, BY_TOTAL, COST_LESS))
		buf_puts(d->g.b, "- no function changed by more than what may be noise\n");
	put_first(d, "grew most", BY_SELF, COST_MORE);
	put_first(d, "grew most with what it calls", BY_TOTAL, COST_MORE);
	put_first(d, "shrank most", BY_SELF, COST_LESS);
	put_first(d, "shrank most with what it calls", BY_TOTAL, COST_LESS);
	put_only(d, "new", is_new, COST_MORE);
	put_only(d, "gone", is_gone, COST_LESS);
	for_each_side(d, markdown_page_put_doubts_of);
}

static void put_verdict(struct diff_page *d)
{
	if (!d->g.o->verdict)
		return;
	buf_puts(d->g.b, "\n## Verdict of the rules\n\n");
	markdown_verdict_put(d->g.b, d->g.o->verdict, d->g.rows / 2 + 1);
}

/* Stacks that changed */

static int compare_ways(const void *pa, const void *pb)
{
	const struct diff_way *a = pa, *b = pb;

	if (fabs(a->points) != fabs(b->points))
		return fabs(a->points) < fabs(b->points) ? 1 : -1;
	return (a->node > b->node) - (a->node < b->node);
}

static void find_ways(struct diff_page *d)
{
	const struct profile *p = d->g.p;
	node_id i;

	for (i = 1; i < p->n_nodes; i++) {
		struct change c = change_of_node_self(p, i);

		if (!stack_path_includes(p, i) || fabs(change_points(&c)) < WAY_LEAST_POINTS)
			continue;
		ARRAY_GROW(d->way, d->n_ways, d->cap_ways);
		d->way[d->n_ways++] = (struct diff_way){ change_points(&c), i };
	}
	if (d->n_ways)
		qsort(d->way, d->n_ways, sizeof(*d->way), compare_ways);
}

static void put_ways(struct diff_page *d)
{
	size_t i;

	if (!d->n_ways)
		return;
	buf_printf(
		d->g.b, "\n## Stacks whose own cost changed most, from %gpp\n\n", WAY_LEAST_POINTS);
	for (i = 0; i < d->n_ways && i < d->g.rows / 2 + 1; i++) {
		buf_printf(d->g.b, "- %+.2fpp self by ", d->way[i].points);
		markdown_page_put_way(&d->g, d->way[i].node);
		buf_putc(d->g.b, '\n');
	}
	markdown_page_put_more(&d->g, (uint32_t)(d->n_ways - i), "stack", "stacks");
}

/* What to look at next */

static void put_command(struct diff_page *d, const char *args, const char *what)
{
	struct buf line = { 0 };

	buf_printf(&line, "perfold diff %s%s", d->g.o->diff_args, args);
	buf_puts(d->g.b, "- ");
	markdown_text_put_code(d->g.b, buf_span(&line));
	buf_printf(d->g.b, ": %s\n", what);
	buf_release(&line);
}

static void put_next(struct diff_page *d)
{
	if (!d->g.o->diff_args)
		return;
	buf_puts(d->g.b, "\n## Next\n\n");
	put_command(d, " -o diff.html", "both as a flame graph, with what grew in warm colours");
	put_command(d, " --rows 100", "more functions, as a table");
	if (!d->g.o->verdict)
		put_command(d, " --fail-if default", "fails where something grew");
}

/* The page */

/* Of folded stacks nothing is known. */
static void put_quality(struct diff_page *d)
{
	size_t before = d->g.b->n, heading;

	buf_puts(d->g.b, "\n## How good the recordings are\n\n");
	heading = d->g.b->n;
	for_each_side(d, markdown_page_put_quality_of);
	if (d->g.b->n == heading)
		d->g.b->n = before;
}

static void put_page(void *page, uint32_t rows, struct buf *b)
{
	struct diff_page *d = page;

	d->g.rows = rows;
	d->g.b = b;
	put_head(d);
	put_glance(d);
	put_verdict(d);
	put_functions(d);
	put_ways(d);
	put_quality(d);
	put_next(d);
}

int markdown_diff_write(const struct profile *p, const struct output_opts *o, struct sink *to)
{
	const struct headline_source of = { .p = p,
		.recordings = o->recordings,
		.n_recordings = o->n_recordings,
		.before = o->before,
		.n_before = o->n_before,
		.count_name = o->picture.count_name };
	struct diff_page d = { .g = { .p = p, .o = o }, .scale = change_scale_of(p) };
	struct buf text = { 0 };

	change_functions_init(&d.changes, p, true);
	d.by_self = change_functions_ranked(&d.changes, BY_SELF, &d.n_self);
	d.by_total = change_functions_ranked(&d.changes, BY_TOTAL, &d.n_total);
	d.g.costs = d.changes.costs;
	find_ways(&d);
	find_sides(&d);
	headline_make(&d.g.headline, &of);
	markdown_fit(&text, o->page_tokens, put_page, &d);
	sink_put_span(to, buf_span(&text));
	headline_release(&d.g.headline);
	change_functions_release(&d.changes);
	free(d.by_self);
	free(d.by_total);
	free(d.way);
	release_sides(&d);
	buf_release(&text);
	return OK;
}
