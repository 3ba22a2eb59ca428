/* Source text by the path of debug information, which a stranger may have written. */
#include "files/files.h"

#include "base/tmpdir_for_test.h"

#include <sys/stat.h>
#include <utime.h>

struct bed {
	void **state;
	struct files_opts o;
	struct source_request q;
	struct source_text text;
	struct files_trail trail;
};

static void make_parents(char *path)
{
	char *slash;

	for (slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
}

/* A file below the directory of the test, from 1970-01-01 and seconds. */
static void put(void **state, const char *name, const char *text, long seconds)
{
	char *path = tmpdir_path(state, name);
	const struct utimbuf times = { seconds, seconds };

	make_parents(path);
	tmpdir_write(path, span_of(text));
	assert_int_equal(utime(path, &times), 0);
	free(path);
}

static bool open_source(struct bed *b, const char *path)
{
	struct strtab *strings = strtab_new();
	struct files *f = files_new(&b->o, strings);
	bool found;

	source_file_release(&b->text);
	files_trail_release(&b->trail);
	b->q.path = span_of(path);
	found = source_file_open(f, &b->q, &b->text, &b->trail);
	files_free(f);
	strtab_free(strings);
	return found;
}

static void expect(struct bed *b, const char *path, const char *text, enum source_doubt doubt)
{
	bool found = open_source(b, path);

	assert_int_equal(found, text != NULL);
	if (!text)
		return;
	assert_int_equal(b->text.text.n, strlen(text));
	assert_memory_equal(b->text.text.p, text, strlen(text));
	assert_int_equal(b->text.doubt, doubt);
}

/* It is not used, and that is why. */
static void expect_refused(struct bed *b, const char *path, enum files_verdict why)
{
	const struct files_step *step;

	assert_false(open_source(b, path));
	step = files_trail_refusal(&b->trail);
	if (why == FILES_ABSENT) {
		assert_null(step);
		return;
	}
	assert_non_null(step);
	assert_int_equal(step->verdict, why);
}

static void release(struct bed *b)
{
	source_file_release(&b->text);
	files_trail_release(&b->trail);
}

/* ---- places ---- */

static void the_longest_end_of_the_path_below_a_source_dir_is_used(void **state)
{
	const char *const dirs[] = { tmpdir_at(state, "one"), tmpdir_at(state, "two"), NULL };
	struct bed b = { .o = { .source_dirs = dirs, .no_system = true } };

	put(state, "one/a.c", "short", 1);
	expect(&b, "/build/x/src/a.c", "short", SOURCE_NAMESAKE);
	expect(&b, "/build/one/a.c", "short", SOURCE_UNCHECKED);
	expect(&b, "/a.c", "short", SOURCE_UNCHECKED);
	assert_non_null(source_file_warning(SOURCE_NAMESAKE));
	put(state, "two/src/a.c", "longer", 1);
	expect(&b, "/build/x/src/a.c", "longer", SOURCE_UNCHECKED);
	put(state, "one/build/x/src/a.c", "whole", 1);
	expect(&b, "/build/x/src/a.c", "whole", SOURCE_UNCHECKED);
	expect(&b, "/build/x/obj/../src/a.c", "whole", SOURCE_UNCHECKED);
	expect(&b, "src/a.c", "longer", SOURCE_UNCHECKED);
	expect(&b, "a.c", "short", SOURCE_UNCHECKED);
	expect_refused(&b, "/build/b.c", FILES_ABSENT);
	assert_int_equal(b.trail.n, 2);
	release(&b);
}

static void a_source_dir_may_have_files_of_any_name(void **state)
{
	const char *const dirs[] = { *state, NULL };
	struct bed b = { .o = { .source_dirs = dirs, .no_system = true } };

	put(state, "grammar", "rules", 1);
	expect(&b, "/build/grammar", "rules", SOURCE_NAMESAKE);
	release(&b);
}

static void a_prefix_is_replaced_in_whole_parts(void **state)
{
	const struct files_source_prefix p[] = { { "/build/x/", tmpdir_at(state, "here") },
		{ "rel", tmpdir_at(state, "rel") } };
	struct bed b = { .o = { .source_prefixes = p, .n_source_prefixes = 2, .no_system = true } };

	put(state, "here/src/a.c", "mapped", 1);
	put(state, "here/ative/a.c", "wrong", 1);
	put(state, "rel/a.c", "relative", 1);
	expect(&b, "/build/x/src/a.c", "mapped", SOURCE_UNCHECKED);
	expect(&b, "/build/x/y/../src/a.c", "mapped", SOURCE_UNCHECKED);
	expect(&b, "rel/a.c", "relative", SOURCE_UNCHECKED);
	expect_refused(&b, "/build/xsrc/a.c", FILES_ABSENT);
	expect_refused(&b, "relative/a.c", FILES_ABSENT);
	release(&b);
}

static void symfs_and_the_directory_of_the_recording_are_roots(void **state)
{
	const char *const symfs[] = { tmpdir_at(state, "root"), NULL };
	struct bed b = {
		.o = { .symfs = symfs, .recording_dir = tmpdir_at(state, "rec"), .no_system = true }
	};

	put(state, "root/src/a.c", "symfs", 1);
	put(state, "rec/src/a.c", "beside", 1);
	put(state, "rec/src/b.c", "beside", 1);
	put(state, "rec/etc/shadow", "secret", 1);
	expect(&b, "/src/a.c", "symfs", SOURCE_UNCHECKED);
	expect(&b, "/src/b.c", "beside", SOURCE_UNCHECKED);
	expect(&b, "src/b.c", "beside", SOURCE_UNCHECKED);
	expect_refused(&b, "/etc/shadow", FILES_NOT_SOURCE);
	expect_refused(&b, "/src/../../../../etc/shadow", FILES_NOT_SOURCE);
	release(&b);
}

static void a_path_of_a_container_is_below_its_root(void **state)
{
	const struct files_perf_map container = { 7, tmpdir_at(state, "c") };
	struct bed b = { .o = { .containers = &container, .n_containers = 1, .same_machine = true },
		.q = { .pid = 7, .is_local = false } };
	char *outside = tmpdir_at(state, "a.c");

	put(state, "c/src/a.c", "contained", 1);
	put(state, "a.c", "host", 1);
	expect(&b, "/src/a.c", "contained", SOURCE_UNCHECKED);
	expect_refused(&b, outside, FILES_NOT_PROVED);
	release(&b);
}

/* ---- this machine ---- */

static void a_path_on_this_machine_needs_a_reason(void **state)
{
	struct bed b = { .o = { .proc = NULL } };
	char *path = tmpdir_at(state, "a.c");

	put(state, "a.c", "here", 1);
	expect_refused(&b, path, FILES_NOT_PROVED);
	b.o.same_machine = true;
	expect(&b, path, "here", SOURCE_UNCHECKED);
	b.o.no_system = true;
	expect_refused(&b, path, FILES_ABSENT);
	b.o = (struct files_opts){ 0 };
	b.q.is_local = true;
	expect(&b, path, "here", SOURCE_UNCHECKED);
	release(&b);
}

static void a_link_does_not_give_a_file_the_name_of_a_source(void **state)
{
	const char *const dirs[] = { tmpdir_at(state, "src"), NULL };
	struct bed b = { .q = { .is_local = true } };
	char *link = tmpdir_at(state, "src/a.c"), *secret = tmpdir_at(state, "secret");

	put(state, "src/b.c", "b", 1);
	put(state, "secret", "secret", 1);
	assert_int_equal(symlink(secret, link), 0);
	expect_refused(&b, link, FILES_NOT_SOURCE);
	release(&b);
	b = (struct bed){ .o = { .source_dirs = dirs, .no_system = true } };
	expect_refused(&b, "/x/a.c", FILES_LEAVES_ROOT);
	expect_refused(&b, "/src/../../../secret", FILES_NOT_SOURCE);
	release(&b);
}

static void another_user_may_not_put_sources_where_all_may_write(void **state)
{
	struct bed b = { .q = { .is_local = true } };
	char *path = tmpdir_at(state, "open/a.c"), *dir = tmpdir_at(state, "open");

	if (geteuid())
		skip();
	put(state, "open/a.c", "theirs", 1);
	assert_int_equal(chmod(dir, 01777), 0);
	expect(&b, path, "theirs", SOURCE_UNCHECKED);
	assert_int_equal(chown(path, 12345, 12345), 0);
	expect_refused(&b, path, FILES_OTHER_OWNER);
	b.o.trust_files = true;
	expect(&b, path, "theirs", SOURCE_UNCHECKED);
	release(&b);
}

static void check_program(
	const struct files_opts *o, const char *recorded, const char *path, bool dated, bool local)
{
	struct strtab *strings = strtab_new();
	struct files *f = files_new(o, strings);
	struct module m = { .kind = MODULE_FILE, .path = strtab_add_str(strings, recorded) };
	enum files_verdict why;
	struct elf_file *ef = elf_file_open(path, &why);
	int64_t built_s;
	bool is_local;

	assert_non_null(ef);
	source_file_judge_program(f, &m, ef, &built_s, &is_local);
	assert_int_equal(built_s, dated ? 1000 : 0);
	assert_int_equal(is_local, local);
	elf_file_close(ef);
	files_free(f);
	strtab_free(strings);
}

/* What came with a recording, in a pack, an archive or from a server names sources of elsewhere. */
static void a_program_of_this_machine_knows_sources_of_this_machine(void **state)
{
	char *path = tmpdir_at(state, "dir/.debug/prog"), *dir = tmpdir_at(state, "dir");
	const struct utimbuf times = { 1000, 1000 }, none = { 1, 1 };
	const char *const symfs[] = { dir, NULL };
	struct files_opts o = { .home = NULL };
	struct buf program = { 0 };
	struct err e;

	put(state, "dir/.debug/prog", "", 1);
	assert_int_equal(file_read_all("testdata/elf/cet", 1 << 20, &program, &e), OK);
	tmpdir_write(path, buf_span(&program));
	buf_release(&program);
	assert_int_equal(utime(path, &times), 0);
	check_program(&o, "/x", path, true, true);
	check_program(&(struct files_opts){ .no_system = true }, path, path, true, false);
	check_program(&(struct files_opts){ .home = dir }, path, path, true, false);
	check_program(&(struct files_opts){ .vmlinux = path }, path, path, true, false);
	check_program(&(struct files_opts){ .pack_dir = dir }, path, path, false, false);
	check_program(&(struct files_opts){ .recording_dir = dir }, "/x", path, true, false);
	check_program(&(struct files_opts){ .recording_dir = dir }, path, path, true, true);
	check_program(&(struct files_opts){ .symfs = symfs }, "/x", path, true, false);
	assert_int_equal(utime(path, &none), 0);
	check_program(&o, "/x", path, false, true); /* as in Nix */
}

/* Whoever makes a recording can give it the name of this machine. */
static void a_pack_takes_no_source_because_a_recording_says_so(void **state)
{
	struct bed b = { .o = { .same_machine = true, .uses = pack_uses_new() } };
	char *path = tmpdir_at(state, "a.c");

	put(state, "a.c", "here", 1);
	expect_refused(&b, path, FILES_NOT_PROVED);
	b.q.is_local = true;
	expect(&b, path, "here", SOURCE_UNCHECKED);
	pack_uses_free(b.o.uses);
	release(&b);
}

/* ---- what is no text ---- */

static void only_regular_files_are_opened(void **state)
{
	const char *const dirs[] = { *state, NULL };
	struct bed b = { .o = { .source_dirs = dirs, .no_system = true } };

	assert_int_equal(mkfifo(tmpdir_at(state, "fifo.c"), 0666), 0);
	assert_int_equal(mkdir(tmpdir_at(state, "dir.c"), 0755), 0);
	assert_int_equal(symlink("/dev/zero", tmpdir_at(state, "zero.c")), 0);
	expect_refused(&b, "/x/fifo.c", FILES_NOT_REGULAR);
	expect_refused(&b, "/x/dir.c", FILES_NOT_REGULAR);
	expect_refused(&b, "/x/zero.c", FILES_LEAVES_ROOT);
	b.o = (struct files_opts){ .same_machine = true };
	expect_refused(&b, tmpdir_at(state, "zero.c"), FILES_NOT_REGULAR);
	expect_refused(&b, tmpdir_at(state, "fifo.c"), FILES_NOT_REGULAR);
	expect_refused(&b, "/dev/zero", FILES_NOT_SOURCE);
	release(&b);
}

static void what_is_too_large_is_not_read(void **state)
{
	const char *const dirs[] = { *state, NULL };
	struct bed b = { .o = { .source_dirs = dirs, .no_system = true } };
	char *path = tmpdir_at(state, "a.c");

	put(state, "a.c", "x", 1);
	assert_int_equal(truncate(path, 2147483648), 0);
	expect_refused(&b, "/a.c", FILES_TOO_LARGE);
	assert_int_equal(truncate(path, SOURCE_FILE_MAX_BYTES + 1), 0);
	expect_refused(&b, "/a.c", FILES_TOO_LARGE);
	assert_int_equal(truncate(path, SOURCE_FILE_MAX_BYTES), 0);
	expect_refused(&b, "/a.c", FILES_NOT_TEXT);
	release(&b);
}

static void a_path_that_is_none_is_not_looked_for(void **state)
{
	const char *const dirs[] = { *state, NULL };
	struct bed b = { .o = { .source_dirs = dirs, .same_machine = true } };
	struct buf deep = { 0 };
	int i;

	put(state, "a.c", "x", 1);
	for (i = 0; i < 3000; i++)
		buf_puts(&deep, "/d");
	buf_puts(&deep, "/a.c");
	expect_refused(&b, buf_str(&deep), FILES_ABSENT);
	deep.n = 2000;
	buf_puts(&deep, "/a.c");
	expect(&b, buf_str(&deep), "x", SOURCE_NAMESAKE);
	buf_release(&deep);
	expect_refused(&b, "", FILES_ABSENT);
	expect_refused(&b, "/", FILES_ABSENT);
	expect_refused(&b, "..", FILES_ABSENT);
	release(&b);
}

/* ---- doubts ---- */

static const struct source_md5 md5_of_right = { { 0x7c, 0x4f, 0x29, 0x40, 0x78, 0x93, 0xc3, 0x34,
	0xa6, 0xcb, 0x7a, 0x87, 0xbf, 0x04, 0x5c, 0x0d } }; /* of "right" */

static void the_file_with_the_recorded_sum_is_preferred(void **state)
{
	const char *const dirs[] = { tmpdir_at(state, "one"), tmpdir_at(state, "two"), NULL };
	struct source_md5 sums[2] = { { { 1 } }, md5_of_right };
	struct bed b = { .o = { .source_dirs = dirs, .no_system = true },
		.q = { .md5 = sums, .n_md5 = 2, .built_s = 1 } };

	put(state, "one/x/a.c", "wrong", 1);
	expect(&b, "/x/a.c", "wrong", SOURCE_OTHER_CONTENT);
	put(state, "one/a.c", "wrong too", 1);
	expect(&b, "/x/a.c", "wrong", SOURCE_OTHER_CONTENT);
	put(state, "two/a.c", "right", 100);
	expect(&b, "/x/a.c", "right", SOURCE_PROVED);
	assert_null(source_file_warning(b.text.doubt));
	assert_non_null(source_file_warning(SOURCE_OTHER_CONTENT));
	release(&b);
}

static void without_a_sum_a_source_must_not_be_newer_than_its_program(void **state)
{
	const char *const dirs[] = { *state, NULL };
	struct bed b = { .o = { .source_dirs = dirs, .no_system = true }, .q = { .built_s = 50 } };

	put(state, "a.c", "x", 50);
	expect(&b, "/a.c", "x", SOURCE_UNDOUBTED);
	put(state, "a.c", "x", 51);
	expect(&b, "/a.c", "x", SOURCE_NEWER);
	assert_non_null(source_file_warning(b.text.doubt));
	release(&b);
}

/* ---- lines ---- */

static void expect_line(const struct source_text *s, uint32_t number, const char *text)
{
	struct span line = source_file_line(s, number);

	assert_int_equal(line.n, strlen(text));
	assert_memory_equal(line.p, text, line.n);
}

static void lines_are_counted_from_1(void **state)
{
	struct source_text s;
	struct buf many = { 0 };
	char expected[16];
	uint32_t i;

	(void)state;
	assert_true(source_file_from_text(
		&s, "a.c", SPAN("\xef\xbb\xbfone\r\n\n three\nlast"), SOURCE_PROVED));
	assert_int_equal(s.n_lines, 4);
	expect_line(&s, 0, "");
	expect_line(&s, 1, "one");
	expect_line(&s, 2, "");
	expect_line(&s, 3, " three");
	expect_line(&s, 4, "last");
	expect_line(&s, 5, "");
	expect_line(&s, UINT32_MAX, "");
	source_file_release(&s);
	for (i = 1; i <= 1000; i++)
		buf_printf(&many, "%u\n", i);
	assert_true(source_file_from_text(&s, "a.c", buf_span(&many), SOURCE_PROVED));
	assert_int_equal(s.n_lines, 1000);
	for (i = 1; i <= 1000; i++) {
		snprintf(expected, sizeof(expected), "%u", i);
		expect_line(&s, i, expected);
	}
	source_file_release(&s);
	buf_release(&many);
	assert_true(source_file_from_text(&s, "a.c", SPAN(""), SOURCE_PROVED));
	assert_int_equal(s.n_lines, 0);
	expect_line(&s, 1, "");
	source_file_release(&s);
}

/* Line by line, and each by itself. */
static void expect_lines_of(struct span text)
{
	struct source_text s;
	struct source_lines lines;
	struct span rest = text, line;
	uint32_t number = 0;

	assert_true(source_file_from_text(&s, "a.c", text, SOURCE_PROVED));
	lines = source_file_lines(&s, 1);
	while (span_next_line(&rest, &line)) {
		assert_true(span_eq(source_file_line(&s, ++number), line));
		assert_true(span_eq(source_file_next_line(&lines), line));
	}
	assert_int_equal(s.n_lines, number);
	assert_int_equal(source_file_next_line(&lines).n, 0);
	source_file_release(&s);
}

/* Lines of any length, and bytes that differ from LF in one bit. */
static void lines_are_found_wherever_they_end(void **state)
{
	static const char bytes[] = { '\n', '\n', '\n' + 1, '\n' ^ 8, '\n' | 16, '\n' | 64,
		(char)('\n' | 128), (char)255, 'x', 'y' };
	struct buf text = { 0 };
	uint32_t i;

	(void)state;
	for (i = 0; i < 5000; i++)
		buf_putc(&text, '\n');
	expect_lines_of(buf_span(&text));
	for (i = 0; i < 20000; i++) {
		uint32_t random = i * 2654435761u >> 16;

		buf_putc(&text, random % 8192 < 16 ? '\n' : bytes[random % sizeof(bytes)]);
		if (random % 512 == 0)
			buf_printf(&text, "%2000s", "");
	}
	for (i = 0; i < 9; i++)
		expect_lines_of((struct span){ text.p + i, text.n - 2 * (size_t)i });
	buf_release(&text);
}

static void a_long_line_is_cut_between_characters(void **state)
{
	struct source_text s;
	struct buf line = { 0 };
	uint32_t i;

	(void)state;
	buf_putc(&line, 'x');
	for (i = 0; i < 3000; i++)
		buf_puts(&line, "\xc3\xa4");
	assert_true(source_file_from_text(&s, "a.c", buf_span(&line), SOURCE_PROVED));
	assert_int_equal(source_file_line(&s, 1).n, SOURCE_FILE_LINE_MAX_BYTES - 1);
	source_file_release(&s);
	buf_release(&line);
}

static void a_text_takes_the_memory_of_the_one_before(void **state)
{
	const char *const dirs[] = { tmpdir_at(state, ""), NULL };
	struct buf room = { 0 };
	struct bed b = { .o = { .source_dirs = dirs, .no_system = true }, .q.room = &room };
	char *memory;

	put(state, "long.c", "int a;\nint b;\nint c;\n", 1);
	put(state, "short.c", "int d;\n", 1);
	expect(&b, "long.c", "int a;\nint b;\nint c;\n", SOURCE_UNCHECKED);
	memory = b.text.content.p;
	source_file_release_into(&b.text, &room);
	assert_null(b.text.path);
	assert_ptr_equal(room.p, memory);
	expect(&b, "short.c", "int d;\n", SOURCE_UNCHECKED);
	assert_ptr_equal(b.text.content.p, memory);
	assert_null(room.p);
	assert_int_equal(b.text.n_lines, 1);
	release(&b);
}

static void a_text_has_no_nul(void **state)
{
	struct source_text s;

	(void)state;
	assert_false(source_file_from_text(&s, "a.c", (struct span){ "a\0b", 3 }, SOURCE_PROVED));
	source_file_release(&s);
	assert_true(source_file_from_text(&s, "a.c", SPAN("\xe4 in Latin-1\n"), SOURCE_PROVED));
	expect_line(&s, 1, "\xe4 in Latin-1");
	source_file_release(&s);
}

/* ---- packs ---- */

static void a_pack_has_sources_at_places_of_their_own(void **state)
{
	const char *pack = tmpdir_at(state, "pack");
	const char *const dirs[] = { tmpdir_at(state, "src"), NULL };
	struct bed b = { .o = { .source_dirs = dirs, .no_system = true, .pack_dir = pack },
		.q = { .built_s = 1 } };

	put(state, "src/a.c", "outside", 1);
	put(state, "pack/sources/x/a.c", "packed", 100);
	put(state, "pack/sources-newer/x/b.c", "newer", 100);
	put(state, "pack/sources/relative/x/c.c", "relative", 100);
	put(state, "pack/sources/container-7/x/d.c", "contained", 100);
	expect(&b, "/x/a.c", "packed", SOURCE_UNDOUBTED);
	expect(&b, "/x/b.c", "newer", SOURCE_NEWER);
	expect(&b, "x/c.c", "relative", SOURCE_UNDOUBTED);
	expect_refused(&b, "/x/d.c", FILES_ABSENT);
	b.q.pid = 7;
	expect(&b, "/x/d.c", "contained", SOURCE_UNDOUBTED);
	release(&b);
}

static void what_is_used_is_noted_for_a_pack(void **state)
{
	const char *const dirs[] = { *state, NULL };
	struct bed b = { .o = { .source_dirs = dirs, .no_system = true, .uses = pack_uses_new() },
		.q = { .built_s = 50 } };
	const struct pack_use *use;
	uint32_t n;

	put(state, "a.c", "a", 1);
	put(state, "b.c", "b", 100);
	expect(&b, "/x/y/../a.c", "a", SOURCE_NAMESAKE);
	expect(&b, "b.c", "b", SOURCE_NEWER);
	expect_refused(&b, "/x/none.c", FILES_ABSENT);
	use = pack_uses_sorted(b.o.uses, &n);
	assert_int_equal(n, 2);
	assert_string_equal(use[0].place, "sources-newer/relative/b.c");
	assert_string_equal(use[1].place, "sources/x/a.c");
	assert_int_equal(use[1].reason, PACK_SOURCE);
	assert_string_equal(use[1].path, tmpdir_at(state, "a.c"));
	pack_uses_free(b.o.uses);
	release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TMPDIR(the_longest_end_of_the_path_below_a_source_dir_is_used),
		IN_TMPDIR(a_source_dir_may_have_files_of_any_name),
		IN_TMPDIR(a_prefix_is_replaced_in_whole_parts),
		IN_TMPDIR(symfs_and_the_directory_of_the_recording_are_roots),
		IN_TMPDIR(a_path_of_a_container_is_below_its_root),
		IN_TMPDIR(a_path_on_this_machine_needs_a_reason),
		IN_TMPDIR(a_link_does_not_give_a_file_the_name_of_a_source),
		IN_TMPDIR(another_user_may_not_put_sources_where_all_may_write),
		IN_TMPDIR(a_program_of_this_machine_knows_sources_of_this_machine),
		IN_TMPDIR(a_pack_takes_no_source_because_a_recording_says_so),
		IN_TMPDIR(only_regular_files_are_opened),
		IN_TMPDIR(what_is_too_large_is_not_read),
		IN_TMPDIR(a_path_that_is_none_is_not_looked_for),
		IN_TMPDIR(the_file_with_the_recorded_sum_is_preferred),
		IN_TMPDIR(without_a_sum_a_source_must_not_be_newer_than_its_program),
		cmocka_unit_test(lines_are_counted_from_1),
		cmocka_unit_test(lines_are_found_wherever_they_end),
		cmocka_unit_test(a_long_line_is_cut_between_characters),
		cmocka_unit_test(a_text_has_no_nul),
		IN_TMPDIR(a_text_takes_the_memory_of_the_one_before),
		IN_TMPDIR(a_pack_has_sources_at_places_of_their_own),
		IN_TMPDIR(what_is_used_is_noted_for_a_pack),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
