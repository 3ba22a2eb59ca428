#include "trace/trace_format.h"

#include "base/mem.h"
#include "trace/trace_format_for_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>
#include "model/where.h"

#define COMMON                                                                                     \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"             \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

#define SWITCH                                                                                     \
	"name: sched_switch\nID: 372\nformat:\n" COMMON                                            \
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"                            \
	"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"                                \
	"\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n\n"                             \
	"print fmt: \"%s\", REC->prev_comm\n"

#define OTHER                                                                                      \
	"name: other\nID: 7\nformat:\n" COMMON                                                     \
	"\tfield:__data_loc char[] path;\toffset:8;\tsize:4;\tsigned:1;\n"                         \
	"\tfield:unsigned long args[3];\toffset:16;\tsize:24;\tsigned:0;\n"                        \
	"\tfield:const char * filename;\toffset:40;\tsize:8;\tsigned:0;\n"                         \
	"\tfield:u8 small;\toffset:48;\tsize:1;\tsigned:0;\n"                                      \
	"\tfield:s16 negative;\toffset:50;\tsize:2;\tsigned:1;\n"                                  \
	"\tfield:__rel_loc char[] tail;\toffset:52;\tsize:4;\tsigned:1;\n"                         \
	"\tfield:__data_loc unsigned int[] list;\toffset:56;\tsize:4;\tsigned:0;\n"

static const struct trace_format *add(struct trace_format_table *t, const char *text, uint64_t id)
{
	struct buf b = { 0 };

	section_begin(&b, false, 1);
	section_add(&b, false, "sys", text, strlen(text));
	assert_true(trace_format_table_parse(t, (const uint8_t *)b.p, b.n));
	buf_release(&b);
	return trace_format_table_find(t, id);
}

static void put(uint8_t *raw, uint64_t v, unsigned bytes, bool swapped)
{
	unsigned i;

	for (i = 0; i < bytes; i++)
		raw[swapped ? bytes - 1 - i : i] = (uint8_t)(v >> 8 * i);
}

/* A sample of OTHER, 80 bytes. */
static void make_other(uint8_t raw[80], bool swapped)
{
	memset(raw, 0, 80);
	put(raw + 4, (uint64_t)-5, 4, swapped);
	put(raw + 8, 60 | 8 << 16, 4, swapped);
	memcpy(raw + 60, "/tmp/x\0y", 8);
	put(raw + 16, 11, 8, swapped);
	put(raw + 24, 22, 8, swapped);
	put(raw + 32, 33, 8, swapped);
	put(raw + 40, 0x7f00dead, 8, swapped);
	raw[48] = 200;
	put(raw + 50, (uint64_t)-2, 2, swapped);
	put(raw + 52, 12 | 4 << 16, 4, swapped); /* from 56 on: at 68 */
	memcpy(raw + 68, "abc", 4);
	put(raw + 56, 72 | 8 << 16, 4, swapped);
	put(raw + 72, 1, 4, swapped);
	put(raw + 76, 0xffffffff, 4, swapped);
}

static const char *shown(const struct trace_format *f, const char *name, const uint8_t *raw,
	size_t n, bool swapped, struct buf *b)
{
	struct trace_picked p = trace_format_pick(f, span_of(name));
	struct field_value v;

	b->n = 0;
	if (!p.field)
		return "no such field";
	if (!trace_format_read_picked(&p, raw, n, swapped, &v))
		return "unreadable";
	field_value_put(b, &v);
	return buf_str(b);
}

static void fields_of_every_kind_are_read_in_both_byte_orders(void **state)
{
	static const struct {
		const char *name, *value;
	} expected[] = { { "common_pid", "-5" }, { "path", "/tmp/x" }, { "args", "11" },
		{ "args[0]", "11" }, { "args[2]", "33" }, { "args[3]", "unreadable" },
		{ "filename", "0x7f00dead" }, { "small", "200" }, { "negative", "-2" },
		{ "tail", "abc" }, { "list[1]", "4294967295" }, { "list[2]", "unreadable" },
		{ "nothing", "no such field" }, { "args[", "no such field" },
		{ "small[1]", "unreadable" } };
	struct trace_format_table *t = trace_format_table_new();
	const struct trace_format *f = add(t, OTHER, 7);
	struct buf b = { 0 };
	uint8_t raw[80];
	size_t i, swapped;

	(void)state;
	for (swapped = 0; swapped < 2; swapped++) {
		make_other(raw, swapped);
		for (i = 0; i < ARRAY_LEN(expected); i++)
			assert_string_equal(
				shown(f, expected[i].name, raw, sizeof(raw), swapped, &b),
				expected[i].value);
	}
	buf_release(&b);
	trace_format_table_free(t);
}

static void bytes_outside_of_the_sample_are_not_read(void **state)
{
	struct trace_format_table *t = trace_format_table_new();
	const struct trace_format *f = add(t, OTHER, 7);
	struct buf b = { 0 };
	uint8_t raw[80];

	(void)state;
	make_other(raw, false);
	assert_string_equal(shown(f, "path", raw, 67, false, &b), "unreadable");
	assert_string_equal(shown(f, "path", raw, 68, false, &b), "/tmp/x");
	assert_string_equal(shown(f, "tail", raw, 71, false, &b), "unreadable");
	assert_string_equal(shown(f, "negative", raw, 51, false, &b), "unreadable");
	assert_string_equal(shown(f, "args[2]", raw, 39, false, &b), "unreadable");
	assert_string_equal(shown(f, "common_pid", raw, 0, false, &b), "unreadable");
	buf_release(&b);
	trace_format_table_free(t);
}

static void the_state_of_a_thread_is_a_number_and_a_letter(void **state)
{
	struct trace_format_table *t = trace_format_table_new();
	const struct trace_format *f = add(t, SWITCH, 372);
	const struct trace_picked field = trace_format_pick(f, SPAN("prev_state"));
	struct where_list where = { 0 };
	struct field_value v;
	uint8_t raw[40] = { [32] = 2 };
	struct err e;

	(void)state;
	assert_true(trace_format_read_picked(&field, raw, sizeof(raw), false, &v));
	assert_int_equal(v.number, 2);
	assert_true(span_eq(v.text, SPAN("D")));
	assert_int_equal(where_list_add(&where, "prev_state = D", &e), OK);
	assert_int_equal(where_list_add(&where, "prev_state=2", &e), OK);
	assert_int_equal(where_list_add(&where, "prev_state ~ ^[SD]$", &e), OK);
	assert_int_equal(where_list_add(&where, "prev_state != 2", &e), OK);
	assert_true(where_holds(&where, 0, &v));
	assert_true(where_holds(&where, 1, &v));
	assert_true(where_holds(&where, 2, &v));
	assert_false(where_holds(&where, 3, &v));
	raw[32] = 0;
	raw[33] = 1;
	assert_true(trace_format_read_picked(&field, raw, sizeof(raw), false, &v));
	assert_true(span_eq(v.text, SPAN("R+")));
	where_list_release(&where);
	trace_format_table_free(t);
}

static void a_line_that_is_no_field_costs_nothing_but_itself(void **state)
{
	static const char text[] = "name: odd\nID: 9\nformat:\n"
				   "\tfield:int before;\toffset:0;\tsize:4;\tsigned:1;\n"
				   "\tfield:int ((((deep;\toffset:0;\tsize:4;\tsigned:1;\n"
				   "\tfield:int a\"b;\toffset:0;\tsize:4;\tsigned:1;\n"
				   "\tfield:int [x;\toffset:0;\tsize:4;\tsigned:1;\n"
				   "\tfield:__data_loc [int] x;\toffset:0;\tsize:4;\tsigned:1;\n"
				   "\tfield:int VIF_PR_FMT;\toffset:0;\tsize:4;\tsigned:1;\n"
				   "\tfield:int huge;\toffset:70000;\tsize:4;\tsigned:1;\n"
				   "\tfield:int cut;\toffset:0\n"
				   "\tfield:;\toffset:0;\tsize:4;\tsigned:1;\n"
				   "\tfield:x;\toffset:0;\tsize:4;\tsigned:1;\n"
				   "nonsense\n"
				   "\tfield:int after;\toffset:8;\tsize:4;\tsigned:1;\n";
	struct trace_format_table *t = trace_format_table_new();
	const struct trace_format *f = add(t, text, 9);

	(void)state;
	assert_int_equal(f->n_fields, 2);
	assert_string_equal(f->fields[0].name, "before");
	assert_string_equal(f->fields[1].name, "after");
	assert_int_equal(f->fields[1].offset, 8);
	trace_format_table_free(t);
}

static void make_section(struct buf *b, bool big_endian)
{
	section_begin(b, big_endian, 2);
	section_add(b, big_endian, "sched", SWITCH, strlen(SWITCH));
	section_add(b, big_endian, "sys", OTHER, strlen(OTHER));
}

static void a_section_is_read_in_both_byte_orders_and_as_far_as_it_goes(void **state)
{
	struct trace_format_table *t;
	struct buf b = { 0 };
	size_t n;
	bool any = false;
	int big;

	(void)state;
	for (big = 0; big < 2; big++) {
		make_section(&b, big);
		t = trace_format_table_new();
		assert_true(trace_format_table_parse(t, (const uint8_t *)b.p, b.n));
		assert_string_equal(trace_format_table_find(t, 372)->system, "sched");
		assert_string_equal(trace_format_table_find(t, 7)->name, "other");
		assert_null(trace_format_table_find(t, 8));
		trace_format_table_free(t);
	}
	for (n = 0; n < b.n; n++) {
		uint8_t *cut = xmemdup(b.p, n ? n : 1); /* so that a sanitizer sees its end */

		t = trace_format_table_new();
		assert_false(trace_format_table_parse(t, cut, n));
		any |= trace_format_table_find(t, 372) != NULL;
		assert_null(trace_format_table_find(t, 7));
		trace_format_table_free(t);
		free(cut);
	}
	assert_true(any);
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_of_every_kind_are_read_in_both_byte_orders),
		cmocka_unit_test(bytes_outside_of_the_sample_are_not_read),
		cmocka_unit_test(the_state_of_a_thread_is_a_number_and_a_letter),
		cmocka_unit_test(a_line_that_is_no_field_costs_nothing_but_itself),
		cmocka_unit_test(a_section_is_read_in_both_byte_orders_and_as_far_as_it_goes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
