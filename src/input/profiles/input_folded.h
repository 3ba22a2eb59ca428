/*
 * folded.h - folded stacks: one line for each stack, outermost frame first
 *
 *	FRAME;FRAME;FRAME COUNT
 *	FRAME;FRAME;FRAME COUNT COUNT      of two recordings (difffolded.pl): the last one counts
 *
 * A count may have a fraction ("12.5"); weights are whole numbers, so it is rounded, half up. Two
 * counts are looked for only where all lines at the front of the text have two: a frame's name may
 * end in a number ("worker 7"). "_[k]", "_[j]" and "_[i]" behind a name (stackcollapse-perf.pl
 * --all) become the kind of the frame; those behind a frame "-" are the kernel's (bcc -d). All
 * frames are plain ones, even the name of the thread: the text does not tell where that ends. Blank
 * lines and lines that begin with "# " are skipped.
 */
#ifndef PERFOLD_INPUT_FOLDED_H
#define PERFOLD_INPUT_FOLDED_H

#include "input/input.h"

extern const struct input_format input_folded;

#endif
