#include "base/utf8.h"
#include "output/output.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static void check(const char *path, struct profile_part part, const char *name, const char *event,
	const char *expected)
{
	struct strtab *strings = strtab_new();
	struct buf b = { 0 };

	part.name = strtab_add_str(strings, name);
	part.event = strtab_add_str(strings, event);
	output_part_path(&b, path, &part, strings);
	assert_string_equal(buf_str(&b), expected);
	buf_release(&b);
	strtab_free(strings);
}

static void placeholders_are_filled_in(void **state)
{
	struct profile_part p = {
		.by = SPLIT_THREAD, .number = 6, .n_parts = 120, .pid = 12, .tid = 34, .cpu = 5
	};

	(void)state;
	check("x/%c-%p-%t.svg", p, "node", "", "x/node-12-34.svg");
	check("%n%%_%e_%u.svg", p, "", "cycles:u", "007%_cycles:u_5.svg");
	p.tid = p.cpu = -1;
	check("%t%u%c", p, "", "", "___");
}

static void without_a_placeholder_the_part_is_before_the_suffix(void **state)
{
	struct profile_part p = { .n_parts = 1, .pid = 12, .tid = 34, .cpu = 5 };

	(void)state;
	p.by = SPLIT_PROCESS;
	check("d.x/flame.svg", p, "node", "", "d.x/flame.node-12.svg");
	p.by = SPLIT_THREAD;
	check("a.b.speedscope.json.gz", p, "node", "", "a.b.node-34.speedscope.json.gz");
	p.by = SPLIT_EVENT;
	check("a.pb.gz", p, "", "cycles", "a.cycles.pb.gz");
	p.by = SPLIT_CPU;
	check("odd.name", p, "", "", "odd.cpu5.name");
	p.by = SPLIT_CGROUP;
	check("a.svg", p, "/system.slice/web", "", "a._system.slice_web.svg");
	p.by = SPLIT_TIME;
	check("d.x/plain", p, "", "", "d.x/plain.1");
	check(".svg", p, "", "", "1.svg");
}

static void names_from_a_recording_stay_in_the_directory(void **state)
{
	struct profile_part p = { .n_parts = 1 };

	(void)state;
	check("out/%c.svg", p, "../../etc/x", "", "out/_._.._etc_x.svg");
	check("%c", p, "a b\n\x7f", "", "a_b__");
}

static void an_unknown_placeholder_is_refused(void **state)
{
	struct err e;

	(void)state;
	assert_int_equal(output_check_marks("a%c%p%t%e%u%n%%.svg", &e), OK);
	assert_int_equal(output_check_marks("a%q.svg", &e), ERR_USAGE);
	assert_int_equal(output_check_marks("a%", &e), ERR_USAGE);
}

/* 255 bytes are what file systems allow. */
static void long_names_are_cut_and_stay_distinct(void **state)
{
	struct profile_part p = { .by = SPLIT_PROCESS, .n_parts = 1, .pid = 1 };
	struct strtab *strings = strtab_new();
	struct buf b[2] = { { 0 } }, name = { 0 };
	unsigned i;

	(void)state;
	for (i = 0; i < 200; i++)
		buf_puts(&name, "λ");
	for (i = 0; i < 2; i++) {
		buf_puts(&name, i ? "y" : "x");
		p.name = p.event = strtab_add(strings, buf_span(&name));
		name.n--;
		output_part_path(&b[i], "%c-%e-%p.folded", &p, strings);
		assert_true(b[i].n <= 255);
		assert_true(utf8_valid(buf_span(&b[i])));
	}
	assert_string_not_equal(buf_str(&b[0]), buf_str(&b[1]));
	for (i = 0; i < 2; i++)
		buf_release(&b[i]);
	buf_release(&name);
	strtab_free(strings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(placeholders_are_filled_in),
		cmocka_unit_test(without_a_placeholder_the_part_is_before_the_suffix),
		cmocka_unit_test(names_from_a_recording_stay_in_the_directory),
		cmocka_unit_test(an_unknown_placeholder_is_refused),
		cmocka_unit_test(long_names_are_cut_and_stay_distinct),
	};

	return cmocka_run_group_tests_name("part_path", tests, NULL, NULL);
}
