#include "pipeline/source_extent.h"

#include "base/chars.h"

/* CONTEXT: lines around those that ran, where a function's begin or end is not known. LONGEST: what
 * follows the last line that ran without an end to be seen. */
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

struct source_extent source_extent_find(
	const struct source_text *text, uint32_t begin, uint32_t first, uint32_t last)
{
	struct source_extent e = { begin, last };

	if (!first || first > text->n_lines)
		first = last = begin;
	if (!begin || begin > first)
		e.first = first > CONTEXT ? first - CONTEXT : 1;
	if (last > text->n_lines)
		last = text->n_lines;
	if (!last || e.first > text->n_lines)
		return (struct source_extent){ 0 };
	if (begin && begin <= first)
		e.last = find_end(text, begin, last);
	else
		e.last = last + CONTEXT < text->n_lines ? last + CONTEXT : text->n_lines;
	return e;
}
