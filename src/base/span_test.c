#include "base/span.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define assert_span(s, text) assert_true(span_eq((s), SPAN(text)))

static void spans_compare_as_their_bytes_do(void **state)
{
	(void)state;
	assert_true(span_cmp(SPAN("abc"), SPAN("abd")) < 0);
	assert_true(span_cmp(SPAN("abc"), SPAN("ab")) > 0);
	assert_true(span_cmp(SPAN("ab"), SPAN("abc")) < 0);
	assert_true(span_cmp(SPAN("\xff"), SPAN("a")) > 0);
	assert_int_equal(span_cmp(SPAN("a\0b"), SPAN("a\0b")), 0);
	assert_int_equal(span_cmp((struct span){ NULL, 0 }, SPAN("")), 0);
	assert_true(span_cmp_ended(SPAN("a"), ';', SPAN("a.b"), ';') > 0);
	assert_true(span_cmp_ended(SPAN("a"), ' ', SPAN("a.b"), ';') < 0);
	assert_true(span_cmp_ended(SPAN("a"), -1, SPAN("a"), ';') < 0);
	assert_true(span_cmp_ended(SPAN("a"), ';', SPAN("a\xff"), -1) < 0);
	assert_int_equal(span_cmp_ended(SPAN("a"), ';', SPAN("a"), ';'), 0);
	assert_false(span_eq(SPAN("a\0b"), SPAN("a\0c")));
}

static void a_common_prefix_is_exact_to_the_byte(void **state)
{
	static const char text[] =
		"program;main;of::a<long>::name;and::then<some, more>;which;are;as::long<as>;f";
	char other[sizeof(text)];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(text) - 1; i++) {
		memcpy(other, text, sizeof(text));
		assert_int_equal(span_common_prefix(SPAN(text), (struct span){ other, i }), i);
		other[i] ^= 1;
		assert_int_equal(span_common_prefix(span_of(other), SPAN(text)), i);
	}
	assert_int_equal(span_common_prefix(SPAN(text), SPAN(text)), sizeof(text) - 1);
	assert_int_equal(span_common_prefix((struct span){ NULL, 0 }, SPAN(text)), 0);
}

static void a_prefix_is_taken_off_or_all_stays(void **state)
{
	struct span s = SPAN("0x1f");

	(void)state;
	assert_false(span_take(&s, SPAN("0x1f0")));
	assert_true(span_take(&s, SPAN("0x")));
	assert_true(span_eq(s, SPAN("1f")));
	assert_true(span_take(&s, SPAN("1f")));
	assert_int_equal(s.n, 0);
}

static void prefixes_and_suffixes_are_found(void **state)
{
	(void)state;
	assert_true(span_starts(SPAN("[kernel]"), SPAN("[")));
	assert_false(span_starts(SPAN("["), SPAN("[k")));
	assert_true(span_ends(SPAN("a.svg"), SPAN(".svg")));
	assert_false(span_ends(SPAN("svg"), SPAN(".svg")));
}

static void skipping_more_than_there_is_gives_an_empty_span(void **state)
{
	struct span s = span_skip(SPAN("abc"), 10);

	(void)state;
	assert_int_equal(s.n, 0);
	assert_span(span_skip(SPAN("abc"), 1), "bc");
}

static void a_search_stops_at_the_first_byte_of_the_set(void **state)
{
	static const bool set[256] = { [';'] = true, [0] = true, [0xff] = true };
	char text[] = "abcdefghijk";
	size_t i, n;

	(void)state;
	for (n = 0; n < sizeof(text); n++)
		assert_int_equal(span_until((struct span){ text, n }, set), n);
	for (i = 0; i + 1 < sizeof(text); i++) {
		char was = text[i];

		text[i] = i % 2 ? ';' : (char)0xff;
		for (n = 0; n < sizeof(text); n++)
			assert_int_equal(span_until((struct span){ text, n }, set), n < i ? n : i);
		text[i] = was;
	}
	assert_int_equal(span_until((struct span){ NULL, 0 }, set), 0);
}

static void the_last_part_of_a_path_is_its_base_name(void **state)
{
	(void)state;
	assert_span(span_basename(SPAN("/usr/lib/libc.so.6")), "libc.so.6");
	assert_span(span_basename(SPAN("node")), "node");
	assert_span(span_basename(SPAN("/tmp/")), "");
	assert_span(span_basename(SPAN("")), "");
}

static void blanks_are_trimmed_at_both_ends_only(void **state)
{
	(void)state;
	assert_span(span_trim(SPAN(" \t a b \r\n")), "a b");
	assert_span(span_trim(SPAN(" \n\t")), "");
}

static void a_needle_is_found_or_not(void **state)
{
	(void)state;
	assert_int_equal(span_find(SPAN("a;b;c"), SPAN(";c")), 3);
	assert_int_equal(span_find(SPAN("abc"), SPAN("abcd")), -1);
	assert_int_equal(span_find(SPAN("abc"), SPAN("")), 0);
}

static void lines_end_with_lf_or_at_the_end(void **state)
{
	struct span rest = SPAN("one\n\nthree\r\nlast"), line;

	(void)state;
	assert_true(span_next_line(&rest, &line));
	assert_span(line, "one");
	assert_true(span_next_line(&rest, &line));
	assert_span(line, "");
	assert_true(span_next_line(&rest, &line));
	assert_span(line, "three\r");
	assert_true(span_next_line(&rest, &line));
	assert_span(line, "last");
	assert_false(span_next_line(&rest, &line));
}

static void a_scanner_stops_after_the_number(void **state)
{
	struct span s = SPAN("120/7 x");
	uint64_t v;

	(void)state;
	assert_true(span_scan_u64(&s, &v));
	assert_int_equal(v, 120);
	assert_span(s, "/7 x");
	assert_false(span_scan_u64(&s, &v));
	assert_span(s, "/7 x");
}

static void the_largest_number_fits_and_one_more_does_not(void **state)
{
	struct span fits = SPAN("18446744073709551615"), over = SPAN("18446744073709551616");
	struct span hex_fits = SPAN("ffffffffffffffff"), hex_over = SPAN("10000000000000000");
	uint64_t v = 0;

	(void)state;
	assert_true(span_scan_u64(&fits, &v));
	assert_true(v == UINT64_MAX);
	assert_false(span_scan_u64(&over, &v));
	assert_span(over, "18446744073709551616");
	v = 0;
	assert_true(span_scan_hex(&hex_fits, &v));
	assert_true(v == UINT64_MAX);
	assert_false(span_scan_hex(&hex_over, &v));
	assert_span(hex_over, "10000000000000000");
}

static void a_hexadecimal_number_ends_where_its_digits_do(void **state)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	uint64_t sevens = 0;
	char text[40];
	size_t n;
	int c;

	(void)state;
	/* "0", n times "7", any byte. */
	for (n = 0; n <= 16; sevens = sevens << 4 | 7, n++) {
		for (c = 0; c < 256; c++) {
			const char *digit = c ? strchr(digits, c) : NULL;
			uint64_t expected = digit ? sevens << 4 | (digit - digits) % 16 : sevens, v;
			struct span s = { text, n + 10 };

			memset(text, '7', sizeof(text));
			text[0] = '0';
			text[n + 1] = (char)c;
			text[n + 2] = ' ';
			if (n == 16 && digit) {
				assert_false(span_scan_hex(&s, &v));
				continue;
			}
			assert_true(span_scan_hex(&s, &v));
			assert_int_equal(v, expected);
			assert_int_equal(s.n, digit ? 8 : 9);
		}
	}
}

static void hexadecimal_has_both_cases_and_no_prefix(void **state)
{
	struct span s = SPAN("7fFF8aG"), prefixed = SPAN("0x10"), odd = SPAN("@1");
	uint64_t v;

	(void)state;
	assert_true(span_scan_hex(&s, &v));
	assert_int_equal(v, 0x7fff8a);
	assert_span(s, "G");
	assert_true(span_scan_hex(&prefixed, &v));
	assert_int_equal(v, 0);
	assert_span(prefixed, "x10");
	assert_false(span_scan_hex(&odd, &v));
}

static void signs_and_blanks_are_no_numbers(void **state)
{
	static const char *const texts[] = { "", "-1", "+1", " 1" };
	uint64_t v;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct span s = span_of(texts[i]);

		assert_false(span_scan_u64(&s, &v));
		assert_false(span_scan_hex(&s, &v));
	}
}

static void a_decimal_may_have_one_point_among_its_digits(void **state)
{
	static const char *const wrong[] = { "", ".5", "1.", "-1", "x" };
	struct span s = SPAN("2.50pp"), whole = SPAN("12");
	double v = 0;
	size_t i;

	(void)state;
	assert_true(span_scan_double(&s, &v) && v >= 2.5 && v <= 2.5);
	assert_true(span_eq(s, SPAN("pp")));
	assert_true(span_scan_double(&whole, &v) && v >= 12 && v <= 12);
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct span at = span_of(wrong[i]);

		assert_false(span_scan_double(&at, &v));
		assert_true(at.p == wrong[i]);
	}
}

static void a_last_number_is_cut_off_with_its_colon(void **state)
{
	static const char *const wrong[] = { "", ":", "12", "a:", "a:1b", "a:-1", "a: 1", "a:1 ",
		"a:4294967296", "a:99999999999999999999" };
	struct span s = SPAN("/m.go:12:4294967295");
	uint32_t n;
	size_t i;

	(void)state;
	assert_true(span_scan_last_number(&s, &n));
	assert_int_equal(n, UINT32_MAX);
	assert_span(s, "/m.go:12");
	assert_true(span_scan_last_number(&s, &n));
	assert_int_equal(n, 12);
	assert_span(s, "/m.go");
	s = SPAN(":0");
	assert_true(span_scan_last_number(&s, &n));
	assert_int_equal(s.n, 0);
	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		s = span_of(wrong[i]);
		assert_false(span_scan_last_number(&s, &n));
		assert_int_equal(s.n, strlen(wrong[i]));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spans_compare_as_their_bytes_do),
		cmocka_unit_test(a_common_prefix_is_exact_to_the_byte),
		cmocka_unit_test(prefixes_and_suffixes_are_found),
		cmocka_unit_test(a_prefix_is_taken_off_or_all_stays),
		cmocka_unit_test(skipping_more_than_there_is_gives_an_empty_span),
		cmocka_unit_test(a_search_stops_at_the_first_byte_of_the_set),
		cmocka_unit_test(the_last_part_of_a_path_is_its_base_name),
		cmocka_unit_test(blanks_are_trimmed_at_both_ends_only),
		cmocka_unit_test(a_needle_is_found_or_not),
		cmocka_unit_test(lines_end_with_lf_or_at_the_end),
		cmocka_unit_test(a_scanner_stops_after_the_number),
		cmocka_unit_test(the_largest_number_fits_and_one_more_does_not),
		cmocka_unit_test(a_hexadecimal_number_ends_where_its_digits_do),
		cmocka_unit_test(hexadecimal_has_both_cases_and_no_prefix),
		cmocka_unit_test(signs_and_blanks_are_no_numbers),
		cmocka_unit_test(a_last_number_is_cut_off_with_its_colon),
		cmocka_unit_test(a_decimal_may_have_one_point_among_its_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
