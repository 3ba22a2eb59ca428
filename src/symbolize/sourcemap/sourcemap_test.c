#include "symbolize/sourcemap/sourcemap.h"

#include "base/buf.h"
#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* A map with sources a.ts and b.ts and names fib and number. */
static void parse(struct sourcemap *m, const char *mappings)
{
	char *json = xasprintf("{\"version\":3,\"sources\":[\"a.ts\",\"b.ts\"],"
			       "\"names\":[\"fib\",\"number\"],\"mappings\":\"%s\"}",
		mappings);
	struct err e;

	if (sourcemap_parse(m, span_of(json), &e))
		fail_msg("%s", e.msg);
	free(json);
}

/* Where a function is from: "NAME SOURCE:LINE:COLUMN", "-" nowhere. */
static void expect(const struct sourcemap *m, uint32_t line, uint32_t column, const char *function,
	const char *expected)
{
	struct sourcemap_query q = { line, column, span_of(function), .found = false };
	struct buf b = { 0 };
	struct err e;

	if (sourcemap_resolve(m, &q, 1, &e))
		fail_msg("%s", e.msg);
	if (q.found)
		buf_printf(&b, "%.*s %.*s:%u:%u", SPAN_ARG(q.name), SPAN_ARG(q.source),
			q.source_line, q.source_column);
	else
		buf_puts(&b, "-");
	assert_string_equal(buf_str(&b), expected);
	buf_release(&b);
}

struct place {
	uint32_t line, column;
	const char *function, *expected;
};

/* Where several are from; that is the end of the map. */
static void expect_places(struct sourcemap *m, const struct place *p, size_t n)
{
	for (; n--; p++)
		expect(m, p->line, p->column, p->function, p->expected);
	sourcemap_release(m);
}

static void expect_mappings(const char *mappings, const struct place *p, size_t n)
{
	struct sourcemap m;

	parse(&m, mappings);
	expect_places(&m, p, n);
}

static void expect_json(struct span json, const struct place *p, size_t n)
{
	struct sourcemap m;
	struct err e;

	assert_int_equal(sourcemap_parse(&m, json, &e), OK);
	expect_places(&m, p, n);
}

#define PLACES(...)                                                                                \
	(const struct place[]){ __VA_ARGS__ }, ARRAY_LEN(((const struct place[]){ __VA_ARGS__ }))

static void a_function_gets_its_name_and_place(void **state)
{
	(void)state;
	/* function a(b)...   from   (line 3) function fib(number)...
	 * columns 0, 9, 11 from 0, 9, 13; the second has name 0, the third name 1. */
	expect_mappings("AAEA,SAASA,EAAIC",
		PLACES({ 1, 11, "a", "fib a.ts:3:10" }, /* Without a name in V8 there is none to
							   look for. */
			{ 1, 11, "", " a.ts:3:10" }, /* What is closer to the bracket than its own
							name is long is not its name. */
			{ 1, 11, "abc", " a.ts:3:10" }));
}

static void a_name_that_is_not_in_the_list_is_none(void **state)
{
	(void)state;
	/* As above, but the second has name 2, of two. */
	expect_mappings("AAEA,SAASE,EAAIC", PLACES({ 1, 11, "a", " a.ts:3:10" }));
}

static void an_arrow_function_has_the_name_of_its_variable(void **state)
{
	(void)state;
	/* u=t=>...   from   fib = (number) => ...: columns 0 and 2 from 0 and 18. */
	expect_mappings("AAAAA,EAAkBC", PLACES({ 1, 3, "u", "fib a.ts:1:19" }));
}

static void only_known_forms_put_a_name_before_its_function(void **state)
{
	(void)state;
	/* Name 0 at column 0, "function" at 2, the bracket at 10: u=function( */
	expect_mappings("AAAAA,EAAC,QAAQ", PLACES({ 1, 11, "u", "fib a.ts:1:10" }));
	expect_mappings(
		"AAAAA,EAAC", PLACES({ 1, 11, "u", "fib a.ts:1:2" }, { 1, 10, "u", " a.ts:1:2" }));
	expect_mappings("AAAAA,CAAC", PLACES({ 1, 11, "u", " a.ts:1:2" }));
}

static void an_unchanged_name_is_not_replaced_by_the_one_before(void **state)
{
	(void)state;
	/* radius;area(){}   "radius", name 0, at column 0, "area" at 7, without a name. */
	expect_mappings("AAAAA,OAAO", PLACES({ 1, 12, "area", " a.ts:1:8" }));
}

static void lines_of_generated_code_count(void **state)
{
	(void)state;
	/* Line 3 from a.ts:1, line 4 from b.ts:2 (source 1 on, line 1 on). */
	expect_mappings(";;AAAA;ACCA", PLACES({ 1, 1, "f", "-" }, { 3, 9, "f", " a.ts:1:1" },
					       { 4, 9, "f", " b.ts:2:1" }, { 5, 1, "f", "-" }));
}

static void code_that_no_source_has_stays(void **state)
{
	(void)state;
	expect_mappings("AAAA,K", PLACES({ 1, 5, "f", " a.ts:1:1" }, { 1, 6, "f", "-" }));
}

static void without_a_column_a_line_must_be_from_one_line(void **state)
{
	(void)state;
	/* Line 1 is from a.ts:1 in two pieces, line 2 from a.ts:1 and a.ts:2. */
	expect_mappings(
		"AAAA,IAAI;AAAA,IACA", PLACES({ 1, 0, "f", " a.ts:1:0" }, { 2, 0, "f", "-" }));
}

static void many_questions_are_answered_in_one_pass(void **state)
{
	struct sourcemap_query q[] = { { .line = 1 }, { .line = 1, .column = 1 },
		{ .line = 1, .column = 5 }, { .line = 1, .column = 6 },
		{ .line = 3, .column = 1 } };
	const uint32_t columns[] = { 0, 1, 5, 5, 5 };
	struct sourcemap m;
	struct err e;
	size_t i;

	(void)state;
	parse(&m, "AAAA,IAAI;;AAAA");
	assert_int_equal(sourcemap_resolve(&m, q, ARRAY_LEN(q), &e), OK);
	for (i = 0; i < ARRAY_LEN(q); i++) {
		assert_true(q[i].found);
		assert_int_equal(q[i].source_column, columns[i]);
	}
	sourcemap_release(&m);
}

static void sections_have_maps_of_their_own(void **state)
{
	static const char json[] =
		")]}'\n{\"version\":3,\"sections\":["
		"{\"offset\":{\"line\":0,\"column\":0},\"map\":{\"version\":3,"
		"\"sources\":[\"x.ts\"],\"names\":[],\"mappings\":\"AAAA;AACA\"}},"
		"{\"offset\":{\"line\":1,\"column\":10},\"map\":{\"version\":3,\"sourceRoot\":"
		"\"r\","
		"\"sources\":[\"y.ts\"],\"names\":[\"f\"],\"mappings\":\"AAKAA;CAAA\"}}]}";

	(void)state;
	expect_json(
		SPAN(json), PLACES({ 1, 30, "g", " x.ts:1:1" },
				    { 2, 10, "g", " x.ts:2:1" }, /* Column 10 of line 1, from 0, is
								    where the second begins. */
				    { 2, 12, "g", "f y.ts:6:1" }));
}

/* A section whose source is a.ts, b.ts, .... The offset may follow the map. */
static void put_section(struct buf *b, unsigned line, unsigned column, char source)
{
	buf_printf(b,
		"{\"map\":{\"version\":3,\"sources\":[\"%c.ts\"],\"mappings\":\"AAAA;AACA\"},"
		"\"offset\":{\"line\":%u,\"column\":%u}},",
		source, line, column);
}

/* One whose map has sections of its own, which follow. */
static void begin_sections(struct buf *b, unsigned line, unsigned column)
{
	buf_printf(
		b, "{\"offset\":{\"line\":%u,\"column\":%u},\"map\":{\"sections\":[", line, column);
}

static void end_sections(struct buf *b)
{
	b->n--; /* the comma */
	buf_puts(b, "]}},");
}

static void nested_sections_count_from_the_start_of_their_section(void **state)
{
	struct buf json = { 0 };

	(void)state;
	buf_puts(&json, "{\"version\":3,\"sections\":[");
	put_section(&json, 0, 0, 'a');
	begin_sections(&json, 10, 100);
	put_section(&json, 0, 0, 'b');
	put_section(&json, 0, 20, 'c');
	put_section(&json, 2, 5, 'd');
	end_sections(&json);
	put_section(&json, 20, 0, 'e');
	json.n--;
	buf_puts(&json, "]}");
	expect_json(buf_span(&json),
		PLACES({ 2, 1, "f", " a.ts:2:1" }, { 11, 101, "f", " b.ts:1:1" },
			{ 11, 120, "f", " b.ts:1:1" }, { 11, 121, "f", " c.ts:1:1" },
			{ 12, 1, "f", " c.ts:2:1" }, { 13, 6, "f", " d.ts:1:1" },
			{ 14, 1, "f", " d.ts:2:1" }, { 21, 1, "f", " e.ts:1:1" }));
	buf_release(&json);
}

static void sections_far_within_others_are_refused(void **state)
{
	struct buf json = { 0 };
	struct sourcemap m;
	struct err e;

	(void)state;
	buf_puts(&json, "{\"version\":3,\"sections\":[");
	begin_sections(&json, INT32_MAX, 0);
	put_section(&json, INT32_MAX, 0, 'a');
	end_sections(&json);
	json.n--;
	buf_puts(&json, "]}");
	assert_int_equal(sourcemap_parse(&m, buf_span(&json), &e), ERR_FORMAT);
	assert_non_null(strstr(e.msg, "out of range"));
	buf_release(&json);
}

static void null_entries_of_a_list_count(void **state)
{
	static const char json[] =
		"{\"mappings\":\"ACAAE\",\"version\":3,\"x_other\":{\"sources\":[\"no\"]},"
		"\"sources\":[null,\"b.ts\"],\"names\":[7,[\"x\",{}],\"third\"]}";

	(void)state;
	expect_json(SPAN(json), PLACES({ 1, 2, "f", "third b.ts:1:1" }));
}

static void put_content(void *ctx, size_t section, size_t number, struct span text)
{
	buf_printf(ctx, "%zu.%zu=%.*s ", section, number, SPAN_ARG(text));
}

static void expect_contents(const char *json, const char *expected)
{
	struct buf b = { 0 };

	sourcemap_read_contents(span_of(json), put_content, &b);
	assert_string_equal(buf_str(&b), expected);
	buf_release(&b);
}

static void texts_have_the_numbers_of_their_sources(void **state)
{
	(void)state;
	expect_contents("{\"version\":3,\"sources\":[\"a\",\"b\",\"c\"],\"x\":{\"sourcesContent\":"
			"[\"no\"]},\"sourcesContent\":[\"one\\n\",null,\"\",[\"x\"],7,\"last\"]}",
		"0.0=one\n 0.2= 0.5=last ");
	expect_contents(
		")]}'\n{\"sections\":[{\"offset\":{},\"map\":{\"sourcesContent\":[\"a\"]}},"
		"{\"offset\":{},\"map\":{\"sections\":[{\"map\":{\"sourcesContent\":[null,\"b\"]"
		"}}]}}]}",
		"1.0=a 3.1=b ");
	expect_contents("{\"sourcesContent\":\"a\"}", "");
	expect_contents("{\"sourcesContent\":[\"a\",\"b", "0.0=a ");
	expect_contents("", "");
}

static void answers_know_the_number_of_their_source(void **state)
{
	struct sourcemap_query q = { .line = 2, .column = 1 };
	struct sourcemap m;
	struct err e;
	const char *json = "{\"sections\":[{\"offset\":{\"line\":0,\"column\":0},\"map\":{}},"
			   "{\"offset\":{\"line\":1,\"column\":0},\"map\":{\"sources\":[\"a\","
			   "\"b\"],\"mappings\":\"ACAA\"}}]}";

	(void)state;
	assert_int_equal(sourcemap_parse(&m, span_of(json), &e), OK);
	assert_int_equal(sourcemap_resolve(&m, &q, 1, &e), OK);
	assert_true(q.found);
	assert_int_equal(q.section, 2);
	assert_int_equal(q.number, 1);
	sourcemap_release(&m);
}

static void indices_beyond_the_lists_give_no_answer(void **state)
{
	(void)state;
	expect_mappings("AEAA;AAAAG", PLACES({ 1, 1, "f", "-" }, { 2, 2, "f", "-" }));
}

static void answers_before_damaged_mappings_are_kept(void **state)
{
	/* no digit; six numbers; two numbers; 8 digits; column -1; line -1; beyond 31 bits; a
	 * number that the end cuts off */
	static const char *const bad[] = { "!", "AAAAAA", "AA", "gggggggA", "D", "AADA",
		"+/////D,+/////D", "g", "A\\u0000" };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(bad); i++) {
		struct sourcemap_query q[2] = { { .line = 1, .column = 1 },
			{ .line = 2, .column = 1 } };
		char *mappings = xasprintf("AAAA;%s", bad[i]);
		struct sourcemap m;
		struct err e;

		parse(&m, mappings);
		assert_int_equal(sourcemap_resolve(&m, q, 2, &e), ERR_FORMAT);
		assert_true(q[0].found);
		assert_false(q[1].found);
		sourcemap_release(&m);
		free(mappings);
	}
}

static void other_texts_are_refused(void **state)
{
	static const char *const bad[] = { "", "x", "{", "{\"version\":2}",
		"{\"version\":3,\"sources\":[\"a", "{\"sections\":[{\"offset\":{\"line\":-1}}]}",
		"{\"sections\":[{\"offset\":{\"line\":5}},{\"offset\":{\"line\":4}}]}" };
	struct sourcemap m;
	struct err e;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(bad); i++)
		assert_int_equal(sourcemap_parse(&m, span_of(bad[i]), &e), ERR_FORMAT);
}

static void deep_nesting_is_refused(void **state)
{
	struct sourcemap m;
	struct buf b = { 0 };
	struct err e;
	int i;

	(void)state;
	buf_puts(&b, "{\"x\":");
	for (i = 0; i < 100000; i++)
		buf_putc(&b, '[');
	assert_int_equal(sourcemap_parse(&m, buf_span(&b), &e), ERR_FORMAT);
	assert_non_null(strstr(e.msg, "nested too deep"));
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_gets_its_name_and_place),
		cmocka_unit_test(a_name_that_is_not_in_the_list_is_none),
		cmocka_unit_test(an_arrow_function_has_the_name_of_its_variable),
		cmocka_unit_test(only_known_forms_put_a_name_before_its_function),
		cmocka_unit_test(an_unchanged_name_is_not_replaced_by_the_one_before),
		cmocka_unit_test(lines_of_generated_code_count),
		cmocka_unit_test(code_that_no_source_has_stays),
		cmocka_unit_test(without_a_column_a_line_must_be_from_one_line),
		cmocka_unit_test(many_questions_are_answered_in_one_pass),
		cmocka_unit_test(sections_have_maps_of_their_own),
		cmocka_unit_test(nested_sections_count_from_the_start_of_their_section),
		cmocka_unit_test(sections_far_within_others_are_refused),
		cmocka_unit_test(null_entries_of_a_list_count),
		cmocka_unit_test(texts_have_the_numbers_of_their_sources),
		cmocka_unit_test(answers_know_the_number_of_their_source),
		cmocka_unit_test(indices_beyond_the_lists_give_no_answer),
		cmocka_unit_test(answers_before_damaged_mappings_are_kept),
		cmocka_unit_test(other_texts_are_refused),
		cmocka_unit_test(deep_nesting_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
