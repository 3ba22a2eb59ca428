/*
 * chains.h - from what a sample has of its stack to sites
 *
 * stacks.h takes the stack from wherever the recording has it: a call chain (callchain.h), whose
 * user part may come later (deferred.h), or a copied stack, of which some are cut off and joined to
 * others (grafts.h). resolve.h says what an entry of a stack is at a moment.
 *
 * The door of this folder: others include this header only.
 */
#ifndef PERFOLD_PROCESS_CHAINS_CHAINS_H
#define PERFOLD_PROCESS_CHAINS_CHAINS_H

#include "process/callstack/callchain.h"
#include "process/callstack/deferred.h"
#include "process/callstack/stitch.h"
#include "process/callstack/resolver.h"
#include "process/callstack/sample_stack.h"

#endif
