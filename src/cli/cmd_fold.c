/* perfold [OPTION...] [INPUT...]: the pipeline, and the lists and scripts that need no input. */
#include "cli/cli.h"
#include "cli/completion.h"
#include "cli/run_command.h"
#include "cli/run_summary.h"
#include "cli/version.h"

#include <unistd.h>

static void print_help(void)
{
	puts("perfold [OPTION...] [INPUT...]           read, resolve, filter, fold, write\n"
	     "perfold COMMAND [OPTION...] [ARG...]\n\n"
	     "Turns a recording made by Linux perf into flame graphs and CPU profiles.\n"
	     "INPUT is a perf.data file, perf script text or folded stacks; - is standard\n"
	     "input. Without INPUT: standard input if piped, else perf.data. Without an\n"
	     "output: folded stacks; on a terminal, what costs most.\n\n"
	     "  perfold perf.data --filter nodejs -o flame.svg -o cpu.cpuprofile\n\n"
	     "Commands:");
	commands_print();
	options_print_help(stdout, FOR_FOLD);
	puts("\nExit status: 0 done; 1 an input failed; 2 usage error; 3 a rule of diff or top\n"
	     "--fail-if holds; 4 the recording is not good enough (--strict, --require); 5\n"
	     "merge --keep-going left inputs out; 6 an output could not be written, or the\n"
	     "disk is full: it may be tried again.");
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

static int print_completion(const char *shell, struct err *e)
{
	struct buf b = { 0 };
	int rc = completion_put(&b, shell, e);

	if (!rc)
		fwrite(b.p, 1, b.n, stdout);
	buf_release(&b);
	return rc;
}

static int run_fold(struct options *o, int *status, struct err *e)
{
	struct pipeline_result result;
	int rc;

	rc = run_command_begin(o, e);
	if (rc)
		return rc;
	rc = run_command_pipeline(o, &result, e);
	if (!rc) {
		run_summary_print(&result, o);
		run_command_check_quality(o, &result, status);
		run_command_end();
	}
	pipeline_release(&result);
	return rc;
}

/* On a terminal, folded stacks are a flood; whoever wants them there says so: --to folded. */
static bool is_for_people(const struct options *o)
{
	return o->default_output && isatty(STDOUT_FILENO);
}

static int fold_or_show(struct options *o, int argc, char **argv, int *status, struct err *e)
{
	bool fits = false;
	int rc = OK;

	if (is_for_people(o))
		rc = cmd_top_first_page(argc, argv, &fits, status, e);
	return fits ? rc : run_fold(o, status, e);
}

int cmd_fold(int argc, char **argv, int *status, struct err *e)
{
	struct options o;
	int rc = options_parse(&o, FOR_FOLD, argc, argv, e);

	if (!rc) {
		if (o.help)
			print_help();
		else if (o.version)
			version_print(o.verbose);
		else if (o.list_from || o.list_to || o.list_colors)
			print_lists(&o);
		else if (o.completion)
			rc = print_completion(o.completion, e);
		else
			rc = fold_or_show(&o, argc, argv, status, e);
	}
	options_release(&o);
	return rc ? rc : run_command_flush(e);
}
