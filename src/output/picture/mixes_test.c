#include "output/picture/mixes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#include "model/profile_for_test.h"

static void a_function_in_two_tiers_has_a_colour_between_theirs(void **state)
{
	struct test_profile t;
	struct display_names names;
	struct mixes m;
	frame_id hot, cold, other;
	uint32_t mix;

	(void)state;
	test_profile_from_folded(&t, SPAN("hot;cold 1\nother 1\n"));
	hot = t.p.nodes[1].frame;
	cold = t.p.nodes[2].frame;
	other = t.p.nodes[3].frame;
	struct tier_use use[] = {
		{ hot, V8_TURBOFAN, 2 },
		{ cold, V8_INTERPRETED, 5 },
		{ hot, V8_INTERPRETED, 1 },
		{ hot, V8_TURBOFAN, 1 },
	};
	struct tiers tiers = { .use = use, .n = ARRAY_LEN(use) };

	display_names_init(&names, &t.p);
	mixes_init(&m, &tiers, &names);
	assert_int_equal(m.n, 3);
	mix = mixes_of(&m, display_names_number(&names, hot));
	assert_string_equal(buf_str(&m.mix[mix].text), "TurboFan 75%, interpreted 25%");
	assert_int_equal(m.mix[mix].tier, V8_TURBOFAN);
	assert_int_equal(m.mix[mix].color.r, (3 * 0x62 + 0xe0 + 2) / 4);
	assert_int_equal(m.mix[mix].color.g, (3 * 0xb5 + 0x80 + 2) / 4);
	mix = mixes_of(&m, display_names_number(&names, cold));
	assert_string_equal(buf_str(&m.mix[mix].text), "interpreted");
	assert_int_equal(mixes_of(&m, display_names_number(&names, other)), 0);
	mixes_release(&m);
	display_names_release(&names);
	test_profile_release(&t);
}

static void mixes_are_in_the_order_of_names(void **state)
{
	struct test_profile t;
	struct display_names names;
	struct mixes m;
	frame_id b, a;

	(void)state;
	test_profile_from_folded(&t, SPAN("b;a 1\n"));
	b = t.p.nodes[1].frame;
	a = t.p.nodes[2].frame;
	struct tier_use use[] = { { b, V8_TURBOFAN, 2 }, { a, V8_INTERPRETED, 5 } };
	struct tiers tiers = { .use = use, .n = ARRAY_LEN(use) };

	display_names_init(&names, &t.p);
	assert_true(display_names_number(&names, b) < display_names_number(&names, a));
	mixes_init(&m, &tiers, &names);
	assert_int_equal(mixes_of(&m, display_names_number(&names, a)), 1);
	assert_int_equal(mixes_of(&m, display_names_number(&names, b)), 2);
	mixes_release(&m);
	display_names_release(&names);
	test_profile_release(&t);
}

static void without_tiers_there_are_no_mixes(void **state)
{
	struct test_profile t;
	struct display_names names;
	struct mixes m;

	(void)state;
	test_profile_from_folded(&t, SPAN("a 1\n"));
	display_names_init(&names, &t.p);
	mixes_init(&m, NULL, &names);
	assert_int_equal(m.n, 1);
	assert_int_equal(mixes_of(&m, display_names_number(&names, t.p.nodes[1].frame)), 0);
	mixes_release(&m);
	display_names_release(&names);
	test_profile_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_in_two_tiers_has_a_colour_between_theirs),
		cmocka_unit_test(mixes_are_in_the_order_of_names),
		cmocka_unit_test(without_tiers_there_are_no_mixes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
