#include "pipeline/source_extent.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

struct extent_case {
	const char *text;
	uint32_t begin, first, last;
	uint32_t expect_first, expect_last;
};

static void expect(const struct extent_case *c)
{
	struct source_text text;
	struct source_extent e;

	assert_true(source_file_from_text(&text, "a.c", span_of(c->text), SOURCE_UNDOUBTED));
	e = source_extent_find(&text, c->begin, c->first, c->last);
	assert_int_equal(e.first, c->expect_first);
	assert_int_equal(e.last, c->expect_last);
	source_file_release(&text);
}

#define C_TEXT                                                                                     \
	"int a;\n"                                                                                 \
	"static int\n"                                                                             \
	"f(int x)\n"                                                                               \
	"{\n"                                                                                      \
	"\tif (x)\n"                                                                               \
	"\t\treturn 1;\n"                                                                          \
	"\n"                                                                                       \
	"#ifdef B\n"                                                                               \
	"\tx++;\n"                                                                                 \
	"#endif\n"                                                                                 \
	"out:\n"                                                                                   \
	"\treturn x;\n"                                                                            \
	"}\n"                                                                                      \
	"\n"                                                                                       \
	"int g(void) { return 0; }\n"                                                              \
	"int h(void) { return 1; }\n"

static void a_function_ends_where_its_indentation_does(void **state)
{
	static const struct extent_case cases[] = {
		{ C_TEXT, 3, 5, 6, 3, 13 },
		{ C_TEXT, 3, 12, 12, 3, 13 },
		{ C_TEXT, 3, 13, 13, 3, 13 },
		{ C_TEXT, 15, 15, 15, 15, 15 },
		{ "class A {\n  f(x) {\n    g(x)\n  }\n  h() {}\n}\n", 2, 3, 3, 2, 4 },
		{ "def f(x):\n    y = x\n    return y\n\ndef g():\n    pass\n", 1, 2, 2, 1, 3 },
		{ "def f(x)\n  x + 1\nend\ndef g\nend\n", 1, 2, 2, 1, 3 },
		{ "const f = (x) => {\n  g(x);\n};\nconst h = 1;\n", 1, 2, 2, 1, 3 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect(&cases[i]);
}

static void without_a_beginning_there_are_lines_around(void **state)
{
	static const struct extent_case cases[] = {
		{ C_TEXT, 0, 6, 8, 3, 11 }, { C_TEXT, 0, 2, 15, 1, 16 },
		{ C_TEXT, 9, 6, 6, 3, 9 }, /* a line before the function's */
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect(&cases[i]);
}

static void lines_beyond_the_end_of_the_text_are_not_there(void **state)
{
	static const struct extent_case cases[] = {
		{ C_TEXT, 30, 31, 32, 0, 0 },
		{ C_TEXT, 3, 5, 4000000000u, 3, 16 },
		{ C_TEXT, 0, 0, 0, 0, 0 },
		{ C_TEXT, 3, 0, 0, 3, 13 }, /* only the function's own line is known */
		{ "", 1, 1, 1, 0, 0 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect(&cases[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_ends_where_its_indentation_does),
		cmocka_unit_test(without_a_beginning_there_are_lines_around),
		cmocka_unit_test(lines_beyond_the_end_of_the_text_are_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
