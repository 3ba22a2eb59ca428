/*
 * The grammar in gate.h, parsed by recursive descent: a function for each part of a rule, which
 * accepts what it expects from the front of rest or fails with the column. fail() returns the error
 * code, so that callers return its result.
 *
 * Checks beyond the grammar are made as soon as their part is read, so that the column of the
 * message is that part's: growth and "new" need a comparison, "+N" is in points or percent, a share
 * is at most 100 %. "+N%" is stored as the ratio that it means: +10% is 1.1 times.
 *
 * "default" is replaced by GATE_DEFAULT, parsed as if it had been written.
 */
#include "compare/gate.h"

#include "base/buf.h"
#include "base/chars.h"
#include "base/mem.h"
#include "model/sample_choice.h"

#include <stdlib.h>

struct gate_parser {
	const char *whole;
	struct span rest;
	bool compares;
	struct err *e;
};

static void skip_blanks(struct gate_parser *p)
{
	while (p->rest.n && char_is_space(p->rest.p[0]))
		p->rest = span_skip(p->rest, 1);
}

static int fail_at(const struct gate_parser *p, const char *at, const char *what)
{
	return err_set(p->e, ERR_USAGE, "\"%.200s\", column %zu: %s", p->whole,
		(size_t)(at - p->whole) + 1, what);
}

static int fail(const struct gate_parser *p, const char *what)
{
	return fail_at(p, p->rest.p, what);
}

static bool accept(struct gate_parser *p, struct span word)
{
	if (!span_starts(p->rest, word))
		return false;
	p->rest = span_skip(p->rest, word.n);
	return true;
}

/* What a rule is about */

static const struct {
	struct span name;
	enum gate_what what;
} whats[] = {
	{ { "self", 4 }, GATE_SELF },
	{ { "total", 5 }, GATE_TOTAL },
	{ { "any-self", 8 }, GATE_ANY_SELF },
	{ { "any-total", 9 }, GATE_ANY_TOTAL },
	{ { "new", 3 }, GATE_NEW },
};

static int parse_what(struct gate_parser *p, struct gate_rule *r)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(whats); i++) {
		if (!accept(p, whats[i].name))
			continue;
		r->what = whats[i].what;
		if (r->what == GATE_NEW && !p->compares)
			return fail(p, "\"new\" is for comparisons: perfold diff");
		return OK;
	}
	return fail(p, "not one of self, total, any-self, any-total, new, default");
}

static int parse_field(struct gate_parser *p, struct gate_rule *r)
{
	static const struct {
		struct span name;
		enum gate_field field;
	} fields[] = { { { "function:", 9 }, GATE_FUNCTION }, { { "module:", 7 }, GATE_MODULE },
		{ { "file:", 5 }, GATE_FILE } };
	size_t i;

	for (i = 0; i < ARRAY_LEN(fields); i++) {
		if (accept(p, fields[i].name)) {
			r->field = fields[i].field;
			break;
		}
	}
	skip_blanks(p);
	if (!accept(p, SPAN("/")))
		return fail(p, "an expression is missing: /regex/, module:/regex/ or file:/regex/");
	return OK;
}

/* Up to the slash that ends it; "\/" is a slash within it. */
static int parse_regex(struct gate_parser *p, struct gate_rule *r)
{
	struct span regex = { p->rest.p, 0 };
	struct buf text = { 0 };
	struct err why = { 0 };
	bool any_case;
	int rc;

	while (regex.n < p->rest.n && regex.p[regex.n] != '/')
		regex.n += regex.p[regex.n] == '\\' && regex.n + 1 < p->rest.n ? 2 : 1;
	if (regex.n >= p->rest.n)
		return fail(p, "the expression has no end: /regex/");
	p->rest = span_skip(p->rest, regex.n + 1);
	any_case = accept(p, SPAN("i"));
	buf_puts(&text, any_case ? "(?i)" : "");
	buf_put_span(&text, regex);
	rc = name_pattern_new(&r->pattern, buf_str(&text), &why);
	buf_release(&text);
	return rc ? fail_at(p, regex.p, why.msg) : OK;
}

static int parse_selection(struct gate_parser *p, struct gate_rule *r)
{
	skip_blanks(p);
	if (!accept(p, SPAN("("))) {
		if (r->what == GATE_SELF || r->what == GATE_TOTAL)
			return fail(p, "say of which functions: self(/regex/), total(/regex/)");
		return OK;
	}
	skip_blanks(p);
	if (parse_field(p, r) || parse_regex(p, r))
		return p->e->code;
	skip_blanks(p);
	return accept(p, SPAN(")")) ? OK : fail(p, "\")\" is missing");
}

/* Limits */

static int parse_unit(struct gate_parser *p, struct gate_rule *r, bool grows)
{
	if (grows && accept(p, SPAN("pp"))) {
		r->limit_by = GATE_POINTS;
	} else if (grows && accept(p, SPAN("%"))) {
		r->limit_by = GATE_TIMES;
		r->limit = 1 + r->limit / 100;
	} else if (!grows && accept(p, SPAN("x"))) {
		r->limit_by = GATE_TIMES;
	} else if (!grows && accept(p, SPAN("%"))) {
		r->limit_by = GATE_SHARE;
	} else {
		return fail(p, grows ? "+N needs a unit: pp or %" : "N needs a unit: x or %");
	}
	return OK;
}

static int check_limit(const struct gate_parser *p, const struct gate_rule *r, const char *at)
{
	if (r->limit_by == GATE_SHARE)
		return r->limit > 100 ? fail_at(p, at, "nothing is more than 100%") : OK;
	if (!p->compares)
		return fail_at(p, at, "growth is for comparisons: perfold diff");
	if (r->what == GATE_NEW)
		return fail_at(p, at, "what is new has not grown: new > N%");
	if (r->limit_by == GATE_TIMES && r->limit < 1)
		return fail_at(p, at, "below 1x is not growth");
	return OK;
}

static int parse_limit(struct gate_parser *p, struct gate_rule *r)
{
	const char *at;
	bool grows;

	skip_blanks(p);
	if (!accept(p, SPAN(">")))
		return fail(p, "\">\" is missing");
	skip_blanks(p);
	at = p->rest.p;
	grows = accept(p, SPAN("+"));
	skip_blanks(p);
	if (!span_scan_double(&p->rest, &r->limit))
		return fail(p, "a number is missing: +2pp, +10%, 1.2x, 5%");
	skip_blanks(p);
	return parse_unit(p, r, grows) ? p->e->code : check_limit(p, r, at);
}

/* Rules */

static int parse_rule(struct gate_parser *p, struct gate_rules *g)
{
	struct gate_rule r = { .text = p->rest };
	int rc = parse_what(p, &r);

	if (!rc)
		rc = parse_selection(p, &r);
	if (!rc)
		rc = parse_limit(p, &r);
	if (rc) {
		name_pattern_free(r.pattern);
		return rc;
	}
	r.text = span_trim(span_range(r.text.p, p->rest.p));
	ARRAY_GROW(g->item, g->n, g->cap);
	g->item[g->n++] = r;
	return OK;
}

int gate_rules_parse(struct gate_rules *g, const char *text, bool compares, struct err *e)
{
	struct gate_parser p = { text, span_of(text), compares, e };

	for (;;) {
		int rc;

		skip_blanks(&p);
		if (accept(&p, SPAN("default")))
			rc = compares ? gate_rules_parse(g, GATE_DEFAULT, true, e)
				      : fail(&p, "the default rules are for comparisons: perfold "
						 "diff");
		else
			rc = parse_rule(&p, g);
		if (rc)
			return rc;
		skip_blanks(&p);
		if (!p.rest.n)
			return OK;
		if (!accept(&p, SPAN(",")))
			return fail(&p, "\",\" or the end of the rule is missing");
	}
}

void gate_rules_release(struct gate_rules *g)
{
	while (g->n)
		name_pattern_free(g->item[--g->n].pattern);
	free(g->item);
	*g = (struct gate_rules){ 0 };
}

bool gate_is_any(const struct gate_rule *r)
{
	return r->what == GATE_ANY_SELF || r->what == GATE_ANY_TOTAL || r->what == GATE_NEW;
}

bool gate_is_self(const struct gate_rule *r)
{
	return r->what == GATE_SELF || r->what == GATE_ANY_SELF;
}
