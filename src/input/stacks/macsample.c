/*
 * macsample.c - the report of sample(1) of macOS (Activity Monitor writes the same)
 *
 *	Analysis of sampling node (pid 1234) every 1 millisecond
 *	Call graph:
 *	    2610 Thread_2110   DispatchQueue_1: com.apple.main-thread  (serial)
 *	    + 2600 start  (in libdyld.dylib) + 1  [0x7fff5a]
 *	    + ! 2600 main  (in node) + 94  [0x100e5]  main.c:12
 *	    + 10 ???  (in node)  load address 0x1000 + 0x123  [0x1123]
 *
 *	Total number in stack (recursive counted multiple, when >=5):
 *
 * Two columns are one level. The number of a line includes the lines below it; the rest are its
 * self samples. self[] holds that rest for each level of the current stack: a line subtracts its
 * number from its parent's, and when a level is popped, what is left there becomes a stack of that
 * weight.
 *
 * A line that is not understood may have been the parent of those below it: they get an [unknown]
 * caller in its place.
 *
 * A thread begins at level 0, so blocks are cut there.
 *
 * Source: sample(1).
 */
#include "input/stacks/stacks.h"

#include "base/chars.h"
#include "base/mem.h"

#include <stdlib.h>

enum { FIRST_COLUMN = 4, LEVEL_COLUMNS = 2 };

struct macsample_state {
	struct text_sample sample; /* of the thread; strings are in the block */
	bool inside;               /* in a thread's tree */
	uint64_t *self;  /* by level: samples that no line below has; [0] is the thread's */
	uint32_t n, cap; /* levels of the current stack */
	uint32_t n_bad;  /* lines since the last one of the tree: each may have been a level */
};

/* The depth of a line of the tree, and what follows: "    + ! 12 name ..." */
static bool parse_level(struct span line, uint32_t *level, uint64_t *count, struct span *rest)
{
	size_t i = FIRST_COLUMN;

	if (line.n < FIRST_COLUMN || memcmp(line.p, "    ", FIRST_COLUMN) != 0)
		return false;
	while (i < line.n && (line.p[i] == ' ' || line.p[i] == '+' || line.p[i] == '!' ||
				     line.p[i] == ':' || line.p[i] == '|'))
		i++;
	*level = (uint32_t)((i - FIRST_COLUMN) / LEVEL_COLUMNS);
	*rest = span_skip(line, i);
	return span_scan_u64(rest, count) && rest->n && rest->p[0] == ' ';
}

/* Pops level and all below it: the self samples of each are a stack. */
static void pop_levels(struct stacktext *s, uint32_t level)
{
	struct macsample_state *m = s->state;

	while (m->n > level) {
		m->sample.period = m->self[--m->n];
		s->log.n_entries = m->n;
		if (m->sample.period)
			stacktext_count(s, &m->sample);
		if (m->n)
			s->log.n_entries = m->n - 1;
	}
}

static void reset(struct stacktext *s)
{
	struct macsample_state *m = s->state;

	pop_levels(s, 0);
	stacktext_drop(s);
	m->inside = false;
	m->n_bad = 0;
}

/* "Thread_2110   DispatchQueue_1: com.apple.main-thread  (serial)", "Thread_2111: worker" */
static void begin_thread(struct stacktext *s, struct span text)
{
	struct macsample_state *m = s->state;
	struct span number = span_trim(text), name;
	ptrdiff_t colon;
	uint64_t id;

	m->sample = stacktext_empty_sample(s);
	if (span_starts(number, SPAN("Thread_")))
		number = span_skip(number, 7);
	if (span_scan_u64(&number, &id) && id <= INT32_MAX)
		m->sample.tid = (int32_t)id;
	colon = span_find(text, SPAN(": "));
	if (colon < 0)
		return;
	name = span_trim(span_skip(text, (size_t)colon + 2));
	if (span_ends(name, SPAN("  (serial)")) || span_ends(name, SPAN("  (concurrent)")))
		name.n = (size_t)span_find(name, SPAN("  ("));
	m->sample.comm = name;
}

static void add_level(struct stacktext *s, uint64_t count)
{
	struct macsample_state *m = s->state;
	uint64_t rest = count;
	uint32_t i;

	/* What a parent does not have, its own parent has: the parent's line may be missing. */
	for (i = m->n; i-- && rest;) {
		uint64_t part = rest < m->self[i] ? rest : m->self[i];

		m->self[i] -= part;
		rest -= part;
	}
	ARRAY_GROW(m->self, m->n, m->cap);
	m->self[m->n++] = count;
}

static void push_level(struct stacktext *s, struct span frame, uint64_t count)
{
	stacktext_frame(s, frame);
	add_level(s, count);
}

static void bad_line(struct stacktext *s)
{
	struct macsample_state *m = s->state;

	stacktext_bad(s, DIAG_BAD_LINE);
	m->n_bad++;
}

/* Below the trees is a blank line, and "Total number in stack (...):". */
static bool is_end(struct span line)
{
	return !span_trim(line).n || (line.p[0] != ' ' && line.p[0] != '+');
}

static void macsample_line(struct stacktext *s, struct span line)
{
	struct macsample_state *m = s->state;
	struct span rest;
	uint32_t level;
	uint64_t count;

	if (!parse_level(line, &level, &count, &rest)) {
		if (is_end(line))
			reset(s);
		else if (m->inside)
			bad_line(s);
		return;
	}
	if (!level) {
		reset(s);
		m->inside = true;
		begin_thread(s, rest);
	} else if (!m->inside) {
		return;
	} else if (level > m->n + m->n_bad) {
		bad_line(s);
		return;
	} else {
		while (level > m->n)
			push_level(s, SPAN("???"), count);
		pop_levels(s, level);
		stacktext_frame(s, span_trim(rest));
	}
	m->n_bad = 0;
	add_level(s, count);
}

static void macsample_release(struct stacktext *s)
{
	struct macsample_state *m = s->state;

	free(m->self);
}

/* "main.c:12" at the end. */
static void set_source(struct recording *r, struct frame *f, struct span text)
{
	const char *blank = memrchr(text.p, ' ', text.n);
	struct span place = blank ? span_range(blank + 1, text.p + text.n) : (struct span){ 0 };
	uint32_t line;

	if (!span_scan_last_number(&place, &line) || !place.n || !memchr(place.p, '.', place.n))
		return;
	f->file = strtab_add(r->strings, place);
	f->at_line = line;
}

/* "main  (in node) + 94  [0x100e5]  main.c:12", "???  (in node)  load address ...", "0x1234" */
static bool macsample_make(struct recording *r, struct span text, struct frame *f)
{
	ptrdiff_t in = span_find(text, SPAN("  (in ")), open = span_find(text, SPAN("  ["));
	struct span name = text, module = { 0 }, address;

	if (open >= 0 && span_starts(span_skip(text, (size_t)open + 3), SPAN("0x"))) {
		address = span_skip(text, (size_t)open + 5);
		span_scan_hex(&address, &f->address);
	}
	if (in >= 0) {
		const char *close;

		name.n = (size_t)in;
		module = span_skip(text, (size_t)in + 6);
		close = memchr(module.p, ')', module.n);
		module = close ? span_range(module.p, close) : module;
		set_source(r, f, text);
	} else if (open >= 0) {
		name.n = (size_t)open;
	}
	name = span_trim(name);
	if (span_eq(name, SPAN("???")) || span_starts(name, SPAN("0x")))
		name.n = 0;
	stacktext_name(r, f, name, module);
	if (f->kind != FRAME_UNKNOWN)
		f->address = 0;
	return true;
}

/* ---- the format ---- */

static bool begins(const char *p, size_t n, size_t at)
{
	const char *lf = memchr(p + at, '\n', n - at);
	struct span line = span_range(p + at, lf ? lf : p + n), rest;
	uint32_t level;
	uint64_t count;

	return parse_level(line, &level, &count, &rest) && !level;
}

static size_t macsample_cut(const char *p, size_t n)
{
	return stacktext_cut_before(p, n, begins);
}

/* "Analysis of sampling node (pid 1234) every 1 millisecond" */
static void macsample_scan_front(struct stacktext_reader *reader, struct span front)
{
	struct span prefix = SPAN("Analysis of sampling "), line, number;
	ptrdiff_t at, pid;
	uint64_t id;

	at = span_find(front, prefix);
	if (at < 0)
		return;
	front = span_skip(front, (size_t)at + prefix.n);
	if (!span_next_line(&front, &line))
		return;
	pid = span_find(line, SPAN(" (pid "));
	if (pid < 0)
		return;
	reader->comm = stacktext_keep(reader, (struct span){ line.p, (size_t)pid });
	number = span_skip(line, (size_t)pid + 6);
	if (span_scan_u64(&number, &id) && id <= INT32_MAX)
		reader->pid = (int32_t)id;
}

static int macsample_bid(const struct input_head *head)
{
	struct span rest = head->bytes, line;
	bool graph = false, threads = false;

	if (rest.n && memchr(rest.p, 0, rest.n))
		return 0;
	while (span_next_line(&rest, &line)) {
		graph |= span_starts(line, SPAN("Call graph:"));
		threads |= graph && begins(line.p, line.n, 0);
	}
	if (span_starts(head->bytes, SPAN("Analysis of sampling ")))
		return 95;
	return threads ? 90 : 0;
}

static const struct stacktext_format format = {
	.title = "report of sample(1)",
	.cut = macsample_cut,
	.make = macsample_make,
	.counted = true,
	.state_bytes = sizeof(struct macsample_state),
	.scan_front = macsample_scan_front,
	.line = macsample_line,
	.end = reset,
	.release = macsample_release,
};

static int macsample_read(struct recording *r, const struct file *f, const struct input_head *head,
	const struct read_opts *o, struct pool *pool, struct err *e)
{
	return stacktext_read(&format, r, f, head, o, pool, e);
}

const struct input_format stacks_macsample = {
	.name = "macos-sample",
	.about = "report of sample(1) of macOS",
	.bid = macsample_bid,
	.read = macsample_read,
};
