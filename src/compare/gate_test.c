#include "compare/gate.h"

#include "model/sample_choice.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static void expect_refusal(const char *text, bool compares, const char *message)
{
	struct gate_rules g = { 0 };
	struct err e = { 0 };

	assert_int_equal(gate_rules_parse(&g, text, compares, &e), ERR_USAGE);
	if (!strstr(e.msg, message))
		fail_msg("\"%s\" does not hold \"%s\"", e.msg, message);
	gate_rules_release(&g);
}

static struct gate_rule only_rule(struct gate_rules *g, const char *text)
{
	struct err e = { 0 };

	*g = (struct gate_rules){ 0 };
	if (gate_rules_parse(g, text, true, &e))
		fail_msg("%s", e.msg);
	assert_int_equal(g->n, 1);
	return g->item[0];
}

static void check(const char *text, enum gate_what what, enum gate_field field,
	enum gate_limit limit_by, double limit)
{
	struct gate_rules g;
	struct gate_rule r = only_rule(&g, text);

	assert_int_equal(r.what, what);
	assert_int_equal(r.field, field);
	assert_int_equal(r.limit_by, limit_by);
	assert_true(fabs(r.limit - limit) < 1e-9);
	gate_rules_release(&g);
}

static void every_form_of_a_rule_is_understood(void **state)
{
	(void)state;
	check("self(/^JSON/) > +2pp", GATE_SELF, GATE_FUNCTION, GATE_POINTS, 2);
	check("total(module:/libssl/) > 1.2x", GATE_TOTAL, GATE_MODULE, GATE_TIMES, 1.2);
	check("total(file:/\\.c$/) > +20%", GATE_TOTAL, GATE_FILE, GATE_TIMES, 1.2);
	check("self(function:/x/)>12.5%", GATE_SELF, GATE_FUNCTION, GATE_SHARE, 12.5);
	check("new(/regexp/) > 0.5%", GATE_NEW, GATE_FUNCTION, GATE_SHARE, 0.5);
	check("new > 1 %", GATE_NEW, GATE_FUNCTION, GATE_SHARE, 1);
	check("any-self > +3pp", GATE_ANY_SELF, GATE_FUNCTION, GATE_POINTS, 3);
	check(" any-total ( module: /x/ ) > + 3 pp ", GATE_ANY_TOTAL, GATE_MODULE, GATE_POINTS, 3);
}

static void rules_know_their_own_text(void **state)
{
	struct gate_rules g;
	struct gate_rule r = only_rule(&g, "  self(/a,b/) > 5%  ");

	(void)state;
	assert_true(span_eq(r.text, SPAN("self(/a,b/) > 5%")));
	gate_rules_release(&g);
}

static void one_string_may_have_several_rules(void **state)
{
	struct gate_rules g = { 0 };
	struct err e = { 0 };

	(void)state;
	assert_int_equal(gate_rules_parse(&g, "self(/a{1,2}/) > 5%, default,new>1%", true, &e), OK);
	assert_int_equal(g.n, 4);
	assert_int_equal(g.item[1].what, GATE_ANY_SELF);
	assert_int_equal(g.item[2].what, GATE_ANY_TOTAL);
	assert_int_equal(g.item[3].what, GATE_NEW);
	gate_rules_release(&g);
}

static void an_expression_ends_at_its_slash_and_may_ignore_case(void **state)
{
	struct gate_rules g;
	struct gate_rule r = only_rule(&g, "self(file:/lib\\/json/i) > 5%");

	(void)state;
	assert_true(name_pattern_matches(r.pattern, SPAN("/src/LIB/JSON.c")));
	assert_false(name_pattern_matches(r.pattern, SPAN("/src/libjson.c")));
	gate_rules_release(&g);
}

static void wrong_rules_say_where(void **state)
{
	(void)state;
	expect_refusal("", true, "\"\", column 1: not one of self, total");
	expect_refusal("slow > 3%", true, "column 1: not one of self");
	expect_refusal("self > 3%", true, "column 6: say of which functions");
	expect_refusal("self(JSON) > 3%", true, "column 6: an expression is missing");
	expect_refusal("self(/JSON) > 3%", true, "column 7: the expression has no end");
	expect_refusal("self(/JSON\\/) > 3%", true, "column 7: the expression has no end");
	expect_refusal("self(/(/) > 3%", true, "column 7: ");
	expect_refusal("self(/JSON/ > 3%", true, "column 13: \")\" is missing");
	expect_refusal("self(/JSON/) < 3%", true, "column 14: \">\" is missing");
	expect_refusal("self(/JSON/) > much", true, "column 16: a number is missing");
	expect_refusal("self(/JSON/) > 3", true, "column 17: N needs a unit: x or %");
	expect_refusal("self(/JSON/) > +3", true, "column 18: +N needs a unit: pp or %");
	expect_refusal("self(/JSON/) > 3pp", true, "column 17: N needs a unit");
	expect_refusal("self(/JSON/) > 0.9x", true, "column 16: below 1x is not growth");
	expect_refusal("self(/JSON/) > 101%", true, "column 16: nothing is more than 100%");
	expect_refusal("new > +3pp", true, "column 7: what is new has not grown");
	expect_refusal("any-self > 3% any-total > 3%", true, "column 15: \",\" or the end");
	expect_refusal("any-self > 3%,", true, "column 15: not one of");
}

static void growth_needs_something_before(void **state)
{
	struct gate_rules g = { 0 };
	struct err e = { 0 };

	(void)state;
	expect_refusal("any-self > +3pp", false, "column 12: growth is for comparisons");
	expect_refusal("any-self > 2x", false, "column 12: growth is for comparisons");
	expect_refusal("new > 3%", false, "\"new\" is for comparisons");
	expect_refusal("default", false, "the default rules are for comparisons");
	assert_int_equal(gate_rules_parse(&g, "any-self > 3%", false, &e), OK);
	gate_rules_release(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form_of_a_rule_is_understood),
		cmocka_unit_test(rules_know_their_own_text),
		cmocka_unit_test(one_string_may_have_several_rules),
		cmocka_unit_test(an_expression_ends_at_its_slash_and_may_ignore_case),
		cmocka_unit_test(wrong_rules_say_where),
		cmocka_unit_test(growth_needs_something_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
