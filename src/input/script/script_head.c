/*
 * script_head.c - the front of a `perf script` text: header comments and the first sample
 *
 * The front is read in steps of doubling size, from 64 KiB to 64 MiB, until it holds a sample: maps
 * of a large machine (--show-mmap-events) may come before all samples. Each line is classified as
 * an event (strict or loose), a frame, or something else. These counts are the bid on the format,
 * and say whether frame lines have modules (more lines end in "(...)" than not) and whether there
 * are only frames (-F ip,sym).
 *
 * The time of the last sample, which --time in percent needs, is found in the last MiB of the file.
 *
 * Source: perf_header__fprintf_info() in tools/perf/util/header.c for the comments.
 */
#include "input/script/script_head.h"

#include "base/chars.h"
#include "base/mem.h"
#include "input/script/script_branches.h"
#include "input/script/script_event.h"
#include "input/script/script_parse.h"

#include <stdlib.h>

enum { DESCRIBED_MAX = 4096 };

#define FRONT_BYTES ((size_t)64 << 10)
#define FRONT_MAX   ((size_t)64 << 20) /* maps of a large machine may come before all samples */

/* ---- header comments: "# KEY : VALUE" ---- */

static void set_fact(struct recording *r, str_id *fact, struct span value)
{
	if (!*fact)
		*fact = strtab_add(r->strings, value);
}

/* The number after key in "... sample_period, sample_freq } = 299, ..., freq = 1, ..." */
static bool find_number(struct span s, struct span key, uint64_t *n)
{
	ptrdiff_t at = span_find(s, key);
	struct span rest;

	if (at < 0)
		return false;
	rest = span_skip(s, (size_t)at + key.n);
	return span_scan_u64(&rest, n);
}

/* "name = cpu-clock:ppp, , id = {...}, ..., { sample_period, sample_freq } = 299, ..., freq = 1" */
static void read_event(struct script_head *h, struct recording *r, struct span value)
{
	struct span prefix = SPAN("name = "), name;
	uint64_t rate, is_frequency = 0;
	ptrdiff_t end = span_find(value, SPAN(", "));
	struct event v = { 0 };

	if (end < 0 || !span_starts(value, prefix) || h->n_described == DESCRIBED_MAX ||
		!find_number(value, SPAN("{ sample_period, sample_freq } = "), &rate))
		return;
	name = span_range(value.p + prefix.n, value.p + end);
	v.name = strtab_add(r->strings, name);
	find_number(value, SPAN(", freq = "), &is_frequency);
	*(is_frequency ? &v.frequency_hz : &v.period) = rate;
	ARRAY_GROW(h->described, h->n_described, h->cap_described);
	h->described[h->n_described++] = v;
}

void script_head_describe(const struct script_head *h, struct recording *r)
{
	uint32_t i, k;

	for (i = 0; i < r->n_events; i++) {
		for (k = 0; k < h->n_described; k++) {
			if (h->described[k].name != r->events[i].name)
				continue;
			r->events[i].period = h->described[k].period;
			r->events[i].frequency_hz = h->described[k].frequency_hz;
		}
	}
}

static void read_comment(struct script_head *h, struct recording *r, struct span line)
{
	struct recording_facts *f = &r->facts;
	ptrdiff_t colon = span_find(line, SPAN(" : "));
	struct span key, value, rest;
	uint64_t n;

	if (colon < 1)
		return;
	key = span_trim((struct span){ line.p + 1, (size_t)colon - 1 });
	value = span_trim(span_skip(line, (size_t)colon + 3));
	rest = value;
	if (span_eq(key, SPAN("hostname")))
		set_fact(r, &f->host, value);
	else if (span_eq(key, SPAN("os release")))
		set_fact(r, &f->os_release, value);
	else if (span_eq(key, SPAN("arch")))
		set_fact(r, &f->arch, value);
	else if (span_eq(key, SPAN("cmdline")))
		set_fact(r, &f->cmdline, value);
	else if (span_eq(key, SPAN("perf version")))
		set_fact(r, &f->perf_version, value);
	else if (span_eq(key, SPAN("cpudesc")))
		set_fact(r, &f->cpu, value);
	else if (span_eq(key, SPAN("nrcpus avail")) && span_scan_u64(&rest, &n) && n <= UINT32_MAX)
		f->n_cpus = (uint32_t)n;
	else if (span_eq(key, SPAN("event")))
		read_event(h, r, value);
}

/* ---- the first sample ---- */

struct head_scan {
	struct script_head *h;
	struct recording *recording; /* NULL: facts are not wanted */
	bool after_blank;
	uint32_t n_strict, n_loose, n_frames, n_other;
	uint32_t n_shaped; /* frame lines that hardly anything else looks like */
	int32_t modules;   /* frame lines that seem to end with a module, minus those that do not */
};

static void scan_frame(struct head_scan *s, struct span text)
{
	s->n_frames++;
	if (!text.n || span_ends(text, SPAN("(inlined)")))
		return;
	/* A name may end in brackets too, so the majority of lines decides. */
	s->modules += span_ends(text, SPAN(")")) && span_find(text, SPAN(" (")) >= 0 ? 1 : -1;
}

/* "def" and "57" at the start of a line may be addresses, but rarely are: perf puts them in a
 * column, and where columns were lost, a long one is followed by a name. */
static bool is_shaped(struct span line, struct span ip, struct span text)
{
	enum { COLUMNS = 17, LONG = 6, LONGEST = 8 };
	bool digits = ip.n >= LONGEST, in_column;
	size_t i;

	for (i = 0; i < ip.n; i++)
		digits |= char_is_digit(ip.p[i]);
	in_column = line.p[0] == '\t' || (size_t)(ip.p - line.p) + ip.n >= COLUMNS;
	return digits && (in_column || (ip.n >= LONG && text.n));
}

static void scan_event(struct head_scan *s, const struct script_event *v)
{
	struct span frame, ip, text;

	if (v->kind != SCRIPT_SAMPLE)
		return;
	if (script_event_frame(v->sample.fields, &frame) &&
		script_parse_split_frame(frame, &ip, &text)) {
		scan_frame(s, text);
		s->n_shaped++;
	}
	if (s->h->has_sample)
		return;
	s->h->has_sample = true;
	s->h->first_time_ns = v->sample.time_ns;
	buf_put_span(&s->h->first_event, v->sample.event);
}

static void scan_line(struct head_scan *s, struct span line)
{
	struct span ip, text;
	struct script_event v;
	enum script_match m = SCRIPT_NO;
	bool after_blank = s->after_blank;
	size_t at;

	s->after_blank = span_trim(line).n == 0;
	if (s->after_blank)
		return;
	if (script_branches_are_there(line) && script_branches_find(line, &at)) {
		s->h->has_branches = true;
		s->n_shaped++;
		line.n = at;
	} else if (script_branches_are_names(line)) {
		s->h->has_named_branches = true;
		s->n_shaped++;
	}
	if (!span_trim(line).n)
		return;
	if (line.p[0] == '#' && !script_event_is_strict(line, &v)) {
		s->after_blank = true;
		if (s->recording && !s->h->has_sample)
			read_comment(s->h, s->recording, line);
		return;
	}
	if (line.p[0] != '\t')
		m = script_event_parse(line, &v);
	if (m == SCRIPT_LOOSE && s->h->has_branches && script_parse_is_only_line(line))
		m = SCRIPT_NO;
	if (m == SCRIPT_STRICT || (m == SCRIPT_LOOSE && after_blank)) {
		s->n_strict += m == SCRIPT_STRICT;
		s->n_loose += m == SCRIPT_LOOSE;
		scan_event(s, &v);
	} else if (script_parse_split_frame(line, &ip, &text)) {
		scan_frame(s, text);
		s->n_shaped += is_shaped(line, ip, text);
	} else {
		s->n_other++;
	}
}

/* whole: nothing follows; else a last line without a newline is left out. */
static void scan_lines(struct head_scan *s, struct span bytes, bool whole)
{
	const char *lf = bytes.n ? memrchr(bytes.p, '\n', bytes.n) : NULL;
	struct span line;

	if (!whole)
		bytes.n = lf ? (size_t)(lf - bytes.p) + 1 : 0;
	s->after_blank = true;
	while (span_next_line(&bytes, &line))
		scan_line(s, line);
}

int script_head_read(
	struct script_head *h, struct text_reader *t, struct recording *r, struct err *e)
{
	size_t want;

	*h = (struct script_head){ 0 };
	for (want = FRONT_BYTES; want <= FRONT_MAX; want *= 2) {
		struct head_scan s = { .h = h, .recording = r };
		struct span bytes;
		bool whole;

		h->n_described = 0;
		if (text_peek(t, want, &bytes, e))
			return e->code;
		whole = t->ended && bytes.n <= want;
		if (bytes.n > want)
			bytes.n = want;
		scan_lines(&s, bytes, whole);
		h->bare = !h->has_sample && (s.n_frames || h->has_branches);
		h->only_branches = h->bare && !s.n_frames;
		h->has_modules = s.modules >= 0;
		h->has_named_branches &= !h->has_branches;
		if (h->has_sample || h->bare || whole)
			break;
	}
	return OK;
}

void script_head_release(struct script_head *h)
{
	buf_release(&h->first_event);
	free(h->described);
}

int script_head_bid(const struct input_head *head)
{
	struct script_head h = { 0 };
	struct head_scan s = { .h = &h };
	struct span bytes = head->bytes;
	int bid = 0;

	if (bytes.n > FRONT_BYTES)
		bytes.n = FRONT_BYTES;
	if (bytes.n && memchr(bytes.p, 0, bytes.n))
		return 0;
	scan_lines(&s, bytes, head->whole && bytes.n == head->bytes.n);
	if (span_starts(bytes, SPAN("# ========")))
		bid = 95;
	else if (s.n_other + s.n_frames > s.n_strict + s.n_loose + 2 * s.n_shaped)
		bid = 0;
	else if (s.n_strict)
		bid = s.n_shaped ? 90 : 70;
	else if (s.n_loose && s.n_shaped)
		bid = 60;
	else if (s.n_shaped > 1 || h.has_branches || h.has_named_branches)
		bid = 30;
	script_head_release(&h);
	return bid;
}

int script_head_last_time(const struct file *f, uint64_t *time_ns, struct err *e)
{
	uint64_t from = f->size_bytes > FRONT_BYTES * 16 ? f->size_bytes - FRONT_BYTES * 16 : 0;
	struct buf b = { 0 };
	struct span rest, line;
	int rc;

	*time_ns = 0;
	buf_reserve(&b, (size_t)(f->size_bytes - from));
	rc = file_read_some_at(f, b.p, (size_t)(f->size_bytes - from), from, &b.n, e);
	rest = buf_span(&b);
	while (!rc && span_next_line(&rest, &line)) {
		struct script_event v;

		if (line.n && line.p[0] != '\t' && script_event_is_strict(line, &v) &&
			v.sample.has_time && v.kind == SCRIPT_SAMPLE)
			*time_ns = v.sample.time_ns;
	}
	buf_release(&b);
	return rc;
}
