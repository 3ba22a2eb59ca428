/*
 * How it works. Queries are sorted by place, as segments are in the text, so one pass over the
 * text merges both: a segment is decoded, queries before its column are answered by the segments
 * before it, and it goes into a ring of the last LOOK_BACK ones.
 *
 *	mappings   AAAA,IAAI,SAASA;...       line 1: segments at columns 0, 4, 13; line 2 ...
 *	queries              ^ column 9      answered by the segment at 4
 *
 * The place is that of the last segment at or before the query. The name is that of an earlier
 * one: V8 reports where a function's parameters begin, and its name is some characters before, in
 * one of the forms that bundlers and minifiers write (name_forms[]).
 *
 * All numbers are differences to those of the segment before, so the sums are checked at each
 * step. Cost: the length of the text up to the last query; no memory. Source: ECMA-426.
 */
#include "symbolize/sourcemap/sourcemap.h"

#include "base/base64.h"
#include "base/mem.h"

enum {
	/* A name is at most this many segments before the parameters of its function. */
	LOOK_BACK = 4,
	DIGITS_MAX = 7, /* of a number of 32 bits */
};

/* The distance between a function's name and its parameters in characters, and how many of these
 * are the last word, which has a segment of its own. */
static const struct name_form {
	uint8_t distance, word;
} name_forms[] = {
	/* clang-format off */
	{ 0, 0 },	/* function a(   a(){} of a class */
	{ 1, 0 },	/* a=b=>   a:(b)=> */
	{ 3, 0 },	/* a = (b) => */
	{ 6, 5 },	/* a=async( */
	{ 9, 8 },	/* a=function( */
	{ 11, 8 },	/* a = function( */
	{ 12, 11 },	/* class a{constructor( */
	{ 18, 11 },	/* a=class{constructor( */
	/* clang-format on */
};

#define NUMBER_MAX ((int64_t)INT32_MAX)

struct map_segment {
	int64_t column;
	int64_t source; /* -1: code that no source has */
	int64_t source_line, source_column;
	int64_t name; /* -1: none */
};

/* The current place: the sums of all differences so far. */
struct map_cursor {
	const char *start;
	struct span rest;
	uint32_t line; /* from 0 */
	struct map_segment sum;
	struct map_segment before[LOOK_BACK]; /* of this line, a ring; at is the next place */
	size_t at, n_before;
	bool several; /* the line comes from several lines of the source */
};

static int bad(const struct map_cursor *c, const char *what, struct err *e)
{
	return err_set(
		e, ERR_FORMAT, "mappings, character %zu: %s", (size_t)(c->rest.p - c->start), what);
}

static bool at_number(const struct map_cursor *c)
{
	return c->rest.n && c->rest.p[0] != ',' && c->rest.p[0] != ';';
}

/* Add the number at the front to *sum. */
static int decode_number(struct map_cursor *c, int64_t *sum, struct err *e)
{
	uint64_t value = 0;
	unsigned digits = 0;
	int digit = 32;

	while (digit & 32) {
		digit = c->rest.n ? base64_digit(c->rest.p[0]) : -1;
		if (digit < 0)
			return bad(c, "not a base 64 digit", e);
		if (digits == DIGITS_MAX)
			return bad(c, "number too large", e);
		value |= (uint64_t)(digit & 31) << (5 * digits++);
		c->rest = span_skip(c->rest, 1);
	}
	*sum += value & 1 ? -(int64_t)(value >> 1) : (int64_t)(value >> 1);
	if (*sum < 0 || *sum > NUMBER_MAX)
		return bad(c, "sum out of range", e);
	return OK;
}

static int decode_segment(struct map_cursor *c, struct map_segment *out, struct err *e)
{
	struct map_segment *sum = &c->sum;

	if (decode_number(c, &sum->column, e))
		return e->code;
	*out = (struct map_segment){ .column = sum->column, .source = -1, .name = -1 };
	if (!at_number(c))
		return OK;
	if (decode_number(c, &sum->source, e) || decode_number(c, &sum->source_line, e) ||
		decode_number(c, &sum->source_column, e))
		return e->code;
	out->source = sum->source;
	out->source_line = sum->source_line;
	out->source_column = sum->source_column;
	if (!at_number(c))
		return OK;
	if (decode_number(c, &sum->name, e))
		return e->code;
	out->name = sum->name;
	return at_number(c) ? bad(c, "more than five numbers in a segment", e) : OK;
}

/* The k-th segment before here, 0 the nearest. */
static const struct map_segment *segment_before(const struct map_cursor *c, size_t k)
{
	return k < c->n_before ? &c->before[(c->at + LOOK_BACK - 1 - k) % LOOK_BACK] : NULL;
}

static void keep_segment(struct map_cursor *c, const struct map_segment *s)
{
	const struct map_segment *last = segment_before(c, 0);

	if (last && (last->source != s->source || last->source_line != s->source_line))
		c->several = true;
	c->before[c->at] = *s;
	c->at = (c->at + 1) % LOOK_BACK;
	if (c->n_before < LOOK_BACK)
		c->n_before++;
}

static void next_line(struct map_cursor *c)
{
	c->line++;
	c->sum.column = 0;
	c->n_before = 0;
	c->several = false;
}

/* ---- answering queries ---------------------------------------------------------------------- */

static bool has_segment_at(const struct map_cursor *c, int64_t column)
{
	const struct map_segment *seg;
	size_t k;

	for (k = 0; (seg = segment_before(c, k)); k++)
		if (seg->column == column)
			return true;
	return false;
}

static bool is_name_form(const struct map_cursor *c, int64_t distance, int64_t column)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(name_forms); i++)
		if (distance == name_forms[i].distance)
			return !name_forms[i].word ||
			       has_segment_at(c, column - name_forms[i].word);
	return false;
}

/* The name of the function in the source: that of the segment which is before the parameters at the
 * distance of a name. If that segment has no name, it was not changed. */
static struct span original_name(const struct sourcemap_section *s, const struct map_cursor *c,
	struct span function, int64_t column)
{
	const struct map_segment *seg;
	size_t k;

	for (k = 0; function.n && (seg = segment_before(c, k)); k++) {
		if (!is_name_form(c, column - seg->column - (int64_t)function.n, column))
			continue;
		if (seg->name >= 0 && (uint64_t)seg->name < s->names.n)
			return s->names.at[seg->name];
		break;
	}
	return (struct span){ 0 };
}

static void answer(const struct sourcemap_section *s, const struct map_cursor *c,
	struct sourcemap_query *q, int64_t column)
{
	const struct map_segment *seg = segment_before(c, 0);

	if (!seg || seg->source < 0 || (uint64_t)seg->source >= s->sources.n)
		return;
	q->source = s->sources.at[seg->source];
	q->root = s->root;
	q->number = (size_t)seg->source;
	q->source_line = (uint32_t)seg->source_line + 1;
	q->source_column = q->column ? (uint32_t)seg->source_column + 1 : 0;
	q->found = q->source.n > 0;
	if (q->found && q->column)
		q->name = original_name(s, c, q->function, column);
}

/* The column of a query within the section; the first line of a section may begin anywhere. */
static int64_t column_in(const struct sourcemap_section *s, const struct sourcemap_query *q)
{
	return (int64_t)q->column - 1 - (q->line - 1 == s->line ? (int64_t)s->column : 0);
}

static uint32_t line_in(const struct sourcemap_section *s, const struct sourcemap_query *q)
{
	return q->line - 1 - s->line;
}

/* The queries of one line of a section, those without a column first. */
struct line_questions {
	struct sourcemap_query *q;
	size_t n, next, without_column;
};

static void find_questions(const struct sourcemap_section *s, const struct map_cursor *c,
	struct sourcemap_query *q, size_t n, struct line_questions *l)
{
	*l = (struct line_questions){ .q = q };
	while (l->n < n && line_in(s, &q[l->n]) == c->line) {
		if (!q[l->n].column)
			l->without_column++;
		l->n++;
	}
	l->next = l->without_column;
}

static void end_line(
	const struct sourcemap_section *s, const struct map_cursor *c, struct line_questions *l)
{
	size_t i;

	for (; l->next < l->n; l->next++)
		answer(s, c, &l->q[l->next], column_in(s, &l->q[l->next]));
	/* Some versions of V8 report no column: good enough if the line comes from one line. */
	for (i = 0; i < l->without_column && !c->several; i++)
		answer(s, c, &l->q[i], 0);
}

/* Read one line. */
static int decode_line(const struct sourcemap_section *s, struct map_cursor *c,
	struct line_questions *l, struct err *e)
{
	struct map_segment seg;

	while (c->rest.n && c->rest.p[0] != ';') {
		if (c->rest.p[0] == ',') {
			c->rest = span_skip(c->rest, 1);
			continue;
		}
		if (decode_segment(c, &seg, e))
			return e->code;
		while (l->next < l->n && column_in(s, &l->q[l->next]) < seg.column) {
			answer(s, c, &l->q[l->next], column_in(s, &l->q[l->next]));
			l->next++;
		}
		keep_segment(c, &seg);
	}
	end_line(s, c, l);
	return OK;
}

static int resolve_section(
	const struct sourcemap_section *s, struct sourcemap_query *q, size_t n, struct err *e)
{
	struct map_cursor c = { .start = s->mappings.p, .rest = s->mappings };
	struct line_questions l;

	while (n) {
		find_questions(s, &c, q, n, &l);
		if (decode_line(s, &c, &l, e))
			return e->code;
		q += l.n;
		n -= l.n;
		if (!c.rest.n)
			break;
		c.rest = span_skip(c.rest, 1);
		next_line(&c);
	}
	return OK;
}

/* ---- sections ------------------------------------------------------------------------------- */

static int compare_places(uint32_t line_a, uint32_t column_a, uint32_t line_b, uint32_t column_b)
{
	if (line_a != line_b)
		return line_a < line_b ? -1 : 1;
	return column_a < column_b ? -1 : column_a > column_b;
}

int sourcemap_query_compare(const void *pa, const void *pb)
{
	const struct sourcemap_query *a = pa, *b = pb;

	return compare_places(a->line, a->column, b->line, b->column);
}

static bool is_before(const struct sourcemap_query *q, const struct sourcemap_section *s)
{
	uint32_t column = q->column ? q->column - 1 : 0;

	return compare_places(q->line - 1, column, s->line, s->column) < 0;
}

int sourcemap_resolve(const struct sourcemap *m, struct sourcemap_query *q, size_t n, struct err *e)
{
	size_t i, k, from = 0, until;

	while (m->n && from < n && is_before(&q[from], &m->sections[0]))
		from++;
	for (i = 0; i < m->n; i++, from = until) {
		until = i + 1 < m->n ? from : n;
		while (until < n && is_before(&q[until], &m->sections[i + 1]))
			until++;
		for (k = from; k < until; k++)
			q[k].section = i;
		if (resolve_section(&m->sections[i], q + from, until - from, e))
			return e->code;
	}
	return OK;
}
