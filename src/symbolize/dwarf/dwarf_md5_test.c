#include "symbolize/dwarf/dwarf_md5.h"

#include "base/buf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define MD5_A "aaaaaaaaaaaaaaaa"
#define MD5_B "bbbbbbbbbbbbbbbb"
/* Version, sizes, header length, five numbers, three opcodes. */
#define BEGIN       "\5\0\10\0\0\0\0\0\1\1\1\0\1\4\0\1\1"
#define DIRECTORIES "\1\1\10\2/a\0/b\0" /* a path as a string */
#define FILES       "\3\1\37\2\13\5\36\2\0\0\0\0\0" MD5_A "\0\0\0\0\1" MD5_B

/* The first letters of the MD5s of three files. */
static const char *sums_of(struct span header, unsigned length_bytes)
{
	static char text[4];
	const struct source_md5 *md5[3] = { 0 };
	struct buf b = { 0 };
	uint64_t n = header.n;
	uint32_t narrow = (uint32_t)n;
	int i;

	buf_puts(&b, "....");
	if (length_bytes == 12)
		buf_put(&b, "\xff\xff\xff\xff", 4);
	buf_put(&b, length_bytes == 12 ? (void *)&n : (void *)&narrow, length_bytes == 12 ? 8 : 4);
	buf_put_span(&b, header);
	dwarf_md5_read(buf_span(&b), 4, false, md5, 3);
	for (i = 0; i < 3; i++)
		text[i] = md5[i] ? (char)md5[i]->byte[0] : '-';
	buf_release(&b);
	return text;
}

static void the_header_describes_its_entries(void **state)
{
	(void)state;
	assert_string_equal(sums_of(SPAN(BEGIN DIRECTORIES FILES), 4), "ab-");
	assert_string_equal(
		sums_of(SPAN("\5\0\10\0\0\0\0\0\0\0\0\0\1\1\1\0\1\4\0\1\1\0\0\1\5\36\1" MD5_B), 12),
		"b--");
}

static void what_is_no_header_has_no_sums(void **state)
{
	static const char whole[] = BEGIN DIRECTORIES FILES;
	size_t n;

	(void)state;
	for (n = 0; n < sizeof(whole) - 1 - 16; n++)
		assert_string_equal(sums_of((struct span){ whole, n }, 4) + 1, "--");
	/* version 4; no opcodes; unknown form; entries without a value; very many */
	assert_string_equal(
		sums_of(SPAN("\4\0\10\0\0\0\0\0\1\1\1\0\1\1" DIRECTORIES FILES), 4), "---");
	assert_string_equal(
		sums_of(SPAN("\5\0\10\0\0\0\0\0\1\1\1\0\1\0" DIRECTORIES FILES), 4), "---");
	assert_string_equal(sums_of(SPAN(BEGIN "\1\1\177\1/a\0" FILES), 4), "---");
	assert_string_equal(
		sums_of(SPAN(BEGIN "\0\377\377\377\377\377\377\377\377\377\1" FILES), 4), "---");
	assert_string_equal(
		sums_of(SPAN(BEGIN DIRECTORIES "\1\5\36\377\377\377\377\17" MD5_A MD5_B), 4),
		"ab-");
}

static void an_offset_beyond_the_section_is_none(void **state)
{
	const struct source_md5 *md5[1] = { 0 };

	(void)state;
	dwarf_md5_read(SPAN("abc"), 3, false, md5, 1);
	dwarf_md5_read(SPAN("abc"), UINT64_MAX, false, md5, 1);
	dwarf_md5_read((struct span){ 0 }, 0, false, md5, 1);
	assert_null(md5[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_header_describes_its_entries),
		cmocka_unit_test(what_is_no_header_has_no_sums),
		cmocka_unit_test(an_offset_beyond_the_section_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
