/*
 * source_page.h - the source of a function, with what each line costs, or its instructions
 *
 *	src/parse.c
 *	  self  total   line
 *	  0.0%  40.0%     12  for (i = 0; i < n; i++)
 *	 38.2%  38.2%     13          sum += digit(s[i]);
 *
 * Owns: its rows; annotations are borrowed, and must be those that were shown last. Threads: one.
 */
#ifndef PERFOLD_VIEW_SOURCE_PAGE_H
#define PERFOLD_VIEW_SOURCE_PAGE_H

#include "view/page.h"

struct source_row {
	enum source_row_kind {
		SOURCE_HEADING,
		SOURCE_NOTE,
		SOURCE_LINE,
		SOURCE_INSTRUCTION,
		SOURCE_LINE_OF, /* above the instructions that are of it */
	} kind;
	struct span text; /* of a heading or a note */
	const struct annotated_file *file;
	const struct annotated_code *code;
	uint32_t number;            /* of the line, or in the code */
	const struct weights *cost; /* NULL: it did not run */
};

struct source_page {
	struct view_names *names;
	frame_id frame;  /* of the function; 0: none */
	bool is_waiting; /* to be read */
	bool shows_code; /* instructions instead of source */
	struct view_source source;
	const struct annotated_function *function; /* NULL: there is none, why says so */
	struct buf why;
	struct source_row *row;
	uint32_t n, cap, chosen, first;
	struct page_area area;
};

void source_page_init(struct source_page *p, struct view_names *names);
void source_page_release(struct source_page *p);
/* Shows the function of a frame, once it has been read. */
void source_page_show(struct source_page *p, frame_id frame);
/* Reads what is waited for. */
void source_page_read(struct source_page *p, const struct view_opts *o);
void source_page_draw(struct source_page *p, const struct page_area *area);
/* False: the key means nothing here. */
bool source_page_take(struct source_page *p, const struct view_event *event);
void source_page_next_match(struct source_page *p, int step);
void source_page_put_status(struct source_page *p, struct page_status *status);

#endif
