#include "compare/overdispersion.h"

#include "base/mem.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void assert_near(double value, double wanted)
{
	if (!(fabs(value - wanted) <= 1e-9 * fmax(1, fabs(wanted))))
		fail_msg("%.12g is not %.12g", value, wanted);
}

/* An assumption of 0 counts as two recordings, and three recordings as two. */
static double measured(const struct overdispersion_sum *s)
{
	return sqrt(2) * overdispersion_variation(s, 3, 0);
}

/* Shares of 0.4 and 0.6: variance 0.02, of which sampling is 0.25 / 1000; the rest over (p(1 -
 * p))^2, 0.0625, is v^2. */
static void the_variation_is_what_sampling_does_not_explain(void **state)
{
	const struct proportion runs[] = { { 400, 1000 }, { 600, 1000 } };
	struct overdispersion_sum s = { 0 };

	(void)state;
	overdispersion_add(&s, runs, ARRAY_LEN(runs));
	assert_near(measured(&s), sqrt((0.02 - 0.00025) / 0.0625));
}

static void recordings_that_agree_show_no_variation(void **state)
{
	const struct proportion runs[] = { { 500, 1000 }, { 501, 1000 }, { 499, 1000 } };
	struct overdispersion_sum s = { 0 };

	(void)state;
	overdispersion_add(&s, runs, ARRAY_LEN(runs));
	assert_near(measured(&s), 0);
	assert_near(overdispersion_variation(&s, ARRAY_LEN(runs), 0), 0);
}

/* The first three differ as samples do, by chance; the others by four times their variance. */
static void a_function_has_a_variation_of_its_own_where_that_is_clear(void **state)
{
	const struct proportion few[] = { { 500, 1000 }, { 515, 1000 }, { 485, 1000 } };
	const struct proportion more[] = { { 500, 1000 }, { 540, 1000 }, { 460, 1000 } };
	struct overdispersion_sum s = { 0 }, own = { 0 };

	(void)state;
	overdispersion_add(&s, few, ARRAY_LEN(few));
	assert_near(overdispersion_own_variation(&s, ARRAY_LEN(few), 0.01), 0.01);
	overdispersion_add(&own, more, ARRAY_LEN(more));
	assert_near(overdispersion_own_variation(&own, ARRAY_LEN(more), 0.01),
		sqrt((0.0016 - 0.00025) / 0.0625));
	assert_near(overdispersion_own_variation(&own, ARRAY_LEN(more), 0.2), 0.2);
	assert_near(overdispersion_own_variation(&own, 1, 0.01), 0.01);
}

static void empty_recordings_and_single_ones_say_nothing(void **state)
{
	const struct proportion runs[] = { { 0, 0 }, { 10, 20 } };
	struct overdispersion_sum s = { 0 };

	(void)state;
	overdispersion_add(&s, runs, 2);
	overdispersion_add(&s, runs + 1, 1);
	assert_near(s.scale, 0);
	assert_near(overdispersion_variation(&s, 1, 0.03), 0.03);
}

/* What was assumed counts as two recordings more: (2 * 0.03^2 + 4 * 0.06^2) / 6. */
static void the_assumption_fades_as_recordings_come(void **state)
{
	struct overdispersion_sum s = { .excess = 0.0036, .scale = 1 };

	(void)state;
	assert_near(overdispersion_variation(&s, 5, 0.03), sqrt((2 * 0.0009 + 4 * 0.0036) / 6));
}

static void the_design_effect_grows_with_the_samples(void **state)
{
	(void)state;
	assert_near(overdispersion_design_effect(0, 0.5, 1000000, 1), 1);
	assert_near(overdispersion_design_effect(0.04, 0.5, 10000, 1), 1 + 0.0016 * 0.25 * 10000);
	assert_near(overdispersion_design_effect(0.04, 0.5, 10000, 0.2), 1 + 0.0016 * 0.25 * 2000);
	/* However many samples, they are worth 1 / (v^2 p(1 - p)) independent ones at most. */
	assert_near(1e12 / overdispersion_design_effect(0.04, 0.5, 1000000000000, 1),
		1 / (1e-12 + 0.0004));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_variation_is_what_sampling_does_not_explain),
		cmocka_unit_test(recordings_that_agree_show_no_variation),
		cmocka_unit_test(a_function_has_a_variation_of_its_own_where_that_is_clear),
		cmocka_unit_test(empty_recordings_and_single_ones_say_nothing),
		cmocka_unit_test(the_assumption_fades_as_recordings_come),
		cmocka_unit_test(the_design_effect_grows_with_the_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
