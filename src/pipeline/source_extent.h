/*
 * source_extent.h - the lines of a function in the text of its file
 *
 * Debug information says where a function begins, and samples which of its lines ran; where it ends
 * is guessed from how the text is indented. Threads: any.
 */
#ifndef PERFOLD_PIPELINE_SOURCE_EXTENT_H
#define PERFOLD_PIPELINE_SOURCE_EXTENT_H

#include "files/files.h"

struct source_extent {
	uint32_t first, last; /* from 1; both inclusive */
};

/* begin: the line of the function's declaration, 0 where that is not known. first and last: of the
 * lines that ran. Empty (last 0) if the text has none of them. */
struct source_extent source_extent_find(
	const struct source_text *text, uint32_t begin, uint32_t first, uint32_t last);

#endif
