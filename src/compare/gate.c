#include "compare/gate.h"

#include "base/buf.h"
#include "base/mem.h"
#include "model/sample_choice.h"

#include <stdlib.h>

struct parser {
	const char *whole;
	struct span rest;
	bool compares;
	struct err *e;
};

static void skip_blanks(struct parser *p)
{
	while (p->rest.n && (p->rest.p[0] == ' ' || p->rest.p[0] == '\t' || p->rest.p[0] == '\n'))
		p->rest = span_skip(p->rest, 1);
}

static int wrong_at(const struct parser *p, const char *at, const char *what)
{
	return err_set(p->e, ERR_USAGE, "\"%.200s\", column %zu: %s", p->whole,
		(size_t)(at - p->whole) + 1, what);
}

static int wrong(const struct parser *p, const char *what)
{
	return wrong_at(p, p->rest.p, what);
}

static bool take(struct parser *p, struct span word)
{
	if (!span_starts(p->rest, word))
		return false;
	p->rest = span_skip(p->rest, word.n);
	return true;
}

/* ---- what is looked at -------------------------------------------------------------------- */

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

static int parse_what(struct parser *p, struct gate_rule *r)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(whats); i++) {
		if (!take(p, whats[i].name))
			continue;
		r->what = whats[i].what;
		if (r->what == GATE_NEW && !p->compares)
			return wrong(p, "\"new\" is for comparisons: perfold diff");
		return OK;
	}
	return wrong(p, "not one of self, total, any-self, any-total, new, default");
}

static int parse_field(struct parser *p, struct gate_rule *r)
{
	static const struct {
		struct span name;
		enum gate_field field;
	} fields[] = { { { "function:", 9 }, GATE_FUNCTION }, { { "module:", 7 }, GATE_MODULE },
		{ { "file:", 5 }, GATE_FILE } };
	size_t i;

	for (i = 0; i < ARRAY_LEN(fields); i++) {
		if (take(p, fields[i].name)) {
			r->field = fields[i].field;
			break;
		}
	}
	skip_blanks(p);
	if (!take(p, SPAN("/")))
		return wrong(
			p, "an expression is missing: /regex/, module:/regex/ or file:/regex/");
	return OK;
}

/* Up to the slash that ends it; "\/" is a slash within it. */
static int parse_regex(struct parser *p, struct gate_rule *r)
{
	struct span regex = { p->rest.p, 0 };
	struct buf text = { 0 };
	struct err why = { 0 };
	bool any_case;
	int rc;

	while (regex.n < p->rest.n && regex.p[regex.n] != '/')
		regex.n += regex.p[regex.n] == '\\' && regex.n + 1 < p->rest.n ? 2 : 1;
	if (regex.n >= p->rest.n)
		return wrong(p, "the expression has no end: /regex/");
	p->rest = span_skip(p->rest, regex.n + 1);
	any_case = take(p, SPAN("i"));
	buf_puts(&text, any_case ? "(?i)" : "");
	buf_put_span(&text, regex);
	rc = name_pattern_new(&r->pattern, buf_str(&text), &why);
	buf_release(&text);
	return rc ? wrong_at(p, regex.p, why.msg) : OK;
}

static int parse_selection(struct parser *p, struct gate_rule *r)
{
	skip_blanks(p);
	if (!take(p, SPAN("("))) {
		if (r->what == GATE_SELF || r->what == GATE_TOTAL)
			return wrong(p, "say of which functions: self(/regex/), total(/regex/)");
		return OK;
	}
	skip_blanks(p);
	if (parse_field(p, r) || parse_regex(p, r))
		return p->e->code;
	skip_blanks(p);
	return take(p, SPAN(")")) ? OK : wrong(p, "\")\" is missing");
}

/* ---- the limit ---------------------------------------------------------------------------- */

static int parse_unit(struct parser *p, struct gate_rule *r, bool grows)
{
	if (grows && take(p, SPAN("pp"))) {
		r->limit_by = GATE_POINTS;
	} else if (grows && take(p, SPAN("%"))) {
		r->limit_by = GATE_TIMES;
		r->limit = 1 + r->limit / 100;
	} else if (!grows && take(p, SPAN("x"))) {
		r->limit_by = GATE_TIMES;
	} else if (!grows && take(p, SPAN("%"))) {
		r->limit_by = GATE_SHARE;
	} else {
		return wrong(p, grows ? "+N needs a unit: pp or %" : "N needs a unit: x or %");
	}
	return OK;
}

static int check_limit(const struct parser *p, const struct gate_rule *r, const char *at)
{
	if (r->limit_by == GATE_SHARE)
		return r->limit > 100 ? wrong_at(p, at, "nothing is more than 100%") : OK;
	if (!p->compares)
		return wrong_at(p, at, "growth is for comparisons: perfold diff");
	if (r->what == GATE_NEW)
		return wrong_at(p, at, "what is new has not grown: new > N%");
	if (r->limit_by == GATE_TIMES && r->limit < 1)
		return wrong_at(p, at, "below 1x is not growth");
	return OK;
}

static int parse_limit(struct parser *p, struct gate_rule *r)
{
	const char *at;
	bool grows;

	skip_blanks(p);
	if (!take(p, SPAN(">")))
		return wrong(p, "\">\" is missing");
	skip_blanks(p);
	at = p->rest.p;
	grows = take(p, SPAN("+"));
	skip_blanks(p);
	if (!span_scan_double(&p->rest, &r->limit))
		return wrong(p, "a number is missing: +2pp, +10%, 1.2x, 5%");
	skip_blanks(p);
	return parse_unit(p, r, grows) ? p->e->code : check_limit(p, r, at);
}

/* ---- rules -------------------------------------------------------------------------------- */

static int parse_rule(struct parser *p, struct gate_rules *g)
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
	struct parser p = { text, span_of(text), compares, e };

	for (;;) {
		int rc;

		skip_blanks(&p);
		if (take(&p, SPAN("default")))
			rc = compares ? gate_rules_parse(g, GATE_DEFAULT, true, e)
				      : wrong(&p, "the default rules are for comparisons: perfold "
						  "diff");
		else
			rc = parse_rule(&p, g);
		if (rc)
			return rc;
		skip_blanks(&p);
		if (!p.rest.n)
			return OK;
		if (!take(&p, SPAN(",")))
			return wrong(&p, "\",\" or the end of the rule is missing");
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
