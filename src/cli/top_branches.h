/*
 * top_branches.h - perfold top --branches: the branches taken most, and those mispredicted most
 *
 * Owns: nothing. Threads: one.
 */
#ifndef PERFOLD_CLI_TOP_BRANCHES_H
#define PERFOLD_CLI_TOP_BRANCHES_H

#include "cli/options.h"

/* What they need of how recordings are read. ERR_USAGE if an option goes not with them. */
int top_branches_prepare(struct options *o, struct err *e);
/* ERR_FORMAT if the recording has no branches. */
int top_branches_print(const struct options *o, const struct pipeline_result *r, struct err *e);

#endif
