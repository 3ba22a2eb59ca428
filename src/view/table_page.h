/*
 * table_page.h - the functions of a profile, by what they cost
 *
 * Owns: the rows; names are borrowed. Threads: one.
 */
#ifndef PERFOLD_VIEW_TABLE_PAGE_H
#define PERFOLD_VIEW_TABLE_PAGE_H

#include "view/page.h"

enum table_order { TABLE_BY_SELF, TABLE_BY_TOTAL, TABLE_BY_NAME };

struct table_page {
	struct view_names *names;
	struct function_cost *row; /* NULL: not sorted yet */
	uint32_t n, chosen, first;
	enum table_order order;
	struct page_area area;
};

void table_page_init(struct table_page *t, struct view_names *names, enum table_order order);
void table_page_release(struct table_page *t);
void table_page_draw(struct table_page *t, const struct page_area *area);
/* False: the key means nothing here. */
bool table_page_take(struct table_page *t, const struct view_event *event);
/* False: no row has a match. */
bool table_page_next_match(struct table_page *t, int step);
void table_page_put_status(struct table_page *t, struct page_status *status);
frame_id table_page_chosen(struct table_page *t);
/* Chooses the function of a frame. */
void table_page_choose(struct table_page *t, frame_id frame);
/* Is that a click at the row that was chosen before? */
bool table_page_is_chosen(const struct table_page *t, const struct view_event *event);

#endif
