#include "model/diag.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void counts_add_up_and_the_first_place_is_kept(void **state)
{
	struct diag d = { 0 };

	(void)state;
	diag_count(&d, DIAG_BAD_RECORD, 0x100);
	diag_add(&d, DIAG_BAD_RECORD, 4, 0x50);
	assert_int_equal(d.count[DIAG_BAD_RECORD], 5);
	assert_int_equal(d.first_at[DIAG_BAD_RECORD], 0x100);
}

static void one_is_counted_in_the_singular(void **state)
{
	struct diag d = { 0 };

	(void)state;
	diag_count(&d, DIAG_STACK_BROKEN, 0);
	assert_string_equal(diag_message(&d, DIAG_STACK_BROKEN),
		"copied stack that could not be unwound to its end");
	diag_count(&d, DIAG_STACK_BROKEN, 0);
	assert_string_equal(diag_message(&d, DIAG_STACK_BROKEN),
		"copied stacks that could not be unwound to their end");
}

/* Copied stacks are, and so are those of profiles (pprof, .cpuprofile). */
static void any_stack_may_be_cut_at_the_limit_of_frames(void **state)
{
	struct diag d = { 0 };

	(void)state;
	diag_count(&d, DIAG_STACK_TOO_DEEP, 0);
	assert_string_equal(
		diag_message(&d, DIAG_STACK_TOO_DEEP), "stack cut at the limit of frames");
}

/* One record can claim that 2^64 - 1 events were lost, and another one too. */
static void counts_never_wrap(void **state)
{
	struct diag d = { 0 }, other = { 0 };

	(void)state;
	diag_add(&d, DIAG_LOST, UINT64_MAX - 1, 1);
	diag_add(&d, DIAG_LOST, 5, 2);
	assert_true(d.count[DIAG_LOST] == UINT64_MAX);
	diag_add(&other, DIAG_LOST, UINT64_MAX, 3);
	diag_merge(&d, &other);
	assert_true(d.count[DIAG_LOST] == UINT64_MAX);
}

static void of_two_workers_the_lower_place_is_kept(void **state)
{
	struct diag a = { 0 }, b = { 0 };

	(void)state;
	diag_count(&a, DIAG_BAD_SAMPLE, 500);
	diag_count(&b, DIAG_BAD_SAMPLE, 300);
	diag_count(&b, DIAG_GUEST_SAMPLE, 700);
	diag_merge(&a, &b);
	assert_int_equal(a.count[DIAG_BAD_SAMPLE], 2);
	assert_int_equal(a.first_at[DIAG_BAD_SAMPLE], 300);
	assert_int_equal(a.first_at[DIAG_GUEST_SAMPLE], 700);
}

static void only_damage_and_loss_fail_a_strict_run(void **state)
{
	struct diag d = { 0 };
	enum diag_kind which;

	(void)state;
	diag_count(&d, DIAG_UNKNOWN_RECORD, 1);
	assert_false(diag_strict_failure(&d, &which));
	diag_count(&d, DIAG_CUT_SHORT, 1);
	assert_true(diag_strict_failure(&d, &which));
	assert_int_equal(which, DIAG_CUT_SHORT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_add_up_and_the_first_place_is_kept),
		cmocka_unit_test(one_is_counted_in_the_singular),
		cmocka_unit_test(any_stack_may_be_cut_at_the_limit_of_frames),
		cmocka_unit_test(counts_never_wrap),
		cmocka_unit_test(of_two_workers_the_lower_place_is_kept),
		cmocka_unit_test(only_damage_and_loss_fail_a_strict_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
