/*
 * Figures of verdicts, alike in text and in Markdown.
 */
#include "output/verdict_words.h"

#include <inttypes.h>

const char *verdict_words_cost(const struct gate_rule *r)
{
	return gate_is_self(r) ? "self" : "total";
}

void verdict_words_put_share(struct buf *b, double share)
{
	buf_printf(b, "%.2f%%", 100 * share);
}

double verdict_words_points(const struct verdict_finding *f)
{
	return 100 * (f->share_after - f->share_before);
}

void verdict_words_put_checked(struct buf *b, const struct verdict *v, size_t rule)
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

void verdict_words_put_how(struct buf *b, const struct verdict *v)
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

void verdict_words_put_power(
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
