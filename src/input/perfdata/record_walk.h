/*
 * record_walk.h - from one record to the next, past damage
 *
 * A window moves over the bytes of a source. A record is distinguished from damage by its header
 * and by the headers that follow it:
 *
 *	record_walk_begin(&w, source, swapped, read_bytes);
 *	while (record_walk_next(&w, &record, &e) == OK)
 *		...
 *	record_walk_end(&w);
 *
 * Bytes that cannot be the header of a record are skipped, up to where three records in a row are
 * plausible. A record before such bytes is skipped too, if its size covers such a row. The raw
 * bytes after AUXTRACE and HEADER_TRACING_DATA are passed over.
 *
 * This is the reference for what a record is; record_chunk.h is faster and must agree where there
 * is no damage: perfdata_agree_test.c.
 *
 * Owns: the window. Borrows: the source. Threads: one.
 */
#ifndef PERFOLD_INPUT_PERFDATA_RECORD_WALK_H
#define PERFOLD_INPUT_PERFDATA_RECORD_WALK_H

#include "input/perfdata/perfdata_record.h"
#include "input/perfdata/byte_source.h"

struct record_header {
	uint32_t type;
	uint16_t misc, size;
};

struct record_walk {
	struct diag *diag;  /* damage is counted here; NULL: it is not counted */
	uint32_t damages;   /* number of places skipped so far */
	uint64_t damage_at; /* the last of them */

	/* private */
	struct byte_source *source;
	bool swapped;
	size_t read_bytes;
	struct err *err;
	int rc;
	uint8_t *window;
	size_t from, to;     /* the part of the window still needed */
	uint64_t position;   /* of window[from] */
	uint64_t skip_bytes; /* size of the emitted record and the raw bytes after it */
	size_t step_bytes;   /* records begin at multiples of this */
	bool peeked;         /* seen and ahead describe what follows the emitted record */
	int seen;            /* enum walk_sight */
	struct record_header ahead;
};

void record_walk_begin(
	struct record_walk *w, struct byte_source *s, bool swapped, size_t read_bytes);
/* Before the first record: start at a position where a record begins. All records before it were
 * whole, with sizes that are multiples of 8. */
void record_walk_resume(struct record_walk *w, uint64_t position);
/* END after the last. The record stays in place until the next call. */
int record_walk_next(struct record_walk *w, struct perfdata_record *r, struct err *e);
void record_walk_end(struct record_walk *w);

#endif
