#include "symbolize/dwarf/dwarf_line_header.h"

#include "base/buf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdio.h>

#define MD5_A "aaaaaaaaaaaaaaaa"
#define MD5_B "bbbbbbbbbbbbbbbb"
/* Version, sizes, header length, five numbers, three opcodes. */
#define BEGIN       "\5\0\10\0\0\0\0\0\1\1\1\0\1\4\0\1\1"
#define DIRECTORIES "\1\1\10\2/a\0/b\0" /* a path as a string */
#define FILES       "\3\1\37\2\13\5\36\2\0\0\0\0\0" MD5_A "\4\0\0\0\1" MD5_B
/* Version 3 and 2 have no operations per instruction. */
#define OLD(version) version "\0\0\0\0\0\1\1\0\1\4\0\1\1"
#define OLD_LISTS    "inc\0\0a.c\0\0\0\0b.h\0\1\1\1/x/c.h\0\1\0\0\0"

struct header {
	struct buf section;
	struct dwarf_line_header h;
	char text[128];
};

/* After four bytes, with a length of its own in as many bytes. */
static void put_section(struct buf *b, struct span header, unsigned length_bytes)
{
	uint64_t n = header.n;
	uint32_t narrow = (uint32_t)n;

	buf_puts(b, "....");
	if (length_bytes == 12)
		buf_put(b, "\xff\xff\xff\xff", 4);
	buf_put(b, length_bytes == 12 ? (void *)&n : (void *)&narrow, length_bytes == 12 ? 8 : 4);
	buf_put_span(b, header);
}

static void read_header(struct header *w, struct span header, unsigned length_bytes)
{
	struct dwarf_line_sections from = { .line_str = SPAN("x.c\0y.c\0") };

	*w = (struct header){ 0 };
	put_section(&w->section, header, length_bytes);
	from.line = buf_span(&w->section);
	dwarf_line_header_read(&w->h, &from, 4);
}

static void release(struct header *w)
{
	dwarf_line_header_release(&w->h);
	buf_release(&w->section);
}

/* "directory|name|first letter of the MD5" of each file; "~" is the compiler's directory. */
static const char *files_of(struct span header, unsigned length_bytes)
{
	static char text[256];
	struct buf b = { 0 };
	struct header w;
	uint32_t i;

	read_header(&w, header, length_bytes);
	for (i = 0; i < w.h.n_files; i++) {
		const struct dwarf_line_file *f = &w.h.file[i];

		buf_printf(&b, "%s%s%.*s|%.*s|%c", i ? " " : "",
			f->in_compiler_directory ? "~" : "", (int)f->directory.n, f->directory.p,
			(int)f->name.n, f->name.p, f->md5 ? f->md5->byte[0] : '-');
	}
	snprintf(text, sizeof(text), "%s", buf_str(&b));
	buf_release(&b);
	release(&w);
	return text;
}

static void the_header_describes_its_entries(void **state)
{
	(void)state;
	assert_string_equal(files_of(SPAN(BEGIN DIRECTORIES FILES), 4), "/a|x.c|a /b|y.c|b");
	assert_string_equal(
		files_of(
			SPAN("\5\0\10\0\0\0\0\0\0\0\0\0\1\1\1\0\1\4\0\1\1\0\0\1\5\36\1" MD5_B), 12),
		"||b");
	/* A path by a form that is of another file, an index in two bytes, what is not known. */
	assert_string_equal(
		files_of(SPAN(BEGIN DIRECTORIES "\3\1\35\2\5\77\17\1\0\0\0\0\1\0\7"), 4), "/b||-");
}

static void older_headers_have_two_lists(void **state)
{
	(void)state;
	assert_string_equal(
		files_of(SPAN(OLD("\2") OLD_LISTS), 4), "~||- ~|a.c|- inc|b.h|- inc|/x/c.h|-");
	assert_string_equal(files_of(SPAN(OLD("\3") "\0a.c\0\7\0\0\0"), 4), "~||- |a.c|-");
	assert_string_equal(files_of(SPAN("\4\0\0\0\0\0\1\1\1\0\1\4\0\1\1" OLD_LISTS), 4),
		"~||- ~|a.c|- inc|b.h|- inc|/x/c.h|-");
}

static void the_header_says_where_the_program_is(void **state)
{
	struct header w;

	(void)state;
	read_header(&w,
		SPAN("\2\0\20\0\0\0\4\1\375\14\4\0\1\1"
		     "\0"
		     "\0"
		     "......"
		     "code"),
		4);
	assert_int_equal(w.h.program.left, 4);
	assert_memory_equal(w.h.program.p, "code", 4);
	assert_int_equal(w.h.instruction_bytes, 4);
	assert_int_equal(w.h.operations, 1);
	assert_int_equal(w.h.line_base, -3);
	assert_int_equal(w.h.line_range, 12);
	assert_int_equal(w.h.opcode_base, 4);
	assert_memory_equal(w.h.operands, "\0\1\1", 3);
	release(&w);
}

static bool has_program(struct span header)
{
	struct header w;
	bool has;

	read_header(&w, header, 4);
	has = w.h.program.left;
	release(&w);
	return has;
}

static void what_is_no_header_has_no_files(void **state)
{
	static const char whole[] = BEGIN DIRECTORIES FILES;
	size_t n;

	(void)state;
	for (n = 0; n < sizeof(whole) - 1 - 16; n++)
		assert_true(strlen(files_of((struct span){ whole, n }, 4)) <= strlen("/a|x.c|a"));
	/* versions 1 and 6; no opcodes; unknown form; entries without a value; very many */
	assert_string_equal(files_of(SPAN(OLD("\1") OLD_LISTS), 4), "");
	assert_string_equal(files_of(SPAN(OLD("\6") OLD_LISTS), 4), "");
	assert_string_equal(
		files_of(SPAN("\5\0\10\0\0\0\0\0\1\1\1\0\1\0" DIRECTORIES FILES), 4), "");
	assert_string_equal(files_of(SPAN(BEGIN "\1\1\177\1/a\0" FILES), 4), "");
	assert_string_equal(
		files_of(SPAN(BEGIN "\0\377\377\377\377\377\377\377\377\377\1" FILES), 4), "");
	assert_string_equal(
		files_of(SPAN(BEGIN DIRECTORIES "\1\5\36\377\377\377\377\17" MD5_A MD5_B), 4),
		"/a||a /a||b");
}

static void what_cannot_run_has_no_program(void **state)
{
	(void)state;
	assert_true(has_program(SPAN(OLD("\2") OLD_LISTS)));
	/* no range of lines; no operations; the program would be beyond the end */
	assert_false(has_program(SPAN("\2\0\0\0\0\0\1\1\0\0\4\0\1\1" OLD_LISTS)));
	assert_false(has_program(SPAN("\4\0\0\0\0\0\1\0\1\0\1\4\0\1\1" OLD_LISTS)));
	assert_false(has_program(SPAN("\2\0\0\1\0\0\1\1\0\1\4\0\1\1" OLD_LISTS)));
}

static void an_offset_beyond_the_section_is_none(void **state)
{
	struct dwarf_line_sections from = { .line = SPAN("abc") };
	struct dwarf_line_header h;

	(void)state;
	dwarf_line_header_read(&h, &from, 3);
	assert_int_equal(h.n_files, 0);
	dwarf_line_header_read(&h, &from, UINT64_MAX);
	assert_int_equal(h.n_files, 0);
	from.line = (struct span){ 0 };
	dwarf_line_header_read(&h, &from, 0);
	assert_int_equal(h.n_files, 0);
	dwarf_line_header_release(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_header_describes_its_entries),
		cmocka_unit_test(older_headers_have_two_lists),
		cmocka_unit_test(the_header_says_where_the_program_is),
		cmocka_unit_test(what_is_no_header_has_no_files),
		cmocka_unit_test(what_cannot_run_has_no_program),
		cmocka_unit_test(an_offset_beyond_the_section_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
