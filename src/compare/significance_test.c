#include "compare/significance.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include "base/mem.h"

static void assert_near(double is, double wanted, double tolerance)
{
	if (!(fabs(is - wanted) <= tolerance * fabs(wanted)))
		fail_msg("%.12g is not %.12g", is, wanted);
}

static double shares(uint64_t k1, uint64_t n1, uint64_t k2, uint64_t n2)
{
	return significance_of_shares((struct proportion){ k1, n1 }, (struct proportion){ k2, n2 });
}

/* Worked out with whole numbers; the second is the table of criminal twins that Fisher used. */
static void small_counts_get_the_exact_p_value(void **state)
{
	(void)state;
	assert_near(shares(2, 12, 10, 12), 0.00332895, 1e-4);
	assert_near(shares(2, 17, 10, 13), 0.00053672, 1e-4);
	/* 6 against none out of very many: each falls on either side like a coin. */
	assert_near(shares(0, 1000000, 6, 1000000), 2.0 / 64, 1e-4);
}

static void the_sides_may_change_places(void **state)
{
	(void)state;
	assert_near(shares(5, 1000, 17, 1500), shares(17, 1500, 5, 1000), 1e-9);
	assert_near(shares(5000, 100000, 5400, 100000), shares(5400, 100000, 5000, 100000), 1e-9);
}

static void large_counts_get_a_z_test(void **state)
{
	/* z = 0.01 / sqrt(0.105 * 0.895 * 2 / 10000) = 2.30672 */
	(void)state;
	assert_near(shares(1000, 10000, 1100, 10000), 0.021070, 1e-3);
	assert_near(shares(1000, 10000, 1000, 10000), 1, 1e-9);
}

/* Where the exact sum gives way to the normal approximation, the two must be about the same. */
static void the_two_tests_meet(void **state)
{
	double exact = shares(20, 100000, 39, 100000), normal = shares(21, 100000, 40, 100000);

	(void)state;
	assert_true(exact < 0.03 && exact > 0.005);
	assert_near(exact, normal, 0.5);
}

static void too_few_samples_are_no_test(void **state)
{
	(void)state;
	assert_true(shares(0, 100, 5, 100) > 1);
	assert_true(shares(0, 0, 50, 100) > 1);
	assert_true(significance_of_division(0, 5, 0.5) > 1);
	assert_true(significance_of_division(10, 10, 0) > 1);
}

static void huge_counts_do_no_harm(void **state)
{
	uint64_t most = INT64_MAX;

	(void)state;
	assert_true(shares(most, most, 0, most) < 1e-9);
	assert_true(shares(0, most, most, most) < 1e-9);
	assert_true(shares(most - 1, most, most, most) <= 1);
	assert_true(shares(3, most, most, most) < 1e-9);
	assert_true(shares(1, 2, most, most) <= 1);
	assert_true(significance_of_division(0, most, 1e-9) < 1e-9);
	assert_true(significance_of_division(most, 0, 1 - 1e-12) < 1e-9);
}

static void a_division_is_a_binomial_test(void **state)
{
	(void)state;
	assert_near(significance_of_division(0, 10, 0.5), 2.0 / 1024, 1e-9);
	assert_near(significance_of_division(5, 5, 0.5), 1, 1e-9);
	/* Two of three are expected after: (1/3)^6 on the one side, nothing as rare on the
	 * other. */
	assert_near(significance_of_division(6, 0, 2.0 / 3), 1.0 / 729, 1e-9);
	/* z = 100 / 50 */
	assert_near(significance_of_division(5100, 4900, 0.5), 0.0455, 1e-3);
}

static void many_tests_are_adjusted_together(void **state)
{
	double p_value[] = { 0.04, 0.01, SIGNIFICANCE_NO_TEST, 0.03, 0.5 };

	(void)state;
	significance_benjamini_hochberg(p_value, 5);
	assert_near(p_value[1], 0.04, 1e-9);     /* 0.01 * 4 / 1 */
	assert_near(p_value[0], 0.16 / 3, 1e-9); /* 0.04 * 4 / 3, less than 0.03 * 4 / 2 */
	assert_near(p_value[3], 0.16 / 3, 1e-9);
	assert_near(p_value[4], 0.5, 1e-9);
	assert_near(p_value[2], 1, 1e-9); /* was no test */
}

/* Of 10 samples on each side 1 and 7, C(20, 8) = 125970: 7 and more are (C(10, 7) C(10, 1) +
 * C(10, 8)) of these; less than 1 are C(10, 8). */
static void a_growth_alone_is_tested_on_its_side(void **state)
{
	struct proportion few = { 1, 10 }, many = { 7, 10 };

	(void)state;
	assert_near(significance_of_larger_share(few, many), 1245.0 / 125970, 1e-9);
	assert_near(significance_of_larger_share(many, few), 1 - 45.0 / 125970, 1e-9);
	assert_near(significance_of_larger_part(1, 7, 0.5), 9.0 / 256, 1e-9);
	assert_near(significance_of_larger_part(7, 1, 0.5), 255.0 / 256, 1e-9);
}

static void a_large_growth_is_half_as_likely_as_a_large_change(void **state)
{
	struct proportion before = { 200, 2000 }, after = { 260, 2000 };
	double grown = significance_of_larger_share(before, after);

	(void)state;
	assert_near(2 * grown, significance_of_shares(before, after), 1e-9);
	assert_near(significance_of_larger_share(after, before), 1 - grown, 1e-9);
}

/* Four tests, p-values of Holm 1979 by hand: 4 * 0.01, 3 * 0.013, 2 * 0.02, 0.5; each at least the
 * one before it. */
static void holm_adjusts_for_all_tests_of_a_family(void **state)
{
	struct significance_test t[] = { { 0.5, 1, 1 }, { 0.013, 1, 1 }, { 0.01, 1, 1 },
		{ SIGNIFICANCE_NO_TEST, SIGNIFICANCE_NO_TEST, 1 }, { 0.02, 1, 1 } };

	(void)state;
	significance_holm(t, ARRAY_LEN(t));
	assert_near(t[2].p_value, 0.04, 1e-9);
	assert_near(t[1].p_value, 0.04, 1e-9);
	assert_near(t[4].p_value, 0.04, 1e-9);
	assert_near(t[0].p_value, 0.5, 1e-9);
	assert_near(t[3].p_value, 1, 1e-9);
}

/* 0.01 + 0.01 + 0.004; then 0.02 + 0.004; the third has nothing to report. */
static void a_test_counts_up_to_its_bound(void **state)
{
	struct significance_test t[] = { { 0.01, 0.03, 1 }, { 0.02, 0.5, 1 },
		{ SIGNIFICANCE_NO_TEST, 0.004, 1 } };

	(void)state;
	assert_near(significance_least_clear(t, 3, 0.024), 0.01, 1e-9);
	significance_holm(t, 3);
	assert_near(t[0].p_value, 0.024, 1e-9);
	assert_near(t[1].p_value, 0.024, 1e-9);
	assert_near(t[2].p_value, 1, 1e-9);
}

/* At the level 0.02 / 0.4 the other one adds 0.1 times that; at its own, 0.006 / 0.1, it is left
 * alone. */
static void a_test_has_the_part_of_its_weight(void **state)
{
	struct significance_test t[] = { { 0.006, 1, 0.1 }, { 0.02, 1, 0.4 } };

	(void)state;
	assert_near(significance_least_clear(t, 2, 0.025), 0.05, 1e-9);
	significance_holm(t, 2);
	assert_near(t[1].p_value, 0.025, 1e-9);
	assert_near(t[0].p_value, 0.025, 1e-9);
}

static void no_adjusted_p_value_exceeds_one(void **state)
{
	struct significance_test t[] = { { 0.9, 1, 1 }, { 0.8, 1, 1 }, { 0.7, 1, 1 } };

	(void)state;
	significance_holm(t, ARRAY_LEN(t));
	assert_near(t[0].p_value, 1, 1e-9);
	assert_near(t[1].p_value, 1, 1e-9);
	assert_near(t[2].p_value, 1, 1e-9);
	significance_holm(NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_growth_alone_is_tested_on_its_side),
		cmocka_unit_test(a_large_growth_is_half_as_likely_as_a_large_change),
		cmocka_unit_test(small_counts_get_the_exact_p_value),
		cmocka_unit_test(the_sides_may_change_places),
		cmocka_unit_test(large_counts_get_a_z_test),
		cmocka_unit_test(the_two_tests_meet),
		cmocka_unit_test(too_few_samples_are_no_test),
		cmocka_unit_test(huge_counts_do_no_harm),
		cmocka_unit_test(a_division_is_a_binomial_test),
		cmocka_unit_test(many_tests_are_adjusted_together),
		cmocka_unit_test(holm_adjusts_for_all_tests_of_a_family),
		cmocka_unit_test(a_test_counts_up_to_its_bound),
		cmocka_unit_test(a_test_has_the_part_of_its_weight),
		cmocka_unit_test(no_adjusted_p_value_exceeds_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
