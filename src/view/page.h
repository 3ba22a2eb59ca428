/*
 * page.h - what the pages of the view have in common
 *
 * A page draws into rows of the screen, takes events, and says what is chosen.
 *
 * Owns: nothing. Threads: one.
 */
#ifndef PERFOLD_VIEW_PAGE_H
#define PERFOLD_VIEW_PAGE_H

#include "view/view.h"
#include "view/view_names.h"

/* Rows of the screen, from top on, in all of its width. */
struct page_area {
	struct screen *screen;
	unsigned top, rows;
};

/* Two lines at the foot: what is chosen, and what it weighs. */
struct page_status {
	struct buf name, module, share;
	struct span kind;          /* why it has the colour it has; empty: it has none */
	struct screen_color color; /* of the kind */
};

static inline void page_put_kind(struct page_status *s, struct view_names *n, frame_id frame)
{
	s->kind = view_names_kind(n, frame);
	s->color = view_names_color(n, frame);
}

static inline bool page_has(const struct page_area *a, unsigned row)
{
	return row >= a->top && row < a->top + a->rows;
}

/* A list that scrolls: the first row in sight, so that the chosen one is, too. */
static inline uint32_t page_scroll(uint32_t first, uint32_t chosen, uint32_t n, unsigned rows)
{
	if (first + rows > n)
		first = n > rows ? n - rows : 0;
	if (chosen < first)
		return chosen;
	return rows && chosen >= first + rows ? chosen - rows + 1 : first;
}

/* Where a key leads in a list of n rows; false: it is no such key. */
static inline bool page_move(uint32_t key, uint32_t *chosen, uint32_t n, unsigned rows)
{
	uint32_t page = rows > 2 ? rows - 1 : 1, last = n ? n - 1 : 0, at = *chosen;

	switch (key) {
	case VIEW_KEY_DOWN:
	case 'j':
		at = at < last ? at + 1 : last;
		break;
	case VIEW_KEY_UP:
	case 'k':
		at = at ? at - 1 : 0;
		break;
	case VIEW_KEY_PAGE_DOWN:
		at = last - at > page ? at + page : last;
		break;
	case VIEW_KEY_PAGE_UP:
		at = at > page ? at - page : 0;
		break;
	case VIEW_KEY_HOME:
		at = 0;
		break;
	case VIEW_KEY_END:
		at = last;
		break;
	default:
		return false;
	}
	*chosen = at;
	return true;
}

#endif
