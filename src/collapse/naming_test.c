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

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(argument_lists_go_and_nothing_else) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
