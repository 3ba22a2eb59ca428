/*
 * markdown.c - a page about a profile, for terminals, pull requests, chats and programs that read
 *
 *	# `node server.js`
 *	...
 *	## Functions by self
 *	- 12.3% self, 45.0% total: `parse` in `node`, `/srv/parse.js:12`
 *
 * One fact a line, and each line says what it is a share of, so that grep finds whole facts. Names
 * are strangers' text: they stand in code spans, or in a fenced block (markdown_text.h).
 *
 * The page has room for so many tokens (--page-tokens, markdown_fit.h).
 */
#include "output/output_formats.h"

#include "base/amount.h"
#include "output/markdown_diff.h"
#include "output/markdown_fit.h"
#include "output/markdown_page.h"
#include "output/markdown_spans.h"

#include <stdlib.h>

/* The page */

static void put_head(struct markdown_page *g)
{
	struct buf line = { 0 };
	const char *unit = g->p->unit ? strtab_str(g->p->strings, g->p->unit) : "samples";

	buf_puts(g->b, "# ");
	markdown_page_put_code(g, buf_span(&g->headline.title));
	headline_put_subtitle(&g->headline, 0, &line);
	buf_puts(g->b, "\n\n");
	markdown_text_put_code(g->b, buf_span(&line));
	buf_puts(g->b, "\n\nShares are of all ");
	line.n = 0;
	amount_put(&line, g->weight, unit);
	markdown_text_put_code(g->b, buf_span(&line));
	buf_puts(g->b, ". Self: in the function itself. Total: with what it calls, once for each "
		       "stack.\n");
	buf_release(&line);
}

static void put_page(void *page, uint32_t rows, struct buf *b)
{
	struct markdown_page *g = page;

	g->rows = rows;
	g->b = b;
	put_head(g);
	markdown_page_put_glance(g);
	markdown_page_put_where(g);
	markdown_page_put_waits(g);
	markdown_page_put_by_self(g);
	markdown_page_put_by_total(g);
	markdown_page_put_paths(g);
	markdown_page_put_tree(g);
	markdown_page_put_quality(g);
	markdown_page_put_next(g);
}

static int markdown_write(
	const struct profile *p, const struct output_opts *o, struct sink *to, struct err *e)
{
	const struct headline_source of = { .p = p,
		.recordings = o->recordings,
		.n_recordings = o->n_recordings,
		.count_name = o->picture.count_name };
	struct buf text = { 0 };
	struct markdown_page g = { .p = p, .o = o };

	(void)e;
	if (o->durations)
		return markdown_spans_write(p, o, to);
	if (p->before)
		return markdown_diff_write(p, o, to);
	g.weight = p->n_nodes ? p->nodes[0].total : 0;
	costs_init(&g.costs, p);
	g.by_self = costs_ranked(&g.costs, BY_SELF, &g.n_self);
	g.by_total = costs_ranked(&g.costs, BY_TOTAL, &g.n_total);
	headline_make(&g.headline, &of);
	g.side = markdown_page_side(
		&(struct output_side){ o->recordings, o->n_recordings, o->diag }, "");
	markdown_page_prepare_activities(&g);
	markdown_page_prepare_where(&g);
	markdown_page_prepare_ways(&g);
	markdown_page_prepare_tree(&g);
	markdown_fit(&text, o->page_tokens, put_page, &g);
	sink_put_span(to, buf_span(&text));
	headline_release(&g.headline);
	free(g.side.gap);
	free(g.by_self);
	free(g.by_total);
	free(g.kinds.part);
	free(g.modules.part);
	free(g.waits.part);
	free(g.branch);
	costs_release(&g.costs);
	buf_release(&text);
	return OK;
}

static const char *const suffixes[] = { ".md", NULL };

const struct output_format markdown_format = {
	.name = "markdown",
	.suffixes = suffixes,
	.about = "a page with what costs most and what is missing, for people and programs",
	.needs = OUTPUT_BY_NAME | OUTPUT_REPORT | OUTPUT_DIFFERENCE,
	.write = markdown_write,
};
