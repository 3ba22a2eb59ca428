#include "cli/message.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>

void message(const char *fmt, ...)
{
	struct buf safe = { 0 };
	va_list ap;
	char *line;

	va_start(ap, fmt);
	line = xvasprintf(fmt, ap);
	va_end(ap);
	utf8_put_terminal(&safe, span_of(line));
	fprintf(stderr, "perfold: %s\n", buf_str(&safe));
	buf_release(&safe);
	free(line);
}
