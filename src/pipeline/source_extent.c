/*
 * source_extent.c - which lines of a text are shown of a function
 *
 *	declaration     void f(int n)       an extent begins here, or CONTEXT lines before
 *	                {                   a line that ran
 *	ran                     g(n);
 *	                }                   and ends where a line is indented no more than that
 *
 *	declaration     void f(long n)      the next extent: another function f
 *
 * Where no end is seen within LONGEST lines, CONTEXT lines follow the last one that ran.
 */
#include "pipeline/source_extent.h"

#include "base/chars.h"

/* CONTEXT: lines around those that ran, where a function's begin or end is not known. LONGEST: what
 * follows a line that ran without an end, or another line that ran, to be seen. */
enum { CONTEXT = 3, LONGEST = 400, TAB = 8 };

/* Columns of the first character; UINT32_MAX: the line is empty. */
static uint32_t indentation(struct span line)
{
	uint32_t column = 0;
	size_t i;

	for (i = 0; i < line.n; i++) {
		if (line.p[i] == ' ')
			column++;
		else if (line.p[i] == '\t')
			column += TAB - column % TAB;
		else if (line.p[i] == '\r')
			break;
		else
			return column;
	}
	return UINT32_MAX;
}

/* A line that closes what a line of the same indentation has begun: "}", "});", "end", ")". */
static bool closes(struct span line)
{
	struct span s = span_trim(line);

	return s.n && (s.p[0] == '}' || s.p[0] == ')' || s.p[0] == ']' ||
			      (span_starts(s, SPAN("end")) && (s.n == 3 || !char_is_word(s.p[3]))));
}

/* "out:" */
static bool is_label(struct span s)
{
	size_t i;

	for (i = 0; i < s.n && char_is_word(s.p[i]);)
		i++;
	return i && i + 1 == s.n && s.p[i] == ':';
}

/* Is it the beginning of a body, a label or a directive? These are indented as the function is, and
 * do not end it. */
static bool is_of_the_function(struct span line)
{
	struct span s = span_trim(line);

	return s.n && (s.p[0] == '{' || s.p[0] == '#' || is_label(s));
}

/* The last line of a function that begins at line begin: the next line that is indented no more
 * than that one. */
static uint32_t find_end(const struct source_text *text, uint32_t begin, uint32_t from)
{
	struct source_lines lines = source_file_lines(text, from);
	uint32_t depth = indentation(source_file_line(text, begin)), line, last = from;

	for (line = from; line <= text->n_lines && line < from + LONGEST; line++) {
		struct span s = source_file_next_line(&lines);
		uint32_t column = indentation(s);

		if (column == UINT32_MAX)
			continue;
		if (column <= depth && line > begin) {
			if (closes(s))
				return line;
			if (!is_of_the_function(s) && line > from)
				return last;
		}
		last = line;
	}
	return from + CONTEXT < text->n_lines ? from + CONTEXT : text->n_lines;
}

/* Declarations and lines that ran, in order. */
struct extent_lines {
	const struct annotated_file *file;
	uint32_t begin, cost; /* the next ones */
};

/* 0: there are no more. */
static uint32_t next_line(struct extent_lines *l, bool *is_begin)
{
	const struct annotated_file *f = l->file;
	uint32_t begin, line;

	while (l->cost < f->n_costs && !f->cost[l->cost].line)
		l->cost++;
	begin = l->begin < f->n_begins ? f->begin[l->begin] : 0;
	line = l->cost < f->n_costs ? f->cost[l->cost].line : 0;
	*is_begin = begin && (!line || begin <= line);
	if (*is_begin) {
		l->begin++;
		return begin;
	}
	l->cost += line != 0;
	return line;
}

/* first: a declaration, or a line that ran. */
static struct source_extent extent_of(
	const struct source_text *text, bool is_begin, uint32_t first, uint32_t last)
{
	struct source_extent e = { first, last };

	if (is_begin) {
		e.last = find_end(text, first, last);
		return e;
	}
	e.first = first > CONTEXT ? first - CONTEXT : 1;
	e.last = last + CONTEXT < text->n_lines ? last + CONTEXT : text->n_lines;
	return e;
}

/* Extents that meet, or nearly, are one. */
static void add_extent(struct source_extent *to, uint32_t *n, struct source_extent e)
{
	struct source_extent *before = *n ? &to[*n - 1] : NULL;

	if (!before || e.first > before->last + CONTEXT) {
		to[(*n)++] = e;
		return;
	}
	if (e.last > before->last)
		before->last = e.last;
}

uint32_t source_extent_find_all(
	const struct source_text *text, const struct annotated_file *f, struct source_extent *to)
{
	struct extent_lines lines = { .file = f };
	bool is_begin, of_begin = false;
	uint32_t first = 0, last = 0, n = 0, line;

	while ((line = next_line(&lines, &is_begin)) && line <= text->n_lines) {
		if (first && (is_begin || line - last > LONGEST)) {
			add_extent(to, &n, extent_of(text, of_begin, first, last));
			first = 0;
		}
		if (!first) {
			first = line;
			of_begin = is_begin;
		}
		last = line;
	}
	if (first)
		add_extent(to, &n, extent_of(text, of_begin, first, last));
	return n;
}
