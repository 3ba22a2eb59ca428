#include "cli/options.h"

#include "base/mem.h"
#include "cli/cli_for_test.h"

#include <stdlib.h>

static void expect_refusal(const char *line, const char *message)
{
	struct options o;
	struct err e = { 0 };

	assert_int_equal(parse_line(&o, FOR_FOLD, line, &e), ERR_USAGE);
	if (!strstr(e.msg, message))
		fail_msg("\"%s\" does not hold \"%s\"", e.msg, message);
	options_release(&o);
}

static void wrong_command_line_says_what_is_wrong(void **state)
{
	(void)state;
	expect_refusal("--nonsense", "unknown option --nonsense; see perfold --help");
	expect_refusal("--colours red", "unknown option --colours; did you mean --colors?");
	expect_refusal("--widht 3 x", "unknown option --widht; did you mean --width?");
	expect_refusal("--kalsym=x", "unknown option --kalsym; did you mean --kallsyms?");
	expect_refusal("--max 3", "option --max is ambiguous: --max-block, --max-depth");
	expect_refusal("--tree x", "option --tree belongs to perfold top");
	expect_refusal("--quiet=x", "option --quiet takes no value");
	expect_refusal("-x y", "unknown option -x; see perfold --help");
	expect_refusal("tpo x", "is neither a file nor a command; did you mean perfold top?");
	expect_refusal("topp x", "is neither a file nor a command; did you mean perfold top?");
	expect_refusal("--symfs= x", "--symfs: the value is empty");
	expect_refusal("--comm= x", "--comm: the value is empty");
	expect_refusal("--output= x", "--output: the value is empty");
	expect_refusal("--pid", "--pid needs a value");
	expect_refusal("-o", "-o needs a value");
	expect_refusal("-o x.unknown", "no format has this suffix");
	expect_refusal("-o folded:", "no file after");
	expect_refusal("--to nonsense x", "no format is called \"nonsense\"");
	expect_refusal("--to svg --to folded -o x", "--to svg has no -o after it");
	expect_refusal("-o x.svg --to folded", "--to folded has no -o after it");
	expect_refusal("-o x.svg -o svg:x.svg", "two outputs to x.svg");
	expect_refusal("-q top x", "put commands before options, as in perfold top");
	expect_refusal("--from nonsense x", "no format is called \"nonsense\"");
	expect_refusal("--weight bytes x", "not one of period, samples, latency, field:NAME");
	expect_refusal("--root comm,nobody x", "\"nobody\" is not one of");
	expect_refusal("--root field:a,field:b,field:c,field:d x", "up to 3");
	expect_refusal("--weight field:a-b x", "not one of period, samples, latency, field:NAME");
	expect_refusal("--where pid x", "is not FIELD OP VALUE");
	expect_refusal("--where pid<many x", "\"many\" is not a number");
	expect_refusal("--min-block 5 --off-cpu x", "is not a time such as");
	expect_refusal("--min-block 5ms x", "need --off-cpu");
	expect_refusal("--off-cpu --weight field:ret x", "weighs by time");
	expect_refusal("--annotate kernel,foo x", "\"foo\" is not one of");
	expect_refusal("--colors pink x", "no palette is called \"pink\"");
	expect_refusal("--min-width 3em x", "neither a number of pixels");
	expect_refusal("--min-percent -1 x", "is not a number");
	expect_refusal("--min-percent 101 x", "is more than 100");
	expect_refusal("-j 0 x", "is not a whole number from 1");
	expect_refusal("-j 99999999999 x", "is not a whole number from 1");
	expect_refusal("--waker-depth 0 x", "is not a whole number from 1 to 16");
	expect_refusal("--waker-depth 17 x", "is not a whole number from 1 to 16");
	expect_refusal("--progress maybe x", "not one of auto, always, never");
	expect_refusal("--compat gdb x", "--compat: \"gdb\" is not \"perf\"");
	expect_refusal("--lost all x", "--lost: \"all\" is neither count nor frame");
	expect_refusal("--split pid -o x x",
		"\"pid\" is not one of process, thread, event, cpu, cgroup, label:KEY, time:1s");
	expect_refusal("--container x x", "is not PID=DIR");
	expect_refusal("--source-prefix x x", "is not OLD=NEW");
	expect_refusal("--source-prefix =x x", "is not OLD=NEW");
	expect_refusal("--source-prefix x= x", "is not OLD=NEW");
	expect_refusal("--comm ( x", "--comm");
	expect_refusal("--time 1,2,3 x", "--time");
	expect_refusal("--perf-map 99999999999=x x", "not a process ID");
}

static void wrong_labels_are_refused(void **state)
{
	(void)state;
	expect_refusal("--split label: -o y.svg x", "label:KEY");
	expect_refusal("--root label: x", "label:KEY");
	expect_refusal("--root label:a,label:b,label:c,label:d x", "label:KEY (up to 3)");
	expect_refusal("--label service x", "--label: \"service\" is not KEY=VALUE");
	expect_refusal("--label Service=web x", "\"Service\" is no key");
	expect_refusal("--label pid=1 x", "\"pid\" is the name of a column");
	expect_refusal("--label a=1 --label a=2 x", "a is given twice: 1 and 2");
}

static void there_are_no_more_workers_than_cpus(void **state)
{
	struct options o;
	struct err e;

	(void)state;
	assert_int_equal(parse_line(&o, FOR_FOLD, "-j 100000 x", &e), OK);
	assert_int_equal(o.run.jobs, pool_cpus());
	options_release(&o);
	assert_int_equal(parse_line(&o, FOR_FOLD, "-j 1 x", &e), OK);
	assert_int_equal(o.run.jobs, 1);
	options_release(&o);
}

static void outputs_get_their_format_from_suffix_prefix_or_to(void **state)
{
	struct options o;
	struct err e;

	(void)state;
	assert_int_equal(parse_line(&o, FOR_FOLD,
				 "in -o a.svg -o folded:b.svg --to cpuprofile -o c.txt "
				 "-o d.folded.gz -o -",
				 &e),
		OK);
	assert_int_equal(o.n_outputs, 5);
	assert_string_equal(o.outputs[0].format->name, "svg");
	assert_string_equal(o.outputs[1].format->name, "folded");
	assert_string_equal(o.outputs[1].path, "b.svg");
	assert_string_equal(o.outputs[2].format->name, "cpuprofile");
	assert_string_equal(o.outputs[3].format->name, "folded");
	assert_int_equal(o.outputs[3].packing, SINK_GZIP);
	assert_string_equal(o.outputs[4].format->name, "folded");
	assert_string_equal(o.inputs.item[0], "in");
	options_release(&o);
}

static void without_outputs_folded_stacks_go_to_standard_output(void **state)
{
	struct options o;
	struct err e;

	(void)state;
	assert_int_equal(parse_line(&o, FOR_FOLD, "in", &e), OK);
	assert_int_equal(o.n_outputs, 1);
	assert_string_equal(o.outputs[0].path, "-");
	assert_string_equal(o.outputs[0].format->name, "folded");
	options_release(&o);
	assert_int_equal(parse_line(&o, FOR_FOLD, "--to svg in", &e), OK);
	assert_string_equal(o.outputs[0].format->name, "svg");
	options_release(&o);
}

static void values_arrive_in_the_options_of_the_stages(void **state)
{
	struct options o;
	struct err e;

	(void)state;
	assert_int_equal(parse_line(&o, FOR_FOLD,
				 "--root process,comm-pid/tid --annotate all --weight samples "
				 "--min-width 2.5% --perf-map 12=a.map --perf-map b.map "
				 "-F nodejs -e drop:/x/ --compat perf",
				 &e),
		OK);
	assert_int_equal(o.run.collapse.roots[0], ROOT_PROCESS);
	assert_int_equal(o.run.collapse.roots[1], ROOT_COMM_PID_TID);
	assert_int_equal(o.run.collapse.roots[2], ROOT_END);
	assert_int_equal(o.run.collapse.annotate, ANNOTATE_KERNEL | ANNOTATE_JIT);
	assert_true(o.run.read.weight_by_samples);
	assert_true(o.run.output.picture.min_width_is_percent);
	assert_true(o.run.output.picture.min_width_given);
	assert_true(o.run.output.picture.min_width == 2.5);
	assert_int_equal(o.run.files.perf_maps[0].pid, 12);
	assert_string_equal(o.run.files.perf_maps[0].path, "a.map");
	assert_int_equal(o.run.files.perf_maps[1].pid, -1);
	assert_true(o.run.rules[0].is_file);
	assert_string_equal(o.run.rules[1].text, "drop:/x/");
	assert_true(o.run.read.compat_perf);
	options_release(&o);
	assert_int_equal(parse_line(&o, FOR_FOLD, "--root none in", &e), OK);
	assert_int_equal(o.run.collapse.roots[0], ROOT_END);
	options_release(&o);
}

static void choices_arrive_as_enum_or_bool(void **state)
{
	struct options o;
	struct err e;

	(void)state;
	assert_int_equal(
		parse_line(&o, FOR_FOLD, "--truncated merge --lost frame --progress never x", &e),
		OK);
	assert_int_equal(o.run.read.truncated, TRUNCATED_MERGE);
	assert_true(o.run.collapse.lost_frame);
	assert_int_equal(o.progress, PROGRESS_NEVER);
	options_release(&o);
	assert_int_equal(parse_line(&o, FOR_DIFF,
				 "--lost frame --lost count --by total --match exact a b", &e),
		OK);
	assert_false(o.run.collapse.lost_frame);
	assert_int_equal(o.top.by, TOP_BY_TOTAL);
	assert_true(o.diff.exact && !o.diff.absolute && !o.run.read.compat_perf);
	options_release(&o);
}

static void tables_of_blocked_time_are_ordered_by_total(void **state)
{
	static const struct {
		const char *line;
		enum top_order by;
	} cases[] = { { "x", TOP_BY_SELF }, { "--off-cpu x", TOP_BY_TOTAL },
		{ "--wall x", TOP_BY_TOTAL }, { "--off-cpu --by self x", TOP_BY_SELF } };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct options o;
		struct err e;

		assert_int_equal(parse_line(&o, FOR_TOP, cases[i].line, &e), OK);
		assert_int_equal(o.top.by, cases[i].by);
		options_release(&o);
	}
}

static void blocked_time_is_alone_or_with_all_time(void **state)
{
	static const struct {
		const char *line;
		enum off_cpu_mode wanted;
	} cases[] = { { "x", OFF_CPU_NOT }, { "--off-cpu x", OFF_CPU_ALONE },
		{ "--wakers x", OFF_CPU_ALONE }, { "--waker-depth 3 x", OFF_CPU_ALONE },
		{ "--wall --off-cpu x", OFF_CPU_WALL }, { "--wakers --wall x", OFF_CPU_WALL } };
	struct options o;
	struct err e;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		assert_int_equal(parse_line(&o, FOR_FOLD, cases[i].line, &e), OK);
		assert_int_equal(o.run.read.off_cpu, cases[i].wanted);
		options_release(&o);
	}
}

static void commands_know_their_own_options_only(void **state)
{
	struct options o;
	struct err e;

	(void)state;
	assert_int_equal(parse_line(&o, FOR_INFO, "--title x in", &e), ERR_USAGE);
	options_release(&o);
	assert_int_equal(parse_line(&o, FOR_INFO, "--symfs a --symfs b in", &e), OK);
	assert_string_equal(o.run.files.symfs[1], "b");
	assert_null(o.run.files.symfs[2]);
	options_release(&o);
}

static void sources_are_found_by_directory_and_prefix(void **state)
{
	const struct files_opts *f;
	struct options o;
	struct err e;

	(void)state;
	assert_int_equal(parse_line(&o, FOR_FOLD,
				 "--source-dir a --source-prefix /b=c=d --source-dir e "
				 "--source-prefix f=g in",
				 &e),
		OK);
	f = &o.run.files;
	assert_string_equal(f->source_dirs[0], "a");
	assert_string_equal(f->source_dirs[1], "e");
	assert_null(f->source_dirs[2]);
	assert_int_equal(f->n_source_prefixes, 2);
	assert_string_equal(f->source_prefixes[0].from, "/b");
	assert_string_equal(f->source_prefixes[0].to, "c=d");
	assert_string_equal(f->source_prefixes[1].to, "g");
	options_release(&o);
}

static void gates_are_parsed_before_anything_is_read(void **state)
{
	struct options o;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(parse_line(&o, FOR_DIFF,
				 "--fail-if default --require lost<1% --confidence 99 a b", &e),
		OK);
	assert_int_equal(o.gate.rules.n, 2);
	assert_int_equal(o.requirements.n, 1);
	assert_int_equal(o.run.needs, OUTPUT_BY_NAME); /* numbers of samples */
	assert_true(o.gate.confidence == 99);
	assert_int_equal(o.gate.min_samples, 20);
	options_release(&o);
	assert_int_equal(parse_line(&o, FOR_TOP, "--fail-if any-self>+2pp a", &e), ERR_USAGE);
	assert_non_null(strstr(e.msg, "--fail-if: \"any-self>+2pp\", column 10: growth"));
	options_release(&o);
	assert_int_equal(parse_line(&o, FOR_TOP, "--verdict x.md a", &e), ERR_USAGE);
	assert_non_null(strstr(e.msg, "--verdict writes what --fail-if found"));
	options_release(&o);
	expect_refusal("--require lost=1 x", "column 5");
	expect_refusal(
		"--fail-if default x", "option --fail-if belongs to perfold top, perfold diff");
}

static void expect_merge_refusal(const char *line, const char *message)
{
	struct options o;
	struct err e = { 0 };

	assert_int_equal(parse_line(&o, FOR_MERGE, line, &e), ERR_USAGE);
	assert_string_equal(e.msg, message);
	options_release(&o);
}

static void options_of_lists_need_each_other(void **state)
{
	(void)state;
	expect_merge_refusal("x --errors e.json", "--errors needs --keep-going");
	expect_merge_refusal("x -0", "--null needs --inputs-from");
	expect_merge_refusal(
		"--inputs-from /dev/null x", "--inputs-from: /dev/null names no input");
	expect_refusal("--keep-going x", "option --keep-going belongs to perfold merge");
}

static void help_lists_every_option_with_its_text(void **state)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	(void)state;
	options_print_help(f, FOR_FOLD);
	fclose(f);
	assert_non_null(strstr(text, "  -o, --output [FORMAT:]FILE\n"));
	assert_non_null(strstr(text, "  -j, --jobs N          worker threads"));
	assert_non_null(strstr(text, "\nPictures:\n"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wrong_command_line_says_what_is_wrong),
		cmocka_unit_test(wrong_labels_are_refused),
		cmocka_unit_test(there_are_no_more_workers_than_cpus),
		cmocka_unit_test(outputs_get_their_format_from_suffix_prefix_or_to),
		cmocka_unit_test(without_outputs_folded_stacks_go_to_standard_output),
		cmocka_unit_test(values_arrive_in_the_options_of_the_stages),
		cmocka_unit_test(choices_arrive_as_enum_or_bool),
		cmocka_unit_test(tables_of_blocked_time_are_ordered_by_total),
		cmocka_unit_test(blocked_time_is_alone_or_with_all_time),
		cmocka_unit_test(commands_know_their_own_options_only),
		cmocka_unit_test(sources_are_found_by_directory_and_prefix),
		cmocka_unit_test(gates_are_parsed_before_anything_is_read),
		cmocka_unit_test(options_of_lists_need_each_other),
		cmocka_unit_test(help_lists_every_option_with_its_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
