#include "model/sample_choice.h"

#include "base/chars.h"
#include "base/saturated.h"

#define NANO UINT64_C(1000000000)

/* "12", "12.5" in billionths; digits after the ninth are dropped. */
static bool parse_nano(struct span *s, uint64_t *nano)
{
	uint64_t whole, unit = NANO;

	if (!span_scan_u64(s, &whole) || __builtin_mul_overflow(whole, NANO, nano))
		return false;
	if (!s->n || s->p[0] != '.')
		return true;
	*s = span_skip(*s, 1);
	for (; s->n && char_is_digit(s->p[0]); *s = span_skip(*s, 1)) {
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
	if (!parse_nano(&s, &b->nano))
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
