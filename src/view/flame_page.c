/*
 * Layout: a box covers columns from where its weight begins to where it ends, both rounded alike,
 * so that neighbours meet; what is narrower than half a column is no box of its own. Boxes are in
 * order of level, then column: those of a level are found by bisection, and each is expanded after
 * its parent. Only children of what is drawn are looked at, so a drawing costs columns times
 * levels, and a look at each child.
 *
 *	weight		|0      main     60|60 worker 90|  90..100: many narrow ones
 *	columns		|0        ...    48|48  ...   72|72 (9 small) 80|
 *
 * What was zoomed to has the whole width, and is level 0. All that is above it is in the line of
 * the path.
 */
#include "view/flame_page.h"

#include "base/bisect.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	EDGE = 0x258f, /* a thin line at the left of each frame */
	SHARE_COLUMNS = 7,
	WHEEL_ROWS = 3,
	MATCHES_MOST = 500,
};

struct flame_child {
	node_id node;
	uint64_t total;
};

void flame_page_init(struct flame_page *f, struct view_names *names, const struct profile *tree)
{
	*f = (struct flame_page){ .names = names, .tree = tree };
}

void flame_page_release(struct flame_page *f)
{
	free(f->back);
	free(f->box);
	free(f->child);
	free(f->match);
}

static const struct node *node_of(const struct flame_page *f, node_id i)
{
	return &f->tree->nodes[i];
}

/* ---- layout -------------------------------------------------------------------------------- */

static unsigned column_of(const struct flame_page *f, uint64_t weight)
{
	uint64_t whole = node_of(f, f->shown)->total;

	return whole ? (unsigned)((double)weight / (double)whole * f->area.screen->columns + 0.5)
		     : 0;
}

/* Else what is drawn would depend on where it begins. */
static bool is_wide(const struct flame_page *f, uint64_t weight)
{
	return 2 * (double)weight * f->area.screen->columns >= (double)node_of(f, f->shown)->total;
}

static void add_box(struct flame_page *f, const struct flame_box *b)
{
	ARRAY_GROW(f->box, f->n, f->cap);
	f->box[f->n++] = *b;
}

/* The heaviest first; those of equal weight keep their order. */
static int compare_children(const void *pa, const void *pb)
{
	const struct flame_child *a = pa, *b = pb;

	if (a->total != b->total)
		return a->total < b->total ? 1 : -1;
	return (a->node > b->node) - (a->node < b->node);
}

static uint32_t find_children(struct flame_page *f, node_id of)
{
	node_id i, end = of + node_of(f, of)->subtree;
	uint32_t n = 0;

	for (i = of + 1; i < end; i += node_of(f, i)->subtree) {
		if (!node_of(f, i)->total)
			continue;
		ARRAY_GROW(f->child, n, f->cap_children);
		f->child[n++] = (struct flame_child){ i, node_of(f, i)->total };
	}
	if (n && !f->by_name)
		qsort(f->child, n, sizeof(*f->child), compare_children);
	return n;
}

/* Narrow frames that follow one another. */
struct small_run {
	uint32_t n;
	uint64_t start;
};

static void end_run(
	struct flame_page *f, struct small_run *run, const struct flame_box *parent, uint64_t at)
{
	struct flame_box b = { .node = parent->node,
		.small = run->n,
		.level = parent->level + 1,
		.column = column_of(f, run->start),
		.start = run->start };

	b.width = column_of(f, at) - b.column;
	if (run->n && b.width)
		add_box(f, &b);
	run->n = 0;
}

static void expand(struct flame_page *f, const struct flame_box parent)
{
	uint32_t n = find_children(f, parent.node), i;
	struct small_run run = { 0 };
	uint64_t at = parent.start;

	for (i = 0; i < n; i++) {
		struct flame_box b = { .node = f->child[i].node,
			.level = parent.level + 1,
			.column = column_of(f, at),
			.start = at };

		b.width = column_of(f, at + f->child[i].total) - b.column;
		if (b.width && is_wide(f, f->child[i].total)) {
			end_run(f, &run, &parent, at);
			add_box(f, &b);
		} else if (!run.n++) {
			run.start = at;
		}
		at += f->child[i].total;
	}
	end_run(f, &run, &parent, at);
}

static void lay_out(struct flame_page *f)
{
	const struct flame_box root = { .node = f->shown, .width = f->area.screen->columns };
	size_t i;

	f->n = 0;
	add_box(f, &root);
	for (i = 0; i < f->n; i++)
		if (!f->box[i].small)
			expand(f, f->box[i]);
}

/* Boxes of a level: the first, and that after the last. */
static size_t first_of_level(const struct flame_page *f, uint32_t level)
{
	return bisect(i, (size_t)0, f->n, f->box[i].level >= level);
}

static const struct flame_box *find_box(const struct flame_page *f, node_id node)
{
	size_t i, end;
	uint32_t level;

	if (node < f->shown || node >= f->shown + node_of(f, f->shown)->subtree)
		return NULL;
	level = node_of(f, node)->depth - node_of(f, f->shown)->depth;
	end = first_of_level(f, level + 1);
	for (i = first_of_level(f, level); i < end; i++)
		if (!f->box[i].small && f->box[i].node == node)
			return &f->box[i];
	return NULL;
}

/* ---- drawing ------------------------------------------------------------------------------- */

static unsigned row_of(const struct flame_page *f, uint32_t level)
{
	unsigned row = level - f->first_level;

	return f->flipped ? f->area.top + f->area.rows - 1 - row : f->area.top + row;
}

static struct screen_style style_of(struct flame_page *f, const struct flame_box *b)
{
	static const struct screen_color black = { 0, 0, 0, true }, match = { 0xe6, 0, 0xe6, true },
					 grey = { 0xb0, 0xb0, 0xb0, true };
	frame_id frame = node_of(f, b->node)->frame;

	if (!b->small && b->node == f->chosen)
		return (struct screen_style){ .attributes = SCREEN_REVERSE | SCREEN_BOLD };
	if (b->small)
		return (struct screen_style){ .text = black, .ground = grey };
	if (view_names_is_found(f->names, frame))
		return (struct screen_style){
			.text = black, .ground = match, .attributes = SCREEN_BOLD
		};
	return (struct screen_style){ .text = black, .ground = view_names_color(f->names, frame) };
}

/* The name, and the share where there is room for both. */
static void put_label(struct flame_page *f, struct screen_line *l, const struct flame_box *b,
	struct screen_style style)
{
	struct span name = view_names_get(f->names, node_of(f, b->node)->frame);
	struct buf label = { 0 }, share = { 0 }, small = { 0 };

	if (b->small)
		buf_printf(&small, "(%" PRIu32 " small)", b->small);
	view_names_put_share(&share, f->names, node_of(f, b->node)->total);
	view_names_fit(&label, b->small ? buf_span(&small) : name, screen_room(l));
	screen_put(l, buf_span(&label), style);
	if (!b->small && screen_room(l) >= SHARE_COLUMNS)
		screen_put_right(l, buf_span(&share), style);
	screen_pad(l, l->end, style);
	buf_release(&label);
	buf_release(&share);
	buf_release(&small);
}

static void draw_box(struct flame_page *f, const struct flame_box *b)
{
	struct screen_line l =
		screen_line(f->area.screen, row_of(f, b->level), b->column, b->width);
	struct screen_style style = style_of(f, b);

	screen_put(&l, SPAN("▏"), style);
	put_label(f, &l, b, style);
}

static void scroll(struct flame_page *f)
{
	const struct flame_box *b = find_box(f, f->chosen);
	uint32_t levels = f->box[f->n - 1].level + 1;

	f->first_level =
		page_scroll(f->first_level, b ? b->level : f->first_level, levels, f->area.rows);
}

void flame_page_draw(struct flame_page *f, const struct page_area *area)
{
	size_t i, end;

	f->area = *area;
	lay_out(f);
	scroll(f);
	end = first_of_level(f, f->first_level + area->rows);
	for (i = first_of_level(f, f->first_level); i < end; i++)
		draw_box(f, &f->box[i]);
}

/* ---- moving -------------------------------------------------------------------------------- */

static void zoom_to(struct flame_page *f, node_id node)
{
	if (node == f->shown)
		return;
	ARRAY_GROW(f->back, f->n_back, f->cap_back);
	f->back[f->n_back++] = f->shown;
	f->shown = node;
	f->first_level = 0;
	flame_page_forget_matches(f);
}

bool flame_page_go_back(struct flame_page *f)
{
	if (!f->n_back)
		return false;
	f->shown = f->back[--f->n_back];
	flame_page_forget_matches(f);
	return true;
}

static void move_up(struct flame_page *f)
{
	if (!f->chosen)
		return;
	if (f->chosen == f->shown)
		zoom_to(f, node_of(f, f->shown)->parent);
	f->chosen = node_of(f, f->chosen)->parent;
}

/* To the heaviest of those that are drawn. */
static void move_down(struct flame_page *f)
{
	const struct flame_box *now = find_box(f, f->chosen), *most = NULL;
	size_t i, end;

	if (!now)
		return;
	end = first_of_level(f, now->level + 2);
	for (i = first_of_level(f, now->level + 1); i < end; i++) {
		const struct flame_box *b = &f->box[i];

		if (!b->small && node_of(f, b->node)->parent == f->chosen &&
			(!most || node_of(f, b->node)->total > node_of(f, most->node)->total))
			most = b;
	}
	if (most)
		f->chosen = most->node;
}

static void move_beside(struct flame_page *f, int step)
{
	const struct flame_box *now = find_box(f, f->chosen);
	size_t at = now ? (size_t)(now - f->box) : 0;

	while (now) {
		if (step < 0 && at == 0)
			return;
		at = step < 0 ? at - 1 : at + 1;
		if (at >= f->n || f->box[at].level != now->level)
			return;
		if (!f->box[at].small)
			break;
	}
	if (now)
		f->chosen = f->box[at].node;
}

static const struct flame_box *box_at(const struct flame_page *f, unsigned row, unsigned column)
{
	size_t i, end;
	uint32_t level;

	if (!page_has(&f->area, row))
		return NULL;
	level = f->first_level +
		(f->flipped ? f->area.top + f->area.rows - 1 - row : row - f->area.top);
	end = first_of_level(f, level + 1);
	for (i = first_of_level(f, level); i < end; i++)
		if (column >= f->box[i].column && column < f->box[i].column + f->box[i].width)
			return &f->box[i];
	return NULL;
}

/* The first click chooses, the second zooms; one at narrow frames zooms to their parent. */
static void click(struct flame_page *f, const struct view_event *event)
{
	const struct flame_box *b = box_at(f, event->row, event->column);

	if (!b)
		return;
	if (b->small || b->node == f->chosen)
		zoom_to(f, b->node);
	f->chosen = b->node;
}

static void step_levels(struct flame_page *f, uint32_t key, unsigned n)
{
	for (; n; n--)
		if (key == VIEW_KEY_DOWN)
			move_down(f);
		else if (f->chosen != f->shown)
			move_up(f);
}

static bool take_move(struct flame_page *f, uint32_t key)
{
	unsigned page = f->area.rows > 2 ? f->area.rows - 1 : 1;

	switch (key) {
	case VIEW_KEY_UP:
	case 'k':
		(f->flipped ? move_down : move_up)(f);
		return true;
	case VIEW_KEY_DOWN:
	case 'j':
		(f->flipped ? move_up : move_down)(f);
		return true;
	case VIEW_KEY_LEFT:
		move_beside(f, -1);
		return true;
	case VIEW_KEY_RIGHT:
		move_beside(f, 1);
		return true;
	case VIEW_KEY_PAGE_UP:
	case VIEW_KEY_WHEEL_UP:
		step_levels(f, f->flipped ? VIEW_KEY_DOWN : VIEW_KEY_UP,
			key == VIEW_KEY_WHEEL_UP ? WHEEL_ROWS : page);
		return true;
	case VIEW_KEY_PAGE_DOWN:
	case VIEW_KEY_WHEEL_DOWN:
		step_levels(f, f->flipped ? VIEW_KEY_UP : VIEW_KEY_DOWN,
			key == VIEW_KEY_WHEEL_DOWN ? WHEEL_ROWS : page);
		return true;
	default:
		return false;
	}
}

bool flame_page_take(struct flame_page *f, const struct view_event *event)
{
	switch (event->key) {
	case VIEW_KEY_ENTER:
		zoom_to(f, f->chosen);
		return true;
	case VIEW_KEY_HOME:
		zoom_to(f, 0);
		f->chosen = 0;
		return true;
	case VIEW_KEY_BACKSPACE:
		flame_page_go_back(f);
		return true;
	case VIEW_KEY_CLICK:
		click(f, event);
		return true;
	case 'v':
		f->flipped = !f->flipped;
		return true;
	case 'o':
		f->by_name = !f->by_name;
		return true;
	default:
		return take_move(f, event->key);
	}
}

/* ---- search -------------------------------------------------------------------------------- */

void flame_page_forget_matches(struct flame_page *f)
{
	f->has_matches = f->has_found = false;
}

static bool is_found(const struct flame_page *f, node_id i)
{
	return view_names_is_found(f->names, node_of(f, i)->frame);
}

static int compare_matches(const void *pa, const void *pb)
{
	return compare_children(pa, pb);
}

/* Those of what is shown that have no match above them. */
static void find_matches(struct flame_page *f)
{
	node_id i, end = f->shown + node_of(f, f->shown)->subtree;
	uint32_t n = 0, k;

	for (i = f->shown; i < end;) {
		if (!is_found(f, i) || !node_of(f, i)->total) {
			i++;
			continue;
		}
		ARRAY_GROW(f->child, n, f->cap_children);
		f->child[n++] = (struct flame_child){ i, node_of(f, i)->total };
		i += node_of(f, i)->subtree;
	}
	if (n)
		qsort(f->child, n, sizeof(*f->child), compare_matches);
	f->n_matches = n < MATCHES_MOST ? n : MATCHES_MOST;
	ARRAY_RESERVE(f->match, f->n_matches, f->cap_matches);
	for (k = 0; k < f->n_matches; k++)
		f->match[k] = f->child[k].node;
}

void flame_page_next_match(struct flame_page *f, int step)
{
	if (!f->has_matches) {
		find_matches(f);
		f->match_at = step > 0 ? f->n_matches - 1 : 0;
	}
	f->has_matches = true;
	if (!f->n_matches)
		return;
	f->match_at =
		(f->match_at + f->n_matches + (size_t)(step + (int)f->n_matches)) % f->n_matches;
	f->chosen = f->match[f->match_at];
	if (f->area.screen && !find_box(f, f->chosen)) { /* too narrow to be seen */
		zoom_to(f, f->chosen);
		f->has_matches = true;
	}
}

static uint64_t find_weight(const struct flame_page *f)
{
	node_id i, end = f->shown + node_of(f, f->shown)->subtree;
	uint64_t sum = 0;

	for (i = f->shown; i; i = node_of(f, i)->parent)
		if (is_found(f, i))
			return node_of(f, f->shown)->total;
	for (i = f->shown; i < end;) {
		bool found = is_found(f, i);

		sum += found ? node_of(f, i)->total : 0;
		i += found ? node_of(f, i)->subtree : 1;
	}
	return sum;
}

/* Not at every drawing. */
uint64_t flame_page_found(struct flame_page *f)
{
	if (!f->has_found)
		f->found = find_weight(f);
	f->has_found = true;
	return f->found;
}

/* ---- what is chosen ------------------------------------------------------------------------ */

frame_id flame_page_chosen(const struct flame_page *f)
{
	return node_of(f, f->chosen)->frame;
}

void flame_page_put_status(struct flame_page *f, struct page_status *status)
{
	const struct node *n = node_of(f, f->chosen), *shown = node_of(f, f->shown);

	buf_put_span(&status->name, view_names_get(f->names, n->frame));
	if (n->frame)
		buf_put_span(&status->module, view_names_module(f->names, n->frame));
	page_put_kind(status, f->names, n->frame);
	view_names_put_share(&status->share, f->names, n->total);
	buf_puts(&status->share, " of all");
	if (f->shown && f->chosen != f->shown && shown->total)
		buf_printf(&status->share, ", %.1f%% of what is shown",
			100.0 * (double)n->total / (double)shown->total);
	buf_puts(&status->share, " · ");
	view_names_put_share(&status->share, f->names, n->self);
	buf_puts(&status->share, " self · ");
	headline_put_weight(
		&status->share, &f->names->of, n->total, profile_samples(f->tree, f->chosen).total);
}
