#include "model/number_list.h"

#include "base/mem.h"
#include "base/span.h"

#include <stdlib.h>

/* "-1" is a process too: perf gives it to what belongs to none. */
static bool parse_number(struct span *s, int64_t *n)
{
	struct span rest = *s;
	bool negative = rest.n > 1 && rest.p[0] == '-';
	uint64_t v;

	if (negative)
		rest = span_skip(rest, 1);
	if (!span_scan_u64(&rest, &v) || v > INT64_MAX)
		return false;
	*n = negative ? -(int64_t)v : (int64_t)v;
	*s = rest;
	return true;
}

static bool parse_range(struct span *s, struct number_range *r)
{
	if (!parse_number(s, &r->from))
		return false;
	r->to = r->from;
	if (!s->n || s->p[0] != '-')
		return true;
	*s = span_skip(*s, 1);
	return parse_number(s, &r->to) && r->to >= r->from;
}

int number_list_parse(struct number_list *l, const char *text, struct err *e)
{
	struct span s = span_of(text);
	uint32_t cap = 0;

	*l = (struct number_list){ 0 };
	for (;;) {
		struct number_range r;

		if (!parse_range(&s, &r))
			break;
		ARRAY_GROW(l->range, l->n, cap);
		l->range[l->n++] = r;
		if (!s.n)
			return OK;
		if (s.p[0] != ',')
			break;
		s = span_skip(s, 1);
	}
	number_list_release(l);
	return err_set(
		e, ERR_USAGE, "\"%s\" is not a list of numbers and ranges such as 0,2-5", text);
}

bool number_list_has(const struct number_list *l, int64_t n)
{
	uint32_t i;

	for (i = 0; i < l->n; i++)
		if (n >= l->range[i].from && n <= l->range[i].to)
			return true;
	return l->n == 0;
}

void number_list_release(struct number_list *l)
{
	free(l->range);
	*l = (struct number_list){ 0 };
}
