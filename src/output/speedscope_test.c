#include "output/output_formats.h"

#include "output/output_for_test.h"

static void check(struct test_profile *t, const char *shared_and_profiles)
{
	assert_output_from(&speedscope_format, t, "\"shared\"", shared_and_profiles);
}

static void a_thread_is_a_profile_and_a_gap_is_a_sample_without_frames(void **state)
{
	struct test_profile t;
	uint32_t a, ab;

	(void)state;
	test_profile_init(&t);
	t.p.unit = strtab_add_str(t.p.strings, "nanoseconds");
	t.p.period_ns = MS;
	ab = test_profile_add(&t, SPAN("a;b"), 0);
	a = test_profile_add(&t, SPAN("a"), 0);
	test_profile_thread_row(&t, 0, ab, 100 * MS, MS);
	test_profile_thread_row(&t, 0, ab, 101 * MS, MS + 1); /* one with that before */
	test_profile_thread_row(&t, 0, a, 110 * MS, MS);
	test_profile_thread_row(&t, 1, a, 100 * MS, 7);
	check(&t, "\"shared\":{\"frames\":[{\"name\":\"a\"},{\"name\":\"b\"}]},\"profiles\":["
		  "{\"type\":\"sampled\",\"name\":\"thread (10/10)\",\"unit\":\"nanoseconds\","
		  "\"samples\":[[0,1],[],[0]],\"weights\":[2000001,8000000,1000000],"
		  "\"startValue\":0,\"endValue\":11000001},"
		  "{\"type\":\"sampled\",\"name\":\"thread (10/11)\",\"unit\":\"nanoseconds\","
		  "\"samples\":[[0]],\"weights\":[7],\"startValue\":0,\"endValue\":7}]}\n");
}

static void weights_that_are_no_time_have_no_gaps(void **state)
{
	struct test_profile t;
	uint32_t a;

	(void)state;
	test_profile_init(&t);
	t.p.unit = strtab_add_str(t.p.strings, "cycles");
	t.p.period_ns = MS;
	a = test_profile_add(&t, SPAN("a"), 0);
	test_profile_row(&t, a, 100 * MS, 4);
	test_profile_row(&t, a, 200 * MS, 5);
	check(&t, "\"shared\":{\"frames\":[{\"name\":\"a\"}]},\"profiles\":[{\"type\":\"sampled\","
		  "\"name\":\"thread (10/10)\",\"unit\":\"none\",\"samples\":[[0]],\"weights\":[9],"
		  "\"startValue\":0,\"endValue\":9}]}\n");
}

static void stacks_without_samples_are_one_profile(void **state)
{
	struct test_profile t;

	(void)state;
	test_profile_init(&t);
	test_profile_add(&t, SPAN("a;b"), 3);
	test_profile_add(&t, SPAN(""), 2);
	check(&t, "\"shared\":{\"frames\":[{\"name\":\"[empty]\"},{\"name\":\"a\"},{\"name\":\"b\"}"
		  "]},"
		  "\"profiles\":[{\"type\":\"sampled\",\"name\":\"all\",\"unit\":\"none\","
		  "\"samples\":[[0],[1,2]],\"weights\":[2,3],\"startValue\":0,\"endValue\":5}]}\n");
}

static void a_frame_has_its_source_or_its_module(void **state)
{
	struct test_profile t;
	struct frame f[2] = { { .kind = FRAME_JIT, .line = 5, .column = 13 },
		{ .kind = FRAME_USER } };
	frame_id stack[3];

	(void)state;
	test_profile_init(&t);
	f[0].name = strtab_add_str(t.p.strings, "f");
	f[0].file = strtab_add_str(t.p.strings, "/a.js");
	f[1].name = strtab_add_str(t.p.strings, "</g>");
	f[1].module = strtab_add_str(t.p.strings, "/bin/x");
	stack[0] = test_frame(&t, SPAN("node"), FRAME_ROOT);
	stack[1] = frames_add(t.p.frames, &f[0]);
	stack[2] = frames_add(t.p.frames, &f[1]);
	test_profile_add_frames(&t, stack, 3, 1);
	check(&t,
		"\"shared\":{\"frames\":[{\"name\":\"f\",\"file\":\"/a.js\",\"line\":5,\"col\":13},"
		"{\"name\":\"\\u003c/g>\",\"file\":\"/bin/"
		"x\"}]},\"profiles\":[{\"type\":\"sampled\","
		"\"name\":\"all\",\"unit\":\"none\",\"samples\":[[0,1]],\"weights\":[1],"
		"\"startValue\":0,\"endValue\":1}]}\n");
}

/* Another line of the same function, one after the other: one frame, one sample. */
static void lines_of_a_function_are_one_frame(void **state)
{
	struct test_profile t;
	struct frame f = { .kind = FRAME_USER, .line = 7, .flags = FRAME_DECLARED };
	unsigned i;

	(void)state;
	test_profile_init(&t);
	t.p.unit = strtab_add_str(t.p.strings, "cycles");
	f.name = strtab_add_str(t.p.strings, "f");
	f.file = strtab_add_str(t.p.strings, "x.c");
	for (i = 0; i < 2; i++) {
		frame_id id;

		f.at_line = 8 + i;
		id = frames_add(t.p.frames, &f);
		test_profile_row(&t, test_profile_add_frames(&t, &id, 1, 0), (100 + i) * MS, 5 + i);
	}
	check(&t, "\"shared\":{\"frames\":[{\"name\":\"f\",\"file\":\"x.c\",\"line\":7}]},"
		  "\"profiles\":[{\"type\":\"sampled\",\"name\":\"thread (10/10)\","
		  "\"unit\":\"none\",\"samples\":[[0]],\"weights\":[11],"
		  "\"startValue\":0,\"endValue\":11}]}\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_is_a_profile_and_a_gap_is_a_sample_without_frames),
		cmocka_unit_test(weights_that_are_no_time_have_no_gaps),
		cmocka_unit_test(stacks_without_samples_are_one_profile),
		cmocka_unit_test(lines_of_a_function_are_one_frame),
		cmocka_unit_test(a_frame_has_its_source_or_its_module),
	};

	return cmocka_run_group_tests_name("speedscope", tests, NULL, NULL);
}
