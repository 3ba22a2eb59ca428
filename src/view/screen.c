/*
 * Every text comes through put_clean(): it has been escaped before, and its characters are put into
 * cells one by one. A wide character takes two cells, of which the right one is empty; where half
 * of one is overwritten, the other half becomes a blank. Marks without a width go to the cell
 * before them, as many as it has room for.
 */
#include "view/screen.h"

#include "base/char_width.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>

static const uint32_t ELLIPSIS = 0x2026;

void screen_reset(struct screen *s, unsigned columns, unsigned rows)
{
	size_t n = (size_t)columns * rows, i;

	if (columns != s->columns || rows != s->rows) {
		free(s->cell);
		s->cell = xcalloc(n + 1, sizeof(*s->cell));
	}
	s->columns = columns;
	s->rows = rows;
	for (i = 0; i < n; i++)
		s->cell[i] = (struct screen_cell){ .code = ' ' };
}

void screen_release(struct screen *s)
{
	free(s->cell);
	*s = (struct screen){ 0 };
}

struct screen_line screen_line(struct screen *s, unsigned row, unsigned column, unsigned width)
{
	struct screen_line l = { .screen = s, .row = row, .column = column };

	if (row < s->rows && column < s->columns)
		l.end = width < s->columns - column ? column + width : s->columns;
	return l;
}

static struct screen_cell *cell_at(const struct screen_line *l, unsigned column)
{
	return &l->screen->cell[(size_t)l->row * l->screen->columns + column];
}

/* Overwriting one half of a wide character leaves a blank for the other. */
static void split_wide(const struct screen_line *l, unsigned column)
{
	if (!cell_at(l, column)->code && column)
		cell_at(l, column - 1)->code = ' ';
	if (column + 1 < l->screen->columns && !cell_at(l, column + 1)->code)
		cell_at(l, column + 1)->code = ' ';
}

static void put_cell(struct screen_line *l, uint32_t code, struct screen_style style)
{
	split_wide(l, l->column);
	*cell_at(l, l->column++) = (struct screen_cell){ .code = code, .style = style };
}

static void put_mark(const struct screen_line *l, unsigned first, uint32_t code)
{
	unsigned at = l->column, i;
	struct screen_cell *cell;

	if (at == first)
		return; /* there is nothing that it could be drawn on */
	cell = cell_at(l, --at);
	if (!cell->code)
		cell = cell_at(l, --at);
	for (i = 0; i < SCREEN_MARKS_MOST; i++)
		if (!cell->mark[i]) {
			cell->mark[i] = code;
			return;
		}
}

/* Valid UTF-8 of which nothing moves the cursor, and which fits. */
static void put_clean(struct screen_line *l, struct span s, struct screen_style style)
{
	unsigned first = l->column, n;
	uint32_t code;

	for (; s.n; s = span_skip(s, n)) {
		unsigned width;

		n = utf8_decode(s, &code);
		width = char_width(code);
		if (!width) {
			put_mark(l, first, code);
			continue;
		}
		if (width > screen_room(l))
			return;
		put_cell(l, code, style);
		if (width == 2)
			put_cell(l, 0, style);
	}
}

/* The part at the front that takes so many columns. */
static struct span front_of(struct span s, size_t columns)
{
	struct span rest = s;
	uint32_t code;

	while (rest.n) {
		unsigned n = utf8_decode(rest, &code), width = char_width(code);

		if (width > columns)
			break;
		columns -= width;
		rest = span_skip(rest, n);
	}
	return span_range(s.p, rest.p);
}

void screen_put(struct screen_line *l, struct span text, struct screen_style style)
{
	struct buf clean = { 0 };
	struct span shown;

	if (!screen_room(l))
		return;
	utf8_put_terminal(&clean, text);
	shown = buf_span(&clean);
	if (char_width_of_text(shown) <= screen_room(l)) {
		put_clean(l, shown, style);
	} else {
		put_clean(l, front_of(shown, screen_room(l) - 1), style);
		put_cell(l, ELLIPSIS, style);
	}
	buf_release(&clean);
}

void screen_printf(struct screen_line *l, struct screen_style style, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	screen_put(l, span_of(text), style);
	free(text);
}

void screen_put_end(struct screen_line *l, struct span text, struct screen_style style)
{
	struct buf clean = { 0 };
	struct span shown;
	size_t columns;
	uint32_t code;

	if (!screen_room(l))
		return;
	utf8_put_terminal(&clean, text);
	shown = buf_span(&clean);
	columns = char_width_of_text(shown);
	if (columns > screen_room(l)) {
		put_cell(l, ELLIPSIS, style);
		while (columns > screen_room(l)) {
			unsigned n = utf8_decode(shown, &code);

			columns -= char_width(code);
			shown = span_skip(shown, n);
		}
	}
	put_clean(l, shown, style);
	buf_release(&clean);
}

void screen_pad(struct screen_line *l, unsigned column, struct screen_style style)
{
	while (screen_room(l) && l->column < column)
		put_cell(l, ' ', style);
}

void screen_put_right(struct screen_line *l, struct span text, struct screen_style style)
{
	struct buf clean = { 0 };
	size_t columns;

	utf8_put_terminal(&clean, text);
	columns = char_width_of_text(buf_span(&clean));
	if (columns < screen_room(l))
		screen_pad(l, l->end - (unsigned)columns, style);
	screen_put(l, text, style);
	buf_release(&clean);
}

void screen_put_bar(struct screen_line *l, double part, unsigned width, struct screen_style style)
{
	enum { FULL_BLOCK = 0x2588, EIGHTHS = 8 };
	double filled = part > 0 ? part * width * EIGHTHS + 0.5 : 0;
	unsigned i;

	for (i = 0; i < width && screen_room(l); i++) {
		double here = filled - (double)EIGHTHS * i;
		unsigned eighths = here >= EIGHTHS ? EIGHTHS : here > 0 ? (unsigned)here : 0;

		/* From U+2588, a full block, to U+258F, an eighth. */
		put_cell(l, eighths ? FULL_BLOCK + EIGHTHS - eighths : ' ', style);
	}
}

/* ---- colours ------------------------------------------------------------------------------- */

unsigned screen_color_of_8(struct screen_color c)
{
	enum { RED = 1, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE, GREY_MOST = 30, SIXTH = 60 };
	static const struct {
		int below; /* degrees */
		unsigned color;
	} hue_color[] = { { 25, RED }, { 65, YELLOW }, { 165, GREEN }, { 250, CYAN },
		{ 335, MAGENTA }, { 360, RED } };
	int most = c.r > c.g ? c.r : c.g, least = c.r < c.g ? c.r : c.g, hue;
	size_t i = 0;

	most = most > c.b ? most : c.b;
	least = least < c.b ? least : c.b;
	if (most - least < GREY_MOST)
		return WHITE;
	if (most == c.r)
		hue = SIXTH * (c.g - c.b) / (most - least);
	else if (most == c.g)
		hue = 2 * SIXTH + SIXTH * (c.b - c.r) / (most - least);
	else
		hue = 4 * SIXTH + SIXTH * (c.r - c.g) / (most - least);
	hue = hue < 0 ? hue + 6 * SIXTH : hue;
	while (hue >= hue_color[i].below)
		i++;
	return hue_color[i].color;
}

/* The levels of the cube of 6 * 6 * 6 colours. */
static unsigned level_of(unsigned value)
{
	return value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40;
}

static unsigned distance(struct screen_color c, unsigned r, unsigned g, unsigned b)
{
	int dr = (int)(c.r - r), dg = (int)(c.g - g), db = (int)(c.b - b);

	return (unsigned)(dr * dr + dg * dg + db * db);
}

unsigned screen_color_of_256(struct screen_color c)
{
	enum { CUBE = 16, GREYS = 232, GREYS_MOST = 23 };
	static const uint8_t level[] = { 0, 95, 135, 175, 215, 255 };
	unsigned r = level_of(c.r), g = level_of(c.g), b = level_of(c.b);
	unsigned mean = (unsigned)(c.r + c.g + c.b) / 3;
	unsigned grey = mean < 8 ? 0 : (mean - 8 + 5) / 10;

	grey = grey < GREYS_MOST ? grey : GREYS_MOST;
	if (distance(c, 8 + 10 * grey, 8 + 10 * grey, 8 + 10 * grey) <
		distance(c, level[r], level[g], level[b]))
		return GREYS + grey;
	return CUBE + 36 * r + 6 * g + b;
}
