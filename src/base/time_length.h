/*
 * time_length.h - a length of time as people write it: 2s, 500ms, 1.5us, 100ns, 3m
 *
 * Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_BASE_TIME_LENGTH_H
#define PERFOLD_BASE_TIME_LENGTH_H

#include "base/span.h"

#include <stdint.h>

/* All of s, in whole nanoseconds, at most 10^18; false if it is none, or less than one. */
bool time_length_scan(struct span s, uint64_t *ns);

#endif
