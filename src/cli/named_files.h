/*
 * named_files.h - are the files and directories that options name there, and what they should be?
 *
 * A file that the user named is not searched for, so one that is missing or of another kind must
 * not be passed over: the names would be worse, and nobody would know why.
 *
 * Owns: nothing. Threads: one.
 */
#ifndef PERFOLD_CLI_NAMED_FILES_H
#define PERFOLD_CLI_NAMED_FILES_H

#include "cli/options.h"

/* Before the work. Missing: ERR_USAGE; not what the option takes: another error. */
int named_files_check(const struct options *o, struct err *e);
/* After it: a line for each that no name came from, if names are missing. It may be the file of
 * another program or kernel. */
void named_files_report_unused(const struct options *o, const struct pipeline_result *r,
	void (*put)(void *ctx, const char *line), void *ctx);

#endif
