#include "cli/message.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>

char *message_string(const char *fmt, va_list ap)
{
	char *line = xvasprintf(fmt, ap);
	struct buf safe = { 0 };

	utf8_put_terminal(&safe, span_of(line));
	buf_putc(&safe, '\0');
	free(line);
	return safe.p;
}

void message(const char *fmt, ...)
{
	va_list ap;
	char *line;

	va_start(ap, fmt);
	line = message_string(fmt, ap);
	va_end(ap);
	fprintf(stderr, "perfold: %s\n", line);
	free(line);
}
