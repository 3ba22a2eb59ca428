#include "output/output_formats.h"

#include "output/output_for_test.h"

static void check(struct test_profile *t, const char *expected)
{
	assert_output_from(&callgrind_format, t, NULL, expected);
}

/* "a" calls "b" twice in one stack: the sample counts once for that call. */
static void recursion_costs_no_more_than_the_whole(void **state)
{
	struct test_profile t;

	(void)state;
	test_profile_from_folded(&t, SPAN("a;b;a;b 5\na 2\n"));
	check(&t, "# callgrind format\nversion: 1\ncreator: perfold\npositions: line\n"
		  "events: samples\nsummary: 7\n"
		  "\nob=(1) ???\nfl=(1) ???\nfn=(1) a\n0 2\n"
		  "cob=(1)\ncfl=(1)\ncfn=(2) b\ncalls=1 0\n0 5\n"
		  "\nob=(1)\nfl=(1)\nfn=(2)\n0 5\n"
		  "cob=(1)\ncfl=(1)\ncfn=(1)\ncalls=1 0\n0 5\n");
}

static void a_function_has_its_object_file_and_line(void **state)
{
	struct test_profile t;
	struct frame f = { .kind = FRAME_USER, .line = 7 };
	frame_id id;

	(void)state;
	test_profile_init(&t);
	t.p.unit = strtab_add_str(t.p.strings, "cycles");
	t.p.event = strtab_add_str(t.p.strings, "cycles:u");
	f.name = strtab_add_str(t.p.strings, "f");
	f.module = strtab_add_str(t.p.strings, "/bin/\nx");
	f.file = strtab_add_str(t.p.strings, "x.c");
	id = frames_add(t.p.frames, &f);
	test_profile_add_frames(&t, &id, 1, 300);
	test_profile_add_frames(&t, &id, 1, 400);
	check(&t, "# callgrind format\nversion: 1\ncreator: perfold\npositions: line\n"
		  "events: cycles_u samples\nsummary: 700 2\n"
		  "\nob=(1) /bin/ x\nfl=(1) x.c\nfn=(1) f\n7 700 2\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recursion_costs_no_more_than_the_whole),
		cmocka_unit_test(a_function_has_its_object_file_and_line),
	};

	return cmocka_run_group_tests_name("callgrind", tests, NULL, NULL);
}
