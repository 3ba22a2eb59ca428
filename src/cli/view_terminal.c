/*
 * curses keeps what the terminal shows and sends the difference. All that is special about signals
 * is done here instead: a handler only writes a byte into a pipe, which is waited for together with
 * the keys, so SIGWINCH (another size) and SIGTSTP (Ctrl-Z) are served between two drawings, in the
 * thread that draws. Signals that end the program are those of cleanup.c, which is given what to
 * write to the terminal and the modes that it had. curses installs handlers of its own only where
 * there are none: so these come first.
 *
 * The character set is UTF-8, whatever the locale says, as in all that perfold prints. Where the C
 * library has no such locale, what is beyond ASCII is replaced.
 */
#include "cli/view_terminal.h"

#include "base/char_width.h"
#include "base/mem.h"
#include "cli/cleanup.h"
#include "cli/curses_library.h"
#include "cli/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>
#include <wctype.h>

enum { PAIRS_MOST = 256, ESCAPE_DELAY_MS = 50, FAILED_READS_MOST = 16 };

struct color_pair {
	short text, ground;
};

struct view_terminal {
	struct curses_library curses;
	SCREEN *screen;
	WINDOW *window;
	struct termios before;
	unsigned columns, rows;
	int colors; /* 0: none */
	bool is_utf8;
	struct color_pair pair[PAIRS_MOST]; /* [0] is the terminal's own */
	short n_pairs, pairs_most;
};

/* ---- signals ------------------------------------------------------------------------------- */

/* Bytes that the handler writes: 'w' for SIGWINCH, 't' for SIGTSTP. */
static int wake[2] = { -1, -1 };

static void on_signal(int number)
{
	int saved = errno;
	char byte = number == SIGWINCH ? 'w' : 't';

	if (write(wake[1], &byte, 1) < 0)
		errno = saved; /* full: it has been woken often enough */
	errno = saved;
}

static int open_wake(struct err *e)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART }, before;

	if (pipe2(wake, O_CLOEXEC | O_NONBLOCK))
		return err_errno(e, "pipe");
	sigaction(SIGWINCH, &action, NULL);
	/* A shell without job control ignores SIGTSTP: nobody would let the program go on. */
	if (sigaction(SIGTSTP, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
		sigaction(SIGTSTP, &action, NULL);
	return OK;
}

/* ---- what terminal ------------------------------------------------------------------------- */

static int check_kind(struct curses_library *l, struct err *e)
{
	const char *kind = getenv("TERM");
	int why;

	if (!kind || !*kind)
		return err_set(e, ERR_USAGE,
			"TERM is not set, so nobody knows what the terminal can do; perfold top "
			"prints what costs most");
	if (curses_library_load(l, e))
		return e->code;
	if (l->setupterm(NULL, STDOUT_FILENO, &why) != 0 /* OK */)
		return err_set(e, ERR_USAGE,
			"TERM=%.100s: no such terminal in terminfo; perfold top prints what costs "
			"most",
			kind);
	if (!l->tigetstr("cup") || l->tigetflag("gn") > 0 || l->tigetflag("hc") > 0)
		return err_set(e, ERR_USAGE,
			"TERM=%.100s: this terminal cannot draw; perfold top prints what costs "
			"most",
			kind);
	return OK;
}

int view_terminal_check(struct err *e)
{
	struct curses_library l;

	if (!isatty(STDOUT_FILENO))
		return err_set(e, ERR_USAGE,
			"standard output is no terminal: perfold top prints what costs most");
	if (!isatty(STDIN_FILENO))
		return err_set(e, ERR_USAGE,
			"standard input is no terminal, and keys come from there: name the "
			"recording as INPUT");
	return check_kind(&l, e);
}

/* ---- giving it back ------------------------------------------------------------------------ */

/* A string of terminfo without the delays in it: "$<5>". */
static void put_string(struct view_terminal *t, struct buf *b, const char *s)
{
	const char *end;

	if (!s || s == (const char *)-1)
		return;
	for (; *s; s++)
		if (s[0] == '$' && s[1] == '<' && (end = strchr(s, '>')))
			s = end;
		else
			buf_putc(b, *s);
	(void)t;
}

static bool sends_mouse(struct view_terminal *t)
{
	const char *mouse = t->curses.tigetstr("kmous");

	return mouse && mouse != (const char *)-1;
}

/* By what view_terminal_check() has read of terminfo: this comes before curses is started, which
 * would handle signals that nobody handles. What gives the terminal back: no mouse, no colours, the
 * usual keys, the cursor in sight at the foot of the screen, or where it was before the alternate
 * one was shown. */
static void guard(struct view_terminal *t)
{
	static const char *const names[] = { "sgr0", "op", "rmkx", "cnorm" };
	struct curses_library *l = &t->curses;
	struct buf b = { 0 };
	size_t i;

	if (sends_mouse(t))
		buf_puts(&b, "\033[?1000l\033[?1006l");
	for (i = 0; i < ARRAY_LEN(names); i++)
		put_string(t, &b, l->tigetstr(names[i]));
	put_string(t, &b, l->tiparm(l->tigetstr("cup"), (int)t->rows - 1, 0));
	put_string(t, &b, l->tigetstr("el"));
	put_string(t, &b, l->tigetstr("rmcup"));
	cleanup_terminal(STDOUT_FILENO, &t->before, buf_span(&b));
	buf_release(&b);
}

/* ---- opening ------------------------------------------------------------------------------- */

static void find_size(struct view_terminal *t)
{
	struct terminal size = terminal_query(STDOUT_FILENO);

	t->columns = size.columns ? size.columns : 80;
	t->rows = size.rows ? size.rows : 24;
}

static void find_colors(struct view_terminal *t)
{
	enum { FEW = 8, MANY = 256 };
	int colors = t->curses.tigetnum("colors"), pairs = t->curses.tigetnum("pairs");

	t->n_pairs = 1;
	t->pairs_most = (short)(pairs > PAIRS_MOST ? PAIRS_MOST : pairs < 1 ? 1 : pairs);
	if (colors < FEW || getenv("NO_COLOR") || t->curses.start_color() == ERR)
		return;
	t->colors = colors >= MANY ? MANY : FEW;
	t->curses.use_default_colors();
}

static void find_charset(struct view_terminal *t)
{
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		setlocale(LC_CTYPE, "");
	t->is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static void set_up(struct view_terminal *t)
{
	struct curses_library *l = &t->curses;

	l->set_escdelay(ESCAPE_DELAY_MS);
	l->cbreak();
	l->noecho();
	l->nonl();
	l->keypad(t->window, TRUE);
	l->nodelay(t->window, TRUE);
	l->curs_set(0);
	find_colors(t);
	if (sends_mouse(t)) {
		l->mouseinterval(0);
		l->mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
	}
}

int view_terminal_open(struct view_terminal **out, struct err *e)
{
	struct view_terminal *t = xcalloc(1, sizeof(*t));

	find_charset(t);
	if (curses_library_load(&t->curses, e) || open_wake(e))
		goto fail;
	tcgetattr(STDIN_FILENO, &t->before);
	find_size(t);
	guard(t);
	t->screen = t->curses.newterm(NULL, stdout, stdin);
	if (!t->screen) {
		cleanup_terminal_done();
		err_set(e, ERR_USAGE, "TERM=%.100s: this terminal cannot draw", getenv("TERM"));
		goto fail;
	}
	t->curses.resizeterm((int)t->rows, (int)t->columns);
	t->window = t->curses.newwin(0, 0, 0, 0);
	set_up(t);
	*out = t;
	return OK;
fail:
	free(t);
	return e->code;
}

void view_terminal_close(struct view_terminal *t)
{
	t->curses.endwin();
	cleanup_terminal_done();
	signal(SIGWINCH, SIG_DFL);
	signal(SIGTSTP, SIG_DFL);
	t->curses.delscreen(t->screen);
	close(wake[0]);
	close(wake[1]);
	free(t);
}

void view_terminal_size(const struct view_terminal *t, unsigned *columns, unsigned *rows)
{
	*columns = t->columns;
	*rows = t->rows;
}

/* ---- drawing ------------------------------------------------------------------------------- */

static short color_number(const struct view_terminal *t, struct screen_color c, bool is_text)
{
	enum { BLACK_OF_256 = 16 };

	if (!c.is_set || !t->colors)
		return -1;
	if (t->colors > 8)
		return (short)screen_color_of_256(c);
	return is_text && c.r + c.g + c.b == 0 ? 0 : (short)screen_color_of_8(c);
}

static short pair_of(struct view_terminal *t, const struct screen_style *style)
{
	struct color_pair want = { color_number(t, style->text, true),
		color_number(t, style->ground, false) };
	short i;

	if (want.text < 0 && want.ground < 0)
		return 0;
	for (i = 1; i < t->n_pairs; i++)
		if (t->pair[i].text == want.text && t->pair[i].ground == want.ground)
			return i;
	if (t->n_pairs >= t->pairs_most)
		return 0;
	t->pair[t->n_pairs] = want;
	t->curses.init_pair(t->n_pairs, want.text, want.ground);
	return t->n_pairs++;
}

/* Without colours, a frame is underlined as far as it goes. Bold black is grey on some terminals.
 */
static attr_t attributes_of(const struct view_terminal *t, const struct screen_style *style)
{
	attr_t a = style->attributes & SCREEN_REVERSE ? WA_REVERSE : 0;

	if (style->attributes & SCREEN_BOLD && !(style->ground.is_set && t->colors == 8))
		a |= WA_BOLD;
	if (style->attributes & SCREEN_DIM)
		a |= WA_DIM;
	if (style->attributes & SCREEN_UNDERLINE || (style->ground.is_set && !t->colors))
		a |= WA_UNDERLINE;
	return a;
}

/* What stands for a character where there is only ASCII. */
static wchar_t in_ascii(uint32_t code)
{
	enum { ELLIPSIS = 0x2026, LEFT_EDGE = 0x258f, ANGLE = 0x203a, DOT = 0xb7 };

	if (code >= 0x2581 && code < LEFT_EDGE)
		return '#';
	return code < 0x80         ? (wchar_t)code
	       : code == ELLIPSIS  ? '~'
	       : code == LEFT_EDGE ? '|'
	       : code == ANGLE     ? '>'
	       : code == DOT       ? '.'
	       : code >> 8 == 0x25 ? '|'
				   : '?';
}

/* What the C library does not know is nothing that curses can count with. */
static wchar_t shown_code(const struct view_terminal *t, uint32_t code)
{
	enum { REPLACEMENT = 0xfffd };

	if (!t->is_utf8)
		return in_ascii(code);
	if (code >= 0x80 &&
		(!iswprint((wint_t)code) || wcwidth((wchar_t)code) != (int)char_width(code)))
		return char_width(code) == 1 ? REPLACEMENT : char_width(code) ? '?' : 0;
	return (wchar_t)code;
}

static void put_code(const struct view_terminal *t, wchar_t *text, int *n, uint32_t code)
{
	wchar_t shown = shown_code(t, code);

	if (shown)
		text[(*n)++] = shown;
	if (shown == '?' && char_width(code) == 2)
		text[(*n)++] = ' ';
}

static bool same_color(struct screen_color a, struct screen_color b)
{
	return a.is_set == b.is_set && a.r == b.r && a.g == b.g && a.b == b.b;
}

static bool same_style(const struct screen_style *a, const struct screen_style *b)
{
	return same_color(a->text, b->text) && same_color(a->ground, b->ground) &&
	       a->attributes == b->attributes;
}

/* The cells of a row from one on that look alike; returns that after them. */
static unsigned show_run(
	struct view_terminal *t, const struct screen *s, unsigned row, unsigned from, wchar_t *text)
{
	const struct screen_cell *cell = &s->cell[(size_t)row * s->columns];
	unsigned i, k;
	int n = 0;

	for (i = from; i < s->columns && same_style(&cell[i].style, &cell[from].style); i++) {
		if (cell[i].code)
			put_code(t, text, &n, cell[i].code);
		for (k = 0; k < SCREEN_MARKS_MOST && cell[i].mark[k]; k++)
			put_code(t, text, &n, t->is_utf8 ? cell[i].mark[k] : 0);
	}
	t->curses.wattr_set(t->window, attributes_of(t, &cell[from].style),
		pair_of(t, &cell[from].style), NULL);
	t->curses.wmove(t->window, (int)row, (int)from);
	t->curses.waddnwstr(t->window, text, n);
	return i;
}

void view_terminal_show(struct view_terminal *t, const struct screen *s)
{
	wchar_t *text = xcalloc((size_t)s->columns * (SCREEN_MARKS_MOST + 1) + 1, sizeof(*text));
	unsigned row, column;

	for (row = 0; row < s->rows; row++)
		for (column = 0; column < s->columns;)
			column = show_run(t, s, row, column, text);
	t->curses.wmove(t->window, (int)s->rows - 1, 0);
	t->curses.wrefresh(t->window);
	free(text);
}

/* ---- events -------------------------------------------------------------------------------- */

static void resize(struct view_terminal *t)
{
	find_size(t);
	t->curses.resizeterm((int)t->rows, (int)t->columns);
	t->curses.wresize(t->window, (int)t->rows, (int)t->columns);
	t->curses.clearok(t->window, TRUE);
	guard(t);
}

/* Gives the terminal back and stops, as the signal would have done without a handler. */
static void stop(struct view_terminal *t)
{
	struct sigaction by_default = { .sa_handler = SIG_DFL }, ours;

	t->curses.endwin();
	cleanup_terminal_done();
	sigaction(SIGTSTP, &by_default, &ours);
	raise(SIGTSTP);
	sigaction(SIGTSTP, &ours, NULL);
	resize(t);
}

static bool take_signals(struct view_terminal *t)
{
	bool any = false;
	char byte;

	while (read(wake[0], &byte, 1) == 1) {
		any = true;
		if (byte == 't')
			stop(t);
		else
			resize(t);
	}
	return any;
}

static bool take_mouse(struct view_terminal *t, struct view_event *event)
{
	MEVENT m;

	if (t->curses.getmouse(&m) == ERR || m.x < 0 || m.y < 0)
		return false;
	event->key = m.bstate & BUTTON4_PRESSED   ? VIEW_KEY_WHEEL_UP
		     : m.bstate & BUTTON5_PRESSED ? VIEW_KEY_WHEEL_DOWN
						  : VIEW_KEY_CLICK;
	event->column = (unsigned)m.x;
	event->row = (unsigned)m.y;
	return true;
}

static bool take_special(struct view_terminal *t, wint_t code, struct view_event *event)
{
	static const struct {
		wint_t code;
		enum view_key key;
	} keys[] = { { KEY_UP, VIEW_KEY_UP }, { KEY_DOWN, VIEW_KEY_DOWN },
		{ KEY_LEFT, VIEW_KEY_LEFT }, { KEY_RIGHT, VIEW_KEY_RIGHT },
		{ KEY_PPAGE, VIEW_KEY_PAGE_UP }, { KEY_NPAGE, VIEW_KEY_PAGE_DOWN },
		{ KEY_HOME, VIEW_KEY_HOME }, { KEY_END, VIEW_KEY_END },
		{ KEY_BACKSPACE, VIEW_KEY_BACKSPACE } };
	size_t i;

	if (code == KEY_MOUSE)
		return take_mouse(t, event);
	event->key = code == KEY_ENTER ? VIEW_KEY_ENTER : 0;
	for (i = 0; i < ARRAY_LEN(keys); i++)
		if (keys[i].code == code)
			event->key = keys[i].key;
	return event->key;
}

/* A key that has been typed; false: none, or one that means nothing. */
static bool take_key(struct view_terminal *t, struct view_event *event, bool *any)
{
	enum { DELETE = 0x7f, BACKSPACE = '\b' };
	wint_t code;
	int kind = t->curses.wget_wch(t->window, &code);

	*event = (struct view_event){ 0 };
	*any = kind != ERR;
	if (kind == ERR)
		return false;
	if (kind == KEY_CODE_YES)
		return take_special(t, code, event);
	event->key = code == '\r'                          ? VIEW_KEY_ENTER
		     : code == DELETE || code == BACKSPACE ? VIEW_KEY_BACKSPACE
							   : (uint32_t)code;
	return true;
}

enum view_terminal_wait view_terminal_wait(struct view_terminal *t, struct view_event *event)
{
	struct pollfd from[] = { { .fd = STDIN_FILENO, .events = POLLIN },
		{ .fd = wake[0], .events = POLLIN } };
	unsigned failed = 0;
	bool any;

	while (failed < FAILED_READS_MOST) {
		if (take_signals(t))
			return VIEW_TERMINAL_REDRAW;
		if (take_key(t, event, &any))
			return VIEW_TERMINAL_EVENT;
		if (any)
			continue;
		/* Something to read that nothing can be read of: the end. */
		failed = from[0].revents ? failed + 1 : 0;
		from[0].revents = from[1].revents = 0;
		if (poll(from, ARRAY_LEN(from), -1) < 0)
			from[0].revents = 0;
		if (from[0].revents & (POLLHUP | POLLERR | POLLNVAL))
			break;
		if (from[1].revents)
			from[0].revents = 0;
	}
	return VIEW_TERMINAL_GONE;
}
