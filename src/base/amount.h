/*
 * amount.h - a weight as people read it: three significant digits and a unit
 *
 *	1920084676 nanoseconds  1.92 s
 *	25871 s                 7 h 11 min
 *	815631256 cycles        816 M cycles
 *	407 cycles              407 cycles
 *	1 samples               1 sample
 *
 * Below a million, counts are exact. Programs get whole numbers: this is for all that people read.
 * Pages of pictures say it so, too (assets/shared/amount_text.js): testdata/amounts/examples.tsv
 * holds for both.
 *
 * Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_BASE_AMOUNT_H
#define PERFOLD_BASE_AMOUNT_H

#include "base/buf.h"

void amount_put(struct buf *b, uint64_t value, const char *unit);
void amount_put_time(struct buf *b, uint64_t ns);

#endif
