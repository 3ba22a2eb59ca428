/*
 * progress_line.h - the line that shows how far the work is
 *
 * On a terminal, after one second, about eight times a second.
 *
 * Owns: a thread. Threads: start and stop from one.
 */
#ifndef PERFOLD_CLI_PROGRESS_LINE_H
#define PERFOLD_CLI_PROGRESS_LINE_H

#include "base/progress.h"
#include "cli/options.h"

struct progress_line;

/* NULL if nothing is to be shown. p is borrowed until progress_line_stop(). */
struct progress_line *progress_line_start(struct progress *p, enum progress_mode mode);
/* Clears the line. */
void progress_line_stop(struct progress_line *l);

#endif
