/*
 * verdict_text.c - a verdict for a terminal or a log, and as Markdown
 *
 * Strings from a recording are in code spans, which can have any character (markdown_text.h).
 */
#include "output/output.h"

#include "base/counted.h"
#include "base/utf8.h"
#include "compare/verdict.h"
#include "output/markdown_text.h"

#include <inttypes.h>
#include <math.h>

/* Figures, alike in both */

static const char *cost_word(const struct gate_rule *r)
{
	return gate_is_self(r) ? "self" : "total";
}

static void put_share(struct buf *b, double share)
{
	buf_printf(b, "%.2f%%", 100 * share);
}

static double points(const struct verdict_finding *f)
{
	return 100 * (f->share_after - f->share_before);
}

static void put_checked(struct buf *b, const struct verdict *v, size_t rule)
{
	const struct verdict_rule *of = &v->of[rule];
	bool any = gate_is_any(&v->rules->item[rule]);

	if (!of->looked_at)
		buf_puts(b, any ? "no function to look at" : "too few samples to look at");
	else if (any)
		buf_printf(b, "%" PRIu32 " over the limit, %" PRIu32 " looked at", of->over,
			of->looked_at);
	else
		buf_puts(b, of->over ? "over the limit" : "within the limit");
	if (of->noise && any)
		buf_printf(b, "; %" PRIu32 " more may be noise", of->noise);
	else if (of->noise)
		buf_puts(b, " or not, it may be noise");
}

static void put_how(struct buf *b, const struct verdict *v)
{
	buf_printf(b, "confidence %g%% over %zu looked at; costs vary by %.1f%% from run to run",
		100 * (1 - v->max_p_value), v->looked_at, 100 * v->variation);
	if (v->n_bases > 1)
		buf_printf(b, " (from %zu before)", v->n_bases);
	else
		buf_puts(b, " (assumed)");
}

/* What could have been found. put_name() makes a name safe. */

static double to_points(double share)
{
	return 100 * share;
}

static void put_growth(
	struct buf *b, const struct verdict_power *p, void (*put_name)(struct buf *, struct span))
{
	if (p->name.n)
		put_name(b, p->name);
	else
		buf_puts(b, "a function");
	buf_printf(b, " at %.1f%%", to_points(p->share));
	if (p->growth > 0)
		buf_printf(b, " from +%.1fpp", to_points(p->growth));
	else
		buf_puts(b, ": none");
}

/* Two digits, rounded up: it is an estimate. */
static uint64_t round_up(uint64_t n)
{
	uint64_t unit = 1;

	while (n / unit >= 100)
		unit *= 10;
	return (n + unit - 1) / unit * unit;
}

static void put_power(
	struct buf *b, const struct verdict *v, void (*put_name)(struct buf *, struct span))
{
	const struct verdict_power *first = &v->power[0];
	size_t i;

	buf_puts(b, "growth that would fail in 8 of 10 such comparisons: ");
	for (i = 0; i < v->n_power; i++) {
		buf_puts(b, i ? ", " : "");
		put_growth(b, &v->power[i], put_name);
	}
	if (first->growth > 0 && first->growth <= first->wanted)
		return;
	if (first->samples)
		buf_printf(b, "; +%.1fpp at %.1f%% takes %" PRIu64 " samples on each side",
			to_points(first->wanted), to_points(first->share),
			round_up(first->samples));
	else
		buf_printf(b,
			"; costs vary too much from run to run to find +%.1fpp at %.1f%%: several "
			"recordings before (--base) help, more samples do not",
			to_points(first->wanted), to_points(first->share));
}

/* Text */

static void put_parts(
	struct buf *b, const char *what, const struct verdict_parts *parts, bool compares)
{
	unsigned i;

	if (!parts->n)
		return;
	buf_printf(b, "    %s ", what);
	for (i = 0; i < parts->n; i++) {
		const struct verdict_part *p = &parts->item[i];

		buf_puts(b, i ? ", " : "");
		utf8_put_terminal(b, p->name);
		buf_putc(b, ' ');
		if (compares) {
			put_share(b, p->before);
			buf_puts(b, " -> ");
		}
		put_share(b, p->after);
	}
	if (parts->more)
		buf_printf(b, ", and %" PRIu32 " more", parts->more);
	buf_putc(b, '\n');
}

static void put_finding(struct buf *b, const struct verdict *v, const struct verdict_finding *f)
{
	const struct gate_rule *r = &v->rules->item[f->rule];

	buf_puts(b, "  ");
	if (f->name.n)
		utf8_put_terminal(b, f->name);
	else
		buf_puts(b, "all that match");
	if (f->module.n) {
		buf_puts(b, " (");
		utf8_put_terminal(b, f->module);
		buf_putc(b, ')');
	}
	buf_printf(b, ": %s ", cost_word(r));
	if (v->compares) {
		put_share(b, f->share_before);
		buf_puts(b, " -> ");
	}
	put_share(b, f->share_after);
	if (v->compares)
		buf_printf(b, ", %+.2fpp; %" PRIu64 " ->", points(f), f->before.samples);
	else
		buf_putc(b, ';');
	buf_printf(b, " %" PRIu64 " %s%s\n", f->after.samples,
		counted(f->after.samples, "sample", "samples"), f->noise ? "; may be noise" : "");
	put_parts(b, "in", &f->functions, v->compares);
	put_parts(b, "called by", &f->callers, v->compares);
}

static void put_findings_of(struct buf *b, const struct verdict *v, size_t rule)
{
	size_t i, more = 0;

	for (i = 0; i < v->n; i++) {
		if (v->finding[i].rule != rule)
			continue;
		if (v->finding[i].listed)
			put_finding(b, v, &v->finding[i]);
		else
			more++;
	}
	if (more)
		buf_printf(b, "  and %zu more\n", more);
}

void output_verdict_text(const struct verdict *v, struct sink *to)
{
	struct buf b = { 0 };
	size_t i;

	for (i = 0; i < v->rules->n; i++) {
		buf_puts(&b, v->of[i].over ? "FAILED " : "passed ");
		utf8_put_terminal(&b, v->rules->item[i].text);
		buf_puts(&b, ": ");
		put_checked(&b, v, i);
		buf_putc(&b, '\n');
		put_findings_of(&b, v, i);
	}
	for (i = 0; i < v->n_unfit; i++) {
		buf_puts(&b, "unfit: ");
		utf8_put_terminal(&b, span_of(v->unfit[i]));
		buf_putc(&b, '\n');
	}
	buf_printf(&b, "verdict: %s; ", verdict_result_name(verdict_result(v)));
	put_how(&b, v);
	buf_putc(&b, '\n');
	if (v->n_power) {
		put_power(&b, v, utf8_put_terminal);
		buf_putc(&b, '\n');
	}
	sink_put_span(to, buf_span(&b));
	buf_release(&b);
}

/* Markdown */

static void put_cell_of_parts(struct buf *b, const struct verdict_parts *parts, bool compares)
{
	unsigned i;

	for (i = 0; i < parts->n; i++) {
		buf_puts(b, i ? "<br>" : "");
		markdown_text_put_cell(b, parts->item[i].name);
		buf_putc(b, ' ');
		if (compares) {
			put_share(b, parts->item[i].before);
			buf_puts(b, " → ");
		}
		put_share(b, parts->item[i].after);
	}
	if (parts->more)
		buf_printf(b, "<br>and %" PRIu32 " more", parts->more);
}

static void put_row(struct buf *b, const struct verdict *v, const struct verdict_finding *f)
{
	const struct gate_rule *r = &v->rules->item[f->rule];

	buf_puts(b, "| ");
	if (f->name.n)
		markdown_text_put_cell(b, f->name);
	else
		put_cell_of_parts(b, &f->functions, v->compares);
	buf_puts(b, " | ");
	if (f->module.n)
		markdown_text_put_cell(b, f->module);
	buf_printf(b, " | %s | ", cost_word(r));
	if (v->compares) {
		put_share(b, f->share_before);
		buf_puts(b, " | ");
	}
	put_share(b, f->share_after);
	if (v->compares)
		buf_printf(b, " | %+.2fpp | %" PRIu64 " →", points(f), f->before.samples);
	else
		buf_puts(b, " |");
	buf_printf(b, " %" PRIu64 " | ", f->after.samples);
	put_cell_of_parts(b, &f->callers, v->compares);
	buf_puts(b, " |\n");
}

static void put_heading(struct buf *b, const struct verdict *v, bool noise)
{
	buf_puts(b, noise ? "\nOver a limit, but it may be noise:\n\n" : "\nOver a limit:\n\n");
	if (v->compares)
		buf_puts(b, "| function | module | cost | before | after | change | samples | "
			    "called by |\n|---|---|---|--:|--:|--:|--:|---|\n");
	else
		buf_puts(b, "| function | module | cost | share | samples | called by |\n"
			    "|---|---|---|--:|--:|---|\n");
}

static void put_table(struct buf *b, const struct verdict *v, bool noise)
{
	bool any = false;
	size_t i;

	for (i = 0; i < v->n; i++) {
		if (v->finding[i].noise != noise || !v->finding[i].listed)
			continue;
		if (!any)
			put_heading(b, v, noise);
		any = true;
		put_row(b, v, &v->finding[i]);
	}
}

static void put_omitted(struct buf *b, const struct verdict *v)
{
	size_t i, more = 0;

	for (i = 0; i < v->n; i++)
		more += !v->finding[i].listed;
	if (more)
		buf_printf(b, "\nand %zu more over a limit\n", more);
}

/* What was judged. */
static void put_titles(struct buf *b, const struct verdict *v)
{
	if (!v->title)
		return;
	markdown_text_put_code(b, span_of(v->title));
	if (v->subtitle && *v->subtitle) {
		buf_puts(b, "<br>");
		markdown_text_put_code(b, span_of(v->subtitle));
	}
	buf_puts(b, "\n\n");
}

void output_verdict_markdown(const struct verdict *v, struct sink *to)
{
	struct buf b = { 0 };
	size_t i;

	buf_printf(&b, "### Profile: %s\n\n", verdict_result_name(verdict_result(v)));
	put_titles(&b, v);
	buf_puts(&b, "| rule | | |\n|---|---|---|\n");
	for (i = 0; i < v->rules->n; i++) {
		buf_puts(&b, "| ");
		markdown_text_put_cell(&b, v->rules->item[i].text);
		buf_puts(&b, v->of[i].over ? " | **failed** | " : " | passed | ");
		put_checked(&b, v, i);
		buf_puts(&b, " |\n");
	}
	for (i = 0; i < v->n_unfit; i++) {
		buf_puts(&b, "| ");
		markdown_text_put_cell(&b, span_of(v->unfit[i]));
		buf_puts(&b, " | **unfit** | the recording is not good enough |\n");
	}
	put_table(&b, v, false);
	put_table(&b, v, true);
	put_omitted(&b, v);
	buf_putc(&b, '\n');
	put_how(&b, v);
	buf_puts(&b, "\n");
	if (v->n_power) {
		buf_puts(&b, "\n");
		put_power(&b, v, markdown_text_put_code);
		buf_puts(&b, "\n");
	}
	sink_put_span(to, buf_span(&b));
	buf_release(&b);
}
