/*
 * file_header.h - the header of a recording: where everything is
 *
 *	"PERFILE2"  u64 size (104)  u64 attr_size  attrs {u64 offset, size}  data {u64 offset, size}
 *	event_types {u64 offset, size}  features u64[4]
 *
 * attr_size is the size of a perf_event_attr followed by the {u64 offset, size} of its ids. After
 * the data there is one {u64 offset, size} for each bit set in features.
 *
 *	"PERFILE2"  u64 size (16)       pipe mode: records follow at once
 *	"2ELIFREP"                      all numbers are in the other byte order
 *	"PERFFILE"                      before 2010: the byte order is not stated
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

/* Is all of the section in a file of that size? */
bool file_header_section_fits(struct file_section s, uint64_t file_bytes);

#endif
