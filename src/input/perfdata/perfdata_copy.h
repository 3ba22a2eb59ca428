/*
 * perfdata_copy.h - a copy of a recording as one file, in the byte order of the recording
 *
 * The caller writes the records; everything around them is made here, whatever the layout of the
 * recording was:
 *
 *	| header | ids | attributes | data: records ... | table | sections of features |
 *
 *	perfdata_copy_begin(&c, pd, &opts, sink, &e);
 *	sink_put(sink, ...) for records, of which c.data_bytes is the sum
 *	perfdata_copy_finish(&c, &e);
 *
 * Only features are copied of which it is known what they tell. FEATURE_STRIPPED says that it is a
 * copy: perf and others pass over it.
 *
 * Owns: nothing. Threads: one.
 * Source: tools/perf/Documentation/perf.data-file-format.txt, tools/perf/util/header.c.
 */
#ifndef PERFOLD_INPUT_PERFDATA_PERFDATA_COPY_H
#define PERFOLD_INPUT_PERFDATA_PERFDATA_COPY_H

#include "base/sink.h"
#include "input/perfdata/perfdata_attr.h"
#include "input/perfdata/perfdata_features.h"
#include "input/perfdata/perfdata_record.h"

struct perfdata;

struct perfdata_copy_opts {
	const uint64_t *sample_type;              /* of samples in the copy, by attribute */
	const struct perfdata_stripped *stripped; /* what FEATURE_STRIPPED says */
	/* The path of a file, appended to b as it is to be; false: it is to be left out. */
	bool (*path)(void *ctx, struct span path, bool kernel, struct buf *b);
	void *ctx;
};

struct perfdata_copy {
	const struct perfdata *pd;          /* borrowed */
	const struct perfdata_copy_opts *o; /* borrowed */
	struct sink *to;                    /* borrowed */
	uint64_t attrs_at, entry_bytes;     /* of the array of attributes */
	uint64_t data_at, data_bytes;
};

int perfdata_copy_begin(struct perfdata_copy *c, const struct perfdata *pd,
	const struct perfdata_copy_opts *o, struct sink *to, struct err *e);
int perfdata_copy_finish(struct perfdata_copy *c, struct err *e);

/* Do records of a type belong in a copy? Not those of pipe mode, nor the processor's traces. */
bool perfdata_copy_wants(const struct perfdata *pd, uint32_t type);
/* Append a record with another string, which begins at front_bytes; false: it is too long. */
bool perfdata_copy_put_string(struct buf *b, const struct perfdata *pd,
	const struct perfdata_record *r, uint32_t front_bytes, struct span text);

#endif
