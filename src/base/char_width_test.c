#include "base/char_width.h"

#include "base/mem.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <wchar.h>

#include <cmocka.h>

static void characters_have_the_width_of_a_terminal(void **state)
{
	(void)state;
	assert_int_equal(char_width('a'), 1);
	assert_int_equal(char_width(0xe9), 1);
	assert_int_equal(char_width(0x301), 0);  /* combining acute accent */
	assert_int_equal(char_width(0x200b), 0); /* zero width space */
	assert_int_equal(char_width(0x200d), 0); /* zero width joiner */
	assert_int_equal(char_width(0x2026), 1);
	assert_int_equal(char_width(0x1100), 2); /* Hangul Jamo */
	assert_int_equal(char_width(0x4e2d), 2); /* CJK */
	assert_int_equal(char_width(0xff21), 2); /* fullwidth A */
	assert_int_equal(char_width(0x1f600), 2);
	assert_int_equal(char_width(0x31350), 2); /* CJK of Unicode 15 */
	assert_int_equal(char_width(0x1cc00), 1); /* of Unicode 16 */
	assert_int_equal(char_width(0x1cf00), 0); /* a mark of musical notes */
	assert_int_equal(char_width(0xfe0f), 0);  /* variation selector */
	assert_int_equal(char_width(0xe0041), 0);
	assert_int_equal(char_width(0xe000), 1); /* private use */
	assert_int_equal(char_width(0x10ffff), 1);
}

static void a_text_is_as_wide_as_its_characters(void **state)
{
	(void)state;
	assert_int_equal(char_width_of_text(SPAN("")), 0);
	assert_int_equal(char_width_of_text(SPAN("main")), 4);
	assert_int_equal(char_width_of_text(SPAN("größe")), 5);
	assert_int_equal(char_width_of_text(SPAN("e\u0301")), 1);
	assert_int_equal(char_width_of_text(SPAN("中文")), 4);
}

/* Other versions of the C library know other characters, but not many differ. */
static void the_c_library_agrees(void **state)
{
	uint32_t code, differ = 0, n = 0;

	(void)state;
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		skip();
	for (code = 0xa0; code < 0x110000; code++) {
		int width = wcwidth((wchar_t)code);

		if (width < 0)
			continue;
		n++;
		differ += char_width(code) != (unsigned)width;
	}
	assert_true(n > 100000);
	assert_true(differ < 500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(characters_have_the_width_of_a_terminal),
		cmocka_unit_test(a_text_is_as_wide_as_its_characters),
		cmocka_unit_test(the_c_library_agrees),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
