/*
 * place_costs.h - what each line and each instruction costs
 *
 * A place is a frame as samples have it before collapse/ merges the lines of a function: a
 * function and the line in it that ran, or from which it called. self is the weight of stacks that
 * end there, total that of all stacks that pass through. A stack that is at a place twice (in
 * recursion) counts once for it.
 *
 * The frame of a line has the name, module, file and line of its function, and at_file and at_line;
 * where the line is not known, at_line is 0, so that the lines of a function add up to what it
 * weighs itself. An inlined function has its own lines, and its caller the line of the call. The
 * frame of an instruction has its function, the one whose code it is, and at_address, too: code
 * that was inlined counts for the instruction.
 *
 * Owns: the lists; frames belong to their table. Threads: read by any.
 */
#ifndef PERFOLD_MODEL_PLACE_COSTS_H
#define PERFOLD_MODEL_PLACE_COSTS_H

#include "model/frames.h"

struct place_cost {
	frame_id place;
	frame_id function; /* without its line; may be FRAME_INLINED, or not */
	uint64_t self, self_samples, total, total_samples;
};

/* What of a line's total is in a function that it calls, or that is inlined there. */
struct place_call {
	frame_id line, callee; /* callee: without its line; FRAME_INLINED: it is inlined */
	frame_id caller;       /* the function of the line, as in struct place_cost */
	uint64_t total, total_samples;
};

struct place_costs {
	struct place_cost *line, *instruction; /* in no order */
	struct place_call *call;
	uint32_t n_lines, n_instructions, n_calls;
};

void place_costs_release(struct place_costs *c);

#endif
