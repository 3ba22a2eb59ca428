/*
 * strip_run.h - a copy of a recording without what was on stacks
 *
 * User stack dumps and registers are replaced by the chains that they unwind to
 * (callstack/unwound.h), so that the copy gives the same stacks; names of files and of the machine
 * go as struct strip says. The records stay in the order of the file.
 *
 * Owns: nothing between calls. Threads: uses the pool. Private to process/.
 */
#ifndef PERFOLD_PROCESS_STRIP_RUN_H
#define PERFOLD_PROCESS_STRIP_RUN_H

#include "model/strip.h"
#include "process/pass2.h"

/* Writes p->opts->strip->path. */
int strip_run(const struct pass2 *p, struct pool *pool, struct err *e);

#endif
