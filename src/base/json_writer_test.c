#include "base/json_writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

struct written {
	struct buf text;
	struct sink *to;
	struct json_writer *j;
};

static struct json_writer *begin(struct written *w)
{
	*w = (struct written){ 0 };
	w->to = sink_to_buf(&w->text);
	w->j = json_writer_new(w->to);
	return w->j;
}

static void expect(struct written *w, const char *text)
{
	struct err e;

	json_writer_free(w->j);
	assert_int_equal(sink_commit(w->to, &e), OK);
	assert_string_equal(buf_str(&w->text), text);
	buf_release(&w->text);
}

static void a_document_is_written_without_blanks(void **state)
{
	struct written w;
	struct json_writer *j = begin(&w);

	(void)state;
	json_writer_object(j);
	json_writer_key(j, "a");
	json_writer_array(j);
	json_writer_int(j, -1);
	json_writer_int(j, INT64_MAX);
	json_writer_array_end(j);
	json_writer_key(j, "b");
	json_writer_string(j, SPAN("x\"\\\n\x01/é"));
	json_writer_object_end(j);
	expect(&w, "{\"a\":[-1,9223372036854775807],\"b\":\"x\\\"\\\\\\n\\u0001/é\"}");
}

static void strings_cannot_end_a_script_and_are_repaired(void **state)
{
	struct written w;
	struct json_writer *j = begin(&w);

	(void)state;
	json_writer_array(j);
	json_writer_string(j, SPAN("</script><!--<\177"));
	json_writer_string(j, SPAN("\xff|\xed\xa0\x80"));
	json_writer_string(j, SPAN(""));
	json_writer_string(j, SPAN("\xc2\x9b"
				   "31m \xc2\xa0\xc2\x7f"));
	json_writer_array_end(j);
	expect(&w, "[\"\\u003c/script>\\u003c!--\\u003c\\u007f\","
		   "\"\ufffd|\ufffd\ufffd\ufffd\",\"\",\"\\u009b31m \u00a0\ufffd\\u007f\"]");
}

static void numbers_are_exact(void **state)
{
	struct written w;
	struct json_writer *j = begin(&w);

	(void)state;
	json_writer_array(j);
	json_writer_u64(j, UINT64_MAX);
	json_writer_u64(j, 0);
	json_writer_decimal(j, 1500, 3);
	json_writer_decimal(j, 100, 0);
	json_writer_decimal(j, 7, 6);
	json_writer_decimal(j, 12000000, 6);
	json_writer_decimal(j, UINT64_MAX, 6);
	json_writer_array_end(j);
	expect(&w, "[18446744073709551615,0,1.5,100,0.000007,12,"
		   "18446744073709.551615]");
}

static void documents_follow_each_other(void **state)
{
	struct written w;
	struct json_writer *j = begin(&w);

	(void)state;
	json_writer_array(j);
	json_writer_null(j);
	json_writer_array_end(j);
	json_writer_next(j, ",\n");
	json_writer_object(j);
	json_writer_key(j, "a");
	json_writer_bool(j, true);
	json_writer_object_end(j);
	expect(&w, "[null],\n{\"a\":true}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_document_is_written_without_blanks),
		cmocka_unit_test(strings_cannot_end_a_script_and_are_repaired),
		cmocka_unit_test(numbers_are_exact),
		cmocka_unit_test(documents_follow_each_other),
	};

	return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
