/*
 * progress_text.h - how far the work is, as a line
 *
 *	reading:  61% of 123 MB                      one input
 *	b.data: reading:  61% of 370 MB              several: all of them together
 *
 * Owns: nothing. Threads: any; a line belongs to one.
 */
#ifndef PERFOLD_CLI_PROGRESS_TEXT_H
#define PERFOLD_CLI_PROGRESS_TEXT_H

#include "base/buf.h"
#include "base/progress.h"

/* Puts nothing before the first stage. *shown: the share of all inputs that the line had last, 0
 * before the first one: it never gets less. */
void progress_text_put(struct buf *b, const struct progress *p, double *shown);

#endif
