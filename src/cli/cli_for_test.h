/* Command lines as text, and lines as text, for tests of cli/. */
#ifndef PERFOLD_CLI_CLI_FOR_TEST_H
#define PERFOLD_CLI_CLI_FOR_TEST_H

#include "base/buf.h"
#include "cli/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Parses a command line with a blank between words. o is to be released before the next call. */
static inline int parse_line(
	struct options *o, enum command_bits command, const char *line, struct err *e)
{
	enum { ARGS_MAX = 32 };
	static char text[512]; /* the options point into it */
	char *argv[ARGS_MAX + 2] = { (char *)"perfold" }, *save, *word;
	int argc = 1;

	snprintf(text, sizeof(text), "%s", line);
	for (word = strtok_r(text, " ", &save); word && argc <= ARGS_MAX;
		word = strtok_r(NULL, " ", &save))
		argv[argc++] = word;
	return options_parse(o, command, argc, argv, e);
}

/* Appends a line to a buffer: for functions that put lines. */
static inline void put_line(void *ctx, const char *line)
{
	buf_printf(ctx, "%s\n", line);
}

#endif
