#include "cli/requirements.h"

#include "cli/cli_for_test.h"
/* The result has 980 of 1000 samples; 100 copied stacks were cut off, and 60 of these joined. */
static void check(const char *text, const char *wanted)
{
	struct recording recording = { .samples_read = 980, .samples_kept = 800 };
	struct recording *recordings[] = { &recording };
	struct pipeline_result r = { .recordings = recordings, .n_recordings = 1 };
	struct requirements q = { 0 };
	struct buf said = { 0 };
	struct err e = { 0 };

	r.diag.count[DIAG_LOST] = 20;
	r.diag.count[DIAG_STACK_TRUNCATED] = 70;
	r.diag.count[DIAG_STACK_NO_PAGE] = 20;
	r.diag.count[DIAG_STACK_TO_DATA] = 4;
	r.diag.count[DIAG_STACK_OTHER] = 2;
	r.diag.count[DIAG_STACK_TOO_DEEP] = 4;
	r.diag.count[DIAG_STACK_JOINED] = 60;
	r.diag.count[DIAG_STACK_BROKEN] = 3;
	r.diag.count[DIAG_STACK_NO_FILE] = 1;
	if (requirements_parse(&q, text, &e))
		fail_msg("%s", e.msg);
	requirements_report(&q, &r, put_line, &said);
	assert_string_equal(buf_str(&said), wanted);
	buf_release(&said);
	requirements_release(&q);
}

static void met_requirement_puts_nothing(void **state)
{
	(void)state;
	check("lost<2.1%, truncated<=5%,samples>799 , broken < 5", "");
	check("samples >= 800", "");
}

static void failed_requirement_shows_what_was_measured(void **state)
{
	(void)state;
	check("lost<2%", "lost<2%: 2.00% (20 of 1000)\n");
	check(" truncated < 5 % ", "truncated < 5 %: 5.00% (40 of 800)\n");
	check("samples>800", "samples>800: 800\n");
	check("broken<4", "broken<4: 0.50% (4 of 800)\n");
	check("lost<1%, samples>5000, broken<1%",
		"lost<1%: 2.00% (20 of 1000)\nsamples>5000: 800\n");
}

static void expect_refusal(const char *text, const char *message)
{
	struct requirements q = { 0 };
	struct err e = { 0 };

	assert_int_equal(requirements_parse(&q, text, &e), ERR_USAGE);
	if (!strstr(e.msg, message))
		fail_msg("\"%s\" does not hold \"%s\"", e.msg, message);
	requirements_release(&q);
}

static void syntax_error_has_its_column(void **state)
{
	(void)state;
	expect_refusal("", "column 1: not one of samples, lost");
	expect_refusal("lost<1%,", "column 9: not one of samples");
	expect_refusal("gone<1%", "column 1: not one of samples");
	expect_refusal("lost 1%", "column 6: \"<\" or \">\" is missing");
	expect_refusal("lost<much", "column 6: a number is missing");
	expect_refusal("lost<1% samples>3", "column 9: \",\" or the end is missing");
	expect_refusal("samples>10%", "column 11: \",\" or the end is missing");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(met_requirement_puts_nothing),
		cmocka_unit_test(failed_requirement_shows_what_was_measured),
		cmocka_unit_test(syntax_error_has_its_column),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
