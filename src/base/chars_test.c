#include "base/chars.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>

/* The classes agree with those of ctype.h in the locale "C", which a program starts in. */
static void classes_are_those_of_the_c_locale(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < 256; i++) {
		char c = (char)i;

		assert_int_equal(char_is_digit(c), isdigit(i) != 0);
		assert_int_equal(char_is_lower(c), islower(i) != 0);
		assert_int_equal(char_is_upper(c), isupper(i) != 0);
		assert_int_equal(char_is_letter(c), isalpha(i) != 0);
		assert_int_equal(char_is_alnum(c), isalnum(i) != 0);
		assert_int_equal(char_is_word(c), isalnum(i) || i == '_');
		assert_int_equal(char_is_hex(c), isxdigit(i) != 0);
		assert_int_equal(char_is_punct(c), ispunct(i) != 0);
		assert_int_equal((unsigned char)char_to_lower(c), tolower(i));
		assert_int_equal(char_is_lower_hex(c), isxdigit(i) && !isupper(i));
	}
}

static void hexadecimal_digits_of_both_cases_have_a_value(void **state)
{
	static const char lower[] = "0123456789abcdef", upper[] = "0123456789ABCDEF";
	int i;

	(void)state;
	for (i = 0; i < 16; i++) {
		assert_int_equal(char_hex_value(lower[i]), i);
		assert_int_equal(char_hex_value(upper[i]), i);
	}
	assert_int_equal(char_hex_value('g'), -1);
	assert_int_equal(char_hex_value('@'), -1);
	assert_int_equal(char_hex_value('\0'), -1);
	assert_int_equal(char_hex_value((char)0xe6), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(classes_are_those_of_the_c_locale),
		cmocka_unit_test(hexadecimal_digits_of_both_cases_have_a_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
