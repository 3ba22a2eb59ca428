/*
 * process.h - a perf.data recording to raw stacks, in two passes
 *
 * Pass 1 reads the side-band records and builds the world (world/world.h), counts events and finds
 * the boundaries of blocks. Then the world is frozen, and perf maps and jitdumps are loaded. In
 * pass 2 workers read blocks of samples in any order; each looks its addresses up in the frozen
 * world at the sample's own time. The stages, and every further pass, are listed at the top of
 * process.c.
 *
 * Owns: nothing between calls; the recording owns its results. Threads: uses the pool.
 */
#ifndef PERFOLD_PROCESS_PROCESS_H
#define PERFOLD_PROCESS_PROCESS_H

#include "base/file.h"
#include "base/pool.h"
#include "base/progress.h"
#include "files/files.h"
#include "model/read_opts.h"
#include "model/recording.h"
#include "model/sample_choice.h"

/* The kernel's relocation, needed by symbolize/. */
struct process_kernel {
	bool known;
	str_id reference_symbol;    /* "_text" */
	uint64_t reference_address; /* at run time of the recording */
};

/* True where the first bytes of a file are those of a perf.data file. */
bool process_is_perf_data(struct span head);

/* A file of a `perf record --switch-output` run: it continues where another one ends. */
struct process_part {
	const struct file *file; /* borrowed; open and in place while it is read */
	struct buf run;          /* owned; the same for all parts of a run; empty: part of none */
	uint64_t begun_ns;
};

/* Fill part->run and begun_ns from part->file, a regular file. */
int process_find_run(struct process_part *part, struct err *e);
/* Read the parts of a run, in order of begun_ns, as one recording with one world. What perf
 * writes at the start of a later part is what was there then. */
int process_read_run(struct recording *r, const struct process_part *parts, size_t n,
	const struct read_opts *o, struct process_kernel *kernel, struct pool *pool, struct err *e);

#endif
