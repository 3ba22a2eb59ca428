/*
 * view_names.h - names, colours, costs and matches of frames, as all pages of the view show them
 *
 * All trees that are shown have the frames of one profile: its own, and those of calls, made from
 * it.
 *
 * Owns: what is computed here; the profile is borrowed. Threads: one.
 */
#ifndef PERFOLD_VIEW_VIEW_NAMES_H
#define PERFOLD_VIEW_VIEW_NAMES_H

#include "compare/costs.h"
#include "model/headline.h"
#include "model/name_pattern.h"
#include "output/picture/picture.h"
#include "view/screen.h"

struct view_names {
	const struct profile *p;
	struct headline_source of;
	struct frame_coloring coloring;
	struct costs costs; /* its names are those of all */
	struct name_pattern *pattern;
	struct buf pattern_text;
	uint8_t *found; /* by frame_id, 0: not asked yet; enum match_state */
	uint32_t n_frames;
	frame_id *frame_of; /* by function_id: one of its frames */
	uint32_t n_functions;
};

void view_names_init(struct view_names *n, const struct headline_source *of);
void view_names_release(struct view_names *n);

struct span view_names_get(struct view_names *n, frame_id frame);
struct span view_names_module(const struct view_names *n, frame_id frame);
/* The function of a frame; false: "all" and threads are none. */
bool view_names_function(struct view_names *n, frame_id frame, function_id *function);
struct screen_color view_names_color(struct view_names *n, frame_id frame);
/* What a frame has its colour for: "native", "libc.so.6"; empty: for its name. */
struct span view_names_kind(struct view_names *n, frame_id frame);
/* The next way to colour frames; its name. */
const char *view_names_next_colors(struct view_names *n);

/* Puts what tells most of a name into so many columns; what is not safe on a terminal is escaped.
 * Nothing if too little would be left. */
void view_names_fit(struct buf *b, struct span name, size_t columns);

/* What is searched for: without a capital letter in it, the case of letters does not matter. Empty:
 * nothing. False: it is no regular expression, and nothing is searched for. */
bool view_names_search(struct view_names *n, struct span text);
bool view_names_is_found(struct view_names *n, frame_id frame);

/* "27.2%" of the whole profile. */
void view_names_put_share(struct buf *b, const struct view_names *n, uint64_t weight);
double view_names_part(const struct view_names *n, uint64_t weight);

#endif
