/*
 * place_tally.h - adds up what lines and instructions cost, stack by stack
 *
 * Owns: its tables. Threads: each has its own; place_tally_finish() sums those of all workers.
 * Private to collapse/.
 */
#ifndef PERFOLD_COLLAPSE_PLACE_TALLY_H
#define PERFOLD_COLLAPSE_PLACE_TALLY_H

#include "base/index.h"
#include "model/place_costs.h"

struct place_sum {
	struct place_cost cost; /* cost.place is not set */
	uint32_t on_path;       /* how often it is there */
	uint32_t latest_call;   /* number of a call from there, plus 1; 0: none yet */
};

/* What a frame stands for. */
struct place_of {
	frame_id line, instruction; /* its places; instruction 0: it has no address */
	frame_id shown;             /* the frame without its place; 0: not yet looked up */
	bool inlined;
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
	struct frames *frames;  /* borrowed */
	struct place_of *of;    /* by frame_id */
	struct place_sum *sums; /* by frame_id of a place */
	struct call_sum *calls;
	struct index by_call;
	uint32_t cap_of, cap_sums, n_calls, cap_calls;
	struct place_step *path; /* the latest stack */
	uint32_t n_path, cap_path;
};

void place_tally_init(struct place_tally *t, struct frames *frames);
void place_tally_release(struct place_tally *t);

/* The frame of a function, without the line and address that it was sampled at. */
frame_id place_tally_shown(struct place_tally *t, frame_id frame);
/* A stack, the outermost frame first. */
void place_tally_add(struct place_tally *t, const frame_id *frames, uint32_t n, uint64_t weight,
	uint64_t samples);

/* The places of all workers, with what they cost. Owned by the caller. */
struct place_costs place_tally_finish(struct place_tally *of_workers, uint32_t n);

#endif
