/*
 * perf_map_layers.h - the functions that were at an address one after the other
 *
 * A layer is a line of the map. From the time at which its code came (perf_map_dates.h) it covers
 * the layers before it. Layers are collected by reading the map a second time, only for ranges
 * with several functions that samples hit: a large map should not be kept whole.
 *
 *	line      time ->
 *	5  new            |#########     covers from its date on
 *	3  mid       |####
 *	1  old   |###                    the first one: from the start
 *
 * Owns: layers. Threads: build from one, look up from any. Private to jit/.
 */
#ifndef PERFOLD_JIT_PERF_MAP_LAYERS_H
#define PERFOLD_JIT_PERF_MAP_LAYERS_H

#include "jit/jit.h"

struct perf_map_layer {
	uint64_t start, end;
	uint64_t from_ns;
	uint64_t offset;   /* of its line in the file: the highest is the latest */
	uint32_t function; /* see perf_map_read_name() */
	uint32_t piece;
	frame_id frame; /* 0: not looked up yet; atomic */
};

/* A zeroed struct is empty. */
struct perf_map_layers {
	struct codemap_range *piece; /* in order, without overlap */
	uint32_t *first;             /* layer of each, one more for the end */
	uint32_t n_pieces;
	struct perf_map_layer *layer; /* by piece, the oldest first */
	uint32_t n, cap;
	bool too_many;
};

/* The pieces that lines are collected for; copied. */
void perf_map_layers_begin(struct perf_map_layers *l, const struct codemap_range *piece, size_t n);
/* Does a line overlap a piece? */
bool perf_map_layers_overlap(const struct perf_map_layers *l, uint64_t start, uint64_t end);
/* Add a line; lines come in the order of the map. */
void perf_map_layers_add(struct perf_map_layers *l, uint64_t start, uint64_t end, uint64_t offset,
	uint32_t function);
/* To be called after the last line: date all layers. */
void perf_map_layers_date(struct perf_map_layers *l, const struct codemap_seen *seen);
void perf_map_layers_release(struct perf_map_layers *l);

/* The layer at an address and time; NULL if there is none. */
struct perf_map_layer *perf_map_layers_find(const struct perf_map_layers *l, uint64_t address,
	uint64_t time_ns, struct validity *valid);

#endif
