/*
 * where_list_add() parses a condition from the front: field (perhaps with an element: args[2]),
 * operator, and the rest is the value. Longer operators are tried first. The value is kept as a
 * string, and as a number if it is one, or compiled if the operator is ~ or !~.
 *
 * where_holds() compares numbers where both sides are numbers, as 128-bit integers: fields are
 * signed or unsigned 64-bit ones, and -1 is less than 2^64 - 1. Otherwise it compares the string
 * that a user sees.
 */
#include "model/where.h"

#include "base/chars.h"
#include "base/mem.h"
#include "model/name_pattern.h"

#include <stdlib.h>

enum where_op {
	WHERE_EQUAL,
	WHERE_UNEQUAL,
	WHERE_LESS,
	WHERE_LESS_EQUAL,
	WHERE_GREATER,
	WHERE_GREATER_EQUAL,
	WHERE_MATCHES,
	WHERE_DIFFERS,
};

struct where_condition {
	char *field, *text;
	enum where_op op;
	struct field_value number;    /* of text, if that is one */
	struct name_pattern *pattern; /* of ~ and !~ */
};

/* The name at the front of *s, with its element. */
static struct span pop_name(struct span *s)
{
	size_t n = 0;
	struct span name;

	while (n < s->n && char_is_word(s->p[n]))
		n++;
	if (n && n < s->n && s->p[n] == '[') {
		for (n++; n < s->n && char_is_digit(s->p[n]); n++)
			;
		if (n < s->n && s->p[n] == ']')
			n++;
	}
	name = (struct span){ s->p, n };
	*s = span_skip(*s, n);
	return name;
}

/* Longer operators come first. */
static const struct {
	struct span text;
	enum where_op op;
} operators[] = {
	{ { "<=", 2 }, WHERE_LESS_EQUAL },
	{ { ">=", 2 }, WHERE_GREATER_EQUAL },
	{ { "!=", 2 }, WHERE_UNEQUAL },
	{ { "!~", 2 }, WHERE_DIFFERS },
	{ { "==", 2 }, WHERE_EQUAL },
	{ { "=", 1 }, WHERE_EQUAL },
	{ { "<", 1 }, WHERE_LESS },
	{ { ">", 1 }, WHERE_GREATER },
	{ { "~", 1 }, WHERE_MATCHES },
};

static bool pop_operator(struct span *s, enum where_op *op)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(operators); i++) {
		if (!span_starts(*s, operators[i].text))
			continue;
		*op = operators[i].op;
		*s = span_skip(*s, operators[i].text.n);
		return true;
	}
	return false;
}

static struct span unquote(struct span s)
{
	if (s.n >= 2 && s.p[0] == '"' && s.p[s.n - 1] == '"')
		return (struct span){ s.p + 1, s.n - 2 };
	return s;
}

static char *copy_string(struct span s)
{
	char *copy = xmalloc(s.n + 1);

	if (s.n)
		memcpy(copy, s.p, s.n);
	copy[s.n] = '\0';
	return copy;
}

static bool is_order(enum where_op op)
{
	return op >= WHERE_LESS && op <= WHERE_GREATER_EQUAL;
}

static void condition_release(struct where_condition *w)
{
	free(w->field);
	free(w->text);
	name_pattern_free(w->pattern);
}

static int compile(struct where_condition *w, const char *text, struct err *e)
{
	if (w->op == WHERE_MATCHES || w->op == WHERE_DIFFERS)
		return name_pattern_new(&w->pattern, w->text, e);
	if (!field_value_scan(span_of(w->text), &w->number) && is_order(w->op))
		return err_set(
			e, ERR_USAGE, "\"%.200s\": \"%.100s\" is not a number", text, w->text);
	return OK;
}

int where_list_add(struct where_list *l, const char *text, struct err *e)
{
	struct where_condition w = { 0 };
	struct span rest = span_trim(span_of(text)), name, field;
	int32_t element;

	name = pop_name(&rest);
	rest = span_trim(rest);
	if (!field_value_split_name(name, &field, &element) || !pop_operator(&rest, &w.op))
		return err_set(e, ERR_USAGE,
			"\"%.200s\" is not FIELD OP VALUE; OP is one of = != < <= > >= ~ !~", text);
	w.field = copy_string(name);
	w.text = copy_string(unquote(span_trim(rest)));
	if (compile(&w, text, e)) {
		condition_release(&w);
		return e->code;
	}
	ARRAY_GROW(l->item, l->n, l->cap);
	l->item[l->n++] = w;
	return OK;
}

void where_list_release(struct where_list *l)
{
	while (l->n)
		condition_release(&l->item[--l->n]);
	free(l->item);
	*l = (struct where_list){ 0 };
}

struct span where_field(const struct where_list *l, size_t i)
{
	return span_of(l->item[i].field);
}

static int compare_numbers(const struct field_value *a, const struct field_value *b)
{
	__int128 x = a->is_signed ? (__int128)(int64_t)a->number : (__int128)a->number;
	__int128 y = b->is_signed ? (__int128)(int64_t)b->number : (__int128)b->number;

	return x < y ? -1 : x > y;
}

static bool order_holds(enum where_op op, int order)
{
	switch (op) {
	case WHERE_EQUAL:
		return order == 0;
	case WHERE_UNEQUAL:
		return order != 0;
	case WHERE_LESS:
		return order < 0;
	case WHERE_LESS_EQUAL:
		return order <= 0;
	case WHERE_GREATER:
		return order > 0;
	case WHERE_GREATER_EQUAL:
		return order >= 0;
	case WHERE_MATCHES:
	case WHERE_DIFFERS:
		break;
	}
	return false;
}

static bool string_holds(const struct where_condition *w, struct span text)
{
	switch (w->op) {
	case WHERE_EQUAL:
		return span_eq(text, span_of(w->text));
	case WHERE_UNEQUAL:
		return !span_eq(text, span_of(w->text));
	case WHERE_MATCHES:
		return name_pattern_matches(w->pattern, text);
	case WHERE_DIFFERS:
		return !name_pattern_matches(w->pattern, text);
	default:
		return false;
	}
}

bool where_holds(const struct where_list *l, size_t i, const struct field_value *v)
{
	const struct where_condition *w = &l->item[i];
	struct buf b = { 0 };
	bool holds;

	if (w->number.has_number && v->has_number)
		return order_holds(w->op, compare_numbers(v, &w->number));
	if (v->has_text)
		return string_holds(w, v->text);
	field_value_put(&b, v);
	holds = string_holds(w, buf_span(&b));
	buf_release(&b);
	return holds;
}
