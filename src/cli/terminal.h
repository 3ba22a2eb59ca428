/*
 * terminal.h - text in columns, for a terminal or for a file
 *
 * On a terminal lines are cut at its width and may have colours; what goes to a file or a pipe is
 * whole and plain. Text from a recording is data: whatever is put on a line is shown, and none of
 * it moves the cursor, begins a line or is a command of the CI service that shows the log. A line
 * can only be built by these functions.
 *
 * Owns: the text of a line, until terminal_line_release(). Threads: one.
 */
#ifndef PERFOLD_CLI_TERMINAL_H
#define PERFOLD_CLI_TERMINAL_H

#include "base/buf.h"
#include "model/headline.h"

struct terminal {
	bool is_terminal;
	bool colour;            /* not if NO_COLOR is set, nor on a dumb one */
	unsigned columns, rows; /* 0: without limit */
};

/* Private to terminal.c, but for whether it is empty. A zeroed one is. */
struct terminal_line {
	struct buf text;
};

enum colour { COLOUR_NONE, COLOUR_BOLD, COLOUR_DIM, COLOUR_WARM, COLOUR_GREEN, COLOUR_BLUE };

struct terminal terminal_query(int fd);

/* Appends text in a colour, padded with blanks to at least width columns (0: as it is) and, unless
 * most is 0, cut to that with an ellipsis at its end. */
void terminal_put(const struct terminal *t, struct terminal_line *line, struct span text,
	enum colour colour, unsigned width, unsigned most);
/* Text whose end tells most: if it is longer than most columns, the beginning is cut. */
void terminal_put_end(struct terminal_line *line, struct span text, unsigned most);
void terminal_printf(struct terminal_line *line, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* "node: CPU time · 816 ms in 407 samples · ...", as a line of its own. */
void terminal_print_headline(
	const struct terminal *t, struct terminal_line *line, const struct headline_source *of);
/* "CPU time · 816 ms in 407 samples · ...", what there is room for behind some columns. */
void terminal_put_subtitle(const struct terminal *t, struct terminal_line *line,
	const struct headline *h, size_t used);
/* Prints a line without the blanks at its end, and clears it. */
void terminal_end_line(struct terminal_line *line);
void terminal_line_release(struct terminal_line *line);
/* The rows of a list: as many as wanted, or if that is 0 as fit with some other rows on a terminal,
 * or 40 in a file. */
unsigned terminal_list_rows(const struct terminal *t, unsigned wanted, unsigned others);
/* A bar that fills a part (0 to 1) of width columns; the rest is blank. */
void terminal_put_bar(struct terminal_line *line, double part, unsigned width);

#endif
