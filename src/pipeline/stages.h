/*
 * stages.h - a pipeline at work, and those of its stages that have a file of their own
 *
 * Owns: a pipeline owns its pool and its cache; options and result are borrowed. Threads: one; the
 * stages use the pool. Private to pipeline/.
 */
#ifndef PERFOLD_PIPELINE_STAGES_H
#define PERFOLD_PIPELINE_STAGES_H

#include "pipeline/pipeline.h"

struct pipeline {
	const struct pipeline_opts *opts;
	struct pipeline_result *result;
	struct pool *pool;
	struct input_open_opts source_opts;
	struct files_kallsyms_cache *kallsyms_cache; /* if there are several inputs */
	/* Options with all that follows from rules, outputs and other options. */
	struct read_opts read;
	struct collapse_opts collapse;
};

/* Reads all inputs and names their sites: fills the result's recordings and reports. */
int read_inputs(struct pipeline *p, struct err *e);

/* Does an output show lines, or will names have them? */
bool stages_want_lines(const struct pipeline_opts *o);
/* Counts the samples whose recorded chain may lack a caller (frameless_samples); once sites are
 * known. files: as for symbolize(). */
void frameless_find(struct recording *r, const struct files *files);

/* Does an output show lines, or will names have them? */
bool stages_want_lines(const struct pipeline_opts *o);

/* Writes every output: of the whole, or with --split of each part. */
int write_outputs(const struct pipeline *p, struct err *e);

#endif
