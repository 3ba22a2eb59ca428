#include "input/perfdata/perfdata_writer_for_test.h"
#include "jit/jitdump_for_test.h"
#include "process/process_for_test.h"

#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>

#define SECOND UINT64_C(1000000000)

enum { CLOCK_PERF = -1 };

/* A process 7 with JIT code at 0x90000 and up, samples with times of a clock. */
static struct recording_writer *begin(void **state, int clockid)
{
	uint64_t use_clockid = clockid == CLOCK_PERF ? 0 : 1u << FLAG_USE_CLOCKID_BIT;
	struct recording_writer *w = bed_reset(state);

	writer_attr(w,
		&(struct test_attr){ .type = 1,
			.sample_type = usual,
			.flags = TRAILER | use_clockid,
			.clockid = clockid == CLOCK_PERF ? 0 : (uint32_t)clockid },
		NULL, 0);
	put_name(w, 7, 7, 0, "main");
	put_mmap(w, 7, 0, 0x90000, 0x10000, "//anon");
	return w;
}

static void write_dump(void **state, const char *name, struct test_dump *d)
{
	char *path = tmpdir_path(bed_dir(state), name);

	tmpdir_write(path, buf_span(&d->b));
	buf_release(&d->b);
	free(path);
}

static void write_map(void **state, const char *name, const char *text)
{
	char *path = tmpdir_path(bed_dir(state), name);

	tmpdir_write(path, span_of(text));
	free(path);
}

/* "first" until second 3, then "second". */
static struct test_dump two_generations(uint64_t flags)
{
	struct test_dump d = dump_begin(false, 7, flags);

	dump_load(&d, 1 * SECOND, 0x90000, 0x100, "first");
	dump_load(&d, 3 * SECOND, 0x90000, 0x100, "second");
	return d;
}

static struct files_opts beside(void **state)
{
	return (struct files_opts){ .recording_dir = *bed_dir(state), .no_system = true };
}

static const struct recording *read_with(void **state, const struct files_opts *where)
{
	return bed_read(state, (struct read_opts){ .files = where }, 1);
}

/* What is read with the files beside the recording. */
static const struct recording *read_beside(void **state)
{
	struct files_opts where = beside(state);

	return read_with(state, &where);
}

static void expect_beside(void **state, const char *stacks)
{
	read_beside(state);
	assert_string_equal(bed_stacks(state), stacks);
}

static const struct process_use *process(const struct recording *r, int32_t pid)
{
	uint32_t i;

	for (i = 0; i < r->n_processes; i++)
		if (r->processes[i].pid == pid)
			return &r->processes[i];
	fail_msg("no process %d", pid);
	return NULL;
}

/* ---- jitdumps ----------------------------------------------------------------------------- */

static void a_dump_is_found_by_its_mapping_and_used_by_time(void **state)
{
	static const struct {
		int clockid;
		const char *expected;
		bool untimed;
	} cases[] = {
		{ CLOCK_MONOTONIC, "main (first) =1\nmain (second) =1", false },
		{ CLOCK_PERF, "main (second) =2", true },
		{ CLOCK_MONOTONIC_RAW, "main (second) =2", true },
	};
	struct test_dump d = two_generations(0);
	size_t i;

	write_dump(state, "jit-1.dump", &d); /* the number it has in its container */
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct recording_writer *w = begin(state, cases[i].clockid);
		const struct recording *r;

		put_mmap(w, 7, 0, 0x5000, 0x1000, "/srv/app/jit-1.dump");
		put_user(w, 7, 2 * SECOND, 0x90010);
		put_user(w, 7, 4 * SECOND, 0x90010);
		r = read_beside(state);
		assert_string_equal(bed_stacks(state), cases[i].expected);
		assert_int_equal(process(r, 7)->jit_untimed, cases[i].untimed);
		assert_int_equal(r->diag.count[DIAG_JIT_UNTIMED], cases[i].untimed);
		assert_non_null(
			strstr(strtab_str(r->strings, process(r, 7)->jitdump), "jit-1.dump"));
	}
}

static void a_dump_with_cpu_counter_times_needs_their_conversion(void **state)
{
	struct test_dump d = two_generations(1);
	int known;

	write_dump(state, "jit-7.dump", &d);
	for (known = 0; known < 2; known++) {
		struct recording_writer *w = begin(state, CLOCK_PERF);
		size_t at;

		if (known) {
			at = writer_begin(w, RECORD_TIME_CONV, 0);
			put_u64(w, 1); /* shift */
			put_u64(w, 4);
			put_u64(w, 100 * SECOND);
			put_u64(w, 0);
			put_u64(w, 0);
			put_u64(w, 1); /* time_zero is meant, the counter is whole */
			writer_end(w, at);
		}
		put_user(w, 7, 104 * SECOND, 0x90010);
		put_user(w, 7, 107 * SECOND, 0x90010);
		expect_beside(
			state, known ? "main (first) =1\nmain (second) =1" : "main (second) =2");
	}
}

static void a_dump_given_by_option_belongs_to_the_pid_in_its_header(void **state)
{
	char *path = tmpdir_path(bed_dir(state), "named");
	struct files_perf_map by_header = { -1, path }, of_8 = { 8, path };
	struct files_opts where = { .jitdumps = &by_header, .n_jitdumps = 1, .no_system = true };
	struct test_dump d = two_generations(0);
	struct recording_writer *w;

	write_dump(state, "named", &d);
	w = begin(state, CLOCK_MONOTONIC);
	put_name(w, 8, 8, 0, "other");
	put_mmap(w, 8, 0, 0x90000, 0x10000, "//anon");
	put_user(w, 7, 2 * SECOND, 0x90010);
	put_user(w, 8, 2 * SECOND, 0x90020);
	expect_stacks(w, (struct read_opts){ .files = &where },
		"main (first) =1\nother /tmp/perf-8.map+90020! =1");
	where.jitdumps = &of_8;
	expect_stacks(w, (struct read_opts){ .files = &where },
		"main /tmp/perf-7.map+90010! =1\nother (first) =1");
	free(path);
}

static void the_map_names_addresses_that_the_dump_never_lists(void **state)
{
	struct files_opts where = beside(state);
	struct test_dump d = two_generations(0);
	struct recording_writer *w;

	write_dump(state, "jit-7.dump", &d);
	write_map(state, "perf-7.map", "90000 100 stale\n91000 100 in the map\n");
	w = begin(state, CLOCK_MONOTONIC);
	put_user(w, 7, SECOND / 2, 0x90010); /* before the dump lists the code: no name */
	put_user(w, 7, 2 * SECOND, 0x90010);
	put_user(w, 7, 2 * SECOND, 0x91010);
	expect_beside(
		state, "main (first) =1\nmain (in the map) =1\nmain /tmp/perf-7.map+90010! =1");
	expect_stacks(w, (struct read_opts){ .files = &where, .compat_perf = true },
		"main (in the map) =1\nmain (stale) =2");
}

static void code_that_a_dump_lists_late_counts_earlier_if_the_map_agrees(void **state)
{
	struct test_dump d = dump_begin(false, 7, 0);
	struct recording_writer *w;

	dump_load(&d, 3 * SECOND, 0x90000, 0x100, "JS:*f /a.js:1:1");
	dump_load(&d, 3 * SECOND, 0x91000, 0x100, "JS:*g /a.js:2:1");
	write_dump(state, "jit-7.dump", &d);
	write_map(state, "perf-7.map",
		"90000 100 JS:^f /a.js:1:1\n91000 100 JS:*h /a.js:3:1\n91000 100 JS:*g "
		"/a.js:2:1\n");
	w = begin(state, CLOCK_MONOTONIC);
	put_user(w, 7, SECOND, 0x90010);
	put_user(w, 7, SECOND, 0x91010); /* of h or g: no name */
	expect_beside(state, "main (JS:*f /a.js:1:1) =1\nmain /tmp/perf-7.map+91010! =1");
}

static void sample_times_choose_among_lines_of_a_map(void **state)
{
	struct recording_writer *w;

	write_map(state, "perf-7.map",
		"90000 100 early\n90200 100 between\n90000 100 late\n90300 100 after\n");
	w = begin(state, CLOCK_PERF);
	put_user(w, 7, 1 * SECOND, 0x90010);
	put_user(w, 7, 2 * SECOND, 0x90210); /* "late" is not made before it */
	put_user(w, 7, 4 * SECOND, 0x90020); /* where "early" was not seen */
	put_user(w, 7, 5 * SECOND, 0x90310);
	expect_beside(state, "main (after) =1\nmain (between) =1\nmain (early) =1\nmain (late) =1");
}

/* "between" is seen at second 5 alone. But hardly any address is in both "early" and "late". */
static void the_line_whose_address_is_seen_later_is_newer(void **state)
{
	struct recording_writer *w;

	write_map(state, "perf-7.map",
		"90400 100 first\n90000 100 early\n90200 100 between\n90000 100 late\n"
		"90300 100 after\n");
	w = begin(state, CLOCK_PERF);
	put_user(w, 7, SECOND / 2, 0x90010);
	put_user(w, 7, 1 * SECOND, 0x90410);
	put_user(w, 7, 2 * SECOND, 0x90010);
	put_user(w, 7, 3 * SECOND, 0x90020);
	put_user(w, 7, 5 * SECOND, 0x90210);
	put_user(w, 7, 6 * SECOND, 0x90020);
	put_user(w, 7, 7 * SECOND, 0x90310);
	expect_beside(state,
		"main (after) =1\nmain (between) =1\nmain (early) =2\nmain (first) =1\n"
		"main (late) =2");
}

static void code_in_a_file_gets_a_map_name_as_fallback_only(void **state)
{
	struct test_dump d = dump_begin(false, 7, 0);
	struct recording_writer *w;

	/* V8's embedded builtins are in node's own text. */
	dump_load(&d, 1, 0x1000, 0x100, "Builtin:JSEntry");
	write_dump(state, "jit-7.dump", &d);
	w = begin(state, CLOCK_MONOTONIC);
	put_mmap(w, 7, 0, 0x1000, 0x1000, "/usr/bin/node");
	put_user(w, 7, SECOND, 0x1010);
	expect_beside(state, "main /usr/bin/node+10!(Builtin:JSEntry) =1");
}

/* ---- maps --------------------------------------------------------------------------------- */

static void lines_in_memory_that_was_never_executable_hide_no_code(void **state)
{
	struct recording_writer *w;

	/* Bytecode on the heap, with a size that spans the code after it. */
	write_map(state, "perf-7.map", "90000 100 code\n8f000 800 JS:~bytecode /a.js:1:1\n");
	w = begin(state, CLOCK_PERF);
	put_mmap(w, 7, 10, 0x8f000, 0x400, "/lib/a"); /* until then it is not */
	put_user(w, 7, 5, 0x8f900);
	put_user(w, 7, 20, 0x90010);
	expect_beside(state, "main (code) =1\nmain ?+8f900! =1");
}

/* As Erlang's, whose first function returns into the one that ends a process. */
static void an_outermost_first_byte_is_no_return_address(void **state)
{
	struct recording_writer *w = begin(state, CLOCK_PERF);

	write_map(state, "perf-7.map", "90000 100 before\n90100 100 last\n90200 100 first\n");
	put_sample(w, &(struct test_sample){
			      7, 7, 0, 10, 1, 0x90210, 0, 4, { USER, 0x90210, 0x90200, 0x90100 } });
	put_sample(w,
		&(struct test_sample){ 7, 7, 0, 20, 1, 0x90210, 0, 3, { USER, 0x90210, 0x90180 } });
	expect_beside(state, "main (last) (first) =1\nmain (last) (last) (first) =1");
}

static void inherited_code_is_looked_up_in_the_map_of_the_parent(void **state)
{
	struct recording_writer *w;

	write_map(state, "perf-9.map", "98000 100 childs\n");
	w = begin(state, CLOCK_PERF);
	put_fork(w, 0, 9, 7, 50);
	put_mmap(w, 9, 60, 0x98000, 0x80, "//anon");
	put_user(w, 9, 70, 0x98010);
	put_user(w, 9, 70, 0x90010); /* its parent's, whose map is not here */
	expect_beside(state, "main (childs) =1\nmain /tmp/perf-7.map+90010! =1");
}

/* A number that no process has; the map is that of an earlier process if it was written before this
 * one began. */
static void a_map_in_tmp_older_than_its_process_is_ignored(void **state)
{
	enum { PID = 2147483001 };
	/* One moment on both clocks: second 1000 of the time of day was second 1. */
	const uint64_t clocks[] = { 1 | (uint64_t)CLOCK_MONOTONIC << 32, 1000 * SECOND, SECOND };
	const char *path = "/tmp/perf-2147483001.map";
	struct files_opts where = { 0 };
	struct utsname here;
	int age;

	(void)state;
	assert_int_equal(uname(&here), 0);
	for (age = 0; age < 2; age++) {
		const struct timespec written[2] = { { 1001 + age * 2, 0 }, { 1001 + age * 2, 0 } };
		struct recording_writer *w;
		const struct recording *r;
		size_t at;

		tmpdir_write(path, SPAN("90000 100 js\n"));
		assert_int_equal(utimensat(AT_FDCWD, path, written, 0), 0);
		w = begin(state, CLOCK_MONOTONIC);
		writer_feature_string(w, FEATURE_HOSTNAME, here.nodename);
		writer_feature_string(w, FEATURE_OSRELEASE, here.release);
		writer_feature(w, FEATURE_CLOCK_DATA, clocks, sizeof(clocks));
		at = writer_begin(w, RECORD_COMM, 1 << 13); /* exec, at second 3 */
		put_u32(w, PID);
		put_u32(w, PID);
		put_string(w, "node");
		put_trailer(w, PID, PID, 3 * SECOND);
		writer_end(w, at);
		put_mmap(w, PID, 3 * SECOND, 0x90000, 0x1000, "//anon");
		put_user(w, PID, 4 * SECOND, 0x90010);
		r = read_with(state, &where);
		assert_int_equal(process(r, PID)->map_too_old, age == 0);
		assert_string_equal(bed_stacks(state),
			age ? "node (js) =1" : "node /tmp/perf-2147483001.map+90010! =1");
		assert_int_equal(unlink(path), 0);
	}
}

/* ---- files of another number -------------------------------------------------------------- */

/* Ten addresses of a process; `known` of them are named by the texts made here. */
static void ten_samples(struct recording_writer *w, uint32_t pid, uint64_t from)
{
	unsigned i;

	for (i = 0; i < 10; i++)
		put_user(w, pid, 100 + i, from + i * 0x100);
}

static void write_map_of(void **state, const char *file, unsigned known, const char *name)
{
	struct buf b = { 0 };
	unsigned i;

	for (i = 0; i < known; i++)
		buf_printf(&b, "%x 100 %s\n", 0x90000 + i * 0x100, name);
	write_map(state, file, buf_str(&b));
	buf_release(&b);
}

/* How many stacks have the name. */
static uint64_t stacks_with(void **state, const char *name)
{
	const struct reading *g = &((struct process_bed *)*state)->reading;
	uint64_t n = 0;
	unsigned i;

	for (i = 0; i < g->n_lines; i++)
		n += strstr(g->lines[i], name) != NULL;
	return n;
}

static void a_map_of_another_pid_is_matched_by_coverage(void **state)
{
	struct recording_writer *w;
	const struct recording *r;

	write_map_of(state, "perf-1.map", 9, "right");
	write_map_of(state, "perf-2.map", 4, "wrong");
	w = begin(state, CLOCK_PERF);
	ten_samples(w, 7, 0x90000);
	r = read_beside(state);
	assert_int_equal(stacks_with(state, "(right)"), 9);
	assert_int_equal(process(r, 7)->covered, 9);
	assert_int_equal(process(r, 7)->sampled, 10);
	assert_int_equal(r->samples_kept, 10);
}

static void two_maps_that_match_alike_are_both_ignored(void **state)
{
	struct recording_writer *w;
	const struct recording *r;

	write_map_of(state, "perf-1.map", 10, "one");
	write_map_of(state, "perf-2.map", 6, "two");
	w = begin(state, CLOCK_PERF);
	ten_samples(w, 7, 0x90000);
	r = read_beside(state);
	assert_int_equal(stacks_with(state, "(one)") + stacks_with(state, "(two)"), 0);
	assert_true(process(r, 7)->ambiguous);
}

static void a_map_that_covers_at_most_half_does_not_match(void **state)
{
	struct recording_writer *w;
	const struct recording *r;

	write_map_of(state, "perf-1.map", 5, "half");
	w = begin(state, CLOCK_PERF);
	ten_samples(w, 7, 0x90000);
	r = read_beside(state);
	assert_int_equal(stacks_with(state, "(half)"), 0);
	assert_false(process(r, 7)->ambiguous);
}

static void a_map_that_matches_two_processes_is_ignored(void **state)
{
	struct recording_writer *w;
	const struct recording *r;

	write_map_of(state, "perf-1.map", 10, "whose");
	w = begin(state, CLOCK_PERF);
	put_mmap(w, 8, 0, 0x90000, 0x10000, "//anon");
	ten_samples(w, 7, 0x90000);
	ten_samples(w, 8, 0x90000);
	r = read_beside(state);
	assert_int_equal(stacks_with(state, "(whose)"), 0);
	assert_true(process(r, 7)->ambiguous);
	assert_true(process(r, 8)->ambiguous);
}

static void a_dump_of_another_pid_is_matched_too(void **state)
{
	struct files_opts where = { .map_dir = *bed_dir(state), .no_system = true };
	struct test_dump d = dump_begin(false, 1, 0);
	struct recording_writer *w;
	const struct recording *r;
	unsigned i;

	for (i = 0; i < 10; i++)
		dump_load(&d, 1, 0x90000 + i * 0x100, 0x80, "dumped");
	write_dump(state, "jit-1.dump", &d);
	w = begin(state, CLOCK_MONOTONIC);
	ten_samples(w, 7, 0x90000);
	r = read_with(state, &where);
	assert_int_equal(stacks_with(state, "(dumped)"), 10);
	assert_int_equal(process(r, 7)->covered, 10);
}

/* Process 7 still runs: in its container it is process 1. A copy beside the recording is no rival
 * of the map there. */
static void a_map_in_the_container_of_a_running_process_is_used(void **state)
{
	static const char *const dirs[] = { "proc", "proc/7", "proc/7/root", "proc/7/root/tmp" };
	char *proc = tmpdir_path(bed_dir(state), "proc");
	struct files_opts where = { .recording_dir = *bed_dir(state), .proc = proc };
	struct recording_writer *w;
	struct utsname here;
	size_t i;

	for (i = 0; i < ARRAY_LEN(dirs); i++) {
		char *path = tmpdir_path(bed_dir(state), dirs[i]);

		assert_int_equal(mkdir(path, 0777), 0);
		free(path);
	}
	write_map(state, "proc/7/status", "Name:\tnode\nNSpid:\t7\t1\n");
	write_map_of(state, "proc/7/root/tmp/perf-1.map", 10, "within");
	assert_int_equal(uname(&here), 0);
	w = begin(state, CLOCK_PERF);
	writer_feature_string(w, FEATURE_HOSTNAME, here.nodename);
	writer_feature_string(w, FEATURE_OSRELEASE, here.release);
	ten_samples(w, 7, 0x90000);
	for (i = 0; i < 2; i++) {
		const struct recording *r;

		r = read_with(state, &where);
		assert_int_equal(stacks_with(state, i ? "(copied)" : "(within)"), 10);
		assert_false(process(r, 7)->ambiguous);
		write_map_of(state, "perf-1.map", 10, "copied");
	}
	free(proc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_DIR_TEST(a_dump_is_found_by_its_mapping_and_used_by_time),
		BED_DIR_TEST(a_dump_with_cpu_counter_times_needs_their_conversion),
		BED_DIR_TEST(a_dump_given_by_option_belongs_to_the_pid_in_its_header),
		BED_DIR_TEST(the_map_names_addresses_that_the_dump_never_lists),
		BED_DIR_TEST(code_that_a_dump_lists_late_counts_earlier_if_the_map_agrees),
		BED_DIR_TEST(sample_times_choose_among_lines_of_a_map),
		BED_DIR_TEST(the_line_whose_address_is_seen_later_is_newer),
		BED_DIR_TEST(code_in_a_file_gets_a_map_name_as_fallback_only),
		BED_DIR_TEST(lines_in_memory_that_was_never_executable_hide_no_code),
		BED_DIR_TEST(an_outermost_first_byte_is_no_return_address),
		BED_DIR_TEST(inherited_code_is_looked_up_in_the_map_of_the_parent),
		BED_DIR_TEST(a_map_in_tmp_older_than_its_process_is_ignored),
		BED_DIR_TEST(a_map_of_another_pid_is_matched_by_coverage),
		BED_DIR_TEST(two_maps_that_match_alike_are_both_ignored),
		BED_DIR_TEST(a_map_that_covers_at_most_half_does_not_match),
		BED_DIR_TEST(a_map_that_matches_two_processes_is_ignored),
		BED_DIR_TEST(a_dump_of_another_pid_is_matched_too),
		BED_DIR_TEST(a_map_in_the_container_of_a_running_process_is_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
