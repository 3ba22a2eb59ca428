/*
 * source.h - where the bytes of records come from
 *
 * A source is a run of record bytes, addressed by position: of a plain recording a part of the
 * file, and positions are offsets in it. Scan and blocks know nothing else, so that other kinds of
 * recordings are other sources.
 *
 * Owns: itself. Threads: read from any.
 */
#ifndef PERFOLD_INPUT_PERFDATA_SOURCE_H
#define PERFOLD_INPUT_PERFDATA_SOURCE_H

#include "base/err.h"
#include "base/file.h"

struct source {
	const struct source_kind *kind;
	uint64_t begin, end;    /* positions; end is behind the last byte */
	uint64_t missing_bytes; /* that the header promises behind end */
	bool cut;               /* end is where the file ends, not where the header says */
};

struct source_kind {
	/* Up to n bytes at position at; fewer only at the end. */
	int (*read)(
		struct source *s, uint8_t *p, size_t n, uint64_t at, size_t *got, struct err *e);
	void (*free)(struct source *s);
};

static inline int source_read(
	struct source *s, uint8_t *p, size_t n, uint64_t at, size_t *got, struct err *e)
{
	return s->kind->read(s, p, n, at, got, e);
}

static inline void source_free(struct source *s)
{
	if (s)
		s->kind->free(s);
}

/* size_bytes of f from offset on, as far as they are there; 0 is all that there is: the recorder
 * was killed before it wrote the size. */
struct source *source_of_file(const struct file *f, uint64_t offset, uint64_t size_bytes);

#endif
