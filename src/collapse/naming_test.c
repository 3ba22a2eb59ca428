#include "collapse/naming.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static void assert_named(const char *name, enum frame_kind kind, uint8_t tier,
	const struct collapse_opts *o, const char *expected)
{
	struct strtab *strings = strtab_new();
	struct frames *frames = frames_new(strings);
	struct frame f = { .name = strtab_add_str(strings, name), .kind = kind, .tier = tier };
	frame_id id = frames_add(frames, &f);
	struct naming n;
	const struct frame *tidy;

	naming_init(&n, frames, frames_count(frames), o);
	tidy = frames_get(frames, naming_tidy(&n, id, false));
	assert_string_equal(strtab_str(strings, tidy->name), expected);
	assert_int_equal(tidy->tier, o->tiers ? tier : 0);
	assert_int_equal(tidy->kind, kind);
	naming_release(&n);
	frames_free(frames);
	strtab_free(strings);
}

static void only_argument_lists_are_cut(void **state)
{
	static const struct collapse_opts usual = { 0 };
	static const char *const cases[][2] = {
		{ "main", "main" },
		{ "foo(int, char const*)", "foo" },
		{ "foo(int)::bar(char)", "foo::bar" },
		{ "a::f(b<int>&) const::{lambda(int)#1}::operator()(int) const",
			"a::f::{lambda(int)#1}::operator()" },
		{ "f(int) const &::{lambda()#2}::operator()", "f::{lambda()#2}::operator()" },
		{ "f(int)::g(int)::h(int)", "f::g::h" },
		{ "f(int) [clone .cold]", "f" },
		{ "f(int)::", "f::" },
		{ "f(int", "f" },
		{ "decltype (a(b)) f<int>(int)", "decltype (a(b)) f<int>" },
		{ "void (*f(int))(char)", "void (*f(int))" },
		{ "run (/app/jobs.py:7)", "run (/app/jobs.py:7)" },
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
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_named(cases[i][0], FRAME_USER, 0, &usual, cases[i][1]);
}

/* A function without a symbol keeps its address under the name that a rule gave it. */
static void a_function_that_a_rule_has_named_is_as_others(void **state)
{
	static const struct collapse_opts usual = { 0 };
	struct strtab *strings = strtab_new();
	struct frames *frames = frames_new(strings);
	struct frame f = { .name = strtab_add_str(strings, "foo(int)"),
		.kind = FRAME_USER,
		.flags = FRAME_FUNCTION,
		.address = 16 };
	frame_id id = frames_add(frames, &f);
	struct naming n;
	const struct frame *tidy;

	(void)state;
	naming_init(&n, frames, frames_count(frames), &usual);
	tidy = frames_get(frames, naming_tidy(&n, id, false));
	assert_string_equal(strtab_str(strings, tidy->name), "foo");
	naming_release(&n);
	frames_free(frames);
	strtab_free(strings);
}

static void tiers_of_a_function_become_one(void **state)
{
	static const struct collapse_opts together = { .full_names = true },
					  apart = { .full_names = true, .tiers = true };
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
		{ "RegExp:^a", 0, "RegExp:^a" },
		{ "int32 [a] P::F(int32)[Tier0]", 5, "int32 [a] P::F(int32)" },
		{ "int32 [a] P::F(int32)[Unknown]", 0, "int32 [a] P::F(int32)" },
		{ "JSC-FTL: main#EgW0sx", 6, "main#EgW0sx" },
		{ "JSC-Baseline: #AHMaik", 5, "(anonymous)#AHMaik" },
		{ "JSC-InlineCache: GetById Load handler", 0,
			"JSC-InlineCache: GetById Load handler" },
		{ "JIT$fib", 0, "JIT$fib" },
		{ "renamed by a rule", 3, "renamed by a rule" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_named(cases[i].name, FRAME_JIT, cases[i].tier, &together, cases[i].expected);
		assert_named(cases[i].name, FRAME_JIT, cases[i].tier, &apart, cases[i].name);
	}
}

static void regular_expressions_and_lambdas_are_cut_only_by_cut_at_first(void **state)
{
	static const struct collapse_opts whole = { 0 }, cut = { .cut_at_first = true };
	static const char *const cases[][3] = {
		{ "RegExp:^(a+)<b>[c]$", "RegExp:^(a+)<b>[c]$", "RegExp:^" },
		{ "RegExp.> src: '^(a)' flags: 'g'", "RegExp.> src: '^(a)' flags: 'g'",
			"RegExp.> src: '^" },
		{ "JSC-YarrJIT: /(a+)<b>/", "JSC-YarrJIT: /(a+)<b>/", "JSC-YarrJIT: /" },
		{ "JS:a::B<int>::f(int, char*) const-2-turbofan", "JS:a::B<int>::f-2-turbofan",
			"JS:a::B<int>::f" },
		{ "[RegExp] /^(a+)$/g", "[RegExp] /^(a+)$/g", "[RegExp] /^" },
		{ "f(int)::{lambda(int)#1}::operator()(int) const",
			"f::{lambda(int)#1}::operator()", "f" },
		{ "StubRoutines (1)", "StubRoutines (1)", "StubRoutines " },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_named(cases[i][0], FRAME_JIT, 0, &whole, cases[i][1]);
		assert_named(cases[i][0], FRAME_JIT, 0, &cut, cases[i][2]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_argument_lists_are_cut),
		cmocka_unit_test(a_function_that_a_rule_has_named_is_as_others),
		cmocka_unit_test(tiers_of_a_function_become_one),
		cmocka_unit_test(regular_expressions_and_lambdas_are_cut_only_by_cut_at_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
