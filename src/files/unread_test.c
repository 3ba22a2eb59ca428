/* A disk may fail: what cannot be read is said, and not taken for what is not there. */
#include "files/files.h"

#include "base/tmpdir_for_test.h"
#include "files/light.h"

#include <errno.h>
#include <sys/syscall.h>

/* Reads at or beyond this offset fail; the functions below are in the place of the C library's, for
 * libelf as well. */
static uint64_t broken_from = UINT64_MAX;
static unsigned failures_left;

static ssize_t read_or_fail(int fd, void *p, size_t n, off_t at)
{
	if ((uint64_t)at + n > broken_from && failures_left) {
		failures_left--;
		errno = EIO;
		return -1;
	}
	return syscall(SYS_pread64, fd, p, n, at);
}

ssize_t pread(int fd, void *p, size_t n, off_t at)
{
	return read_or_fail(fd, p, n, at);
}

ssize_t pread64(int fd, void *p, size_t n, off_t at)
{
	return read_or_fail(fd, p, n, at);
}

/* What a library calls instead where _FORTIFY_SOURCE=3 knows the size of the memory: libelf 0.196
 * of Debian. */
ssize_t __pread_chk(int fd, void *p, size_t n, off_t at, size_t capacity);
ssize_t __pread64_chk(int fd, void *p, size_t n, off_t at, size_t capacity);

ssize_t __pread_chk(int fd, void *p, size_t n, off_t at, size_t capacity)
{
	assert_true(n <= capacity);
	return read_or_fail(fd, p, n, at);
}

ssize_t __pread64_chk(int fd, void *p, size_t n, off_t at, size_t capacity)
{
	return __pread_chk(fd, p, n, at, capacity);
}

struct bed {
	const char *symfs[2];
	struct files_opts o;
	struct strtab *strings;
	struct files *f;
	char said[256];
};

static void bed_start(struct bed *b, void **state)
{
	char *path = tmpdir_at(state, "program");
	struct buf content = { 0 };
	struct err e;

	broken_from = UINT64_MAX;
	*b = (struct bed){ .symfs = { *state }, .strings = strtab_new() };
	assert_int_equal(file_read_all("testdata/elf/cet", 1 << 24, &content, &e), OK);
	tmpdir_write(path, buf_span(&content));
	buf_release(&content);
	b->o = (struct files_opts){
		.symfs = b->symfs, .no_system = true, .unread = files_unread_new()
	};
	b->f = files_new(&b->o, b->strings);
}

static void bed_end(struct bed *b)
{
	broken_from = UINT64_MAX;
	files_free(b->f);
	files_unread_free(b->o.unread);
	strtab_free(b->strings);
}

static struct elf_file *open_program(struct bed *b)
{
	struct module m = { .kind = MODULE_FILE, .path = strtab_add_str(b->strings, "/program") };

	return files_open_runtime(b->f, &m, NULL);
}

static void keep(void *ctx, const char *path, const char *why)
{
	struct bed *b = ctx;

	snprintf(b->said, sizeof(b->said), "%s: %s", path + strlen(b->symfs[0]) + 1, why);
}

static uint64_t offset_of(const struct elf_file *ef, Elf_Scn **section)
{
	GElf_Shdr sh;

	*section = elf_file_section(ef, ".symtab", &sh);
	if (!*section)
		*section = elf_file_section(ef, ".dynsym", &sh);
	assert_non_null(*section);
	return sh.sh_offset;
}

static void a_section_that_cannot_be_read_is_named(void **state)
{
	struct elf_file *ef;
	Elf_Scn *section;
	struct bed b;

	bed_start(&b, state);
	ef = open_program(&b);
	assert_non_null(ef);
	assert_int_equal(files_unread_visit(b.o.unread, keep, &b), 0);
	broken_from = offset_of(ef, &section);
	failures_left = 100;
	assert_null(elf_file_data(ef, section));
	assert_int_equal(files_unread_visit(b.o.unread, keep, &b), 1);
	assert_string_equal(b.said, "program: Input/output error");
	elf_file_close(ef);
	bed_end(&b);
}

/* As on a network. */
static void what_fails_once_is_read_again(void **state)
{
	struct elf_file *ef;
	Elf_Scn *section;
	struct bed b;

	bed_start(&b, state);
	ef = open_program(&b);
	broken_from = offset_of(ef, &section);
	failures_left = 1;
	assert_non_null(elf_file_chunk(ef, broken_from, 64));
	assert_int_equal(failures_left, 0);
	assert_int_equal(files_unread_visit(b.o.unread, NULL, NULL), 0);
	elf_file_close(ef);
	bed_end(&b);
}

static void a_file_whose_beginning_cannot_be_read_is_named(void **state)
{
	struct bed b;

	bed_start(&b, state);
	broken_from = 0;
	failures_left = 100;
	assert_null(open_program(&b));
	assert_int_equal(files_unread_visit(b.o.unread, keep, &b), 1);
	assert_string_equal(b.said, "program: Input/output error");
	bed_end(&b);
}

static void keep_whole(void *ctx, const char *path, const char *why)
{
	struct bed *b = ctx;

	snprintf(b->said, sizeof(b->said), "%s: %s", path, why);
}

static void a_file_of_a_pack_is_named_by_the_pack(void **state)
{
	struct bed b;

	bed_start(&b, state);
	files_unread_show(b.o.unread, b.symfs[0], "a.perfpack");
	broken_from = 0;
	failures_left = 100;
	assert_null(open_program(&b));
	assert_int_equal(files_unread_visit(b.o.unread, keep_whole, &b), 1);
	assert_string_equal(b.said, "a.perfpack/program: Input/output error");
	files_unread_free(b.o.unread);
	b.o.unread = files_unread_new();
	files_unread_show(b.o.unread, "/elsewhere", "a.perfpack");
	files_unread_add(files_unread_origin(b.o.unread, "/elsewhere.debug"), EIO);
	assert_int_equal(files_unread_visit(b.o.unread, keep_whole, &b), 1);
	assert_string_equal(b.said, "/elsewhere.debug: Input/output error");
	bed_end(&b);
}

static void a_file_that_is_not_there_is_no_failure(void **state)
{
	struct bed b;

	bed_start(&b, state);
	assert_int_equal(unlink(tmpdir_at(state, "program")), 0);
	assert_null(open_program(&b));
	assert_int_equal(symlink("program", tmpdir_at(state, "program")), 0);
	assert_null(open_program(&b));
	assert_int_equal(files_unread_visit(b.o.unread, keep, &b), 0);
	bed_end(&b);
}

/* Wherever the reads begin to fail, of libelf or ours, a file does not stay whole for that. */
static void a_file_that_cannot_be_read_is_not_planned_as_a_light_one(void **state)
{
	char *path = tmpdir_at(state, "program");
	struct light light;
	struct file f;
	uint64_t whole;
	struct err e;
	struct bed b;

	bed_start(&b, state);
	assert_int_equal(file_open(&f, path, &e), OK);
	assert_int_equal(light_plan(&light, &f, false, NULL, 0, &e), OK);
	assert_int_not_equal(light.n, 0);
	whole = light.size_bytes;
	light_release(&light);
	for (broken_from = 0; broken_from < f.size_bytes; broken_from += 16) {
		failures_left = 100;
		if (light_plan(&light, &f, false, NULL, 0, &e)) {
			assert_string_equal(strrchr(e.msg, ':'), ": Input/output error");
			assert_int_equal(light.n, 0);
			continue;
		}
		assert_int_equal(failures_left, 100);
		assert_int_equal(light.size_bytes, whole);
		light_release(&light);
	}
	file_close(&f);
	bed_end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TMPDIR(a_section_that_cannot_be_read_is_named),
		IN_TMPDIR(what_fails_once_is_read_again),
		IN_TMPDIR(a_file_whose_beginning_cannot_be_read_is_named),
		IN_TMPDIR(a_file_of_a_pack_is_named_by_the_pack),
		IN_TMPDIR(a_file_that_is_not_there_is_no_failure),
		IN_TMPDIR(a_file_that_cannot_be_read_is_not_planned_as_a_light_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
