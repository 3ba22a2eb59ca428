/*
 * calls_page.h - what calls a function, and what it calls: two trees, one above the other
 *
 *	parse  40.0% of all
 *	 of all  of it  callers
 *	  30.0%  75.0%  ├ run
 *	  30.0%  75.0%  │ main
 *	  10.0%  25.0%  └ worker
 *	 of all  of it  callees
 *	   ...
 *
 * Owns: the trees and their rows; names are borrowed. Threads: one.
 */
#ifndef PERFOLD_VIEW_CALLS_PAGE_H
#define PERFOLD_VIEW_CALLS_PAGE_H

#include "view/page.h"

struct calls_row {
	node_id node;
	size_t prefix, prefix_bytes; /* in the prefixes of its list */
};

struct calls_list {
	struct profile *tree; /* NULL: no function is chosen */
	struct calls_row *row;
	uint32_t n, cap, chosen, first;
	struct buf prefixes;
	struct page_area area;
};

enum { CALLS_CALLERS, CALLS_CALLEES, CALLS_LISTS };

struct calls_page {
	struct view_names *names;
	frame_id frame; /* of the function; 0: none */
	struct calls_list list[CALLS_LISTS];
	unsigned active;
	frame_id *back; /* of functions that were shown before */
	size_t n_back, cap_back;
};

void calls_page_init(struct calls_page *c, struct view_names *names);
void calls_page_release(struct calls_page *c);
/* Shows the function of a frame; one that is no function (0, a thread) shows none. */
void calls_page_show(struct calls_page *c, frame_id frame);
void calls_page_draw(struct calls_page *c, const struct page_area *area);
/* False: the key means nothing here. */
bool calls_page_take(struct calls_page *c, const struct view_event *event);
/* To the function before. False: there is none. */
bool calls_page_go_back(struct calls_page *c);
void calls_page_next_match(struct calls_page *c, int step);
void calls_page_put_status(struct calls_page *c, struct page_status *status);
frame_id calls_page_chosen(const struct calls_page *c);

#endif
