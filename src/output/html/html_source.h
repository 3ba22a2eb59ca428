/*
 * html_source.h - the source and the instructions of functions, in a report
 *
 * Four elements, and none where no function has text or code:
 *
 *	<script type="application/json" id="source-frames">
 *	    { "frames": [frame, function, ...],  which frames of the page are which functions
 *	      "hottest": [function, path, line, total, total of the function, ...] }
 *	<script type="text/plain" id="source">        JSON, deflated, in base64: html_source.c
 *	<script type="text/plain" id="lines">         lines of source files, the same, in parts
 *	                                              with "." between them
 *	<script type="text/plain" id="instructions">  varints, the same: html_code.h
 *
 * The page reads the last three only when source is asked for.
 *
 * Owns: what the elements consist of, until html_source_free(). Borrows: annotations and profile.
 * Threads: made by one; then pieces are put by any. Private to html/.
 */
#ifndef PERFOLD_OUTPUT_HTML_HTML_SOURCE_H
#define PERFOLD_OUTPUT_HTML_HTML_SOURCE_H

#include "output/html/html_data.h"

struct html_source;

/* NULL: no function has text or code. a may be NULL. */
struct html_source *html_source_new(const struct annotations *a, const struct profile *p);
/* NULL is fine. */
void html_source_free(struct html_source *s);
/* How many pieces the elements are put in, one after the other; of NULL none. */
uint32_t html_source_pieces(const struct html_source *s);
/* frames: of the page, in its order. */
void html_source_put(const struct html_source *s, uint32_t piece, const struct html_frames *frames,
	struct sink *to);

#endif
