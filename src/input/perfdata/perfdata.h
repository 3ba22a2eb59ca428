/*
 * perfdata.h - reading perf.data
 *
 * A recording is read in passes (src/README.md lists them). First, perfdata_scan() passes every
 * record to a visitor, in the order of the file, and learns where blocks of whole records begin
 * and which bytes are damaged. Then workers read blocks with perfdata_pop_block(), in any order;
 * they see the same records as the scan did.
 *
 *	perfdata_open(&pd, &file, strings, 0, &diag, &e);
 *	perfdata_scan(pd, &visitor, pool, &diag, &e);
 *	while (perfdata_pop_block(pd, &block, &e) == OK)     in each worker
 *		while (perfdata_block_next(&block, &record))
 *			...
 *
 * Every layout that perf writes is read: a file; pipe mode, once it is in a regular file
 * (input/spill.h); the directory of `perf record --threads`, by the file "data" in it; compressed
 * records (zstd_source.h); either byte order. The visitor need not know which it is. Positions of
 * records are their order: offsets in the file where that is possible.
 *
 * Damage: bytes that cannot be the header of a record are skipped, up to where three records in a
 * row are plausible. A record before such bytes is skipped too, if its size covers such a row.
 * Damage is counted in the scan only.
 *
 * Owns: attributes, features, the list of blocks, other files of a directory. Borrows: the file,
 * the strtab. Threads: open and scan from one; after that all but perfdata_rewind() and
 * perfdata_free() from any.
 * Source: tools/perf/Documentation/perf.data-file-format.txt, perf_event_open(2).
 */
#ifndef PERFOLD_INPUT_PERFDATA_PERFDATA_H
#define PERFOLD_INPUT_PERFDATA_PERFDATA_H

#include "base/err.h"
#include "base/file.h"
#include "base/pool.h"
#include "input/perfdata/perfdata_attr.h"
#include "input/perfdata/perfdata_copy.h"
#include "input/perfdata/perfdata_features.h"
#include "input/perfdata/perfdata_record.h"
#include "input/perfdata/perfdata_sample.h"
#include "model/diag.h"
#include "model/recorded_symbols.h"

struct perfdata;
struct perfdata_block;

/* Read the header. block_bytes: 0 is 1 MiB; small in tests. f must stay open and in place. */
int perfdata_open(struct perfdata **out, const struct file *f, struct strtab *strings,
	size_t block_bytes, struct diag *d, struct err *e);
void perfdata_free(struct perfdata *pd);
/* Do the first bytes of a file belong to any kind of perf.data? */
bool perfdata_sniff(struct span head);

/* A part of a `perf record --switch-output` run: parts of the same run have equal bytes in run. */
struct perfdata_part {
	struct buf run;    /* owned; empty: a recording by itself */
	uint64_t begun_ns; /* of its earliest record */
};
int perfdata_find_run(struct perfdata *pd, struct perfdata_part *part, struct err *e);
/* Before the scan: append the records of a later part of the same run to those of pd, with
 * positions above theirs. later has then no records and should be freed; its file must stay open.
 */
int perfdata_append(struct perfdata *pd, struct perfdata *later, uint64_t begun_ns, struct err *e);
/* The time at which the part began that the record at a position is in; 0 for the first part.
 * Records that perf made up (with time 0) describe the state at that time. */
uint64_t perfdata_begun_ns(const struct perfdata *pd, uint64_t position);

/* In the order of the file. */
const struct perfdata_attr *perfdata_attrs(const struct perfdata *pd, uint32_t *n);
/* Were SWITCH records asked for (--switch-events)? */
bool perfdata_has_switches(const struct perfdata *pd);
/* Complete once the scan is done: build-ids may be records. */
const struct perfdata_features *perfdata_features(const struct perfdata *pd);
/* Of all its files. */
uint64_t perfdata_size_bytes(const struct perfdata *pd);
/* A section as it is, appended to b; END if the recording has none. */
int perfdata_read_section(
	const struct perfdata *pd, unsigned feature, struct buf *b, struct err *e);

/* The symbols that simpleperf wrote into its file; there are none in other files. */
void perfdata_read_symbols(const struct perfdata *pd, struct recorded_symbols *to, struct diag *d);

/* Called for each valid record. Returns OK to go on; the record stays in place until it returns. */
typedef int (*perfdata_visit)(void *ctx, const struct perfdata_record *r, struct err *e);
enum { TALLY_CPUS_MAX = 4096 };

/* The sums of the samples in a chunk of the recording. */
struct perfdata_tally {
	uint64_t bytes;
	uint64_t last_time_ns; /* the highest */
	struct tally_event {
		uint64_t samples;
		uint64_t first_time_ns; /* the lowest; UINT64_MAX: there is none */
	} * event;                      /* by attribute */
	uint32_t n_events;
	bool has_cpus; /* samples have a CPU */
	struct tally_moment {
		uint64_t time_ns; /* UINT64_MAX: there is none */
		uint64_t position;
	} * cpu; /* the last sample in the file, by CPU */
	uint32_t n_cpus;
	struct tally_moment last; /* of all */
};

/* What a scan calls. Records are visited in the order of the file, by one worker at a time. If
 * samples is set, samples come summed up where that is possible, else as records; the sums of a
 * chunk come after its records. Nothing is summed up across a record LOST or LOST_SAMPLES. */
struct perfdata_visitor {
	void *ctx;
	perfdata_visit record;
	void (*samples)(void *ctx, const struct perfdata_tally *t);
	/* A block as in pass 2, for the worker that has just read it, after the calls above, while
	 * other workers go on. False: this worker wants no more blocks. Blocks that were not
	 * visited remain for pass 2 (perfdata_rewind_unread). NULL: no blocks are wanted. */
	bool (*block)(void *ctx, unsigned worker, struct perfdata_block *b);
};
int perfdata_scan(struct perfdata *pd, const struct perfdata_visitor *v, struct pool *pool,
	struct diag *d, struct err *e);

/* Pass 2. A zeroed block is empty; it is used again and again by one worker. */
struct perfdata_block {
	uint8_t *bytes; /* owned */
	size_t cap_bytes;
	size_t n_bytes, at;
	uint64_t position; /* of bytes[0] */
	bool swapped;
	uint8_t region; /* where the next block is looked for first, from 1 on */
};

/* The next block that no worker has yet; END when there are no more. A worker gets neighbouring
 * blocks, as what processes do at one time is similar. */
int perfdata_pop_block(struct perfdata *pd, struct perfdata_block *b, struct err *e);
/* Is a record with that header passed to visitors and readers of blocks? */
bool perfdata_record_is_valid(uint32_t type, uint32_t size);

/* The next valid record, which stays in place until the block is reused. False at the end. No
 * damage is looked for: the scan has seen only whole records here (perfdata_agree_test.c compares
 * both), and if the file has changed since, the block just ends. */
static inline bool perfdata_block_next(struct perfdata_block *b, struct perfdata_record *r)
{
	while (b->n_bytes - b->at >= RECORD_HEADER_BYTES) {
		const uint8_t *p = b->bytes + b->at;
		uint16_t size = bytes_u16(p + 6, b->swapped);

		if (size < RECORD_HEADER_BYTES || size > b->n_bytes - b->at)
			return false;
		*r = (struct perfdata_record){ bytes_u32(p, b->swapped),
			bytes_u16(p + 4, b->swapped), size, p, b->position + b->at };
		b->at += size;
		/* Nearly all are samples or switches, which need no look-up. */
		if (r->type == RECORD_SAMPLE || r->type == RECORD_SWITCH ||
			perfdata_record_is_valid(r->type, size))
			return true;
	}
	return false;
}
void perfdata_block_release(struct perfdata_block *b);
uint64_t perfdata_block_count(const struct perfdata *pd);
/* Start over with all blocks. */
void perfdata_rewind(struct perfdata *pd);
/* The same, and they come in the order of the file. */
void perfdata_rewind_in_order(struct perfdata *pd);
/* Start over with only the blocks that the visitor of the scan did not get. */
void perfdata_rewind_unread(struct perfdata *pd);

/* The event with the id, as an index into the attributes; id 0 is that of the first event. */
bool perfdata_find_event(const struct perfdata *pd, uint64_t id, uint32_t *attr);
/* The event of a sample, as an index into the attributes: by its id, which is 0 in samples of the
 * first event; a single event needs no id. False if no event has the id. */
bool perfdata_sample_event(
	const struct perfdata *pd, const struct perfdata_record *r, uint32_t *attr);

#endif
