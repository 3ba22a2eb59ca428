/*
 * verdict_text.c - a verdict for a terminal or a log
 */
#include "output/output.h"

#include "base/counted.h"
#include "base/utf8.h"
#include "output/verdict_words.h"

#include <inttypes.h>

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
			verdict_words_put_share(b, p->before);
			buf_puts(b, " -> ");
		}
		verdict_words_put_share(b, p->after);
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
	buf_printf(b, ": %s ", verdict_words_cost(r));
	if (v->compares) {
		verdict_words_put_share(b, f->share_before);
		buf_puts(b, " -> ");
	}
	verdict_words_put_share(b, f->share_after);
	if (v->compares)
		buf_printf(
			b, ", %+.2fpp; %" PRIu64 " ->", verdict_words_points(f), f->before.samples);
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
		verdict_words_put_checked(&b, v, i);
		buf_putc(&b, '\n');
		put_findings_of(&b, v, i);
	}
	for (i = 0; i < v->n_unfit; i++) {
		buf_puts(&b, "unfit: ");
		utf8_put_terminal(&b, span_of(v->unfit[i]));
		buf_putc(&b, '\n');
	}
	buf_printf(&b, "verdict: %s; ", verdict_result_name(verdict_result(v)));
	verdict_words_put_how(&b, v);
	buf_putc(&b, '\n');
	if (v->n_power) {
		verdict_words_put_power(&b, v, utf8_put_terminal);
		buf_putc(&b, '\n');
	}
	sink_put_span(to, buf_span(&b));
	buf_release(&b);
}
