#include "model/durations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void figures_are_those_of_the_sorted_durations(void **state)
{
	struct strtab *strings = strtab_new();
	struct durations d = { 0 };
	const struct duration_kind *k;
	uint32_t b, a;

	(void)state;
	b = durations_kind(&d, strtab_add_str(strings, "b"));
	a = durations_kind(&d, strtab_add_str(strings, "a"));
	assert_int_equal(durations_kind(&d, strtab_add_str(strings, "b")), b);
	for (uint64_t i = 100; i; i--)
		durations_add(
			&d, &(struct duration){ .from_ns = 1000 - i, .duration_ns = i, .kind = a });
	durations_add(&d, &(struct duration){ .from_ns = 500, .duration_ns = 9000, .kind = b });
	durations_finish(&d, strings);
	k = &d.kinds[a];
	assert_int_equal(k->count, 100);
	assert_int_equal(k->total_ns, 5050);
	assert_int_equal(k->p50_ns, 50);
	assert_int_equal(k->p95_ns, 95);
	assert_int_equal(k->p99_ns, 99);
	assert_int_equal(k->max_ns, 100);
	k = &d.kinds[b];
	assert_int_equal(k->p50_ns, 9000);
	assert_int_equal(k->max_ns, 9000);
	assert_int_equal(d.by_total[0], b);
	assert_int_equal(d.from_ns, 500);
	assert_int_equal(d.to_ns, 9500);
	durations_release(&d);
	strtab_free(strings);
}

static void no_durations_have_no_figures(void **state)
{
	struct strtab *strings = strtab_new();
	struct durations d = { 0 };

	(void)state;
	durations_finish(&d, strings);
	assert_int_equal(d.from_ns, 0);
	assert_int_equal(d.to_ns, 0);
	durations_release(&d);
	strtab_free(strings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_are_those_of_the_sorted_durations),
		cmocka_unit_test(no_durations_have_no_figures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
