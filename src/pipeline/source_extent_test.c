#include "pipeline/source_extent.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

struct extent_case {
	const char *text;
	uint32_t begin[4], line[8]; /* up to a 0 */
	struct source_extent expect[4];
};

static uint32_t count(const uint32_t *list)
{
	uint32_t n = 0;

	while (list[n])
		n++;
	return n;
}

static void expect_in(const struct source_text *text, const struct extent_case *c)
{
	struct source_extent extents[16];
	struct line_cost costs[8];
	struct annotated_file f = { .begin = (uint32_t *)c->begin,
		.n_begins = count(c->begin),
		.cost = costs,
		.n_costs = count(c->line) };
	uint32_t i, n;

	for (i = 0; i < f.n_costs; i++)
		costs[i] = (struct line_cost){ .line = c->line[i] };
	n = source_extent_find_all(text, &f, extents);
	for (i = 0; i < n; i++) {
		assert_int_equal(extents[i].first, c->expect[i].first);
		assert_int_equal(extents[i].last, c->expect[i].last);
	}
	assert_int_equal(c->expect[n].last, 0);
}

static void expect(const struct extent_case *c)
{
	struct source_text text;

	assert_true(source_file_from_text(&text, "a.c", span_of(c->text), SOURCE_UNDOUBTED));
	expect_in(&text, c);
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
		{ C_TEXT, { 3 }, { 5, 6 }, { { 3, 13 } } },
		{ C_TEXT, { 3 }, { 12 }, { { 3, 13 } } },
		{ C_TEXT, { 3 }, { 13 }, { { 3, 13 } } },
		{ C_TEXT, { 15 }, { 15 }, { { 15, 15 } } },
		{ "class A {\n  f(x) {\n    g(x)\n  }\n  h() {}\n}\n", { 2 }, { 3 }, { { 2, 4 } } },
		{ "def f(x):\n    y = x\n    return y\n\ndef g():\n    pass\n", { 1 }, { 2 },
			{ { 1, 3 } } },
		{ "def f(x)\n  x + 1\nend\ndef g\nend\n", { 1 }, { 2 }, { { 1, 3 } } },
		{ "const f = (x) => {\n  g(x);\n};\nconst h = 1;\n", { 1 }, { 2 }, { { 1, 3 } } },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect(&cases[i]);
}

static void without_a_beginning_there_are_lines_around(void **state)
{
	static const struct extent_case cases[] = {
		{ C_TEXT, { 0 }, { 6, 8 }, { { 3, 11 } } },
		{ C_TEXT, { 0 }, { 2, 15 }, { { 1, 16 } } },
		{ C_TEXT, { 9 }, { 6 }, { { 3, 11 } } }, /* a line before the function's */
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect(&cases[i]);
}

static void lines_beyond_the_end_of_the_text_are_not_there(void **state)
{
	static const struct extent_case cases[] = {
		{ C_TEXT, { 30 }, { 31, 32 }, { { 0 } } },
		{ C_TEXT, { 3 }, { 5, 4000000000u }, { { 3, 13 } } },
		{ C_TEXT, { 0 }, { 0 }, { { 0 } } },
		{ C_TEXT, { 3 }, { 0 }, { { 3, 13 } } }, /* only its own line is known */
		{ "", { 1 }, { 1 }, { { 0 } } },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect(&cases[i]);
}

/* A function of ten lines in each twenty. */
static void make_functions(struct source_text *text)
{
	struct buf all = { 0 };
	unsigned i, k;

	for (i = 0; i < 100; i++) {
		buf_puts(&all, "int f(int x)\n{\n");
		for (k = 0; k < 7; k++)
			buf_puts(&all, "\tx++;\n");
		buf_puts(&all, "}\n\n");
		for (k = 0; k < 9; k++)
			buf_puts(&all, "int other(void);\n");
	}
	assert_true(source_file_from_text(text, "a.c", buf_span(&all), SOURCE_UNDOUBTED));
	buf_release(&all);
}

static void what_is_between_functions_of_one_name_is_left_out(void **state)
{
	static const struct extent_case cases[] = {
		{ NULL, { 21, 1601 }, { 23, 1604 }, { { 21, 30 }, { 1601, 1610 } } },
		{ NULL, { 21, 41 }, { 23, 44 }, { { 21, 30 }, { 41, 50 } } },
		/* declared twice, and one function */
		{ NULL, { 20, 21 }, { 23 }, { { 20, 30 } } },
		/* lines that another function seems to have, before and after */
		{ NULL, { 1001 }, { 24, 1003, 1900 },
			{ { 21, 27 }, { 1001, 1010 }, { 1897, 1903 } } },
		{ NULL, { 0 }, { 500, 900, 1301 }, { { 497, 903 }, { 1298, 1304 } } },
		{ NULL, { 1 }, { 3, 3, 1999, 2001 }, { { 1, 10 }, { 1996, 2000 } } },
	};
	struct source_text text;
	size_t i;

	(void)state;
	make_functions(&text);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect_in(&text, &cases[i]);
	source_file_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_ends_where_its_indentation_does),
		cmocka_unit_test(without_a_beginning_there_are_lines_around),
		cmocka_unit_test(lines_beyond_the_end_of_the_text_are_not_there),
		cmocka_unit_test(what_is_between_functions_of_one_name_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
