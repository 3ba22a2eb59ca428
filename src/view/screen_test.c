#include "view/screen_for_test.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const struct screen_style plain;

/* What a row of so many columns shows of a text. */
static void assert_put(unsigned columns, struct span text, const char *expected)
{
	struct screen s = { 0 };
	struct screen_line l;
	struct buf shown = { 0 };

	screen_reset(&s, columns, 1);
	l = screen_line(&s, 0, 0, columns);
	screen_put(&l, text, plain);
	screen_test_put_row(&shown, &s, 0);
	assert_string_equal(buf_str(&shown), expected);
	buf_release(&shown);
	screen_release(&s);
}

static void what_does_not_fit_ends_in_an_ellipsis(void **state)
{
	(void)state;
	assert_put(8, SPAN("main"), "main");
	assert_put(4, SPAN("main"), "main");
	assert_put(3, SPAN("main"), "ma…");
	assert_put(1, SPAN("main"), "…");
	assert_put(8, SPAN(""), "");
}

static void wide_characters_take_two_columns(void **state)
{
	(void)state;
	assert_put(4, SPAN("中文"), "中文");
	assert_put(3, SPAN("中文"), "中…");
	assert_put(2, SPAN("中文"), "…");
	assert_put(5, SPAN("e\u0301a\u0301z"), "e\u0301a\u0301z");
	assert_put(2, SPAN("\u0301ab"), "ab");
}

static void nothing_moves_the_cursor_or_turns_text_around(void **state)
{
	(void)state;
	assert_put(20, SPAN("a\033[2Jb"), "a\\x1b[2Jb");
	assert_put(20, SPAN("a\nb\rc\x9b"), "a\\x0ab\\x0dc\\x9b");
	assert_put(20, SPAN("a\u202eb"), "a\\u{202e}b");
	assert_put(20, SPAN("a\xff"), "a\\xff");
}

static void the_end_of_a_path_is_kept(void **state)
{
	struct screen s = { 0 };
	struct screen_line l;
	struct buf shown = { 0 };

	(void)state;
	screen_reset(&s, 10, 1);
	l = screen_line(&s, 0, 0, 10);
	screen_put_end(&l, SPAN("/usr/lib/中文/libc.so"), plain);
	screen_test_put_row(&shown, &s, 0);
	assert_string_equal(buf_str(&shown), "…/libc.so");
	buf_release(&shown);
	screen_release(&s);
}

static void half_of_a_wide_character_becomes_a_blank(void **state)
{
	struct screen s = { 0 };
	struct screen_line l;
	struct buf shown = { 0 };

	(void)state;
	screen_reset(&s, 6, 1);
	l = screen_line(&s, 0, 0, 6);
	screen_put(&l, SPAN("中文中"), plain);
	l = screen_line(&s, 0, 1, 2);
	screen_put(&l, SPAN("ab"), plain);
	screen_test_put_row(&shown, &s, 0);
	assert_string_equal(buf_str(&shown), " ab 中");
	buf_release(&shown);
	screen_release(&s);
}

static void nothing_is_put_outside(void **state)
{
	struct screen s = { 0 };
	struct screen_line l;

	(void)state;
	screen_reset(&s, 4, 2);
	l = screen_line(&s, 2, 0, 4);
	assert_int_equal(screen_room(&l), 0);
	screen_put(&l, SPAN("x"), plain);
	l = screen_line(&s, 0, 4, 1);
	screen_put_end(&l, SPAN("x"), plain);
	screen_put_bar(&l, 1, 4, plain);
	l = screen_line(&s, 1, 2, 100);
	screen_put(&l, SPAN("long"), plain);
	screen_pad(&l, 100, plain);
	assert_int_equal(l.column, 4);
	screen_release(&s);
}

static void a_bar_has_eighths(void **state)
{
	static const struct {
		double part;
		const char *expected;
	} cases[] = { { 0, "" }, { 0.5, "██" }, { 1, "████" }, { 2, "████" }, { 0.28, "█▏" },
		{ 0.01, "" } };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct screen s = { 0 };
		struct screen_line l;
		struct buf shown = { 0 };

		screen_reset(&s, 4, 1);
		l = screen_line(&s, 0, 0, 4);
		screen_put_bar(&l, cases[i].part, 4, plain);
		screen_test_put_row(&shown, &s, 0);
		assert_string_equal(buf_str(&shown), cases[i].expected);
		buf_release(&shown);
		screen_release(&s);
	}
}

static unsigned of_8(unsigned rgb)
{
	return screen_color_of_8((struct screen_color){
		(uint8_t)(rgb >> 16), (uint8_t)(rgb >> 8), (uint8_t)rgb, true });
}

static unsigned of_256(unsigned rgb)
{
	return screen_color_of_256((struct screen_color){
		(uint8_t)(rgb >> 16), (uint8_t)(rgb >> 8), (uint8_t)rgb, true });
}

static void eight_colours_are_told_by_hue(void **state)
{
	(void)state;
	assert_int_equal(of_8(0xe0806a), 1); /* kernel: red */
	assert_int_equal(of_8(0x62b58f), 2); /* app: green */
	assert_int_equal(of_8(0xe8c24a), 3); /* v8: yellow */
	assert_int_equal(of_8(0xc98fd0), 5); /* gc: magenta */
	assert_int_equal(of_8(0x8fb8f2), 6); /* native: cyan, as black is not read on blue */
	assert_int_equal(of_8(0xc5cdd8), 7); /* all: white */
	assert_int_equal(of_8(0x999ca6), 7);
	assert_int_equal(of_8(0xff0020), 1);
}

static void the_nearest_of_256_colours(void **state)
{
	(void)state;
	assert_int_equal(of_256(0x000000), 16);
	assert_int_equal(of_256(0xffffff), 231);
	assert_int_equal(of_256(0xff0000), 196);
	assert_int_equal(of_256(0x87afff), 111);
	assert_int_equal(of_256(0x808080), 244);
	assert_int_equal(of_256(0xb2b2b2), 249);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_does_not_fit_ends_in_an_ellipsis),
		cmocka_unit_test(wide_characters_take_two_columns),
		cmocka_unit_test(nothing_moves_the_cursor_or_turns_text_around),
		cmocka_unit_test(the_end_of_a_path_is_kept),
		cmocka_unit_test(half_of_a_wide_character_becomes_a_blank),
		cmocka_unit_test(nothing_is_put_outside),
		cmocka_unit_test(a_bar_has_eighths),
		cmocka_unit_test(eight_colours_are_told_by_hue),
		cmocka_unit_test(the_nearest_of_256_colours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
