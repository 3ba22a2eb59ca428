/*
 * view.h - the door of view/: a profile to look at in a terminal
 *
 * From events to cells, without a terminal: view_take() changes what is shown, view_draw() puts it
 * on a screen (screen.h). What takes long is done between the two: view_work().
 *
 *	1 Flame graph   2 Over time   3 Reversed   4 Calls  5 Functions   6 Source
 *
 * are its pages, with the keys and the numbers that they have in the HTML report.
 *
 * Owns: all that is made here; what it is given is borrowed. Threads: one.
 */
#ifndef PERFOLD_VIEW_VIEW_H
#define PERFOLD_VIEW_VIEW_H

#include "base/err.h"
#include "model/annotations.h"
#include "model/headline.h"
#include "view/screen.h"

/* Beyond all characters. */
enum view_key {
	VIEW_KEY_UP = 0x110000,
	VIEW_KEY_DOWN,
	VIEW_KEY_LEFT,
	VIEW_KEY_RIGHT,
	VIEW_KEY_PAGE_UP,
	VIEW_KEY_PAGE_DOWN,
	VIEW_KEY_HOME,
	VIEW_KEY_END,
	VIEW_KEY_BACKSPACE,
	VIEW_KEY_CLICK, /* of the mouse, at row and column */
	VIEW_KEY_WHEEL_UP,
	VIEW_KEY_WHEEL_DOWN,
};

enum { VIEW_KEY_TAB = '\t', VIEW_KEY_ENTER = '\n', VIEW_KEY_ESCAPE = 033 };

struct view_event {
	uint32_t key; /* enum view_key, or a character */
	unsigned row, column;
};

enum { VIEW_LEAST_COLUMNS = 32, VIEW_LEAST_ROWS = 7 };

/* The source and the instructions of functions of one name. */
struct view_source {
	const struct annotations *annotations;
	const struct profile *p; /* that they are of */
};

struct view_opts {
	struct headline_source of; /* a profile by name, and its recordings */
	bool by_total;             /* the table begins with that */
	/* Reads them, which may take as long as it took to read the profile. What *s points to is
	 * valid until the next call. */
	int (*read_source)(void *ctx, struct span name, struct view_source *s, struct err *e);
	/* Reads a profile with rows in order of time, of the same samples. */
	int (*read_rows)(void *ctx, struct headline_source *of, struct err *e);
	void *ctx;
};

struct view;

struct view *view_new(const struct view_opts *o);
void view_free(struct view *v);

/* False: the user has had enough. */
bool view_take(struct view *v, const struct view_event *event);
void view_draw(struct view *v, struct screen *s);
/* Is there something to be done that takes long? What is drawn until then says so. */
bool view_is_waiting(const struct view *v);
void view_work(struct view *v);

#endif
