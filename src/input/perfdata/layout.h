/*
 * layout.h - the header of a recording: where everything lies
 *
 *	"PERFILE2"  u64 size (104)  u64 attr_size  attrs {u64 offset, size}  data {u64 offset, size}
 *	event_types {u64 offset, size}  features u64[4]
 *
 * attr_size is the size of a perf_event_attr with {u64 offset, size} of its ids behind it. Behind
 * the data lies one {u64 offset, size} for each bit set in features.
 *
 *	"PERFILE2"  u64 size (16)       a recording written to a pipe: records follow at once
 *	"2ELIFREP"                      all numbers are in the byte order that is not ours
 *	"PERFFILE"                      before 2010: does not tell the byte order
 *
 * Owns: nothing. Threads: any. Source: tools/perf/Documentation/perf.data-file-format.txt.
 */
#ifndef PERFOLD_INPUT_PERFDATA_LAYOUT_H
#define PERFOLD_INPUT_PERFDATA_LAYOUT_H

#include "base/file.h"

struct section {
	uint64_t offset, size_bytes;
};

struct layout {
	bool swapped;
	bool pipe;           /* only data is set, with size 0: up to the end */
	bool first_version;  /* PERFFILE */
	uint64_t attr_bytes; /* of an entry of attrs: the attribute and the section of its ids */
	struct section attrs, data;
	uint64_t features[4];
};

int layout_read(struct layout *l, const struct file *f, struct err *e);

/* Does all of the section lie in the file? */
bool section_fits(struct section s, uint64_t file_bytes);

#endif
