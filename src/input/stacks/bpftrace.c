/*
 * bpftrace.c - maps with stacks as keys, which bpftrace prints when it ends
 *
 *	@[
 *	    finish_task_switch+1                 frames, innermost first
 *	    schedule+44
 *	,
 *	    __read_nocancel+7                    the next key: another stack
 *	    main+17
 *	, bash, 1234]: 42                        or a name, or a number
 *
 * Keys may come in any order; several stacks are joined in the order of the text, the first one on
 * top. Of the other keys, a name is the thread's, and the first number is the process. Frames of
 * mode perf have their module: " ffffffff8100 name+1 (module)". In a map of statistics ("count 3,
 * average 2, total 6") the total counts; histograms are left out.
 *
 * An entry begins with a line "@[" or "@name[", so blocks are cut there, and ends with the last
 * "]:" of a line, as names hold brackets too.
 *
 * Source: bpftrace(8).
 */
#include "input/stacks/stacks.h"

#include "base/chars.h"

struct bpftrace_state {
	struct text_sample sample; /* of the map's entry being read; strings are in the block */
	bool inside;               /* between "@[" and "]:" */
	bool empty_stack;          /* there is nothing before the first comma */
};

static void reset(struct stacktext *s)
{
	struct bpftrace_state *b = s->state;

	stacktext_drop(s);
	*b = (struct bpftrace_state){ .sample = stacktext_empty_sample(s) };
}

/* True for a line that begins with "@[" or "@name["; *rest follows it. */
static bool begins_entry(struct span line, struct span *rest)
{
	size_t i = 1;

	if (!line.n || line.p[0] != '@')
		return false;
	while (i < line.n && char_is_word(line.p[i]))
		i++;
	if (i == line.n || line.p[i] != '[')
		return false;
	*rest = span_skip(line, i + 1);
	return true;
}

/* ", bash, 1234": keys that are not stacks. */
static void parse_keys(struct bpftrace_state *b, struct span keys)
{
	while (keys.n) {
		ptrdiff_t comma = span_find(keys, SPAN(", "));
		struct span key = comma < 0 ? keys : (struct span){ keys.p, (size_t)comma };
		uint64_t n;

		keys = span_skip(keys, key.n + 2);
		key = span_trim(key);
		if (!key.n || span_eq(key, SPAN(",")))
			continue;
		if (!stacktext_number(key, &n))
			b->sample.comm = b->sample.comm.n ? b->sample.comm : key;
		else if (b->sample.pid < 0 && n <= INT32_MAX)
			b->sample.pid = b->sample.tid = (int32_t)n;
	}
}

/* " 42", " count 3, average 2, total 6" */
static bool parse_value(struct span text, uint64_t *value)
{
	ptrdiff_t total = span_find(text, SPAN(", total "));

	if (total >= 0)
		text = span_skip(text, (size_t)total + 8);
	return stacktext_is_count(text, value);
}

static void end_entry(struct stacktext *s, struct span keys, struct span value)
{
	struct bpftrace_state *b = s->state;

	parse_keys(b, keys);
	if (!b->empty_stack && !stacktext_has_frames(s)) {
		reset(s); /* the keys hold no stack: "@start[1234]: 5" */
		return;
	}
	if (!parse_value(value, &b->sample.period))
		stacktext_bad(s, DIAG_BAD_COUNT);
	else if (b->sample.period)
		stacktext_end(s, &b->sample);
	reset(s);
}

/* The last "]:" of a line ends an entry: names hold brackets too. */
static ptrdiff_t find_end(struct span line)
{
	size_t i;

	for (i = line.n; i-- > 1;)
		if (line.p[i] == ':' && line.p[i - 1] == ']' &&
			(i + 1 == line.n || line.p[i + 1] == ' '))
			return (ptrdiff_t)i - 1;
	return -1;
}

/* A line of an entry: a frame, which is indented, or keys. */
static void parse_inside(struct stacktext *s, struct span line)
{
	struct bpftrace_state *b = s->state;
	ptrdiff_t end = find_end(line);
	bool frame = stacktext_indent(line) > 0;

	if (frame && end < 0)
		stacktext_frame(s, span_trim(line));
	else if (end < 0)
		parse_keys(b, line);
	else
		end_entry(
			s, (struct span){ line.p, (size_t)end }, span_skip(line, (size_t)end + 2));
}

static void bpftrace_end(struct stacktext *s)
{
	const struct bpftrace_state *b = s->state;

	if (b->inside)
		stacktext_bad(s, DIAG_BAD_COUNT);
	reset(s);
}

/* Outside of entries are the output of the program itself, and maps without keys: "@count: 3". */
static void bpftrace_line(struct stacktext *s, struct span line)
{
	struct bpftrace_state *b = s->state;
	struct span rest;

	if (line.n && line.p[0] == '@')
		bpftrace_end(s);
	if (begins_entry(line, &rest)) {
		b->inside = true;
		b->empty_stack = rest.n && rest.p[0] == ',';
		parse_inside(s, rest);
	} else if (b->inside && span_trim(line).n) {
		parse_inside(s, line);
	}
}

/* "name+17", "0x7f001234", "ffffffff8100 name+17 (module)" */
static bool bpftrace_make(struct recording *r, struct span text, struct frame *f)
{
	struct span rest = text, word = stacktext_word(&rest), hex = word, name = text,
		    module = { 0 };
	const char *open;

	if (span_trim(rest).n && span_scan_hex(&hex, &f->address) && !hex.n) {
		name = span_trim(rest);
		open = name.p[name.n - 1] == ')' ? memrchr(name.p, '(', name.n) : NULL;
		if (open && (open == name.p || open[-1] == ' ')) {
			module = span_range(open + 1, name.p + name.n - 1);
			name = span_trim(span_range(name.p, open));
		}
	}
	name = stacktext_without_offset(name);
	if (stacktext_is_address(name, &f->address))
		name.n = 0;
	if (span_eq(module, SPAN("[unknown]")))
		module.n = 0;
	stacktext_name(r, f, name, module);
	if (f->kind != FRAME_UNKNOWN)
		f->address = 0;
	return true;
}

/* ---- the format ---- */

static bool begins(const char *p, size_t n, size_t at)
{
	(void)n;
	return p[at] == '@';
}

static size_t bpftrace_cut(const char *p, size_t n)
{
	return stacktext_cut_before(p, n, begins);
}

static int bpftrace_bid(const struct input_head *head)
{
	struct span rest = head->bytes, line, after;
	uint32_t entries = 0, opened = 0;

	if (rest.n && memchr(rest.p, 0, rest.n))
		return 0;
	while (span_next_line(&rest, &line)) {
		if (!begins_entry(line, &after))
			continue;
		entries++;
		opened += find_end(after) < 0;
	}
	if (span_starts(head->bytes, SPAN("Attaching ")) && entries)
		return 92;
	return opened ? 90 : entries ? 45 : 0;
}

static const struct stacktext_format format = {
	.title = "stacks of bpftrace",
	.cut = bpftrace_cut,
	.make = bpftrace_make,
	.counted = true,
	.state_bytes = sizeof(struct bpftrace_state),
	.begin = reset,
	.line = bpftrace_line,
	.end = bpftrace_end,
};

static int bpftrace_read(struct recording *r, const struct file *f, const struct input_head *head,
	const struct read_opts *o, struct pool *pool, struct err *e)
{
	return stacktext_read(&format, r, f, head, o, pool, e);
}

const struct input_format stacks_bpftrace = {
	.name = "bpftrace",
	.about = "maps of bpftrace with stacks as keys: @[kstack, ustack, comm]: 42",
	.bid = bpftrace_bid,
	.read = bpftrace_read,
};
