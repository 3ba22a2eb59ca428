/*
 * html_data.h - the data of a report: facts as JSON, the tree and the rows packed
 *
 * Owns: the tree, until html_data_release_tree(). Threads: a tree is made by one and packed by one;
 * meanwhile any may put what else there is. Private to html/.
 */
#ifndef PERFOLD_OUTPUT_HTML_HTML_DATA_H
#define PERFOLD_OUTPUT_HTML_HTML_DATA_H

#include "output/picture/picture.h"

/* Which frames the page has, by their number there; 0 is none. */
struct html_frames {
	frame_id *id;
	uint32_t n;
};

/* The profile's tree, with the colours that the page begins with. */
struct html_tree {
	struct frame_coloring colors;
	struct display_names names;
	struct packed_tree packer;
	struct html_frames frames;
};

/* An unknown palette is ERR_USAGE: there is nothing to release then. */
int html_data_make_tree(
	struct html_tree *t, const struct profile *p, const struct output_opts *o, struct err *e);
void html_data_release_tree(struct html_tree *t);
/* Packed, in base64. */
void html_data_put_tree(const struct html_tree *t, struct sink *to);

/* Facts of the recording and of the run, as a JSON document. colors: as of html_tree. */
void html_data_put_facts(const struct profile *p, const struct output_opts *o,
	const struct picture_title *title, const struct frame_coloring *colors, struct sink *to);

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
