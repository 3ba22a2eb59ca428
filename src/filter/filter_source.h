/*
 * filter_source.h - filter files: finding them, and reading them line by line
 *
 * Owns: nothing between calls. Threads: one.
 */
#ifndef PERFOLD_FILTER_FILTER_SOURCE_H
#define PERFOLD_FILTER_FILTER_SOURCE_H

#include "base/buf.h"
#include "base/err.h"
#include "base/span.h"

/* A file that is being read, because of the one above it. */
struct filter_source;

struct filter_source_reader {
	const char *const *dirs; /* where names are searched, NULL ended */
	unsigned files_left;     /* a bound for all files together */
	void *ctx;
	/* A line that holds a rule; from is handed to filter_source_read() for an include. */
	int (*on_rule)(void *ctx, struct span text, const char *place,
		const struct filter_source *from, struct err *e);
};

enum {
	FILTER_SOURCE_FILES_MAX = 256,
	FILTER_SOURCE_DEPTH_MAX = 16,
	FILTER_SOURCE_BYTES_MAX = 1024 * 1024,
};

/* A name is searched for in dirs, with ".rules" appended, then as it is in the directory of the
 * file that includes it, or the current one. A path, known by its slash, starts in that directory.
 * from and place are those of the include, NULL for a filter from the command line. A mistake
 * inside the file is reported only with its own place. */
int filter_source_read(struct filter_source_reader *r, const char *name,
	const struct filter_source *from, const char *place, struct err *e);

/* The filter in dirs whose name is most like that one, into found; false: none is like it. */
bool filter_source_nearest(const char *const *dirs, const char *name, struct buf *found);

#endif
