/*
 * What commands share. run_command() parses the options of one, checks the files they name and
 * calls it; run_command_work() does its work with what surrounds it: directories of filters and of
 * debug information, progress, warnings, and temporary files that a signal removes. A command with
 * two sides calls it for each of them. The sandbox comes before anything that a stranger wrote.
 */
#include "cli/run_command.h"

#include "base/cache_dir.h"
#include "base/mem.h"
#include "cli/advice.h"
#include "cli/debug_archives.h"
#include "cli/cleanup.h"
#include "cli/cli.h"
#include "cli/filter_dirs.h"
#include "cli/named_files.h"
#include "cli/progress_line.h"
#include "cli/file_args.h"
#include "cli/sandbox.h"
#include "cli/version.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void guard_output(void *ctx, const char *option, const char *path)
{
	(void)ctx;
	(void)option;
	cleanup_output(path);
}

static void warn(void *ctx, const char *line)
{
	const struct options *o = ctx;

	if (!o->quiet)
		message("%s", line);
}

int run_command_begin(struct options *o, struct err *e)
{
	if (named_files_check(o, e))
		return e->code;
	if (o->symbol_cache && cache_dir_open(&o->run.files.symbol_cache, o->symbol_cache,
				       o->symbol_cache_bytes, e))
		return err_wrap(e, "--symbol-cache");
	file_args_each_output(o, guard_output, NULL);
	if (o->command & (FOR_FOLD | FOR_TOP | FOR_VIEW | FOR_MERGE | FOR_DIFF))
		file_args_report_repeats(o, warn, o);
	sandbox_enter(o);
	return OK;
}

void run_command_end(void)
{
	cleanup_outputs_done();
}

int run_command(enum command_bits command, struct command_line line, const char *usage,
	int (*run)(struct options *o, int *status, struct err *e), int *status, struct err *e)
{
	struct options o;
	int rc = options_parse(&o, command, line.argc, line.argv, e);

	if (!rc && o.help) {
		puts(usage);
		options_print_help(stdout, command);
	} else if (!rc && o.version) {
		version_print(o.verbose);
	} else if (!rc) {
		rc = run_command_begin(&o, e);
		if (!rc)
			rc = run(&o, status, e);
		if (!rc)
			run_command_end();
	}
	options_release(&o);
	return rc ? rc : run_command_flush(e);
}

static void advise(
	const struct pipeline_result *r, void (*put)(void *ctx, const char *line), void *ctx)
{
	size_t i;

	for (i = 0; i < r->n_recordings; i++) {
		struct frame_account account = { 0 };

		frame_account_add(&account, r->recordings[i]);
		advice_report(r, i, &account, put, ctx);
	}
}

/* The progress of both sides is one. */
static void begin_progress(struct options *o)
{
	const struct string_list *lists[] = { &o->inputs, &o->diff.bases };
	uint64_t bytes = 0;
	size_t i, k;

	if (o->work.all_bytes || o->inputs.n + o->diff.bases.n < 2)
		return;
	for (i = 0; i < ARRAY_LEN(lists); i++)
		for (k = 0; k < lists[i]->n; k++)
			bytes += file_size_bytes(lists[i]->item[k]);
	o->work.all_bytes = bytes;
}

static void report_cache(struct options *o)
{
	struct cache_dir *c = o->run.files.symbol_cache;
	const char *problem = c ? cache_dir_problem(c) : NULL;
	char *line;

	if (!problem)
		return;
	line = xasprintf("nothing is kept in --symbol-cache: %s", problem);
	warn(o, line);
	free(line);
}

int run_command_work(struct options *o, int (*work)(struct options *o, void *ctx, struct err *e),
	void *ctx, struct err *e)
{
	struct progress_line *line;
	struct filter_dirs dirs = { { NULL } };
	struct debug_archives archives;
	int rc;

	if (o->run.n_rules)
		filter_dirs_init(&dirs, !o->run.files.no_system);
	o->run.filter_dirs = dirs.dir;
	begin_progress(o);
	o->run.read.progress = &o->work;
	o->run.warn = warn;
	o->run.warn_ctx = o;
	o->run.advise = advise;
	o->run.scratch = cleanup_dir;
	line = progress_line_start(&o->work, o->quiet ? PROGRESS_NEVER : o->progress);
	rc = debug_archives_open(&archives, o, e);
	if (!rc)
		rc = work(o, ctx, e);
	if (rc == ERR_IO && o->default_input && strcmp(o->inputs.item[0], "-") != 0 &&
		access(o->inputs.item[0], F_OK))
		err_set(e, ERR_IO, "no INPUT is named, and there is no perf.data here");
	debug_archives_close(&archives);
	progress_line_stop(line);
	report_cache(o);
	filter_dirs_release(&dirs);
	return rc;
}

static int run_pipeline(struct options *o, void *result, struct err *e)
{
	return pipeline_run(&o->run, result, e);
}

int run_command_pipeline(struct options *o, struct pipeline_result *r, struct err *e)
{
	int rc;

	*r = (struct pipeline_result){ 0 };
	rc = run_command_work(o, run_pipeline, r, e);
	if (!rc && !o->quiet)
		named_files_report_unused(o, r, warn, o);
	return rc;
}

struct complaint {
	const char *path;
	int *status;
};

static void complain(void *ctx, const char *line)
{
	const struct complaint *c = ctx;

	message("--require: %s: %s", c->path, line);
	*c->status = EXIT_QUALITY;
}

void run_command_check_quality(
	const struct options *o, const struct pipeline_result *r, int *status)
{
	struct complaint c = { r->n_recordings ? r->recordings[0]->path : "", status };
	enum diag_kind which;

	requirements_report(&o->requirements, r, complain, &c);
	if (!o->strict || !diag_strict_failure(&r->diag, &which))
		return;
	message("--strict: %s", diag_message(&r->diag, which));
	*status = EXIT_QUALITY;
}

int run_command_flush(struct err *e)
{
	if (!fflush(stdout) && !ferror(stdout))
		return OK;
	err_errno(e, "standard output");
	return err_of_output(e);
}
