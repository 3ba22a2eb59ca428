#include "cli/spans_files.h"

#include "base/mem.h"

#include <stdlib.h>

typedef void (*write_durations)(
	const struct durations *d, const struct profile *p, bool page, struct sink *to);

static void write_json(
	const struct durations *d, const struct profile *p, bool page, struct sink *to)
{
	(void)page;
	output_durations_json(d, p, to);
}

static void write_trace(
	const struct durations *d, const struct profile *p, bool page, struct sink *to)
{
	(void)page;
	output_durations_trace(d, p, to);
}

/* Does the path, without the suffix of a packing, end in that? */
static bool path_ends(const char *path, enum sink_compression *packing, struct span suffix)
{
	struct span s = span_of(path);

	*packing = SINK_PLAIN;
	if (span_ends(s, SPAN(".gz"))) {
		*packing = SINK_GZIP;
		s.n -= 3;
	} else if (span_ends(s, SPAN(".zst"))) {
		*packing = SINK_ZSTD;
		s.n -= 4;
	}
	return span_ends(s, suffix);
}

static int write_file(const char *path, write_durations write, const struct durations *d,
	const struct profile *p, struct err *e)
{
	enum sink_compression packing;
	bool page;
	struct sink *to;

	if (!path)
		return OK;
	page = path_ends(path, &packing, SPAN(".html"));
	if (sink_open(&to, path, packing, e))
		return e->code;
	write(d, p, page, to);
	return sink_commit(to, e);
}

static bool is_trace(const struct pipeline_output *out)
{
	return strcmp(out->format->name, "trace") == 0;
}

/* Writes the outputs of -o: traces first, as their stacks are those of the profile before it is
 * replaced. */
static int write_outputs(const struct options *o, struct pipeline_result *result,
	const struct durations *d, const struct spans_stacks *stacks, struct err *e)
{
	struct pipeline_opts opts = o->run;
	struct pipeline_output *others = xcalloc(o->n_outputs, sizeof(*others));
	struct profile *whole = result->profile;
	size_t n_others = 0, i;
	int rc = OK;

	for (i = 0; i < o->n_outputs && !rc; i++) {
		if (is_trace(&o->outputs[i]))
			rc = write_file(o->outputs[i].path, write_trace, d, whole, e);
		else
			others[n_others++] = o->outputs[i];
	}
	opts.outputs = others;
	opts.n_outputs = n_others;
	if (!rc && n_others) {
		result->profile = collapse_weighted(whole, stacks->item, stacks->n,
			strtab_add_str(result->strings, stacks->unit));
		profile_free(whole);
		rc = pipeline_write(&opts, result, e);
	}
	free(others);
	return rc;
}

int spans_files_write(const struct options *o, struct pipeline_result *result,
	const struct durations *d, const struct spans_stacks *stacks, struct err *e)
{
	const struct spans_command_opts *s = &o->spans;
	const struct profile *p = result->profile;
	int rc = write_file(s->json, write_json, d, p, e);

	if (!rc)
		rc = write_file(s->histogram, output_durations_histogram, d, p, e);
	if (!rc)
		rc = write_file(s->heatmap, output_durations_heatmap, d, p, e);
	return rc ? rc : write_outputs(o, result, d, stacks, e);
}
