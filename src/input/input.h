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
#include "model/recording.h"

struct input_opts {
	const char *const *events; /* NULL ended names or globs; NULL: the first event; "all" */
	uint32_t root_fields;      /* bits 1 << enum root_part: what the key of a stack holds */
	const struct root_fields *root_field_names; /* of parts from ROOT_FIELD on; NULL: none */
	const char *weight_field; /* a sample weighs what this field says; NULL: its period */
	bool weight_by_samples;
	bool timeline;                   /* make rows for writers that need time */
	const struct mark_fields *marks; /* make marks instead; NULL: none are wanted */
	bool addresses;                  /* keep the addresses of frames without a name */
	size_t block_bytes;              /* 0: the default; small in tests */
	/* choose samples; NULL or -1: all */
	const struct sample_choice *choice;
	struct progress *progress; /* may be NULL */
};

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
		const struct input_opts *o, struct pool *pool, struct err *e);
};

extern const struct input_format *const input_formats[]; /* NULL ended */

const struct input_format *input_by_name(const char *name);
/* The best bid, or NULL. */
const struct input_format *input_sniff(const struct input_head *head);

#endif
