/* perfold [OPTION...] [INPUT...]: read, resolve, filter, collapse, write */
#include "cli/advice.h"
#include "cli/cli.h"
#include "cli/filter_dirs.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/summary.h"

static void print_help(void)
{
	puts("perfold [OPTION...] [INPUT...]           read, resolve, filter, collapse, write\n"
	     "perfold COMMAND [OPTION...] [ARG...]\n\n"
	     "Turns a recording made by Linux perf into flame graphs and CPU profiles.\n"
	     "INPUT is a perf.data file, perf script text or folded stacks; - is standard\n"
	     "input. Without INPUT: standard input if piped, else perf.data.\n\n"
	     "  perfold perf.data --filter nodejs -o flame.svg -o cpu.cpuprofile\n\n"
	     "Commands:");
	commands_print();
	options_print_help(stdout, FOR_FOLD);
	puts("\nExit status: 0 done; 1 the input or an output failed; 2 usage; 4 the recording\n"
	     "is not good enough (--strict).");
}

static void print_lists(const struct options *o)
{
	unsigned i;

	if (o->list_from)
		printf("%-12s %s\n", "perf.data", "recordings of perf record");
	for (i = 0; o->list_from && input_formats[i]; i++)
		printf("%-12s %s\n", input_formats[i]->name, input_formats[i]->about);
	for (i = 0; o->list_to && output_formats[i]; i++)
		printf("%-12s %s\n", output_formats[i]->name, output_formats[i]->about);
	for (i = 0; o->list_colors && output_palette(i); i++)
		puts(output_palette(i));
}

static int check_strict(const struct options *o, const struct pipeline_result *r, int *status)
{
	enum diag_kind which;

	if (o->strict && diag_strict_failure(&r->diag, &which)) {
		fprintf(stderr, "perfold: --strict: %s\n", diag_info(which)->text);
		*status = EXIT_QUALITY;
	}
	return OK;
}

static void warn(void *ctx, const char *line)
{
	const struct options *o = ctx;

	if (!o->quiet)
		fprintf(stderr, "perfold: %s\n", line);
}

static void advise(
	const struct pipeline_result *r, void (*put)(void *ctx, const char *line), void *ctx)
{
	size_t i;

	for (i = 0; i < r->n_recordings; i++) {
		struct frame_account account = { 0 };

		frame_account(&account, r->recordings[i]);
		advice_give(r, i, &account, put, ctx);
	}
}

static int run(struct options *o, int *status, struct err *e)
{
	struct progress progress = { 0 };
	struct pipeline_result result;
	struct progress_line *line;
	struct filter_dirs dirs;
	int rc;

	filter_dirs_init(&dirs);
	o->run.filter_dirs = dirs.dir;
	o->run.progress = &progress;
	o->run.warn = warn;
	o->run.warn_ctx = o;
	o->run.advise = advise;
	line = progress_line_start(&progress, o->quiet ? PROGRESS_NEVER : o->progress);
	rc = pipeline_run(&o->run, &result, e);
	progress_line_stop(line);
	if (!rc) {
		summary_print(&result, o);
		rc = check_strict(o, &result, status);
	}
	pipeline_release(&result);
	filter_dirs_release(&dirs);
	return rc;
}

static int fold(int argc, char **argv, int *status, struct err *e)
{
	struct options o;
	int rc = options_parse(&o, FOR_FOLD, argc, argv, e);

	if (!rc) {
		if (o.help)
			print_help();
		else if (o.version)
			puts("perfold " PERFOLD_VERSION);
		else if (o.list_from || o.list_to || o.list_colors)
			print_lists(&o);
		else
			rc = run(&o, status, e);
	}
	options_release(&o);
	return rc;
}

const struct command command_fold = { NULL, NULL, fold };
