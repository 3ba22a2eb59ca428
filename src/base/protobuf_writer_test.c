#include "base/protobuf_writer.h"
#include "base/varint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static void check(struct buf *b, const char *bytes, size_t n)
{
	assert_int_equal(b->n, n);
	assert_memory_equal(b->p, bytes, n);
	buf_release(b);
	*b = (struct buf){ 0 };
}

static void a_number_has_seven_bits_a_byte(void **state)
{
	struct buf b = { 0 };

	(void)state;
	varint_put(&b, 0);
	varint_put(&b, 127);
	varint_put(&b, 150);
	check(&b, "\x00\x7f\x96\x01", 4);
	varint_put(&b, UINT64_MAX);
	check(&b, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10);
}

/* The examples of the encoding's own description. */
static void a_field_has_its_number_and_type_before_it(void **state)
{
	struct buf b = { 0 };

	(void)state;
	protobuf_writer_put_number(&b, 1, 150);
	check(&b, "\x08\x96\x01", 3);
	protobuf_writer_put_bytes(&b, 2, SPAN("testing"));
	check(&b, "\x12\x07testing", 9);
	protobuf_writer_put_number(&b, 16, 1);
	check(&b, "\x80\x01\x01", 3);
}

static void zero_is_left_out_but_an_empty_string_is_written(void **state)
{
	struct buf b = { 0 };

	(void)state;
	protobuf_writer_put_number(&b, 1, 0);
	protobuf_writer_put_bytes(&b, 6, SPAN(""));
	check(&b, "\x32\x00", 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_has_seven_bits_a_byte),
		cmocka_unit_test(a_field_has_its_number_and_type_before_it),
		cmocka_unit_test(zero_is_left_out_but_an_empty_string_is_written),
	};

	return cmocka_run_group_tests_name("protobuf", tests, NULL, NULL);
}
