#include "cli/progress_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void expect(const struct progress *p, double *shown, const char *text)
{
	struct buf b = { 0 };

	progress_text_put(&b, p, shown);
	assert_string_equal(buf_str(&b), text);
	buf_release(&b);
}

static void one_input_shows_how_far_each_pass_is(void **state)
{
	struct progress p = { .all_bytes = 0 };
	double shown = 0;

	(void)state;
	expect(&p, &shown, "");
	progress_input(&p, "a.data", 4000000);
	progress_start(&p, "looking through", 4000000);
	progress_add(&p, 3000000);
	expect(&p, &shown, "looking through:  75% of 4 MB");
	progress_start(&p, "reading", 4000000);
	expect(&p, &shown, "reading:   0% of 4 MB");
	progress_start(&p, "finding names", 0);
	expect(&p, &shown, "finding names");
}

static void several_inputs_count_as_one_that_never_goes_back(void **state)
{
	struct progress p = { .all_bytes = 8000000 };
	double shown = 0;

	(void)state;
	progress_input(&p, "rec/a.data", 4000000);
	progress_start(&p, "looking through", 4000000);
	progress_add(&p, 4000000);
	expect(&p, &shown, "a.data: looking through:  12% of 8 MB");
	progress_start(&p, "reading", 4000000);
	expect(&p, &shown, "a.data: reading:  12% of 8 MB");
	progress_add(&p, 3000000);
	expect(&p, &shown, "a.data: reading:  38% of 8 MB");
	progress_start(&p, "finding names", 0);
	expect(&p, &shown, "a.data: finding names:  38% of 8 MB");
	progress_input(&p, "rec/b\n.data", 4000000);
	progress_start(&p, "looking through", 4000000);
	expect(&p, &shown, "b?.data: looking through:  50% of 8 MB");
	progress_start(&p, "reading", 4000000);
	progress_add(&p, 5000000); /* it grew since */
	expect(&p, &shown, "b?.data: reading: 100% of 8 MB");
	progress_input(&p, NULL, 0);
	progress_start(&p, "writing", 0);
	expect(&p, &shown, "writing: 100% of 8 MB");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_input_shows_how_far_each_pass_is),
		cmocka_unit_test(several_inputs_count_as_one_that_never_goes_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
