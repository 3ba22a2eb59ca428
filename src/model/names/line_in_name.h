/*
 * line_in_name.h - names of frames with the line that ran, as option --lines shows them
 *
 * Threads: any; text is the caller's, for scratch.
 */
#ifndef PERFOLD_MODEL_NAMES_LINE_IN_NAME_H
#define PERFOLD_MODEL_NAMES_LINE_IN_NAME_H

#include "base/buf.h"
#include "model/frames.h"

/* "name:file.c:12", with f->at_line. */
static inline void line_in_name(
	struct strtab *strings, struct buf *text, struct frame *f, struct span file)
{
	char digits[20], *end = digits + sizeof(digits), *line = span_put_digits(end, f->at_line);

	text->n = 0;
	buf_put_span(text, strtab_get(strings, f->name));
	buf_putc(text, ':');
	buf_put_span(text, file);
	buf_putc(text, ':');
	buf_put_span(text, span_range(line, end));
	f->name = strtab_add(strings, buf_span(text));
}

#endif
