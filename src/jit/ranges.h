/*
 * ranges.h - which line of a perf map lay last at an address
 *
 * Lines are put in the order of the file, and a later one covers what it overlaps; an earlier one
 * keeps what is left of it. So there is a list of ranges, in order and without overlap, each of the
 * line that was last there. A runtime gives the same memory to new code again and again: what is
 * covered is dropped at once, so that there are never more ranges than the code that fits into the
 * memory, however long the map is.
 *
 * A range takes 16 bytes: the lower half of its address, the place of the line in the file instead
 * of its name, and a hash of its function, which tells whether another lay there before (it may
 * fail to in one case of 16 million). Blocks hold up to 1024 ranges, and are split in two where one
 * comes between; what is put behind all of a block begins the next, so that blocks are full where
 * addresses are handed out from low to high. In the worst order they take 24 bytes for a range,
 * and 72 for each 4 GiB of addresses that hold any.
 *
 * Owns: its blocks. Threads: put from one; then look up from any. Private to jit/.
 */
#ifndef PERFOLD_JIT_RANGES_H
#define PERFOLD_JIT_RANGES_H

#include "model/frame.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	RANGES_PLACE_BITS = 38, /* of a file of 256 GiB */
	RANGES_FUNCTION_BITS = 24,
};

/* Code from start until before end, less than 4 GiB. */
struct line_range {
	uint64_t start, end;
	uint64_t place; /* of the line, in the file */
	uint32_t function;
	bool of_several; /* other functions lay here too, at other times */
	bool again;      /* or older code, be it of the same function */
};

/* A zeroed struct is empty. */
struct ranges {
	struct range_block {
		uint64_t first; /* where the first range starts; the others share its upper half */
		struct range *at;
		frame_id *frames; /* of the ranges; NULL: none was asked for; atomic */
		uint32_t n, cap;
	} * block;
	uint32_t n_blocks, cap_blocks;
	uint32_t hint; /* the block that was put into last */
	uint64_t n;    /* ranges */
	uint64_t overwritten_bytes;
};

void ranges_release(struct ranges *l);
/* r->of_several and r->again are not asked for. */
void ranges_put(struct ranges *l, const struct line_range *r);
bool ranges_any_of_several(const struct ranges *l);
uint64_t ranges_memory_bytes(const struct ranges *l);

/* No more ranges are put. Where a range is: */
struct range_spot {
	uint32_t block, i;
};

/* The first range that ends behind the address; false: none. */
bool ranges_from(const struct ranges *l, uint64_t address, struct range_spot *at);
struct line_range ranges_get(const struct ranges *l, struct range_spot at);
/* Where the caller keeps the frame of a range, 0 at first. */
frame_id *ranges_frame(const struct ranges *l, struct range_spot at);

#endif
