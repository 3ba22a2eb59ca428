/*
 * source.h - an input, opened: a file, a pipe, a folder of perf record, a packed file, a pack
 *
 * A packed file (gzip, zstd) is read from an unpacked copy. A pack (files/pack.h) is unpacked to a
 * folder, and the recording in it is read.
 *
 * Owns: its file, its folder. Threads: one.
 */
#ifndef PERFOLD_INPUT_SOURCE_H
#define PERFOLD_INPUT_SOURCE_H

#include "base/file.h"
#include "base/scratch.h"
#include "model/diag.h"

#include <stdbool.h>

struct input_open_opts {
	uint64_t spill_limit_bytes;                /* for copies; 0: none */
	void (*warn)(void *ctx, const char *line); /* tells the user at once; may be NULL */
	void *warn_ctx;
	/* Is told of folders, so that they go even if a signal ends the program; may be NULL. */
	void (*scratch)(const char *folder, enum scratch_step step);
};

struct input_source {
	struct file file;
	struct buf head; /* the first bytes; those of a pipe are gone from it */
	bool whole;
	bool copied;  /* file is a copy, made with some effort */
	char *folder; /* that a pack was unpacked to; NULL: not a pack */
	void (*scratch)(const char *folder, enum scratch_step step);
};

/* "-" is standard input. */
int input_open(struct input_source *s, const struct input_open_opts *o, const char *path,
	struct diag *d, struct err *e);
void input_close(struct input_source *s);
/* What is read twice, and by position, cannot be a pipe. */
int input_make_regular(struct input_source *s, const struct input_open_opts *o, struct err *e);

#endif
