/*
 * script_event.c - parses the line that begins a sample
 *
 * Three readings are tried, from the surest to the loosest; the first that matches counts:
 *
 *	parse_at_time()       SECONDS.FRACTION: is the anchor; left of it are CPU, number and name,
 *	                      right of it period and event
 *	parse_without_time()  the first number that is followed by what follows a thread's number
 *	parse_event_only()    "NAME:" at the end of the line
 *
 * A colon after a fraction of digits is a time, so nearly all lines are decided by one memchr().
 * The columns that perf pads to (17 for an address, 11 for a period, 6 for a thread's number)
 * separate numbers where their order does not; they are those of builtin-script.c, perf 4.x to
 * 7.x.
 */
#include "input/script/script_event.h"

#include "base/chars.h"

enum {
	IP_COLUMNS = 17,     /* " %16lx" */
	PERIOD_COLUMNS = 11, /* " %10lu" */
	ID_COLUMNS = 6,      /* " %5d"; " %7d" since perf 7 */
};

static struct span trim_left(struct span s)
{
	while (s.n && char_is_blank(s.p[0]))
		s = span_skip(s, 1);
	return s;
}

static struct span trim_right(struct span s)
{
	while (s.n && char_is_blank(s.p[s.n - 1]))
		s.n--;
	return s;
}

/* The word at the front of s, which does not begin with a blank. */
static struct span first_word(struct span s)
{
	size_t n = 0;

	while (n < s.n && !char_is_blank(s.p[n]))
		n++;
	return (struct span){ s.p, n };
}

static struct span last_word(struct span s)
{
	size_t n = 0;

	while (n < s.n && !char_is_blank(s.p[s.n - n - 1]))
		n++;
	return (struct span){ s.p + s.n - n, n };
}

static bool parse_decimal(struct span s, uint64_t *v)
{
	return span_scan_u64(&s, v) && !s.n;
}

/* A thread's number; perf prints -1 where there is none. */
static bool scan_id(struct span *s, int32_t *id)
{
	struct span rest = *s;
	bool negative = rest.n && rest.p[0] == '-';
	uint64_t v;

	if (negative)
		rest = span_skip(rest, 1);
	if (!span_scan_u64(&rest, &v) || v > INT32_MAX)
		return false;
	*id = negative ? -(int32_t)v : (int32_t)v;
	*s = rest;
	return true;
}

/* "TID" or "PID/TID". */
static bool parse_id(struct span word, struct script_event *v)
{
	struct span s = word;
	int32_t first, second;

	if (!scan_id(&s, &first))
		return false;
	if (!s.n) {
		v->sample.pid = -1;
		v->sample.tid = first;
		return true;
	}
	s = span_skip(s, 1);
	if (word.p[word.n - s.n - 1] != '/' || !scan_id(&s, &second) || s.n)
		return false;
	v->sample.pid = first;
	v->sample.tid = second;
	return true;
}

/* "[003]" */
static bool parse_cpu(struct span word, struct script_event *v)
{
	uint64_t cpu;

	if (word.n < 3 || word.p[0] != '[' || word.p[word.n - 1] != ']' ||
		!parse_decimal((struct span){ word.p + 1, word.n - 2 }, &cpu) || cpu > INT32_MAX)
		return false;
	v->sample.cpu = (int32_t)cpu;
	return true;
}

/* What precedes the time, read backward. False if there is no number of a thread: then all of it is
 * the name. */
static bool parse_left(struct span left, struct script_event *v)
{
	int other;

	v->sample.comm = span_trim(left);
	for (other = 0, left = trim_right(left); other <= 2; other++) {
		struct span word = last_word(left), before;

		before = trim_right((struct span){ left.p, left.n - word.n });
		if (v->sample.cpu < 0 && parse_cpu(word, v)) {
			left = before;
			word = last_word(left);
			before = trim_right((struct span){ left.p, left.n - word.n });
		}
		if (parse_id(word, v)) {
			v->sample.comm = span_trim(before);
			return true;
		}
		if (!word.n)
			break;
		left = before;
	}
	v->sample.cpu = -1;
	return false;
}

bool script_event_frame(struct span rest, struct span *frame)
{
	struct span s = rest, ip = { 0 };
	bool found = false;

	while (s.n) {
		struct span word = trim_left(s);
		size_t blanks = s.n - word.n, n = 0;

		word = first_word(word);
		while (n < word.n && char_is_lower_hex(word.p[n]))
			n++;
		/* The last one that fits: fields of a tracepoint may hold addresses too. */
		if (n && n == word.n && n <= 16 && blanks + n >= IP_COLUMNS) {
			ip = word;
			found = true;
		}
		s = span_skip(s, blanks + word.n);
	}
	if (found)
		*frame = span_range(ip.p, rest.p + rest.n);
	return found;
}

/* Is the first word of s an address in its column? */
static bool starts_with_frame(struct span s)
{
	struct span word = first_word(trim_left(s)), frame;

	return script_event_frame(span_range(s.p, word.p + word.n), &frame);
}

/* Position of the colon that ends an event's name: the first before a blank or the end. */
static bool find_event_end(struct span s, size_t *at)
{
	size_t i;

	for (i = 0; i < s.n; i++) {
		if (s.p[i] == ':' && (i + 1 == s.n || char_is_blank(s.p[i + 1]))) {
			*at = i;
			return i > 0;
		}
	}
	return false;
}

/* What follows the time: "PERIOD EVENT: REST". */
static void parse_right(struct span s, struct script_event *v)
{
	struct span word = first_word(trim_left(s));
	size_t at;

	v->sample.fields = s;
	if (span_starts(word, SPAN("PERF_RECORD_"))) {
		v->kind = SCRIPT_RECORD;
		v->sample.event = span_trim(s);
		return;
	}
	if (span_starts(trim_left(s), SPAN("DEFERRED CALLCHAIN"))) {
		v->kind = SCRIPT_DEFERRED;
		return;
	}
	if (starts_with_frame(s))
		return; /* no event: -F tid,time,ip */
	if (parse_decimal(word, &v->sample.period)) {
		s = span_range(word.p + word.n, s.p + s.n);
		v->sample.fields = s;
	}
	s = trim_left(s);
	if (starts_with_frame(v->sample.fields) || !find_event_end(s, &at))
		return;
	v->sample.event = (struct span){ s.p, at };
	v->sample.fields = span_skip(s, at + 1);
}

/* "SECONDS.FRACTION" that ends before the colon at s.p[colon]; its position. */
static bool parse_time(struct span s, size_t colon, uint64_t *time_ns, size_t *start)
{
	size_t dot = colon, from, i;
	uint64_t unit = 1000000000, ns = 0, seconds;

	while (dot && char_is_digit(s.p[dot - 1]))
		dot--;
	if (!dot || dot == colon || s.p[dot - 1] != '.')
		return false;
	for (i = dot; i < colon; i++) {
		unit /= 10;
		ns += unit * (uint64_t)(s.p[i] - '0');
	}
	from = --dot;
	while (from && char_is_digit(s.p[from - 1]))
		from--;
	if ((from && !char_is_blank(s.p[from - 1])) ||
		!parse_decimal((struct span){ s.p + from, dot - from }, &seconds))
		return false;
	*start = from;
	return !__builtin_mul_overflow(seconds, 1000000000, time_ns) &&
	       !__builtin_add_overflow(*time_ns, ns, time_ns);
}

static enum script_match parse_at_time(struct span line, struct script_event *v)
{
	struct script_event loose;
	bool found = false;
	size_t i = 0;

	while (i < line.n) {
		const char *colon = memchr(line.p + i, ':', line.n - i);
		struct script_event t = { .sample = TEXT_SAMPLE_INIT };
		size_t start;

		if (!colon)
			break;
		i = (size_t)(colon - line.p) + 1;
		if ((i < line.n && !char_is_blank(line.p[i])) ||
			!parse_time(line, i - 1, &t.sample.time_ns, &start))
			continue;
		t.sample.has_time = true;
		if (parse_left((struct span){ line.p, start }, &t)) {
			parse_right(span_skip(line, i), &t);
			*v = t;
			return SCRIPT_STRICT;
		}
		if (!found) {
			parse_right(span_skip(line, i), &t);
			loose = t;
			found = true;
		}
	}
	if (found)
		*v = loose;
	return found ? SCRIPT_LOOSE : SCRIPT_NO;
}

/* Is the number at word a period? blanks: how many precede it. */
static bool is_period(struct span word, size_t blanks, uint64_t *period)
{
	size_t columns = blanks + word.n;

	/* Columns narrower than those of perf were edited by hand. */
	return (columns >= PERIOD_COLUMNS || columns < ID_COLUMNS) && parse_decimal(word, period);
}

/* What follows a thread's number in a line without a time. */
static enum script_match parse_after_id(struct span s, struct script_event *v)
{
	struct span at = trim_left(s), word = first_word(at);

	if (parse_cpu(word, v)) {
		s = span_skip(at, word.n);
		at = trim_left(s);
		word = first_word(at);
	}
	v->sample.fields = s;
	if (!word.n)
		return SCRIPT_LOOSE;
	if (starts_with_frame(s))
		return SCRIPT_STRICT;
	if (span_starts(word, SPAN("PERF_RECORD_"))) {
		v->kind = SCRIPT_RECORD;
		v->sample.event = span_trim(at);
		return SCRIPT_STRICT;
	}
	if (is_period(word, s.n - at.n, &v->sample.period)) {
		at = trim_left(span_skip(at, word.n));
		word = first_word(at);
	}
	if (word.n < 2 || word.p[word.n - 1] != ':')
		return SCRIPT_NO;
	v->sample.event = (struct span){ word.p, word.n - 1 };
	v->sample.fields = span_skip(at, word.n);
	return SCRIPT_STRICT;
}

static enum script_match parse_without_time(struct span line, struct script_event *v)
{
	enum script_match best = SCRIPT_NO;
	struct span s = trim_left(line);

	while (s.n) {
		struct span word = first_word(s);
		struct script_event t = { .sample = TEXT_SAMPLE_INIT };
		enum script_match m = SCRIPT_NO;

		if (parse_id(word, &t))
			m = parse_after_id(span_skip(s, word.n), &t);
		if (m > best) {
			*v = t;
			v->sample.comm = span_trim(span_range(line.p, word.p));
			best = m;
		}
		if (m == SCRIPT_STRICT)
			break;
		s = trim_left(span_skip(s, word.n));
	}
	return best;
}

/* Neither time nor thread: "node cycles:", or "cycles:" alone. */
static enum script_match parse_event_only(struct span line, struct script_event *v)
{
	struct span s = trim_right(line), word = last_word(s);

	if (word.n < 2 || word.p[word.n - 1] != ':')
		return SCRIPT_NO;
	*v = (struct script_event){ .sample = TEXT_SAMPLE_INIT };
	v->sample.event = (struct span){ word.p, word.n - 1 };
	s = trim_right((struct span){ s.p, s.n - word.n });
	word = last_word(s);
	if (parse_decimal(word, &v->sample.period))
		s.n -= word.n;
	v->sample.comm = span_trim(s);
	v->sample.fields = (struct span){ word.p, 0 };
	return SCRIPT_LOOSE;
}

/* A record that is no sample, alone on its line: perf script -F ip --show-mmap-events. */
static enum script_match parse_record(struct span line, struct script_event *v)
{
	struct span s = trim_left(line);

	if (!span_starts(s, SPAN("PERF_RECORD_")))
		return SCRIPT_NO;
	*v = (struct script_event){ .kind = SCRIPT_RECORD, .sample = TEXT_SAMPLE_INIT };
	v->sample.event = span_trim(s);
	return SCRIPT_STRICT;
}

enum script_match script_event_parse(struct span line, struct script_event *v)
{
	enum script_match m = parse_record(line, v);

	if (!m)
		m = parse_at_time(line, v);
	if (!m)
		m = parse_without_time(line, v);
	if (!m)
		m = parse_event_only(line, v);
	return m;
}

bool script_event_is_strict(struct span line, struct script_event *v)
{
	if (script_event_parse(line, v) != SCRIPT_STRICT)
		return false;
	return line.p[0] != '#' || v->sample.has_time;
}
