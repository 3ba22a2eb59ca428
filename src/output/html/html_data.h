/*
 * html_data.h - the data of a report: facts as JSON, the tree and the rows packed
 *
 * Owns: nothing. Threads: each has its own. Private to html/.
 */
#ifndef PERFOLD_OUTPUT_HTML_HTML_DATA_H
#define PERFOLD_OUTPUT_HTML_HTML_DATA_H

#include "output/picture/picture.h"

/* Facts of the recording and of the run, as a JSON document. */
void html_data_put_facts(const struct profile *p, const struct output_opts *o,
	const struct picture_title *title, struct sink *to);

/* Which frames the page has, by their number there; 0 is none. */
struct html_frames {
	frame_id *id;
	uint32_t n;
};

/* The profile's tree, packed. frames->id is owned by the caller. */
int html_data_put_tree(const struct profile *p, const struct output_opts *o,
	struct html_frames *frames, struct sink *to, struct err *e);

/* The rows, HTML_DATA_BLOCK_ROWS of them at a time, packed: varints as in packed.h, in columns
 *
 *	n, then n each of: thread, time, stack, weight, event (plus 1), cpu (plus 1)
 *
 * Thread, time, stack and weight are differences to the row before, as zigzag (0, -1, 1, -2, ...);
 * a block's first row is compared with thread 0 at the time of the earliest sample, node 0, weight
 * 0. Event 0 is none. */
enum { HTML_DATA_BLOCK_ROWS = 1 << 16 };
void html_data_put_rows(
	const struct profile *p, const struct output_opts *o, size_t first_row, struct sink *to);

#endif
