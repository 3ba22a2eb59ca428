/*
 * curses_library.h - libncursesw, loaded by perfold view alone
 *
 * Every other command would wait at its start until the dynamic linker has relocated it. A static
 * program has it linked in.
 *
 * Owns: nothing; the library stays loaded. Threads: one.
 */
#ifndef PERFOLD_CLI_CURSES_LIBRARY_H
#define PERFOLD_CLI_CURSES_LIBRARY_H

#define NCURSES_NOMACROS 1
#define NCURSES_WIDECHAR 1

#include "base/err.h"

#include <curses.h>
#include <term.h>

/* term.h has these as macros. */
#undef columns
#undef lines

#define CURSES_LIBRARY_FUNCTIONS(X)                                                                \
	X(setupterm)                                                                               \
	X(tigetflag)                                                                               \
	X(tigetnum)                                                                                \
	X(tigetstr)                                                                                \
	X(tiparm)                                                                                  \
	X(newterm)                                                                                 \
	X(endwin)                                                                                  \
	X(delscreen)                                                                               \
	X(newwin)                                                                                  \
	X(wresize)                                                                                 \
	X(resizeterm)                                                                              \
	X(cbreak)                                                                                  \
	X(noecho)                                                                                  \
	X(nonl)                                                                                    \
	X(keypad)                                                                                  \
	X(nodelay)                                                                                 \
	X(curs_set)                                                                                \
	X(set_escdelay)                                                                            \
	X(start_color)                                                                             \
	X(use_default_colors)                                                                      \
	X(init_pair)                                                                               \
	X(wattr_set)                                                                               \
	X(wmove)                                                                                   \
	X(waddnwstr)                                                                               \
	X(wrefresh)                                                                                \
	X(clearok)                                                                                 \
	X(wget_wch)                                                                                \
	X(getmouse)                                                                                \
	X(mousemask)                                                                               \
	X(mouseinterval)

struct curses_library {
#define CURSES_LIBRARY_MEMBER(name) __typeof__(&name) name;
	CURSES_LIBRARY_FUNCTIONS(CURSES_LIBRARY_MEMBER)
#undef CURSES_LIBRARY_MEMBER
};

int curses_library_load(struct curses_library *l, struct err *e);

#endif
