/*
 * The control groups of samples: their paths come by records of their own, at any time.
 */
#include "input/perfdata/perfdata_writer_for_test.h"
#include "process/process_for_test.h"

static const uint64_t with_cgroup = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU |
				    SAMPLE_PERIOD | SAMPLE_CALLCHAIN | SAMPLE_CGROUP;

static void put_cgroup(struct recording_writer *w, uint64_t time_ns, uint64_t id, const char *path)
{
	size_t at = writer_begin(w, RECORD_CGROUP, 0);

	put_u64(w, id);
	put_string(w, path);
	put_trailer(w, 7, 7, time_ns);
	writer_end(w, at);
}

static void put_sample_in(
	struct recording_writer *w, uint64_t time_ns, uint64_t ip, uint64_t cgroup)
{
	size_t at = writer_begin(w, RECORD_SAMPLE, CPUMODE_USER);

	put_sample_front(w, &(struct test_sample){ 7, 7, 0, time_ns, 1, ip, 0, 2, { USER, ip } });
	put_u64(w, cgroup);
	writer_end(w, at);
}

struct group_paths {
	const struct recording *recording;
	struct buf text;
};

static int add_group_path(void *ctx, const struct stacklog_entry *s, struct err *e)
{
	struct group_paths *p = ctx;
	const struct root *root = roots_get(p->recording->roots, s->root);

	(void)e;
	buf_printf(&p->text, " %s", strtab_str(p->recording->strings, root->cgroup));
	return OK;
}

/* The path of each stack's group. */
static void expect_groups(void **state, const char *expected)
{
	struct read_opts o = { .root_fields = 1u << ROOT_CGROUP };
	struct group_paths p = { .recording = bed_read(state, o, 1) };
	struct err e;

	stacklog_replay(p.recording->logs[0], add_group_path, &p, &e);
	assert_string_equal(buf_str(&p.text), expected);
	buf_release(&p.text);
}

static void expect_error(void **state, const struct sample_choice *choice, const char *option)
{
	struct process_bed *b = *state;

	bed_read_as(state, (struct read_opts){ .choice = choice }, 1, ERR_UNSUPPORTED);
	assert_non_null(strstr(b->reading.err.msg, option));
}

static void expect_chosen(struct recording_writer *w, const char *regex, const char *expected)
{
	struct sample_choice choice = { 0 };
	struct err e;

	assert_int_equal(name_pattern_new(&choice.cgroup, regex, &e), OK);
	expect_stacks(w, (struct read_opts){ .choice = &choice }, expected);
	sample_choice_release(&choice);
}

static void a_group_path_is_found_by_its_number(void **state)
{
	struct recording_writer *w = bed_restart(state, with_cgroup);

	put_cgroup(w, 0, 41, "/system.slice/a.service");
	put_sample_in(w, 10, 0x1010, 41);
	put_sample_in(w, 20, 0x1020, 42);
	put_cgroup(w, 5, 42, "/user.slice");
	expect_groups(state, " /system.slice/a.service /user.slice");
}

static void a_number_used_again_has_the_path_of_the_time(void **state)
{
	struct recording_writer *w = bed_restart(state, with_cgroup);

	put_cgroup(w, 100, 41, "/second");
	put_cgroup(w, 50, 41, "/first");
	put_cgroup(w, 200, 41, "/first");
	put_sample_in(w, 10, 0x1010, 41);
	put_sample_in(w, 60, 0x1020, 41);
	put_sample_in(w, 110, 0x1030, 41);
	put_sample_in(w, 210, 0x1040, 41);
	expect_chosen(w, "first", "main /bin/a+10! =1\nmain /bin/a+20! =1\nmain /bin/a+40! =1");
	expect_chosen(w, "second", "main /bin/a+30! =1");
}

static void samples_are_chosen_by_group_path(void **state)
{
	struct recording_writer *w = bed_restart(state, with_cgroup);

	put_cgroup(w, 0, 41, "/a");
	put_cgroup(w, 0, 42, "/b");
	put_sample_in(w, 10, 0x1010, 41);
	put_sample_in(w, 20, 0x1020, 42);
	put_sample_in(w, 30, 0x1030, 43); /* has no record */
	expect_chosen(w, "^/b$", "main /bin/a+20! =1");
	expect_chosen(w, "nothing", "");
	expect_chosen(w, "", "main /bin/a+10! =1\nmain /bin/a+20! =1");
}

static void paths_of_one_number_are_limited(void **state)
{
	struct recording_writer *w = bed_restart(state, with_cgroup);
	char path[32];
	unsigned i;

	for (i = 0; i < 1000; i++) {
		snprintf(path, sizeof(path), "/%u", i);
		put_cgroup(w, i, 41, path);
	}
	put_sample_in(w, 2000, 0x1010, 41);
	expect_groups(state, " /15");
}

static void choosing_by_groups_needs_recorded_groups(void **state)
{
	struct sample_choice choice = { 0 };
	struct err e;

	put_user(bed_writer(state), 7, 10, 0x1010);
	assert_int_equal(name_pattern_new(&choice.cgroup, "a", &e), OK);
	expect_error(state, &choice, "--all-cgroups");
	sample_choice_release(&choice);
}

static void choosing_by_cpus_needs_recorded_cpus(void **state)
{
	struct sample_choice choice = { 0 };
	struct err e;

	bed_restart(state, usual & ~(uint64_t)SAMPLE_CPU);
	assert_int_equal(number_list_parse(&choice.cpus, "0-7", &e), OK);
	expect_error(state, &choice, "--sample-cpu");
	sample_choice_release(&choice);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_TEST(a_group_path_is_found_by_its_number),
		BED_TEST(a_number_used_again_has_the_path_of_the_time),
		BED_TEST(samples_are_chosen_by_group_path),
		BED_TEST(paths_of_one_number_are_limited),
		BED_TEST(choosing_by_groups_needs_recorded_groups),
		BED_TEST(choosing_by_cpus_needs_recorded_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
