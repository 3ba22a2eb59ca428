#include "model/names/runtime_name.h"

#include "base/buf.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* "FUNCTION|FILE:LINE|TIER", "-" where the name has no parts. */
static void expect(const char *name, const char *expected)
{
	struct buf b = { 0 };
	struct v8_name n;

	if (runtime_name_parse(span_of(name), &n))
		buf_printf(&b, "%.*s|%.*s:%u|%u", SPAN_ARG(n.function), SPAN_ARG(n.url), n.line,
			n.tier);
	else
		buf_puts(&b, "-");
	assert_string_equal(buf_str(&b), expected);
	buf_release(&b);
}

static void functions_of_v8_are_parsed_by_v8_name(void **state)
{
	(void)state;
	expect("JS:*fib /srv/app.js:5:13", "fib|/srv/app.js:5|4");
	expect("Script:~ /srv/app.js:1", "|/srv/app.js:1|1");
}

static void functions_of_python_have_a_file(void **state)
{
	(void)state;
	expect("py::Words.join.<locals>.<genexpr>:/srv/app.py",
		"Words.join.<locals>.<genexpr>|/srv/app.py:0|0");
	expect("py::f:<frozen importlib._bootstrap>", "f|<frozen importlib._bootstrap>:0|0");
	expect("py::f:C:/x.py", "f|C:/x.py:0|0");
	expect("py::f:", "-");
	expect("py:::x", "-");
	expect("py::", "-");
	expect("py::std::f(int)", "-");
	assert_true(runtime_name_is_trampoline(SPAN("py::f:/srv/app.py")));
	assert_false(runtime_name_is_trampoline(SPAN("py::std::f(int)")));
	assert_false(runtime_name_is_trampoline(SPAN("[JIT] Integer#fib@/srv/app.rb:3")));
}

static void code_of_php_is_recognized(void **state)
{
	(void)state;
	assert_true(runtime_name_is_php(SPAN("JIT$Words::join")));
	assert_true(runtime_name_is_php(SPAN("JIT$$trace_halt")));
	assert_true(runtime_name_is_php(SPAN("TRACE-3$fib$2")));
	assert_false(runtime_name_is_php(SPAN("TRACE_3::@fib.lua:2")));
	assert_false(runtime_name_is_php(SPAN("TRACE-3")));
	assert_false(runtime_name_is_php(SPAN("")));
}

static void code_of_qemu_is_recognized(void **state)
{
	(void)state;
	assert_true(runtime_name_is_qemu(SPAN("guest-0x4021a4")));
	assert_false(runtime_name_is_qemu(SPAN("tcg-prologue-buffer")));
	assert_false(runtime_name_is_qemu(SPAN("guest")));
}

static void methods_of_ruby_have_a_file_and_a_line(void **state)
{
	(void)state;
	expect("[JIT] Integer#fib@/srv/app.rb:3", "Integer#fib|/srv/app.rb:3|0");
	expect("zjit::block in run@/srv/a@b/app.rb:12", "block in run|/srv/a@b/app.rb:12|0");
	expect("[JIT] each@<internal:array>:21", "each|<internal:array>:21|0");
	expect("[JIT] entry", "-");
	expect("[JIT] f@:3", "-");
	expect("[JIT] f@/srv/app.rb", "-");
	expect("[JIT] ", "-");
}

static void traces_of_luajit_have_a_file_and_a_line(void **state)
{
	(void)state;
	expect("TRACE_12::app.lua:34", "TRACE_12|app.lua:34|0");
	expect("TRACE_1::@/srv/a b.lua:1", "TRACE_1|/srv/a b.lua:1|0");
	expect("TRACE_1::app.lua", "-");
	expect("TRACE_x::app.lua:1", "-");
	assert_true(runtime_name_is_luajit(SPAN("TRACE_1::@/srv/app.lua:1")));
	assert_false(runtime_name_is_luajit(SPAN("TRACE-3$fib$2")));
	assert_false(runtime_name_is_luajit(SPAN("")));
}

static void functions_of_php_are_found_in_traces_too(void **state)
{
	(void)state;
	expect("JIT$fib", "fib|:0|0");
	expect("JIT$K::loop", "K::loop|:0|0");
	expect("TRACE-3$fib$2", "fib|:0|0");
	expect("TRACE-9$/srv/f.php$12", "/srv/f.php|/srv/f.php:12|0");
	expect("JIT$$interrupt_handler", "-");
	expect("JIT$", "-");
	expect("TRACE-3$fib", "-");
}

static void methods_of_dotnet_have_a_tier(void **state)
{
	struct v8_name n;

	(void)state;
	expect("void [app] Program::Main(string[])[QuickJitted]", "Program::Main|:0|5");
	expect("instance bool [System.Private.CoreLib] System.Threading.Thread::Join(int32)"
	       "[OptimizedTier1]",
		"System.Threading.Thread::Join|:0|6");
	expect("[app] Program::.ctor()[PreJIT]", "Program::.ctor|:0|7");
	expect("void [app] Busy::run(float64)[InstrumentedTier]", "Busy::run|:0|5");
	expect("void [app] Busy::run(float64)[InstrumentedTierOptimized]", "Busy::run|:0|6");
	expect("[app] Program::.ctor()", "-");
	expect("[Optimized]", "-");
	assert_true(runtime_name_parse(SPAN("int32 [app] P::F(int32)[Tier0]"), &n));
	assert_true(span_eq(n.rest, SPAN("int32 [app] P::F(int32)")));
}

static void functions_of_javascriptcore_have_a_tier(void **state)
{
	struct v8_name n;

	(void)state;
	expect("JSC-FTL: main#EgW0sx", "main|:0|6");
	expect("JSC-Baseline: größe_计算#D3W7Fm", "größe_计算|:0|5");
	expect("JSC-DFG: #AHMaik", "|:0|6");
	expect("JSC-DFG: a->b#AHMaik", "a->b|:0|6");
	expect("JSC-DFGThunk: unspecified", "-");
	expect("JSC-FTL: main", "-");
	expect("JSC-FTL: main#EgW0s", "-");
	expect("JSC-InlineCache: GetById Load handler", "-");
	assert_true(runtime_name_parse(SPAN("JSC-FTL: main#EgW0sx"), &n));
	assert_true(span_eq(n.rest, SPAN("main#EgW0sx")));
}

static void names_of_other_runtimes_have_no_parts(void **state)
{
	static const char *const names[] = { "", "main", "int F.fib(int)", "Lpkg/A;::f",
		"lists:keyfind/3", "julia_fib_12", "std::vector<int>::push_back", "a->b" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		expect(names[i], "-");
}

static void a_chain_of_inlined_functions_has_pieces(void **state)
{
	struct span rest = SPAN("La;::f->Lb;::operator->->Lc;::h");

	(void)state;
	assert_true(runtime_name_is_chain(rest));
	assert_true(span_eq(runtime_name_next_piece(&rest), SPAN("La;::f")));
	assert_true(span_eq(runtime_name_next_piece(&rest), SPAN("Lb;::operator->")));
	assert_true(span_eq(runtime_name_next_piece(&rest), SPAN("Lc;::h")));
	assert_int_equal(rest.n, 0);
	assert_false(runtime_name_is_chain(SPAN("A::operator->")));
	assert_false(runtime_name_is_chain(SPAN("RegExp:a->b")));
	assert_false(runtime_name_is_chain(SPAN("JSC-YarrJIT: /a->b/")));
	assert_false(runtime_name_is_chain(SPAN("JSC-FTL: a->b#AHMaik")));
	assert_false(runtime_name_is_chain(SPAN("JS:*f /srv/a->b.js:1:2")));
	assert_false(runtime_name_is_chain(SPAN("main")));
	assert_false(runtime_name_is_chain(SPAN("f->")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_of_v8_are_parsed_by_v8_name),
		cmocka_unit_test(functions_of_python_have_a_file),
		cmocka_unit_test(code_of_php_is_recognized),
		cmocka_unit_test(code_of_qemu_is_recognized),
		cmocka_unit_test(methods_of_ruby_have_a_file_and_a_line),
		cmocka_unit_test(traces_of_luajit_have_a_file_and_a_line),
		cmocka_unit_test(functions_of_php_are_found_in_traces_too),
		cmocka_unit_test(methods_of_dotnet_have_a_tier),
		cmocka_unit_test(functions_of_javascriptcore_have_a_tier),
		cmocka_unit_test(names_of_other_runtimes_have_no_parts),
		cmocka_unit_test(a_chain_of_inlined_functions_has_pieces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
