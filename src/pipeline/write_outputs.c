/*
 * A profile to its outputs, one by one, each to a sink that takes its name only when it is whole.
 *
 * Formats want the full tree or the tree by name. One of the two is there; the other one is made
 * from it when the first output wants it. With --split the profile is divided into parts, by
 * process, time and so on; every output becomes one file for each part. All names of these files
 * are made and checked before the first one is written.
 */
#include "base/mem.h"
#include "pipeline/stages.h"

#include <stdlib.h>

/* The trees of the whole, or of a part of it; at least one is there. */
struct output_trees {
	struct profile *full, *by_name;
	/* full where that has lines, or addresses, which a format does not show; NULL: not yet made
	 */
	struct profile *no_lines, *no_addresses;
};

/* Does an output of the tree by name want rows? */
static bool rows_by_name(const struct pipeline_opts *o)
{
	const unsigned both = OUTPUT_BY_NAME | OUTPUT_TIMELINE;
	size_t i;

	for (i = 0; i < o->n_outputs; i++)
		if ((o->outputs[i].format->needs & both) == both)
			return true;
	return o->output.picture.flamechart;
}

/* Those of instructions are kept for their costs, if the tree has lines at all. */
static bool has_addresses(const struct pipeline_opts *o)
{
	return stages_want_addresses(o) || (stages_want_places(o) && stages_want_jit_lines(o));
}

static const struct profile *tree_without_addresses(
	const struct pipeline_opts *o, struct output_trees *t)
{
	if (!has_addresses(o))
		return t->full;
	if (!t->no_addresses)
		t->no_addresses = collapse_without_addresses(t->full);
	return t->no_addresses;
}

/* What an output shows must not depend on what others of the run have asked for. */
static const struct profile *full_tree(
	const struct pipeline_opts *o, struct output_trees *t, unsigned needs)
{
	if (needs & OUTPUT_ADDRESSES)
		return t->full;
	if (needs & (OUTPUT_LINES | OUTPUT_JIT_LINES) || o->symbolize.lines_in_names ||
		!stages_want_jit_lines(o))
		return tree_without_addresses(o, t);
	if (!t->no_lines)
		t->no_lines = collapse_without_lines(t->full);
	return t->no_lines;
}

static void release_trees(struct output_trees *t)
{
	profile_free(t->no_lines);
	profile_free(t->no_addresses);
}

static const struct profile *tree_for(
	const struct pipeline *p, const struct output_format *format, struct output_trees *t)
{
	if (!t->full)
		return t->by_name;
	if (!(format->needs & OUTPUT_BY_NAME))
		return full_tree(p->opts, t, format->needs);
	if (!t->by_name)
		t->by_name = collapse_by_name(full_tree(p->opts, t, 0), rows_by_name(p->opts));
	return t->by_name;
}

static int write_file(const struct pipeline_output *out, const char *path,
	const struct profile *tree, const struct output_opts *o, struct err *e)
{
	struct sink *sink;

	if (sink_open(&sink, path, out->packing, e))
		return e->code;
	sink_guard_terminal(sink);
	if (out->format->write(tree, o, sink, e)) {
		sink_abort(sink);
		return err_wrap(e, "%s", path);
	}
	return sink_commit(sink, e);
}

int stages_write_output(const struct pipeline *p, const struct pipeline_output *out,
	const char *path, const struct profile *tree, const struct branch_binary *branches,
	struct err *e)
{
	const struct pipeline_result *result = p->result;
	struct output_opts o = p->opts->output;
	struct sample_profile *samples = NULL;
	int rc;

	o.facts = &result->recordings[0]->facts;
	o.recordings = result->recordings;
	o.n_recordings = result->n_recordings;
	o.report = &result->report;
	o.diag = &result->diag;
	o.pool = p->pool;
	o.tiers = &result->tiers;
	o.annotations = &result->annotations;
	o.branches = branches;
	if (out->format->needs & OUTPUT_BY_LINE) {
		o.samples = samples = stages_count_lines(p, branches, out->format, e);
		if (!samples)
			return err_wrap(e, "%s", path);
	}
	o.native_places = p->opts->symbolize.lines_in_names;
	rc = write_file(out, path, tree, &o, e);
	sample_profile_free(samples);
	return rc;
}

static int write_tree(const struct pipeline *p, const struct pipeline_output *out, const char *path,
	struct output_trees *t, struct err *e)
{
	return stages_write_output(p, out, path, tree_for(p, out->format, t), NULL, e);
}

static int write_whole(const struct pipeline *p, struct err *e)
{
	struct pipeline_result *result = p->result;
	struct output_trees t = { .full = result->profile, .by_name = result->by_name };
	size_t i;
	int rc = OK;

	for (i = 0; i < p->opts->n_outputs && !rc; i++)
		rc = p->opts->outputs[i].format->needs & OUTPUT_BRANCHES
			     ? write_branches(p, &p->opts->outputs[i], e)
			     : write_tree(p, &p->opts->outputs[i], p->opts->outputs[i].path, &t, e);
	result->by_name = t.by_name;
	release_trees(&t);
	return rc;
}

/* Parts. */

/* The files of all parts, output by output. */
struct part_paths {
	char **path;
	size_t n;
};

static void make_paths(
	const struct pipeline *p, const struct split_profile *parts, struct part_paths *paths)
{
	const struct pipeline_opts *o = p->opts;
	size_t i;
	uint32_t k;

	paths->path = xcalloc(o->n_outputs * split_profile_count(parts) + 1, sizeof(char *));
	for (i = 0; i < o->n_outputs; i++) {
		for (k = 0; k < split_profile_count(parts); k++) {
			struct profile_part part = split_profile_name(parts, k);
			struct buf b = { 0 };

			output_part_path(&b, o->outputs[i].path, &part, p->result->strings);
			paths->path[paths->n++] = xstrdup(buf_str(&b));
			buf_release(&b);
		}
	}
}

static int write_part(const struct pipeline *p, struct split_profile *parts, uint32_t part,
	const struct part_paths *paths, struct err *e)
{
	struct profile *made = split_profile_get(parts, part);
	bool by_name = !p->result->profile;
	struct output_trees t = { .full = by_name ? NULL : made, .by_name = by_name ? made : NULL };
	size_t i;
	int rc = OK;

	for (i = 0; i < p->opts->n_outputs && !rc; i++)
		rc = write_tree(p, &p->opts->outputs[i],
			paths->path[i * split_profile_count(parts) + part], &t, e);
	profile_free(t.full);
	profile_free(t.by_name);
	release_trees(&t);
	return rc;
}

/* Does a part say what it consists of? */
static bool is_known(const struct profile_part *part)
{
	switch (part->by) {
	case SPLIT_PROCESS:
		return part->pid >= 0;
	case SPLIT_CPU:
		return part->cpu >= 0;
	case SPLIT_CGROUP:
	case SPLIT_LABEL:
		return part->name != 0;
	default:
		return true;
	}
}

/* What is written after "the input has ". */
static const char *missing_words(enum split_by by)
{
	switch (by) {
	case SPLIT_PROCESS:
		return "no processes (perf script -F +pid)";
	case SPLIT_CPU:
		return "no CPUs (perf record --sample-cpu)";
	case SPLIT_CGROUP:
		return "no cgroups";
	default:
		return "no such label";
	}
}

/* A single file of what nobody can tell apart would look like a file of one process. */
static int check_parts(const struct split_profile *parts, struct err *e)
{
	struct profile_part part;
	uint32_t i;

	for (i = 0; i < split_profile_count(parts); i++) {
		part = split_profile_name(parts, i);
		if (is_known(&part))
			return OK;
	}
	if (!i)
		return OK;
	return err_set(e, ERR_USAGE, "--split: the input has %s", missing_words(part.by));
}

static int write_parts(const struct pipeline *p, struct err *e)
{
	const struct pipeline_result *result = p->result;
	const struct profile *whole = result->profile ? result->profile : result->by_name;
	struct part_paths paths = { 0 };
	struct split_profile *parts;
	uint32_t i;
	int rc;

	if (stages_want_cells(p->opts))
		return err_set(
			e, ERR_USAGE, "--split: rows have columns for what others are split by");
	if (stages_want_branches(p->opts))
		return err_set(e, ERR_USAGE,
			"--split: branches are not counted by what others are split by");
	if (!whole->n_rows && whole->n_nodes && whole->nodes[0].total)
		return err_set(e, ERR_USAGE, "--split: the input has only sums, no single samples");
	parts = split_profile_new(whole, &p->opts->split, result->recordings);
	rc = check_parts(parts, e);
	make_paths(p, parts, &paths);
	if (!rc)
		rc = output_check_paths(paths.path, paths.n, e);
	for (i = 0; i < split_profile_count(parts) && !rc; i++)
		rc = write_part(p, parts, i, &paths, e);
	while (paths.n)
		free(paths.path[--paths.n]);
	free(paths.path);
	split_profile_free(parts);
	return rc;
}

int write_outputs(const struct pipeline *p, struct err *e)
{
	return p->opts->split.by ? write_parts(p, e) : write_whole(p, e);
}
