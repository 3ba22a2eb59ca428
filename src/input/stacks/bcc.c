/*
 * bcc.c - stacks with counts, as tools of bcc print them without -f
 *
 *	    schedule                             frames, innermost first; kernel before user
 *	    --                                   between the two, with -d
 *	    poll
 *	    -                sshd (3243)         profile, offcputime: name and number of the thread
 *	        4
 *
 *	  submit_bio                             stackcount: frames further left
 *	    vmstat [5]                           with -P: name and number of the process
 *	    79
 *
 * A stack ends with its count, a line of just a number. Lines that are not indented belong to no
 * stack, so frames before one have no count and are reported. Weights of offcputime are
 * microseconds, which its first line says. With -f all these tools print folded stacks.
 *
 * The format has no mark of its own, so it is recognized by its lines: frames, then a count, and
 * few lines of another kind.
 *
 * Source: profile(8), offcputime(8), stackcount(8) of bcc.
 */
#include "input/stacks/stacks.h"

#include "base/chars.h"

struct bcc_state {
	struct text_sample sample; /* of the frames being read; strings are in the block */
};

static void reset(struct stacktext *s)
{
	struct bcc_state *b = s->state;

	stacktext_drop(s);
	*b = (struct bcc_state){ .sample = stacktext_empty_sample(s) };
}

/* "NAME (12)" or "NAME [12]": the name may hold blanks. */
static bool parse_thread(struct span text, char open, char close, struct text_sample *v)
{
	const char *at = text.n ? memrchr(text.p, open, text.n) : NULL;
	struct span number;
	uint64_t id;

	if (!at || at == text.p || at[-1] != ' ' || text.p[text.n - 1] != close)
		return false;
	number = span_range(at + 1, text.p + text.n - 1);
	if (!stacktext_number(number, &id) || id > INT32_MAX)
		return false;
	v->comm = span_trim(span_range(text.p, at));
	v->pid = v->tid = (int32_t)id;
	return true;
}

/* The number that profile and offcputime print is the thread's if they trace threads. */
static bool parse_owner(struct span text, struct text_sample *v)
{
	struct span name = span_skip(text, 1);

	if (text.n > 2 && text.p[0] == '-' && char_is_blank(text.p[1]))
		return parse_thread(span_trim(name), '(', ')', v);
	return parse_thread(text, '[', ']', v) && v->comm.n &&
	       !span_starts(v->comm, SPAN("[unknown]"));
}

static bool is_delimiter(struct span text)
{
	return span_eq(text, SPAN("--")) || span_eq(text, SPAN("-"));
}

static void count(struct stacktext *s, uint64_t n)
{
	struct bcc_state *b = s->state;

	b->sample.period = n;
	if (n && (stacktext_has_frames(s) || b->sample.comm.n))
		stacktext_end(s, &b->sample);
	reset(s);
}

static void bcc_line(struct stacktext *s, struct span line)
{
	struct bcc_state *b = s->state;
	struct span text = span_trim(line);
	uint64_t n;

	if (!text.n || !stacktext_indent(line)) {
		if (stacktext_has_frames(s))
			stacktext_bad(s, DIAG_BAD_COUNT);
		reset(s);
	} else if (stacktext_number(text, &n)) {
		count(s, n);
	} else if (!is_delimiter(text) && !parse_owner(text, &b->sample)) {
		stacktext_frame(s, text);
	}
}

static void bcc_end(struct stacktext *s)
{
	if (stacktext_has_frames(s))
		stacktext_bad(s, DIAG_BAD_COUNT);
	reset(s);
}

/* "name", "name+0x1f", "ffffffff810df082 name" (-v), "name [module]", "b'name'" of older ones. */
static bool bcc_make(struct recording *r, struct span text, struct frame *f)
{
	struct span rest = text, word = stacktext_word(&rest), address = word, name = text,
		    module = { 0 };
	const char *open;

	if (word.n >= 8 && span_trim(rest).n && span_scan_hex(&address, &f->address) && !address.n)
		name = span_trim(rest);
	f->address = 0;
	if (name.n > 3 && span_starts(name, SPAN("b'")) && name.p[name.n - 1] == '\'')
		name = (struct span){ name.p + 2, name.n - 3 };
	open = name.n && name.p[name.n - 1] == ']' ? memrchr(name.p, '[', name.n) : NULL;
	if (open && open > name.p && open[-1] == ' ') {
		module = span_range(open + 1, name.p + name.n - 1);
		name = span_trim(span_range(name.p, open));
	}
	name = stacktext_without_offset(name);
	if (stacktext_is_address(name, &f->address))
		name.n = 0;
	if (span_eq(module, SPAN("kernel")))
		f->kind = FRAME_KERNEL;
	stacktext_name(r, f, name, module);
	return true;
}

/* ---- the format ---- */

/* A unit begins after a blank line. */
static bool begins(const char *p, size_t n, size_t at)
{
	const char *before = at > 1 ? memrchr(p, '\n', at - 1) : NULL;

	(void)n;
	return !span_trim(span_range(before ? before + 1 : p, p + at - 1)).n;
}

static size_t bcc_cut(const char *p, size_t n)
{
	return stacktext_cut_before(p, n, begins);
}

static void bcc_scan_front(struct stacktext_reader *reader, struct span front)
{
	if (span_find(front, SPAN("off-CPU time (us)")) >= 0 ||
		span_find(front, SPAN("blocked time (us)")) >= 0)
		reader->unit = SPAN("microseconds");
}

struct bcc_lines {
	struct text_sample sample;
	uint32_t frames, counts, owners, others; /* lines */
};

/* perf script -F ip,brstack has frames of nothing but an address, some of which look like counts;
 * the tools of bcc write [unknown], or 0x. */
static bool is_bare_address(struct span text)
{
	enum { SHORTEST = 6 };
	size_t i;

	for (i = 0; i < text.n && char_is_lower_hex(text.p[i]); i++)
		;
	return i == text.n && i >= SHORTEST;
}

static void count_line(struct bcc_lines *k, struct span line, uint32_t *frames)
{
	struct span text = span_trim(line);
	uint64_t n;

	if (!text.n || !stacktext_indent(line)) {
		k->others += *frames || (text.n && k->counts && !char_is_digit(text.p[0]));
		*frames = 0;
	} else if (stacktext_number(text, &n)) {
		k->counts += *frames != 0;
		k->frames += *frames;
		*frames = 0;
	} else if (text.p[0] == '-' && parse_owner(text, &k->sample)) {
		k->owners++;
	} else {
		k->others += is_bare_address(text);
		++*frames;
	}
}

static int bcc_bid(const struct input_head *head)
{
	struct span rest = stacktext_front(head), line;
	struct bcc_lines k = { .frames = 0 };
	uint32_t frames = 0;

	if (!rest.n)
		return 0;
	while (span_next_line(&rest, &line))
		count_line(&k, line, &frames);
	if (span_starts(head->bytes, SPAN("Sampling at ")) ||
		span_starts(head->bytes, SPAN("Tracing ")))
		return k.counts ? 85 : 40;
	if (!k.counts || k.others > k.counts)
		return 0;
	return k.owners ? 75 : 55;
}

static const struct stacktext_format format = {
	.title = "stacks of bcc",
	.cut = bcc_cut,
	.make = bcc_make,
	.counted = true,
	.state_bytes = sizeof(struct bcc_state),
	.scan_front = bcc_scan_front,
	.begin = reset,
	.line = bcc_line,
	.end = bcc_end,
};

static int bcc_read(struct recording *r, const struct file *f, const struct input_head *head,
	const struct read_opts *o, struct pool *pool, struct err *e)
{
	return stacktext_read(&format, r, f, head, o, pool, e);
}

const struct input_format stacks_bcc = {
	.name = "bcc",
	.about = "stacks of bcc's profile, offcputime and stackcount, printed without -f",
	.bid = bcc_bid,
	.read = bcc_read,
};
