/*
 * byte_source.h - where the bytes of records come from
 *
 * A byte source is a run of record bytes, addressed by position. Readers of records know nothing
 * else, so other kinds of recordings are just other sources:
 *
 *	of a file	a part of it; positions are offsets in it, plus a base that is
 *			different for each file of a directory
 *	decompressed	the records in the COMPRESSED records of another source (zstd_source.h)
 *
 * Owns: itself. Threads: read from any; a sequential source from one at a time.
 */
#ifndef PERFOLD_INPUT_PERFDATA_BYTE_SOURCE_H
#define PERFOLD_INPUT_PERFDATA_BYTE_SOURCE_H

#include "base/err.h"
#include "base/file.h"
#include "model/diag.h"

struct byte_source {
	const struct byte_source_kind *kind;
	uint64_t begin, end;    /* positions; end is after the last byte */
	uint64_t missing_bytes; /* that the header says are there beyond end */
	bool cut;               /* end is where the file ends, not where the header says */
	bool sequential;        /* reading on is cheap, going back starts over from begin; end is
				   UINT64_MAX until it is reached */
	bool no_payloads;       /* no raw bytes follow records: they were left out */
	struct diag *diag; /* what is lost in reading is counted here; NULL: it is not counted */
};

struct byte_source_kind {
	/* Up to n bytes at position at; fewer only at the end. */
	int (*read)(struct byte_source *s, uint8_t *p, size_t n, uint64_t at, size_t *got,
		struct err *e);
	/* For a sequential source: begin at the front again, counting in diag; else NULL. */
	void (*rewind)(struct byte_source *s);
	void (*free)(struct byte_source *s);
};

static inline int byte_source_read(
	struct byte_source *s, uint8_t *p, size_t n, uint64_t at, size_t *got, struct err *e)
{
	return s->kind->read(s, p, n, at, got, e);
}

/* From now on, what is lost is counted in d, or not at all. */
static inline void byte_source_rewind(struct byte_source *s, struct diag *d)
{
	s->diag = d;
	if (s->kind->rewind)
		s->kind->rewind(s);
}

static inline void byte_source_free(struct byte_source *s)
{
	if (s)
		s->kind->free(s);
}

/* size_bytes of f from offset on, as far as they are there; 0: all that is there, as the recorder
 * was killed before it wrote the size. base is the position of offset 0. */
struct byte_source *byte_source_of_file(
	const struct file *f, uint64_t offset, uint64_t size_bytes, uint64_t base);
/* From now on positions of a source of a file are higher by this much. */
void byte_source_shift(struct byte_source *s, uint64_t by);
/* Split a source of a file in two: returns the bytes from position at on. */
struct byte_source *byte_source_split(struct byte_source *s, uint64_t at);

#endif
