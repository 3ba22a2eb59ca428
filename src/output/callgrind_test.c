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

/* KCachegrind takes the number alone for the function. */
static void functions_of_one_name_in_two_objects_have_two_numbers(void **state)
{
	struct test_profile t;
	struct frame f = { .kind = FRAME_USER };
	frame_id stack[2];

	(void)state;
	test_profile_init(&t);
	f.name = strtab_add_str(t.p.strings, "main");
	f.module = strtab_add_str(t.p.strings, "sh");
	stack[0] = frames_add(t.p.frames, &f);
	f.module = strtab_add_str(t.p.strings, "ls");
	stack[1] = frames_add(t.p.frames, &f);
	test_profile_add_frames(&t, stack, 2, 3);
	check(&t, "# callgrind format\nversion: 1\ncreator: perfold\npositions: line\n"
		  "events: samples\nsummary: 3\n"
		  "\nob=(1) sh\nfl=(1) ???\nfn=(1) main\n0 0\n"
		  "cob=(2) ls\ncfl=(1)\ncfn=(2) main\ncalls=1 0\n0 3\n"
		  "\nob=(2)\nfl=(1)\nfn=(2)\n0 3\n");
}

static frame_id make_frame(struct test_profile *t, const char *name, uint32_t at_line,
	const char *at_file, uint64_t address)
{
	struct frame f = { .kind = FRAME_USER, .line = 3, .at_line = at_line };

	f.name = strtab_add_str(t->p.strings, name);
	f.file = strtab_add_str(t->p.strings, "x.c");
	f.at_file = at_file ? strtab_add_str(t->p.strings, at_file) : 0;
	f.at_address = address;
	f.flags = address ? 0 : FRAME_INLINED;
	return frames_add(t->p.frames, &f);
}

/* i is inlined into f: it has no address of its own. */
static void costs_and_calls_have_lines_and_addresses(void **state)
{
	struct test_profile t;
	frame_id stack[3];

	(void)state;
	test_profile_init(&t);
	stack[0] = make_frame(&t, "main", 5, NULL, 0x1005);
	stack[1] = make_frame(&t, "f", 8, NULL, 0x1108);
	test_profile_add_frames(&t, stack, 2, 1);
	stack[2] = make_frame(&t, "i", 4, NULL, 0);
	test_profile_add_frames(&t, stack, 3, 2);
	stack[1] = make_frame(&t, "f", 70, "x.inc", 0x1170);
	test_profile_add_frames(&t, stack, 2, 4);
	stack[0] = make_frame(&t, "main", 6, NULL, 0x1006);
	test_profile_add_frames(&t, stack, 2, 8);
	check(&t, "# callgrind format\nversion: 1\ncreator: perfold\npositions: instr line\n"
		  "events: samples\nsummary: 15\n"
		  "\nob=(1) ???\nfl=(1) x.c\nfn=(1) main\n0x0 3 0\n"
		  "cob=(1)\ncfl=(1)\ncfn=(2) f\ncalls=3 0x0 3\n0x1005 5 7\n"
		  "cob=(1)\ncfl=(1)\ncfn=(2)\ncalls=1 0x0 3\n0x1006 6 8\n"
		  "\nob=(1)\nfl=(1)\nfn=(2)\n0x1108 8 1\nfi=(2) x.inc\n0x1170 70 12\n"
		  "fe=(1)\ncob=(1)\ncfl=(1)\ncfn=(3) i\ncalls=1 0x0 3\n0x1108 8 2\n"
		  "\nob=(1)\nfl=(1)\nfn=(3)\n0x1108 4 2\n");
}

/* "b" calls itself at two lines: together they cost what "b" does. */
static void a_call_within_itself_counts_at_its_outermost_place(void **state)
{
	struct test_profile t;
	frame_id stack[4];

	(void)state;
	test_profile_init(&t);
	stack[0] = make_frame(&t, "b", 5, NULL, 0x1005);
	stack[1] = make_frame(&t, "b", 6, NULL, 0x1006);
	stack[2] = make_frame(&t, "b", 7, NULL, 0x1007);
	test_profile_add_frames(&t, stack, 3, 4);
	check(&t, "# callgrind format\nversion: 1\ncreator: perfold\npositions: instr line\n"
		  "events: samples\nsummary: 4\n"
		  "\nob=(1) ???\nfl=(1) x.c\nfn=(1) b\n0x1007 7 4\n"
		  "cob=(1)\ncfl=(1)\ncfn=(1)\ncalls=1 0x0 3\n0x1005 5 4\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recursion_costs_no_more_than_the_whole),
		cmocka_unit_test(costs_and_calls_have_lines_and_addresses),
		cmocka_unit_test(a_call_within_itself_counts_at_its_outermost_place),
		cmocka_unit_test(a_function_has_its_object_file_and_line),
		cmocka_unit_test(functions_of_one_name_in_two_objects_have_two_numbers),
	};

	return cmocka_run_group_tests_name("callgrind", tests, NULL, NULL);
}
