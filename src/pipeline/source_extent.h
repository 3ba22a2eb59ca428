/*
 * source_extent.h - the lines of a function in the text of its file
 *
 * Debug information says where a function begins, and samples which of its lines ran; where it ends
 * is guessed from how the text is indented. Functions of one name may be far apart in a file, and
 * instructions that a compiler moved have lines of other functions: what is between is left out.
 *
 * Threads: any. Private to pipeline/.
 */
#ifndef PERFOLD_PIPELINE_SOURCE_EXTENT_H
#define PERFOLD_PIPELINE_SOURCE_EXTENT_H

#include "files/files.h"
#include "model/annotations.h"

struct source_extent {
	uint32_t first, last; /* from 1; both inclusive */
};

/* From the declarations and costs of f. to: room for as many extents as f has of these. They are in
 * order, and apart. Returns how many there are: 0 if the text has none of the lines. */
uint32_t source_extent_find_all(
	const struct source_text *text, const struct annotated_file *f, struct source_extent *to);

#endif
