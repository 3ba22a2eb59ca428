/*
 * perf_map_ranges.h - the last line of a perf map at each address
 *
 * Lines are put in the order of the file, and a later one covers what it overlaps; an earlier one
 * keeps the rest. So there is a list of ranges, sorted and disjoint, each of the line that was
 * there last. A runtime gives the same memory to new code again and again: what is covered is
 * dropped at once, so that there are never more ranges than pieces of code fit into that memory,
 * however long the map is.
 *
 * A range has 16 bytes: the lower half of its address, the offset of the line in the file instead
 * of its name, and a hash of its function, by which another function at the same address is noticed
 * (but one in 16 million). Blocks hold up to 1024 ranges, and are split in two if one comes in
 * between; what comes after all ranges of a full block begins the next one, so that blocks are full
 * if addresses grow. In the worst order, memory is 24 bytes for a range, and 72 for each 4 GiB of
 * addresses that have any.
 *
 * Owns: its blocks. Threads: put from one; then look up from any. Private to jit/.
 */
#ifndef PERFOLD_JIT_PERF_MAP_RANGES_H
#define PERFOLD_JIT_PERF_MAP_RANGES_H

#include "model/frames.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	PERF_MAP_OFFSET_BITS = 38, /* for a file of 256 GiB */
	PERF_MAP_FUNCTION_BITS = 24,
};

/* Code from start up to end, exclusive, less than 4 GiB. */
struct perf_map_range {
	uint64_t start, end;
	uint64_t offset; /* of the line, in the file */
	uint32_t function;
	bool ambiguous; /* other functions were here too, at other times */
	bool reused;    /* or older code of the same function */
};

/* A zeroed struct is empty. */
struct perf_map_ranges {
	struct perf_map_range_block {
		uint64_t first; /* where the first range starts; the others share its upper half */
		struct packed_range *at;
		frame_id *frames; /* by range; NULL: none was looked up; atomic */
		uint32_t n, cap;
	} * block;
	uint32_t n_blocks, cap_blocks;
	uint32_t hint; /* the block put into last */
	uint64_t n;    /* ranges */
	uint64_t overwritten_bytes;
};

void perf_map_ranges_release(struct perf_map_ranges *l);
/* r->ambiguous and r->reused are ignored. */
void perf_map_ranges_put(struct perf_map_ranges *l, const struct perf_map_range *r);
bool perf_map_ranges_any_ambiguous(const struct perf_map_ranges *l);

/* After this no more ranges are put. The position of a range: */
struct perf_map_range_pos {
	uint32_t block, i;
};

/* The first range that ends after the address; false: there is none. */
bool perf_map_ranges_find(
	const struct perf_map_ranges *l, uint64_t address, struct perf_map_range_pos *at);
struct perf_map_range perf_map_ranges_get(
	const struct perf_map_ranges *l, struct perf_map_range_pos at);
/* The caller's cache of the frame of a range, 0 at first. */
frame_id *perf_map_ranges_frame(const struct perf_map_ranges *l, struct perf_map_range_pos at);

#endif
