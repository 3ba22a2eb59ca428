#include "output/output_formats.h"

#include "output/output_for_test.h"

static yajl_val write_and_parse(struct test_profile *t)
{
	yajl_val doc = write_json(&firefox_format, test_profile_finish(t), NULL);

	test_profile_release(t);
	return doc;
}

static yajl_val table(yajl_val doc, size_t thread, const char *name)
{
	return member(member(element(member(doc, "threads"), thread), name), "data");
}

static void put_value(struct buf *b, yajl_val v)
{
	if (YAJL_IS_NULL(v))
		buf_putc(b, '-');
	else if (YAJL_IS_FALSE(v))
		buf_putc(b, 'f');
	else if (YAJL_IS_STRING(v))
		buf_puts(b, YAJL_GET_STRING(v));
	else
		buf_puts(b, YAJL_GET_NUMBER(v));
}

/* A table as "a,b|c,d"; null is "-". */
static void check_table(yajl_val rows, const char *expected)
{
	struct buf b = { 0 };
	size_t i, k;

	for (i = 0; i < length(rows); i++) {
		for (k = 0; k < length(element(rows, i)); k++) {
			if (k)
				buf_putc(&b, ',');
			put_value(&b, element(element(rows, i), k));
		}
		buf_putc(&b, '|');
	}
	assert_string_equal(buf_str(&b), expected);
	buf_release(&b);
}

static void check_texts(yajl_val doc, size_t thread, const char *expected)
{
	yajl_val texts = member(element(member(doc, "threads"), thread), "stringTable");
	struct buf b = { 0 };
	size_t i;

	for (i = 0; i < length(texts); i++) {
		put_value(&b, element(texts, i));
		buf_putc(&b, '|');
	}
	assert_string_equal(buf_str(&b), expected);
	buf_release(&b);
}

static void a_thread_has_tables_of_its_own_with_prefixes_first(void **state)
{
	struct test_profile t;
	uint32_t a, ab, cb;
	yajl_val doc;

	(void)state;
	test_profile_init(&t);
	t.p.period_ns = MS;
	a = test_profile_add(&t, SPAN("a"), 0);
	ab = test_profile_add(&t, SPAN("a;b"), 0);
	cb = test_profile_add(&t, SPAN("c;b"), 0);
	test_profile_thread_row(&t, 0, cb, 100 * MS, 1);
	test_profile_thread_row(&t, 0, ab, 101 * MS + 500, 1);
	test_profile_thread_row(&t, 0, a, 110 * MS, 1);
	test_profile_thread_row(&t, 1, cb, 100 * MS, 1);
	doc = write_and_parse(&t);
	check_table(table(doc, 0, "samples"), "3,100,0|1,101.0005,0|4,102.0005,0|0,110,0|");
	check_table(table(doc, 0, "stackTable"), "-,0|0,1|-,2|2,1|-,3|");
	check_texts(doc, 0, "a|b|c|(idle)|");
	check_table(table(doc, 0, "frameTable"), "0,f,0,-,-,-,-,2,0|1,f,0,-,-,-,-,2,0|"
						 "2,f,0,-,-,-,-,2,0|3,f,0,-,-,-,-,0,0|");
	check_table(table(doc, 1, "samples"), "1,100,0|");
	check_table(table(doc, 1, "stackTable"), "-,0|0,1|");
	check_texts(doc, 1, "c|b|");
	assert_int_equal(number(member(doc, "meta"), "version"), 24);
	yajl_tree_free(doc);
}

static void names_distinguish_native_code_from_javascript(void **state)
{
	struct test_profile t;
	struct frame js = { .kind = FRAME_JIT, .line = 5, .column = 13 };
	struct frame native = { .kind = FRAME_USER }, unnamed = { .kind = FRAME_UNKNOWN };
	frame_id stack[4];
	yajl_val doc;

	(void)state;
	test_profile_init(&t);
	js.name = strtab_add_str(t.p.strings, "fib /a.js:5:13");
	js.file = strtab_add_str(t.p.strings, "/a.js");
	native.name = strtab_add_str(t.p.strings, "std::f(int)");
	native.module = unnamed.module = strtab_add_str(t.p.strings, "/usr/lib/x.so");
	stack[0] = test_frame(&t, SPAN("node"), FRAME_ROOT);
	stack[1] = frames_add(t.p.frames, &js);
	stack[2] = frames_add(t.p.frames, &native);
	stack[3] = frames_add(t.p.frames, &unnamed);
	test_profile_row(&t, test_profile_add_frames(&t, stack, 4, 1), 5 * MS, 1);
	test_profile_row(&t, test_profile_add_frames(&t, stack, 1, 1), 6 * MS, 1);
	doc = write_and_parse(&t);
	check_texts(doc, 0, "node|fib (file:///a.js:5:13)|std::f(int) (in x.so)|[x.so]|");
	check_table(table(doc, 0, "stackTable"), "-,0|-,1|1,2|2,3|");
	check_table(table(doc, 0, "samples"), "3,5,0|0,6,0|");
	yajl_tree_free(doc);
}

static void sums_without_samples_are_refused(void **state)
{
	struct output_opts o = { 0 };
	struct test_profile t;
	struct buf text = { 0 };
	struct sink *to = sink_to_buf(&text);
	struct err e;

	(void)state;
	test_profile_from_folded(&t, SPAN("a;b 1\n"));
	assert_int_equal(firefox_format.write(&t.p, &o, to, &e), ERR_UNSUPPORTED);
	sink_abort(to);
	buf_release(&text);
	test_profile_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_has_tables_of_its_own_with_prefixes_first),
		cmocka_unit_test(names_distinguish_native_code_from_javascript),
		cmocka_unit_test(sums_without_samples_are_refused),
	};

	return cmocka_run_group_tests_name("firefox", tests, NULL, NULL);
}
