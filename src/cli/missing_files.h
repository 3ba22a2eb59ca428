/*
 * missing_files.h - notes about files and directories that options name and that are not there
 *
 * They need not be there: one command line serves many recordings, and some lack a map. But a
 * mistyped name would look like a recording without symbols.
 *
 * Owns: nothing. Threads: one.
 */
#ifndef PERFOLD_CLI_MISSING_FILES_H
#define PERFOLD_CLI_MISSING_FILES_H

#include "cli/options.h"

void missing_files_report(
	const struct options *o, void (*put)(void *ctx, const char *line), void *ctx);

#endif
