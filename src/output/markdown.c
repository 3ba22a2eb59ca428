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
 * The page has room for so many tokens (--page-tokens). What is known of a recording varies, so the
 * page is written with many rows in each list, and again with fewer until it fits; what was left
 * out is counted. The tokens of a text are estimated, a little too high (tokens_of()).
 */
#include "output/output_formats.h"

#include "base/amount.h"
#include "output/markdown_page.h"

#include <stdlib.h>

enum { TOKENS_DEFAULT = 4000, ROWS_MOST = 40 };

/* Tokens */

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* What a byte-pair encoding makes of such text: a token for up to five letters of a word in one
 * case, three digits, or two other characters of ASCII; one each for all other bytes. */
static size_t tokens_of(struct span s)
{
	size_t tokens = 0, run = 0, i;
	int before = 0;

	for (i = 0; i < s.n; i++) {
		char c = s.p[i];
		int kind = is_letter(c) ? 1 : is_digit(c) ? 2 : c == ' ' ? 3 : c < 0 ? 4 : 5;
		static const size_t most[] = { 0, 5, 3, 64, 1, 2 };
		bool hump = i && kind == 1 && c < 'a' && s.p[i - 1] >= 'a';

		run = kind == before && !hump ? run + 1 : 1;
		if (run > most[kind])
			run = 1;
		/* A blank belongs to the word that follows it. */
		tokens += run == 1 && !(kind == 3 && i + 1 < s.n && s.p[i + 1] != ' ');
		before = kind;
	}
	return tokens;
}

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

static void put_page(struct markdown_page *g)
{
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

/* With as many rows as there is room for. */
static void fit_page(struct markdown_page *g)
{
	size_t most = g->o->page_tokens ? g->o->page_tokens : TOKENS_DEFAULT;

	for (g->rows = ROWS_MOST;; g->rows -= g->rows / 8 + 1) {
		g->b->n = 0;
		put_page(g);
		if (g->rows == 1 || tokens_of(buf_span(g->b)) <= most)
			return;
	}
}

static int markdown_write(
	const struct profile *p, const struct output_opts *o, struct sink *to, struct err *e)
{
	const struct headline_source of = { .p = p,
		.recordings = o->recordings,
		.n_recordings = o->n_recordings,
		.count_name = o->picture.count_name };
	struct buf text = { 0 };
	struct markdown_page g = { .p = p, .o = o, .b = &text };

	(void)e;
	g.weight = p->n_nodes ? p->nodes[0].total : 0;
	costs_init(&g.costs, p);
	g.by_self = costs_ranked(&g.costs, BY_SELF, &g.n_self);
	g.by_total = costs_ranked(&g.costs, BY_TOTAL, &g.n_total);
	headline_make(&g.headline, &of);
	markdown_page_prepare_activities(&g);
	markdown_page_prepare_where(&g);
	markdown_page_prepare_ways(&g);
	markdown_page_prepare_tree(&g);
	fit_page(&g);
	sink_put_span(to, buf_span(&text));
	headline_release(&g.headline);
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
	.needs = OUTPUT_BY_NAME | OUTPUT_REPORT,
	.write = markdown_write,
};
