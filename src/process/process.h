/*
 * process.h - a perf.data recording to raw stacks, in two passes
 *
 * Pass 1 reads the side-band records and builds the world (world.h), counts events and finds the
 * boundaries of blocks. Then the world is frozen, the maps of generated code are loaded. Pass 2
 * hands blocks of samples to workers in any order; each looks its addresses up in the frozen
 * world at the sample's own time.
 *
 * Owns: nothing between calls; the recording owns its results. Threads: uses the pool.
 */
#ifndef PERFOLD_PROCESS_PROCESS_H
#define PERFOLD_PROCESS_PROCESS_H

#include "base/file.h"
#include "base/pool.h"
#include "base/progress.h"
#include "files/files.h"
#include "model/choice.h"
#include "model/recording.h"

/* What becomes of copied stacks that were cut off by the size of the copy. */
enum process_truncated {
	TRUNCATED_KEEP, /* they begin with a frame [truncated] */
	TRUNCATED_DROP, /* their samples are left out */
};

struct process_opts {
	const char *const *events; /* NULL ended names or globs; NULL: that of the first sample */
	const struct sample_choice *choice; /* NULL: all samples */
	uint32_t root_fields;               /* bits 1 << enum root_part */
	bool weight_by_samples;
	bool timeline;
	enum process_truncated truncated;
	bool compat_perf;               /* no late maps; perf's choices in generated code */
	size_t block_bytes;             /* 0: the default */
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

int process_read(struct recording *r, const struct file *f, const struct process_opts *o,
	struct process_kernel *kernel, struct pool *pool, struct err *e);

#endif
