/*
 * time_page.h - how much each thread did when
 *
 *	              0 s                     1.00 s                   2.00 s
 *	all threads  ▁▃▇█▇▇▆▇███▇▆▇▇▇▆▅▃▁
 *	node 22692   ▁▃▇█▇▇▆▇███▇▆▇▇▇▆▅▃▁
 *
 * The height of a column is the weight of the samples in it: of a recording of time, the part of it
 * that the thread ran; else a part of the highest column. Two marks choose an interval.
 *
 * Owns: the columns; the profile is borrowed. Threads: one.
 */
#ifndef PERFOLD_VIEW_TIME_PAGE_H
#define PERFOLD_VIEW_TIME_PAGE_H

#include "view/page.h"

struct time_page {
	bool is_waiting, is_read;
	struct headline_source of; /* a profile with rows */
	struct buf why;            /* there is none */
	uint64_t first_ns, end_ns;
	uint64_t *load; /* by row (0: all threads), by column */
	unsigned columns;
	uint64_t highest[2]; /* of all threads together, of any of them */
	unsigned cursor;     /* column */
	unsigned mark;       /* one that was marked, plus 1; 0: none */
	uint32_t chosen, first;
	struct page_area area;
	bool is_chosen; /* an interval, from_ns to until_ns */
	uint64_t from_ns, until_ns;
};

void time_page_release(struct time_page *t);
/* Reads what is waited for. */
void time_page_read(struct time_page *t, const struct view_opts *o);
void time_page_draw(struct time_page *t, const struct page_area *area);
/* False: the key means nothing here. */
bool time_page_take(struct time_page *t, const struct view_event *event);
/* False: nothing was marked. */
bool time_page_go_back(struct time_page *t);
void time_page_put_status(struct time_page *t, struct page_status *status);
/* The profile of the samples from from_ns to until_ns; owned by the caller. */
struct profile *time_page_profile(const struct time_page *t);
/* "0.50 s to 1.00 s": the interval that was chosen. */
void time_page_put_interval(const struct time_page *t, struct buf *b);

#endif
