#include "base/tmpdir_for_test.h"
#include "files/files.h"

struct bed {
	struct strtab *strings;
	struct files *files;
};

static struct bed bed_new(const struct files_opts *o)
{
	struct bed b = { .strings = strtab_new() };

	b.files = files_new(o, b.strings);
	return b;
}

static void bed_release(struct bed *b)
{
	files_free(b->files);
	strtab_free(b->strings);
}

static void make(void **state, const char *name)
{
	char *path = tmpdir_path(state, name), *slash = strrchr(path, '/');
	char *dir = strndup(path, (size_t)(slash - path));

	mkdir(dir, 0777);
	tmpdir_write(path, SPAN("x"));
	free(dir);
	free(path);
}

/* The dump that is found, its path below the test's directory. */
static void expect_dump(
	void **state, const struct files_opts *o, const char *recorded, const char *expected)
{
	struct bed b = bed_new(o);
	struct file dump;
	bool found = files_find_jitdump(b.files, 7, span_of(recorded), &dump, NULL);

	if (found != !!expected || (found && strcmp(dump.path + strlen(*state) + 1, expected)))
		fail_msg("found %s, not %s", found ? dump.path : "nothing",
			expected ? expected : "nothing");
	if (found)
		file_close(&dump);
	bed_release(&b);
}

static void a_jitdump_is_found_below_the_named_directories(void **state)
{
	char *maps = tmpdir_path(state, "maps"), *symfs = tmpdir_path(state, "symfs");
	const char *const roots[] = { symfs, NULL };
	struct files_opts o = { .recording_dir = *state, .symfs = roots, .map_dir = maps };
	const char *recorded = "/app/jit-1.dump";

	expect_dump(state, &o, recorded, NULL);
	make(state, "jit-1.dump");
	expect_dump(state, &o, recorded, "jit-1.dump");
	make(state, "app/jit-1.dump");
	expect_dump(state, &o, recorded, "app/jit-1.dump");
	make(state, "symfs/none");
	make(state, "symfs/app/jit-1.dump");
	expect_dump(state, &o, recorded, "symfs/app/jit-1.dump");
	make(state, "maps/jit-1.dump");
	expect_dump(state, &o, recorded, "maps/jit-1.dump");
	free(maps);
	free(symfs);
}

static void a_jitdump_without_a_recorded_mapping_has_its_usual_name(void **state)
{
	struct files_opts o = { .recording_dir = *state, .same_machine = true };

	expect_dump(state, &o, "", NULL);
	make(state, "jit-7.dump");
	expect_dump(state, &o, "", "jit-7.dump");
}

static void a_jitdump_of_this_machine_serves_its_own_recordings(void **state)
{
	char *recorded = tmpdir_path(state, "jit-7.dump");
	struct files_opts o = { 0 };

	make(state, "jit-7.dump");
	expect_dump(state, &o, recorded, NULL);
	o.same_machine = true;
	expect_dump(state, &o, recorded, "jit-7.dump");
	o.no_system = true;
	expect_dump(state, &o, recorded, NULL);
	free(recorded);
}

static void maps_are_listed_once_in_order(void **state)
{
	static const char *const names[] = { "perf-23.map", "perf-1.map", "jit-1.dump", "perf-.map",
		"perf-1.map.gz", "perf-99999999999.map", "xperf-1.map", "perf-1x.map" };
	struct files_opts o = { .recording_dir = *state, .map_dir = *state };
	char *link_path = tmpdir_path(state, "perf-4.map"),
	     *fifo_path = tmpdir_path(state, "perf-5.map");
	struct files_map_list l = { 0 };
	struct bed b = bed_new(&o);
	size_t i;

	for (i = 0; i < ARRAY_LEN(names); i++)
		make(state, names[i]);
	assert_int_equal(symlink("perf-1.map", link_path), 0);
	assert_int_equal(mkfifo(fifo_path, 0600), 0);
	files_list_maps(b.files, &l);
	assert_int_equal(l.n, 3);
	assert_string_equal(l.at[0].path + strlen(*state) + 1, "jit-1.dump");
	assert_string_equal(l.at[1].path + strlen(*state) + 1, "perf-1.map");
	assert_string_equal(l.at[2].path + strlen(*state) + 1, "perf-23.map");
	files_map_list_release(&l);
	bed_release(&b);
	free(link_path);
	free(fifo_path);
}

/* Of process 7, which is 1 within. */
static void expect_listed(void **state, const struct files_opts *o, const char *expected)
{
	struct files_map_list l = { 0 };
	struct buf names = { 0 };
	struct bed b = bed_new(o);
	uint32_t i;

	files_list_maps_of(b.files, 7, SPAN("/app/jit-1.dump"), &l);
	for (i = 0; i < l.n; i++)
		buf_printf(&names, "%s ", l.at[i].path + strlen(*state) + 1);
	assert_string_equal(buf_str(&names), expected);
	buf_release(&names);
	files_map_list_release(&l);
	bed_release(&b);
}

static void maps_of_a_container_are_found_in_it(void **state)
{
	char *proc = tmpdir_path(state, "proc"), *root = tmpdir_path(state, "proc/7/root");
	char *status = tmpdir_path(state, "proc/7/status");
	struct files_perf_map container = { 7, root };
	struct files_opts o = { .proc = proc, .same_machine = true };

	make(state, "proc/none");
	make(state, "proc/7/none");
	expect_listed(state, &o, "");
	tmpdir_write(status, SPAN("Name:\tnode\nNSpid:\t7\t1\nx"));
	expect_listed(state, &o, "");
	make(state, "proc/7/root/none");
	make(state, "proc/7/root/tmp/perf-1.map");
	make(state, "proc/7/root/tmp/perf-7.map");
	make(state, "proc/7/root/app/jit-1.dump");
	expect_listed(state, &o, "proc/7/root/tmp/perf-1.map proc/7/root/app/jit-1.dump ");
	o.no_system = true;
	expect_listed(state, &o, "");
	o.no_system = o.same_machine = false;
	expect_listed(state, &o, "");
	o.containers = &container;
	o.n_containers = 1;
	expect_listed(state, &o, "proc/7/root/tmp/perf-1.map proc/7/root/tmp/perf-7.map ");
	expect_dump(state, &o, "/app/jit-1.dump", "proc/7/root/app/jit-1.dump");
	free(status);
	free(root);
	free(proc);
}

static void a_jitdump_name_has_the_number_of_its_process(void **state)
{
	static const struct {
		const char *path;
		int32_t number; /* -1: no name of a dump */
	} cases[] = { { "/x/jit-7.dump", 7 }, { "jit-16748-16745.dump", 16745 },
		{ "jit-.dump", -1 }, { "jit-7-.dump", -1 }, { "jit--7.dump", -1 },
		{ "jit-7-8-9.dump", -1 }, { "jit-x-7.dump", -1 },
		{ "/tmp/jit-15885-15883-tE7xUW", 15883 }, { "jit-15883-tE7xUW", -1 },
		{ "jit-5-6-tE7xU", -1 }, { "jit-5-6", -1 }, { "jit-7.dumped", -1 } };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		int32_t number = -1;

		assert_int_equal(files_is_jitdump_name(span_of(cases[i].path), &number),
			cases[i].number >= 0);
		if (cases[i].number >= 0)
			assert_int_equal(number, cases[i].number);
	}
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, tmpdir_setup, tmpdir_teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_jitdump_is_found_below_the_named_directories),
		TEST(a_jitdump_without_a_recorded_mapping_has_its_usual_name),
		TEST(a_jitdump_of_this_machine_serves_its_own_recordings),
		TEST(maps_are_listed_once_in_order),
		TEST(maps_of_a_container_are_found_in_it),
		cmocka_unit_test(a_jitdump_name_has_the_number_of_its_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
