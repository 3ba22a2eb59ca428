/*
 * named.h - a message about files and folders that options name and that are not there
 *
 * None of them has to be there: one command line serves many recordings, of which some lack a map.
 * But a mistyped name would look like a recording without symbols.
 *
 * Owns: nothing. Threads: one.
 */
#ifndef PERFOLD_CLI_NAMED_H
#define PERFOLD_CLI_NAMED_H

#include "cli/options.h"

void missing_files_report(
	const struct options *o, void (*put)(void *ctx, const char *line), void *ctx);

#endif
