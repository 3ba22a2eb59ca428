/*
 *	  self  total            function                             module
 *	 27.2%  27.2% ███▎       parse /srv/work.js:48:43             perf-1.map
 *
 * Shares are of the whole profile, and so is the bar. The first row of the area is the heading: a
 * click at a column of it sorts by that.
 */
#include "view/table_page.h"

#include "base/mem.h"

#include <stdlib.h>

enum { SHARE = 7, BAR = 10, MODULE_MOST = 24, NAME_LEAST = 24, WHEEL_ROWS = 3 };

void table_page_init(struct table_page *t, struct view_names *names, enum table_order order)
{
	*t = (struct table_page){ .names = names, .order = order };
}

void table_page_release(struct table_page *t)
{
	free(t->row);
}

static struct span name_of(struct table_page *t, uint32_t row)
{
	return functions_name(&t->names->costs.functions, t->row[row].function);
}

static frame_id frame_of(struct table_page *t, uint32_t row)
{
	return t->names->frame_of[t->row[row].function];
}

/* ---- order --------------------------------------------------------------------------------- */

static int compare_names(const void *pa, const void *pb, void *ctx)
{
	const struct function_cost *a = pa, *b = pb;
	const struct functions *f = ctx;
	int order = span_cmp(functions_name(f, a->function), functions_name(f, b->function));

	return order ? order : (a->function > b->function) - (a->function < b->function);
}

static int compare_self(const void *pa, const void *pb, void *ctx)
{
	const struct function_cost *a = pa, *b = pb;
	int order = costs_compare(&a->self, &b->self);

	order = order ? order : costs_compare(&a->total, &b->total);
	return order ? order : compare_names(pa, pb, ctx);
}

/* All of them: costs_ranked() by self has only those that have any. */
static void sort(struct table_page *t)
{
	if (t->row)
		return;
	t->row = costs_ranked(&t->names->costs, BY_TOTAL, &t->n);
	if (t->order != TABLE_BY_TOTAL && t->n)
		qsort_r(t->row, t->n, sizeof(*t->row),
			t->order == TABLE_BY_SELF ? compare_self : compare_names,
			&t->names->costs.functions);
}

/* The chosen function stays chosen. */
static void sort_by(struct table_page *t, enum table_order order)
{
	frame_id chosen = table_page_chosen(t);

	free(t->row);
	t->row = NULL;
	t->order = order;
	t->chosen = t->first = 0;
	table_page_choose(t, chosen);
}

frame_id table_page_chosen(struct table_page *t)
{
	sort(t);
	return t->n ? frame_of(t, t->chosen) : 0;
}

void table_page_choose(struct table_page *t, frame_id frame)
{
	function_id function;
	uint32_t i;

	sort(t);
	if (!view_names_function(t->names, frame, &function))
		return;
	for (i = 0; i < t->n; i++)
		if (t->row[i].function == function) {
			t->chosen = i;
			return;
		}
}

/* ---- drawing ------------------------------------------------------------------------------- */

struct table_widths {
	unsigned name, module;
	bool bar;
};

static struct table_widths measure(const struct table_page *t)
{
	unsigned columns = t->area.screen->columns, rest = columns - 2 * SHARE - 1;
	struct table_widths w = { .bar = columns >= 2 * SHARE + BAR + 2 * NAME_LEAST };

	rest -= w.bar ? BAR + 1 : 0;
	w.module = rest / 3 < MODULE_MOST ? rest / 3 : MODULE_MOST;
	if (rest < NAME_LEAST + w.module)
		w.module = 0;
	w.name = rest - w.module - (w.module ? 1 : 0);
	return w;
}

static void put_heading(struct screen_line *l, const char *text, unsigned end, bool is_order)
{
	screen_put(l, span_of(text),
		(struct screen_style){
			.attributes = is_order ? SCREEN_BOLD | SCREEN_UNDERLINE : SCREEN_DIM });
	screen_pad(l, end, (struct screen_style){ 0 });
}

static void draw_heading(struct table_page *t, const struct table_widths *w)
{
	struct screen_line l = screen_line(t->area.screen, t->area.top, 0, t->area.screen->columns);
	unsigned name_at = 2 * SHARE + 1 + (w->bar ? BAR + 1 : 0);

	screen_pad(&l, 2, (struct screen_style){ 0 });
	put_heading(&l, "self", SHARE + 1, t->order == TABLE_BY_SELF);
	put_heading(&l, "total", name_at, t->order == TABLE_BY_TOTAL);
	put_heading(&l, "function", name_at + w->name + 1, t->order == TABLE_BY_NAME);
	if (w->module)
		put_heading(&l, "module", l.end, false);
}

static void put_share(
	struct table_page *t, struct screen_line *l, uint64_t weight, struct screen_style style)
{
	struct buf text = { 0 };
	unsigned end = l->column + SHARE;

	view_names_put_share(&text, t->names, weight);
	screen_pad(l, end - 1 - (unsigned)text.n, style);
	screen_put(l, buf_span(&text), style);
	screen_pad(l, end, style);
	buf_release(&text);
}

static void put_fitted(
	struct screen_line *l, struct span text, unsigned width, struct screen_style style)
{
	struct screen_line field = screen_line(l->screen, l->row, l->column, width);
	struct buf label = { 0 };

	view_names_fit(&label, text, width);
	screen_put(&field, buf_span(&label), style);
	screen_pad(&field, field.end, style);
	l->column = field.end;
	buf_release(&label);
}

static void draw_row(struct table_page *t, unsigned at, uint32_t row, const struct table_widths *w)
{
	struct screen_line l = screen_line(t->area.screen, at, 0, t->area.screen->columns);
	frame_id frame = frame_of(t, row);
	const struct function_cost *c = &t->row[row];
	struct screen_style plain = { 0 }, bar = { .text = view_names_color(t->names, frame) };
	struct screen_style name = plain, module = { .attributes = SCREEN_DIM };

	if (view_names_is_found(t->names, frame))
		name = (struct screen_style){ .attributes = SCREEN_BOLD | SCREEN_UNDERLINE };
	if (row == t->chosen)
		plain = name = module =
			(struct screen_style){ .attributes = SCREEN_REVERSE | SCREEN_BOLD };
	put_share(t, &l, c->self.weight, plain);
	put_share(t, &l, c->total.weight, plain);
	screen_pad(&l, l.column + 1, plain);
	if (w->bar) {
		screen_put_bar(&l,
			view_names_part(t->names,
				t->order == TABLE_BY_SELF ? c->self.weight : c->total.weight),
			BAR, row == t->chosen ? plain : bar);
		screen_pad(&l, l.column + 1, plain);
	}
	put_fitted(&l, name_of(t, row), w->name, name);
	if (w->module) {
		screen_pad(&l, l.column + 1, module);
		put_fitted(
			&l, span_basename(view_names_module(t->names, frame)), w->module, module);
	}
	screen_pad(&l, l.end, plain);
}

static unsigned rows_of(const struct table_page *t)
{
	return t->area.rows ? t->area.rows - 1 : 0;
}

void table_page_draw(struct table_page *t, const struct page_area *area)
{
	struct table_widths w;
	uint32_t i;

	t->area = *area;
	sort(t);
	w = measure(t);
	t->first = page_scroll(t->first, t->chosen, t->n, rows_of(t));
	draw_heading(t, &w);
	for (i = 0; i < rows_of(t) && t->first + i < t->n; i++)
		draw_row(t, area->top + 1 + i, t->first + i, &w);
}

/* ---- events -------------------------------------------------------------------------------- */

static bool row_at(const struct table_page *t, const struct view_event *event, uint32_t *row)
{
	*row = t->first + event->row - t->area.top - 1;
	return page_has(&t->area, event->row) && event->row > t->area.top && *row < t->n;
}

bool table_page_is_chosen(const struct table_page *t, const struct view_event *event)
{
	uint32_t row;

	return row_at(t, event, &row) && row == t->chosen;
}

static void click(struct table_page *t, const struct view_event *event)
{
	uint32_t row;

	if (row_at(t, event, &row))
		t->chosen = row;
	else if (event->row == t->area.top)
		sort_by(t, event->column <= SHARE       ? TABLE_BY_SELF
			   : event->column <= 2 * SHARE ? TABLE_BY_TOTAL
							: TABLE_BY_NAME);
}

bool table_page_take(struct table_page *t, const struct view_event *event)
{
	uint32_t i;

	switch (event->key) {
	case 'o':
		sort_by(t, t->order == TABLE_BY_NAME ? TABLE_BY_SELF : t->order + 1);
		return true;
	case VIEW_KEY_CLICK:
		click(t, event);
		return true;
	case VIEW_KEY_WHEEL_UP:
	case VIEW_KEY_WHEEL_DOWN:
		for (i = 0; i < WHEEL_ROWS; i++)
			page_move(event->key == VIEW_KEY_WHEEL_UP ? VIEW_KEY_UP : VIEW_KEY_DOWN,
				&t->chosen, t->n, rows_of(t));
		return true;
	default:
		return page_move(event->key, &t->chosen, t->n, rows_of(t));
	}
}

bool table_page_next_match(struct table_page *t, int step)
{
	uint32_t i, at = t->chosen;

	sort(t);
	for (i = 0; i < t->n; i++) {
		at = step > 0 ? (at + 1) % t->n : (at + t->n - 1) % t->n;
		if (view_names_is_found(t->names, frame_of(t, at))) {
			t->chosen = at;
			return true;
		}
	}
	return false;
}

void table_page_put_status(struct table_page *t, struct page_status *status)
{
	const struct function_cost *c = t->n ? &t->row[t->chosen] : NULL;

	if (!c)
		return;
	buf_put_span(&status->name, name_of(t, t->chosen));
	buf_put_span(&status->module, view_names_module(t->names, frame_of(t, t->chosen)));
	page_put_kind(status, t->names, frame_of(t, t->chosen));
	view_names_put_share(&status->share, t->names, c->total.weight);
	buf_puts(&status->share, " of all in total, ");
	view_names_put_share(&status->share, t->names, c->self.weight);
	buf_puts(&status->share, " by itself · ");
	headline_put_weight(&status->share, &t->names->of, c->total.weight, c->total.samples);
}
