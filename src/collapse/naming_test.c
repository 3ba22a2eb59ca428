#include "collapse/naming.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static void argument_lists_go_and_nothing_else(void **state)
{
	static const char *const cases[][2] = {
		{ "main", "main" },
		{ "foo(int, char const*)", "foo" },
		{ "foo(int)::bar(char)", "foo" },
		{ "std::function<void (int)>::operator()(int) const",
			"std::function<void (int)>::operator()" },
		{ "std::function<void (int)>::operator()",
			"std::function<void (int)>::operator()" },
		{ "(anonymous namespace)::f(int)", "(anonymous namespace)::f" },
		{ "a::(anonymous namespace)::f", "a::(anonymous namespace)::f" },
		{ "operator<<(std::ostream&, X)", "operator<<" },
		{ "a<b>::operator<(int)", "a<b>::operator<" },
		{ "a<b>::operator->()", "a<b>::operator->" },
		{ "my_operator<int>(int)", "my_operator<int>" },
		{ "main.(*T).Method", "main.(*T).Method" },
		{ "main.(*T).Method(int)", "main.(*T).Method" },
		{ "int F.fib(int)", "int F.fib" },
		{ "f(void (*)(int))", "f" },
		{ "f<g(int)::{lambda(int)#1}>(x)", "f<g(int)::{lambda(int)#1}>" },
		{ "{lambda(int)#1}::operator()(int)", "{lambda(int)#1}::operator()" },
		{ "foo<(Kind)1>(int)", "foo<(Kind)1>" },
		{ "(garbage collector)", "(garbage collector)" },
		{ "broken<name(int", "broken<name(int" },
		{ "", "" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct span got = naming_without_arguments(span_of(cases[i][0]));
		char text[128];

		snprintf(text, sizeof(text), "%.*s", SPAN_ARG(got));
		assert_string_equal(text, cases[i][1]);
	}
}

static void expect_tidy(const char *name, uint8_t tier, bool tiers, const char *expected)
{
	struct strtab *strings = strtab_new();
	struct frames *frames = frames_new(strings);
	struct frame f = { .name = strtab_add_str(strings, name), .kind = FRAME_JIT, .tier = tier };
	frame_id id = frames_add(frames, &f);
	struct naming n;
	const struct frame *tidy;

	naming_init(&n, frames, true, tiers);
	tidy = frames_get(frames, naming_tidy(&n, id, false));
	assert_string_equal(strtab_str(strings, tidy->name), expected);
	assert_int_equal(tidy->tier, tiers ? tier : 0);
	assert_int_equal(tidy->kind, FRAME_JIT);
	naming_release(&n);
	frames_free(frames);
	strtab_free(strings);
}

static void tiers_of_a_function_become_one(void **state)
{
	static const struct {
		const char *name;
		uint8_t tier;
		const char *expected;
	} cases[] = {
		{ "JS:~fib /srv/a.js:5:13", 1, "fib /srv/a.js:5:13" },
		{ "JS:^fib /srv/a.js:5:13", 2, "fib /srv/a.js:5:13" },
		{ "JS:o*'fib /srv/a.js:5:13", 4, "fib /srv/a.js:5:13" },
		{ "LazyCompile:fib /srv/a.js:5", 0, "fib /srv/a.js:5" },
		{ "JS:* file:///srv/m.mjs:2:3", 4, "(anonymous) file:///srv/m.mjs:2:3" },
		{ "Script:~events.js", 1, "(anonymous) events.js" },
		{ "Eval:~ node:internal/x:1:1", 1, "(anonymous) node:internal/x:1:1" },
		{ "JS:*evald :1:18", 4, "evald :1:18" },
		{ "JS:*cut at the limit of leng", 4, "cut at the limit of leng" },
		{ "JS:spin-0-turbofan", 0, "JS:spin-0-turbofan" },
		{ "RegExp:^(a+)<b>[c]$", 0, "RegExp:^(a+)<b>[c]$" },
		{ "RegExp.> src: '^(a+)$' flags: 'g'", 0, "RegExp.> src: '^(a+)$' flags: 'g'" },
		{ "[RegExp] /^(a+)$/g", 0, "[RegExp] /^(a+)$/g" },
		{ "int32 [a] P::F(int32)[Tier0]", 5, "int32 [a] P::F(int32)" },
		{ "int32 [a] P::F(int32)[Unknown]", 0, "int32 [a] P::F(int32)" },
		{ "JIT$fib", 0, "JIT$fib" },
		{ "renamed by a rule", 3, "renamed by a rule" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		expect_tidy(cases[i].name, cases[i].tier, false, cases[i].expected);
		expect_tidy(cases[i].name, cases[i].tier, true, cases[i].name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(argument_lists_go_and_nothing_else),
		cmocka_unit_test(tiers_of_a_function_become_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
