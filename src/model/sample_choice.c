#include "model/sample_choice.h"

#include "base/mem.h"
#include "base/saturated.h"
#include "base/utf8.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>

#define NANO UINT64_C(1000000000)

struct name_pattern {
	pcre2_code *code;
	pcre2_match_context *limits;
};

/* ---- lists of numbers --------------------------------------------------------------------- */

/* "-1" is a process too: perf gives it to what belongs to none. */
static bool take_number(struct span *s, int64_t *n)
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

static bool take_range(struct span *s, struct number_range *r)
{
	if (!take_number(s, &r->from))
		return false;
	r->to = r->from;
	if (!s->n || s->p[0] != '-')
		return true;
	*s = span_skip(*s, 1);
	return take_number(s, &r->to) && r->to >= r->from;
}

int number_list_parse(struct number_list *l, const char *text, struct err *e)
{
	struct span s = span_of(text);
	uint32_t cap = 0;

	*l = (struct number_list){ 0 };
	for (;;) {
		struct number_range r;

		if (!take_range(&s, &r))
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

/* ---- names -------------------------------------------------------------------------------- */

static int pattern_error(const char *regex, int code, size_t at, struct err *e)
{
	PCRE2_UCHAR text[256];

	pcre2_get_error_message(code, text, sizeof(text));
	return err_set(e, ERR_USAGE, "regular expression \"%s\": at %zu: %s", regex, at, text);
}

int name_pattern_new(struct name_pattern **p, const char *regex, struct err *e)
{
	uint32_t utf = utf8_valid(span_of(regex)) ? PCRE2_UTF | PCRE2_MATCH_INVALID_UTF : 0;
	PCRE2_SIZE at;
	int code;
	pcre2_code *re = pcre2_compile((PCRE2_SPTR)regex, PCRE2_ZERO_TERMINATED,
		utf | PCRE2_NEVER_BACKSLASH_C, &code, &at, NULL);

	*p = NULL;
	if (!re)
		return pattern_error(regex, code, at, e);
	pcre2_jit_compile(re, PCRE2_JIT_COMPLETE); /* if this fails the interpreter is used */
	*p = xcalloc(1, sizeof(**p));
	(*p)->code = re;
	(*p)->limits = pcre2_match_context_create(NULL);
	pcre2_set_match_limit((*p)->limits, 100 * 1000);
	pcre2_set_depth_limit((*p)->limits, 1000);
	return OK;
}

bool name_pattern_matches(const struct name_pattern *p, struct span text)
{
	pcre2_match_data *match = pcre2_match_data_create(1, NULL);
	int found = pcre2_match(
		p->code, (PCRE2_SPTR)(text.n ? text.p : ""), text.n, 0, 0, match, p->limits);

	pcre2_match_data_free(match);
	return found >= 0;
}

void name_pattern_free(struct name_pattern *p)
{
	if (!p)
		return;
	pcre2_match_context_free(p->limits);
	pcre2_code_free(p->code);
	free(p);
}

/* ---- times -------------------------------------------------------------------------------- */

/* "12", "12.5" in billionths; digits after the ninth are dropped. */
static bool take_nano(struct span *s, uint64_t *nano)
{
	uint64_t whole, unit = NANO;

	if (!span_scan_u64(s, &whole) || __builtin_mul_overflow(whole, NANO, nano))
		return false;
	if (!s->n || s->p[0] != '.')
		return true;
	*s = span_skip(*s, 1);
	for (; s->n && s->p[0] >= '0' && s->p[0] <= '9'; *s = span_skip(*s, 1)) {
		unit /= 10;
		if (__builtin_add_overflow(*nano, unit * (uint64_t)(s->p[0] - '0'), nano))
			return false;
	}
	return true;
}

static bool parse_bound(struct span s, struct time_bound *b)
{
	*b = (struct time_bound){ .how = TIME_OPEN };
	if (!s.n)
		return true;
	b->how = TIME_SECONDS;
	if (s.p[0] == '@') {
		b->how = TIME_ABSOLUTE;
		s = span_skip(s, 1);
	}
	if (!take_nano(&s, &b->nano))
		return false;
	if (b->how == TIME_SECONDS && s.n == 1 && s.p[0] == '%') {
		b->how = TIME_PERCENT;
		return b->nano <= 100 * NANO;
	}
	return s.n == 0;
}

int sample_choice_parse_time(struct sample_choice *c, const char *text, struct err *e)
{
	const char *comma = strchr(text, ',');
	const struct time_bound *from = &c->from, *to = &c->to;

	if (!comma || !parse_bound(span_range(text, comma), &c->from) ||
		!parse_bound(span_of(comma + 1), &c->to))
		return err_set(e, ERR_USAGE,
			"\"%s\" is not a time range: FROM,TO in seconds from the first sample "
			"(1.5,2), "
			"percent (10%%,20%%) or as recorded (@5153.42,)",
			text);
	if (from->how != TIME_OPEN && from->how == to->how && from->nano > to->nano)
		return err_set(e, ERR_USAGE, "\"%s\" ends before it begins", text);
	return OK;
}

static uint64_t resolve_bound(
	const struct time_bound *b, uint64_t first_ns, uint64_t last_ns, uint64_t open)
{
	uint64_t length_ns = last_ns > first_ns ? last_ns - first_ns : 0;

	switch (b->how) {
	case TIME_SECONDS:
		return saturated_add(first_ns, b->nano);
	case TIME_PERCENT:
		return first_ns + (uint64_t)((unsigned __int128)length_ns * b->nano / (100 * NANO));
	case TIME_ABSOLUTE:
		return b->nano;
	default:
		return open;
	}
}

void sample_choice_resolve_time(const struct sample_choice *c, uint64_t first_ns, uint64_t last_ns,
	uint64_t *from_ns, uint64_t *to_ns)
{
	*from_ns = resolve_bound(&c->from, first_ns, last_ns, 0);
	*to_ns = resolve_bound(&c->to, first_ns, last_ns, UINT64_MAX);
}

void sample_choice_release(struct sample_choice *c)
{
	number_list_release(&c->pids);
	number_list_release(&c->tids);
	number_list_release(&c->cpus);
	name_pattern_free(c->comm);
	name_pattern_free(c->process);
	name_pattern_free(c->cgroup);
	where_list_release(&c->where);
	*c = (struct sample_choice){ 0 };
}
