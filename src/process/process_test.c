#include "input/perfdata/perfdata_writer_for_test.h"
#include "process/process_for_test.h"

static void stacks_are_outermost_first_with_exact_and_return_addresses(void **state)
{
	struct recording_writer *w = bed_writer(state);

	put_sample(w,
		&(struct test_sample){ 7, 7, 0, 100, 3, 0x1010, 0, 3, { USER, 0x1010, 0x1020 } });
	put_sample(w,
		&(struct test_sample){ 7, 7, 0, 200, 4, 0x1010, 0, 3, { USER, 0x1010, 0x1020 } });
	put_sample(w, &(struct test_sample){ 7, 7, 0, 300, 0, 0x1010, 0, 2, { USER, 0x1010 } });
	expect_stacks(w, DEFAULTS, "main /bin/a+10! =1\nmain /bin/a+20 /bin/a+10! =7");
	expect_stacks(w, (struct read_opts){ .weight_by_samples = true },
		"main /bin/a+10! =1\nmain /bin/a+20 /bin/a+10! =2");
}

static void libraries_loaded_in_turn_at_one_address_are_distinct(void **state)
{
	struct recording_writer *w = bed_writer(state);
	unsigned i;

	for (i = 0; i < 6; i++) {
		put_mmap(w, 7, 100 + i * 100, 0x9000, 0x1000, i % 2 ? "/lib/odd" : "/lib/even");
		put_user(w, 7, 150 + i * 100, 0x9010);
	}
	expect_stacks(w, DEFAULTS,
		"main /lib/even+10! =1\nmain /lib/even+10! =1\nmain /lib/even+10! =1\n"
		"main /lib/odd+10! =1\nmain /lib/odd+10! =1\nmain /lib/odd+10! =1");
}

static void branch_records_give_the_user_part_of_lbr_stacks(void **state)
{
	struct recording_writer *w = bed_reset(state);
	struct test_sample s = { 7, 7, 0, 100, 5, 0x1010, 0, 4,
		{ KERNEL, 0xffffffff81000000, USER, 0x1010 } };
	size_t at;

	start(w, usual | SAMPLE_BRANCH_STACK, BRANCH_CALL_STACK);
	at = writer_begin(w, RECORD_SAMPLE, CPUMODE_KERNEL);
	put_sample_front(w, &s);
	put_u64(w, 2); /* {from, to, flags}: the newest call first */
	put_u64(w, 0x1100);
	put_u64(w, 0x1010);
	put_u64(w, 0);
	put_u64(w, 0x1200);
	put_u64(w, 0x1110);
	put_u64(w, 0);
	writer_end(w, at);
	expect_stacks(
		w, DEFAULTS, "main /bin/a+200! /bin/a+100! /bin/a+10! ?+ffffffff81000000! =5");
}

static void guests_are_left_out_and_bad_marks_leave_the_sampled_address(void **state)
{
	struct recording_writer *w = bed_writer(state);
	const struct recording *r;

	put_sample(
		w, &(struct test_sample){ 7, 7, 0, 100, 1, 0x1010, CPUMODE_GUEST_USER, 0, { 0 } });
	put_sample(w, &(struct test_sample){ 7, 7, 0, 100, 2, 0x1010, 0, 2, { GUEST, 0x1020 } });
	put_sample(w, &(struct test_sample){ 7, 7, 0, 100, 4, 0x1018, 0, 0, { 0 } });
	r = bed_expect(state, DEFAULTS, "main /bin/a+10! =2\nmain /bin/a+18! =4");
	assert_int_equal(r->diag.count[DIAG_GUEST_SAMPLE], 1);
	assert_int_equal(r->diag.count[DIAG_BAD_MARK], 1);
	expect_stacks(w, (struct read_opts){ .compat_perf = true }, "main =6");
}

static void frames_before_a_bad_mark_are_kept(void **state)
{
	struct recording_writer *w = bed_writer(state);

	put_sample(w, &(struct test_sample){ 7, 7, 0, 100, 1, 0xffffffff81000010, 0, 5,
			      { KERNEL, 0xffffffff81000010, USER, 0x1010, (uint64_t)-1 } });
	expect_stacks(w, DEFAULTS, "main /bin/a+10! ?+ffffffff81000010! =1");
	expect_stacks(w, (struct read_opts){ .compat_perf = true }, "main =1");
}

/* As perf record -d writes it. */
static void put_data(struct recording_writer *w, uint64_t time_ns, uint64_t start)
{
	enum { MISC_MMAP_DATA = 1 << 13 };
	size_t at = writer_begin(w, RECORD_MMAP, CPUMODE_USER | MISC_MMAP_DATA);

	put_u32(w, 7);
	put_u32(w, 7);
	put_u64(w, start);
	put_u64(w, 0x1000);
	put_u64(w, 0);
	put_string(w, "//anon");
	put_trailer(w, 7, 7, time_ns);
	writer_end(w, at);
}

static void a_chain_ends_where_it_leads_into_memory_that_is_no_code(void **state)
{
	static const uint64_t no_code[] = { 0, 1, 0x9010, 0x746174732d737570, 0x7ffd00000010 };
	struct recording_writer *w;
	const struct recording *r;
	size_t i;

	for (i = 0; i < ARRAY_LEN(no_code); i++) {
		w = bed_reset(state);
		start(w, usual, 0);
		put_data(w, 0, 0x9000);
		put_sample(w, &(struct test_sample){ 7, 7, 0, 100, 3, 0x1010, 0, 6,
				      { USER, 0x1010, 0x1020, 0x9999, 0x1030, no_code[i] } });
		put_sample(w, &(struct test_sample){ 7, 7, 0, 200, 4, 0x1018, 0, 5,
				      { USER, 0x1018, 0x1020, no_code[i], 0x9999 } });
		r = bed_expect(state, DEFAULTS,
			"main /bin/a+20 /bin/a+18! =4\n"
			"main /bin/a+30 //anon+9999 /bin/a+20 /bin/a+10! =3");
		assert_int_equal(r->diag.count[DIAG_CHAIN_TO_DATA], 2);
	}
	expect_stacks(w, (struct read_opts){ .compat_perf = true },
		"main //anon+9999 ?+7ffd00000010 /bin/a+20 /bin/a+18! =4\n"
		"main ?+7ffd00000010 /bin/a+30 //anon+9999 /bin/a+20 /bin/a+10! =3");
}

/* The maps of such a process were not recorded, or some were lost. */
static void a_chain_without_any_code_is_kept(void **state)
{
	struct recording_writer *w = bed_writer(state);

	put_sample(w, &(struct test_sample){
			      7, 7, 0, 100, 3, 0x9010, 0, 4, { USER, 0x9010, 0x9020, 0x9030 } });
	put_sample(w, &(struct test_sample){ 7, 7, 0, 200, 4, 0x9010, 0, 5,
			      { KERNEL, 0xffffffff81000000, USER, 0x9010, 0x9020 } });
	expect_stacks(w, DEFAULTS,
		"main ?+9020 ?+9010! ?+ffffffff81000000! =4\nmain ?+9030 ?+9020 ?+9010! =3");
}

static void memory_that_is_code_at_another_time_is_code(void **state)
{
	struct recording_writer *w = bed_writer(state);

	put_mmap(w, 7, 50, 0x9000, 0x1000, "//anon");
	put_data(w, 80, 0x9000); /* mprotect() while code is written to it */
	put_sample(w,
		&(struct test_sample){ 7, 7, 0, 100, 3, 0x1010, 0, 3, { USER, 0x1010, 0x9020 } });
	expect_stacks(w, DEFAULTS, "main //anon+9020 /bin/a+10! =3");
}

static void samples_are_chosen_by_process_thread_cpu_name_and_time(void **state)
{
	static const struct {
		const char *option, *value, *expected;
	} cases[] = {
		{ "pid", "8", "other ?+1010! =2" },
		{ "tid", "9", "main /bin/a+10! =4" },
		{ "cpu", "1-2", "main /bin/a+10! =4\nother ?+1010! =2" },
		{ "comm", "^oth", "other ?+1010! =2" },
		{ "time", "0,0.0000001", "main /bin/a+10! =1\nother ?+1010! =2" },
		{ "time", "@0.0000003,", "main /bin/a+10! =4" },
	};
	struct recording_writer *w = bed_writer(state);
	size_t i;

	put_name(w, 8, 8, 0, "other");
	put_name(w, 7, 9, 0, "main");
	put_sample(w, &(struct test_sample){ 7, 7, 0, 100, 1, 0, 0, 2, { USER, 0x1010 } });
	put_sample(w, &(struct test_sample){ 8, 8, 1, 200, 2, 0, 0, 2, { USER, 0x1010 } });
	put_sample(w, &(struct test_sample){ 7, 9, 2, 300, 4, 0, 0, 2, { USER, 0x1010 } });
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct sample_choice c = { 0 };
		const char *option = cases[i].option, *value = cases[i].value;
		struct err e;
		int rc;

		if (!strcmp(option, "pid"))
			rc = number_list_parse(&c.pids, value, &e);
		else if (!strcmp(option, "tid"))
			rc = number_list_parse(&c.tids, value, &e);
		else if (!strcmp(option, "cpu"))
			rc = number_list_parse(&c.cpus, value, &e);
		else if (!strcmp(option, "comm"))
			rc = name_pattern_new(&c.comm, value, &e);
		else
			rc = sample_choice_parse_time(&c, value, &e);
		assert_int_equal(rc, OK);
		expect_stacks(w, (struct read_opts){ .choice = &c }, cases[i].expected);
		sample_choice_release(&c);
	}
}

static void the_event_of_the_earliest_sample_is_the_default(void **state)
{
	static const uint64_t ids[] = { 11, 22 };
	static const char *const second[] = { "task-clock*", NULL }, *const none[] = { "x", NULL };
	struct recording_writer *w = bed_reset(state);
	const struct recording *r;
	unsigned i;

	for (i = 0; i < 2; i++)
		writer_attr(w,
			&(struct test_attr){ .type = 1,
				.config = i,
				.period = 1,
				.sample_type = SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID |
					       SAMPLE_TIME | (i ? SAMPLE_PERIOD : 0),
				.flags = TRAILER },
			&ids[i], 1);
	for (i = 0; i < 3; i++) { /* task-clock, cpu-clock (the earliest), unknown */
		size_t at = writer_begin(w, RECORD_SAMPLE, CPUMODE_USER);

		put_u64(w, i == 0 ? 22 : i == 1 ? 11 : 33);
		put_u64(w, 0x1000 + i);
		put_u32(w, 7);
		put_u32(w, 7);
		put_u64(w, 200 - i * 100);
		if (i != 1)
			put_u64(w, 50);
		writer_end(w, at);
	}
	r = bed_expect(state, DEFAULTS, ":7 ?+1001! =1");
	assert_int_equal(r->diag.count[DIAG_UNKNOWN_ID], 1);
	assert_int_equal(r->samples_read, 3);
	assert_int_equal(r->samples_kept, 1);
	expect_stacks(w, (struct read_opts){ .events = second }, ":7 ?+1000! =50");
	bed_read_as(state, (struct read_opts){ .events = none }, 1, ERR_USAGE);
}

static void file_order_decides_without_times(void **state)
{
	struct recording_writer *w = bed_reset(state);
	size_t at;
	unsigned i;

	writer_attr(w,
		&(struct test_attr){
			.type = 1, .period = 1, .sample_type = SAMPLE_IP | SAMPLE_TID },
		NULL, 0);
	for (i = 0; i < 2; i++) {
		at = writer_begin(w, RECORD_MMAP, CPUMODE_USER);
		put_u32(w, 7);
		put_u32(w, 7);
		put_u64(w, 0x1000);
		put_u64(w, 0x1000);
		put_u64(w, 0);
		put_string(w, i ? "/second" : "/first");
		writer_end(w, at);
		at = writer_begin(w, RECORD_SAMPLE, CPUMODE_USER);
		put_u64(w, 0x1010);
		put_u32(w, 7);
		put_u32(w, 7);
		writer_end(w, at);
	}
	expect_stacks(w, DEFAULTS, ":7 /first+10! =1\n:7 /second+10! =1");
}

static void workers_and_block_sizes_change_nothing(void **state)
{
	const struct read_opts small = {
		.block_bytes = 4096, .weight_by_samples = true, .timeline = true
	};
	struct recording_writer *w = bed_writer(state);
	const struct recording *r;
	struct reading one;
	unsigned i, jobs;

	for (i = 0; i < 500; i++)
		put_sample(w, &(struct test_sample){ 7, 7, i % 2, 100 + i, i, 0, 0, 4,
				      { USER, 0x1000 + i % 3, 0x1010 + i % 5, 0x1020 } });
	assert_int_equal(
		read_stacks(&one, w, (struct read_opts){ .weight_by_samples = true }, 1), OK);
	for (jobs = 1; jobs <= 3; jobs++) {
		uint64_t samples = 0;
		uint32_t k;

		r = bed_read(state, small, jobs);
		assert_int_equal(r->samples_kept, 500);
		for (k = 0; k < jobs; k++)
			samples += r->timelines[k]->n;
		assert_int_equal(samples, 500);
		assert_int_equal(r->n_threads, 1);
		assert_int_equal(r->threads[0].samples, 500);
		if (jobs == 1) /* with more, a stack may be in several logs */
			assert_string_equal(bed_stacks(state), buf_str(&one.text));
	}
	reading_release(&one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_TEST(stacks_are_outermost_first_with_exact_and_return_addresses),
		BED_TEST(libraries_loaded_in_turn_at_one_address_are_distinct),
		BED_TEST(branch_records_give_the_user_part_of_lbr_stacks),
		BED_TEST(guests_are_left_out_and_bad_marks_leave_the_sampled_address),
		BED_TEST(frames_before_a_bad_mark_are_kept),
		BED_TEST(a_chain_ends_where_it_leads_into_memory_that_is_no_code),
		BED_TEST(a_chain_without_any_code_is_kept),
		BED_TEST(memory_that_is_code_at_another_time_is_code),
		BED_TEST(samples_are_chosen_by_process_thread_cpu_name_and_time),
		BED_TEST(the_event_of_the_earliest_sample_is_the_default),
		BED_TEST(file_order_decides_without_times),
		BED_TEST(workers_and_block_sizes_change_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
