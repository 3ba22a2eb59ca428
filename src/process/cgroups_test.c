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

struct groups {
	const struct recording *r;
	struct buf b;
	root_id last;
};

/* Roots are numbered from 1 in the order of their first sample. */
static int put_new_group(void *ctx, const struct stacklog_entry *s, struct err *e)
{
	struct groups *g = ctx;

	(void)e;
	if (s->root <= g->last)
		return OK;
	buf_printf(&g->b, "%s%s", g->last ? " " : "",
		strtab_str(g->r->strings, roots_get(g->r->roots, s->root)->cgroup));
	g->last = s->root;
	return OK;
}

/* The paths of all groups that have samples, in the order of their first. */
static void expect_groups(struct recording_writer *w, const char *expected)
{
	struct read_opts o = { .root_fields = 1u << ROOT_CGROUP };
	struct groups groups = { 0 };
	struct reading g;

	assert_int_equal(read_stacks(&g, w, o, 1), OK);
	groups.r = g.recording;
	assert_int_equal(stacklog_replay(g.recording->logs[0], put_new_group, &groups, &g.err), OK);
	assert_string_equal(buf_str(&groups.b), expected);
	buf_release(&groups.b);
	reading_release(&g);
}

static void expect_chosen(struct recording_writer *w, const char *regex, const char *expected)
{
	struct sample_choice choice = { 0 };
	struct err e;

	assert_int_equal(name_pattern_new(&choice.cgroup, regex, &e), OK);
	expect_stacks(w, (struct read_opts){ .choice = &choice }, expected);
	sample_choice_release(&choice);
}

static void the_path_of_a_sample_s_group_is_found_by_its_number(void **state)
{
	struct recording_writer w;

	(void)state;
	start(&w, with_cgroup, 0);
	put_cgroup(&w, 0, 41, "/system.slice/a.service");
	put_sample_in(&w, 10, 0x1010, 41);
	put_sample_in(&w, 20, 0x1020, 42);
	put_cgroup(&w, 5, 42, "/user.slice");
	expect_groups(&w, "/system.slice/a.service /user.slice");
	writer_release(&w);
}

static void a_number_given_again_means_the_path_it_had_at_the_time(void **state)
{
	struct recording_writer w;

	(void)state;
	start(&w, with_cgroup, 0);
	put_cgroup(&w, 100, 41, "/second");
	put_cgroup(&w, 50, 41, "/first");
	put_cgroup(&w, 200, 41, "/first");
	put_sample_in(&w, 10, 0x1010, 41);
	put_sample_in(&w, 60, 0x1020, 41);
	put_sample_in(&w, 110, 0x1030, 41);
	put_sample_in(&w, 210, 0x1040, 41);
	expect_chosen(&w, "first", "main /bin/a+10! =1\nmain /bin/a+20! =1\nmain /bin/a+40! =1");
	expect_chosen(&w, "second", "main /bin/a+30! =1");
	writer_release(&w);
}

static void samples_are_chosen_by_the_path_of_their_group(void **state)
{
	struct recording_writer w;

	(void)state;
	start(&w, with_cgroup, 0);
	put_cgroup(&w, 0, 41, "/a");
	put_cgroup(&w, 0, 42, "/b");
	put_sample_in(&w, 10, 0x1010, 41);
	put_sample_in(&w, 20, 0x1020, 42);
	put_sample_in(&w, 30, 0x1030, 43); /* nobody tells what that is */
	expect_chosen(&w, "^/b$", "main /bin/a+20! =1");
	expect_chosen(&w, "nothing", "");
	expect_chosen(&w, "", "main /bin/a+10! =1\nmain /bin/a+20! =1");
	writer_release(&w);
}

static void many_paths_of_one_number_do_not_pile_up(void **state)
{
	struct recording_writer w;
	char path[32];
	unsigned i;

	(void)state;
	start(&w, with_cgroup, 0);
	for (i = 0; i < 1000; i++) {
		snprintf(path, sizeof(path), "/%u", i);
		put_cgroup(&w, i, 41, path);
	}
	put_sample_in(&w, 2000, 0x1010, 41);
	expect_groups(&w, "/15");
	writer_release(&w);
}

static void choosing_by_groups_that_were_not_recorded_is_an_error(void **state)
{
	struct sample_choice choice = { 0 };
	struct recording_writer w;
	struct reading g;
	struct err e;

	(void)state;
	start(&w, usual, 0);
	put_sample(&w, &(struct test_sample){ 7, 7, 0, 10, 1, 0x1010, 0, 2, { USER, 0x1010 } });
	assert_int_equal(name_pattern_new(&choice.cgroup, "a", &e), OK);
	assert_int_equal(
		read_stacks(&g, &w, (struct read_opts){ .choice = &choice }, 1), ERR_UNSUPPORTED);
	assert_non_null(strstr(g.err.msg, "--all-cgroups"));
	reading_release(&g);
	sample_choice_release(&choice);
	writer_release(&w);
}

static void choosing_by_processors_that_were_not_recorded_is_an_error(void **state)
{
	struct sample_choice choice = { 0 };
	struct recording_writer w;
	struct reading g;
	struct err e;

	(void)state;
	start(&w, usual & ~(uint64_t)SAMPLE_CPU, 0);
	assert_int_equal(number_list_parse(&choice.cpus, "0-7", &e), OK);
	assert_int_equal(
		read_stacks(&g, &w, (struct read_opts){ .choice = &choice }, 1), ERR_UNSUPPORTED);
	assert_non_null(strstr(g.err.msg, "--sample-cpu"));
	reading_release(&g);
	sample_choice_release(&choice);
	writer_release(&w);
}

#define TEST cmocka_unit_test

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_path_of_a_sample_s_group_is_found_by_its_number),
		TEST(a_number_given_again_means_the_path_it_had_at_the_time),
		TEST(samples_are_chosen_by_the_path_of_their_group),
		TEST(many_paths_of_one_number_do_not_pile_up),
		TEST(choosing_by_groups_that_were_not_recorded_is_an_error),
		TEST(choosing_by_processors_that_were_not_recorded_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
