/*
 * Names are found when they are first shown. Costs of functions need a pass over the profile, which
 * is made at the start: it takes a hundredth of what reading does.
 *
 * A search is one expression, tried once for each frame that is looked at.
 */
#include "view/view_names.h"

#include "base/char_width.h"
#include "base/chars.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>

enum match_state { NOT_ASKED, IS_NO_MATCH, IS_MATCH };

/* A function has a name, but not the kind of its code. */
static void find_frames(struct view_names *n)
{
	node_id i;

	n->n_functions = n->costs.functions.n;
	n->frame_of = xcalloc((size_t)n->costs.functions.n + 1, sizeof(*n->frame_of));
	for (i = 0; i < n->p->n_nodes; i++)
		if (stack_path_includes(n->p, i))
			n->frame_of[functions_of_frame(&n->costs.functions,
				stack_path_frame(n->p, i))] = stack_path_frame(n->p, i);
}

void view_names_init(struct view_names *n, const struct headline_source *of)
{
	const struct picture_opts as_usual = { 0 };
	struct err e;

	*n = (struct view_names){ .p = of->p, .of = *of };
	costs_init(&n->costs, n->p);
	find_frames(n);
	frame_color_init(&n->coloring, n->p, &as_usual, &e);
	frame_color_choose(&n->coloring, &n->costs.functions.names, &as_usual);
	n->n_frames = frames_count(n->p->frames);
	n->found = xcalloc((size_t)n->n_frames + 1, 1);
}

void view_names_release(struct view_names *n)
{
	costs_release(&n->costs);
	name_pattern_free(n->pattern);
	buf_release(&n->pattern_text);
	free(n->found);
	free(n->frame_of);
}

struct span view_names_get(struct view_names *n, frame_id frame)
{
	struct display_names *names = &n->costs.functions.names;

	return frame ? display_names_get(names, display_names_number(names, frame)) : SPAN("all");
}

struct span view_names_module(const struct view_names *n, frame_id frame)
{
	return strtab_get(n->p->strings, frames_get(n->p->frames, frame)->module);
}

bool view_names_function(struct view_names *n, frame_id frame, function_id *function)
{
	if (!frame)
		return false;
	*function = functions_of_frame(&n->costs.functions, frame);
	return *function < n->n_functions;
}

struct screen_color view_names_color(struct view_names *n, frame_id frame)
{
	struct color c = frame_color_first(&n->coloring, frame, view_names_get(n, frame), false);

	return (struct screen_color){ c.r, c.g, c.b, true };
}

struct span view_names_kind(struct view_names *n, frame_id frame)
{
	if (!frame)
		return SPAN("");
	switch (n->coloring.first) {
	case COLORS_BY_CATEGORY:
		return category_of_frame(n->p, frame, view_names_get(n, frame));
	case COLORS_BY_MODULE:
		return span_basename(view_names_module(n, frame));
	case COLORS_BY_PACKAGE:
		return frame_color_package(n->p, frame, view_names_get(n, frame));
	case COLORS_BY_PALETTE:
		break;
	}
	return SPAN("");
}

const char *view_names_next_colors(struct view_names *n)
{
	n->coloring.first =
		n->coloring.first == COLORS_BY_PACKAGE ? COLORS_BY_PALETTE : n->coloring.first + 1;
	return frame_color_mode(&n->coloring);
}

/* Characters may be wide: then as many as fit are fewer than columns. */
void view_names_fit(struct buf *b, struct span name, size_t columns)
{
	struct buf clean = { 0 }, label = { 0 };
	size_t most = columns, width;

	utf8_put_terminal(&clean, name);
	for (;;) {
		label.n = 0;
		picture_label_put(&label, buf_span(&clean), most);
		width = char_width_of_text(buf_span(&label));
		if (width <= columns)
			break;
		most -= most > (width - columns + 1) / 2 ? (width - columns + 1) / 2 : most;
	}
	buf_put_span(b, buf_span(&label));
	buf_release(&label);
	buf_release(&clean);
}

/* ---- search -------------------------------------------------------------------------------- */

/* \S and \W are no capitals. */
static bool has_capital(struct span text)
{
	size_t i;

	for (i = 0; i < text.n; i++)
		if (text.p[i] == '\\')
			i++;
		else if (char_is_upper(text.p[i]))
			return true;
	return false;
}

bool view_names_search(struct view_names *n, struct span text)
{
	struct buf regex = { 0 };
	struct err e;
	bool is_good = true;

	name_pattern_free(n->pattern);
	n->pattern = NULL;
	memset(n->found, NOT_ASKED, (size_t)n->n_frames + 1);
	n->pattern_text.n = 0;
	buf_put_span(&n->pattern_text, text);
	if (text.n) {
		buf_puts(&regex, has_capital(text) ? "" : "(?i)");
		buf_put_span(&regex, text);
		is_good = name_pattern_new(&n->pattern, buf_str(&regex), &e) == OK;
		if (!is_good)
			n->pattern = NULL;
	}
	buf_release(&regex);
	return is_good;
}

bool view_names_is_found(struct view_names *n, frame_id frame)
{
	if (!n->pattern || !frame || frame >= n->n_frames)
		return false;
	if (n->found[frame] == NOT_ASKED)
		n->found[frame] = name_pattern_matches(n->pattern, view_names_get(n, frame))
					  ? IS_MATCH
					  : IS_NO_MATCH;
	return n->found[frame] == IS_MATCH;
}

/* ---- shares -------------------------------------------------------------------------------- */

double view_names_part(const struct view_names *n, uint64_t weight)
{
	uint64_t whole = n->p->n_nodes ? n->p->nodes[0].total : 0;

	return whole ? (double)weight / (double)whole : 0;
}

void view_names_put_share(struct buf *b, const struct view_names *n, uint64_t weight)
{
	buf_printf(b, "%.1f%%", 100 * view_names_part(n, weight));
}
