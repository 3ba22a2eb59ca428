/*
 * perfold merge: many recordings or profiles to one
 *
 * Each input is read by one worker, from beginning to end, with frames and strings of its own. Its
 * tree goes into the sum, and all the rest is freed before the worker reads the next input. So
 * memory holds the sum, and no more inputs than there are workers; only those have files open.
 *
 * The first input that has samples says what is counted. Until it is known, inputs are added in
 * their order; then in any, as the sum does not depend on it. Which inputs are left out, or which
 * one is reported, is therefore the same in every run.
 */
#include "base/mem.h"
#include "cli/cli.h"
#include "cli/file_args.h"
#include "cli/left_out.h"
#include "cli/run_command.h"
#include "cli/run_summary.h"
#include "model/recording_sum.h"

#include <inttypes.h>
#include <stdlib.h>

struct merge_run {
	struct options *options;
	struct pipeline_opts each; /* all but the input */
	struct pipeline_result sum;
	struct merge *merged;
	struct recording_sum joined;
	str_id unit;               /* what is counted, of sum.strings; 0: not known yet */
	uint32_t counted_by;       /* the input that said so */
	uint32_t in_order;         /* while unit is 0: how many inputs are done, from the first */
	pthread_cond_t progressed; /* of in_order, or unit */
	struct left_out left_out;
	pthread_mutex_t library_lock; /* see struct read_opts */
	struct files_kallsyms_cache *kallsyms_cache;
	struct symbolize_cache *symbolize_cache;
	pthread_mutex_t lock; /* of all from sum to left_out, and of err, while workers run */
	_Atomic uint32_t next;
	_Atomic uint32_t failed; /* the first input that failed */
	struct err err;          /* of that input */
};

/* ---- with the lock ----------------------------------------------------------------------- */

/* Which inputs are read after one that failed is up to chance; those before it all are, so the
 * first that fails is the same in every run. */
static void note_failure(struct merge_run *m, uint32_t input, const struct err *e)
{
	if (input < m->failed) {
		m->failed = input;
		m->err = *e;
	}
}

static void leave_out(struct merge_run *m, uint32_t input, const char *kind, char *text)
{
	left_out_add(&m->left_out,
		(struct left_out_input){ input, m->options->inputs.item[input], kind, text });
}

/* A fault of this machine says nothing about the input. */
static void refuse(struct merge_run *m, uint32_t input, const char *kind, struct err *e)
{
	if (m->options->merge.keep_going && !err_is_temporary(e))
		leave_out(m, input, kind, e->msg);
	else
		note_failure(m, input, e);
}

static bool is_damaged(
	const struct merge_run *m, const struct pipeline_result *r, enum diag_kind *kind)
{
	return m->options->merge.keep_going && m->options->strict &&
	       diag_strict_failure(&r->diag, kind);
}

/* False: the input counts something else. The first one that counts decides. */
static bool check_unit(
	struct merge_run *m, uint32_t input, const struct pipeline_result *r, struct err *e)
{
	const struct string_list *inputs = &m->options->inputs;
	str_id unit;

	if (!r->recordings[0]->samples_kept)
		return true;
	unit = strtab_add(m->sum.strings, strtab_get(r->strings, r->profile->unit));
	if (!m->unit) {
		m->unit = unit;
		m->counted_by = input;
	}
	if (m->unit != unit)
		err_set(e, ERR_USAGE,
			"%.200s counts %.100s, %.200s counts %.100s: use --event or "
			"--weight samples",
			inputs->item[m->counted_by], strtab_str(m->sum.strings, m->unit),
			inputs->item[input], strtab_str(m->sum.strings, unit));
	return m->unit == unit;
}

static void add(struct merge_run *m, const struct pipeline_result *r)
{
	const struct recording *from = r->recordings[0];
	struct frame_account account = { 0 };

	frame_account_add(&account, from);
	recording_sum_add(&m->joined, from, &account);
	recording_sum_add_modules(&m->joined, from, r->profile);
	diag_merge(&m->sum.diag, &r->diag);
}

/* Waits for the inputs before, until the unit is known: workers have them all, unless one failed.
 */
static void wait_for_turn(struct merge_run *m, uint32_t input)
{
	while (!m->unit && m->in_order < input && m->failed > input)
		pthread_cond_wait(&m->progressed, &m->lock);
}

/* True: the tree is to be added. */
static bool settle(
	struct merge_run *m, uint32_t input, const struct pipeline_result *r, int rc, struct err *e)
{
	enum diag_kind damage;
	bool ok = false;

	pthread_mutex_lock(&m->lock);
	wait_for_turn(m, input);
	if (rc) {
		refuse(m, input, left_out_kind(m->options->inputs.item[input], e), e);
	} else if (is_damaged(m, r, &damage)) {
		err_set(e, ERR_QUALITY, "%.400s: %" PRIu64 " %s", m->options->inputs.item[input],
			r->diag.count[damage], diag_message(&r->diag, damage));
		leave_out(m, input, left_out_damage(damage), e->msg);
	} else {
		ok = check_unit(m, input, r, e);
		if (ok)
			add(m, r);
		else
			refuse(m, input, "unit", e);
	}
	m->in_order = input + 1;
	pthread_cond_broadcast(&m->progressed);
	pthread_mutex_unlock(&m->lock);
	return ok;
}

/* ---- workers ----------------------------------------------------------------------------- */

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
		const struct label_list *const labels =
			input_list_labels(&m->options->merge.list, i);

		one.inputs = &input;
		one.labels_of = &labels;
		if (settle(m, i, &r, pipeline_run(&one, &r, e), e))
			merge_add(m->merged, r.profile);
		pipeline_release(&r);
		progress_add(m->options->run.read.progress, file_size_bytes(input));
	}
	return OK; /* pool_run() would return the failure of any worker */
}

/* Rows show threads of each recording; pprof has a label for each that a user gave. */
static enum merge_cells kept_cells(const struct options *o)
{
	enum merge_cells kept = MERGE_NO_CELLS;
	size_t i;

	for (i = 0; i < o->n_outputs; i++) {
		if (o->outputs[i].format->needs & OUTPUT_CELLS)
			return MERGE_CELLS;
		if (o->outputs[i].format->needs & OUTPUT_LABELS)
			kept = MERGE_LABELS;
	}
	return kept;
}

/* Several threads read one input if there are fewer inputs than threads. */
static void divide_work(struct merge_run *m, const struct pool *pool)
{
	unsigned jobs = pool_workers(pool) / (unsigned)m->options->inputs.n;

	m->each.jobs = jobs ? jobs : 1;
}

static int run_workers(struct options *o, void *ctx, struct err *e)
{
	static const unsigned needs_of[] = {
		[MERGE_LABELS] = OUTPUT_LABELS, [MERGE_CELLS] = OUTPUT_CELLS
	};
	struct merge_run *m = ctx;
	struct pool *pool;
	int rc = pipeline_check_rules(&o->run, e);

	if (rc)
		return rc;
	pool = pool_new(o->run.jobs);
	m->each = o->run;
	m->each.n_inputs = 1;
	m->each.n_outputs = 0;
	m->each.needs = OUTPUT_FULL | needs_of[kept_cells(o)];
	m->each.read.progress = NULL;
	m->each.read.library_lock = &m->library_lock;
	m->each.files.kallsyms_cache = m->kallsyms_cache;
	m->each.symbolize.cache = m->symbolize_cache;
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
	left_out_sort(&m->left_out);
	if (!rc && o->merge.errors)
		rc = left_out_write(&m->left_out, o->merge.errors, e);
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
	pthread_cond_init(&m->progressed, NULL);
	sum->strings = strtab_new();
	sum->frames = frames_new(sum->strings);
	sum->recordings = xcalloc(1, sizeof(*sum->recordings));
	sum->reports = xcalloc(1, sizeof(*sum->reports));
	sum->n_recordings = 1;
	m->joined.whole = sum->recordings[0] =
		recording_new(o->inputs.item[0], sum->strings, sum->frames);
	m->merged = merge_new(sum->frames, kept_cells(o));
	/* Of one input only those symbols are read that it needs. */
	m->kallsyms_cache = o->inputs.n > 1 ? files_kallsyms_cache_new() : NULL;
	m->symbolize_cache = symbolize_cache_new(SYMBOLIZE_CACHE_BYTES, false);
}

static void merge_run_release(struct merge_run *m)
{
	left_out_release(&m->left_out);
	symbolize_cache_free(m->symbolize_cache);
	files_kallsyms_cache_free(m->kallsyms_cache);
	merge_free(m->merged);
	pipeline_release(&m->sum);
	pthread_cond_destroy(&m->progressed);
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

/* Branches are no trees: the pipeline adds up those of all inputs. */
static int merge_branches(struct options *o, int *status, struct err *e)
{
	struct pipeline_result result;
	int rc = run_command_pipeline(o, &result, e);

	if (!rc && !o->quiet)
		run_summary_print(&result, o);
	if (!rc)
		run_command_check_quality(o, &result, status);
	pipeline_release(&result);
	return rc;
}

static int run_merge(struct options *o, int *status, struct err *e)
{
	struct merge_run m;
	int rc = file_args_check_stdin(o, e);

	if (!rc && o->n_outputs && o->outputs[0].format->needs & OUTPUT_BRANCHES)
		return merge_branches(o, status, e);
	if (!rc)
		rc = check_formats(o, e);
	if (rc)
		return rc;
	merge_run_init(&m, o);
	rc = run_command_work(o, run_workers, &m, e);
	if (!rc && (!o->quiet || !o->merge.errors))
		left_out_print(&m.left_out, o->merge.errors);
	if (!rc && !o->quiet)
		run_summary_print(&m.sum, o);
	if (!rc && m.left_out.n) {
		message("%" PRIu32 " of %zu inputs left out", (uint32_t)m.left_out.n, o->inputs.n);
		*status = EXIT_LEFT_OUT;
	}
	if (!rc)
		run_command_check_quality(o, &m.sum, status);
	merge_run_release(&m);
	return rc;
}

int cmd_merge(int argc, char **argv, int *status, struct err *e)
{
	return run_command(FOR_MERGE, (struct command_line){ argc, argv },
		"perfold merge [OPTION...] [INPUT...]\n\n"
		"Adds up many recordings or profiles; times are not kept. The sum is the same in\n"
		"any order, and for folded stacks in any number of steps. See man perfold-fleet.",
		run_merge, status, e);
}
