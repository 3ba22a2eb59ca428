/*
 * stretch.h - the records that begin in one block of a source, stepped over without looking back
 *
 * Where the first record in a block begins is known only when the block before is done. But mostly
 * it can be guessed: a stretch begins where several records in a row make sense, and is stepped
 * over by any worker at any time. Whether the guess was right is known in its turn (plain.c): if
 * not, the stretch is stepped over again from the right place.
 *
 * Only plain records are stepped over: those whose header makes sense and is followed by another,
 * whose size is a multiple of 8, and that have nothing raw or packed behind them. At anything else
 * a stretch stops, and walk.c, which knows about damage, goes on from there. So both see the same
 * records.
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
	uint64_t begin, end; /* of the block: records that begin in here */
	uint64_t from, to;   /* what was stepped over; to may be beyond end */
	bool stopped;        /* at to there is nothing plain, or the end of the source */
	bool has_losses;     /* a record LOST or LOST_SAMPLES is in it */
	struct tally tally;  /* of samples */
	uint32_t *listed;    /* places in bytes of the records that were not summed up */
	size_t n_listed, cap_listed;
};

void record_chunk_init(struct record_chunk *s, const struct perfdata *pd);
void record_chunk_release(struct record_chunk *s);
/* Read the block at begin. */
int record_chunk_read(struct record_chunk *s, struct byte_source *source, uint64_t begin,
	size_t block_bytes, struct err *e);
/* Where records seem to begin in the block; its end if nowhere. */
uint64_t record_chunk_guess(struct record_chunk *s);
/* Step over the records from there on. tally: sum up samples. */
int record_chunk_step(struct record_chunk *s, uint64_t from, bool tally, struct err *e);
/* The record at a place in bytes. */
struct perfdata_record record_chunk_record(const struct record_chunk *s, uint32_t at);
/* What was stepped over; its bytes are borrowed. */
struct perfdata_block record_chunk_block(const struct record_chunk *s);
/* All that was read; its bytes are the caller's now. */
struct perfdata_block record_chunk_detach(struct record_chunk *s);

#endif
