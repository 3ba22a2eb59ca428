#include "model/v8name.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdio.h>

struct example {
	const char *name;
	const char *function, *url;
	uint32_t line, column;
	uint8_t tier;
};

static void check(const struct example *x)
{
	struct v8_name n;

	if (!v8_name_parse(span_of(x->name), &n))
		fail_msg("not taken: %s", x->name);
	if (!span_eq(n.function, span_of(x->function)))
		fail_msg("%s: function '%.*s'", x->name, SPAN_ARG(n.function));
	if (!span_eq(n.url, span_of(x->url)))
		fail_msg("%s: url '%.*s'", x->name, SPAN_ARG(n.url));
	if (n.line != x->line || n.column != x->column)
		fail_msg("%s: place %u:%u", x->name, n.line, n.column);
	if (n.tier != x->tier)
		fail_msg("%s: tier %u", x->name, n.tier);
}

static void test_names_of_all_versions_are_taken_apart(void **state)
{
	static const struct example examples[] = {
		{"JS:*fib /srv/app.js:5:13",                          "fib",      "/srv/app.js",          5,    13, V8_TURBOFAN   },
		{ "JS:^fib /srv/app.js:5:13",                         "fib",      "/srv/app.js",          5,    13, V8_BASELINE   },
		{ "JS:+'f node:internal/errors:538:21",               "f",        "node:internal/errors", 538,  21,
                 V8_MAGLEV													},
		{ "JS:o*'f file:///p/m.mjs:1:2",                      "f",        "file:///p/m.mjs",      1,    2,  V8_TURBOFAN   },
		{ "LazyCompile:~fib /srv/app.js:5",                   "fib",      "/srv/app.js",          5,    0,  V8_INTERPRETED},
		{ "LazyCompile:~reduce native array.js:1082",         "reduce",   "native array.js",      1082, 0,
                 V8_INTERPRETED												   },
		{ "LazyCompile:_tick node.js:387",                    "_tick",    "node.js",              387,  0,  V8_NO_TIER    },
		{ "Function:^get size /a b/c d.js:1:7",               "get size", "/a b/c d.js",          1,    7,
                 V8_BASELINE												      },
		{ "LazyCompile:~body_0 evalmachine.<anonymous>:1",    "body_0",
                 "evalmachine.<anonymous>",							       1,    0,  V8_INTERPRETED},
		{ "JS:~inUrl webpack://app/./src/index.ts?abcd:1:16", "inUrl",
                 "webpack://app/./src/index.ts?abcd",                                                     1,    16, V8_INTERPRETED},
		{ "JS:*f C:\\my app\\x.js:3:4",                       "f",        "C:\\my app\\x.js",     3,    4,  V8_TURBOFAN   },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(examples); i++)
		check(&examples[i]);
}

static void test_parts_that_are_not_there_stay_empty(void **state)
{
	static const struct example examples[] = {
		{"JS:~ /p/x.js:26:157",      "",                "/p/x.js",   26, 157, V8_INTERPRETED},
		{ "JS:~evaldFn :1:18",       "evaldFn",         "",          1,  18,  V8_INTERPRETED},
		{ "LazyCompile: :1",         "",                "",          1,  0,   V8_NO_TIER    },
		{ "Script:~ /srv/a.js:1",    "",                "/srv/a.js", 1,  0,   V8_INTERPRETED},
		{ "Script:~events.js",       "",                "events.js", 0,  0,   V8_INTERPRETED},
		{ "InterpretedFunction:fib", "fib",             "",          0,  0,   V8_INTERPRETED},
		{ "JS:spin-0-turbofan",      "spin-0-turbofan", "",          0,  0,   V8_NO_TIER    },
		{ "Function:~",              "",                "",          0,  0,   V8_INTERPRETED},
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(examples); i++)
		check(&examples[i]);
}

static void test_a_name_that_begins_with_o_keeps_it(void **state)
{
	static const struct example examples[] = {
		{"JS:~onRequest /a.js:1:1", "onRequest", "/a.js", 1, 1, V8_INTERPRETED},
		{ "JS:^on /a.js:1:1",       "on",        "/a.js", 1, 1, V8_BASELINE   },
		{ "JS:on /a.js:1:1",        "on",        "/a.js", 1, 1, V8_NO_TIER    },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(examples); i++)
		check(&examples[i]);
}

static void test_other_generated_code_is_not_taken(void **state)
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

static void test_a_line_too_large_is_part_of_the_name(void **state)
{
	struct v8_name n;

	(void)state;
	assert_true(v8_name_parse(SPAN("JS:*f /a.js:99999999999999999999"), &n));
	assert_int_equal(n.line, 0);
	assert_true(span_eq(n.function, SPAN("f /a.js:99999999999999999999")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_of_all_versions_are_taken_apart),
		cmocka_unit_test(test_parts_that_are_not_there_stay_empty),
		cmocka_unit_test(test_a_name_that_begins_with_o_keeps_it),
		cmocka_unit_test(test_other_generated_code_is_not_taken),
		cmocka_unit_test(test_a_line_too_large_is_part_of_the_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
