/*
 * godump.c - the stacks of all goroutines of a Go program
 *
 *	goroutine 19 [chan receive, 5 minutes]:      of a panic, of SIGQUIT, or of the profile with
 *	main.(*T).wait(0x0?, 0x0?)                   debug=2
 *		/src/m.go:4 +0x31
 *	created by main.main in goroutine 1
 *		/src/m.go:8 +0x85
 *
 *	3 @ 0x47d92e 0x480ac5 0x4da09d               of the profile with debug=1: three goroutines
 *	#	0x480ac4	time.Sleep+0x164	/src/time.go:363
 *
 * A goroutine is a sample: its state ("chan receive") is its root frame, and its number serves as
 * that of the thread. Its creator is the outermost frame. Lines are those of calls.
 *
 * In a dump a frame is two lines, of function and place; the first is kept until the next one shows
 * whether it has a place. A goroutine begins with its head and ends with a blank line.
 *
 * Source: runtime/pprof and runtime (traceback.go) of Go.
 */
#include "input/stacks/stacks.h"

#include "base/chars.h"

struct godump_state {
	struct text_sample sample; /* strings are in the block */
	bool inside;
	struct span call; /* a function's line, until the line of its place follows */
};

/* Pushes a function that no place followed. */
static void flush_call(struct stacktext *s)
{
	struct godump_state *g = s->state;

	if (g->call.n)
		stacktext_frame(s, g->call);
	g->call.n = 0;
}

static void end_goroutine(struct stacktext *s)
{
	struct godump_state *g = s->state;

	flush_call(s);
	if (g->inside)
		stacktext_end(s, &g->sample);
	stacktext_drop(s);
	*g = (struct godump_state){ .sample = stacktext_empty_sample(s) };
}

/* "goroutine 19 [chan receive, 5 minutes]:"; newer versions have more between number and
 * bracket. */
static bool parse_head(struct span line, struct text_sample *v)
{
	struct span rest = line;
	const char *open, *end;
	uint64_t id;

	if (!span_starts(line, SPAN("goroutine ")) || !span_ends(line, SPAN("]:")))
		return false;
	rest = span_skip(rest, 10);
	if (!span_scan_u64(&rest, &id) || !rest.n || rest.p[0] != ' ')
		return false;
	open = memchr(rest.p, '[', rest.n);
	if (!open)
		return false;
	end = line.p + line.n - 2;
	rest = span_range(open + 1, end);
	end = rest.n ? memchr(rest.p, ',', rest.n) : NULL;
	v->comm = end ? span_range(rest.p, end) : rest;
	v->tid = id <= INT32_MAX ? (int32_t)id : -1;
	return true;
}

/* "3 @ 0x47d92e 0x480ac5" */
static bool parse_sum(struct span line, struct text_sample *v)
{
	struct span rest = line;

	return span_scan_u64(&rest, &v->period) && span_starts(rest, SPAN(" @ 0x"));
}

/* "#	0x480ac4	time.Sleep+0x164	/src/time.go:363" */
static void push_summed_frame(struct stacktext *s, struct span line)
{
	struct span rest = span_skip(line, 1);

	flush_call(s);
	stacktext_word(&rest);
	rest = span_trim(rest);
	if (rest.n)
		stacktext_frame(s, rest);
}

/* "exit status 2" of go(1) may follow, and what the program printed last. */
static bool is_call(struct span line)
{
	return line.p[line.n - 1] == ')' || span_starts(line, SPAN("created by "));
}

static void parse_call(struct stacktext *s, struct span line)
{
	struct godump_state *g = s->state;

	if (line.p[0] == '\t' && g->call.n) {
		/* the text of the frame is both lines */
		stacktext_frame(s, span_range(g->call.p, line.p + line.n));
		g->call.n = 0;
	} else {
		flush_call(s);
		if (is_call(line))
			g->call = line;
	}
}

static void godump_line(struct stacktext *s, struct span line)
{
	struct godump_state *g = s->state;
	struct text_sample v = stacktext_empty_sample(s);

	if (parse_head(line, &v) || parse_sum(line, &v)) {
		end_goroutine(s);
		g->inside = true;
		g->sample = v;
	} else if (!span_trim(line).n) {
		end_goroutine(s);
	} else if (g->inside && line.p[0] == '#') {
		push_summed_frame(s, line);
	} else if (g->inside) {
		parse_call(s, line);
	}
}

/* ---- frames ---- */

/* "main.(*T).wait(0x0?, {...})" without its arguments, the last pair of brackets. */
static struct span without_arguments(struct span call)
{
	size_t i = call.n, depth = 0;

	if (!i || call.p[i - 1] != ')')
		return call;
	while (i--) {
		depth += call.p[i] == ')';
		if (call.p[i] == '(' && !--depth)
			break;
	}
	return i && i < call.n ? (struct span){ call.p, i } : call;
}

/* "/src/m.go:4 +0x31" */
static void set_place(struct recording *r, struct frame *f, struct span place)
{
	ptrdiff_t offset = span_find(place, SPAN(" +0x"));

	if (offset >= 0)
		place.n = (size_t)offset;
	if (span_scan_last_number(&place, &f->at_line))
		f->file = strtab_add(r->strings, place);
}

/* CALL, or CALL and its place after a newline and tab (dump) or tabs (profile). */
static bool godump_make(struct recording *r, struct span text, struct frame *f)
{
	const char *tab = memrchr(text.p, '\t', text.n);
	struct span name = tab ? span_trim(span_range(text.p, tab)) : text;
	struct span created = SPAN("created by ");
	ptrdiff_t in;

	if (tab)
		set_place(r, f, span_range(tab + 1, text.p + text.n));
	if (span_starts(name, created)) {
		name = span_skip(name, created.n);
		in = span_find(name, SPAN(" in goroutine "));
		if (in >= 0)
			name.n = (size_t)in;
	} else {
		name = without_arguments(stacktext_without_offset(name));
	}
	if (stacktext_is_address(name, &f->address))
		name.n = 0;
	stacktext_name(r, f, name, (struct span){ 0 });
	return true;
}

/* ---- the format ---- */

static bool begins(const char *p, size_t n, size_t at)
{
	const char *lf = memchr(p + at, '\n', n - at);
	struct span line = span_range(p + at, lf ? lf : p + n);
	struct text_sample v;

	if (line.n && line.p[line.n - 1] == '\r')
		line.n--;

	return parse_head(line, &v) || parse_sum(line, &v);
}

static size_t godump_cut(const char *p, size_t n)
{
	return stacktext_cut_before(p, n, begins);
}

static int godump_bid(const struct input_head *head)
{
	struct span rest = stacktext_front(head), line;
	struct text_sample v;
	uint32_t heads = 0;

	if (span_starts(rest, SPAN("goroutine profile: total ")))
		return 95;
	while (span_next_line(&rest, &line))
		heads += parse_head(span_trim(line), &v);
	return heads ? 90 : 0;
}

static const struct stacktext_format format = {
	.title = "goroutines",
	.cut = godump_cut,
	.make = godump_make,
	.counted = true,
	.state_bytes = sizeof(struct godump_state),
	.begin = end_goroutine,
	.line = godump_line,
	.end = end_goroutine,
};

static int godump_read(struct recording *r, const struct file *f, const struct input_head *head,
	const struct read_opts *o, struct pool *pool, struct err *e)
{
	return stacktext_read(&format, r, f, head, o, pool, e);
}

const struct input_format stacks_godump = {
	.name = "go",
	.about = "goroutines of a Go program: a panic, SIGQUIT, its profile with debug=1 or 2",
	.bid = godump_bid,
	.read = godump_read,
};
