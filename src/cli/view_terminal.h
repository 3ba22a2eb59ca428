/*
 * view_terminal.h - the terminal of perfold view: cells to curses, keys and the mouse to events
 *
 * From view_terminal_open() to view_terminal_close() the terminal has other modes and shows its
 * alternate screen. Whatever ends the program in between, but for SIGKILL, gives it back as it was
 * (cleanup.h); so does stopping it (Ctrl-Z) until it goes on.
 *
 * Owns: the terminal, until it is closed. Threads: one, but signals may come to any.
 */
#ifndef PERFOLD_CLI_VIEW_TERMINAL_H
#define PERFOLD_CLI_VIEW_TERMINAL_H

#include "view/view.h"

struct view_terminal;

/* Is there a terminal that pages can be shown on, and keys read from? Else ERR_USAGE. */
int view_terminal_check(struct err *e);

/* After that. */
int view_terminal_open(struct view_terminal **t, struct err *e);
void view_terminal_close(struct view_terminal *t);

void view_terminal_size(const struct view_terminal *t, unsigned *columns, unsigned *rows);
void view_terminal_show(struct view_terminal *t, const struct screen *s);

enum view_terminal_wait {
	VIEW_TERMINAL_EVENT,
	VIEW_TERMINAL_REDRAW, /* it has another size, or was given to others in between */
	VIEW_TERMINAL_GONE,
};

enum view_terminal_wait view_terminal_wait(struct view_terminal *t, struct view_event *event);

#endif
