/*
 * A line is a buffer that only the functions here append to, so that every text passes
 * utf8_put_terminal() once: control characters become escapes, and colours are added after that.
 * What could still be a command, "::" at the start of a line, is known only when the line ends.
 * Widths are in columns, as of a terminal; in a file nothing is cut.
 */
#include "cli/terminal.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

static unsigned number_of(const char *variable)
{
	struct span s = span_of(getenv(variable));
	uint64_t n;

	return s.n && span_scan_u64(&s, &n) && !s.n && n < 10000 ? (unsigned)n : 0;
}

struct terminal terminal_query(int fd)
{
	struct terminal t = { .is_terminal = isatty(fd) };
	const char *kind = getenv("TERM");
	struct winsize size;

	if (!t.is_terminal)
		return t;
	t.colour = !getenv("NO_COLOR") && kind && strcmp(kind, "dumb") != 0;
	t.columns = 80;
	t.rows = 24;
	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_row) {
		t.columns = size.ws_col;
		t.rows = size.ws_row;
	}
	if (number_of("COLUMNS"))
		t.columns = number_of("COLUMNS");
	if (number_of("LINES"))
		t.rows = number_of("LINES");
	return t;
}

/* The first n characters of s, which is valid UTF-8. */
static struct span first_characters(struct span s, size_t n)
{
	struct span rest = s;
	uint32_t code;

	while (n-- && rest.n)
		rest = span_skip(rest, utf8_decode(rest, &code));
	return span_range(s.p, rest.p);
}

void terminal_put(const struct terminal *t, struct terminal_line *line, struct span text,
	enum colour colour, unsigned width, unsigned most)
{
	static const char *const codes[] = { "", "\033[1m", "\033[2m", "\033[33m", "\033[32m",
		"\033[34m" };
	struct buf *b = &line->text, clean = { 0 };
	struct span shown;
	size_t n;

	utf8_put_terminal(&clean, text);
	shown = buf_span(&clean);
	n = utf8_length(shown);
	if (t->colour)
		buf_puts(b, codes[colour]);
	if (most && n > most) {
		buf_put_span(b, first_characters(shown, most - 1));
		buf_puts(b, "…");
		n = most;
	} else {
		buf_put_span(b, shown);
	}
	if (t->colour && colour != COLOUR_NONE)
		buf_puts(b, "\033[0m");
	for (; n < width; n++)
		buf_putc(b, ' ');
	buf_release(&clean);
}

void terminal_put_end(struct terminal_line *line, struct span text, unsigned most)
{
	struct buf clean = { 0 };
	struct span shown;
	size_t n;

	utf8_put_terminal(&clean, text);
	shown = buf_span(&clean);
	n = utf8_length(shown);
	if (n > most) {
		shown = span_skip(shown, first_characters(shown, n - most + 1).n);
		buf_puts(&line->text, "…");
	}
	buf_put_span(&line->text, shown);
	buf_release(&clean);
}

void terminal_printf(struct terminal_line *line, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	utf8_put_terminal(&line->text, span_of(text));
	free(text);
}

void terminal_put_subtitle(
	const struct terminal *t, struct terminal_line *line, const struct headline *h, size_t used)
{
	size_t columns = t->columns > used ? t->columns - used : 1;
	struct buf text = { 0 };

	headline_put_subtitle(h, t->is_terminal ? columns : 0, &text);
	terminal_put(t, line, buf_span(&text), COLOUR_NONE, 0, 0);
	buf_release(&text);
}

void terminal_print_headline(
	const struct terminal *t, struct terminal_line *line, const struct headline_source *of)
{
	struct headline h;

	headline_make(&h, of);
	terminal_put(t, line, buf_span(&h.title), COLOUR_BOLD, 0, 0);
	terminal_put(t, line, SPAN(": "), COLOUR_NONE, 0, 0);
	terminal_put_subtitle(t, line, &h, utf8_length(buf_span(&h.title)) + 2);
	terminal_end_line(line);
	headline_release(&h);
}

/* A line that begins with "::", after blanks, is a command for GitHub's runner. */
static void print_guarded(struct span line)
{
	struct span rest = line;

	while (rest.n && rest.p[0] == ' ')
		rest = span_skip(rest, 1);
	if (span_starts(rest, SPAN("::"))) {
		printf("%.*s\\x3a", SPAN_ARG(span_range(line.p, rest.p)));
		line = span_skip(rest, 1);
	}
	fwrite(line.p, 1, line.n, stdout);
}

void terminal_end_line(struct terminal_line *line)
{
	struct buf *b = &line->text;

	while (b->n && b->p[b->n - 1] == ' ')
		b->n--;
	buf_putc(b, '\n');
	print_guarded(buf_span(b));
	b->n = 0;
}

void terminal_line_release(struct terminal_line *line)
{
	buf_release(&line->text);
}

unsigned terminal_list_rows(const struct terminal *t, unsigned wanted, unsigned others)
{
	enum { FILE_ROWS = 40 };

	if (wanted)
		return wanted;
	if (!t->is_terminal)
		return FILE_ROWS;
	return t->rows > 2 * others ? t->rows - others : others;
}

void terminal_put_bar(struct terminal_line *line, double part, unsigned width)
{
	static const char *const eighths[] = { " ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█" };
	double filled = part > 0 ? part * width * 8 + 0.5 : 0;
	unsigned i;

	for (i = 0; i < width; i++) {
		double here = filled - 8.0 * i;

		buf_puts(&line->text, eighths[here >= 8 ? 8 : here > 0 ? (unsigned)here : 0]);
	}
}
