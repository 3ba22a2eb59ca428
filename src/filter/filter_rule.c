/*
 * How a rule is parsed: by recursive descent over one line, without look-ahead.
 *
 *	filter_rule_parse
 *	  parse_action      the name chooses a row of the table in filter_action.c
 *	  parse_operands    the row says what follows:
 *	    parse_match       [FIELD] PATTERN: a word that is no pattern is a field
 *	      parse_pattern     pops the source, compiles it (pattern.h)
 *	    parse_label       a word, or "words"
 *
 * Every function starts at p->at and leaves it after what it parsed. All messages carry the place
 * of the rule and the column of the mistake; mistakes that PCRE2 finds have an offset within the
 * pattern, which is moved to the line.
 *
 * The syntax of patterns is Perl's (perlop, "Quote-Like Operators"): any punctuation delimits but
 * "\" and "_", brackets nest.
 */
#include "filter/filter_rule.h"

#include "base/chars.h"
#include "base/mem.h"
#include "filter/filter_action.h"

#include <stdlib.h>

struct filter_rule_parser {
	struct span text; /* the whole rule */
	size_t at;
	const char *place;
};

static struct span rest(const struct filter_rule_parser *p)
{
	return span_skip(p->text, p->at);
}

static bool at_end(const struct filter_rule_parser *p)
{
	return p->at >= p->text.n;
}

static char peek(const struct filter_rule_parser *p)
{
	return at_end(p) ? '\0' : p->text.p[p->at];
}

static void skip_blanks(struct filter_rule_parser *p)
{
	while (peek(p) == ' ' || peek(p) == '\t')
		p->at++;
}

static size_t offset_of(const struct filter_rule_parser *p, struct span part)
{
	return (size_t)(part.p - p->text.p);
}

/* The message in e gets its place in front. Columns count bytes, from 1. */
static int fail_at(const struct filter_rule_parser *p, size_t offset, struct err *e)
{
	return err_wrap(e, "%s:%zu", p->place, offset + 1);
}

static bool is_name_char(char c)
{
	return char_is_lower(c) || c == '-';
}

static struct span pop_name(struct filter_rule_parser *p)
{
	size_t start = p->at;

	while (is_name_char(peek(p)))
		p->at++;
	return (struct span){ p->text.p + start, p->at - start };
}

/* The word up to the next blank, for messages. */
static struct span first_word(struct span s)
{
	size_t n = 0;

	while (n < s.n && s.p[n] != ' ' && s.p[n] != '\t')
		n++;
	return (struct span){ s.p, n };
}

static bool is_delimiter(char c)
{
	return char_is_punct(c) && c != '\\' && c != '_';
}

static bool at_pattern(const struct filter_rule_parser *p)
{
	struct span s = rest(p);

	if (!s.n)
		return false;
	return s.p[0] == '/' ||
	       (s.n > 1 && (s.p[0] == 'm' || s.p[0] == 's') && is_delimiter(s.p[1]));
}

static char closing(char open)
{
	switch (open) {
	case '(':
		return ')';
	case '[':
		return ']';
	case '{':
		return '}';
	case '<':
		return '>';
	default:
		return open;
	}
}

/* The text up to the delimiter that closes open. As in Perl, brackets nest, and a backslash escapes
 * a delimiter; it remains in the text: "\/" is a slash in a regex and in a replacement. */
static int pop_delimited(struct filter_rule_parser *p, char open, struct span *out, struct err *e)
{
	size_t start = p->at;
	unsigned depth = 1;
	char close = closing(open);

	for (; !at_end(p); p->at++) {
		char c = peek(p);

		if (c == '\\' && p->at + 1 < p->text.n)
			p->at++;
		else if (c == close && --depth == 0)
			break;
		else if (c == open && open != close)
			depth++;
	}
	if (at_end(p)) {
		err_set(e, ERR_USAGE, "the pattern has no closing `%c`", close);
		return fail_at(p, start - 1, e);
	}
	*out = span_range(p->text.p + start, p->text.p + p->at);
	p->at++;
	return OK;
}

static int pop_replacement(struct filter_rule_parser *p, char open, struct span *out, struct err *e)
{
	if (open == closing(open))
		return pop_delimited(p, open, out, e);
	/* s{regex}{text}, s{regex} {text}, s{regex}/text/ */
	skip_blanks(p);
	open = peek(p);
	if (!is_delimiter(open)) {
		err_set(e, ERR_USAGE, "the new text is missing");
		return fail_at(p, p->at, e);
	}
	p->at++;
	return pop_delimited(p, open, out, e);
}

static int pop_pattern(struct filter_rule_parser *p, struct pattern_source *s, struct err *e)
{
	size_t start;
	char open;

	s->replaces = peek(p) == 's';
	if (peek(p) == 's' || peek(p) == 'm')
		p->at++;
	open = peek(p);
	p->at++;
	if (pop_delimited(p, open, &s->regex, e))
		return e->code;
	if (s->replaces && pop_replacement(p, open, &s->replacement, e))
		return e->code;
	start = p->at;
	while (char_is_letter(peek(p)))
		p->at++;
	s->flags = span_range(p->text.p + start, p->text.p + p->at);
	return OK;
}

static int parse_pattern(struct filter_rule_parser *p, struct filter_rule *r, struct err *e)
{
	struct pattern_source source = { 0 };
	struct pattern_fault fault = { 0 };
	size_t start = p->at;

	if (pop_pattern(p, &source, e))
		return e->code;
	if (source.replaces != (r->action->operand == OPERAND_REPLACEMENT)) {
		err_set(e, ERR_USAGE,
			source.replaces ? "`%s` takes /regex/" : "`%s` takes s/regex/text/",
			r->action->name);
		return fail_at(p, start, e);
	}
	if (pattern_new(&r->pattern, &source, &fault, e) == OK)
		return OK;
	if (fault.part == FAULT_REGEX)
		return fail_at(p, offset_of(p, source.regex) + fault.offset, e);
	if (fault.part == FAULT_FLAGS)
		return fail_at(p, offset_of(p, source.flags) + fault.offset, e);
	return fail_at(p, offset_of(p, source.replacement) + fault.offset, e);
}

/* A label in quotes, with \" and \\ for a quote and a backslash. */
static int pop_quoted(struct filter_rule_parser *p, struct buf *b, struct err *e)
{
	size_t start = p->at++;

	while (!at_end(p) && peek(p) != '"') {
		if (peek(p) == '\\' && p->at + 1 < p->text.n &&
			(p->text.p[p->at + 1] == '"' || p->text.p[p->at + 1] == '\\'))
			p->at++;
		buf_putc(b, peek(p));
		p->at++;
	}
	if (at_end(p)) {
		err_set(e, ERR_USAGE, "the label has no closing `\"`");
		return fail_at(p, start, e);
	}
	p->at++;
	return OK;
}

static int parse_label(struct filter_rule_parser *p, struct filter_rule *r, struct err *e)
{
	struct buf b = { 0 };
	size_t start = p->at;
	int rc = OK;

	if (peek(p) == '"') {
		rc = pop_quoted(p, &b, e);
	} else {
		struct span word = first_word(rest(p));

		buf_put_span(&b, word);
		p->at += word.n;
	}
	if (!rc && !b.n) {
		err_set(e, ERR_USAGE, "`%s` needs a %s", r->action->name,
			r->action->operand == OPERAND_FILE ? "name" : "label");
		rc = fail_at(p, start, e);
	}
	if (!rc)
		r->label = xstrdup(buf_str(&b));
	r->label_column = start + 1;
	buf_release(&b);
	return rc;
}

static int parse_action(struct filter_rule_parser *p, struct filter_rule *r, struct err *e)
{
	struct span word = first_word(rest(p)), name = pop_name(p);
	struct buf known = { 0 };

	r->action = span_eq(word, name) ? filter_action_find(name) : NULL;
	if (r->action) {
		r->field = filter_field_in(FIELD_FUNCTION, r->action->fields) ? FIELD_FUNCTION
									      : FIELD_COMM;
		return OK;
	}
	filter_action_put_names(&known);
	err_set(e, ERR_USAGE, "unknown action `%.*s` (known: %s)", SPAN_ARG(word), buf_str(&known));
	buf_release(&known);
	return fail_at(p, offset_of(p, word), e);
}

/* A word before the pattern. */
static int parse_field(struct filter_rule_parser *p, struct filter_rule *r, struct err *e)
{
	struct span word = first_word(rest(p)), name = pop_name(p);
	struct buf known = { 0 };

	if (!span_eq(word, name) || !filter_field_find(name, &r->field) ||
		!filter_field_in(r->field, r->action->fields)) {
		filter_field_put_names(r->action->fields, &known);
		err_set(e, ERR_USAGE, "`%s` takes /regex/ or a field before it (%s), not `%.*s`",
			r->action->name, buf_str(&known), SPAN_ARG(word));
		buf_release(&known);
		return fail_at(p, offset_of(p, word), e);
	}
	skip_blanks(p);
	return OK;
}

/* [FIELD] PATTERN */
static int parse_match(struct filter_rule_parser *p, struct filter_rule *r, struct err *e)
{
	if (at_end(p) && r->action->operand == OPERAND_OPTIONAL_PATTERN)
		return OK;
	if (!at_end(p) && !at_pattern(p) && parse_field(p, r, e))
		return e->code;
	if (!at_pattern(p)) {
		err_set(e, ERR_USAGE, "`%s` needs %s", r->action->name,
			r->action->operand == OPERAND_REPLACEMENT ? "s/regex/text/" : "/regex/");
		return fail_at(p, p->at, e);
	}
	if (parse_pattern(p, r, e))
		return e->code;
	skip_blanks(p);
	return OK;
}

static int parse_operands(struct filter_rule_parser *p, struct filter_rule *r, struct err *e)
{
	enum filter_operand operand = r->action->operand;

	skip_blanks(p);
	if (operand != OPERAND_FILE && parse_match(p, r, e))
		return e->code;
	if ((operand == OPERAND_LABEL || operand == OPERAND_FILE) && parse_label(p, r, e))
		return e->code;
	skip_blanks(p);
	if (!at_end(p)) {
		err_set(e, ERR_USAGE, "unexpected `%.*s`: `%s` takes no more",
			SPAN_ARG(first_word(rest(p))), r->action->name);
		return fail_at(p, p->at, e);
	}
	return OK;
}

int filter_rule_parse(struct filter_rule *r, struct span text, const char *place, struct err *e)
{
	struct filter_rule_parser p = { .text = text, .place = place };
	struct span shown = span_trim(text);

	*r = (struct filter_rule){ 0 };
	/* Blanks after the rule do not belong to it; blanks before it count for the column. */
	if (shown.n)
		p.text = span_range(text.p, shown.p + shown.n);
	skip_blanks(&p);
	if (!shown.n) {
		err_set(e, ERR_USAGE, "the rule is empty");
		return fail_at(&p, 0, e);
	}
	if (memchr(shown.p, '\0', shown.n) || memchr(shown.p, '\n', shown.n)) {
		err_set(e, ERR_USAGE, "a rule is one line of text");
		return fail_at(&p, 0, e);
	}
	if (parse_action(&p, r, e) || parse_operands(&p, r, e)) {
		filter_rule_release(r);
		return e->code;
	}
	r->text = xasprintf("%.*s", (int)shown.n, shown.p);
	r->place = xstrdup(place);
	return OK;
}

void filter_rule_release(struct filter_rule *r)
{
	pattern_free(r->pattern);
	free(r->label);
	free(r->text);
	free(r->place);
	*r = (struct filter_rule){ 0 };
}
