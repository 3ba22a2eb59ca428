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
	/* Options with all that follows from rules, outputs and other options. */
	bool sources, keep_files; /* readers of the profile want source text; that, or code */
	struct read_opts read;
	struct collapse_opts collapse;
	struct rewriter rules;         /* of collapse, where there are any */
	struct collapsing *collapsing; /* annotating makes the profile of it; NULL: it is made */
};

/* Where the profile belongs that is made of stacks: the one by name, if nobody needs the full one.
 */
static inline struct profile **stages_profile(const struct pipeline *p)
{
	return p->collapse.by_name ? &p->result->by_name : &p->result->profile;
}

/* Reads all inputs and names their sites: fills the result's recordings and reports. */
int read_inputs(struct pipeline *p, struct err *e);

/* Does an output show lines, or will names have them? */
bool stages_want_lines(const struct pipeline_opts *o);
/* Does one show at least lines of generated code? These cost nothing but themselves. */
bool stages_want_jit_lines(const struct pipeline_opts *o);
/* Does an output show addresses of instructions? */
bool stages_want_addresses(const struct pipeline_opts *o);
/* Does an output count samples by stack, thread and event? */
bool stages_want_cells(const struct pipeline_opts *o);
/* Counts the samples whose recorded chain may lack a caller (frameless_samples); once sites are
 * known. files: as for symbolize(). */
void frameless_find(struct recording *r, const struct files *files);

/* Does somebody want the costs of lines and instructions, and their text? */
bool stages_want_places(const struct pipeline_opts *o);
/* Fills the result's annotations, and makes its profile, if that is left to it. */
int annotate_make(struct pipeline *p, struct err *e);

/* Does an output, or the caller, want branches? */
bool stages_want_branches(const struct pipeline_opts *o);
/* The files of an output about branches. */
int write_branches(const struct pipeline *p, const struct pipeline_output *out, struct err *e);
/* Is the debug information here that says which lines of a binary ran? */
bool stages_can_count_lines(const struct pipeline *p, const struct branch_binary *b);
/* How often each ran, for a format that needs OUTPUT_BY_LINE; the caller frees it. NULL: e says
 * why. */
struct sample_profile *stages_count_lines(const struct pipeline *p, const struct branch_binary *b,
	const struct output_format *format, struct err *e);
/* Writes an output of one tree, to a file. */
int stages_write_output(const struct pipeline *p, const struct pipeline_output *out,
	const char *path, const struct profile *tree, const struct branch_binary *branches,
	struct err *e);

/* Writes every output: of the whole, or with --split of each part. */
int write_outputs(const struct pipeline *p, struct err *e);

#endif
