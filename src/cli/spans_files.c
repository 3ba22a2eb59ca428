/*
 * spans_files.c - files of durations, and of stacks that weigh what began in them
 *
 * Files of --json, --histogram and --heatmap, and traces, are of the durations. All other outputs
 * are written by the pipeline, from a profile of the stacks (collapse_weighted()). A page of
 * Markdown has both: the durations are in its options.
 */
#include "cli/spans_files.h"

#include "base/mem.h"
#include "base/shell.h"
#include "cli/spans_slow.h"

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

bool spans_files_have_page(const struct options *o)
{
	size_t i;

	for (i = 0; i < o->n_outputs; i++)
		if (strcmp(o->outputs[i].format->name, "markdown") == 0)
			return true;
	return false;
}

/* The page of Markdown */

enum { PAGE_ROWS = 100 }; /* more than it lists */

struct spans_page_source {
	struct durations_shown shown;
	struct spans_slow slow;
	struct buf measure, command;
};

static bool has_samples(const struct pipeline_result *result)
{
	size_t i;
	uint32_t k;

	for (i = 0; i < result->n_recordings; i++)
		for (k = 0; k < result->recordings[i]->n_events; k++)
			if (!result->recordings[i]->events[k].tracepoint)
				return true;
	return false;
}

static void put_word_of(struct buf *b, const char *option, const char *word)
{
	buf_puts(b, option);
	shell_put_word(b, span_of(word));
}

/* What the spans are of, as --during and as perfold spans have it. */
static void name_measure(struct spans_page_source *s, const struct options *o)
{
	const struct spans_command_opts *of = &o->spans;
	const char *preset = of->preset ? of->preset : NULL;

	if (!preset && !of->begin)
		preset = o->run.inputs[0];
	if (preset) {
		buf_puts(&s->measure, preset);
		shell_put_word(&s->command, span_of(preset));
		return;
	}
	buf_printf(&s->measure, "%s..%s", of->begin, of->end);
	put_word_of(&s->command, "--begin ", of->begin);
	put_word_of(&s->command, " --end ", of->end);
	if (!of->key)
		return;
	buf_printf(&s->measure, " by %s", of->key);
	put_word_of(&s->command, " --key ", of->key);
}

static void page_source_init(struct spans_page_source *s, const struct options *o,
	const struct pipeline_result *result, const struct durations *d,
	const struct spans_stacks *stacks)
{
	*s = (struct spans_page_source){ 0 };
	spans_slow_find(&s->slow, d, result,
		&(struct spans_slow_opts){ stacks->view, o->spans.slower_ns, PAGE_ROWS });
	name_measure(s, o);
	s->shown = (struct durations_shown){ .d = d,
		.p = result->profile,
		.measure = buf_str(&s->measure),
		.command = buf_str(&s->command),
		.during = s->slow.numbered ? s->measure.p : NULL,
		.number = s->slow.number,
		.slow = s->slow.item,
		.n_slow = s->slow.n,
		.has_samples = has_samples(result) };
}

static void page_source_release(struct spans_page_source *s)
{
	spans_slow_release(&s->slow);
	buf_release(&s->measure);
	buf_release(&s->command);
}

/* Writes the outputs of -o: traces first, as their stacks are those of the profile before it is
 * replaced. */
static int write_outputs(const struct options *o, struct pipeline_result *result,
	const struct durations *d, const struct spans_stacks *stacks, struct err *e)
{
	struct pipeline_opts opts = o->run;
	struct pipeline_output *others = xcalloc(o->n_outputs, sizeof(*others));
	struct profile *whole = result->profile;
	struct spans_page_source page;
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
		page_source_init(&page, o, result, d, stacks);
		opts.output.durations = &page.shown;
		result->profile = collapse_weighted(whole, stacks->item, stacks->n,
			strtab_add_str(result->strings, stacks->unit));
		rc = pipeline_write(&opts, result, e);
		profile_free(whole);
		page_source_release(&page);
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
