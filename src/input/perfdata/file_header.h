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
#ifndef PERFOLD_INPUT_PERFDATA_FILE_HEADER_H
#define PERFOLD_INPUT_PERFDATA_FILE_HEADER_H

#include "base/file.h"

struct file_section {
	uint64_t offset, size_bytes;
};

struct file_header {
	bool swapped;
	bool pipe;           /* only data is set, with size 0: up to the end */
	bool first_version;  /* PERFFILE */
	uint64_t attr_bytes; /* of an entry of attrs: the attribute and the section of its ids */
	struct file_section attrs, data;
	uint64_t features[4];
};

int file_header_read(struct file_header *h, const struct file *f, struct err *e);

/* Does all of the section lie in the file? */
bool file_header_section_fits(struct file_section s, uint64_t file_bytes);

#endif
