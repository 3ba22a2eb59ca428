#include "model/names/event_name.h"

/* True where c is in the set that begins with "[" at *at, which is moved past "]"; a set without an
 * end is an ordinary "[". */
static bool set_has(struct span pattern, size_t *at, char c)
{
	size_t i = *at + 1, first;
	bool negated = i < pattern.n && pattern.p[i] == '!', found = false;

	i += negated;
	for (first = i; i < pattern.n && (pattern.p[i] != ']' || i == first); i++) {
		char from = pattern.p[i], to = from;

		if (i + 2 < pattern.n && pattern.p[i + 1] == '-' && pattern.p[i + 2] != ']') {
			to = pattern.p[i + 2];
			i += 2;
		}
		found |= c >= from && c <= to;
	}
	if (i >= pattern.n)
		return c == pattern.p[(*at)++];
	*at = i + 1;
	return found != negated;
}

static bool one_matches(struct span pattern, size_t *at, char c)
{
	char p = pattern.p[*at];

	if (p == '[')
		return set_has(pattern, at, c);
	++*at;
	return p == '?' || p == c;
}

/* Backtracking to the last "*" is enough, so this needs at most n * m steps. */
static bool glob_matches(struct span text, struct span pattern)
{
	size_t t = 0, p = 0, star = SIZE_MAX, resume = 0;

	while (t < text.n) {
		size_t next = p;

		if (p < pattern.n && pattern.p[p] == '*') {
			star = ++p;
			resume = t;
		} else if (p < pattern.n && one_matches(pattern, &next, text.p[t])) {
			p = next;
			t++;
		} else if (star != SIZE_MAX) {
			p = star;
			t = ++resume;
		} else {
			return false;
		}
	}
	while (p < pattern.n && pattern.p[p] == '*')
		p++;
	return p == pattern.n;
}

/* Length of the name without ":MODIFIERS" at its end. */
static size_t base_length(struct span name)
{
	size_t n = name.n;

	while (n && memchr("ukhpPGHSDIWebR", name.p[n - 1], 14))
		n--;
	return n > 1 && n < name.n && name.p[n - 1] == ':' ? n - 1 : name.n;
}

struct span event_name_base(struct span name)
{
	return (struct span){ name.p, base_length(name) };
}

static bool matches(struct span name, struct span pattern)
{
	const char *terms = name.n ? memchr(name.p, '/', name.n) : NULL;

	return glob_matches(name, pattern) || glob_matches(event_name_base(name), pattern) ||
	       /* "page-faults/period=50/" matches page-faults */
	       (terms && glob_matches(span_range(name.p, terms), pattern));
}

/* Without the PMU of a hybrid CPU. */
static struct span without_core(struct span name)
{
	if (span_starts(name, SPAN("cpu_core/")) || span_starts(name, SPAN("cpu_atom/")))
		return span_skip(name, 9);
	return name;
}

static bool alike(struct span a, struct span b)
{
	struct span rest_a = without_core(a), rest_b = without_core(b);

	if (span_eq(a, b))
		return true;
	return rest_a.n < a.n && rest_b.n < b.n && span_eq(rest_a, rest_b);
}

bool event_name_wanted(struct span name, const char *const *wanted, struct span first)
{
	if (!wanted)
		return alike(name, first);
	for (; *wanted; wanted++)
		if (!strcmp(*wanted, "all") || matches(name, span_of(*wanted)))
			return true;
	return false;
}

bool event_name_is_tracepoint(struct span name)
{
	struct span base = { name.p, base_length(name) };

	return base.n && memchr(base.p, ':', base.n) && !memchr(base.p, '/', base.n);
}

bool event_name_is_clock(struct span name)
{
	static const char *const clocks[] = { "cpu-clock", "task-clock" };
	size_t i;

	for (i = 0; i < 2; i++) {
		struct span clock = span_of(clocks[i]), rest = span_skip(name, clock.n);

		if (span_starts(name, clock) && (!rest.n || rest.p[0] == ':' || rest.p[0] == '/'))
			return true;
	}
	return false;
}
