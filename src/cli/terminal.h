/*
 * terminal.h - text in columns, for a terminal or for a file
 *
 * On a terminal lines are cut at its width and may have colours; what goes to a file or a pipe is
 * whole and plain. Text from a recording is data: control characters are shown as such, not sent.
 *
 * Owns: nothing. Threads: one.
 */
#ifndef PERFOLD_CLI_TERMINAL_H
#define PERFOLD_CLI_TERMINAL_H

#include "base/buf.h"

struct terminal {
	bool is_terminal;
	bool colour;            /* not if NO_COLOR is set, nor on a dumb one */
	unsigned columns, rows; /* 0: without limit */
};

enum colour { COLOUR_NONE, COLOUR_BOLD, COLOUR_DIM, COLOUR_WARM, COLOUR_GREEN, COLOUR_BLUE };

struct terminal terminal_query(int fd);

/* Appends text in a colour, padded with blanks to at least width columns (0: as it is) and, unless
 * most is 0, cut to that with an ellipsis at its end. */
void terminal_put(const struct terminal *t, struct buf *b, struct span text, enum colour colour,
	unsigned width, unsigned most);
/* Prints a line without the blanks at its end, and clears it. */
void terminal_end_line(struct buf *line);
/* The rows of a list: as many as wanted, or if that is 0 as fit with some other rows on a terminal,
 * or 40 in a file. */
unsigned terminal_list_rows(const struct terminal *t, unsigned wanted, unsigned others);
/* A bar that fills a part (0 to 1) of width columns; the rest is blank. */
void terminal_put_bar(struct buf *b, double part, unsigned width);

#endif
