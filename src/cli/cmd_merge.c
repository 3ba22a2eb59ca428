/*
 * perfold merge: many recordings or profiles to one
 *
 * Each input is read by one worker, from beginning to end, with frames and strings of its own. Its
 * tree goes into the sum, and all the rest is freed before the worker reads the next input. So
 * memory holds the sum, and no more inputs than there are workers; only those have files open.
 */
#include "base/mem.h"
#include "cli/cli.h"
#include "cli/file_args.h"
#include "cli/run_command.h"
#include "cli/run_summary.h"
#include "model/recording_sum.h"

#include <stdlib.h>

struct merge_run {
	struct options *options;
	struct pipeline_opts each; /* all but the input */
	struct pipeline_result sum;
	struct merge *merged;
	struct recording_sum joined;
	str_id *unit;                 /* by input, of sum.strings; 0: it has no samples */
	pthread_mutex_t library_lock; /* see struct read_opts */
	struct files_kallsyms_cache *kallsyms_cache;
	pthread_mutex_t lock; /* of sum, merged, joined, unit and err while workers run */
	_Atomic uint32_t next;
	_Atomic uint32_t failed; /* the first input that failed */
	struct err err;          /* of that input */
};

/* Which inputs are read after one that failed is up to chance; those before it all are, so the
 * first that fails is the same in every run. */
static void note_failure(struct merge_run *m, uint32_t input, const struct err *e)
{
	pthread_mutex_lock(&m->lock);
	if (input < m->failed) {
		m->failed = input;
		m->err = *e;
	}
	pthread_mutex_unlock(&m->lock);
}

static void add(struct merge_run *m, uint32_t input, const struct pipeline_result *r)
{
	const struct recording *from = r->recordings[0];
	struct frame_account account = { 0 };

	frame_account_add(&account, from);
	merge_add(m->merged, r->profile);
	pthread_mutex_lock(&m->lock);
	recording_sum_add(&m->joined, from, &account);
	diag_merge(&m->sum.diag, &r->diag);
	if (from->samples_kept)
		m->unit[input] =
			strtab_add(m->sum.strings, strtab_get(r->strings, r->profile->unit));
	pthread_mutex_unlock(&m->lock);
}

static int merge_inputs(void *ctx, unsigned worker, struct err *e)
{
	struct merge_run *m = ctx;
	const struct string_list *inputs = &m->options->inputs;
	uint32_t i;

	(void)worker;
	while ((i = pool_next(&m->next)) < inputs->n && i < m->failed) {
		struct pipeline_opts one = m->each;
		struct pipeline_result r;
		const char *const input = inputs->item[i];

		one.inputs = &input;
		if (pipeline_run(&one, &r, e))
			note_failure(m, i, e);
		else
			add(m, i, &r);
		pipeline_release(&r);
		progress_add(m->options->run.read.progress, file_size_bytes(input));
	}
	return OK; /* pool_run() would return the failure of any worker */
}

static int check_units(const struct merge_run *m, struct err *e)
{
	const struct string_list *inputs = &m->options->inputs;
	const struct strtab *strings = m->sum.strings;
	size_t i, first = inputs->n;

	for (i = 0; i < inputs->n; i++) {
		if (!m->unit[i])
			continue;
		if (first == inputs->n)
			first = i;
		if (m->unit[i] != m->unit[first])
			return err_set(e, ERR_USAGE,
				"%.200s counts %.100s, %.200s counts %.100s: use --event or "
				"--weight samples",
				inputs->item[first], strtab_str(strings, m->unit[first]),
				inputs->item[i], strtab_str(strings, m->unit[i]));
	}
	return OK;
}

/* Several threads read one input if there are fewer inputs than threads. */
static void divide_work(struct merge_run *m, const struct pool *pool)
{
	unsigned jobs = pool_workers(pool) / (unsigned)m->options->inputs.n;

	m->each.jobs = jobs ? jobs : 1;
}

static int run_workers(struct options *o, void *ctx, struct err *e)
{
	struct merge_run *m = ctx;
	struct pool *pool = pool_new(o->run.jobs);
	int rc;

	m->each = o->run;
	m->each.n_inputs = 1;
	m->each.n_outputs = 0;
	m->each.needs = OUTPUT_FULL;
	m->each.read.progress = NULL;
	m->each.read.library_lock = &m->library_lock;
	m->each.files.kallsyms_cache = m->kallsyms_cache;
	m->each.collapse.min_percent = 0; /* what is small in one may be large in all */
	divide_work(m, pool);
	progress_input(o->run.read.progress, NULL, o->work.all_bytes);
	progress_start(o->run.read.progress, "reading", o->work.all_bytes);
	rc = pool_run(pool, merge_inputs, m, e);
	pool_free(pool);
	if (!rc && m->failed != UINT32_MAX) {
		*e = m->err;
		rc = e->code;
	}
	if (!rc)
		rc = check_units(m, e);
	if (rc)
		return rc;
	m->sum.profile = merge_profile(m->merged, o->run.collapse.min_percent);
	progress_start(o->run.read.progress, "writing", 0);
	return pipeline_write(&o->run, &m->sum, e);
}

static void merge_run_init(struct merge_run *m, struct options *o)
{
	struct pipeline_result *sum = &m->sum;

	*m = (struct merge_run){ .options = o, .failed = UINT32_MAX };
	pthread_mutex_init(&m->library_lock, NULL);
	pthread_mutex_init(&m->lock, NULL);
	sum->strings = strtab_new();
	sum->frames = frames_new(sum->strings);
	sum->recordings = xcalloc(1, sizeof(*sum->recordings));
	sum->reports = xcalloc(1, sizeof(*sum->reports));
	sum->n_recordings = 1;
	m->joined.whole = sum->recordings[0] =
		recording_new(o->inputs.item[0], sum->strings, sum->frames);
	m->merged = merge_new(sum->frames);
	m->unit = xcalloc(o->inputs.n, sizeof(*m->unit));
	m->kallsyms_cache = files_kallsyms_cache_new();
}

static void merge_run_release(struct merge_run *m)
{
	free(m->unit);
	files_kallsyms_cache_free(m->kallsyms_cache);
	merge_free(m->merged);
	pipeline_release(&m->sum);
	pthread_mutex_destroy(&m->lock);
	pthread_mutex_destroy(&m->library_lock);
}

static int check_formats(const struct options *o, struct err *e)
{
	size_t i;

	for (i = 0; i < o->n_outputs; i++)
		if (o->outputs[i].format->needs & OUTPUT_SAMPLES)
			return err_set(e, ERR_USAGE,
				"%.200s: %s needs single samples, and merged inputs are only sums",
				o->outputs[i].path, o->outputs[i].format->name);
	return OK;
}

static int run_merge(struct options *o, int *status, struct err *e)
{
	struct merge_run m;
	int rc = file_args_check_stdin(o, e);

	if (!rc)
		rc = check_formats(o, e);
	if (rc)
		return rc;
	merge_run_init(&m, o);
	rc = run_command_work(o, run_workers, &m, e);
	if (!rc && !o->quiet)
		run_summary_print(&m.sum, o);
	if (!rc)
		run_command_check_quality(o, &m.sum, status);
	merge_run_release(&m);
	return rc;
}

int cmd_merge(int argc, char **argv, int *status, struct err *e)
{
	return run_command(FOR_MERGE, (struct command_line){ argc, argv },
		"perfold merge [OPTION...] INPUT...\n\n"
		"Adds up many recordings or profiles; times are not kept. The sum is the same in\n"
		"any order, and for folded stacks in any number of steps.",
		run_merge, status, e);
}
