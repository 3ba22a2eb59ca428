#include "model/names/v8_name.h"

#include "base/buf.h"
#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void check(const char *name, const char *want)
{
	static const char *const tiers[] = { "", " interpreted", " baseline", " maglev",
		" turbofan" };
	struct v8_name n;
	struct buf b = { 0 };

	assert_true(v8_name_parse(span_of(name), &n));
	buf_printf(&b, "'%.*s' '%.*s' %u:%u%s", SPAN_ARG(n.function), SPAN_ARG(n.url), n.line,
		n.column, tiers[n.tier]);
	assert_string_equal(buf_str(&b), want);
	buf_release(&b);
}

static void names_of_all_versions_are_parsed(void **state)
{
	(void)state;
	check("JS:*fib /srv/app.js:5:13", "'fib' '/srv/app.js' 5:13 turbofan");
	check("JS:^fib /srv/app.js:5:13", "'fib' '/srv/app.js' 5:13 baseline");
	check("JS:+'f node:internal/errors:538:21", "'f' 'node:internal/errors' 538:21 maglev");
	check("JS:o*'f file:///p/m.mjs:1:2", "'f' 'file:///p/m.mjs' 1:2 turbofan");
	check("LazyCompile:~fib /srv/app.js:5", "'fib' '/srv/app.js' 5:0 interpreted");
	check("LazyCompile:~reduce native array.js:1082",
		"'reduce' 'native array.js' 1082:0 interpreted");
	check("LazyCompile:_tick node.js:387", "'_tick' 'node.js' 387:0");
	check("Function:^get size /a b/c d.js:1:7", "'get size' '/a b/c d.js' 1:7 baseline");
	check("LazyCompile:~body_0 evalmachine.<anonymous>:1",
		"'body_0' 'evalmachine.<anonymous>' 1:0 interpreted");
	check("JS:~inUrl webpack://app/./src/index.ts?abcd:1:16",
		"'inUrl' 'webpack://app/./src/index.ts?abcd' 1:16 interpreted");
	check("JS:~emit ext:core/01_core.js:986:25",
		"'emit' 'ext:core/01_core.js' 986:25 interpreted");
	check("JS:*f C:\\my app\\x.js:3:4", "'f' 'C:\\my app\\x.js' 3:4 turbofan");
}

static void parts_that_are_not_there_stay_empty(void **state)
{
	(void)state;
	check("JS:~ /p/x.js:26:157", "'' '/p/x.js' 26:157 interpreted");
	check("JS:~evaldFn :1:18", "'evaldFn' '' 1:18 interpreted");
	check("LazyCompile: :1", "'' '' 1:0");
	check("Script:~ /srv/a.js:1", "'' '/srv/a.js' 1:0 interpreted");
	check("Script:~events.js", "'' 'events.js' 0:0 interpreted");
	check("InterpretedFunction:fib", "'fib' '' 0:0 interpreted");
	check("JS:spin-0-turbofan", "'spin-0-turbofan' '' 0:0");
	check("Function:~", "'' '' 0:0 interpreted");
}

static void names_may_contain_what_looks_like_a_path(void **state)
{
	(void)state;
	check("JS:*GET /users /srv/app.js:5:13", "'GET /users' '/srv/app.js' 5:13 turbofan");
	check("JS:*on: retry file:///a/m.mjs:1:2", "'on: retry' 'file:///a/m.mjs' 1:2 turbofan");
	check("JS:*GET /x node:fs:1:2", "'GET /x' 'node:fs' 1:2 turbofan");
	check("JS:*f /srv/my app:new/x.js:1:2", "'f' '/srv/my app:new/x.js' 1:2 turbofan");
}

static void functions_of_webassembly_end_with_number_and_tier(void **state)
{
	static const struct {
		const char *name, *suffix;
	} cases[] = { { "JS:spin-0-turbofan", "-0-turbofan" },
		{ "JS:A::f(int) const-12-liftoff", "-12-liftoff" }, { "Function:f-3", "-3" },
		{ "JS:*f /a-1", "" }, { "JS:f /a.js:5:13", "" }, { "JS:spin-turbofan", "" },
		{ "JS:-3", "" }, { "f-3", "" }, { "JS:", "" } };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++)
		assert_int_equal(
			v8_name_wasm_suffix(span_of(cases[i].name)), strlen(cases[i].suffix));
}

static void a_name_that_begins_with_o_keeps_it(void **state)
{
	(void)state;
	check("JS:~onRequest /a.js:1:1", "'onRequest' '/a.js' 1:1 interpreted");
	check("JS:^on /a.js:1:1", "'on' '/a.js' 1:1 baseline");
	check("JS:on /a.js:1:1", "'on' '/a.js' 1:1");
}

static void other_generated_code_is_not_parsed(void **state)
{
	static const char *const names[] = { "Builtin:A builtin from the snapshot",
		"Stub:JSEntryStub", "RegExp:[&<>]", "Builtins_CallFunction", "js:f /a.js:1:1", "JS",
		"", "std::function<void (int)>::operator()" };
	struct v8_name n;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(names); i++) {
		n.tier = 77;
		assert_false(v8_name_parse(span_of(names[i]), &n));
		assert_int_equal(n.tier, 0);
	}
}

static void a_line_too_large_is_part_of_the_name(void **state)
{
	struct v8_name n;

	(void)state;
	assert_true(v8_name_parse(SPAN("JS:*f /a.js:99999999999999999999"), &n));
	assert_int_equal(n.line, 0);
	assert_true(span_eq(n.function, SPAN("f /a.js:99999999999999999999")));
}

static void a_function_is_the_same_in_all_tiers(void **state)
{
	(void)state;
	assert_true(v8_name_same_function(SPAN("JS:~f /a.js:1:2"), SPAN("JS:o*'f /a.js:1:2")));
	assert_true(v8_name_same_function(SPAN("Stub:x"), SPAN("Stub:x")));
	assert_false(v8_name_same_function(SPAN("JS:~f /a.js:1:2"), SPAN("JS:*f /a.js:1:3")));
	assert_false(v8_name_same_function(SPAN("JS:~f /a.js:1:2"), SPAN("JS:*g /a.js:1:2")));
	assert_false(v8_name_same_function(SPAN("JS:~f /a.js:1:2"), SPAN("JS:*f /b.js:1:2")));
	assert_false(v8_name_same_function(SPAN("Stub:x"), SPAN("Stub:y")));
}

static void the_hash_of_a_function_does_not_depend_on_its_tier(void **state)
{
	uint64_t f = v8_name_hash_function(SPAN("JS:~f /a.js:1:2"));

	(void)state;
	assert_true(v8_name_hash_function(SPAN("JS:o*'f /a.js:1:2")) == f);
	assert_true(v8_name_hash_function(SPAN("LazyCompile:*f /a.js:1:2")) == f);
	assert_false(v8_name_hash_function(SPAN("JS:*f /a.js:1:3")) == f);
	assert_false(v8_name_hash_function(SPAN("JS:*g /a.js:1:2")) == f);
	assert_false(v8_name_hash_function(SPAN("f /a.js:1:2")) == f);
}

static void the_tier_of_other_names_is_none(void **state)
{
	(void)state;
	assert_int_equal(v8_name_tier(SPAN("JS:~f /a.js:1:2")), V8_INTERPRETED);
	assert_int_equal(v8_name_tier(SPAN("JS:*f")), V8_TURBOFAN);
	assert_int_equal(v8_name_tier(SPAN("JS:f")), V8_NO_TIER);
	assert_int_equal(v8_name_tier(SPAN("~f")), V8_NO_TIER);
}

static void the_interpreters_own_code_is_known(void **state)
{
	static const struct {
		const char *name;
		enum v8_machine machine;
	} cases[] = {
		{ "Builtins_InterpreterEntryTrampoline", V8_INTERPRETER_ENTRY },
		{ "Builtin:InterpreterEntryTrampoline", V8_INTERPRETER_ENTRY },
		{ "Builtins_LdaSmiWideHandler", V8_BYTECODE_HANDLER },
		{ "BytecodeHandler:Add.Wide", V8_BYTECODE_HANDLER },
		{ "Builtins_RecordWrite", V8_BUILTIN },
		{ "Builtin:CompileLazy", V8_BUILTIN },
		{ "JS:*Builtins_LdarHandler /a.js:1:1", V8_OTHER_CODE },
		{ "onHandler", V8_OTHER_CODE },
		{ "", V8_OTHER_CODE },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++)
		assert_int_equal(v8_name_machine(span_of(cases[i].name)), cases[i].machine);
}

static void scripts_of_the_executable_are_no_files(void **state)
{
	(void)state;
	assert_true(v8_name_is_built_in(SPAN("node:internal/util")));
	assert_true(v8_name_is_built_in(SPAN("ext:core/01_core.js")));
	assert_false(v8_name_is_built_in(SPAN("file:///app/a.mjs")));
	assert_false(v8_name_is_built_in(SPAN("/app/node:fs")));
	assert_false(v8_name_is_built_in(SPAN("")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_all_versions_are_parsed),
		cmocka_unit_test(parts_that_are_not_there_stay_empty),
		cmocka_unit_test(names_may_contain_what_looks_like_a_path),
		cmocka_unit_test(functions_of_webassembly_end_with_number_and_tier),
		cmocka_unit_test(a_name_that_begins_with_o_keeps_it),
		cmocka_unit_test(other_generated_code_is_not_parsed),
		cmocka_unit_test(a_line_too_large_is_part_of_the_name),
		cmocka_unit_test(a_function_is_the_same_in_all_tiers),
		cmocka_unit_test(the_hash_of_a_function_does_not_depend_on_its_tier),
		cmocka_unit_test(the_tier_of_other_names_is_none),
		cmocka_unit_test(scripts_of_the_executable_are_no_files),
		cmocka_unit_test(the_interpreters_own_code_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
