#include "input/perfdata/perfdata_writer_for_test.h"
#include "process/process_for_test.h"

/* Parts of one `perf record --switch-output` run, and recordings that are not. */

enum { PARTS = 3 };

static const char switched[] = "--switch-output=1M";

struct parts {
	struct recording_writer w[PARTS];
	struct file file[PARTS];
	struct process_part part[PARTS];
	unsigned n;
};

static void put_features(struct recording_writer *w, const char *host, const char *option)
{
	struct buf b = { 0 };

	writer_feature_string(w, FEATURE_HOSTNAME, host);
	buf_u32(&b, false, 3);
	buf_section_string(&b, false, "perf");
	buf_section_string(&b, false, "record");
	buf_section_string(&b, false, option);
	writer_feature(w, FEATURE_CMDLINE, b.p, b.n);
	buf_release(&b);
}

static void put_kernel(struct recording_writer *w, uint64_t start)
{
	size_t at = writer_begin(w, RECORD_MMAP, CPUMODE_KERNEL);

	put_u32(w, UINT32_MAX);
	put_u32(w, 0);
	put_u64(w, start);
	put_u64(w, 0x1000);
	put_u64(w, start);
	put_string(w, "[kernel.kallsyms]_text");
	put_trailer(w, 0, 0, 0);
	writer_end(w, at);
}

static void begin_part(struct recording_writer *w)
{
	static const uint64_t id = 11;

	*w = (struct recording_writer)WRITER_INIT;
	writer_attr(w, &(struct test_attr){ .type = 1, .sample_type = usual, .flags = TRAILER },
		&id, 1);
	put_kernel(w, 0xffffffff81000000);
}

static void put_simple_sample(
	struct recording_writer *w, uint32_t pid, uint64_t time_ns, uint64_t ip)
{
	put_sample(w, &(struct test_sample){ pid, pid, 0, time_ns, 1, ip, 0, 0, { 0 } });
}

static struct recording_writer *add_part(struct parts *p)
{
	struct recording_writer *w = &p->w[p->n++];

	begin_part(w);
	return w;
}

static struct process_part *finish_part(struct parts *p, unsigned i)
{
	struct err e;

	writer_finish(&p->w[i]);
	assert_true(writer_open(&p->w[i], &p->file[i]));
	p->part[i].file = &p->file[i];
	assert_int_equal(process_find_run(&p->part[i], &e), OK);
	return &p->part[i];
}

static void release_parts(struct parts *p)
{
	while (p->n--) {
		writer_release(&p->w[p->n]);
		file_close(&p->file[p->n]);
		buf_release(&p->part[p->n].run);
	}
}

/* Read all parts as one and compare the stacks. */
static void expect_run(struct parts *p, unsigned jobs, const char *expected)
{
	struct files_opts nowhere = { .no_system = true };
	struct read_opts o = { .files = &nowhere, .root_fields = 1u << ROOT_COMM };
	struct process_kernel kernel;
	struct pool *pool = pool_new(jobs);
	struct reading g;
	unsigned i;

	for (i = 0; i < p->n; i++)
		put_features(&p->w[i], "host", switched);
	for (i = 0; i < p->n; i++)
		finish_part(p, i);
	reading_init(&g);
	assert_int_equal(
		process_read_run(g.recording, p->part, p->n, &o, &kernel, pool, &g.err), OK);
	reading_take_stacks(&g);
	assert_string_equal(buf_str(&g.text), expected);
	assert_int_equal(g.recording->facts.n_parts, p->n);
	reading_release(&g);
	pool_free(pool);
}

/* ---- recognising -------------------------------------------------------------------------- */

/* Change one thing of the second part: is it still a part of the run of the first? */
static bool is_same_run(void (*change)(struct recording_writer *w))
{
	struct parts p = { 0 };
	bool same;
	unsigned i;

	for (i = 0; i < 2; i++) {
		struct recording_writer *w = add_part(&p);

		put_simple_sample(w, 7, 100 + i * 100, 0x1010);
		if (i && change)
			change(w);
		if (!w->n_features)
			put_features(w, "host", switched);
	}
	finish_part(&p, 0);
	finish_part(&p, 1);
	same = p.part[1].run.n && span_eq(buf_span(&p.part[0].run), buf_span(&p.part[1].run));
	release_parts(&p);
	return same;
}

static void name_other_host(struct recording_writer *w)
{
	put_features(w, "other", switched);
}

static void record_otherwise(struct recording_writer *w)
{
	put_features(w, "host", "--switch-output=2M");
}

static void record_at_once(struct recording_writer *w)
{
	put_features(w, "host", "--all-cpus");
}

static void open_again(struct recording_writer *w)
{
	uint64_t id = 12;

	memcpy(w->ids[0].p, &id, sizeof(id));
}

static void boot_again(struct recording_writer *w)
{
	w->data.n = 0;
	put_kernel(w, 0xffffffff9a000000);
	put_simple_sample(w, 7, 200, 0x1010);
}

static void leave_times_out(struct recording_writer *w)
{
	uint64_t type = usual & ~(uint64_t)SAMPLE_TIME;

	memcpy(w->attrs[0].p + 24, &type, sizeof(type));
}

static void parts_agree_in_host_command_events_and_boot(void **state)
{
	(void)state;
	assert_true(is_same_run(NULL));
	assert_false(is_same_run(name_other_host));
	assert_false(is_same_run(record_otherwise));
	assert_false(is_same_run(record_at_once));
	assert_false(is_same_run(open_again));
	assert_false(is_same_run(boot_again));
	assert_false(is_same_run(leave_times_out));
}

static void a_part_begins_with_the_earliest_record_of_its_first_round(void **state)
{
	struct parts p = { 0 };
	struct recording_writer *w = add_part(&p);

	(void)state;
	put_finished_round(w);
	put_simple_sample(w, 7, 300, 0x1010);
	put_mmap(w, 7, 200, 0x1000, 0x1000, "/bin/a");
	put_simple_sample(w, 7, 250, 0x1010);
	put_finished_round(w);
	put_simple_sample(w, 7, 100, 0x1010);
	put_features(w, "host", switched);
	assert_int_equal(finish_part(&p, 0)->begun_ns, 200);
	release_parts(&p);
}

static void compressed_parts_are_recognized(void **state)
{
	struct test_compression c = { .type = RECORD_COMPRESSED };
	struct parts p = { 0 };
	struct recording_writer *w = add_part(&p);

	(void)state;
	put_simple_sample(w, 7, 300, 0x1010);
	writer_compress(w, &c);
	put_features(w, "host", switched);
	assert_true(finish_part(&p, 0)->run.n > 0);
	assert_int_equal(p.part[0].begun_ns, 300);
	release_parts(&p);
}

static void a_part_without_a_time_is_a_recording_by_itself(void **state)
{
	struct parts p = { 0 };

	(void)state;
	put_features(add_part(&p), "host", switched);
	assert_int_equal(finish_part(&p, 0)->run.n, 0);
	release_parts(&p);
}

/* ---- one world ---------------------------------------------------------------------------- */

static void records_of_an_early_part_hold_in_later_ones(void **state)
{
	unsigned jobs;

	(void)state;
	for (jobs = 1; jobs <= 2; jobs++) {
		struct parts p = { 0 };
		struct recording_writer *w = add_part(&p);

		put_name(w, 7, 7, 100, "main");
		put_mmap(w, 7, 110, 0x1000, 0x1000, "/bin/a");
		put_simple_sample(w, 7, 150, 0x1010);
		put_simple_sample(add_part(&p), 7, 250, 0x1020);
		put_simple_sample(add_part(&p), 7, 350, 0x1030);
		expect_run(&p, jobs, "main /bin/a+10! =1\nmain /bin/a+20! =1\nmain /bin/a+30! =1");
		release_parts(&p);
	}
}

static void records_at_the_start_of_a_part_do_not_hold_before(void **state)
{
	struct parts p = { 0 };
	struct recording_writer *w = add_part(&p);

	(void)state;
	put_name(w, 7, 7, 0, "young");
	put_mmap(w, 7, 0, 0x1000, 0x1000, "/bin/a");
	put_simple_sample(w, 7, 150, 0x1010);
	w = add_part(&p);
	put_name(w, 7, 7, 0, "old");
	put_mmap(w, 7, 0, 0x1000, 0x1000, "/bin/b");
	put_simple_sample(w, 7, 250, 0x1020);
	expect_run(&p, 1, "old /bin/b+20! =1\nyoung /bin/a+10! =1");
	release_parts(&p);
}

/* perf makes up a FORK of each thread that is there when a part begins. */
static void a_process_recorded_again_keeps_its_mappings(void **state)
{
	struct parts p = { 0 };
	struct recording_writer *w = add_part(&p);

	(void)state;
	put_fork(w, 1 << 13, 7, 1, 0);
	put_mmap(w, 7, 110, 0x1000, 0x1000, "/bin/a");
	put_simple_sample(w, 7, 150, 0x1010);
	w = add_part(&p);
	put_fork(w, 1 << 13, 7, 1, 0);
	put_simple_sample(w, 7, 250, 0x1020);
	expect_run(&p, 1, ":7 /bin/a+10! =1\n:7 /bin/a+20! =1");
	release_parts(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_agree_in_host_command_events_and_boot),
		cmocka_unit_test(a_part_begins_with_the_earliest_record_of_its_first_round),
		cmocka_unit_test(compressed_parts_are_recognized),
		cmocka_unit_test(a_part_without_a_time_is_a_recording_by_itself),
		cmocka_unit_test(records_of_an_early_part_hold_in_later_ones),
		cmocka_unit_test(records_at_the_start_of_a_part_do_not_hold_before),
		cmocka_unit_test(a_process_recorded_again_keeps_its_mappings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
