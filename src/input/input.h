/*
 * input.h - inputs that are text: the table of formats
 *
 * A format looks at the first bytes and says how sure it is; the best bid wins. Recordings
 * (perf.data) are in perfdata/ and are read by process/.
 */
#ifndef PERFOLD_INPUT_INPUT_H
#define PERFOLD_INPUT_INPUT_H

#include "base/file.h"
#include "base/pool.h"
#include "base/progress.h"
#include "input/open.h"
#include "input/spill.h"
#include "model/read_opts.h"
#include "model/recording.h"

/* Bytes at the front of the input, to bid on; there are more if whole is false. */
struct input_head {
	struct span bytes;
	bool whole;
};

struct input_format {
	const char *name;                          /* --from NAME */
	const char *about;                         /* for --from list */
	int (*bid)(const struct input_head *head); /* 0: not mine; 100: certain */
	/* Read all of f (a regular file: in blocks, in parallel; else a stream, whose first bytes
	 * are in head) into r: fills logs, events, threads, facts, counts. */
	int (*read)(struct recording *r, const struct file *f, const struct input_head *head,
		const struct read_opts *o, struct pool *pool, struct err *e);
};

extern const struct input_format *const input_formats[]; /* NULL ended */

const struct input_format *input_by_name(const char *name);
/* The best bid, or NULL. */
const struct input_format *input_sniff(const struct input_head *head);

#endif
