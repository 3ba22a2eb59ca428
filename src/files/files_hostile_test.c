/* A file at a recorded path need not be the recorded one, nor a file at all. */
#include "files/files.h"

#include "base/tmpdir_for_test.h"

#include <sys/auxv.h>
#include <sys/stat.h>

/* The verdict on the file that the directory holds at the recorded path "/it", of a process of that
 * word size on that machine. */
static enum files_verdict verdict_for(void **state, const char *arch, uint8_t word_bytes)
{
	const char *const symfs[] = { *state, NULL };
	struct files_opts o = { .symfs = symfs, .no_system = true, .arch = arch };
	struct strtab *strings = strtab_new();
	struct files *f = files_new(&o, strings);
	struct module m = { .kind = MODULE_FILE,
		.path = strtab_add_str(strings, "/it"),
		.word_bytes = word_bytes };
	struct files_trail trail = { 0 };
	struct elf_file *ef = files_open_runtime(f, &m, &trail);
	enum files_verdict v = trail.n ? trail.step[0].verdict : FILES_ABSENT;

	assert_true(!ef == (v != FILES_USED));
	elf_file_close(ef);
	files_trail_release(&trail);
	files_free(f);
	strtab_free(strings);
	return v;
}

static enum files_verdict verdict_on(void **state)
{
	return verdict_for(state, NULL, 0);
}

/* A library has the same name on all machines. */
static void a_file_for_another_machine_is_refused(void **state)
{
	char *path = tmpdir_path(state, "it");
	struct buf file = { 0 };
	struct err e;

	assert_int_equal(file_read_all("testdata/elf/cet", 1 << 20, &file, &e), OK);
	tmpdir_write(path, buf_span(&file));
	assert_int_equal(verdict_for(state, "x86_64", 0), FILES_USED);
	assert_int_equal(verdict_for(state, "i686", 0), FILES_USED); /* of setarch(8) */
	assert_int_equal(verdict_for(state, "pdp11", 0), FILES_USED);
	assert_int_equal(verdict_for(state, "aarch64", 0), FILES_OTHER_MACHINE);
	assert_int_equal(verdict_for(state, "armv7l", 0), FILES_OTHER_MACHINE);
	file.p[offsetof(Elf64_Ehdr, e_machine)] = EM_ARM;
	tmpdir_write(path, buf_span(&file));
	assert_int_equal(verdict_for(state, "x86_64", 0), FILES_OTHER_MACHINE);
	assert_int_equal(verdict_for(state, "aarch64", 0), FILES_USED);
	buf_release(&file);
	free(path);
}

static void copy(const char *from, const char *to)
{
	struct buf content = { 0 };
	struct err e;

	assert_int_equal(file_read_all(from, 1 << 24, &content, &e), OK);
	tmpdir_write(to, buf_span(&content));
	buf_release(&content);
}

static void a_file_of_another_word_size_than_the_process_is_refused(void **state)
{
	char *path = tmpdir_path(state, "it"),
	     *narrow = realpath("testdata/elf/32-bit/root/tmp/perfold/bin/bare-32", NULL),
	     *wide = realpath("testdata/elf/cet", NULL);

	copy(narrow, path);
	assert_int_equal(verdict_for(state, "x86_64", 0), FILES_USED);
	assert_int_equal(verdict_for(state, "x86_64", 4), FILES_USED);
	assert_int_equal(verdict_for(state, "x86_64", 8), FILES_OTHER_CLASS);
	unlink(path);
	copy(wide, path);
	assert_int_equal(verdict_for(state, "x86_64", 8), FILES_USED);
	assert_int_equal(verdict_for(state, "x86_64", 4), FILES_OTHER_CLASS);
	free(path);
	free(narrow);
	free(wide);
}

/* Even where nothing but the machine proves what it is. */
static void the_vdso_of_this_process_is_not_that_of_a_32_bit_process(void **state)
{
	struct files_opts o = { .same_machine = true, .arch = "x86_64" };
	struct strtab *strings = strtab_new();
	struct files *f = files_new(&o, strings);
	struct module m = { .kind = MODULE_VDSO, .path = strtab_add_str(strings, "[vdso]") };
	struct elf_file *ef;

	(void)state;
	ef = files_open_runtime(f, &m, NULL);
	assert_true(ef || !getauxval(AT_SYSINFO_EHDR) || access("/proc/self/maps", R_OK));
	elf_file_close(ef);
	m.word_bytes = sizeof(void *) == 8 ? 4 : 8;
	assert_null(files_open_runtime(f, &m, NULL));
	files_free(f);
	strtab_free(strings);
}

/* A recording that was cut names no host; the user may know that it is this one. */
static void an_unproved_file_says_how_it_can_be_used(void **state)
{
	const struct files_step file = { .path = (char *)"/usr/bin/a",
		.verdict = FILES_NOT_PROVED };
	struct files_step list = { .path = (char *)"/proc/kallsyms", .verdict = FILES_NOT_PROVED };
	struct buf text = { 0 };

	(void)state;
	files_step_put(&text, &file, NULL);
	buf_putc(&text, '\n');
	files_step_put(&text, &list, NULL);
	assert_string_equal(buf_str(&text),
		"/usr/bin/a: nothing proves that it is the recorded file; if this machine was "
		"recorded, give --symfs /\n"
		"/proc/kallsyms: nothing proves that it is the recorded file; if this machine was "
		"recorded, give --kallsyms /proc/kallsyms");
	buf_release(&text);
}

static void a_device_is_not_opened(void **state)
{
	char *path = tmpdir_path(state, "it");

	assert_int_equal(symlink("/dev/zero", path), 0);
	assert_int_equal(verdict_on(state), FILES_LEAVES_ROOT);
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(verdict_on(state), FILES_NOT_REGULAR);
	free(path);
}

static void an_unreadable_file_is_reported(void **state)
{
	char *path = tmpdir_path(state, "it");

	assert_int_equal(symlink("it", path), 0); /* a loop: unreadable for everybody */
	assert_int_equal(verdict_on(state), FILES_UNREADABLE);
	if (geteuid() != 0) { /* root may read all */
		unlink(path);
		tmpdir_write(path, SPAN("\177ELF"));
		assert_int_equal(chmod(path, 0), 0);
		assert_int_equal(verdict_on(state), FILES_UNREADABLE);
	}
	free(path);
}

/* A file that is being copied or was cut would lack symbols in silence. */
static void a_program_that_is_cut_anywhere_is_refused(void **state)
{
	char *path = tmpdir_path(state, "it");
	struct buf whole = { 0 };
	struct err e;
	size_t n;

	assert_int_equal(file_read_all("testdata/elf/cet", 1 << 20, &whole, &e), OK);
	for (n = 0; n < whole.n; n += 61) {
		enum files_verdict v;

		tmpdir_write(path, (struct span){ whole.p, n });
		v = verdict_on(state);
		assert_int_equal(v, n < 64 ? FILES_NOT_ELF : FILES_CUT);
	}
	buf_release(&whole);
	free(path);
}

/* This machine's own list is no answer for a kernel with another build-id. */
static void kallsyms_of_another_kernel_are_refused(void **state)
{
	struct files_opts o = { .same_machine = true };
	struct module kernel = { .kind = MODULE_KERNEL, .build_id = { 20, { 0xfe, 0xed } } };
	struct files_trail trail = { 0 };
	const struct files_step *refused;
	struct files_kallsyms text = { 0 };
	struct strtab *strings;
	struct files *f;

	(void)state;
	if (access("/proc/kallsyms", R_OK) || access("/sys/kernel/notes", R_OK))
		skip();
	strings = strtab_new();
	f = files_new(&o, strings);
	assert_false(files_read_kallsyms(f, &kernel, &text, &trail));
	assert_int_equal(text.own.n, 0);
	refused = files_trail_refusal(&trail);
	assert_non_null(refused);
	assert_string_equal(refused->path, "/proc/kallsyms");
	assert_int_equal(refused->verdict, FILES_OTHER_BUILD_ID);
	buf_release(&text.own);
	files_trail_release(&trail);
	files_free(f);
	strtab_free(strings);
}

/* What perf inject leaves in the cache of the machine it runs on: that machine's own list under the
 * recorded kernel's build-id. */
static void cached_kallsyms_of_this_machine_are_refused(void **state)
{
	const char *const dirs[] = { *state, NULL };
	struct files_opts o = { .debug_dirs = dirs };
	struct module kernel = { .kind = MODULE_KERNEL, .build_id = { 2, { 0xfe, 0xed } } };
	struct files_trail trail = { 0 };
	const struct files_step *refused;
	struct files_kallsyms text = { 0 };
	struct buf own = { 0 };
	struct strtab *strings;
	struct files *f;
	struct err e;
	char *path;

	if (access("/proc/kallsyms", R_OK) || access("/sys/kernel/notes", R_OK))
		skip();
	strings = strtab_new();
	f = files_new(&o, strings);
	path = tmpdir_path(state, "[kernel.kallsyms]");
	assert_int_equal(mkdir(path, 0700), 0);
	free(path);
	path = tmpdir_path(state, "[kernel.kallsyms]/feed");
	assert_int_equal(mkdir(path, 0700), 0);
	free(path);
	path = tmpdir_path(state, "[kernel.kallsyms]/feed/kallsyms");
	assert_int_equal(file_read_all("/proc/kallsyms", 512 << 20, &own, &e), OK);
	buf_printf(&own, "ffffffffc0000000 t loaded\t[later]\n");
	tmpdir_write(path, buf_span(&own));
	assert_false(files_read_kallsyms(f, &kernel, &text, &trail));
	refused = files_trail_refusal(&trail);
	assert_non_null(refused);
	assert_string_equal(refused->path, path);
	assert_int_equal(refused->verdict, FILES_OTHER_BUILD_ID);
	own.p[strlen("0000000000000000 T ")]++; /* another name */
	tmpdir_write(path, buf_span(&own));
	files_trail_release(&trail);
	assert_true(files_read_kallsyms(f, &kernel, &text, &trail));
	buf_release(&own);
	buf_release(&text.own);
	files_trail_release(&trail);
	files_free(f);
	strtab_free(strings);
	free(path);
}

/* What /proc/kallsyms holds for those who may not see addresses. */
static void kallsyms_without_addresses_name_nothing(void **state)
{
	char *path = tmpdir_path(state, "kallsyms");
	struct files_opts o = { .kallsyms = path, .no_system = true };
	struct module kernel = { .kind = MODULE_KERNEL };
	struct strtab *strings = strtab_new();
	struct files *f = files_new(&o, strings);
	struct files_trail trail = { 0 };
	struct files_kallsyms read = { 0 };
	struct buf text = { 0 };
	unsigned i;

	for (i = 0; i < 50000; i++)
		buf_printf(&text, "0000000000000000 T function_%u\t[module]\n", i);
	tmpdir_write(path, buf_span(&text));
	assert_false(files_read_kallsyms(f, &kernel, &read, &trail));
	assert_int_equal(trail.step[trail.n - 1].verdict, FILES_HIDDEN);
	buf_release(&text);
	buf_release(&read.own);
	files_trail_release(&trail);
	files_free(f);
	strtab_free(strings);
	free(path);
}

/* perf record --kcore puts it there. */
static void kallsyms_in_a_kcore_directory_are_found(void **state)
{
	char *dir = tmpdir_path(state, "kcore_dir"),
	     *path = tmpdir_path(state, "kcore_dir/kallsyms");
	struct files_opts o = { .recording_dir = *state, .no_system = true };
	struct module kernel = { .kind = MODULE_KERNEL };
	struct strtab *strings = strtab_new();
	struct files *f = files_new(&o, strings);
	struct files_kallsyms text = { 0 };

	assert_int_equal(mkdir(dir, 0700), 0);
	tmpdir_write(path, SPAN("1000 T _text\n"));
	assert_true(files_read_kallsyms(f, &kernel, &text, NULL));
	assert_true(span_eq(text.text, SPAN("1000 T _text\n")));
	buf_release(&text.own);
	files_free(f);
	strtab_free(strings);
	free(dir);
	free(path);
}

/* The number of no process of this machine; another one for each run. */
static int32_t nobody(void)
{
	return (1 << 23) + getpid();
}

static enum files_verdict verdict_on_map_in_tmp(uint64_t not_before_ns)
{
	struct files_opts o = { .same_machine = true };
	struct strtab *strings = strtab_new();
	struct files *f = files_new(&o, strings);
	struct files_trail trail = { 0 };
	struct files_map_place place = files_find_perf_map(f, nobody(), not_before_ns, &trail);
	enum files_verdict v = trail.step[trail.n - 1].verdict;

	assert_true(!place.file.path == (v != FILES_USED));
	file_close(&place.file);
	files_trail_release(&trail);
	files_free(f);
	strtab_free(strings);
	return v;
}

static void a_map_older_than_its_process_is_refused(void **state)
{
	char *path = xasprintf("/tmp/perf-%d.map", nobody());
	struct stat st;

	(void)state;
	tmpdir_write(path, SPAN("1000 10 f\n"));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(verdict_on_map_in_tmp(0), FILES_USED);
	assert_int_equal(
		verdict_on_map_in_tmp((uint64_t)st.st_mtim.tv_sec * 1000000000), FILES_USED);
	assert_int_equal(verdict_on_map_in_tmp(((uint64_t)st.st_mtim.tv_sec + 1) * 1000000000),
		FILES_TOO_OLD);
	unlink(path);
	free(path);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, tmpdir_setup, tmpdir_teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_file_for_another_machine_is_refused),
		TEST(a_file_of_another_word_size_than_the_process_is_refused),
		TEST(the_vdso_of_this_process_is_not_that_of_a_32_bit_process),
		TEST(an_unproved_file_says_how_it_can_be_used),
		TEST(a_device_is_not_opened),
		TEST(an_unreadable_file_is_reported),
		TEST(a_program_that_is_cut_anywhere_is_refused),
		TEST(kallsyms_of_another_kernel_are_refused),
		TEST(cached_kallsyms_of_this_machine_are_refused),
		TEST(kallsyms_without_addresses_name_nothing),
		TEST(kallsyms_in_a_kcore_directory_are_found),
		TEST(a_map_older_than_its_process_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
