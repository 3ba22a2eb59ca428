#include "output/output_formats.h"

#include "output/output_for_test.h"

static yajl_val write_and_parse(struct test_profile *t)
{
	yajl_val doc = write_json(&firefox_format, test_profile_finish(t), NULL);

	test_profile_release(t);
	return doc;
}

static void put_value(struct buf *b, yajl_val v)
{
	if (YAJL_IS_NULL(v))
		buf_putc(b, '-');
	else if (YAJL_IS_FALSE(v) || YAJL_IS_TRUE(v))
		buf_putc(b, YAJL_IS_TRUE(v) ? 't' : 'f');
	else if (YAJL_IS_STRING(v))
		buf_puts(b, YAJL_GET_STRING(v));
	else
		buf_puts(b, YAJL_GET_NUMBER(v));
}

/* The values of a list as "a,b,"; null is "-". */
static void check_list(yajl_val list, const char *expected)
{
	struct buf b = { 0 };
	size_t i;

	for (i = 0; i < length(list); i++) {
		put_value(&b, element(list, i));
		buf_putc(&b, ',');
	}
	assert_string_equal(buf_str(&b), expected);
	buf_release(&b);
}

static void check_column(
	yajl_val doc, size_t thread, const char *table, const char *column, const char *expected)
{
	yajl_val t = member(element(member(doc, "threads"), thread), table);

	check_list(member(t, column), expected);
	assert_int_equal(number(t, "length"), length(member(t, column)));
}

static void check_texts(yajl_val doc, size_t thread, const char *expected)
{
	check_list(member(element(member(doc, "threads"), thread), "stringArray"), expected);
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
	check_column(doc, 0, "samples", "stack", "3,1,4,0,");
	check_column(doc, 0, "samples", "time", "100,101.0005,102.0005,110,");
	check_column(doc, 0, "stackTable", "prefix", "-,0,-,2,-,");
	check_column(doc, 0, "stackTable", "frame", "0,1,2,1,3,");
	check_column(doc, 0, "frameTable", "func", "0,1,2,3,");
	check_column(doc, 0, "frameTable", "category", "2,2,2,0,");
	check_column(doc, 0, "frameTable", "address", "-1,-1,-1,-1,");
	check_column(doc, 0, "funcTable", "name", "0,1,2,3,");
	check_column(doc, 0, "funcTable", "resource", "-1,-1,-1,-1,");
	check_texts(doc, 0, "a,b,c,(idle),");
	check_column(doc, 1, "samples", "stack", "1,");
	check_column(doc, 1, "stackTable", "prefix", "-,0,");
	check_texts(doc, 1, "c,b,");
	assert_int_equal(number(member(doc, "meta"), "preprocessedProfileVersion"), 53);
	yajl_tree_free(doc);
}

static void native_code_has_a_library_and_javascript_a_file(void **state)
{
	struct test_profile t;
	struct frame js = { .kind = FRAME_JIT, .line = 5, .column = 13, .at_line = 7 };
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
	check_texts(doc, 0, "node,fib,std::f(int),[x.so],file:///a.js,x.so,");
	check_column(doc, 0, "funcTable", "isJS", "f,t,f,f,");
	check_column(doc, 0, "funcTable", "fileName", "-,4,-,-,");
	check_column(doc, 0, "funcTable", "lineNumber", "-,5,-,-,");
	check_column(doc, 0, "funcTable", "columnNumber", "-,13,-,-,");
	check_column(doc, 0, "funcTable", "resource", "-1,-1,0,0,");
	check_column(doc, 0, "frameTable", "line", "-,7,-,-,");
	check_column(doc, 0, "resourceTable", "lib", "0,");
	check_column(doc, 0, "stackTable", "prefix", "-,-,1,2,");
	check_column(doc, 0, "samples", "stack", "3,0,");
	yajl_tree_free(doc);
}

/* A program that begins at 0x400000; f is called in g, which is inlined into main. */
static void code_has_addresses_lines_and_symbols(void **state)
{
	static const struct module_segment code = { 0x401000, 0x1000, 0x1000 };
	struct build_id id = { 20, { 0xf0, 0xfc, 0x29, 0x16, 0x5c, 0xbe, 0x60, 0x88, 0xc0, 0xe1,
					   0xad, 0xf0, 0x3b, 0x00, 0x48, 0xfb, 0xec, 0xbc } };
	struct module m = { .kind = MODULE_FILE, .build_id = id };
	struct frame f = { .kind = FRAME_USER, .at_line = 5 };
	struct test_profile t;
	struct recording *r;
	struct output_opts o = { .recordings = &r, .n_recordings = 1 };
	frame_id stack[3];
	char hex[41];
	yajl_val doc;

	(void)state;
	test_profile_init(&t);
	r = recording_new("x", t.p.strings, t.p.frames);
	m.path = m.shown = f.module = strtab_add_str(t.p.strings, "/bin/x");
	modules_set_segments(r->modules, modules_add(r->modules, &m), 0x400000, &code, 1);
	f.name = strtab_add_str(t.p.strings, "main");
	f.file = strtab_add_str(t.p.strings, "x.c");
	f.build = strtab_add_str(t.p.strings, build_id_hex(&id, hex));
	f.at_address = 0x401234;
	f.at_function = 0x401200;
	f.function_bytes = 0x80;
	stack[0] = frames_add(t.p.frames, &f);
	f.name = strtab_add_str(t.p.strings, "f");
	f.at_address = 0x401f10;
	f.at_function = 0x401f00;
	f.function_bytes = 0;
	f.at_line = 20;
	stack[2] = frames_add(t.p.frames, &f);
	f = (struct frame){ .kind = FRAME_USER, .module = f.module, .flags = FRAME_INLINED };
	f.name = strtab_add_str(t.p.strings, "g");
	f.at_line = 9;
	stack[1] = frames_add(t.p.frames, &f);
	test_profile_row(&t, test_profile_add_frames(&t, stack, 3, 1), 5 * MS, 1);
	doc = write_json(&firefox_format, test_profile_finish(&t), &o);
	check_column(doc, 0, "frameTable", "address", "4660,4660,7952,");
	check_column(doc, 0, "frameTable", "inlineDepth", "0,1,0,");
	check_column(doc, 0, "frameTable", "line", "5,9,20,");
	check_column(doc, 0, "frameTable", "nativeSymbol", "0,0,1,");
	check_column(doc, 0, "nativeSymbols", "address", "4608,7936,");
	check_column(doc, 0, "nativeSymbols", "functionSize", "128,-,");
	check_column(doc, 0, "nativeSymbols", "libIndex", "0,0,");
	assert_string_equal(text_of(element(member(doc, "libs"), 0), "breakpadId"),
		"1629FCF0BE5C8860C0E1ADF03B0048FB0");
	assert_string_equal(text_of(element(member(doc, "libs"), 0), "codeId"), hex);
	yajl_tree_free(doc);
	recording_free(r);
	test_profile_release(&t);
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
		cmocka_unit_test(native_code_has_a_library_and_javascript_a_file),
		cmocka_unit_test(code_has_addresses_lines_and_symbols),
		cmocka_unit_test(sums_without_samples_are_refused),
	};

	return cmocka_run_group_tests_name("firefox", tests, NULL, NULL);
}
