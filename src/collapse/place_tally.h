/*
 * place_tally.h - adds up what lines and instructions cost, stack by stack
 *
 * Owns: its tables. Threads: each has its own; place_tally_finish() sums those of all workers.
 * Private to collapse/.
 */
#ifndef PERFOLD_COLLAPSE_PLACE_TALLY_H
#define PERFOLD_COLLAPSE_PLACE_TALLY_H

#include "base/index.h"
#include "base/mem.h"
#include "collapse/place_map.h"
#include "model/place_costs.h"

struct place_sum {
	struct place_cost cost; /* cost.place 0: nothing was added yet */
	bool is_instruction;
	uint32_t on_path;     /* how often it is there */
	uint32_t latest_call; /* number of a call from there, plus 1; 0: none yet */
};

/* That of a frame which the map has not: one of a root or made by a rule, or in a thread called
 * java*. */
struct other_place {
	frame_id frame;
	bool java;
	struct place_of at;
};

struct call_sum {
	struct place_call call;
	uint32_t on_path;
};

/* A frame of the path. */
struct place_step {
	frame_id frame;
	struct place_of at;
	uint32_t call;            /* the number of the call that led there; of the first: none */
	uint64_t weight, samples; /* of stacks that pass, so far */
};

struct place_tally {
	MEM_APART struct frames *frames; /* borrowed */
	const struct place_map *map;     /* borrowed: the frames that sites have */
	struct other_place *other;
	struct index by_other;
	uint32_t n_other, cap_other;
	struct place_sum *sums; /* by frame_id of a place */
	frame_id *place;        /* which of them have something */
	struct call_sum *calls;
	struct index by_call;
	uint32_t cap_sums, n_places, cap_places, n_calls, cap_calls;
	struct place_step *path; /* the latest stack */
	uint32_t n_path, cap_path;
	bool is_java; /* that stack */
};

void place_tally_init(struct place_tally *t, struct frames *frames, const struct place_map *map);
void place_tally_release(struct place_tally *t);

/* Frames are as samples have them; naming, the worker's, shortens their names. */

/* The frame of a function, without the line and address that it was sampled at. */
frame_id place_tally_shown(struct place_tally *t, struct naming *naming, frame_id frame, bool java);
/* A stack, the outermost frame first. */
struct place_stack {
	const frame_id *frame;
	uint32_t n;
	bool java; /* of a thread called java* */
	uint64_t weight, samples;
};
void place_tally_add(struct place_tally *t, struct naming *naming, const struct place_stack *stack);

/* The places of all workers, with what they cost. Owned by the caller. */
struct place_costs place_tally_finish(struct place_tally *of_workers, uint32_t n);

#endif
