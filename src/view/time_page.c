/*
 * Rows of the profile are added up by thread and column whenever the number of columns is another:
 * one pass over them. A sample counts where it was taken, a wait over all the time that it lasted.
 *
 * The profile of an interval is a copy of the tree in which only rows of the interval count.
 */
#include "view/time_page.h"

#include "base/amount.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

enum { LABEL = 20, HEAD = 1, LEVELS = 8, NS_PER_S = 1000000000 };

static const struct screen_style plain, dim = { .attributes = SCREEN_DIM };

void time_page_release(struct time_page *t)
{
	free(t->load);
	buf_release(&t->why);
}

/* ---- reading ------------------------------------------------------------------------------- */

static uint64_t end_of(const struct profile *p, const struct timeline_row *r)
{
	return r->time_ns + (p->rows_have_duration ? r->weight : 0);
}

static void find_times(struct time_page *t)
{
	const struct profile *p = t->of.p;
	size_t i;

	t->first_ns = p->rows[0].time_ns;
	for (i = 0; i < p->n_rows; i++) {
		if (p->rows[i].time_ns < t->first_ns)
			t->first_ns = p->rows[i].time_ns;
		if (end_of(p, &p->rows[i]) >= t->end_ns)
			t->end_ns = end_of(p, &p->rows[i]) + 1;
	}
}

void time_page_read(struct time_page *t, const struct view_opts *o)
{
	struct err e = { 0 };

	t->is_waiting = false;
	t->is_read = true;
	if (!o->read_rows)
		buf_puts(&t->why, "no times are known");
	else if (o->read_rows(o->ctx, &t->of, &e))
		buf_puts(&t->why, e.msg);
	else if (!t->of.p->n_rows)
		buf_puts(&t->why, "the input has sums, not samples with times");
	else
		find_times(t);
}

/* ---- load ---------------------------------------------------------------------------------- */

static uint64_t time_of_column(const struct time_page *t, unsigned column)
{
	return t->first_ns + (uint64_t)((double)(t->end_ns - t->first_ns) * column / t->columns);
}

static unsigned column_at(const struct time_page *t, uint64_t time_ns)
{
	unsigned column = (unsigned)((double)(time_ns - t->first_ns) /
				     (double)(t->end_ns - t->first_ns) * t->columns);

	return column < t->columns ? column : t->columns - 1;
}

static void add_load(struct time_page *t, uint32_t thread, unsigned column, uint64_t weight)
{
	uint64_t *of[] = { &t->load[column], &t->load[(size_t)(thread + 1) * t->columns + column] };
	unsigned i;

	for (i = 0; i < 2; i++) {
		*of[i] += weight;
		if (*of[i] > t->highest[i])
			t->highest[i] = *of[i];
	}
}

/* The part of a wait that is in each column. */
static void add_wait(struct time_page *t, const struct timeline_row *r)
{
	unsigned column = column_at(t, r->time_ns), last = column_at(t, r->time_ns + r->weight);
	uint64_t at = r->time_ns, end;

	for (; column <= last; column++, at = end) {
		end = column == last ? r->time_ns + r->weight : time_of_column(t, column + 1);
		end = end > at ? end : at;
		add_load(t, r->thread, column, end - at);
	}
}

static void find_load(struct time_page *t, unsigned columns)
{
	const struct profile *p = t->of.p;
	size_t i;

	if (columns == t->columns)
		return;
	t->cursor = t->columns ? t->cursor * columns / t->columns : 0;
	t->mark = 0;
	t->columns = columns;
	free(t->load);
	t->load = xcalloc(((size_t)p->n_threads + 1) * columns, sizeof(*t->load));
	t->highest[0] = t->highest[1] = 0;
	for (i = 0; i < p->n_rows; i++)
		if (p->rows_have_duration)
			add_wait(t, &p->rows[i]);
		else
			add_load(t, p->rows[i].thread, column_at(t, p->rows[i].time_ns),
				p->rows[i].weight);
}

static bool is_time(const struct time_page *t)
{
	return span_eq(strtab_get(t->of.p->strings, t->of.p->unit), SPAN("nanoseconds"));
}

/* What a full column is worth: of threads the time that it lasts, if more was not counted. */
static uint64_t full_of(const struct time_page *t, uint32_t row)
{
	uint64_t column_ns = (t->end_ns - t->first_ns) / t->columns, highest = t->highest[row > 0];

	return is_time(t) && column_ns > highest ? column_ns : highest;
}

static uint64_t load_at(const struct time_page *t, uint32_t row, unsigned column)
{
	return t->load[(size_t)row * t->columns + column];
}

/* ---- drawing ------------------------------------------------------------------------------- */

static void put_seconds(const struct time_page *t, struct buf *b, uint64_t time_ns)
{
	uint64_t ns = time_ns - t->first_ns;

	buf_printf(b, "%" PRIu64 ".%03u s", ns / NS_PER_S, (unsigned)(ns % NS_PER_S / 1000000));
}

static void draw_axis(struct time_page *t)
{
	enum { BETWEEN = 20 };
	unsigned i;

	for (i = 0; i + BETWEEN / 2 < t->columns; i += BETWEEN) {
		struct screen_line l = screen_line(t->area.screen, t->area.top, LABEL + i, BETWEEN);
		struct buf text = { 0 };

		screen_put(&l, SPAN("▏"), dim);
		put_seconds(t, &text, time_of_column(t, i));
		screen_put(&l, buf_span(&text), dim);
		buf_release(&text);
	}
}

static bool is_marked(const struct time_page *t, unsigned column)
{
	unsigned mark = t->mark ? t->mark - 1 : t->cursor;

	return column >= (mark < t->cursor ? mark : t->cursor) &&
	       column <= (mark < t->cursor ? t->cursor : mark);
}

static void draw_load(struct time_page *t, uint32_t row, unsigned at)
{
	static const char *const blocks[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	struct screen_line l = screen_line(t->area.screen, at, LABEL, t->columns);
	uint64_t full = full_of(t, row);
	unsigned i;

	for (i = 0; i < t->columns; i++) {
		uint64_t load = load_at(t, row, i);
		double part = full ? (double)load / (double)full : 0;
		unsigned level = load ? 1 + (unsigned)(part * (LEVELS - 1) + 0.5) : 0;
		struct screen_style style = plain;

		if (is_marked(t, i))
			style.attributes = SCREEN_REVERSE;
		screen_put(&l, span_of(blocks[level > LEVELS ? LEVELS : level]), style);
	}
}

static void put_label(const struct time_page *t, struct buf *b, uint32_t row)
{
	const struct profile_thread *thread = row ? &t->of.p->threads[row - 1] : NULL;

	if (!thread) {
		buf_puts(b, "all threads");
		return;
	}
	buf_put_span(b, strtab_get(t->of.p->strings, thread->name));
	buf_printf(b, " %" PRId32, thread->tid);
}

static void draw_row(struct time_page *t, uint32_t row, unsigned at)
{
	struct screen_line l = screen_line(t->area.screen, at, 0, LABEL - 1);
	struct screen_style style = plain;
	struct buf label = { 0 };

	if (row == t->chosen)
		style.attributes = SCREEN_REVERSE | SCREEN_BOLD;
	put_label(t, &label, row);
	screen_put_end(&l, buf_span(&label), style);
	screen_pad(&l, l.end, style);
	draw_load(t, row, at);
	buf_release(&label);
}

void time_page_draw(struct time_page *t, const struct page_area *area)
{
	struct screen_line l = screen_line(area->screen, area->top, 0, area->screen->columns);
	unsigned i, rows = area->rows - HEAD;
	uint32_t n;

	t->area = *area;
	if (t->is_waiting || t->why.n) {
		screen_put(&l, t->why.n ? buf_span(&t->why) : SPAN("reading the times ..."), dim);
		return;
	}
	n = t->of.p->n_threads + 1;
	find_load(t, area->screen->columns - LABEL);
	t->first = page_scroll(t->first, t->chosen, n, rows);
	draw_axis(t);
	for (i = 0; i < rows && t->first + i < n; i++)
		draw_row(t, t->first + i, area->top + HEAD + i);
}

/* ---- events -------------------------------------------------------------------------------- */

bool time_page_go_back(struct time_page *t)
{
	bool was_marked = t->mark;

	t->mark = 0;
	return was_marked;
}

/* The start of an interval, and then its end. */
static void mark(struct time_page *t)
{
	unsigned other = t->mark - 1;

	if (!t->mark) {
		t->mark = t->cursor + 1;
		return;
	}
	t->from_ns = time_of_column(t, other < t->cursor ? other : t->cursor);
	t->until_ns = time_of_column(t, (other < t->cursor ? t->cursor : other) + 1);
	t->is_chosen = true;
	t->mark = 0;
}

static void click(struct time_page *t, const struct view_event *event)
{
	uint32_t row = t->first + event->row - t->area.top - HEAD;

	if (!page_has(&t->area, event->row) || event->row == t->area.top)
		return;
	if (row <= t->of.p->n_threads)
		t->chosen = row;
	if (event->column >= LABEL && event->column - LABEL < t->columns)
		t->cursor = event->column - LABEL;
}

bool time_page_take(struct time_page *t, const struct view_event *event)
{
	if (!t->columns)
		return false;
	switch (event->key) {
	case VIEW_KEY_LEFT:
		t->cursor -= t->cursor > 0;
		return true;
	case VIEW_KEY_RIGHT:
		t->cursor += t->cursor + 1 < t->columns;
		return true;
	case VIEW_KEY_HOME:
		t->cursor = 0;
		return true;
	case VIEW_KEY_END:
		t->cursor = t->columns - 1;
		return true;
	case VIEW_KEY_ENTER:
		mark(t);
		return true;
	case VIEW_KEY_CLICK:
		click(t, event);
		return true;
	default:
		return page_move(event->key, &t->chosen, t->of.p->n_threads + 1,
			t->area.rows ? t->area.rows - HEAD : 0);
	}
}

void time_page_put_status(struct time_page *t, struct page_status *status)
{
	uint64_t from, until, load;

	if (!t->columns)
		return;
	put_label(t, &status->name, t->chosen);
	from = time_of_column(t, t->cursor);
	until = time_of_column(t, t->cursor + 1);
	load = load_at(t, t->chosen, t->cursor);
	put_seconds(t, &status->share, from);
	buf_puts(&status->share, " to ");
	put_seconds(t, &status->share, until);
	buf_puts(&status->share, ": ");
	amount_put(&status->share, load, strtab_str(t->of.p->strings, t->of.p->unit));
	if (is_time(t) && until > from)
		buf_printf(
			&status->share, ", %.2f at a time", (double)load / (double)(until - from));
	buf_puts(&status->share, t->mark ? " · Enter: the end of the interval"
					 : " · Enter: the start of an interval");
}

/* ---- an interval --------------------------------------------------------------------------- */

void time_page_put_interval(const struct time_page *t, struct buf *b)
{
	put_seconds(t, b, t->from_ns);
	buf_puts(b, " to ");
	put_seconds(t, b, t->until_ns);
}

static void add_totals(struct profile *p)
{
	node_id i;

	for (i = p->n_nodes; i-- > 0;) {
		p->nodes[i].total += p->nodes[i].self;
		p->samples[i].total += p->samples[i].self;
		if (i) {
			p->nodes[p->nodes[i].parent].total += p->nodes[i].total;
			p->samples[p->nodes[i].parent].total += p->samples[i].total;
		}
	}
	p->n_samples = p->samples[0].total;
}

struct profile *time_page_profile(const struct time_page *t)
{
	struct profile *p = xcalloc(1, sizeof(*p));
	size_t k;
	node_id i;

	*p = *t->of.p;
	p->nodes = xmemdup(t->of.p->nodes, t->of.p->n_nodes * sizeof(*p->nodes));
	p->samples = xcalloc(t->of.p->n_nodes, sizeof(*p->samples));
	p->rows = NULL;
	p->threads = NULL;
	p->n_rows = p->n_threads = 0;
	for (i = 0; i < p->n_nodes; i++)
		p->nodes[i].self = p->nodes[i].total = 0;
	for (k = 0; k < t->of.p->n_rows; k++) {
		const struct timeline_row *r = &t->of.p->rows[k];

		if (r->time_ns < t->from_ns || r->time_ns >= t->until_ns)
			continue;
		p->nodes[r->stack].self += r->weight;
		p->samples[r->stack].self++;
	}
	add_totals(p);
	return p;
}
