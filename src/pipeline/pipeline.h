/*
 * pipeline.h - a whole run: read, name, filter, collapse, write
 *
 * The pipeline is the only place that knows all the stages. cli/ fills in the options and reports
 * the result to the user.
 *
 * Owns: a result owns all it points to except the options (borrowed). Threads: makes its own pool.
 */
#ifndef PERFOLD_PIPELINE_H
#define PERFOLD_PIPELINE_H

#include "base/progress.h"
#include "collapse/collapse.h"
#include "filter/filter.h"
#include "input/input.h"
#include "model/annotations.h"
#include "output/output.h"
#include "process/process.h"
#include "symbolize/symbolize.h"

struct pipeline_output {
	const struct output_format *format;
	const char *path; /* "-": standard output */
	enum sink_compression packing;
};

struct pipeline_rule {
	const char *text;
	bool is_file;
};

struct pipeline_result;

struct pipeline_opts {
	/* Its strings and frames are used, so that profiles can be compared; it must live longer.
	 * NULL: the run has its own. */
	const struct pipeline_result *share;
	const char *const *inputs; /* "-": standard input */
	size_t n_inputs;
	const struct label_list *labels; /* of all inputs; NULL: none */
	/* By input, its own, which replace those; NULL: none has any. The parts of a run have those
	 * of its first one. */
	const struct label_list *const *labels_of;
	const char *from; /* a format's name, or NULL: recognise it */
	const struct pipeline_output *outputs;
	size_t n_outputs;
	/* enum output_needs of a caller that reads the profile itself; 0: only outputs read it.
	 * OUTPUT_BY_NAME alone gives result.by_name, anything else result.profile; OUTPUT_LABELS
	 * gives it cells whose keys have labels only. */
	unsigned needs;
	bool count_frameless;  /* frameless_samples of recordings are read */
	unsigned branch_names; /* with read.branches: so many get sites (model/branch_sites.h) */
	bool sources;          /* source text is read by the caller: pipeline_source() */

	/* The user's choices; the pipeline adds what follows from rules, outputs and other options:
	 * root_fields, timeline, addresses, lines, code_addresses, by_cgroup, by_label and files.
	 */
	struct read_opts read;
	uint64_t spill_limit_bytes; /* for copies of pipes and packed files; 0: none */

	struct collapse_opts collapse;
	struct files_opts files;
	struct symbolize_opts symbolize;
	const struct pipeline_rule *rules;
	size_t n_rules;
	const char *const *filter_dirs; /* NULL ended */
	struct output_opts output;
	struct annotation_opts annotation; /* of which functions, for OUTPUT_PLACES */
	const char *const *binaries;       /* of outputs about branches: paths, names or
					    * build-ids, NULL ended; NULL: all */
	struct split split;                /* each output becomes one file for each part */

	unsigned jobs;
	void (*warn)(void *ctx, const char *line); /* shows the user a line at once */
	void *warn_ctx;
	/* Called for directories that must not outlive the program (input/open.h); may be NULL. */
	void (*scratch)(const char *dir, enum scratch_step step);
	/* Puts advice for the user, line by line; may be NULL. */
	void (*advise)(const struct pipeline_result *r, void (*put)(void *ctx, const char *line),
		void *ctx);
};

struct pipeline_result {
	struct strtab *strings;
	struct frames *frames;
	bool shares; /* these belong to another result */
	struct recording **recordings;
	struct symbolize_report *reports; /* one for each recording */
	size_t n_recordings;
	struct kept_files *kept;                     /* likewise; for pipeline_named_with() */
	struct source_shelf *shelf;                  /* for pipeline_source(); NULL: not wanted */
	struct files_kallsyms_cache *kallsyms_cache; /* of several recordings; may be NULL */
	struct symbolize_cache *symbolize_cache;     /* likewise */
	struct filter *filter;                       /* NULL: no rules */
	struct profile *profile, *by_name;           /* those that were wanted, else NULL */
	struct diag diag;                            /* of all together */
	struct report report;                        /* where an output wants it */
	struct tiers tiers;                          /* where pictures are drawn of the whole */
	struct place_costs places;                   /* where somebody needs OUTPUT_PLACES */
	struct annotations annotations;              /* likewise */
	struct branch_profile branches;              /* where somebody needs OUTPUT_BRANCHES */
};

/* Loads the rules, which are wrong for all inputs or for none. */
int pipeline_check_rules(const struct pipeline_opts *o, struct err *e);
int pipeline_run(const struct pipeline_opts *o, struct pipeline_result *r, struct err *e);
/* Writes all outputs of a result whose profile was made or changed by the caller. No --split. */
int pipeline_write(const struct pipeline_opts *o, struct pipeline_result *r, struct err *e);
/* Makes annotations of other functions, those that o->annotation says, from a result of a run with
 * OUTPUT_PLACES and the same options. */
int pipeline_annotate(const struct pipeline_opts *o, struct pipeline_result *r, struct err *e);
void pipeline_release(struct pipeline_result *r);

/* With OUTPUT_PLACES or sources: what the sites of a recording were named with. Its files are
 * open until pipeline_release(), so that its code can be read. */
const struct symbolize_opts *pipeline_named_with(const struct pipeline_result *r, size_t recording);
/* Likewise: the text of a file that frames name (at_file, file), or NULL. It is read
 * when it is first asked for, and kept. Paths in packs are shown as the user knows them. */
const struct source_text *pipeline_source(const struct pipeline_result *r, str_id file);
/* Frees the text of a file, if it is there; it is read again when it is asked for again. */
void pipeline_source_close(const struct pipeline_result *r, str_id file);
/* Where it was looked for, and what was refused; NULL: sources are not wanted. */
const struct files_trail *pipeline_source_trail(const struct pipeline_result *r, str_id file);

#endif
