#include "output/picture/palette.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static uint32_t color_of(const char *palette, const struct color_subject *s)
{
	const struct palette *p;
	struct color c;
	struct err e;

	assert_int_equal(palette_by_name(&p, palette, &e), OK);
	c = palette_color(p, s);
	return (uint32_t)c.r << 16 | (uint32_t)c.g << 8 | c.b;
}

static uint32_t color_of_name(const char *palette, const char *name)
{
	struct color_subject s = { .name = span_of(name) };

	return color_of(palette, &s);
}

#define RGB(r, g, b) ((uint32_t)((r) << 16 | (g) << 8 | (b)))

/* Colours that flamegraph.pl 1.0 (2024) gives. */
static void every_palette_gives_the_colours_of_flamegraph_pl(void **state)
{
	static const struct {
		const char *palette;
		uint32_t main, unknown;
	} expected[] = {
		{ "hot", RGB(243, 179, 42), RGB(223, 84, 20) },
		{ "mem", RGB(0, 228, 163), RGB(0, 208, 76) },
		{ "io", RGB(126, 126, 232), RGB(101, 101, 210) },
		{ "red", RGB(242, 112, 112), RGB(220, 79, 79) },
		{ "green", RGB(96, 242, 96), RGB(71, 220, 71) },
		{ "blue", RGB(126, 126, 243), RGB(101, 101, 223) },
		{ "yellow", RGB(217, 217, 65), RGB(195, 195, 57) },
		{ "purple", RGB(240, 126, 240), RGB(213, 101, 213) },
		{ "aqua", RGB(96, 207, 207), RGB(71, 185, 185) },
		{ "orange", RGB(240, 140, 0), RGB(213, 113, 0) },
		{ "wakeup", RGB(96, 207, 207), RGB(71, 185, 185) },
		{ "chain", RGB(126, 126, 243), RGB(101, 101, 223) },
		{ "java", RGB(242, 112, 112), RGB(220, 79, 79) },
		{ "js", RGB(242, 112, 112), RGB(220, 79, 79) },
		{ "perl", RGB(242, 112, 112), RGB(220, 79, 79) },
		{ NULL, RGB(243, 179, 42), RGB(223, 84, 20) },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(expected); i++) {
		assert_int_equal(color_of_name(expected[i].palette, "main"), expected[i].main);
		assert_int_equal(
			color_of_name(expected[i].palette, "[libc.so.6]"), expected[i].unknown);
	}
}

static void names_count_by_characters_not_by_bytes(void **state)
{
	(void)state;
	assert_int_equal(color_of_name("hot", "é日本"), RGB(233, 132, 31));
}

static void similar_names_have_similar_colours_by_hash(void **state)
{
	static const struct {
		const char *name;
		uint32_t color;
	} expected[] = {
		{ "main", RGB(247, 83, 46) },
		{ "[libc.so.6]", RGB(231, 147, 29) },
		{ "é日本", RGB(243, 185, 42) },
		{ "", RGB(255, 230, 55) },
		{ "a::b", RGB(230, 126, 28) },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(expected); i++) {
		struct color_subject s = { .name = span_of(expected[i].name), .by_hash = true };

		assert_int_equal(color_of("hot", &s), expected[i].color);
	}
}

/* "libc`read" as DTrace prints it: the module says nothing about the function. */
static void a_module_before_a_backtick_is_not_hashed(void **state)
{
	struct color_subject with = { .name = SPAN("libc`read"), .by_hash = true };
	struct color_subject without = { .name = SPAN("read"), .by_hash = true };

	(void)state;
	assert_int_equal(color_of("red", &with), color_of("red", &without));
}

static void separators_are_grey(void **state)
{
	(void)state;
	assert_int_equal(color_of_name("hot", "--"), RGB(160, 160, 160));
	assert_int_equal(color_of_name("java", "-"), RGB(200, 200, 200));
}

static void names_choose_the_hue_of_the_language_palettes(void **state)
{
	static const struct {
		const char *palette, *name, *hue;
	} expected[] = {
		{ "java", "fib_[j]", "green" },
		{ "java", "a::b_[i]", "aqua" },
		{ "java", "java/lang/String:.hash", "green" },
		{ "java", "Lorg/x/Y:.z", "green" },
		{ "java", "Interpreter:::run", "green" },
		{ "java", "JavaThread::run", "yellow" },
		{ "java", "do_idle_[k]", "orange" },
		{ "java", "read", "red" },
		{ "java", "my/java/read", "red" },
		{ "js", "LazyCompile:*f /a.js:3_[j]", "green" },
		{ "js", "Builtin:f_[j]", "aqua" },
		{ "js", "v8::Call", "yellow" },
		{ "js", "LazyCompile:*f /a/b.js:3", "green" },
		{ "js", "Stub:CEntry", "aqua" },
		{ "js", ".js/a", "red" },
		{ "js", "do_idle_[k]", "orange" },
		{ "js", " ", "green" },
		{ "perl", "Perl_pp_add", "green" },
		{ "perl", "main.pl", "green" },
		{ "perl", "std::sort", "yellow" },
		{ "perl", "do_idle_[k]", "orange" },
		{ "chain", "wake_up_[w]", "aqua" },
		{ "chain", "wake_up", "blue" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(expected); i++)
		assert_int_equal(color_of_name(expected[i].palette, expected[i].name),
			color_of_name(expected[i].hue, expected[i].name));
}

static void the_kind_of_a_frame_replaces_an_annotation(void **state)
{
	struct color_subject s = { .name = SPAN("fib"), .kind = 'j' };

	(void)state;
	assert_int_equal(color_of("java", &s), color_of("green", &s));
	s.kind = 'k';
	assert_int_equal(color_of("js", &s), color_of("orange", &s));
	s.name = SPAN("fib_[j]");
	assert_int_equal(color_of("java", &s), color_of("green", &s));
}

static void only_the_chain_palette_colours_wakers(void **state)
{
	struct color_subject s = { .name = SPAN("irq"), .waker = true };

	(void)state;
	assert_int_equal(color_of("chain", &s), color_of_name("aqua", "irq_[w]"));
	assert_int_equal(color_of("hot", &s), color_of_name("hot", "irq"));
}

static void an_unknown_palette_is_a_usage_error_that_names_the_known_ones(void **state)
{
	const struct palette *p;
	struct err e;

	(void)state;
	assert_int_equal(palette_by_name(&p, "pink", &e), ERR_USAGE);
	assert_non_null(strstr(e.msg, "\"pink\""));
	assert_non_null(strstr(e.msg, "hot, mem, io"));
}

static void backgrounds_follow_the_palette_or_the_user(void **state)
{
	const struct palette *p;
	struct background b;
	struct err e;

	(void)state;
	palette_by_name(&p, "mem", &e);
	assert_int_equal(palette_background(&b, p, NULL, &e), OK);
	assert_int_equal(b.bottom.r, 0xe0);
	assert_int_equal(b.bottom.g, 0xff);
	assert_int_equal(palette_background(&b, p, "yellow", &e), OK);
	assert_int_equal(b.bottom.b, 0xb0);
	assert_int_equal(palette_background(&b, p, "#12AB34", &e), OK);
	assert_int_equal(b.top.g, 0xab);
	assert_int_equal(b.bottom.b, 0x34);
	assert_int_equal(palette_background(&b, p, "#12ab3", &e), ERR_USAGE);
	assert_int_equal(palette_background(&b, p, "#12ab3x", &e), ERR_USAGE);
	assert_int_equal(palette_background(&b, p, "", &e), ERR_USAGE);
	assert_int_equal(palette_background(&b, p, "pink", &e), ERR_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_palette_gives_the_colours_of_flamegraph_pl),
		cmocka_unit_test(names_count_by_characters_not_by_bytes),
		cmocka_unit_test(similar_names_have_similar_colours_by_hash),
		cmocka_unit_test(a_module_before_a_backtick_is_not_hashed),
		cmocka_unit_test(separators_are_grey),
		cmocka_unit_test(names_choose_the_hue_of_the_language_palettes),
		cmocka_unit_test(the_kind_of_a_frame_replaces_an_annotation),
		cmocka_unit_test(only_the_chain_palette_colours_wakers),
		cmocka_unit_test(an_unknown_palette_is_a_usage_error_that_names_the_known_ones),
		cmocka_unit_test(backgrounds_follow_the_palette_or_the_user),
	};

	return cmocka_run_group_tests_name("palette", tests, NULL, NULL);
}
