/*
 * dates.h - about when the code of a line of a perf map was made
 *
 * A perf map has no times, but its lines are in the order in which code was made, and samples have
 * times: a function that a sample saw was there by then, and so was all that stands above its line.
 * So the earliest sample of any line from here on is the latest time at which the code of this line
 * can have been made. It is a bound that grows with the lines, in steps. The guess is that of the
 * line, or of the one above that was seen last, if the line was not.
 *
 * It may be seconds too late: where a runtime gives freed memory to new code, all that samples hit
 * may be at addresses of several functions, which tell nothing by themselves. But hardly any
 * address is that of an instruction in both the old and the new function. So where fewer addresses
 * were seen both before and after some other time, the code came then; at the earliest of several
 * such times, since old code had been given up for a while by the time that other code is put to
 * its address. They are looked for some steps of the bound back.
 *
 * Owns: what it has counted; what was seen is borrowed. Threads: one. Private to jit/.
 */
#ifndef PERFOLD_JIT_DATES_H
#define PERFOLD_JIT_DATES_H

#include "jit/jit.h"

struct dates {
	const struct codemap_seen *seen;
	uint64_t *until_ns; /* for each that was seen: made by then; one more for what is behind */
	uint64_t *step_ns;  /* the same, each time once */
	size_t n_steps;
	struct turn *turns;
	size_t left; /* so many addresses may still be looked at */
};

void dates_begin(struct dates *d, const struct codemap_seen *seen);
void dates_release(struct dates *d);

/* From when on the code of a line was at some addresses. */
uint64_t dates_find(struct dates *d, uint64_t place, const struct codemap_range *at);

#endif
