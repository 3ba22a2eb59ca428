/*
 * Outputs about branches (OUTPUT_BRANCHES) are each about one binary. --binary says which; without
 * it there is one file for each binary that the branches are in, named as the parts of --split.
 */
#include "base/counted.h"
#include "base/mem.h"
#include "pipeline/stages.h"

#include <inttypes.h>
#include <stdlib.h>

enum { BUILD_ID_DIGITS_MIN = 8 };

/* What the user called it: its path, the name of its file, or how its build-id begins. */
static bool is_called(const struct pipeline *p, const struct branch_binary *b, const char *name)
{
	struct span path = strtab_get(p->result->strings, b->path), called = span_of(name);
	char hex[41];

	if (span_eq(path, called) || span_eq(span_basename(path), called))
		return true;
	return called.n >= BUILD_ID_DIGITS_MIN && b->build_id.n &&
	       span_starts(span_of(build_id_hex(&b->build_id, hex)), called);
}

static bool is_chosen(const struct pipeline *p, const struct branch_binary *b)
{
	const char *const *name = p->opts->binaries;

	if (!name)
		return true;
	for (; *name; name++)
		if (is_called(p, b, *name))
			return true;
	return false;
}

/* Every name must be of a binary. */
static int check_names(const struct pipeline *p, struct err *e)
{
	const struct branch_profile *all = &p->result->branches;
	const char *const *name = p->opts->binaries;
	uint32_t i;

	for (; name && *name; name++) {
		for (i = 0; i < all->n && !is_called(p, &all->binary[i], *name); i++)
			;
		if (i == all->n)
			return err_set(e, ERR_USAGE,
				"--binary %s: no branch or sample of the recording is in it; "
				"perfold info lists the files that are",
				*name);
	}
	return OK;
}

static void warn_left_out(const struct pipeline *p, const struct branch_binary *b)
{
	char *line;

	if (!p->opts->warn)
		return;
	line = xasprintf("%s: its branches are left out: without the file, their addresses are not "
			 "known",
		strtab_str(p->result->strings, b->path));
	p->opts->warn(p->opts->warn_ctx, line);
	free(line);
}

static void warn_no_lines(const struct pipeline *p, const char *path, uint32_t n)
{
	char *line;

	if (!n || !p->opts->warn)
		return;
	line = xasprintf("%s: %" PRIu32 " %s left out, as %s debug information is not here: "
			 "perfold-pgo(7)",
		path, n, n == 1 ? "file is" : "files are", n == 1 ? "its" : "their");
	p->opts->warn(p->opts->warn_ctx, line);
	free(line);
}

/* Those that can be written; the caller frees the list. */
static const struct branch_binary **find_chosen(
	const struct pipeline *p, const struct pipeline_output *out, uint32_t *n)
{
	const struct branch_profile *all = &p->result->branches;
	const struct branch_binary **chosen = xcalloc(all->n + 1, sizeof(*chosen));
	bool by_line = out->format->needs & OUTPUT_BY_LINE;
	uint32_t i, no_lines = 0;

	for (i = 0, *n = 0; i < all->n; i++) {
		const struct branch_binary *b = &all->binary[i];

		if (!is_chosen(p, b))
			continue;
		if (b->why != BRANCH_FOUND)
			warn_left_out(p, b);
		else if (by_line && !stages_can_count_lines(p, b))
			no_lines++;
		else
			chosen[(*n)++] = b;
	}
	warn_no_lines(p, out->path, no_lines);
	return chosen;
}

static const char *shown(const char *path)
{
	return strcmp(path, "-") == 0 ? "standard output" : path;
}

/* Readers make less of samples. */
static void warn_samples(const struct pipeline *p, const char *path)
{
	const struct branch_profile *all = &p->result->branches;
	char *line;

	if (!p->opts->warn || all->totals.entries || (all->n && all->binary[0].written_as))
		return;
	line = xasprintf("%s: the recording has no branches, so it is made from the addresses of "
			 "samples, which say less; branches are recorded by perf record -j any,u",
		shown(path));
	p->opts->warn(p->opts->warn_ctx, line);
	free(line);
}

/* Sums without the branches of an input would say too little. Of call stacks there are the
 * addresses of samples. */
static int check_countable(const struct pipeline *p, const char *path, struct err *e)
{
	const struct pipeline_result *r = p->result;
	size_t i;

	for (i = 0; i < r->n_recordings; i++) {
		const struct recording *one = r->recordings[i];
		const char *why = recording_uncountable_branches(one);

		if (why && one->facts.branch_stacks != BRANCH_STACKS_OF_CALLS)
			return err_set(e, ERR_FORMAT, "%s: nothing is written of %s: %s",
				shown(path), one->path, why);
	}
	return OK;
}

/* Profiles that were written before name no binary, and have what their format has. */
static int check_written(const struct pipeline *p, const struct pipeline_output *out, struct err *e)
{
	const struct branch_profile *all = &p->result->branches;
	uint32_t i;

	for (i = 0; i < all->n; i++) {
		const char *format = all->binary[i].written_as;

		if (format && all->n > 1)
			return err_set(e, ERR_USAGE,
				"%s: a profile in the format %s does not say of which binary it "
				"is: "
				"it can only be added to others in that format",
				shown(out->path), format);
		if (format && strcmp(format, out->format->name) != 0)
			return err_set(e, ERR_USAGE,
				"%s: of profiles in the format %s only one in that format can be "
				"made: -o x.%s",
				shown(out->path), format, format);
	}
	return OK;
}

static int refuse_nothing(const struct pipeline *p, const char *path, struct err *e)
{
	const struct branch_profile *all = &p->result->branches;

	if (!all->n)
		return err_set(e, ERR_FORMAT,
			"%s: the recording has neither branches nor samples in any file; record "
			"branches by perf record -j any,u",
			shown(path));
	return err_set(e, ERR_FORMAT,
		"%s: nothing is written, as the files that the branches are in are not here; "
		"--debug-dir and --symfs say where they are",
		shown(path));
}

static char *path_of(
	const struct pipeline *p, const char *path, const struct branch_binary *b, uint32_t number)
{
	struct strtab *strings = p->result->strings;
	struct profile_part part = { .by = SPLIT_BINARY, .number = number, .pid = -1, .tid = -1 };
	struct buf out = { 0 };
	char *copy;

	part.n_parts = p->result->branches.n;
	part.cpu = -1;
	part.name = strtab_add(strings, span_basename(strtab_get(strings, b->path)));
	output_part_path(&out, path, &part, strings);
	copy = xstrdup(buf_str(&out));
	buf_release(&out);
	return copy;
}

static int write_each(const struct pipeline *p, const struct pipeline_output *out,
	const struct branch_binary **chosen, uint32_t n, struct err *e)
{
	char **path = xcalloc(n, sizeof(*path));
	uint32_t i;
	int rc;

	for (i = 0; i < n; i++)
		path[i] = path_of(p, out->path, chosen[i], i);
	rc = output_check_paths(path, n, e);
	for (i = 0; i < n && !rc; i++)
		rc = stages_write_output(p, out, path[i], NULL, chosen[i], e);
	for (i = 0; i < n; i++)
		free(path[i]);
	free(path);
	return rc;
}

int write_branches(const struct pipeline *p, const struct pipeline_output *out, struct err *e)
{
	const struct branch_binary **chosen;
	uint32_t n;
	int rc = check_countable(p, out->path, e);

	if (!rc)
		rc = check_written(p, out, e);
	if (!rc)
		rc = check_names(p, e);
	if (rc)
		return rc;
	chosen = find_chosen(p, out, &n);
	if (!n)
		rc = refuse_nothing(p, out->path, e);
	else if (n == 1)
		rc = stages_write_output(p, out, out->path, NULL, chosen[0], e);
	else if (strcmp(out->path, "-") == 0)
		rc = err_set(e, ERR_USAGE,
			"the branches are in %" PRIu32
			" files: name one by --binary, or the outputs by -o FILE",
			n);
	else
		rc = write_each(p, out, chosen, n, e);
	free(chosen);
	if (!rc)
		warn_samples(p, out->path);
	return rc;
}
