#include "cli/note.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>

char *note_text(const char *fmt, va_list ap)
{
	char *line = xvasprintf(fmt, ap);
	struct buf safe = { 0 };

	utf8_put_terminal(&safe, span_of(line));
	buf_putc(&safe, '\0');
	free(line);
	return safe.p;
}

void note(const char *fmt, ...)
{
	va_list ap;
	char *line;

	va_start(ap, fmt);
	line = note_text(fmt, ap);
	va_end(ap);
	fprintf(stderr, "perfold: %s\n", line);
	free(line);
}
