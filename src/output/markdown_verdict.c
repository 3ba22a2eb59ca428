/*
 * What became of each rule, then all that is over a limit with what it is made of and who calls
 * it, then how it was judged. A line names its function, so that grep finds whole facts.
 */
#include "output/markdown_verdict.h"

#include "base/counted.h"
#include "output/markdown_fit.h"
#include "output/markdown_page.h"
#include "output/verdict_words.h"

#include <inttypes.h>

static void put_code(struct buf *b, struct span text)
{
	struct buf name = { 0 };

	markdown_page_put_short(&name, text, MARKDOWN_NAME_MOST);
	markdown_text_put_code(b, buf_span(&name));
	buf_release(&name);
}

static void put_rules(struct buf *b, const struct verdict *v)
{
	size_t i;

	for (i = 0; i < v->rules->n; i++) {
		buf_puts(b, v->of[i].over ? "- **failed** " : "- passed ");
		put_code(b, v->rules->item[i].text);
		buf_puts(b, ": ");
		verdict_words_put_checked(b, v, i);
		buf_putc(b, '\n');
	}
	for (i = 0; i < v->n_unfit; i++) {
		buf_puts(b, "- **unfit**, the recording is not good enough: ");
		markdown_text_put_code(b, span_of(v->unfit[i]));
		buf_putc(b, '\n');
	}
}

/* Findings */

/* What a rule is about: a function, or all that match. */
static void put_subject(struct buf *b, const struct verdict *v, const struct verdict_finding *f)
{
	if (f->name.n) {
		put_code(b, f->name);
	} else {
		buf_puts(b, "all that match ");
		put_code(b, v->rules->item[f->rule].text);
	}
}

static void put_shares(struct buf *b, const struct verdict *v, const struct verdict_finding *f,
	double before, double after)
{
	buf_printf(b, "%s ", verdict_words_cost(&v->rules->item[f->rule]));
	if (v->compares) {
		verdict_words_put_share(b, before);
		buf_puts(b, " before, ");
	}
	verdict_words_put_share(b, after);
	buf_puts(b, v->compares ? " after" : "");
}

static void put_parts(struct buf *b, const struct verdict *v, const struct verdict_finding *f,
	const char *what, const char *link, const struct verdict_parts *parts)
{
	unsigned i;

	for (i = 0; i < parts->n; i++) {
		buf_printf(b, "- %s: ", what);
		put_subject(b, v, f);
		buf_puts(b, link);
		put_code(b, parts->item[i].name);
		buf_puts(b, ", ");
		put_shares(b, v, f, parts->item[i].before, parts->item[i].after);
		buf_putc(b, '\n');
	}
	if (!parts->more)
		return;
	buf_printf(b, "- %s: ", what);
	put_subject(b, v, f);
	buf_printf(b, "%s%" PRIu32 " more\n", link, parts->more);
}

static void put_finding(struct buf *b, const struct verdict *v, const struct verdict_finding *f)
{
	buf_puts(b, f->noise ? "- over the limit, but it may be noise: " : "- over the limit: ");
	put_subject(b, v, f);
	if (f->module.n) {
		buf_puts(b, " in ");
		put_code(b, f->module);
	}
	buf_puts(b, ", ");
	put_shares(b, v, f, f->share_before, f->share_after);
	if (v->compares)
		buf_printf(b, ", %+.2fpp; %" PRIu64 " %s, then %" PRIu64 "\n",
			verdict_words_points(f), f->before.samples,
			counted(f->before.samples, "sample", "samples"), f->after.samples);
	else
		buf_printf(b, "; %" PRIu64 " %s\n", f->after.samples,
			counted(f->after.samples, "sample", "samples"));
	put_parts(b, v, f, "made of", ", ", &f->functions);
	put_parts(b, v, f, "called by", ", from ", &f->callers);
}

static void put_findings(struct buf *b, const struct verdict *v, uint32_t rows)
{
	size_t i, shown = 0;

	for (i = 0; i < v->n; i++)
		if (v->finding[i].listed && shown < rows) {
			put_finding(b, v, &v->finding[i]);
			shown++;
		}
	if (v->n > shown)
		buf_printf(b, "- and %zu more over a limit\n", v->n - shown);
}

void markdown_verdict_put(struct buf *b, const struct verdict *v, uint32_t rows)
{
	put_rules(b, v);
	put_findings(b, v, rows);
	buf_puts(b, "- judged with ");
	verdict_words_put_how(b, v);
	buf_putc(b, '\n');
	if (!v->n_power)
		return;
	buf_puts(b, "- ");
	verdict_words_put_power(b, v, put_code);
	buf_putc(b, '\n');
}

/* The verdict alone: for a pull request, or the summary of a job. */

static void put_titles(struct buf *b, const struct verdict *v)
{
	if (!v->title)
		return;
	put_code(b, span_of(v->title));
	if (v->subtitle && *v->subtitle) {
		buf_puts(b, "\n\n");
		markdown_text_put_code(b, span_of(v->subtitle));
	}
	buf_puts(b, "\n\n");
}

/* What shares are of. */
static void put_whole(struct buf *b, const struct verdict *v)
{
	buf_puts(b, !v->compares  ? "Shares are of everything.\n\n"
		    : v->absolute ? "Shares are of everything after.\n\n"
				  : "Shares are of everything on their side, before or after.\n\n");
}

static void put_alone(void *verdict, uint32_t rows, struct buf *b)
{
	const struct verdict *v = verdict;

	buf_printf(b, "### Profile: %s\n\n", verdict_result_name(verdict_result(v)));
	put_titles(b, v);
	put_whole(b, v);
	markdown_verdict_put(b, v, rows);
}

void output_verdict_markdown(const struct verdict *v, struct sink *to)
{
	struct buf b = { 0 };
	struct verdict verdict = *v;

	markdown_fit(&b, v->page_tokens, put_alone, &verdict);
	sink_put_span(to, buf_span(&b));
	buf_release(&b);
}
