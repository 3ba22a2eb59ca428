/*
 * What the options mean together, once all are read: default input and output, combinations that
 * are refused, and what follows from others.
 */
#include "cli/options.h"

#include "base/cache_dir.h"
#include "base/mem.h"
#include "base/pool.h"
#include "cli/file_args.h"
#include "cli/value.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In perfold top 0 is a choice: the tree as it is. */
#define MIN_PERCENT_DEFAULT (-1.0)
#define TREE_MIN_PERCENT    1.0

void options_defaults(struct options *o)
{
	*o = (struct options){ 0 };
	o->run.read.choice = &o->choice;
	o->run.labels = &o->labels;
	o->run.read.root_field_names = &o->root_fields;
	o->run.collapse.roots[0] = ROOT_COMM;
	o->run.output.version = PERFOLD_VERSION;
	o->source_bytes = 16 << 20;
	o->symbol_cache_bytes = 1 << 30;
	o->top.by = TOP_BY_DEFAULT;
	o->run.collapse.min_percent = MIN_PERCENT_DEFAULT;
	o->diff.confidence = 95;
	o->strip.hidden = STRIP_DEFAULT;
	o->gate.confidence = 99.9;
	o->gate.variation = 3;
	o->gate.min_samples = 20;
}

/* A file, or a directory with a recording: where a function is asked for, "src" is one, and "."
 * matches all of them. */
static bool may_be_input(const char *path)
{
	struct stat st;
	char *data;
	bool has_data;

	if (strcmp(path, "-") == 0)
		return true;
	if (stat(path, &st))
		return false;
	if (!S_ISDIR(st.st_mode))
		return true;
	data = xasprintf("%s/data", path); /* see input/open.c */
	has_data = access(data, F_OK) == 0;
	free(data);
	return has_data;
}

/* perfold annotate [FUNCTION] [INPUT...]: what is no input is a function. */
static void take_function(struct options *o)
{
	struct string_list *inputs = &o->inputs;

	if (!inputs->n || may_be_input(inputs->item[0]))
		return;
	o->annotate.function = inputs->item[0];
	memmove(inputs->item, inputs->item + 1, inputs->n * sizeof(*inputs->item));
	inputs->n--;
}

/* Without INPUT: standard input if something is piped in, else perf.data, as in perf. */
static void default_input(struct options *o)
{
	struct stat st;

	o->default_input = true;
	if (fstat(STDIN_FILENO, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)))
		string_list_add(&o->inputs, "-");
	else
		string_list_add(&o->inputs, "perf.data");
}

static int default_output(struct options *o, struct err *e)
{
	if (o->to && o->n_outputs)
		return err_set(e, ERR_USAGE, "--to %.100s has no -o after it", o->to);
	if (o->n_outputs || (o->command & (FOR_DIFF | FOR_SPANS) && !o->to))
		return OK; /* these print a table by default */
	o->default_output = !o->to;
	return value_output(o, "-", e);
}

/* The marks in an output's name (%p, %t, ...) say what is in the name of each part's file. */
static int check_split(const struct options *o, struct err *e)
{
	size_t i;

	for (i = 0; i < o->n_outputs && o->run.split.by; i++) {
		if (strcmp(o->outputs[i].path, "-") == 0)
			return err_set(
				e, ERR_USAGE, "--split makes several files: name them by -o FILE");
		if (output_check_marks(o->outputs[i].path, e))
			return err_wrap(e, "%.200s", o->outputs[i].path);
	}
	return OK;
}

/* Other commands write a profile that they made, not what they read. */
static int check_branches(const struct options *o, struct err *e)
{
	size_t i, n = 0;

	for (i = 0; i < o->n_outputs; i++) {
		if (!(o->outputs[i].format->needs & OUTPUT_BRANCHES))
			continue;
		if (o->command != FOR_FOLD && o->command != FOR_MERGE)
			return err_set(e, ERR_USAGE,
				"%.200s: branches are written by perfold without a command, which "
				"adds up those of all inputs",
				o->outputs[i].path);
		n++;
	}
	if (n && n < o->n_outputs && o->command == FOR_MERGE)
		return err_set(e, ERR_USAGE,
			"perfold merge writes either branches or stacks: give their outputs in two "
			"runs");
	if (n && o->merge.keep_going)
		return err_set(e, ERR_USAGE,
			"--keep-going: profiles of branches are made of all inputs or none");
	if (o->binaries.n && !n)
		return err_set(e, ERR_USAGE,
			"--binary says whose branches are written, and no output is about "
			"branches: -o x.preagg");
	return OK;
}

/* Variables for tests: with small blocks every recording crosses their borders, and results must
 * not depend on what is installed on a machine. */
static void read_environment(struct options *o)
{
	const char *text = getenv("PERFOLD_BLOCK_SIZE");
	struct span s = span_of(text);
	uint64_t bytes;

	if (text && span_scan_u64(&s, &bytes) && !s.n && bytes >= 64 && bytes <= 64 << 20)
		o->run.read.block_bytes = (size_t)bytes;
	o->run.files.no_system |= getenv("PERFOLD_NO_SYSTEM") != NULL;
}

/* Refuses what cannot be combined with blocked time, or needs it. */
static int check_off_cpu(const struct options *o, struct err *e)
{
	const struct pipeline_opts *run = &o->run;

	if (run->read.off_cpu && run->read.weight_field)
		return err_set(e, ERR_USAGE,
			"--off-cpu weighs by time: leave out --weight field:%s",
			run->read.weight_field);
	if (run->read.off_cpu && run->read.compat_perf)
		return err_set(
			e, ERR_USAGE, "--compat perf: perf has no --off-cpu to compare with");
	if (!run->read.off_cpu && (run->read.min_block_ns || run->read.max_block_ns))
		return err_set(e, ERR_USAGE, "--min-block and --max-block need --off-cpu");
	return OK;
}

/* perfold top --latency is --weight latency. */
static int choose_latency(struct options *o, struct err *e)
{
	struct read_opts *read = &o->run.read;
	const struct top_opts *top = &o->top;

	if (!top->latency)
		return OK;
	if (read->weight_by_samples || read->weight_field)
		return err_set(e, ERR_USAGE,
			"--latency is --weight latency, with CPU time beside it: leave out the "
			"other --weight");
	if (top->tree || top->callers || top->callees || top->paths)
		return err_set(e, ERR_USAGE,
			"--latency makes a table with two weights; for a tree by one of them, give "
			"--weight latency");
	read->weight_by_latency = true;
	return OK;
}

static int check_latency(const struct options *o, struct err *e)
{
	const struct read_opts *read = &o->run.read;

	if (read->weight_by_latency && read->off_cpu)
		return err_set(e, ERR_USAGE,
			"--weight latency is about threads that run: leave out --off-cpu or "
			"--wall");
	if (read->weight_by_latency && read->compat_perf)
		return err_set(e, ERR_USAGE,
			"--compat perf: perf 6.1 has no --weight latency to compare with");
	if (!read->weight_by_latency && read->parallelism_of != PARALLELISM_OF_PROCESS)
		return err_set(e, ERR_USAGE, "--parallelism needs --weight latency");
	return OK;
}

static int check_gate(const struct options *o, struct err *e)
{
	if (!o->gate.rules.n && (o->gate.verdicts.n || o->gate.summary))
		return err_set(e, ERR_USAGE, "%s writes what --fail-if found: give --fail-if RULES",
			o->gate.summary ? "--summary" : "--verdict");
	return OK;
}

/* For outputs with the source of functions. perfold annotate chooses its own. */
static void choose_source(struct options *o)
{
	struct annotation_opts *a = &o->run.annotation;

	a->min_percent = 0.1;
	a->instructions = a->if_any = true;
	a->max_bytes = o->source_bytes;
	a->off = !o->source_bytes || o->command != FOR_FOLD;
}

static int read_list(struct options *o, struct err *e)
{
	if (o->merge.errors && !o->merge.keep_going)
		return err_set(e, ERR_USAGE, "--errors needs --keep-going");
	if (!o->merge.list.path)
		return o->merge.list.nul ? err_set(e, ERR_USAGE, "--null needs --inputs-from") : OK;
	return o->help || o->version ? OK : input_list_read(&o->merge.list, &o->inputs, e);
}

int options_finish(struct options *o, struct err *e)
{
	struct pipeline_opts *run = &o->run;

	run->read.wakers |= run->read.waker_depth != 0;
	run->read.off_cpu = o->wall                          ? OFF_CPU_WALL
			    : o->off_cpu || run->read.wakers ? OFF_CPU_ALONE
							     : OFF_CPU_NOT;
	/* Whatever a thread waits for, it leaves the CPU in __schedule. */
	if (o->top.by == TOP_BY_DEFAULT)
		o->top.by = run->read.off_cpu != OFF_CPU_NOT ? TOP_BY_TOTAL : TOP_BY_SELF;
	if (run->collapse.min_percent < 0)
		run->collapse.min_percent = o->command == FOR_TOP ? TREE_MIN_PERCENT : 0;
	if (o->command == FOR_ANNOTATE)
		take_function(o);
	if (read_list(o, e))
		return e->code;
	if (!o->inputs.n)
		default_input(o);
	if (default_output(o, e) || file_args_check(o, e) || check_split(o, e) ||
		check_branches(o, e) || check_off_cpu(o, e) || choose_latency(o, e) ||
		check_latency(o, e) || check_gate(o, e))
		return e->code;
	if (o->command & FOR_WRITERS)
		choose_source(o);
	/* Lists move as they grow: only now it is known where they are. */
	run->inputs = o->inputs.item;
	run->n_inputs = o->inputs.n;
	run->outputs = o->outputs;
	run->n_outputs = o->n_outputs;
	run->read.events = o->events.item;
	run->files.symfs = o->symfs.item;
	run->symbolize.source_maps = o->source_maps.item;
	run->files.source_dirs = o->source_dirs.item;
	run->files.source_prefixes = o->source_prefixes.item;
	run->files.n_source_prefixes = (uint32_t)o->source_prefixes.n;
	run->files.debug_dirs = o->debug_dirs.item;
	run->binaries = o->binaries.n ? o->binaries.item : NULL;
	run->files.perf_maps = o->perf_maps.item;
	run->files.n_perf_maps = (uint32_t)o->perf_maps.n;
	run->files.containers = o->containers.item;
	run->files.n_containers = (uint32_t)o->containers.n;
	run->files.jitdumps = o->jitdumps.item;
	run->files.n_jitdumps = (uint32_t)o->jitdumps.n;
	run->files.home = getenv("HOME");
	/* More threads than CPUs only take memory and processes from others. */
	if (run->jobs > pool_cpus())
		run->jobs = pool_cpus();
	run->rules = o->rules;
	run->n_rules = o->n_rules;
	read_environment(o);
	return OK;
}

void options_release(struct options *o)
{
	cache_dir_close(o->run.files.symbol_cache);
	string_list_release_all(&o->strings);
	label_list_release(&o->labels);
	string_list_release(&o->inputs);
	input_list_release(&o->merge.list);
	string_list_release(&o->diff.bases);
	string_list_release(&o->gate.verdicts);
	string_list_release(&o->events);
	string_list_release(&o->symfs);
	string_list_release(&o->source_maps);
	string_list_release(&o->source_dirs);
	free(o->source_prefixes.item);
	string_list_release(&o->debug_dirs);
	string_list_release(&o->binaries);
	gate_rules_release(&o->gate.rules);
	requirements_release(&o->requirements);
	free(o->outputs);
	free(o->rules);
	free(o->perf_maps.item);
	free(o->proc_maps.item);
	free(o->jitdumps.item);
	free(o->containers.item);
	sample_choice_release(&o->choice);
	during_release(&o->during);
}
