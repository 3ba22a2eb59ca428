/*
 * process.h - a perf.data recording to raw stacks, in two passes
 *
 * Pass 1 reads the side-band records and builds the world (world.h), counts events and finds the
 * boundaries of blocks. Then the world is frozen, and the maps of generated code are loaded. Pass 2
 * hands blocks of samples to workers in any order; each looks its addresses up in the frozen world
 * at the sample's own time.
 *
 * Owns: nothing between calls; the recording owns its results. Threads: uses the pool.
 */
#ifndef PERFOLD_PROCESS_PROCESS_H
#define PERFOLD_PROCESS_PROCESS_H

#include "base/file.h"
#include "base/pool.h"
#include "base/progress.h"
#include "files/files.h"
#include "model/sample_choice.h"
#include "model/recording.h"

#include <pthread.h>

/* What becomes of copied stacks that were cut off by the size of the copy. */
enum truncated_mode {
	TRUNCATED_KEEP, /* they begin with a frame [truncated] */
	TRUNCATED_DROP, /* their samples are left out */
	/* They get the outermost frames of a complete one, see grafts.h; those without a model are
	 * kept. Not with compat_perf. */
	TRUNCATED_MERGE,
};

struct read_opts {
	const char *const *events; /* NULL ended names or globs; NULL: that of the first sample */
	const struct sample_choice *choice;         /* NULL: all samples */
	uint32_t root_fields;                       /* bits 1 << enum root_part */
	const struct root_fields *root_field_names; /* of parts from ROOT_FIELD on; NULL: none */
	const char *weight_field; /* a sample weighs what this field says; NULL: its period */
	bool weight_by_samples;
	/* Blocked time instead of samples (switching.h), alone or with the samples of what ran. */
	enum off_cpu_mode { OFF_CPU_NOT, OFF_CPU_ALONE, OFF_CPU_WALL } off_cpu;
	bool wakers;                         /* with, on top of it, the stack that ended it */
	uint64_t min_block_ns, max_block_ns; /* max 0: any */
	bool timeline;
	const struct mark_fields *marks; /* make marks with these fields; NULL: none */
	bool lines;                      /* frames from jitdumps tell at which line they are */
	bool by_cgroup;                  /* timelines keep threads of several cgroups apart */
	enum truncated_mode truncated;
	bool compat_perf;   /* no late maps; perf's choices in generated code */
	size_t block_bytes; /* 0: the default */
	/* Held around libraries that have variables of their own; NULL: nothing else runs. */
	pthread_mutex_t *library_lock;
	const struct files_opts *files; /* where maps of generated code are looked for */
	struct progress *progress;      /* may be NULL */
};

/* What the world knows that finding names needs. */
struct process_kernel {
	bool known;
	str_id reference_symbol;    /* "_text" */
	uint64_t reference_address; /* at run time of the recording */
};

/* True where the first bytes of a file are those of a perf.data file. */
bool process_is_perf_data(struct span head);

int process_read(struct recording *r, const struct file *f, const struct read_opts *o,
	struct process_kernel *kernel, struct pool *pool, struct err *e);

/* A file of a `perf record --switch-output` run: a recording that goes on where another ends. */
struct process_part {
	const struct file *file; /* borrowed; open and in place while it is read */
	struct buf run;          /* owned; the same for all parts of a run; empty: part of none */
	uint64_t begun_ns;
};

/* Fill part->run and begun_ns from part->file, a regular file. */
int process_find_run(struct process_part *part, struct err *e);
/* Read the parts of a run, in order of begun_ns, as one recording with one world. What perf tells
 * of at the start of a later part is what was there then. */
int process_read_run(struct recording *r, const struct process_part *parts, size_t n,
	const struct read_opts *o, struct process_kernel *kernel, struct pool *pool, struct err *e);

#endif
