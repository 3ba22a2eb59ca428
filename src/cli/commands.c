#include "cli/cli.h"

#include "base/mem.h"

#include <stdio.h>
#include <string.h>

static const struct command *const commands[] = {
	&command_fold,
	&command_info,
	&command_top,
	&command_diff,
	&command_resolve,
	&command_pack,
	&command_filters,
	&command_spans,
	&command_merge,
};

const struct command *command_find(int argc, char **argv)
{
	size_t i;

	for (i = 1; i < ARRAY_LEN(commands); i++)
		if (argc > 1 && strcmp(argv[1], commands[i]->name) == 0)
			return commands[i];
	return &command_fold;
}

void commands_print(void)
{
	size_t i;

	for (i = 1; i < ARRAY_LEN(commands); i++)
		printf("  %-20s  %s\n", commands[i]->name, commands[i]->about);
}

const struct command *command_at(size_t i)
{
	return i < ARRAY_LEN(commands) ? commands[i] : NULL;
}
