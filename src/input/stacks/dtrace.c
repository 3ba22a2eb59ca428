/*
 * dtrace.c - output of DTrace: stacks with counts, and rows with a stack below
 *
 *	CPU     ID                    FUNCTION:NAME
 *	  0  64091                        :tick-60s            a row of a probe
 *
 *	  bash                                                 keys of an aggregation, if any
 *	              genunix`fop_inactive+0x76                frames, innermost first
 *	              0x36197fa3bf9c JS:*fib /srv/app.js:5:13  JIT code, named by a perf map
 *	                1                                      count
 *
 *	node 86454 181012024: profile-1ms:                     printf("%s %d %d: %s:\n", execname,
 *	              node`uv_run+0x7d                         pid, ms, probename); ustack();
 *
 * A stack counts once where a row is followed by frames and no count (profile_1ms.d, soconnect and
 * uv_getaddrinfo scripts). Rows "CPU ID FUNCTION:NAME ..." and "EXECNAME PID TIME: PROBE:" name
 * their event; all others are of the event "samples". In other output of a script, a name and the
 * number next to it are the process. Rows without frames are no samples. "module`" becomes the
 * frame's module.
 *
 * Each line has a kind (enum dtrace_line) that depends on nothing before it, so a block may be cut
 * before any row and after any count.
 *
 * Source: dtrace(1), Solaris Dynamic Tracing Guide.
 */
#include "input/stacks/stacks.h"

#include "base/chars.h"

enum { FRAME_INDENT = 8 }; /* DTrace puts 14 blanks before a frame, 2 before a row */

enum dtrace_line { LINE_BLANK, LINE_HEAD, LINE_FRAME, LINE_COUNT, LINE_PROBE, LINE_TEXT };

struct dtrace_state {
	struct text_sample sample; /* of the frames being read; strings are in the block */
	bool in_row;
};

/* ---- lines ---- */

static bool is_head(struct span line)
{
	struct span rest = line;

	return span_eq(stacktext_word(&rest), SPAN("CPU")) &&
	       span_eq(stacktext_word(&rest), SPAN("ID")) &&
	       span_find(rest, SPAN("FUNCTION:NAME")) >= 0;
}

/* A line indented like a frame, or one that is indented less but looks like a frame. */
static bool is_frame(struct span line)
{
	uint32_t indent = stacktext_indent(line);
	struct span rest = line, word = stacktext_word(&rest);
	uint64_t address;

	if (!indent)
		return false;
	return indent >= FRAME_INDENT || memchr(word.p, '`', word.n) ||
	       stacktext_is_address(word, &address);
}

static bool parse_id(struct span word, int32_t *id)
{
	uint64_t n;

	if (!stacktext_number(word, &n) || n > INT32_MAX)
		return false;
	*id = (int32_t)n;
	return true;
}

/* "  0  64091  connect:entry ..."; v->fields follows it. */
static bool parse_probe_row(struct span line, struct text_sample *v)
{
	struct span rest = line, name;
	int32_t id;

	if (!parse_id(stacktext_word(&rest), &v->cpu) || !parse_id(stacktext_word(&rest), &id))
		return false;
	name = stacktext_word(&rest);
	if (!name.n || !memchr(name.p, ':', name.n))
		return false;
	v->event = name;
	v->fields = rest;
	return true;
}

/* "node 86454 181012024: profile-1ms:", the name may hold blanks. */
static bool parse_timed_row(struct span line, struct text_sample *v)
{
	struct span s = span_trim(line), words[3];
	size_t i, end = s.n;
	uint64_t ms;

	for (i = 3; i--;) {
		size_t start = end;

		while (start && !char_is_blank(s.p[start - 1]))
			start--;
		words[i] = (struct span){ s.p + start, end - start };
		for (end = start; end && char_is_blank(s.p[end - 1]); end--)
			;
	}
	if (!end || words[1].n < 2 || !span_ends(words[1], SPAN(":")) || words[2].n < 2 ||
		!span_ends(words[2], SPAN(":")) || !parse_id(words[0], &v->pid))
		return false;
	words[1].n--;
	words[2].n--;
	if (!stacktext_number(words[1], &ms) || ms > UINT64_MAX / 1000000)
		return false;
	v->comm = (struct span){ s.p, end };
	v->event = words[2];
	v->has_time = true;
	v->time_ns = ms * 1000000;
	v->tid = v->pid;
	return true;
}

/* "bash 1234 ...", "1234 bash ...", "bash": a name and the number beside it. */
static void find_process(struct span text, struct text_sample *v)
{
	struct span rest = text, first = stacktext_word(&rest), second = stacktext_word(&rest);
	int32_t pid;

	if (parse_id(first, &pid) && second.n && !char_is_digit(second.p[0]))
		v->comm = second;
	else if (parse_id(second, &pid) && first.n && !span_ends(first, SPAN(":")))
		v->comm = first;
	else
		return;
	v->pid = v->tid = pid;
}

static enum dtrace_line kind_of(struct span line, struct text_sample *v)
{
	uint64_t count;

	if (!span_trim(line).n)
		return LINE_BLANK;
	if (is_head(line))
		return LINE_HEAD;
	if (stacktext_is_count(line, &count) && stacktext_indent(line))
		return LINE_COUNT;
	if (parse_probe_row(line, v)) {
		find_process(v->fields, v);
		return LINE_PROBE;
	}
	if (parse_timed_row(line, v))
		return LINE_PROBE;
	return is_frame(line) ? LINE_FRAME : LINE_TEXT;
}

/* ---- stacks ---- */

static void reset(struct stacktext *s)
{
	struct dtrace_state *d = s->state;

	stacktext_drop(s);
	d->in_row = false;
	d->sample = stacktext_empty_sample(s);
}

/* The lines that follow no longer belong to the stack of a row. */
static void end_row(struct stacktext *s)
{
	struct dtrace_state *d = s->state;

	if (d->in_row && stacktext_has_frames(s))
		stacktext_end(s, &d->sample);
	else if (stacktext_has_frames(s))
		stacktext_bad(s, DIAG_BAD_COUNT);
	reset(s);
}

/* The row before a count was the key of an aggregation, or was printed before it. */
static void end_counted(struct stacktext *s, struct span line)
{
	struct dtrace_state *d = s->state;
	struct text_sample sample = stacktext_empty_sample(s);

	stacktext_is_count(line, &sample.period);
	sample.comm = d->sample.comm;
	sample.pid = sample.tid = d->sample.pid;
	if (sample.period && stacktext_has_frames(s))
		stacktext_end(s, &sample);
	reset(s);
}

static void begin_row(struct stacktext *s, struct span line, const struct text_sample *v)
{
	struct dtrace_state *d = s->state;
	struct span key = span_trim(line);

	end_row(s);
	d->in_row = true;
	d->sample = *v;
	if (!v->event.n) {
		d->sample.event = SPAN("samples");
		find_process(line, &d->sample);
	}
	/* One word is the key of an aggregation; several are output of the script. */
	if (!v->event.n && !d->sample.comm.n && !memchr(key.p, ' ', key.n))
		d->sample.comm = key;
}

static void dtrace_line(struct stacktext *s, struct span line)
{
	struct text_sample v = stacktext_empty_sample(s);

	v.event = (struct span){ 0 };
	switch (kind_of(line, &v)) {
	case LINE_BLANK:
		break;
	case LINE_HEAD:
		end_row(s);
		break;
	case LINE_FRAME:
		stacktext_frame(s, span_trim(line));
		break;
	case LINE_COUNT:
		end_counted(s, line);
		break;
	case LINE_PROBE:
	case LINE_TEXT:
		begin_row(s, line, &v);
		break;
	}
}

/* ---- frames ---- */

static bool is_kernel(struct span module)
{
	return span_eq(module, SPAN("genunix")) || span_eq(module, SPAN("unix")) ||
	       span_eq(module, SPAN("mach_kernel")) || span_eq(module, SPAN("kernel"));
}

/* "module`name+0x1f", "0x36197fa3bf9c", "0x36197fa3bf9c JS:*fib /srv/app.js:5:13" */
static bool dtrace_make(struct recording *r, struct span text, struct frame *f)
{
	struct span name = text, module = { 0 }, rest = text, word = stacktext_word(&rest);
	const char *tick = memchr(text.p, '`', text.n);
	uint64_t address;

	if (stacktext_is_address(stacktext_without_offset(word), &address)) {
		name = span_trim(rest);
		tick = name.n ? memchr(name.p, '`', name.n) : NULL;
		f->address = address;
	}
	if (tick) {
		module = span_range(name.p, tick);
		name = span_range(tick + 1, name.p + name.n);
		name = stacktext_without_offset(name);
		if (stacktext_is_address(name, &f->address))
			name.n = 0;
	} else {
		name = stacktext_without_offset(name);
	}
	if (is_kernel(module))
		f->kind = FRAME_KERNEL;
	stacktext_name(r, f, name, module);
	if (f->kind != FRAME_UNKNOWN)
		f->address = 0;
	return true;
}

/* ---- the format ---- */

/* A unit begins with a row, and with the line after a count. */
static bool begins(const char *p, size_t n, size_t at)
{
	const char *before = at > 1 ? memrchr(p, '\n', at - 1) : NULL;
	const char *lf = memchr(p + at, '\n', n - at);
	struct span line = span_range(p + at, lf ? lf : p + n);
	struct span last = span_range(before ? before + 1 : p, p + at - 1);
	struct text_sample v = { 0 };
	enum dtrace_line kind;

	if (kind_of(last, &v) == LINE_COUNT)
		return true;
	if (!lf)
		return false; /* the rest of the line is not here */
	kind = kind_of(line, &v);
	return kind == LINE_PROBE || kind == LINE_TEXT;
}

static size_t dtrace_cut(const char *p, size_t n)
{
	return stacktext_cut_before(p, n, begins);
}

/* The event of the first sample. */
static void dtrace_scan_front(struct stacktext_reader *reader, struct span front)
{
	struct text_sample row = { 0 };
	struct span line;
	bool frames = false;

	while (span_next_line(&front, &line)) {
		struct text_sample v = { 0 };
		enum dtrace_line kind = kind_of(line, &v);

		if (kind == LINE_COUNT && frames)
			return;
		if (frames && (kind == LINE_PROBE || kind == LINE_TEXT || kind == LINE_HEAD))
			break;
		if (kind == LINE_PROBE || kind == LINE_TEXT)
			row = v;
		frames |= kind == LINE_FRAME;
	}
	if (row.event.n && frames)
		reader->first_event = stacktext_keep(reader, row.event);
	reader->first_time_ns = row.time_ns;
}

static int dtrace_bid(const struct input_head *head)
{
	uint32_t frames = 0, ticks = 0, rows = 0, heads = 0, texts = 0;
	struct span rest = stacktext_front(head), line;

	while (span_next_line(&rest, &line)) {
		struct text_sample v = { 0 };
		enum dtrace_line kind = kind_of(line, &v);

		heads += kind == LINE_HEAD;
		rows += kind == LINE_PROBE && v.has_time;
		texts += kind == LINE_TEXT;
		if (kind != LINE_FRAME)
			continue;
		frames++;
		ticks += memchr(line.p, '`', line.n) != NULL;
	}
	if (!frames)
		return heads ? 50 : 0;
	if (heads || rows)
		return 93;
	return ticks * 2 > frames && texts <= frames ? 80 : 0;
}

static const struct stacktext_format format = {
	.title = "DTrace stacks",
	.cut = dtrace_cut,
	.make = dtrace_make,
	.counted = true,
	.state_bytes = sizeof(struct dtrace_state),
	.scan_front = dtrace_scan_front,
	.begin = reset,
	.line = dtrace_line,
	.end = end_row,
};

static int dtrace_read(struct recording *r, const struct file *f, const struct input_head *head,
	const struct read_opts *o, struct pool *pool, struct err *e)
{
	return stacktext_read(&format, r, f, head, o, pool, e);
}

const struct input_format stacks_dtrace = {
	.name = "dtrace",
	.about = "DTrace: stack() and ustack() with counts, or below rows printed by a script",
	.bid = dtrace_bid,
	.read = dtrace_read,
};
