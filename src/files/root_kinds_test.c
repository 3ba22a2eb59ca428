/* Each kind of file that another file names: no name and no link leads out of the directory that
 * the other one is in. */
#include "files/files.h"

#include "base/tmpdir_for_test.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* The directory "root", which an option names; "outside" is beside it. */
struct bed {
	const char *symfs[2];
	struct files_opts o;
	struct strtab *strings;
	struct files *f;
	struct files_trail trail;
};

static void bed_start(struct bed *b, void **state)
{
	*b = (struct bed){ .symfs = { tmpdir_at(state, "root") }, .strings = strtab_new() };
	assert_int_equal(mkdir(b->symfs[0], 0700), 0);
	assert_int_equal(mkdir(tmpdir_at(state, "outside"), 0700), 0);
	b->o = (struct files_opts){ .symfs = b->symfs, .no_system = true };
	b->f = files_new(&b->o, b->strings);
}

static void bed_end(struct bed *b)
{
	files_trail_release(&b->trail);
	files_free(b->f);
	strtab_free(b->strings);
}

/* Is it reported? */
static bool left_root(const struct bed *b, const char *name)
{
	uint32_t i;

	for (i = 0; i < b->trail.n; i++)
		if (b->trail.step[i].verdict == FILES_LEAVES_ROOT &&
			span_eq(span_basename(span_of(b->trail.step[i].path)), span_of(name)))
			return true;
	return false;
}

/* Writes a copy of a file of testdata/elf/. Returns its path. */
static const char *put(void **state, const char *name, const char *from)
{
	char *path = tmpdir_at(state, name), *source = xasprintf("testdata/elf/%s", from);
	struct buf content = { 0 };
	struct err e;

	assert_int_equal(file_read_all(source, 1 << 24, &content, &e), OK);
	tmpdir_write(path, buf_span(&content));
	buf_release(&content);
	free(source);
	return path;
}

static void put_link(void **state, const char *name, const char *target)
{
	assert_int_equal(symlink(target, tmpdir_at(state, name)), 0);
}

static struct elf_file *open_runtime(struct bed *b, const char *path)
{
	struct module m = { .kind = MODULE_FILE, .path = strtab_add_str(b->strings, path) };

	return files_open_runtime(b->f, &m, &b->trail);
}

static bool has_debug(struct bed *b, const char *path)
{
	struct module m = { .kind = MODULE_FILE, .path = strtab_add_str(b->strings, path) };
	struct elf_file *runtime = open_runtime(b, path),
			*debug = files_open_debug(b->f, &m, runtime, &b->trail);
	bool has = debug;

	assert_non_null(runtime);
	elf_file_close(runtime);
	elf_file_close(debug);
	return has;
}

static void a_debuglink_stays_in_the_directory_of_its_program(void **state)
{
	struct bed b;

	bed_start(&b, state);
	put(state, "root/program", "program");
	put(state, "outside/program.debug", "program.debug");
	put_link(state, "root/program.debug", "../outside/program.debug");
	assert_false(has_debug(&b, "/program"));
	assert_true(left_root(&b, "program.debug"));
	put(state, "root/elsewhere", "program.debug");
	assert_int_equal(unlink(tmpdir_at(state, "root/program.debug")), 0);
	put_link(state, "root/program.debug", "/elsewhere");
	assert_true(has_debug(&b, "/program"));
	bed_end(&b);
}

static bool has_alternate(struct bed *b, const char *path)
{
	enum files_verdict why;
	struct elf_file *debug = elf_file_open(path, &why),
			*alternate = files_open_alternate(b->f, debug, &b->trail);
	bool has = alternate;

	elf_file_close(debug);
	elf_file_close(alternate);
	return has;
}

static void an_alternate_file_stays_in_the_directory_of_its_debug_file(void **state)
{
	const char *debug;
	struct bed b;

	bed_start(&b, state);
	debug = put(state, "root/inlines-dwz", "inlines/inlines-dwz");
	put(state, "outside/common", "inlines/inlines-common.debug");
	put_link(state, "root/inlines-common.debug", "../outside/common");
	assert_false(has_alternate(&b, debug));
	assert_true(left_root(&b, "inlines-common.debug"));
	assert_int_equal(unlink(tmpdir_at(state, "root/inlines-common.debug")), 0);
	put(state, "root/inlines-common.debug", "inlines/inlines-common.debug");
	assert_true(has_alternate(&b, debug));
	bed_end(&b);
}

/* A link "../outside/common.dbg" is as long as the one that is in the file. */
static void the_path_of_an_alternate_file_leads_no_further_up(void **state)
{
	static const char was[] = "inlines-common.debug", now[] = "../other/common.dbg_";
	struct buf content = { 0 };
	const char *debug;
	struct bed b;
	struct err e;
	char *link;

	bed_start(&b, state);
	debug = put(state, "root/inlines-dwz", "inlines/inlines-dwz");
	assert_int_equal(sizeof(was), sizeof(now));
	assert_int_equal(file_read_all(debug, 1 << 24, &content, &e), OK);
	link = memmem(content.p, content.n, was, sizeof(was));
	assert_non_null(link);
	memcpy(link, now, sizeof(now));
	tmpdir_write(debug, buf_span(&content));
	buf_release(&content);
	assert_int_equal(mkdir(tmpdir_at(state, "other"), 0700), 0);
	put(state, "other/common.dbg_", "inlines/inlines-common.debug");
	assert_false(has_alternate(&b, debug));
	assert_int_equal(mkdir(tmpdir_at(state, "root/other"), 0700), 0);
	put(state, "root/other/common.dbg_", "inlines/inlines-common.debug");
	assert_true(has_alternate(&b, debug));
	bed_end(&b);
}

static bool take(void *ctx, struct elf_file *ef)
{
	(void)ctx;
	elf_file_close(ef);
	return true;
}

static void a_dwo_stays_in_the_directory_of_its_program(void **state)
{
	const char *program;
	struct bed b;

	bed_start(&b, state);
	program = put(state, "root/program", "program");
	put(state, "outside/x.dwo", "cet");
	put_link(state, "root/x.dwo", "../outside/x.dwo");
	assert_false(files_find_dwo(b.f, SPAN("/src"), SPAN("x.dwo"), program, take, NULL));
	assert_int_equal(unlink(tmpdir_at(state, "root/x.dwo")), 0);
	put(state, "root/x.dwo", "cet");
	assert_true(files_find_dwo(b.f, SPAN("/src"), SPAN("x.dwo"), program, take, NULL));
	bed_end(&b);
}

static enum files_verdict take_package(void *ctx, struct elf_file *ef)
{
	*(unsigned *)ctx += 1;
	elf_file_close(ef);
	return FILES_USED;
}

static void a_dwp_stays_in_the_directory_of_its_program(void **state)
{
	struct files_dwp_owner owner = { 0 };
	unsigned n = 0;
	struct bed b;

	bed_start(&b, state);
	owner.file = put(state, "root/program.debug", "program.debug");
	put(state, "outside/x.dwp", "cet");
	put_link(state, "root/program.dwp", "../outside/x.dwp");
	put_link(state, "root/program.debug.dwp", "../outside/x.dwp");
	files_find_dwp(b.f, &owner, take_package, &n, &b.trail);
	assert_int_equal(n, 0);
	assert_true(left_root(&b, "program.dwp"));
	put(state, "root/x", "cet");
	assert_int_equal(unlink(tmpdir_at(state, "root/program.dwp")), 0);
	put_link(state, "root/program.dwp", "x");
	files_find_dwp(b.f, &owner, take_package, &n, &b.trail);
	assert_int_equal(n, 1);
	bed_end(&b);
}

/* With --trust-files all of these are used, as on a machine of one's own. */
static void trusted_files_may_be_anywhere(void **state)
{
	struct bed b;

	bed_start(&b, state);
	files_free(b.f);
	b.o.trust_files = true;
	b.f = files_new(&b.o, b.strings);
	put(state, "root/program", "program");
	put(state, "outside/program.debug", "program.debug");
	put_link(state, "root/program.debug", "../outside/program.debug");
	assert_true(has_debug(&b, "/program"));
	bed_end(&b);
}

/* Links below /proc lead to what a process has open, even if its name is gone. */
static void a_recorded_path_follows_no_link_of_proc(void **state)
{
	struct files_opts o = { .same_machine = true };
	const char *program;
	struct elf_file *ef;
	struct bed b;
	char *path;
	int fd;

	bed_start(&b, state);
	files_free(b.f);
	b.f = files_new(&o, b.strings);
	program = put(state, "outside/program", "program");
	fd = open(program, O_RDONLY | O_CLOEXEC);
	ef = open_runtime(&b, program);
	assert_non_null(ef);
	elf_file_close(ef);
	assert_int_equal(unlink(program), 0);
	path = xasprintf("/proc/self/fd/%d", fd);
	assert_null(open_runtime(&b, path));
	close(fd);
	free(path);
	bed_end(&b);
}

static bool has_kallsyms(struct bed *b)
{
	struct module kernel = { .kind = MODULE_KERNEL };
	struct files_kallsyms text = { 0 };
	bool has = files_read_kallsyms(b->f, &kernel, &text, &b->trail);

	buf_release(&text.own);
	return has;
}

static void kallsyms_of_a_recording_stay_in_its_directory(void **state)
{
	static const char list[] = "ffffffff81000000 T _text\n";
	struct bed b;

	bed_start(&b, state);
	files_free(b.f);
	b.o.input_dir = b.symfs[0];
	b.f = files_new(&b.o, b.strings);
	assert_int_equal(mkdir(tmpdir_at(state, "root/kcore_dir"), 0700), 0);
	tmpdir_write(tmpdir_at(state, "outside/secret"), SPAN(list));
	put_link(state, "root/kcore_dir/kallsyms", "../../outside/secret");
	assert_false(has_kallsyms(&b));
	assert_true(left_root(&b, "kallsyms"));
	assert_int_equal(unlink(tmpdir_at(state, "root/kcore_dir/kallsyms")), 0);
	tmpdir_write(tmpdir_at(state, "root/kcore_dir/kallsyms"), SPAN(list));
	assert_true(has_kallsyms(&b));
	bed_end(&b);
}

/* ---- while others rename ------------------------------------------------------------------ */

struct swap {
	const char *a, *b;
	atomic_bool stop;
};

static void *swap_until_stopped(void *ctx)
{
	struct swap *s = ctx;

	while (!s->stop)
		renameat2(AT_FDCWD, s->a, AT_FDCWD, s->b, RENAME_EXCHANGE);
	return NULL;
}

static bool can_swap(const struct swap *s)
{
	return !renameat2(AT_FDCWD, s->a, AT_FDCWD, s->b, RENAME_EXCHANGE) &&
	       !renameat2(AT_FDCWD, s->a, AT_FDCWD, s->b, RENAME_EXCHANGE);
}

static ino_t number_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_ino;
}

/* root/dir is a directory at one moment, and a link out of the root at the next. */
static void a_directory_that_is_swapped_meanwhile_shows_no_other_file(void **state)
{
	unsigned i, found = 0, other = 0;
	struct swap s = { .a = NULL };
	pthread_t thread;
	struct stat st;
	struct bed b;
	ino_t inside;

	bed_start(&b, state);
	s.a = tmpdir_at(state, "root/dir");
	s.b = tmpdir_at(state, "root/link");
	assert_int_equal(mkdir(s.a, 0700), 0);
	inside = number_of(put(state, "root/dir/program", "program"));
	put(state, "outside/program", "program.debug");
	put_link(state, "root/link", "../outside");
	if (!can_swap(&s))
		skip(); /* the file system cannot */
	assert_int_equal(pthread_create(&thread, NULL, swap_until_stopped, &s), 0);
	for (i = 0; i < 200000 && found < 2000; i++) {
		struct elf_file *ef = open_runtime(&b, "/dir/program");

		if (ef) {
			assert_int_equal(fstat(ef->fd, &st), 0);
			found++;
			other += st.st_ino != inside;
		}
		elf_file_close(ef);
	}
	s.stop = true;
	pthread_join(thread, NULL);
	assert_true(found > 0);
	assert_int_equal(other, 0);
	bed_end(&b);
}

/* ---- without openat2() -------------------------------------------------------------------- */

/* The kernel says from now on that it does not know the call, as one before 5.6 does. */
static bool forget_openat2(void)
{
	struct sock_filter filter[] = {
		{ BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr) },
		{ BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_openat2 },
		{ BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | 38 },
		{ BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW },
	};
	struct sock_fprog program = { 4, filter };

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static bool opens(const char *root, const char *path, enum files_verdict expected)
{
	enum files_verdict why;
	struct file f;
	bool found = files_open_below(root, path, &f, &why);
	bool loops = !found && errno == ELOOP;

	file_close(&f);
	return why == expected && found == (expected == FILES_USED) &&
	       loops == (expected == FILES_UNREADABLE);
}

static void directories_are_opened_one_in_the_other_where_the_kernel_is_old(void **state)
{
	static const struct {
		const char *name;
		enum files_verdict expected;
	} paths[] = {
		{ "root/dir/program", FILES_USED },
		{ "root/link/program", FILES_USED },
		{ "root/dir/./../dir//program", FILES_USED },
		{ "root/dir/out", FILES_LEAVES_ROOT },
		{ "root/out/program", FILES_LEAVES_ROOT },
		{ "root/dir", FILES_NOT_REGULAR },
		{ "root/none/program", FILES_ABSENT },
		{ "root/dir/program/x", FILES_ABSENT },
		{ "root/round", FILES_UNREADABLE },
	};
	char *path[ARRAY_LEN(paths)];
	int status = 0;
	struct bed b;
	size_t i;
	pid_t pid;

	bed_start(&b, state);
	assert_int_equal(mkdir(tmpdir_at(state, "root/dir"), 0700), 0);
	put(state, "root/dir/program", "program");
	put(state, "outside/program", "program");
	put_link(state, "root/link", "/dir");
	put_link(state, "root/out", "../outside");
	put_link(state, "root/round", "round");
	put_link(state, "root/dir/out", "../../outside/program");
	for (i = 0; i < ARRAY_LEN(paths); i++)
		path[i] = tmpdir_path(state, paths[i].name);
	pid = fork();
	if (pid == 0) {
		if (!forget_openat2())
			_exit(100);
		for (i = 0; i < ARRAY_LEN(paths); i++)
			if (!opens(b.symfs[0], path[i], paths[i].expected))
				_exit((int)i + 1);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) != 100)
		assert_int_equal(WEXITSTATUS(status), 0);
	for (i = 0; i < ARRAY_LEN(paths); i++) {
		assert_true(opens(b.symfs[0], path[i], paths[i].expected));
		free(path[i]);
	}
	bed_end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TMPDIR(a_debuglink_stays_in_the_directory_of_its_program),
		IN_TMPDIR(an_alternate_file_stays_in_the_directory_of_its_debug_file),
		IN_TMPDIR(the_path_of_an_alternate_file_leads_no_further_up),
		IN_TMPDIR(a_dwo_stays_in_the_directory_of_its_program),
		IN_TMPDIR(a_dwp_stays_in_the_directory_of_its_program),
		IN_TMPDIR(trusted_files_may_be_anywhere),
		IN_TMPDIR(a_recorded_path_follows_no_link_of_proc),
		IN_TMPDIR(kallsyms_of_a_recording_stay_in_its_directory),
		IN_TMPDIR(a_directory_that_is_swapped_meanwhile_shows_no_other_file),
		IN_TMPDIR(directories_are_opened_one_in_the_other_where_the_kernel_is_old),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
