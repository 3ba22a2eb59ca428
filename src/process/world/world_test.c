/* Threads, processes and address spaces over time. */
#include "process/world/world_for_test.h"

#include "base/buf.h"

/* ---- order -------------------------------------------------------------------------------- */

static void records_are_ordered_by_their_moment(void **state)
{
	struct world_bed *f = *state;

	comm(f, 30, 7, 7, "third");
	comm(f, 10, 7, 7, "first");
	comm(f, 20, 7, 7, "second");
	world_freeze(f->w);
	assert_string_equal(name(f, 7, 7, 9), ":7");
	assert_string_equal(name(f, 7, 7, 10), "first");
	assert_string_equal(name(f, 7, 7, 25), "second");
	assert_string_equal(name(f, 7, 7, 99), "third");
}

static void records_of_one_time_are_ordered_by_position(void **state)
{
	struct world_bed *f = *state;

	world_add_comm(f->w, (struct moment){ 5, 200 }, 7, 7, SPAN("b"), false);
	world_add_comm(f->w, (struct moment){ 5, 100 }, 7, 7, SPAN("a"), false);
	world_freeze(f->w);
	assert_string_equal(
		strtab_str(f->strings,
			world_find_thread(f->w, 7, 7, (struct moment){ 5, 150 }, &f->valid).name),
		"a");
	assert_int_equal(f->valid.from.position, 100);
	assert_int_equal(f->valid.until.position, 200);
}

static void records_of_one_moment_keep_their_order(void **state)
{
	struct world_bed *f = *state;
	struct moment when = { 5 * MS, 100 };

	world_add_comm(f->w, when, 7, 7, SPAN("a"), false);
	world_add_comm(f->w, when, 7, 7, SPAN("b"), false);
	world_freeze(f->w);
	assert_string_equal(name(f, 7, 7, 5), "b");
}

static void records_without_a_time_come_before_everything_in_file_order(void **state)
{
	struct world_bed *f = *state;

	map(f, 5, 7, 0x1000, 0x1000, "/second");
	map(f, 0, 7, 0x1000, 0x2000, "/first");
	map(f, 0, 7, 0x2000, 0x1000, "/also");
	world_freeze(f->w);
	assert_string_equal(path(f, 7, 0x1800, 1), "/first");
	assert_string_equal(path(f, 7, 0x2800, 1), "/also");
	assert_string_equal(path(f, 7, 0x1800, 5), "/second");
}

/* ---- threads ------------------------------------------------------------------------------ */

static void an_unknown_tid_is_named_by_its_number(void **state)
{
	struct world_bed *f = *state;

	world_freeze(f->w);
	assert_string_equal(name(f, 7, 8, 1), ":8");
	assert_string_equal(process(f, 7, 8, 1), ":7");
	assert_string_equal(name(f, -1, -1, 1), ":-1");
	assert_int_equal(thread(f, 7, 8, 1).space, 0);
	assert_int_equal(thread(f, 7, 8, 1).pid, 7);
}

static void tid_zero_is_the_swapper(void **state)
{
	struct world_bed *f = *state;

	world_freeze(f->w);
	assert_string_equal(name(f, 0, 0, 1), "swapper");
	assert_string_equal(process(f, 0, 0, 1), "swapper");
	assert_int_equal(thread(f, 0, 0, 1).space, 0);
}

static void a_new_thread_has_its_parents_name_at_first(void **state)
{
	struct world_bed *f = *state;

	comm(f, 0, 7, 7, "main");
	fork_thread(f, 10, 7, 7, 8);
	comm(f, 20, 7, 8, "worker");
	fork_thread(f, 30, 7, 8, 9);
	world_freeze(f->w);
	assert_string_equal(name(f, 7, 8, 9), ":8");
	assert_string_equal(name(f, 7, 8, 15), "main");
	assert_string_equal(name(f, 7, 8, 25), "worker");
	assert_string_equal(name(f, 7, 9, 35), "worker");
	assert_string_equal(process(f, 7, 9, 35), "main");
}

static void threads_of_a_process_share_its_mappings(void **state)
{
	struct world_bed *f = *state;

	comm(f, 0, 7, 7, "main");
	fork_thread(f, 10, 7, 7, 8);
	map_as(f, 20, 7, 8, 0x1000, 0x1000, "/lib");
	world_freeze(f->w);
	assert_string_equal(path(f, 7, 0x1000, 20), "/lib");
	assert_int_equal(thread(f, 7, 8, 20).space, thread(f, 7, 7, 20).space);
}

static void the_leader_may_end_before_its_threads(void **state)
{
	struct world_bed *f = *state;

	comm(f, 0, 7, 7, "main");
	map(f, 0, 7, 0x1000, 0x1000, "/bin/main");
	fork_thread(f, 10, 7, 7, 8);
	leave(f, 20, 7, 7);
	map_as(f, 30, 7, 8, 0x5000, 0x1000, "/lib");
	fork_thread(f, 40, 7, 8, 9);
	world_freeze(f->w);
	assert_int_equal(place(f, 7, 9, 0x1000, 50).module, place(f, 7, 7, 0x1000, 1).module);
	assert_int_not_equal(place(f, 7, 8, 0x5000, 50).module, 0);
	assert_string_equal(process(f, 7, 9, 50), "main");
}

static void an_ended_thread_is_found_until_its_tid_is_reused(void **state)
{
	struct world_bed *f = *state;

	comm(f, 0, 7, 7, "old");
	map(f, 0, 7, 0x1000, 0x1000, "/old");
	leave(f, 20, 7, 7);
	comm(f, 0, 3, 3, "parent");
	fork_process(f, 40, 3, 7);
	world_freeze(f->w);
	assert_string_equal(name(f, 7, 7, 30), "old");
	assert_string_equal(path(f, 7, 0x1000, 30), "/old");
	assert_string_equal(name(f, 7, 7, 40), "parent");
	assert_string_equal(path(f, 7, 0x1000, 40), "");
	assert_string_equal(name(f, 6, 7, 30), ":7");
}

static void compat_keeps_ended_threads(void **state)
{
	struct world_bed *f = *state;

	comm(f, 0, 7, 7, "old");
	map(f, 0, 7, 0x1000, 0x1000, "/old");
	fork_thread(f, 0, 7, 7, 8);
	leave(f, 20, 7, 7);
	fork_thread(f, 30, 7, 8, 9);
	world_freeze(f->w);
	assert_string_equal(name(f, 7, 7, 30), "old");
	assert_string_equal(path(f, 7, 0x1000, 10), "/old");
	assert_string_equal(path(f, 7, 0x1000, 20), "/old");
	assert_int_not_equal(place(f, 7, 8, 0x1000, 30).module, 0);
	assert_int_not_equal(place(f, 7, 9, 0x1000, 30).module, 0);
}

static void the_pid_of_records_wins_over_that_of_a_sample(void **state)
{
	struct world_bed *f = *state;

	comm(f, 0, 7, 7, "main");
	fork_thread(f, 1, 7, 7, 8);
	world_freeze(f->w);
	assert_int_equal(thread(f, 5, 8, 2).pid, 7);
	assert_int_equal(thread(f, -1, 8, 2).pid, 7);
	assert_int_equal(thread(f, 5, 8, 2).space, thread(f, 7, 7, 2).space);
}

static void an_unknown_thread_has_the_mappings_of_its_process(void **state)
{
	struct world_bed *f = *state;

	map(f, 0, 7, 0x1000, 0x1000, "/usr/bin/main");
	world_freeze(f->w);
	assert_string_equal(name(f, 7, 99, 1), ":99");
	assert_string_equal(process(f, 7, 99, 1), "main");
	assert_int_not_equal(place(f, 7, 99, 0x1000, 1).module, 0);
}

static void a_process_without_a_name_is_named_by_its_executable(void **state)
{
	struct world_bed *f = *state;

	map(f, 0, 7, 0x1000, 0x1000, "//anon");
	map(f, 0, 7, 0x2000, 0x1000, "/opt/my server (deleted)");
	map(f, 0, 7, 0x3000, 0x1000, "/lib/libc.so.6");
	fork_process(f, 5, 7, 8);
	world_freeze(f->w);
	assert_string_equal(process(f, 7, 7, 1), "my server");
	assert_string_equal(process(f, 8, 8, 6), "my server");
}

static void records_about_no_thread_are_ignored(void **state)
{
	struct world_bed *f = *state;

	comm(f, 0, -1, -1, "x");
	map(f, 0, -1, 0x1000, 0x1000, "/x");
	fork_process(f, 0, -1, 7);
	leave(f, 0, -1, -1);
	leave(f, 0, 7, 7);
	world_freeze(f->w);
	assert_string_equal(name(f, -1, -1, 1), ":-1");
	assert_string_equal(name(f, 7, 7, 1), ":7");
	assert_int_equal(thread(f, -1, -1, 1).space, 0);
}

/* ---- address spaces ----------------------------------------------------------------------- */

static void a_reused_pid_has_a_new_space(void **state)
{
	struct world_bed *f = *state;

	comm(f, 0, 3, 3, "parent");
	fork_process(f, 10, 3, 7);
	map(f, 11, 7, 0x1000, 0x1000, "/first");
	leave(f, 20, 7, 7);
	fork_process(f, 30, 3, 7);
	map(f, 31, 7, 0x2000, 0x1000, "/second");
	world_freeze(f->w);
	assert_string_equal(path(f, 7, 0x1000, 15), "/first");
	assert_string_equal(path(f, 7, 0x1000, 35), "");
	assert_string_equal(path(f, 7, 0x2000, 35), "/second");
}

static void a_record_of_an_ended_process_implies_a_lost_fork(void **state)
{
	struct world_bed *f = *state;

	comm(f, 0, 7, 7, "old");
	map(f, 0, 7, 0x1000, 0x1000, "/old");
	leave(f, 20, 7, 7);
	map(f, 30, 7, 0x2000, 0x1000, "/new");
	world_freeze(f->w);
	assert_string_equal(path(f, 7, 0x1000, 30), "");
	assert_string_equal(path(f, 7, 0x2000, 30), "/new");
	assert_string_equal(name(f, 7, 7, 30), ":7");
}

static void a_fork_inherits_the_mappings_of_that_time(void **state)
{
	struct world_bed *f = *state;

	map(f, 0, 3, 0x1000, 0x3000, "/old");
	fork_process(f, 10, 3, 7);
	map(f, 20, 3, 0x1000, 0x1000, "/later");
	map(f, 30, 7, 0x2000, 0x1000, "/own");
	fork_process(f, 40, 7, 8);
	world_freeze(f->w);
	assert_string_equal(path(f, 3, 0x1000, 25), "/later");
	assert_string_equal(path(f, 7, 0x1000, 25), "/old");
	assert_string_equal(path(f, 7, 0x2000, 25), "/old");
	assert_string_equal(path(f, 7, 0x2000, 35), "/own");
	assert_int_equal(f->valid.from.time_ns, 30 * MS);
	assert_string_equal(path(f, 8, 0x1000, 45), "/old");
	assert_string_equal(path(f, 8, 0x2000, 45), "/own");
	assert_int_equal(place(f, 8, 8, 0x1000, 45).owner_pid, 3);
	assert_int_equal(place(f, 8, 8, 0x2000, 45).owner_pid, 7);
}

static void a_fork_of_a_fork_inherits_through_the_first(void **state)
{
	struct world_bed *f = *state;

	map(f, 0, 3, 0x1000, 0x1000, "/old");
	fork_process(f, 10, 3, 7);
	map(f, 20, 3, 0x1000, 0x1000, "/later");
	fork_process(f, 30, 7, 8);
	world_freeze(f->w);
	assert_string_equal(path(f, 8, 0x1000, 35), "/old");
}

static void a_synthesized_fork_inherits_nothing(void **state)
{
	struct world_bed *f = *state;

	map(f, 0, 3, 0x1000, 0x1000, "/parent");
	world_add_fork(f->w, now(f, 0), 7, 3, 7, 3, true);
	world_freeze(f->w);
	assert_string_equal(path(f, 7, 0x1000, 1), "");
}

static void exec_starts_a_new_empty_space(void **state)
{
	struct world_bed *f = *state;

	comm(f, 0, 7, 7, "sh");
	map(f, 0, 7, 0x1000, 0x1000, "/bin/sh");
	exec(f, 10, 7, "ls");
	map(f, 11, 7, 0x2000, 0x1000, "/bin/ls");
	world_freeze(f->w);
	assert_string_equal(path(f, 7, 0x1000, 9), "/bin/sh");
	assert_string_equal(path(f, 7, 0x1000, 10), "");
	assert_string_equal(path(f, 7, 0x2000, 11), "/bin/ls");
	assert_string_equal(name(f, 7, 7, 9), "sh");
	assert_string_equal(name(f, 7, 7, 10), "ls");
}

static void compat_keeps_the_old_mappings_at_exec(void **state)
{
	struct world_bed *f = *state;

	map(f, 0, 7, 0x1000, 0x2000, "/bin/sh");
	exec(f, 10, 7, "ls");
	map(f, 11, 7, 0x2000, 0x1000, "/bin/ls");
	world_freeze(f->w);
	assert_string_equal(path(f, 7, 0x1000, 12), "/bin/sh");
	assert_string_equal(path(f, 7, 0x2000, 12), "/bin/ls");
}

static void a_process_that_forks_itself_keeps_its_space(void **state)
{
	struct world_bed *f = *state;

	map(f, 0, 7, 0x1000, 0x1000, "/bin");
	world_add_fork(f->w, now(f, 10), 7, 7, 7, 7, false);
	world_freeze(f->w);
	assert_string_equal(path(f, 7, 0x1000, 11), "/bin");
}

static void two_processes_that_fork_each_other_make_no_loop(void **state)
{
	struct world_bed *f = *state;
	unsigned i;

	for (i = 0; i < 1000; i++) {
		map(f, 10, 7, 0x1000 + 0x1000 * (uint64_t)i, 0x1000, "/a");
		fork_process(f, 10, 7, 8);
		map(f, 10, 8, 0x1000 * (uint64_t)i, 0x800, "/b");
		fork_process(f, 10, 8, 7);
	}
	world_freeze(f->w);
	assert_string_equal(path(f, 7, UINT64_C(0x1000) * 999, 10), "/b");
	assert_string_equal(path(f, 7, UINT64_C(0x10000000), 10), "");
}

static void a_long_chain_of_forks_that_map_nothing_is_no_chain(void **state)
{
	struct world_bed *f = *state;
	int32_t pid;

	map(f, 0, 1, 0x1000, 0x1000, "/bin/init");
	for (pid = 2; pid < 10000; pid++)
		fork_process(f, 10, pid - 1, pid);
	world_freeze(f->w);
	assert_string_equal(path(f, 9999, 0x1000, 10), "/bin/init");
}

/* ---- late mappings ------------------------------------------------------------------------ */

static void a_late_mapping_counts_where_nothing_else_ever_was(void **state)
{
	struct world_bed *f = *state;

	map(f, 500, 7, 0x1000, 0x1000, "/lib");
	map(f, 600, 7, 0x1000, 0x1000, "/lib");
	world_freeze(f->w);
	assert_true(place(f, 7, 7, 0x1000, 1).late);
	assert_string_equal(path(f, 7, 0x1000, 1), "/lib");
	assert_int_equal(f->valid.until.time_ns, 500 * MS);
	assert_false(place(f, 7, 7, 0x1000, 500).late);
}

static void a_late_mapping_among_others_counts_ten_milliseconds_early(void **state)
{
	struct world_bed *f = *state;

	map(f, 500, 7, 0x1000, 0x1000, "/lib");
	map(f, 600, 7, 0x1000, 0x1000, "/other");
	world_freeze(f->w);
	assert_string_equal(path(f, 7, 0x1000, 489), "");
	assert_int_equal(f->valid.until.time_ns, 490 * MS);
	assert_string_equal(path(f, 7, 0x1000, 490), "/lib");
	assert_int_equal(f->valid.from.time_ns, 490 * MS);
	assert_string_equal(path(f, 7, 0x1000, 600), "/other");
}

static void inherited_mappings_win_over_late_ones(void **state)
{
	struct world_bed *f = *state;

	map(f, 0, 3, 0x1000, 0x1000, "/parent");
	fork_process(f, 10, 3, 7);
	map(f, 12, 7, 0x1000, 0x1000, "/own");
	world_freeze(f->w);
	assert_string_equal(path(f, 7, 0x1000, 11), "/parent");
	assert_false(place(f, 7, 7, 0x1000, 11).late);
}

static void compat_has_no_late_mappings(void **state)
{
	struct world_bed *f = *state;

	map(f, 5, 7, 0x1000, 0x1000, "/lib");
	world_freeze(f->w);
	assert_string_equal(path(f, 7, 0x1000, 4), "");
	assert_string_equal(path(f, 7, 0x1000, 5), "/lib");
}

/* ---- processes and bulk ------------------------------------------------------------------- */

static void note_process(void *ctx, const struct world_process *p)
{
	struct buf *b = ctx;

	buf_printf(b, "%d %u from %u%s;", p->pid, p->name, (unsigned)(p->begun_ns / MS),
		p->jit_code ? " jit" : "");
}

static void each_process_is_visited_once_in_order(void **state)
{
	struct world_bed *f = *state;
	struct buf got = { 0 }, expected = { 0 };

	comm(f, 0, 9, 9, "sh");
	exec(f, 1, 9, "node");
	map(f, 2, 9, 0x1000, 0x1000, "//anon");
	fork_process(f, 3, 9, 4);
	map(f, 2, 6, 0x1000, 0x1000, "/bin/cat");
	world_freeze(f->w);
	world_visit_processes(f->w, note_process, &got);
	buf_printf(&expected, "4 %u from 3;6 %u from 0;9 %u from 1 jit;",
		strtab_add_str(f->strings, "node"), strtab_add_str(f->strings, "cat"),
		strtab_add_str(f->strings, "node"));
	assert_string_equal(buf_str(&got), buf_str(&expected));
	buf_release(&got);
	buf_release(&expected);
}

static void a_million_repeated_mappings_are_cheap(void **state)
{
	static const char *const paths[] = { "/bin/a", "/lib/b", "/lib/c", "//anon" };
	struct world_bed *f = *state;
	double start = seconds();
	uint32_t i;

	for (i = 0; i < 1000000; i++)
		map(f, i / 1000, 7, 0x10000 * (uint64_t)(i / 500000 * 8 + i % 4), 0x8000,
			paths[i % 4]);
	world_freeze(f->w);
	assert_string_equal(path(f, 7, 0x20010, 900), "/lib/c");
	assert_string_equal(path(f, 7, 0x90010, 900), "/lib/b");
	assert_true(seconds() - start < BULK_SECONDS);
}

static void a_hundred_thousand_lives_of_a_pid_are_cheap(void **state)
{
	struct world_bed *f = *state;
	double start = seconds();
	uint32_t i;

	for (i = 1; i <= 100000; i++) {
		fork_process(f, i, 3, 7);
		exec(f, i, 7, i % 2 ? "odd" : "even");
		map(f, i, 7, 0x1000, 0x1000, i % 2 ? "/odd" : "/even");
		leave(f, i, 7, 7);
	}
	world_freeze(f->w);
	for (i = 1; i <= 100000; i++)
		assert_string_equal(path(f, 7, 0x1234, i), i % 2 ? "/odd" : "/even");
	assert_true(seconds() - start < BULK_SECONDS);
}

#define TEST(t)        cmocka_unit_test_setup_teardown(t, set_up, tear_down)
#define COMPAT_TEST(t) cmocka_unit_test_setup_teardown(t, set_up_compat, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(records_are_ordered_by_their_moment),
		TEST(records_of_one_time_are_ordered_by_position),
		TEST(records_of_one_moment_keep_their_order),
		TEST(records_without_a_time_come_before_everything_in_file_order),
		TEST(an_unknown_tid_is_named_by_its_number),
		TEST(tid_zero_is_the_swapper),
		TEST(a_new_thread_has_its_parents_name_at_first),
		TEST(threads_of_a_process_share_its_mappings),
		TEST(the_leader_may_end_before_its_threads),
		TEST(an_ended_thread_is_found_until_its_tid_is_reused),
		COMPAT_TEST(compat_keeps_ended_threads),
		TEST(the_pid_of_records_wins_over_that_of_a_sample),
		TEST(an_unknown_thread_has_the_mappings_of_its_process),
		TEST(a_process_without_a_name_is_named_by_its_executable),
		TEST(records_about_no_thread_are_ignored),
		TEST(a_reused_pid_has_a_new_space),
		TEST(a_record_of_an_ended_process_implies_a_lost_fork),
		TEST(a_fork_inherits_the_mappings_of_that_time),
		TEST(a_fork_of_a_fork_inherits_through_the_first),
		TEST(a_synthesized_fork_inherits_nothing),
		TEST(exec_starts_a_new_empty_space),
		COMPAT_TEST(compat_keeps_the_old_mappings_at_exec),
		TEST(a_process_that_forks_itself_keeps_its_space),
		TEST(two_processes_that_fork_each_other_make_no_loop),
		TEST(a_long_chain_of_forks_that_map_nothing_is_no_chain),
		TEST(a_late_mapping_counts_where_nothing_else_ever_was),
		TEST(a_late_mapping_among_others_counts_ten_milliseconds_early),
		TEST(inherited_mappings_win_over_late_ones),
		COMPAT_TEST(compat_has_no_late_mappings),
		TEST(each_process_is_visited_once_in_order),
		TEST(a_million_repeated_mappings_are_cheap),
		TEST(a_hundred_thousand_lives_of_a_pid_are_cheap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
