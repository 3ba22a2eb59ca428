/*
 * callstack.h - from what a sample has of its stack to sites
 *
 * sample_stack.h finds the stack wherever the recording has it: a call chain (callchain.h), whose
 * user part may come later (deferred.h), or a user stack dump. Truncated ones are stitched to
 * complete ones (stitch.h). A dump that was unwound is a chain again in unwound.h. resolver.h turns
 * an entry of a stack into the site that it is at a moment.
 *
 * The door of this directory: others include this header only.
 */
#ifndef PERFOLD_PROCESS_CALLSTACK_CALLSTACK_H
#define PERFOLD_PROCESS_CALLSTACK_CALLSTACK_H

#include "process/callstack/callchain.h"
#include "process/callstack/deferred.h"
#include "process/callstack/stitch.h"
#include "process/callstack/resolver.h"
#include "process/callstack/sample_stack.h"
#include "process/callstack/unwound.h"

#endif
