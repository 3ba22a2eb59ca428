/*
 * diff_moved.h - source files that another path has moved as a whole
 *
 *	serve /srv/r1/a.js:9:1          serve /srv/r2/a.js:9:1          /srv/r1/ is now /srv/r2/
 *	f /srv/dist/main.9f3ac1.js:1:7  f /srv/dist/main.77ab01.js:1:9  a bundle built anew
 *
 * A path has moved if no name below it is left, and no name below the new path was there before.
 * Then a name before is compared as if it had the new path.
 *
 * Owns: its table and strings. Threads: one. Private to collapse/.
 */
#ifndef PERFOLD_COLLAPSE_DIFF_MOVED_H
#define PERFOLD_COLLAPSE_DIFF_MOVED_H

#include "base/buf.h"
#include "collapse/collapse.h"

struct diff_moved {
	struct diff_path *item;
	size_t n, cap;
	struct arena strings;
};

/* Adds what has moved between these plain names, without tiers and suffixes, of two profiles. */
void diff_moved_find(struct diff_moved *m, const struct span *before, size_t n_before,
	const struct span *after, size_t n_after);
void diff_moved_release(struct diff_moved *m);

/* The name with its new path, put together in text; the name itself if its path has not moved. */
struct span diff_moved_name(const struct diff_moved *m, struct span name, struct buf *text);
/* Is the name below a path that may have moved or not? */
bool diff_moved_is_unclear(const struct diff_moved *m, struct span name);

#endif
