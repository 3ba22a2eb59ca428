/*
 * filter_dirs.h - where filter files are looked for by name
 *
 * $XDG_CONFIG_HOME/perfold/filters (or ~/.config/...), then beside the program: as installed
 * (PREFIX/bin, PREFIX/share/perfold/filters), in a build tree (../../filters), and where it was
 * built to be installed.
 *
 * Owns: its list. Threads: any.
 */
#ifndef PERFOLD_CLI_FILTER_DIRS_H
#define PERFOLD_CLI_FILTER_DIRS_H

#include <stdbool.h>

enum { FILTER_DIRS_MAX = 4 };

struct filter_dirs {
	const char *dir[FILTER_DIRS_MAX + 1]; /* NULL ended */
};

/* own: also that of the user. */
void filter_dirs_init(struct filter_dirs *d, bool own);
void filter_dirs_release(struct filter_dirs *d);

#endif
