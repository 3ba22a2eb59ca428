/*
 * --require: conditions on how good a recording is. A measure is a row in measures[]: its name, and
 * the function that gets a part and a whole, in samples or frames, from the result. "lost<1%"
 * compares the share, "samples>1000" or "lost<10" the part itself. A condition is kept with its
 * text, which the line about a failure repeats.
 */
#include "cli/requirements.h"

#include "base/buf.h"
#include "base/mem.h"
#include "model/frame_account.h"
#include "pipeline/pipeline.h"

#include <inttypes.h>
#include <stdlib.h>

/* A part of a whole, in samples. */
struct measured {
	uint64_t part, whole;
};

static uint64_t kept(const struct pipeline_result *r)
{
	const struct profile *p = r->by_name ? r->by_name : r->profile;
	uint64_t n = 0;
	size_t i;

	/* The count of a line of folded stacks is a number of samples. */
	if (p)
		return diff_count_samples(p);
	for (i = 0; i < r->n_recordings; i++)
		n += r->recordings[i]->samples_kept;
	return n;
}

static struct measured measure_samples(const struct pipeline_result *r)
{
	return (struct measured){ kept(r), kept(r) };
}

static struct measured measure_lost(const struct pipeline_result *r)
{
	struct measured m = { .part = r->diag.count[DIAG_LOST] };
	size_t i;

	m.whole = m.part;
	for (i = 0; i < r->n_recordings; i++)
		m.whole += r->recordings[i]->samples_read;
	return m;
}

static struct measured measure_unresolved(const struct pipeline_result *r)
{
	struct frame_account a = { 0 };
	size_t i;

	for (i = 0; i < r->n_recordings; i++)
		frame_account_add(&a, r->recordings[i]);
	return (struct measured){ a.frames - a.why[WHY_HAS_NAME], a.frames };
}

static struct measured of_samples(const struct pipeline_result *r, uint64_t part)
{
	uint64_t whole = kept(r);

	/* With --truncated drop the whole does not have what was dropped. */
	return (struct measured){ part, whole > part ? whole : part };
}

static struct measured measure_truncated(const struct pipeline_result *r)
{
	return of_samples(r, diag_truncated(&r->diag) - r->diag.count[DIAG_STACK_JOINED]);
}

static struct measured measure_broken(const struct pipeline_result *r)
{
	const uint64_t *count = r->diag.count;

	return of_samples(r, count[DIAG_STACK_BROKEN] + count[DIAG_STACK_NO_FILE]);
}

static const struct {
	struct span name;
	struct measured (*measure)(const struct pipeline_result *r);
	bool has_share;
} measures[] = {
	{ { "samples", 7 }, measure_samples, false },
	{ { "lost", 4 }, measure_lost, true },
	{ { "unresolved", 10 }, measure_unresolved, true },
	{ { "truncated", 9 }, measure_truncated, true },
	{ { "broken", 6 }, measure_broken, true },
};

/* The parser. */

struct requirement_parser {
	const char *whole;
	struct span rest;
	struct err *e;
};

static int syntax_error(const struct requirement_parser *p, const char *what)
{
	return err_set(p->e, ERR_USAGE, "\"%.200s\", column %zu: %s", p->whole,
		(size_t)(p->rest.p - p->whole) + 1, what);
}

static void skip_blanks(struct requirement_parser *p)
{
	while (p->rest.n && (p->rest.p[0] == ' ' || p->rest.p[0] == '\t' || p->rest.p[0] == '\n'))
		p->rest = span_skip(p->rest, 1);
}

static int parse_measure(struct requirement_parser *p, struct requirement *q)
{
	for (q->measure = 0; q->measure < ARRAY_LEN(measures); q->measure++)
		if (span_take(&p->rest, measures[q->measure].name))
			return OK;
	return syntax_error(p, "not one of samples, lost, unresolved, truncated, broken");
}

static int parse_limit(struct requirement_parser *p, struct requirement *q)
{
	skip_blanks(p);
	q->less = span_take(&p->rest, SPAN("<"));
	if (!q->less && !span_take(&p->rest, SPAN(">")))
		return syntax_error(p, "\"<\" or \">\" is missing");
	q->or_equal = span_take(&p->rest, SPAN("="));
	skip_blanks(p);
	if (!span_scan_double(&p->rest, &q->limit))
		return syntax_error(p, "a number is missing");
	if (!measures[q->measure].has_share)
		return OK;
	skip_blanks(p);
	q->percent = span_take(&p->rest, SPAN("%"));
	return OK;
}

int requirements_parse(struct requirements *q, const char *text, struct err *e)
{
	struct requirement_parser p = { text, span_of(text), e };

	for (;;) {
		struct requirement one = { 0 };

		skip_blanks(&p);
		one.text = p.rest;
		if (parse_measure(&p, &one) || parse_limit(&p, &one))
			return e->code;
		one.text = span_trim(span_range(one.text.p, p.rest.p));
		ARRAY_GROW(q->item, q->n, q->cap);
		q->item[q->n++] = one;
		skip_blanks(&p);
		if (!p.rest.n)
			return OK;
		if (!span_take(&p.rest, SPAN(",")))
			return syntax_error(&p, "\",\" or the end is missing");
	}
}

void requirements_release(struct requirements *q)
{
	free(q->item);
	*q = (struct requirements){ 0 };
}

/* The check. */

static double percent_of(const struct measured *m)
{
	return m->whole ? 100 * (double)m->part / (double)m->whole : 0;
}

static bool holds(const struct requirement *q, double value)
{
	if (q->or_equal && !(value < q->limit) && !(value > q->limit))
		return true;
	return q->less ? value < q->limit : value > q->limit;
}

void requirements_report(const struct requirements *q, const struct pipeline_result *r,
	void (*put)(void *ctx, const char *line), void *ctx)
{
	struct buf line = { 0 };
	size_t i;

	for (i = 0; i < q->n; i++) {
		const struct requirement *one = &q->item[i];
		struct measured m = measures[one->measure].measure(r);

		if (holds(one, one->percent ? percent_of(&m) : (double)m.part))
			continue;
		line.n = 0;
		buf_put_span(&line, one->text);
		if (measures[one->measure].has_share)
			buf_printf(&line, ": %.2f%% (%" PRIu64 " of %" PRIu64 ")", percent_of(&m),
				m.part, m.whole);
		else
			buf_printf(&line, ": %" PRIu64, m.part);
		put(ctx, buf_str(&line));
	}
	buf_release(&line);
}
