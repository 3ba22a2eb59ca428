/*
 * The screen, from top to bottom:
 *
 *	node: CPU time · 1.95 s in 776 samples            title
 *	1 Flame graph  2 Over time  3 Reversed ...         pages, the one that is shown marked
 *	all › main › run                                  above what is zoomed to, if anything is
 *	...                                               the page
 *	parse  /usr/bin/node                              what is chosen
 *	27.2% of all · 529 ms in 211 samples              its weight, or the search, or a message
 *
 * An event goes to the search while it is typed, else to the keys of all pages, else to the page.
 * Escape ends one thing: the help, the search, a zoom, a page that another one
 * led to, an interval of time.
 */
#include "view/view.h"

#include "base/char_width.h"
#include "base/mem.h"
#include "compare/call_tree.h"
#include "view/calls_page.h"
#include "view/flame_page.h"
#include "view/help_page.h"
#include "view/source_page.h"
#include "view/table_page.h"
#include "view/time_page.h"

#include <stdlib.h>

enum view_page { PAGE_FLAME, PAGE_TIME, PAGE_REVERSED, PAGE_CALLS, PAGE_TABLE, PAGE_SOURCE, PAGES };

/* As in the HTML report. */
static const struct {
	char key;
	const char *name, *short_name;
} pages[PAGES] = {
	[PAGE_FLAME] = { '1', "Flame graph", "Flame" },
	[PAGE_TIME] = { '2', "Over time", "Time" },
	[PAGE_REVERSED] = { '3', "Reversed", "Rev" },
	[PAGE_CALLS] = { '4', "Calls", "Calls" },
	[PAGE_TABLE] = { '5', "Functions", "Func" },
	[PAGE_SOURCE] = { '6', "Source", "Src" },
};

enum { BACK_MOST = 16, TAB_ROW = 1, HEAD_ROWS = 2, FOOT_ROWS = 2, REVERSED_MOST = 2 << 20 };

struct view {
	struct view_opts opts;
	struct view_names names;
	struct headline headline;
	enum view_page page;
	enum view_page back[BACK_MOST]; /* pages that led to this one */
	unsigned n_back;
	struct flame_page flame, reversed;
	struct profile *reversed_tree; /* NULL: not made yet */
	struct calls_page calls;
	struct table_page table;
	struct source_page source;
	struct time_page time;
	struct profile *interval; /* that is shown instead of all; NULL: all is */
	struct help_page help;
	bool is_typing; /* what is searched for */
	bool is_bad;    /* it is no regular expression */
	struct buf typed, message;
	struct {
		unsigned from, end;
	} tab[PAGES]; /* columns, as they were drawn last */
};

/* Begins with a profile: all, or an interval of it. */
static void open_profile(struct view *v, const struct headline_source *of)
{
	view_names_init(&v->names, of);
	headline_make(&v->headline, of);
	flame_page_init(&v->flame, &v->names, of->p);
	calls_page_init(&v->calls, &v->names);
	table_page_init(&v->table, &v->names, v->opts.by_total ? TABLE_BY_TOTAL : TABLE_BY_SELF);
	source_page_init(&v->source, &v->names);
}

static void close_profile(struct view *v)
{
	flame_page_release(&v->flame);
	flame_page_release(&v->reversed);
	profile_free(v->reversed_tree);
	calls_page_release(&v->calls);
	table_page_release(&v->table);
	source_page_release(&v->source);
	headline_release(&v->headline);
	view_names_release(&v->names);
	profile_free(v->interval);
	v->reversed = (struct flame_page){ 0 };
	v->reversed_tree = v->interval = NULL;
}

struct view *view_new(const struct view_opts *o)
{
	struct view *v = xcalloc(1, sizeof(*v));

	v->opts = *o;
	open_profile(v, &o->of);
	return v;
}

void view_free(struct view *v)
{
	close_profile(v);
	time_page_release(&v->time);
	buf_release(&v->typed);
	buf_release(&v->message);
	free(v);
}

/* The flame graph that is shown; NULL: another page is. */
static struct flame_page *flame_of(struct view *v)
{
	return v->page == PAGE_FLAME ? &v->flame : v->page == PAGE_REVERSED ? &v->reversed : NULL;
}

static frame_id chosen_frame(struct view *v)
{
	switch (v->page) {
	case PAGE_CALLS:
		return calls_page_chosen(&v->calls);
	case PAGE_TABLE:
		return table_page_chosen(&v->table);
	case PAGE_SOURCE:
		return v->source.frame;
	case PAGE_TIME:
		return 0;
	default:
		return flame_page_chosen(flame_of(v));
	}
}

static void search(struct view *v);

static void say(struct view *v, const char *text)
{
	v->message.n = 0;
	buf_puts(&v->message, text);
}

/* ---- pages --------------------------------------------------------------------------------- */

/* The sum of the lengths of all stacks: their tree from the other end has so many nodes at most. */
static uint64_t frames_of_stacks(const struct profile *p)
{
	uint64_t sum = 0;
	node_id i;

	for (i = 0; i < p->n_nodes; i++)
		sum += p->nodes[i].self ? p->nodes[i].depth : 0;
	return sum;
}

/* False: there are too many stacks, and a message says so. */
static bool has_reversed(struct view *v)
{
	if (v->reversed_tree)
		return true;
	if (frames_of_stacks(v->names.p) > REVERSED_MOST) {
		say(v, "too many stacks to turn around: callers of one function are page 4");
		return false;
	}
	v->reversed_tree = call_tree_reversed(&v->names.costs);
	flame_page_init(&v->reversed, &v->names, v->reversed_tree);
	return true;
}

static bool show_page(struct view *v, enum view_page page)
{
	frame_id chosen = chosen_frame(v);

	if (page == v->page)
		return true;
	if (page == PAGE_REVERSED && !has_reversed(v))
		return false;
	if (page == PAGE_CALLS)
		calls_page_show(&v->calls, chosen);
	else if (page == PAGE_TABLE)
		table_page_choose(&v->table, chosen);
	else if (page == PAGE_SOURCE)
		source_page_show(&v->source, chosen);
	else if (page == PAGE_TIME)
		v->time.is_waiting = !v->time.is_read;
	v->page = page;
	return true;
}

/* A page that another one leads to: Escape leads back. */
static void open_page(struct view *v, enum view_page page)
{
	enum view_page from = v->page;

	if (from != page && show_page(v, page) && v->n_back < BACK_MOST)
		v->back[v->n_back++] = from;
}

static bool take_number(struct view *v, uint32_t key)
{
	unsigned i;

	for (i = 0; i < PAGES; i++)
		if (key == (uint32_t)pages[i].key) {
			v->n_back = 0;
			show_page(v, i);
			return true;
		}
	return false;
}

static void next_page(struct view *v)
{
	unsigned i = v->page;

	v->n_back = 0;
	do
		i = (i + 1) % PAGES;
	while (!show_page(v, i));
}

static bool take_click(struct view *v, const struct view_event *event)
{
	unsigned i;

	if (event->key != VIEW_KEY_CLICK || event->row != TAB_ROW)
		return false;
	for (i = 0; i < PAGES; i++)
		if (event->column >= v->tab[i].from && event->column < v->tab[i].end)
			take_number(v, (uint32_t)pages[i].key);
	return true;
}

bool view_is_waiting(const struct view *v)
{
	return (v->page == PAGE_SOURCE && v->source.is_waiting) ||
	       (v->page == PAGE_TIME && v->time.is_waiting);
}

void view_work(struct view *v)
{
	if (v->page == PAGE_SOURCE && v->source.is_waiting)
		source_page_read(&v->source, &v->opts);
	if (v->page == PAGE_TIME && v->time.is_waiting)
		time_page_read(&v->time, &v->opts);
}

/* ---- an interval of time ------------------------------------------------------------------- */

static void show_profile(struct view *v, struct headline_source of, struct profile *interval)
{
	close_profile(v);
	if (interval)
		of.p = interval;
	open_profile(v, &of);
	v->interval = interval;
	v->page = PAGE_FLAME;
	v->n_back = 0;
	search(v);
}

static void take_time(struct view *v, const struct view_event *event)
{
	struct profile *interval;

	time_page_take(&v->time, event);
	if (!v->time.is_chosen)
		return;
	v->time.is_chosen = false;
	interval = time_page_profile(&v->time);
	if (interval->nodes[0].total) {
		show_profile(v, v->time.of, interval);
	} else {
		profile_free(interval);
		say(v, "no samples are in this interval");
	}
}

/* ---- search -------------------------------------------------------------------------------- */

static void search(struct view *v)
{
	v->is_bad = !view_names_search(&v->names, buf_span(&v->typed));
	flame_page_forget_matches(&v->flame);
	flame_page_forget_matches(&v->reversed);
}

static void next_match(struct view *v, int step)
{
	if (!v->typed.n) {
		say(v, "nothing is searched for: / begins a search");
		return;
	}
	if (flame_of(v))
		flame_page_next_match(flame_of(v), step);
	else if (v->page == PAGE_CALLS)
		calls_page_next_match(&v->calls, step);
	else if (v->page == PAGE_TABLE)
		table_page_next_match(&v->table, step);
	else if (v->page == PAGE_SOURCE)
		source_page_next_match(&v->source, step);
}

static bool clear_search(struct view *v)
{
	bool had_any = v->typed.n || v->is_typing;

	v->is_typing = false;
	v->typed.n = 0;
	search(v);
	return had_any;
}

static void put_character(struct buf *b, uint32_t code)
{
	if (code < 0x80)
		buf_putc(b, (char)code);
	else if (code < 0x800)
		buf_printf(b, "%c%c", (int)(0xc0 | code >> 6), (int)(0x80 | (code & 0x3f)));
	else if (code < 0x10000)
		buf_printf(b, "%c%c%c", (int)(0xe0 | code >> 12), (int)(0x80 | (code >> 6 & 0x3f)),
			(int)(0x80 | (code & 0x3f)));
	else
		buf_printf(b, "%c%c%c%c", (int)(0xf0 | code >> 18),
			(int)(0x80 | (code >> 12 & 0x3f)), (int)(0x80 | (code >> 6 & 0x3f)),
			(int)(0x80 | (code & 0x3f)));
}

static void drop_character(struct buf *b)
{
	while (b->n && (b->p[b->n - 1] & 0xc0) == 0x80)
		b->n--;
	b->n -= b->n > 0;
}

static void take_typed(struct view *v, uint32_t key)
{
	enum { CTRL_U = 'U' & 0x1f, DELETE = 0x7f, TYPED_MOST = 1000 };

	if (key == VIEW_KEY_ENTER) {
		v->is_typing = false;
		if (v->typed.n && !v->is_bad)
			next_match(v, 1);
		return;
	}
	if (key == VIEW_KEY_BACKSPACE && !v->typed.n)
		v->is_typing = false;
	else if (key == VIEW_KEY_BACKSPACE)
		drop_character(&v->typed);
	else if (key == CTRL_U)
		v->typed.n = 0;
	else if (key >= ' ' && key != DELETE && key < VIEW_KEY_UP && v->typed.n < TYPED_MOST)
		put_character(&v->typed, key);
	search(v);
}

/* ---- events -------------------------------------------------------------------------------- */

static void go_back(struct view *v)
{
	if (help_page_close(&v->help) || clear_search(v))
		return;
	if (flame_of(v) && flame_page_go_back(flame_of(v)))
		return;
	if (v->page == PAGE_CALLS && calls_page_go_back(&v->calls))
		return;
	if (v->page == PAGE_TIME && time_page_go_back(&v->time))
		return;
	if (v->n_back)
		v->page = v->back[--v->n_back];
	else if (v->interval)
		show_profile(v, v->opts.of, NULL);
}

static void next_colors(struct view *v)
{
	const char *by = view_names_next_colors(&v->names);

	v->message.n = 0;
	buf_printf(&v->message, "colours: %s", by);
}

/* Keys that mean the same on all pages. */
static bool take_common(struct view *v, const struct view_event *event)
{
	switch (event->key) {
	case VIEW_KEY_ESCAPE:
		go_back(v);
		return true;
	case '/':
		v->is_typing = true;
		v->typed.n = 0;
		search(v);
		return true;
	case 'n':
		next_match(v, 1);
		return true;
	case 'p':
	case 'N':
		next_match(v, -1);
		return true;
	case 's':
		open_page(v, PAGE_CALLS);
		return true;
	case 'a':
		open_page(v, PAGE_SOURCE);
		return true;
	case 'c':
		next_colors(v);
		return true;
	case '?':
		help_page_open(&v->help);
		return true;
	case VIEW_KEY_TAB:
		next_page(v);
		return true;
	default:
		return take_number(v, event->key) || take_click(v, event);
	}
}

/* Enter opens the calls of a row. */
static void take_table(struct view *v, const struct view_event *event)
{
	bool opens = event->key == VIEW_KEY_ENTER ||
		     (event->key == VIEW_KEY_CLICK && table_page_is_chosen(&v->table, event));

	if (opens)
		open_page(v, PAGE_CALLS);
	else
		table_page_take(&v->table, event);
}

static void take_page(struct view *v, const struct view_event *event)
{
	switch (v->page) {
	case PAGE_CALLS:
		calls_page_take(&v->calls, event);
		break;
	case PAGE_TABLE:
		take_table(v, event);
		break;
	case PAGE_SOURCE:
		source_page_take(&v->source, event);
		break;
	case PAGE_TIME:
		take_time(v, event);
		break;
	default:
		flame_page_take(flame_of(v), event);
	}
}

bool view_take(struct view *v, const struct view_event *event)
{
	v->message.n = 0;
	if (event->key == VIEW_KEY_ESCAPE)
		go_back(v);
	else if (v->is_typing && event->key < VIEW_KEY_CLICK)
		take_typed(v, event->key);
	else if (event->key == 'q')
		return false;
	else if (!help_page_take(&v->help, event) && !take_common(v, event))
		take_page(v, event);
	return true;
}

/* ---- drawing ------------------------------------------------------------------------------- */

static const struct screen_style plain, bold = { .attributes = SCREEN_BOLD },
					dim = { .attributes = SCREEN_DIM };

static void draw_title(struct view *v, struct screen *s)
{
	struct screen_line l = screen_line(s, 0, 0, s->columns);
	struct buf text = { 0 };

	screen_put(&l, buf_span(&v->headline.title), bold);
	screen_put(&l, SPAN(": "), plain);
	if (v->interval) {
		time_page_put_interval(&v->time, &text);
		screen_put(&l, buf_span(&text), bold);
		screen_put(&l, SPAN(" · "), plain);
		text.n = 0;
	}
	headline_put_subtitle(&v->headline, screen_room(&l) ? screen_room(&l) : 1, &text);
	screen_put(&l, buf_span(&text), plain);
	buf_release(&text);
}

static unsigned width_of_tabs(bool is_short)
{
	size_t sum = 0;
	unsigned i;

	for (i = 0; i < PAGES; i++)
		sum += 4 + strlen(is_short ? pages[i].short_name : pages[i].name);
	return (unsigned)sum;
}

static void draw_tabs(struct view *v, struct screen *s)
{
	static const struct span keys = { "? keys ", 7 };
	bool is_short = width_of_tabs(false) + keys.n > s->columns;
	struct screen_line l = screen_line(s, TAB_ROW, 0, s->columns);
	unsigned i;

	for (i = 0; i < PAGES; i++) {
		struct screen_style style =
			i == v->page && !v->help.is_open
				? (struct screen_style){ .attributes = SCREEN_REVERSE }
				: plain;

		v->tab[i].from = l.column;
		screen_printf(&l, style, " %c %s ", pages[i].key,
			is_short ? pages[i].short_name : pages[i].name);
		v->tab[i].end = l.column;
	}
	if (screen_room(&l) > keys.n)
		screen_put_right(&l, keys, dim);
}

/* What is above the frame that is zoomed to: the end of it tells most. */
static void draw_path(struct view *v, struct screen *s, unsigned row)
{
	struct flame_page *f = flame_of(v);
	struct screen_line l = screen_line(s, row, 0, s->columns);
	struct buf path = { 0 }, longer = { 0 };
	node_id i = f->shown;

	for (i = f->tree->nodes[i].parent;; i = f->tree->nodes[i].parent) {
		longer.n = 0;
		buf_put_span(&longer, view_names_get(&v->names, f->tree->nodes[i].frame));
		buf_puts(&longer, path.n ? " › " : "");
		buf_put_span(&longer, buf_span(&path));
		path.n = 0;
		buf_put_span(&path, buf_span(&longer));
		if (!i || path.n > 4 * (size_t)s->columns)
			break;
	}
	buf_puts(&path, " ›");
	screen_put_end(&l, buf_span(&path), dim);
	buf_release(&path);
	buf_release(&longer);
}

static void put_found(struct view *v, struct buf *b)
{
	struct flame_page *f = flame_of(v) ? flame_of(v) : &v->flame;
	uint64_t shown = f->tree->nodes[f->shown].total;

	if (v->is_bad) {
		buf_puts(b, "not an expression");
		return;
	}
	buf_printf(b, "%.1f%% matched",
		shown ? 100.0 * (double)flame_page_found(f) / (double)shown : 0.0);
	if (flame_of(v) && f->has_matches)
		buf_printf(b, " · %zu of %zu", f->n_matches ? f->match_at + 1 : 0, f->n_matches);
}

static void draw_search(struct view *v, struct screen *s)
{
	struct screen_line l = screen_line(s, s->rows - 1, 0, s->columns);
	struct buf found = { 0 };

	screen_put(&l, SPAN("/"), bold);
	if (v->typed.n)
		put_found(v, &found);
	if (found.n + 8 < screen_room(&l))
		l.end -= (unsigned)found.n + 3;
	screen_put_end(&l, buf_span(&v->typed), plain);
	if (v->is_typing)
		screen_put(&l, SPAN(" "), (struct screen_style){ .attributes = SCREEN_REVERSE });
	l.end = s->columns;
	screen_pad(&l, l.column + 2, plain);
	screen_put(&l, buf_span(&found), dim);
	buf_release(&found);
}

static void put_status(struct view *v, struct page_status *status)
{
	if (flame_of(v))
		flame_page_put_status(flame_of(v), status);
	else if (v->page == PAGE_CALLS)
		calls_page_put_status(&v->calls, status);
	else if (v->page == PAGE_TABLE)
		table_page_put_status(&v->table, status);
	else if (v->page == PAGE_TIME)
		time_page_put_status(&v->time, status);
	else
		source_page_put_status(&v->source, status);
}

/* At the end of a line, which becomes shorter, if that leaves most of it. */
static void put_kind(struct screen_line *l, const struct page_status *status)
{
	unsigned width = (unsigned)char_width_of_text(status->kind) + 2;
	struct screen_line end;

	if (!status->kind.n || width > screen_room(l) / 4)
		return;
	end = screen_line(l->screen, l->row, l->end - width, width);
	screen_put(&end, SPAN("█"), (struct screen_style){ .text = status->color });
	screen_pad(&end, end.column + 1, plain);
	screen_put(&end, status->kind, dim);
	l->end -= width + 1;
}

/* The name keeps its end where there is no room for the module as well. */
static void draw_foot(struct view *v, struct screen *s)
{
	struct page_status status = { .kind = SPAN("") };
	struct screen_line l = screen_line(s, s->rows - FOOT_ROWS, 0, s->columns);
	struct buf label = { 0 };

	put_status(v, &status);
	put_kind(&l, &status);
	view_names_fit(&label, buf_span(&status.name), screen_room(&l));
	screen_put(&l, buf_span(&label), bold);
	if (screen_room(&l) > 2 + 8 && status.module.n) {
		screen_pad(&l, l.column + 2, plain);
		screen_put_end(&l, buf_span(&status.module), dim);
	}
	l = screen_line(s, s->rows - 1, 0, s->columns);
	if (v->message.n)
		screen_put(&l, buf_span(&v->message), plain);
	else if (v->is_typing || v->typed.n)
		draw_search(v, s);
	else
		screen_put(&l, buf_span(&status.share), plain);
	buf_release(&label);
	buf_release(&status.name);
	buf_release(&status.module);
	buf_release(&status.share);
}

static void draw_page(struct view *v, struct screen *s)
{
	struct page_area area = { s, HEAD_ROWS, s->rows - HEAD_ROWS - FOOT_ROWS };

	if (flame_of(v) && flame_of(v)->shown && !v->help.is_open) {
		draw_path(v, s, area.top++);
		area.rows--;
	}
	if (v->help.is_open)
		help_page_draw(&v->help, &area);
	else if (flame_of(v))
		flame_page_draw(flame_of(v), &area);
	else if (v->page == PAGE_CALLS)
		calls_page_draw(&v->calls, &area);
	else if (v->page == PAGE_TABLE)
		table_page_draw(&v->table, &area);
	else if (v->page == PAGE_TIME)
		time_page_draw(&v->time, &area);
	else
		source_page_draw(&v->source, &area);
}

static void draw_too_small(struct screen *s)
{
	struct screen_line l = screen_line(s, 0, 0, s->columns);

	screen_printf(
		&l, plain, "too small: %dx%d is the least", VIEW_LEAST_COLUMNS, VIEW_LEAST_ROWS);
}

void view_draw(struct view *v, struct screen *s)
{
	if (s->columns < VIEW_LEAST_COLUMNS || s->rows < VIEW_LEAST_ROWS) {
		if (s->columns && s->rows)
			draw_too_small(s);
		return;
	}
	draw_title(v, s);
	draw_tabs(v, s);
	draw_page(v, s);
	draw_foot(v, s);
}
