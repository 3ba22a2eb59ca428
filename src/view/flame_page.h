/*
 * flame_page.h - a tree as a flame graph in the cells of a screen
 *
 *	all                                              the root, or what was zoomed to
 *	node
 *	main                          worker
 *	run            idle           parse
 *
 * A frame is as wide as its share of what is shown. Those narrower than a column are one box
 * together, if that is wide enough. One frame is chosen; keys move from it.
 *
 * Owns: boxes and lists; tree and names are borrowed. Threads: one.
 */
#ifndef PERFOLD_VIEW_FLAME_PAGE_H
#define PERFOLD_VIEW_FLAME_PAGE_H

#include "view/page.h"

struct flame_box {
	node_id node;   /* of small ones: that of their parent */
	uint32_t small; /* it stands for so many narrow frames; 0: it is a frame */
	uint32_t level; /* 0: what is shown */
	unsigned column, width;
	uint64_t start;
};

struct flame_page {
	struct view_names *names;
	const struct profile *tree;
	node_id shown, chosen;
	node_id *back; /* what was shown before */
	size_t n_back, cap_back;
	bool by_name, flipped;
	uint32_t first_level; /* at the edge where the root is */
	struct flame_box *box;
	size_t n, cap;
	struct page_area area; /* that it was drawn in */
	struct flame_child *child;
	size_t cap_children;
	node_id *match; /* the heaviest first; valid for match_shown */
	size_t n_matches, cap_matches, match_at;
	bool has_matches;
	uint64_t found; /* the weight that has a match */
	bool has_found;
};

void flame_page_init(struct flame_page *f, struct view_names *names, const struct profile *tree);
void flame_page_release(struct flame_page *f);
void flame_page_draw(struct flame_page *f, const struct page_area *area);
/* False: the key means nothing here. */
bool flame_page_take(struct flame_page *f, const struct view_event *event);
/* False: there is nothing to go back from. */
bool flame_page_go_back(struct flame_page *f);
/* Chooses the next match, or with step -1 the one before. */
void flame_page_next_match(struct flame_page *f, int step);
void flame_page_forget_matches(struct flame_page *f);
/* The weight of what is shown that has a match in its stack. */
uint64_t flame_page_found(struct flame_page *f);
void flame_page_put_status(struct flame_page *f, struct page_status *status);
/* Chooses the heaviest node of a function, zooming out if it is not in what is shown. */
frame_id flame_page_chosen(const struct flame_page *f);

#endif
