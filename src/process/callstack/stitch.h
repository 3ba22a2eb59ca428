/*
 * grafts.h - copied stacks that were cut off, joined to the complete stack they are part of
 *
 * A thread that calls deep has stacks that fit into the copy and others that do not, and both
 * have the same outermost frames as long as it stays in the same place. The rule:
 *
 *	T: frames of a stack that was cut off, the outermost first; C: those of a complete one of
 *	the same thread (process and thread number). C continues T where some frames in a row of C,
 *	not its first, are the first r frames of T; what C has outside of them is the outer part.
 *	Frames are equal where they are the same place in code (of generated code: the same
 *	function). r counts up to STITCH_RUN_MAX.
 *
 *	Of all complete stacks of the thread, in the whole recording, those with the longest r
 *	count. Where they all have the same outer part, T gets it in the place of [truncated].
 *	Where they differ, or there are none, T is left as it is.
 *
 *	It is left too where its first frame comes again in it: it was cut in a recursion, and
 *	nothing tells how deep that was.
 *
 * Works on whole logs after pass 2: which worker had which sample changes nothing.
 *
 * Owns: nothing between calls; the logs own what is grafted. Threads: one. Private to process/.
 */
#ifndef PERFOLD_PROCESS_CHAINS_GRAFTS_H
#define PERFOLD_PROCESS_CHAINS_GRAFTS_H

#include "model/recording.h"

enum { STITCH_RUN_MAX = 64 };

/* What a stack begins with if not its outermost frame: it was cut off, or ends early for another
 * reason (then it is no model, and loses the mark). */
struct stitch_marks {
	site_id truncated, unfinished;
};

/* Roots must tell process and thread. Counts what was joined and what was not. */
void stitch_stacks(struct recording *r, struct stitch_marks marks);

#endif
