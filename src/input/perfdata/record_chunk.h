/*
 * record_chunk.h - the records that begin in one block of a source, without looking back
 *
 * The start of the first record in a block is known only when the block before is done. But mostly
 * it can be guessed: a chunk begins where several plausible records follow one another, and any
 * worker can step over it at any time. Whether the guess was right is known when the blocks before
 * are done (parallel_scan.c): if not, the chunk is stepped over again from the right position.
 *
 * Only plain records are stepped over: those with a plausible header that is followed by another,
 * with a size that is a multiple of 8, and without raw or compressed bytes. A chunk stops at
 * anything else, and record_walk.c, which handles damage, goes on from there. Both must see the
 * same records: perfdata_agree_test.c compares them.
 *
 * Owns: its bytes and lists. Threads: each has its own. Private to input/perfdata/.
 */
#ifndef PERFOLD_INPUT_PERFDATA_RECORD_CHUNK_H
#define PERFOLD_INPUT_PERFDATA_RECORD_CHUNK_H

#include "input/perfdata/tally.h"

struct record_chunk {
	struct byte_source *source; /* borrowed */
	bool swapped;
	uint8_t *bytes; /* from position begin on */
	size_t n_bytes, cap_bytes;
	uint64_t begin, end; /* of the block: records that begin in it */
	uint64_t from, to;   /* the records stepped over; to may be beyond end */
	bool stopped;        /* at to there is no plain record, or the source ends */
	bool has_losses;     /* a record LOST or LOST_SAMPLES is in it */
	struct tally tally;  /* of samples */
	uint32_t *listed;    /* offsets in bytes of the records that were not summed up */
	size_t n_listed, cap_listed;
};

void record_chunk_init(struct record_chunk *s, const struct perfdata *pd);
void record_chunk_release(struct record_chunk *s);
/* Read the block at begin. */
int record_chunk_read(struct record_chunk *s, struct byte_source *source, uint64_t begin,
	size_t block_bytes, struct err *e);
/* The first position in the block from which records seem to follow one another; its end if there
 * is none. */
uint64_t record_chunk_guess(struct record_chunk *s);
/* Step over the records from there on. tally: sum up samples. */
int record_chunk_step(struct record_chunk *s, uint64_t from, bool tally, struct err *e);
/* The record at an offset in bytes. */
struct perfdata_record record_chunk_record(const struct record_chunk *s, uint32_t at);
/* The records stepped over, as a block; its bytes are borrowed. */
struct perfdata_block record_chunk_block(const struct record_chunk *s);
/* All that was read, as a block; its bytes belong to the caller now. */
struct perfdata_block record_chunk_detach(struct record_chunk *s);

#endif
