/*
 * help_page.h - the keys, over the page that is shown
 *
 * Owns: nothing. Threads: one.
 */
#ifndef PERFOLD_VIEW_HELP_PAGE_H
#define PERFOLD_VIEW_HELP_PAGE_H

#include "view/page.h"

struct help_page {
	bool is_open;
	uint32_t first; /* the first row in sight, where not all fit */
	unsigned rows;
};

void help_page_open(struct help_page *h);
/* False: it was not open. */
bool help_page_close(struct help_page *h);
/* Any key that does not scroll closes it. False: it was not open. */
bool help_page_take(struct help_page *h, const struct view_event *event);
void help_page_draw(struct help_page *h, const struct page_area *area);

#endif
