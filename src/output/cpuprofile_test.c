#include "output/output_formats.h"

#include "output/output_for_test.h"

static void write_profile(struct output_bed *x)
{
	write_output(&cpuprofile_format, test_profile_finish(&x->t), NULL, &x->text);
	x->doc = parse_json(&x->text);
}

static yajl_val node(const struct output_bed *x, long long id)
{
	return element(member(x->doc, "nodes"), (size_t)id - 1);
}

static yajl_val call(const struct output_bed *x, long long id)
{
	return member(node(x, id), "callFrame");
}

/* All numbers of an array: "1,2,3". */
static void check_numbers(const struct output_bed *x, const char *key, const char *expected)
{
	yajl_val array = member(x->doc, key);
	struct buf b = { 0 };
	size_t i;

	for (i = 0; i < YAJL_GET_ARRAY(array)->len; i++)
		buf_printf(&b, "%s%lld", i ? "," : "", YAJL_GET_INTEGER(element(array, i)));
	assert_string_equal(buf_str(&b), expected);
	buf_release(&b);
}

/* The tree as "name(child child)", with what every client needs of ids. */
static void put_tree(const struct output_bed *x, long long id, struct buf *b)
{
	const char *path[] = { "children", NULL };
	yajl_val children = yajl_tree_get(node(x, id), path, yajl_t_array);
	size_t i;

	assert_int_equal(number(node(x, id), "id"), id);
	buf_puts(b, text_of(call(x, id), "functionName"));
	if (!children)
		return;
	for (i = 0; i < YAJL_GET_ARRAY(children)->len; i++) {
		long long child = YAJL_GET_INTEGER(element(children, i));

		assert_true(child > id);
		buf_putc(b, i ? ' ' : '(');
		put_tree(x, child, b);
	}
	buf_putc(b, ')');
}

static void check_tree(const struct output_bed *x, const char *expected)
{
	struct buf b = { 0 };

	put_tree(x, 1, &b);
	assert_string_equal(buf_str(&b), expected);
	buf_release(&b);
}

static void samples_in_time_refer_to_nodes_in_preorder(void **state)
{
	struct output_bed *x = *state;
	uint32_t ab = test_profile_add(&x->t, SPAN("a;b"), 1);
	uint32_t ac = test_profile_add(&x->t, SPAN("a;c"), 1);
	uint32_t d = test_profile_add(&x->t, SPAN("d"), 1);

	x->t.p.period_ns = MS;
	test_profile_row(&x->t, d, 100 * MS, 1);
	test_profile_row(&x->t, ab, 101 * MS, 1);
	test_profile_row(&x->t, ac, 102 * MS + 500000, 1);
	write_profile(x);
	check_tree(x, "(root)(a(b c) d)");
	check_numbers(x, "samples", "5,3,4");
	check_numbers(x, "timeDeltas", "1000,1000,1500");
	assert_int_equal(number(x->doc, "startTime"), 99000);
	assert_int_equal(number(x->doc, "endTime"), 103500);
	assert_int_equal(number(call(x, 1), "lineNumber"), -1);
	assert_string_equal(text_of(call(x, 1), "scriptId"), "0");
}

static void a_gap_is_idle_and_hits_count_time(void **state)
{
	struct output_bed *x = *state;
	uint32_t a = test_profile_add(&x->t, SPAN("a"), 1);

	x->t.p.period_ns = MS;
	test_profile_row(&x->t, a, 10 * MS, 1);
	test_profile_row(&x->t, a, 12 * MS, 1);
	test_profile_row(&x->t, a, 112 * MS, 1);
	test_profile_row(&x->t, a, 114 * MS + 600000, 1);
	write_profile(x);
	check_tree(x, "(root)(a (idle))");
	check_numbers(x, "samples", "2,2,3,2,3,2");
	check_numbers(x, "timeDeltas", "1000,2000,1000,99000,1000,1600");
	assert_int_equal(number(node(x, 2), "hitCount"), 5);
	assert_int_equal(number(node(x, 3), "hitCount"), 101);
}

static void an_unknown_period_is_the_median_gap(void **state)
{
	struct output_bed *x = *state;
	uint32_t a = test_profile_add(&x->t, SPAN("a"), 1);
	uint64_t at[] = { 100, 104, 108, 150, 154 };
	size_t i;

	for (i = 0; i < ARRAY_LEN(at); i++)
		test_profile_row(&x->t, a, at[i] * MS, 1);
	write_profile(x);
	assert_int_equal(number(x->doc, "startTime"), 96000);
	check_numbers(x, "timeDeltas", "4000,4000,4000,4000,38000,4000");
}

static void root_frames_get_no_node(void **state)
{
	struct output_bed *x = *state;
	frame_id old[] = { test_frame(&x->t, SPAN("node"), FRAME_ROOT),
		test_frame(&x->t, SPAN("f"), FRAME_USER) };
	frame_id renamed[] = { test_frame(&x->t, SPAN("MainThread"), FRAME_ROOT), old[1] };
	uint32_t a = test_profile_add_frames(&x->t, old, 2, 1);
	uint32_t b = test_profile_add_frames(&x->t, renamed, 2, 1);
	uint32_t none = test_profile_add_frames(&x->t, renamed, 1, 1);

	x->t.p.period_ns = MS;
	test_profile_row(&x->t, a, 5 * MS, 1);
	test_profile_row(&x->t, b, 6 * MS, 1);
	test_profile_row(&x->t, none, 7 * MS, 1);
	write_profile(x);
	check_tree(x, "(root)(f (native))");
	check_numbers(x, "samples", "2,2,3");
}

static frame_id add_frame(struct output_bed *x, const char *name, const char *file, uint32_t line,
	uint32_t column, uint8_t kind)
{
	struct frame f = { .name = strtab_add_str(x->t.p.strings, name),
		.file = strtab_add_str(x->t.p.strings, file),
		.line = line,
		.column = column,
		.kind = kind };

	return frames_add(x->t.p.frames, &f);
}

static void check_call(const struct output_bed *x, long long id, const char *function,
	const char *url, int line, int column)
{
	assert_string_equal(text_of(call(x, id), "functionName"), function);
	assert_string_equal(text_of(call(x, id), "url"), url);
	assert_int_equal(number(call(x, id), "lineNumber"), line);
	assert_int_equal(number(call(x, id), "columnNumber"), column);
}

static frame_id add_line(struct output_bed *x, frame_id of, const char *name, uint32_t line)
{
	struct frame f = *frames_get(x->t.p.frames, of);

	f.name = strtab_add_str(x->t.p.strings, name);
	f.module = strtab_add_str(x->t.p.strings, "/bin/app");
	f.at_line = line;
	return frames_add(x->t.p.frames, &f);
}

/* The ticks of a node as "line:ticks ". */
static void check_ticks(const struct output_bed *x, size_t id, const char *expected)
{
	yajl_val ticks = member(element(member(x->doc, "nodes"), id - 1), "positionTicks");
	struct buf b = { 0 };
	size_t i;

	for (i = 0; i < length(ticks); i++)
		buf_printf(&b, "%lld:%lld ", number(element(ticks, i), "line"),
			number(element(ticks, i), "ticks"));
	assert_string_equal(buf_str(&b), expected);
	buf_release(&b);
}

static void write_places(struct output_bed *x)
{
	const struct output_opts o = { .native_places = true };

	test_profile_finish(&x->t);
	write_output(&cpuprofile_format, &x->t.p, &o, &x->text);
	x->doc = parse_json(&x->text);
}

/* Another output may have asked for lines; this one shows native code without. */
static void native_code_has_no_lines_unless_they_are_asked_for(void **state)
{
	struct output_bed *x = *state;
	frame_id c = add_frame(x, "work", "/src/app.c", 10, 0, FRAME_USER);
	frame_id js = add_frame(x, "JS:*fib /a.js:5:1", "/a.js", 5, 1, FRAME_JIT);
	frame_id at[] = { add_line(x, c, "work", 14), add_line(x, c, "work", 12),
		add_line(x, js, "JS:*fib /a.js:5:1", 6), add_line(x, js, "JS:*fib /a.js:5:1", 7) };
	size_t i;

	x->t.p.period_ns = MS;
	for (i = 0; i < ARRAY_LEN(at); i++)
		test_profile_row(
			&x->t, test_profile_add_frames(&x->t, &at[i], 1, 1), (5 + i) * MS, 1);
	write_profile(x);
	check_tree(x, "(root)(fib work)");
	check_call(x, 3, "work", "", -1, -1);
	check_ticks(x, 2, "6:1 7:1 ");
	assert_false(has_member(element(member(x->doc, "nodes"), 2), "positionTicks"));
}

static void lines_of_a_function_are_ticks_of_one_node(void **state)
{
	struct output_bed *x = *state;
	frame_id c = add_frame(x, "work", "/src/app.c", 10, 0, FRAME_USER);
	frame_id js = add_frame(x, "JS:*fib /a.js:5:1", "/a.js", 5, 1, FRAME_JIT);
	frame_id at[] = { add_line(x, c, "work:app.c:14", 14), add_line(x, c, "work:app.c:12", 12),
		add_line(x, js, "JS:*fib /a.js:5:1", 6), add_line(x, c, "work:app.c", 0) };
	uint64_t ms = 5;
	size_t i;

	x->t.p.period_ns = MS;
	for (i = 0; i < ARRAY_LEN(at); i++, ms++)
		test_profile_row(&x->t, test_profile_add_frames(&x->t, &at[i], 1, 1), ms * MS, 1);
	test_profile_row(&x->t, test_profile_add_frames(&x->t, &at[1], 1, 1), ms * MS, 1);
	write_places(x);
	check_tree(x, "(root)(fib work work:app.c)");
	check_call(x, 3, "work", "file:///src/app.c", 9, -1);
	check_ticks(x, 2, "6:1 ");
	check_ticks(x, 3, "12:2 14:1 ");
	assert_false(has_member(element(member(x->doc, "nodes"), 3), "positionTicks"));
	check_call(x, 4, "work:app.c", "", -1, -1);
}

static void javascript_has_url_and_line_apart_from_its_name(void **state)
{
	struct output_bed *x = *state;
	frame_id stack[] = {
		add_frame(x, "handle /srv/my app.js:5:13", "/srv/my app.js", 5, 13, FRAME_JIT),
		add_frame(x, "JS:*fib node:fs:7:1", "", 0, 0, FRAME_JIT),
		add_frame(x, "/srv/a.js:1:1", "/srv/a.js", 1, 1, FRAME_JIT),
		add_frame(x, "late", "file:///srv/m.mjs", 9, 0, FRAME_JIT),
		add_frame(x, "again", "/srv/my app.js", 6, 1, FRAME_JIT),
		add_frame(x, "not/a.js:3", "/a.js", 3, 1, FRAME_JIT),
		add_frame(x, "load /a.js /a.js:3", "/a.js", 3, 1, FRAME_JIT),
	};

	test_profile_add_frames(&x->t, stack, ARRAY_LEN(stack), 1);
	write_profile(x);
	check_call(x, 2, "handle", "file:///srv/my%20app.js", 4, 12);
	check_call(x, 3, "fib", "node:fs", 6, 0);
	check_call(x, 4, "", "file:///srv/a.js", 0, 0);
	check_call(x, 5, "late", "file:///srv/m.mjs", 8, -1);
	check_call(x, 7, "not/a.js:3", "file:///a.js", 2, 0);
	check_call(x, 8, "load /a.js", "file:///a.js", 2, 0);
	assert_string_equal(text_of(call(x, 2), "scriptId"), "1");
	assert_string_equal(text_of(call(x, 3), "scriptId"), "2");
	assert_string_equal(text_of(call(x, 6), "scriptId"), "1");
}

static void the_tiers_of_a_function_are_one_node(void **state)
{
	struct output_bed *x = *state;
	frame_id slow = add_frame(x, "JS:~fib /a.js:1:2", "/a.js", 1, 2, FRAME_JIT);
	frame_id fast = add_frame(x, "JS:*fib /a.js:1:2", "/a.js", 1, 2, FRAME_JIT);

	test_profile_add_frames(&x->t, &slow, 1, 1);
	test_profile_add_frames(&x->t, &fast, 1, 1);
	write_profile(x);
	check_tree(x, "(root)(fib)");
}

static void native_code_has_no_url_but_its_own_name(void **state)
{
	struct output_bed *x = *state;
	struct frame f = { .name = strtab_add_str(x->t.p.strings, "std::sort; </script>"),
		.module = strtab_add_str(x->t.p.strings, "/usr/bin/node"),
		.file = strtab_add_str(x->t.p.strings, "/src/a.cc"),
		.line = 3,
		.kind = FRAME_USER };
	struct frame unnamed = { .module = f.module, .kind = FRAME_UNKNOWN };
	frame_id stack[] = { frames_add(x->t.p.frames, &f), frames_add(x->t.p.frames, &unnamed) };

	test_profile_add_frames(&x->t, stack, 2, 1);
	write_profile(x);
	check_call(x, 2, "std::sort; </script>", "", -1, -1);
	check_call(x, 3, "[node]", "", -1, -1);
	assert_true(span_find(buf_span(&x->text), SPAN("</script>")) < 0);
}

static void the_collector_is_a_child_of_the_root(void **state)
{
	struct output_bed *x = *state;
	uint32_t gc = test_profile_add(&x->t,
		SPAN("main;v8::internal::Heap::CollectGarbage(v8::internal::AllocationSpace);"
		     "v8::internal::MarkCompactCollector::Mark;memcpy"),
		1);
	frame_id labelled[] = { test_frame(&x->t, SPAN("main"), FRAME_USER),
		test_frame(&x->t, SPAN("(garbage collector)"), FRAME_LABEL) };
	uint32_t label = test_profile_add_frames(&x->t, labelled, 2, 1);

	x->t.p.period_ns = MS;
	test_profile_row(&x->t, gc, 5 * MS, 1);
	test_profile_row(&x->t, label, 6 * MS, 1);
	write_profile(x);
	check_tree(x, "(root)(main (garbage collector))");
	check_numbers(x, "samples", "3,3");
}

/* DevTools shows nothing at all of such a profile. */
static void a_profile_never_starts_at_zero(void **state)
{
	struct output_bed *x = *state;
	uint32_t a = test_profile_add(&x->t, SPAN("a"), 1);

	x->t.p.period_ns = MS;
	test_profile_row(&x->t, a, MS, 1);
	write_profile(x);
	assert_int_equal(number(x->doc, "startTime"), 1000);
	check_numbers(x, "timeDeltas", "0");
}

static void without_times_a_stack_lasts_as_long_as_its_weight(void **state)
{
	struct output_bed *x = *state;

	test_profile_add(&x->t, SPAN("a;b"), 3);
	test_profile_add(&x->t, SPAN("a"), 2);
	test_profile_add(&x->t, SPAN("c"), 5);
	write_profile(x);
	check_tree(x, "(root)(a(b) c)");
	check_numbers(x, "samples", "2,3,4,4");
	check_numbers(x, "timeDeltas", "0,2000,3000,5000");
	assert_int_equal(number(x->doc, "startTime"), 1);
	assert_int_equal(number(x->doc, "endTime"), 10001);
	assert_int_equal(number(node(x, 4), "hitCount"), 5);
}

static void weights_in_nanoseconds_are_kept(void **state)
{
	struct output_bed *x = *state;

	x->t.p.unit = strtab_add_str(x->t.p.strings, "nanoseconds");
	test_profile_add(&x->t, SPAN("a"), 2500);
	test_profile_add(&x->t, SPAN("b"), 7000000);
	write_profile(x);
	check_numbers(x, "timeDeltas", "0,2,7000");
	assert_int_equal(number(x->doc, "endTime"), 7003);
}

static void weights_of_a_known_period_become_time(void **state)
{
	struct output_bed *x = *state;

	x->t.p.unit = strtab_add_str(x->t.p.strings, "cycles");
	x->t.p.period = 1000000;
	x->t.p.period_ns = 10 * MS;
	test_profile_add(&x->t, SPAN("a"), 3000000);
	write_profile(x);
	assert_int_equal(number(x->doc, "endTime"), 30001);
	assert_int_equal(number(node(x, 2), "hitCount"), 3);
}

static void an_empty_profile_is_valid_for_clients(void **state)
{
	struct output_bed *x = *state;

	write_profile(x);
	check_tree(x, "(root)((idle))");
	check_numbers(x, "samples", "");
	assert_int_equal(number(x->doc, "endTime"), 1);
}

static void names_of_any_bytes_make_a_document(void **state)
{
	struct output_bed *x = *state;

	test_profile_add(&x->t, SPAN("\xff\x01\"\\\n</script>"), 1);
	write_profile(x);
	assert_string_equal(text_of(call(x, 2), "functionName"), "\ufffd\x01\"\\\n</script>");
}

/* Lines of 1.4, 1.4 and 1 periods are 3.8, 4 hits: not 1, 1 and 1. */
static void ticks_are_together_as_many_as_hits(void **state)
{
	struct output_bed *x = *state;
	frame_id js = add_frame(x, "JS:*fib /a.js:5:1", "/a.js", 5, 1, FRAME_JIT);
	frame_id at[] = { add_line(x, js, "JS:*fib /a.js:5:1", 6),
		add_line(x, js, "JS:*fib /a.js:5:1", 7), add_line(x, js, "JS:*fib /a.js:5:1", 8) };
	const uint64_t at_us[] = { 5000, 6400, 7800 };
	size_t i;

	x->t.p.period_ns = MS;
	for (i = 0; i < ARRAY_LEN(at_us); i++)
		test_profile_row(&x->t, test_profile_add_frames(&x->t, &at[i], 1, 1),
			at_us[i] * MS / 1000, 1);
	write_places(x);
	assert_int_equal(number(node(x, 2), "hitCount"), 4);
	check_ticks(x, 2, "6:1 7:2 8:1 ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_BED(samples_in_time_refer_to_nodes_in_preorder),
		TEST_IN_BED(a_gap_is_idle_and_hits_count_time),
		TEST_IN_BED(an_unknown_period_is_the_median_gap),
		TEST_IN_BED(root_frames_get_no_node),
		TEST_IN_BED(native_code_has_no_lines_unless_they_are_asked_for),
		TEST_IN_BED(lines_of_a_function_are_ticks_of_one_node),
		TEST_IN_BED(ticks_are_together_as_many_as_hits),
		TEST_IN_BED(javascript_has_url_and_line_apart_from_its_name),
		TEST_IN_BED(the_tiers_of_a_function_are_one_node),
		TEST_IN_BED(native_code_has_no_url_but_its_own_name),
		TEST_IN_BED(the_collector_is_a_child_of_the_root),
		TEST_IN_BED(a_profile_never_starts_at_zero),
		TEST_IN_BED(without_times_a_stack_lasts_as_long_as_its_weight),
		TEST_IN_BED(weights_in_nanoseconds_are_kept),
		TEST_IN_BED(weights_of_a_known_period_become_time),
		TEST_IN_BED(an_empty_profile_is_valid_for_clients),
		TEST_IN_BED(names_of_any_bytes_make_a_document),
	};

	return cmocka_run_group_tests_name("cpuprofile", tests, NULL, NULL);
}
