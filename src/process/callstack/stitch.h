/*
 * stitch.h - truncated user stacks, stitched to the complete stack that they are part of
 *
 * A user stack dump has a fixed size. A thread that calls deep has stacks that fit and others that
 * do not, and both have the same outermost frames as long as it stays in the same place. The rule:
 *
 *	T: frames of a truncated stack, the outermost first; C: those of a complete one of the same
 *	thread (pid and tid). C continues T where some frames in a row of C, not its first, are the
 *	first r frames of T; the frames of C outside of them are the outer part. Frames are equal
 *	if they are the same place in code (of JIT code: the same function). r counts up to
 *	STITCH_RUN_MAX.
 *
 *	Of all complete stacks of the thread, in the whole recording, those with the longest r
 *	count. If they all have the same outer part, T gets it in the place of [truncated]. If
 *	they differ, or there are none, T is left as it is.
 *
 *	T is left, too, if its first frame occurs in it again: it was cut in a recursion of unknown
 *	depth.
 *
 * It works on whole logs after pass 2, so it does not matter which worker had which sample. (perf
 * stitches LBR call stacks of successive samples: perf script --stitch-lbr.)
 *
 * Owns: nothing between calls; the logs own the new frames. Threads: one. Private to process/.
 */
#ifndef PERFOLD_PROCESS_CALLSTACK_STITCH_H
#define PERFOLD_PROCESS_CALLSTACK_STITCH_H

#include "model/recording.h"

enum { STITCH_RUN_MAX = 64 };

/* The first site of a stack that does not begin with its outermost frame: it was truncated, or ends
 * early for another reason (then it is no model, and loses the mark). */
struct stitch_marks {
	site_id truncated, unfinished;
};

/* Roots must have pid and tid. Stacks that were stitched, and those that were not, are counted. */
void stitch_stacks(struct recording *r, struct stitch_marks marks);

#endif
