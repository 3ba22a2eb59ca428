#include "output/output_formats.h"

#include "output/output_for_test.h"

#include <stdio.h>

static str_id text(struct output_bed *x, const char *s)
{
	return strtab_add_str(x->t.p.strings, s);
}

/* A row without what all rows begin with. */
#define ROW(recording, rest) "{\"perfold_rows\":1,\"recording\":" recording "," rest "}\n"
#define NO_TIME              "\"time_us\":null,\"duration_us\":null,\"host\":null,"

static void check_rows(struct output_bed *x, bool lines, const char *expected)
{
	struct output_opts o = { .native_places = lines };

	write_output(&rows_format, &x->t.p, &o, &x->text);
	assert_string_equal(buf_str(&x->text), expected);
}

static struct profile_key nothing(void)
{
	return (struct profile_key){ .root = { .pid = -1, .tid = -1, .cpu = -1 } };
}

static void what_is_not_known_is_null(void **state)
{
	struct output_bed *x = *state;
	struct profile_key key = nothing();

	test_profile_add(&x->t, SPAN("a;b"), 1);
	test_profile_finish(&x->t);
	test_profile_key(&x->t, &key);
	test_profile_cell(&x->t, 2, 0, 3, 300);
	test_profile_cell(&x->t, 0, 0, 1, 5); /* without frames */
	check_rows(x, false,
		ROW("null", NO_TIME
			"\"process\":null,\"comm\":null,\"pid\":null,\"tid\":null,\"event\":null,"
			"\"unit\":null,\"period\":null,\"samples\":1,\"weight\":5,\"stack\":[],"
			"\"module\":[],\"kind\":\"\",\"leaf\":null,\"stack_id\":0") ROW("null",
			NO_TIME
			"\"process\":null,\"comm\":null,\"pid\":null,\"tid\":null,\"event\":"
			"null,\"unit\":null,\"period\":null,\"samples\":3,\"weight\":300,"
			"\"stack\":[\"a\",\"b\"],\"module\":[null,null],\"kind\":\"uu\","
			"\"leaf\":\"b\",\"stack_id\":7610433897577654660"));
}

/* Labels are columns of all rows, and keys that say more have them. */
static void labels_and_threads_are_columns(void **state)
{
	struct output_bed *x = *state;
	struct profile_key key = nothing();
	struct label_list l = { 0 };

	test_profile_add(&x->t, SPAN("a"), 1);
	test_profile_finish(&x->t);
	test_profile_key(&x->t, &key);
	label_list_set(&l, SPAN("recording"), SPAN("r1"));
	label_list_set(&l, SPAN("time_us"), SPAN("1700000000000000"));
	label_list_set(&l, SPAN("duration_us"), SPAN("99"));
	label_list_set(&l, SPAN("host"), SPAN("h\"1"));
	label_list_set(&l, SPAN("service"), SPAN("web"));
	key.labels = label_list_pack(&l, x->t.p.strings);
	label_list_release(&l);
	key.root = (struct root){ .process = text(x, "node"),
		.comm = text(x, "V8 <worker>"),
		.pid = 7,
		.tid = 0,
		.cpu = 0,
		.event = text(x, "cycles:u"),
		.cgroup = text(x, "/a"),
		.state = text(x, "[disk]") };
	key.unit = text(x, "cycles");
	key.period = 1000;
	test_profile_key(&x->t, &key);
	test_profile_cell(&x->t, 1, 0, 1, 1);
	test_profile_cell(&x->t, 1, 1, 2, 2000);
	check_rows(x, false,
		ROW("null",
			"\"service\":null," NO_TIME
			"\"process\":null,\"comm\":null,\"pid\":null,\"tid\":null,\"cpu\":null,"
			"\"cgroup\":null,\"state\":null,\"event\":null,\"unit\":null,\"period\":"
			"null,\"samples\":1,\"weight\":1,\"stack\":[\"a\"],\"module\":[null],"
			"\"kind\":\"u\",\"leaf\":\"a\",\"stack_id\":6001499262709102799") ROW("\"r1"
											      "\"",
			"\"service\":\"web\",\"time_us\":1700000000000000,"
			"\"duration_us\":99,\"host\":\"h\\\"1\",\"process\":\"node\",\"comm\":"
			"\"V8 \\u003cworker>\",\"pid\":7,\"tid\":0,\"cpu\":0,\"cgroup\":\"/a\","
			"\"state\":\"[disk]\",\"event\":\"cycles:u\",\"unit\":\"cycles\","
			"\"period\":1000,\"samples\":2,\"weight\":2000,\"stack\":[\"a\"],"
			"\"module\":[null],\"kind\":\"u\",\"leaf\":\"a\",\"stack_id\":"
			"6001499262709102799"));
}

/* A profile has a label more for each key. */
static void add_labels(struct output_bed *x, unsigned from, unsigned to)
{
	for (; from < to; from++) {
		struct profile_key key = nothing();
		struct label_list l = { 0 };
		char name[16];

		snprintf(name, sizeof(name), "k%u", from);
		label_list_set(&l, span_of(name), SPAN("v"));
		key.labels = label_list_pack(&l, x->t.p.strings);
		label_list_release(&l);
		test_profile_key(&x->t, &key);
	}
}

static void rows_have_so_many_columns(void **state)
{
	struct output_bed *x = *state;
	static const struct output_opts nothing_asked;
	struct sink *to;
	struct err e;

	test_profile_add(&x->t, SPAN("a"), 1);
	test_profile_finish(&x->t);
	add_labels(x, 0, LABELS_MAX);
	write_output(&rows_format, &x->t.p, NULL, &x->text);
	add_labels(x, LABELS_MAX, LABELS_MAX + 1);
	to = sink_to_buf(&x->text);
	assert_int_equal(rows_format.write(&x->t.p, &nothing_asked, to, &e), ERR_UNSUPPORTED);
	assert_string_equal(
		e.msg, "samples have more than 256 different labels: rows have no more columns");
	sink_abort(to);
}

static void add_stack(struct output_bed *x, const struct frame *frames, size_t n)
{
	frame_id ids[4];
	size_t i;

	for (i = 0; i < n; i++)
		ids[i] = frames_add(x->t.p.frames, &frames[i]);
	test_profile_add_frames(&x->t, ids, n, 1);
}

/* Everything after "weight" of each row. */
static void check_stacks(struct output_bed *x, bool lines, const char *expected)
{
	struct output_opts o = { .native_places = lines };
	struct span rest, line;
	struct buf got = { 0 };
	struct profile_key key = nothing();
	node_id i;

	test_profile_finish(&x->t);
	test_profile_key(&x->t, &key);
	for (i = 0; i < x->t.p.n_nodes; i++)
		if (x->t.p.nodes[i].self)
			test_profile_cell(&x->t, i, 0, 1, x->t.p.nodes[i].self);
	write_output(&rows_format, &x->t.p, &o, &x->text);
	rest = buf_span(&x->text);
	while (span_next_line(&rest, &line)) {
		const char *from = memmem(line.p, line.n, "\"weight\"", 8);
		const char *to = memmem(line.p, line.n, ",\"leaf\"", 7);

		buf_put_span(&got, span_range(from, to));
		buf_putc(&got, '\n');
	}
	assert_string_equal(buf_str(&got), expected);
	buf_release(&got);
}

/* Their rows could not be told apart. */
static void stacks_that_look_alike_are_one_row(void **state)
{
	struct output_bed *x = *state;
	struct frame f[] = { { .kind = FRAME_ROOT }, { .kind = FRAME_USER },
		{ .kind = FRAME_USER } };

	f[0].name = text(x, "one");
	f[1].name = text(x, "main");
	f[2].name = text(x, "f");
	f[2].module = text(x, "/bin/x");
	add_stack(x, f, 3);
	f[0].name = text(x, "two");
	f[1].build = text(x, "ab01");
	add_stack(x, f, 3);
	f[2].module = text(x, "/bin/y");
	add_stack(x, f, 3);
	check_stacks(x, false,
		"\"weight\":2,\"stack\":[\"main\",\"f\"],\"module\":[null,\"/bin/"
		"x\"],\"kind\":\"uu\"\n"
		"\"weight\":1,\"stack\":[\"main\",\"f\"],\"module\":[null,\"/bin/"
		"y\"],\"kind\":\"uu\"\n");
}

static void frames_have_their_full_name_and_kind(void **state)
{
	struct output_bed *x = *state;
	struct frame f[] = { { .kind = FRAME_JIT }, { .kind = FRAME_USER, .flags = FRAME_INLINED },
		{ .kind = FRAME_KERNEL, .flags = FRAME_INLINED }, { .kind = FRAME_UNKNOWN } };

	f[0].name = text(x, "a;b\n");
	f[1].name = text(x, "t<int>");
	f[2].name = text(x, "k");
	f[3].module = text(x, "/lib/l;1.so");
	add_stack(x, f, 4);
	check_stacks(x, false,
		"\"weight\":1,\"stack\":[\"a;b "
		"\",\"t\\u003cint>\",\"k\",\"[l;1.so]\"],\"module\":[null,"
		"null,null,\"/lib/l;1.so\"],\"kind\":\"jUK?\"\n");
}

static void lines_are_in_columns_and_not_in_names(void **state)
{
	struct output_bed *x = *state;
	struct frame f[] = { { .kind = FRAME_USER, .at_line = 7 },
		{ .kind = FRAME_USER, .line = 3 }, { .kind = FRAME_USER, .at_line = 9 } };

	f[0].name = text(x, "main:m.c:7");
	f[0].file = text(x, "/src/m.c");
	f[1].name = text(x, "f:m.c:3");
	f[1].file = text(x, "/src/m.c");
	f[2].name = text(x, "g:g.h:9");
	f[2].file = text(x, "/src/m.c");
	f[2].at_file = text(x, "/src/g.h");
	add_stack(x, f, 3);
	check_stacks(x, true,
		"\"weight\":1,\"stack\":[\"main\",\"f:m.c:3\",\"g\"],\"module\":[null,null,null],"
		"\"kind\":"
		"\"uuu\",\"file\":[\"/src/m.c\",null,\"/src/g.h\"],\"line\":[7,null,9]\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_BED(what_is_not_known_is_null),
		TEST_IN_BED(labels_and_threads_are_columns),
		TEST_IN_BED(rows_have_so_many_columns),
		TEST_IN_BED(stacks_that_look_alike_are_one_row),
		TEST_IN_BED(frames_have_their_full_name_and_kind),
		TEST_IN_BED(lines_are_in_columns_and_not_in_names),
	};

	return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}
