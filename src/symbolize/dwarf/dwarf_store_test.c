/* Kept debug information: whoever takes it has it alone, and memory has a limit. */
#include "symbolize/dwarf/dwarf_store.h"

#include "base/tmpdir_for_test.h"

#include <dwarf.h>
#include <stdlib.h>

#define PROGRAM "testdata/elf/inlines/inlines-gcc-5"

static struct dwarf_store_key key_of(const struct dwarf_store *s, const char *path)
{
	enum files_verdict why;
	struct elf_file *ef = elf_file_open(path, &why);
	struct dwarf_store_key key;

	assert_non_null(ef);
	key = dwarf_store_key_of(s, ef, DWARF_LINES);
	elf_file_close(ef);
	return key;
}

static struct dwarf_store_key number(ino_t i)
{
	return (struct dwarf_store_key){ .file.ino = i };
}

static void put(struct dwarf_store *s, struct dwarf_store_key key, size_t size_bytes)
{
	struct dwarf_kept k = { .image = { .bytes = xmalloc(1) } };

	k.image.section[SECTION_STR] = (struct span){ k.image.bytes, size_bytes };
	assert_true(dwarf_store_put(s, &key, &k));
}

static bool take(struct dwarf_store *s, struct dwarf_store_key key)
{
	struct dwarf_kept k;

	if (!dwarf_store_take(s, &key, &k))
		return false;
	dwarf_image_release(&k.image);
	return true;
}

static void what_is_taken_is_not_there_until_it_is_put_back(void **state)
{
	struct dwarf_store *s = dwarf_store_new((size_t)512 << 20, false);
	struct dwarf_store_key key = key_of(s, PROGRAM), without_lines = key;

	(void)state;
	assert_false(take(s, key));
	put(s, key, 1);
	put(s, key, 1); /* of another thread */
	without_lines.flags = 0;
	assert_false(take(s, without_lines));
	assert_true(take(s, key));
	assert_true(take(s, key));
	assert_false(take(s, key));
	put(s, key, 1);
	dwarf_store_free(s);
}

static void a_file_that_changed_is_another(void **state)
{
	const struct timespec times[2] = { { 1000000000, 7 }, { 1000000000, 7 } };
	const char *path = tmpdir_at(state, "program");
	struct dwarf_store *s = dwarf_store_new((size_t)512 << 20, false);
	struct buf text = { 0 };
	struct err e;

	assert_int_equal(file_read_all(PROGRAM, 1 << 20, &text, &e), OK);
	tmpdir_write(path, buf_span(&text));
	put(s, key_of(s, path), 1);
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	assert_false(take(s, key_of(s, path)));
	put(s, key_of(s, path), 1);
	assert_true(take(s, key_of(s, path)));
	buf_release(&text);
	dwarf_store_free(s);
}

static void without_a_store_nothing_is_kept(void **state)
{
	struct dwarf_store_key key = key_of(NULL, PROGRAM), none = { 0 };
	struct dwarf_store *s = dwarf_store_new((size_t)512 << 20, false);
	struct dwarf_kept k = { 0 };

	(void)state;
	assert_false(dwarf_store_put(NULL, &key, &k));
	assert_false(dwarf_store_take(NULL, &key, &k));
	assert_false(dwarf_store_put(s, &none, &k));
	assert_false(dwarf_store_take(s, &none, &k));
	dwarf_store_free(s);
}

static void the_oldest_are_freed_beyond_the_limit(void **state)
{
	enum { MANY = 100, MB = 1 << 20 };
	struct dwarf_store *s = dwarf_store_new((size_t)512 << 20, false);
	ino_t i;

	(void)state;
	for (i = 1; i <= MANY; i++)
		put(s, number(i), 1);
	assert_false(take(s, number(1)));
	assert_true(take(s, number(MANY)));
	put(s, number(1), (size_t)400 * MB);
	assert_true(take(s, number(MANY - 1)));
	put(s, number(2), (size_t)400 * MB);
	assert_false(take(s, number(1)));
	assert_false(take(s, number(MANY - 2)));
	put(s, number(3), (size_t)4000 * MB); /* alone */
	assert_false(take(s, number(2)));
	assert_true(take(s, number(3)));
	dwarf_store_free(s);
}

static void read_program(const char *path, unsigned flags, struct dwarf_kept *k)
{
	enum files_verdict why;
	struct elf_file *ef = elf_file_open(path, &why);
	struct dwarf_budget budget;
	struct dwarf_handle h;

	*k = (struct dwarf_kept){ 0 };
	assert_true(dwarf_image_read(&k->image, ef, NULL, flags));
	assert_true(dwarf_image_open_handle(&h, &k->image));
	dwarf_budget_start(&budget, UINT64_MAX);
	dwarf_units_read(&k->units, h.dwarf, &k->image, &budget);
	dwarf_image_close_handle(&h);
	elf_file_close(ef);
}

static void only_lines_may_be_kept(void **state)
{
	struct dwarf_store *s = dwarf_store_new((size_t)512 << 20, true);
	struct dwarf_store_key key = key_of(s, PROGRAM), only_lines = key;
	struct dwarf_line_table t = { 0 };
	struct dwarf_kept k, none = { 0 };

	(void)state;
	only_lines.flags |= DWARF_ONLY_LINES;
	read_program(PROGRAM, DWARF_LINES, &k);
	assert_true(dwarf_store_put(s, &key, &k));
	assert_false(dwarf_store_take(s, &key, &k));
	assert_true(dwarf_store_take(s, &only_lines, &k));
	assert_int_equal(k.image.section[SECTION_INFO].n, 0);
	assert_true(k.units.n_units && k.units.unit[0].lines.is_plain);
	assert_true(dwarf_line_table_open_plain(&t, &k.image, &k.units.unit[0].lines));
	assert_true(t.header.n_files > 1);
	dwarf_line_table_release(&t);
	dwarf_image_release(&k.image);
	dwarf_units_release(&k.units);
	/* Of an alternate file, which has no code, nothing will be looked up. */
	key = number(1);
	assert_false(dwarf_store_put(s, &key, &none));
	dwarf_store_free(s);
}

/* The program with names of files in .debug_str. */
static void write_program_with_strings(const char *path)
{
	static const char formats[] = { 2, DW_LNCT_path, DW_FORM_line_strp,
		DW_LNCT_directory_index };
	struct buf text = { 0 };
	struct err e;
	char *at;

	assert_int_equal(file_read_all(PROGRAM, 1 << 20, &text, &e), OK);
	at = memmem(text.p, text.n, formats, sizeof(formats));
	assert_non_null(at);
	at[2] = DW_FORM_strp;
	tmpdir_write(path, buf_span(&text));
	buf_release(&text);
}

static void assert_first_name(struct dwarf_image *image, const struct dwarf_unit *unit)
{
	const char *strings = image->strings_left.p; /* loading them again forgets it */
	struct dwarf_line_table t = { 0 };

	assert_true(dwarf_line_table_open_plain(&t, image, &unit->lines));
	assert_true(span_eq(t.header.file[0].name, span_of(strings)));
	assert_true(t.header.file[0].name.n);
	dwarf_line_table_release(&t);
}

static void strings_are_loaded_again_where_names_are_in_them(void **state)
{
	struct dwarf_store *s = dwarf_store_new((size_t)512 << 20, true);
	const char *path = tmpdir_at(state, "program");
	struct dwarf_store_key key, only_lines;
	struct dwarf_kept k;

	write_program_with_strings(path);
	key = only_lines = key_of(s, path);
	only_lines.flags |= DWARF_ONLY_LINES;
	read_program(path, DWARF_LINES | DWARF_BY_UNIT, &k);
	assert_true(dwarf_store_put(s, &key, &k));
	assert_true(dwarf_store_take(s, &only_lines, &k));
	assert_int_equal(k.image.section[SECTION_STR].n, 0);
	assert_true(k.image.section[SECTION_LINE_STR].n);
	memset((char *)k.image.strings_left.p, 0, k.image.strings_left.n); /* as given back */
	assert_first_name(&k.image, &k.units.unit[0]);
	assert_false(dwarf_image_load_strings(&k.image));
	dwarf_image_release(&k.image);
	dwarf_units_release(&k.units);
	dwarf_store_free(s);
}

static void strings_stay_where_directories_are_in_them(void **state)
{
	struct dwarf_store *s = dwarf_store_new((size_t)512 << 20, true);
	struct dwarf_store_key key = key_of(s, PROGRAM), only_lines = key;
	struct dwarf_kept k;

	(void)state;
	only_lines.flags |= DWARF_ONLY_LINES;
	read_program(PROGRAM, DWARF_LINES | DWARF_BY_UNIT, &k);
	k.units.unit[0].lines.directory = k.image.section[SECTION_STR].p;
	assert_true(dwarf_store_put(s, &key, &k));
	assert_true(dwarf_store_take(s, &only_lines, &k));
	assert_true(k.image.section[SECTION_STR].n);
	dwarf_image_release(&k.image);
	dwarf_units_release(&k.units);
	dwarf_store_free(s);
}

/* clang says by an index where the directory is, which libdw can read. */
static void what_is_not_plain_is_kept_whole(void **state)
{
	static const char path[] = "testdata/elf/inlines/inlines-clang";
	struct dwarf_store *s = dwarf_store_new((size_t)512 << 20, true);
	struct dwarf_store_key key = key_of(s, path);
	struct dwarf_kept k;

	(void)state;
	read_program(path, DWARF_LINES, &k);
	assert_false(k.units.unit[0].lines.is_plain);
	assert_true(dwarf_store_put(s, &key, &k));
	assert_true(dwarf_store_take(s, &key, &k));
	assert_true(k.image.section[SECTION_INFO].n);
	dwarf_image_release(&k.image);
	dwarf_units_release(&k.units);
	dwarf_store_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_lines_may_be_kept),
		cmocka_unit_test(what_is_not_plain_is_kept_whole),
		IN_TMPDIR(strings_are_loaded_again_where_names_are_in_them),
		cmocka_unit_test(strings_stay_where_directories_are_in_them),
		cmocka_unit_test(what_is_taken_is_not_there_until_it_is_put_back),
		IN_TMPDIR(a_file_that_changed_is_another),
		cmocka_unit_test(without_a_store_nothing_is_kept),
		cmocka_unit_test(the_oldest_are_freed_beyond_the_limit),
	};

	elf_version(EV_CURRENT);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
