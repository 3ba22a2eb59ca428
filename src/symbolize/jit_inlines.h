/*
 * jit_inlines.h - functions that a runtime inlined, all in one name
 *
 *	Lpkg/A;::f->Lpkg/B;::g		perf-map-agent, with unfold
 *
 * Such a frame becomes one for each function, all but the first marked as inlined, as for `perf
 * script` text (input/script/script_frame.c).
 *
 * Owns: nothing. Threads: one, when all sites have their frames. Private to symbolize/.
 */
#ifndef PERFOLD_SYMBOLIZE_JIT_INLINES_H
#define PERFOLD_SYMBOLIZE_JIT_INLINES_H

#include "model/recording.h"

void jit_inlines_split(struct recording *r);

#endif
