/* Files below directories that others have filled: links, "..", owners. */
#include "files/root.h"

#include "base/tmpdir_for_test.h"
#include "files/files_search.h"

#include <sys/stat.h>

/* A directory "root" with some files, and a secret beside it. */
static char *make_root(void **state)
{
	char *root = tmpdir_at(state, "root");

	assert_int_equal(mkdir(root, 0755), 0);
	assert_int_equal(mkdir(tmpdir_at(state, "root/lib"), 0755), 0);
	tmpdir_write(tmpdir_at(state, "root/lib/a.so"), SPAN("a"));
	tmpdir_write(tmpdir_at(state, "secret"), SPAN("s"));
	return root;
}

/* What "root/it" means if it is a link to target; "" if nothing. */
static const char *meaning(void **state, const char *target, enum files_verdict *why)
{
	static char text[256];
	const char *root = tmpdir_path(state, "root");
	char *link = tmpdir_path(state, "root/it");
	struct file found;

	unlink(link);
	assert_int_equal(symlink(target, link), 0);
	*text = '\0';
	if (files_open_below(root, link, &found, why))
		snprintf(text, sizeof(text), "%s", found.path + strlen(root));
	file_close(&found);
	free(link);
	free((char *)root);
	return text;
}

static void links_are_followed_as_a_process_in_the_root_would(void **state)
{
	enum files_verdict why;

	make_root(state);
	assert_string_equal(meaning(state, "lib/a.so", &why), "/lib/a.so");
	assert_string_equal(meaning(state, "/lib/a.so", &why), "/lib/a.so");
	assert_string_equal(meaning(state, "./lib/../lib//a.so", &why), "/lib/a.so");
	assert_string_equal(meaning(state, "../../../../lib/a.so", &why), "/lib/a.so");
	assert_string_equal(meaning(state, "/lib", &why), "");
	assert_int_equal(why, FILES_NOT_REGULAR);
	assert_string_equal(meaning(state, "it", &why), "");
	assert_int_equal(why, FILES_UNREADABLE);
	assert_string_equal(meaning(state, "none", &why), "");
	assert_int_equal(why, FILES_ABSENT);
}

static void no_link_leads_out_of_the_root(void **state)
{
	char *secret;
	enum files_verdict why;

	make_root(state);
	secret = tmpdir_at(state, "secret");
	assert_string_equal(meaning(state, secret, &why), "");
	assert_int_equal(why, FILES_LEAVES_ROOT);
	assert_string_equal(meaning(state, "../secret", &why), "");
	assert_int_equal(why, FILES_LEAVES_ROOT);
	assert_string_equal(meaning(state, "/etc/passwd", &why), "");
	assert_int_equal(why, FILES_LEAVES_ROOT);
	assert_string_equal(meaning(state, "/proc/self/exe", &why), "");
	assert_int_equal(why, FILES_LEAVES_ROOT);
}

static void a_directory_may_be_a_link_too(void **state)
{
	char *root = make_root(state), *path = tmpdir_at(state, "root/usr/a.so");
	enum files_verdict why;
	struct file found;

	assert_int_equal(symlink("/lib", tmpdir_at(state, "root/usr")), 0);
	assert_true(files_open_below(root, path, &found, &why));
	assert_string_equal(found.path, tmpdir_at(state, "root/lib/a.so"));
	file_close(&found);
}

static void a_path_that_climbs_is_no_path(void **state)
{
	(void)state;
	assert_true(files_search_climbs(SPAN("/../../etc/passwd")));
	assert_true(files_search_climbs(SPAN("/usr/..")));
	assert_true(files_search_climbs(SPAN("..")));
	assert_false(files_search_climbs(SPAN("/usr/..a/b../...")));
	assert_false(files_search_climbs(SPAN("")));
}

static struct elf_file *open_recorded(const struct files_opts *o, const char *path)
{
	struct strtab *strings = strtab_new();
	struct files *f = files_new(o, strings);
	struct module m = { .kind = MODULE_FILE, .path = strtab_add_str(strings, path) };
	struct elf_file *ef = files_open_runtime(f, &m, NULL);

	files_free(f);
	strtab_free(strings);
	return ef;
}

/* Such a recording was made by hand. */
static void a_recorded_path_does_not_leave_the_named_directories(void **state)
{
	char *root = make_root(state), *program = realpath("testdata/elf/cet", NULL);
	char *climbing = xasprintf("/../../../../../../../../../..%s", program);
	const char *const symfs[] = { root, NULL };
	struct files_opts o = { .symfs = symfs, .recording_dir = root, .no_system = true };
	struct files_opts here = { .same_machine = true };
	struct elf_file *ef;

	assert_null(open_recorded(&o, climbing));
	assert_null(open_recorded(&here, climbing));
	ef = open_recorded(&here, program);
	assert_non_null(ef);
	elf_file_close(ef);
	free(climbing);
	free(program);
}

/* Whoever may read the link may not read what it leads to. */
static void a_map_in_a_container_is_no_file_of_the_host(void **state)
{
	char *root = make_root(state), *secret = tmpdir_at(state, "secret");
	struct files_perf_map container = { 7, root };
	struct files_opts o = { .containers = &container, .n_containers = 1, .no_system = true };
	struct strtab *strings = strtab_new();
	struct files *f = files_new(&o, strings);
	struct files_map_list list = { 0 };
	struct files_trail trail = { 0 };

	assert_int_equal(mkdir(tmpdir_at(state, "root/tmp"), 0755), 0);
	assert_int_equal(symlink(secret, tmpdir_at(state, "root/tmp/perf-7.map")), 0);
	assert_null(files_find_perf_map(f, 7, 0, &trail).file.path);
	assert_int_equal(files_trail_refusal(&trail)->verdict, FILES_LEAVES_ROOT);
	files_list_maps_of(f, 7, SPAN(""), &list);
	assert_int_equal(list.n, 0);
	files_map_list_release(&list);
	files_trail_release(&trail);
	files_free(f);
	strtab_free(strings);
}

/* In /tmp anybody can name a file after the process of another. */
static void a_map_of_another_user_is_refused_in_a_shared_directory(void **state)
{
	char *dir = *state, *path = tmpdir_at(state, "perf-7.map");
	struct files_opts o = { .recording_dir = dir, .no_system = true };
	struct strtab *strings;
	struct files_trail trail = { 0 };
	struct files_map_place place;
	struct files *f;

	if (geteuid() != 0)
		skip(); /* only root can give files away */
	strings = strtab_new();
	tmpdir_write(path, SPAN("1000 10 f\n"));
	assert_int_equal(chown(path, 65534, 65534), 0);
	f = files_new(&o, strings);
	place = files_find_perf_map(f, 7, 0, &trail);
	assert_non_null(place.file.path);
	file_close(&place.file);
	assert_int_equal(chmod(dir, 01777), 0);
	assert_null(files_find_perf_map(f, 7, 0, &trail).file.path);
	assert_int_equal(files_trail_refusal(&trail)->verdict, FILES_OTHER_OWNER);
	files_free(f);
	o.trust_files = true;
	f = files_new(&o, strings);
	place = files_find_perf_map(f, 7, 0, NULL);
	assert_non_null(place.file.path);
	file_close(&place.file);
	files_trail_release(&trail);
	files_free(f);
	strtab_free(strings);
}

static bool take(void *ctx, struct elf_file *ef)
{
	(void)ctx;
	elf_file_close(ef);
	return true;
}

/* Compilers write such paths, which lead no further up than the root all the same. */
static void a_dwo_is_found_by_a_path_that_climbs(void **state)
{
	const char *const symfs[] = { make_root(state), NULL };
	struct files_opts o = { .symfs = symfs, .no_system = true };
	struct strtab *strings = strtab_new();
	struct files *f = files_new(&o, strings);
	struct buf program = { 0 };
	struct err e;

	assert_int_equal(file_read_all("testdata/elf/cet", 1 << 20, &program, &e), OK);
	tmpdir_write(tmpdir_at(state, "root/lib/a.dwo"), buf_span(&program));
	tmpdir_write(tmpdir_at(state, "b.dwo"), buf_span(&program));
	assert_true(
		files_find_dwo(f, SPAN("/src/x"), SPAN("../.././lib/a.dwo"), "/n/p", take, NULL));
	assert_true(files_find_dwo(f, SPAN("/"), SPAN("../../lib/a.dwo"), "/n/p", take, NULL));
	assert_false(files_find_dwo(f, SPAN("/"), SPAN("../b.dwo"), "/n/p", take, NULL));
	assert_false(files_find_dwo(f, SPAN("/x"), SPAN(".."), "/n/p", take, NULL));
	buf_release(&program);
	files_free(f);
	strtab_free(strings);
}

static bool finds_dump(const struct files_opts *o)
{
	struct strtab *strings = strtab_new();
	struct files *f = files_new(o, strings);
	struct file dump;
	bool found = files_find_jitdump(f, 7, SPAN(""), &dump, NULL);

	if (found)
		file_close(&dump);
	files_free(f);
	strtab_free(strings);
	return found;
}

/* Not so in one that an option names, whatever its mode. */
static void a_dump_of_another_user_is_refused_beside_the_recording(void **state)
{
	char *dir = *state, *path = tmpdir_at(state, "jit-7.dump");
	struct files_opts beside = { .recording_dir = dir, .no_system = true };
	struct files_opts named = { .map_dir = dir, .no_system = true };

	if (geteuid() != 0)
		skip(); /* only root can give files away */
	tmpdir_write(path, SPAN("x"));
	assert_int_equal(chmod(dir, 01777), 0);
	assert_true(finds_dump(&beside));
	assert_int_equal(chown(path, 65534, 65534), 0);
	assert_false(finds_dump(&beside));
	assert_true(finds_dump(&named));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TMPDIR(links_are_followed_as_a_process_in_the_root_would),
		IN_TMPDIR(no_link_leads_out_of_the_root),
		IN_TMPDIR(a_directory_may_be_a_link_too),
		IN_TMPDIR(a_path_that_climbs_is_no_path),
		IN_TMPDIR(a_recorded_path_does_not_leave_the_named_directories),
		IN_TMPDIR(a_map_in_a_container_is_no_file_of_the_host),
		IN_TMPDIR(a_map_of_another_user_is_refused_in_a_shared_directory),
		IN_TMPDIR(a_dwo_is_found_by_a_path_that_climbs),
		IN_TMPDIR(a_dump_of_another_user_is_refused_beside_the_recording),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
