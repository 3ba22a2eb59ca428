#include "cli/cli.h"

#include "base/mem.h"
#include "cli/options.h"

#include <stdio.h>
#include <string.h>

static const struct command commands[] = {
	{ NULL, NULL, cmd_fold, FOR_FOLD },
	{ "info", "what is in a recording, what is missing, advice", cmd_info, FOR_INFO },
	{ "top", "the functions that cost most, in the terminal", cmd_top, FOR_TOP },
	{ "view", "a flame graph, functions and source to look at, in the terminal", cmd_view,
		FOR_VIEW },
	{ "annotate", "the source of a function, with what each line costs", cmd_annotate,
		FOR_ANNOTATE },
	{ "diff", "what changed between two recordings", cmd_diff, FOR_DIFF },
	{ "resolve", "names for the addresses in a text", cmd_resolve, FOR_RESOLVE },
	{ "pack", "a recording and its symbols, in one file", cmd_pack, FOR_PACK },
	{ "strip", "a recording without what was on stacks, to give to others", cmd_strip,
		FOR_STRIP },
	{ "filters", "the filter files, and what each does to a recording", cmd_filters,
		FOR_FILTERS },
	{ "spans", "how long things took, from pairs of events", cmd_spans, FOR_SPANS },
	{ "merge", "add up many recordings or profiles", cmd_merge, FOR_MERGE },
};

const struct command *commands_find(int argc, char **argv)
{
	size_t i;

	for (i = 1; i < ARRAY_LEN(commands); i++)
		if (argc > 1 && strcmp(argv[1], commands[i].name) == 0)
			return &commands[i];
	return &commands[0];
}

void commands_print(void)
{
	size_t i;

	for (i = 1; i < ARRAY_LEN(commands); i++)
		printf("  %-20s  %s\n", commands[i].name, commands[i].about);
}

const struct command *commands_at(size_t i)
{
	return i < ARRAY_LEN(commands) ? &commands[i] : NULL;
}
