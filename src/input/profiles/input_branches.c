/*
 * Profiles for compilers that perfold wrote (output/preagg.c, output/unsymbolized.c), to be added
 * up: each line is a row of model/branch_profile.h.
 *
 *	preagg
 *		B 1139 1152 7 0		a branch, its count, and how often mispredicted
 *		F 1152 1171 6		a range
 *		f 1152 1171 6		a range reached from another function
 *		E cycles:u		the event of samples
 *		S 1140 12		samples
 *	unsymbolized
 *		2			how many ranges follow
 *		139-152:7
 *		...
 *		1			how many branches follow
 *		171->139:6
 *
 * A sum of which a line is missing looks like any other, so that nothing is skipped: a line that
 * perfold does not write is an error. Of LLVM's formats these are T, R, X and addresses with a
 * build-id, and the contexts of llvm-profgen.
 *
 * Offsets of unsymbolized profiles begin at a page that is not known. They are moved up by one, so
 * that none is BRANCH_ELSEWHERE; the writer takes it off again. Branches from elsewhere come from
 * address 1 less that page, which is the same in all profiles of a binary.
 */
#include "base/counted.h"
#include "base/mem.h"
#include "base/saturated.h"
#include "input/profiles/profiles.h"
#include "input/text/text.h"

#include <inttypes.h>
#include <stdlib.h>

enum { PAGE_BYTES = 4096 };

struct branches_reader {
	struct recording *recording;
	struct branch_binary *to;
	uint64_t line;
	uint64_t left; /* unsymbolized: lines of this part */
	int part;      /* 0: ranges are to be counted, 1: ranges, 2: branches */
};

/* ---- lines -------------------------------------------------------------------------------- */

static bool scan_hex_word(struct span *s, uint64_t *v)
{
	return span_take(s, SPAN(" ")) && span_scan_hex(s, v);
}

static bool scan_count(struct span *s, uint64_t *v)
{
	return span_take(s, SPAN(" ")) && span_scan_u64(s, v);
}

static bool parse_preagg(struct span s, struct branch_row *row)
{
	char type = s.n ? s.p[0] : 0;

	*row = (struct branch_row){ .next = BRANCH_NO_NEXT, .reading = BRANCH_ANY };
	s = span_skip(s, 1);
	switch (type) {
	case 'B':
		return scan_hex_word(&s, &row->from) && scan_hex_word(&s, &row->to) &&
		       scan_count(&s, &row->count) && scan_count(&s, &row->mispredicted) && !s.n;
	case 'F':
	case 'f':
		row->only_range = true;
		row->entered = type == 'f';
		return scan_hex_word(&s, &row->to) && scan_hex_word(&s, &row->next) &&
		       scan_count(&s, &row->count) && !s.n && row->to <= row->next &&
		       row->next != BRANCH_NO_NEXT;
	case 'S':
		row->reading = BRANCH_SAMPLE;
		return scan_hex_word(&s, &row->to) && scan_count(&s, &row->count) && !s.n;
	default:
		return false;
	}
}

static bool parse_range(struct span s, struct branch_row *row)
{
	*row = (struct branch_row){ .reading = BRANCH_ANY, .only_range = true };
	return span_scan_hex(&s, &row->to) && span_take(&s, SPAN("-")) &&
	       span_scan_hex(&s, &row->next) && span_take(&s, SPAN(":")) &&
	       span_scan_u64(&s, &row->count) && !s.n && row->to <= row->next &&
	       row->next < UINT64_MAX - PAGE_BYTES;
}

static bool parse_edge(struct span s, struct branch_row *row)
{
	*row = (struct branch_row){ .next = BRANCH_NO_NEXT, .reading = BRANCH_ANY };
	return span_scan_hex(&s, &row->from) && span_take(&s, SPAN("->")) &&
	       span_scan_hex(&s, &row->to) && span_take(&s, SPAN(":")) &&
	       span_scan_u64(&s, &row->count) && !s.n;
}

static void add_row(struct branches_reader *r, const struct branch_row *row)
{
	uint64_t *sum = row->reading == BRANCH_SAMPLE ? &r->to->samples : &r->to->entries;

	if (!row->only_range)
		*sum = saturated_add(*sum, row->count);
	branch_profile_add_row(r->to, row);
}

static void add_event(struct branches_reader *r, struct span name)
{
	struct recording *to = r->recording;

	to->events = xreallocarray(to->events, to->n_events + 1, sizeof(*to->events));
	to->events[to->n_events++] =
		(struct event){ .name = strtab_add(to->strings, name), .kept = 1, .chosen = true };
}

static bool read_preagg_line(struct branches_reader *r, struct span line)
{
	struct branch_row row;

	if (span_starts(line, SPAN("E ")) && line.n > 2) {
		add_event(r, span_skip(line, 2));
		return true;
	}
	if (!parse_preagg(line, &row))
		return false;
	add_row(r, &row);
	return true;
}

/* Is it the address of all that is elsewhere? */
static bool set_outside(struct branches_reader *r, uint64_t from)
{
	if (from != 1 && !(from >> 63))
		return false;
	r->to->outside = from;
	return true;
}

static bool read_unsymbolized_line(struct branches_reader *r, struct span line)
{
	struct branch_row row;

	if (!r->left) {
		r->part++;
		return r->part <= 2 && span_scan_u64(&line, &r->left) && !line.n;
	}
	r->left--;
	if (!(r->part == 1 ? parse_range(line, &row) : parse_edge(line, &row)))
		return false;
	row.to += PAGE_BYTES;
	if (r->part == 1)
		row.next += PAGE_BYTES;
	else if (!set_outside(r, row.from))
		row.from += PAGE_BYTES;
	else
		row.from = BRANCH_ELSEWHERE;
	add_row(r, &row);
	return true;
}

/* ---- texts -------------------------------------------------------------------------------- */

typedef bool (*read_line_fn)(struct branches_reader *r, struct span line);

static int read_block(
	struct branches_reader *r, struct span bytes, read_line_fn read_line, struct err *e)
{
	struct span line;

	while (span_next_line(&bytes, &line)) {
		r->line++;
		if (!read_line(r, line))
			return err_set(e, ERR_FORMAT,
				"%s: line %" PRIu64
				" is none that perfold writes: nothing is added up without it",
				r->recording->path, r->line);
	}
	return OK;
}

static int read_lines(struct branches_reader *r, const struct file *f,
	const struct input_head *head, const struct read_opts *o, read_line_fn read_line,
	struct err *e)
{
	struct text_reader text;
	struct text_block block = { { 0 }, 0 };
	int rc;

	text_open(&text, f, head, text_cut_lines, o->block_bytes);
	text.progress = o->progress;
	while (!(rc = text_next(&text, &block, e)) && !rc)
		if (read_block(r, buf_span(&block.bytes), read_line, e))
			break;
	if (!rc)
		rc = e->code;
	text_block_release(&block);
	text_close(&text);
	return rc == END ? OK : rc;
}

static struct branches_reader begin(struct recording *r, const char *format)
{
	struct branches_reader reader = { .recording = r };

	reader.to = r->written_branches = xcalloc(1, sizeof(*reader.to));
	reader.to->written_as = format;
	/* Without stacks: but what is made of logs has at least one. */
	r->logs = xcalloc(1, sizeof(struct stacklog *));
	r->logs[0] = stacklog_new_of_sites();
	r->n_logs = 1;
	return reader;
}

static int preagg_read(struct recording *r, const struct file *f, const struct input_head *head,
	const struct read_opts *o, struct pool *pool, struct err *e)
{
	struct branches_reader reader = begin(r, "preagg");
	int rc = read_lines(&reader, f, head, o, read_preagg_line, e);

	(void)pool;
	r->understood = reader.line;
	return rc;
}

static int check_parts(const struct branches_reader *r, struct err *e)
{
	if (r->left)
		return err_set(e, ERR_FORMAT,
			"%s: is cut short: %" PRIu64 " %s of its %s %s missing", r->recording->path,
			r->left, counted(r->left, "line", "lines"),
			r->part == 1 ? "ranges" : "branches", counted(r->left, "is", "are"));
	if (r->part != 2)
		return err_set(e, ERR_FORMAT, "%s: is cut short: its branches are missing",
			r->recording->path);
	return OK;
}

static int unsymbolized_read(struct recording *r, const struct file *f,
	const struct input_head *head, const struct read_opts *o, struct pool *pool, struct err *e)
{
	struct branches_reader reader = begin(r, "unsymbolized");
	int rc;

	(void)pool;
	reader.to->text_base = PAGE_BYTES;
	rc = read_lines(&reader, f, head, o, read_unsymbolized_line, e);
	if (!rc)
		rc = check_parts(&reader, e);
	r->understood = reader.line;
	return rc;
}

/* ---- bids --------------------------------------------------------------------------------- */

static int preagg_bid(const struct input_head *head)
{
	struct span rest = head->bytes, line;
	struct branch_row row;

	while (span_next_line(&rest, &line))
		if (!span_starts(line, SPAN("E ")))
			return parse_preagg(line, &row) ? 80 : 0;
	return 0;
}

static int unsymbolized_bid(const struct input_head *head)
{
	struct span rest = head->bytes, line;
	struct branch_row row;
	uint64_t n = 0;
	int part = 0;

	/* The first line that is no number is a range or a branch. */
	while (part < 2 && !n && span_next_line(&rest, &line)) {
		if (!span_scan_u64(&line, &n) || line.n)
			return 0;
		part++;
	}
	if (!n || !span_next_line(&rest, &line))
		return 0;
	return (part == 1 ? parse_range(line, &row) : parse_edge(line, &row)) ? 80 : 0;
}

const struct input_format input_preagg = {
	.name = "preagg",
	.about = "branches, pre-aggregated for BOLT (to be added up)",
	.bid = preagg_bid,
	.read = preagg_read,
};

const struct input_format input_unsymbolized = {
	.name = "unsymbolized",
	.about = "branches for llvm-profgen (to be added up)",
	.bid = unsymbolized_bid,
	.read = unsymbolized_read,
};
