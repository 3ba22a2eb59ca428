#include "cli/cli.h"

#include "base/mem.h"

#include <stdio.h>
#include <string.h>

static const struct command *const commands[] = {
	&cmd_fold,
	&cmd_info,
	&cmd_top,
	&cmd_diff,
	&cmd_resolve,
	&cmd_pack,
	&cmd_filters,
	&cmd_spans,
	&cmd_merge,
};

const struct command *commands_find(int argc, char **argv)
{
	size_t i;

	for (i = 1; i < ARRAY_LEN(commands); i++)
		if (argc > 1 && strcmp(argv[1], commands[i]->name) == 0)
			return commands[i];
	return &cmd_fold;
}

void commands_print(void)
{
	size_t i;

	for (i = 1; i < ARRAY_LEN(commands); i++)
		printf("  %-20s  %s\n", commands[i]->name, commands[i]->about);
}

const struct command *commands_at(size_t i)
{
	return i < ARRAY_LEN(commands) ? commands[i] : NULL;
}
