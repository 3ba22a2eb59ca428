/*
 * input.h - opening inputs, and the table of text formats
 *
 * An input is a file, a pipe, a directory of perf record, a compressed file or a pack. A compressed
 * file (gzip, zstd, xz) is read from a decompressed copy (spill.h). A pack (files/pack.h) is
 * unpacked into a temporary directory, and the recording in it is read.
 *
 * A text format looks at the first bytes and says how sure it is; the highest bid wins. Recordings
 * (perf.data) are decoded by perfdata/ and read by process/.
 *
 * Owns: a struct input_source owns its file, its head and its directory. Threads: one for each
 * source; formats are constant.
 */
#ifndef PERFOLD_INPUT_INPUT_H
#define PERFOLD_INPUT_INPUT_H

#include "base/file.h"
#include "base/pool.h"
#include "base/progress.h"
#include "base/scratch.h"
#include "input/spill.h"
#include "model/read_opts.h"
#include "model/recording.h"

struct input_open_opts {
	uint64_t spill_limit_bytes;                /* of copies; 0: none */
	void (*warn)(void *ctx, const char *line); /* prints a line at once; may be NULL */
	void *warn_ctx;
	/* Called for temporary directories, so that they are removed even if a signal ends the
	 * program; may be NULL. */
	void (*scratch)(const char *dir, enum scratch_step step);
};

struct input_source {
	struct file file;
	struct buf head; /* the first bytes; those of a pipe have been read from it */
	bool whole;      /* there is no more than head */
	bool in_dir;     /* the input is a directory, and file is "data" in it */
	bool copied;     /* file is a copy, made with some effort */
	struct input_dir {
		char *path; /* NULL: it is none */
		void (*scratch)(const char *dir, enum scratch_step step);
	} dir; /* that a pack was unpacked into */
};

/* "-" is standard input. */
int input_open(struct input_source *s, const struct input_open_opts *o, const char *path,
	struct diag *d, struct err *e);
void input_close(struct input_source *s);
/* Removes the directory of a pack, which whoever copies it out of an open source owns. */
void input_dir_remove(struct input_dir *d);
/* Replaces a pipe by a copy: what is read twice, or by position, has to be a regular file. */
int input_make_regular(struct input_source *s, const struct input_open_opts *o, struct err *e);

/* Bytes at the front of the input, to bid on; there are more unless whole. */
struct input_head {
	struct span bytes;
	bool whole;
};

/* What an input is that perfold does not read. */
struct input_foreign {
	const char *what; /* "a profile of GHC" */
	bool certain;     /* it is, even if a format would read it */
};

struct input_format {
	const char *name;  /* --from NAME */
	const char *about; /* for --from list */
	bool json;         /* a JSON document, and nothing else is one */
	bool branches;     /* to count them, it reads a regular file twice */
	int (*bid)(const struct input_head *head); /* 0: another format; 100: certain */
	/* Reads all of f (a regular file in blocks, in parallel; else a stream, whose first bytes
	 * are in head) into r: fills logs, events, threads, facts, counts. */
	int (*read)(struct recording *r, const struct file *f, const struct input_head *head,
		const struct read_opts *o, struct pool *pool, struct err *e);
};

extern const struct input_format *const input_formats[]; /* NULL ended */

const struct input_format *input_by_name(const char *name);
/* The highest bid, or NULL. */
const struct input_format *input_sniff(const struct input_head *head);

bool input_is_json(const struct input_head *head);
/* NULL: no idea. */
const struct input_foreign *input_find_foreign(const struct input_head *head);

#endif
