/*
 * screen.h - the cells of a terminal's screen: what is drawn where, before a terminal is told
 *
 * Text from a recording is data: it is escaped as on any terminal (base/utf8.h), and takes the
 * columns that a terminal gives it (base/char_width.h). What does not fit is cut; nothing is put
 * outside of the screen.
 *
 * Owns: the cells. Threads: one.
 */
#ifndef PERFOLD_VIEW_SCREEN_H
#define PERFOLD_VIEW_SCREEN_H

#include "base/buf.h"

struct screen_color {
	uint8_t r, g, b;
	bool is_set; /* else the terminal's own */
};

enum screen_attribute {
	SCREEN_BOLD = 1,
	SCREEN_DIM = 2,
	SCREEN_REVERSE = 4,
	SCREEN_UNDERLINE = 8,
};

struct screen_style {
	struct screen_color text, ground;
	uint8_t attributes; /* enum screen_attribute */
};

enum { SCREEN_MARKS_MOST = 3 };

struct screen_cell {
	uint32_t code;                    /* 0: the right half of the one before it */
	uint32_t mark[SCREEN_MARKS_MOST]; /* characters without a width of their own; up to a 0 */
	struct screen_style style;
};

struct screen {
	unsigned columns, rows;
	struct screen_cell *cell; /* by row */
};

/* Blanks everywhere. */
void screen_reset(struct screen *s, unsigned columns, unsigned rows);
void screen_release(struct screen *s);

/* A place that texts are put into, one after the other. */
struct screen_line {
	struct screen *screen;
	unsigned row, column, end; /* columns from column on, up to end, are free */
};

struct screen_line screen_line(struct screen *s, unsigned row, unsigned column, unsigned width);

/* What does not fit ends in an ellipsis. */
void screen_put(struct screen_line *l, struct span text, struct screen_style style);
void screen_printf(struct screen_line *l, struct screen_style style, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* A text whose end tells more than its beginning. */
void screen_put_end(struct screen_line *l, struct span text, struct screen_style style);
/* Blanks up to a column, or to the end. */
void screen_pad(struct screen_line *l, unsigned column, struct screen_style style);
/* Blanks, so that a text ends at the end. */
void screen_put_right(struct screen_line *l, struct span text, struct screen_style style);
/* A bar that fills a part (0 to 1) of width columns. */
void screen_put_bar(struct screen_line *l, double part, unsigned width, struct screen_style style);

static inline unsigned screen_room(const struct screen_line *l)
{
	return l->end > l->column ? l->end - l->column : 0;
}

/* The nearest of a terminal's eight colours (0 to 7, black to white), by hue: black text can be
 * read on it. */
unsigned screen_color_of_8(struct screen_color c);
/* The nearest of the 240 colours of xterm's that are the same on all terminals. */
unsigned screen_color_of_256(struct screen_color c);

#endif
