#include "model/field_value.h"

#include "base/mem.h"
#include "model/sample_choice.h"

#include <inttypes.h>
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
	struct field_value number;    /* of the text, if it is one */
	struct name_pattern *pattern; /* of ~ and !~ */
};

void field_value_put(struct buf *b, const struct field_value *v)
{
	if (v->has_text)
		buf_put_span(b, v->text);
	else if (v->has_number && v->is_address)
		buf_printf(b, "0x%" PRIx64, v->number);
	else if (v->has_number && v->is_signed)
		buf_printf(b, "%" PRId64, (int64_t)v->number);
	else if (v->has_number)
		buf_printf(b, "%" PRIu64, v->number);
}

bool field_value_scan(struct span text, struct field_value *v)
{
	bool negative = text.n && text.p[0] == '-';
	bool hex;

	*v = (struct field_value){ 0 };
	if (negative)
		text = span_skip(text, 1);
	hex = span_starts(text, SPAN("0x"));
	if (hex)
		text = span_skip(text, 2);
	if (!(hex ? span_scan_hex(&text, &v->number) : span_scan_u64(&text, &v->number)) ||
		text.n || (negative && v->number > (uint64_t)INT64_MAX))
		return false;
	v->has_number = true;
	v->is_signed = negative;
	v->is_address = hex;
	if (negative)
		v->number = -v->number;
	return true;
}

static bool is_name_char(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z');
}

/* The name at the front of s, with its element. */
static struct span take_name(struct span *s)
{
	size_t n = 0;
	struct span name;

	while (n < s->n && is_name_char(s->p[n]))
		n++;
	if (n && n < s->n && s->p[n] == '[') {
		for (n++; n < s->n && s->p[n] >= '0' && s->p[n] <= '9'; n++)
			;
		if (n < s->n && s->p[n] == ']')
			n++;
	}
	name = (struct span){ s->p, n };
	*s = span_skip(*s, n);
	return name;
}

bool field_value_split_name(struct span s, struct span *name, int32_t *element)
{
	struct span rest = s;
	uint64_t v;
	size_t n = 0;

	*element = -1;
	while (n < s.n && is_name_char(s.p[n]))
		n++;
	*name = (struct span){ s.p, n };
	rest = span_skip(s, n);
	if (!n || !rest.n)
		return n > 0;
	if (rest.p[0] != '[')
		return false;
	rest = span_skip(rest, 1);
	if (!span_scan_u64(&rest, &v) || v > UINT16_MAX || !span_eq(rest, SPAN("]")))
		return false;
	*element = (int32_t)v;
	return true;
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

static bool take_operator(struct span *s, enum where_op *op)
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

static char *copy_text(struct span s)
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

static void where_release(struct where_condition *w)
{
	free(w->field);
	free(w->text);
	name_pattern_free(w->pattern);
}

static int finish_where(struct where_condition *w, const char *text, struct err *e)
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

	name = take_name(&rest);
	rest = span_trim(rest);
	if (!field_value_split_name(name, &field, &element) || !take_operator(&rest, &w.op))
		return err_set(e, ERR_USAGE,
			"\"%.200s\" is not FIELD OP VALUE; OP is one of = != < <= > >= ~ !~", text);
	w.field = copy_text(name);
	w.text = copy_text(unquote(span_trim(rest)));
	if (finish_where(&w, text, e)) {
		where_release(&w);
		return e->code;
	}
	ARRAY_GROW(l->item, l->n, l->cap);
	l->item[l->n++] = w;
	return OK;
}

void where_list_release(struct where_list *l)
{
	while (l->n)
		where_release(&l->item[--l->n]);
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

static bool text_holds(const struct where_condition *w, struct span text)
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
		return text_holds(w, v->text);
	field_value_put(&b, v);
	holds = text_holds(w, buf_span(&b));
	buf_release(&b);
	return holds;
}
