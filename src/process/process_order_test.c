/*
 * Time and file order: records of one CPU follow those of another, clocks go wrong, and some
 * records have no time at all.
 */
#include "input/perfdata/perfdata_writer_for_test.h"
#include "process/process_for_test.h"

/* ---- earlier in time, later in the file --------------------------------------------------- */

static void mappings_and_names_count_from_their_time_in_any_order(void **state)
{
	struct recording_writer *w = bed_writer(state);

	put_user(w, 7, 200, 0x9010);
	put_user(w, 7, 100, 0x9020);
	put_mmap(w, 7, 150, 0x9000, 0x1000, "/lib/new");
	put_name(w, 7, 7, 150, "later");
	put_mmap(w, 7, 50, 0x9000, 0x1000, "/lib/old");
	put_finished_round(w);
	put_user(w, 7, 120, 0x9030);
	expect_stacks(
		w, DEFAULTS, "later /lib/new+10! =1\nmain /lib/old+20! =1\nmain /lib/old+30! =1");
}

static void later_records_do_not_change_earlier_samples(void **state)
{
	struct recording_writer *w = bed_writer(state);

	put_mmap(w, 7, 50, 0x9000, 0x1000, "/lib/old");
	put_mmap(w, 7, 300, 0x9000, 0x1000, "/lib/new");
	put_name(w, 7, 7, 300, "later");
	put_user(w, 7, 299, 0x9010);
	put_user(w, 7, 300, 0x9020);
	expect_stacks(w, DEFAULTS, "later /lib/new+20! =1\nmain /lib/old+10! =1");
}

/* A mapping after its round; perf would have delivered the sample by then. */
static void a_record_older_than_finished_rounds_still_counts(void **state)
{
	struct recording_writer *w = bed_writer(state);
	unsigned i;

	for (i = 0; i < 5; i++) {
		put_user(w, 7, 1000 + i, 0x9010);
		put_finished_round(w);
	}
	put_mmap(w, 7, 1003, 0x9000, 0x1000, "/lib/late");
	put_mmap(w, 7, 900, 0x9000, 0x1000, "/lib/early");
	expect_stacks(w, (struct read_opts){ .weight_by_samples = true },
		"main /lib/early+10! =4\nmain /lib/late+10! =1");
}

static void times_may_go_backwards_and_repeat(void **state)
{
	struct recording_writer *w = bed_writer(state);
	unsigned i;

	put_mmap(w, 7, 500, 0x9000, 0x1000, "/lib/new");
	put_mmap(w, 7, 1, 0x9000, 0x1000, "/lib/old");
	for (i = 0; i < 10; i++)
		put_user(w, 7, 1000 - i * 100, 0x9010);
	/* Of one time: the order of the file. */
	put_mmap(w, 7, 2000, 0xa000, 0x1000, "/lib/first");
	put_user(w, 7, 2000, 0xa010);
	put_mmap(w, 7, 2000, 0xa000, 0x1000, "/lib/second");
	put_user(w, 7, 2000, 0xa020);
	expect_stacks(w, (struct read_opts){ .compat_perf = true },
		"main /lib/first+10! =1\nmain /lib/new+10! =6\nmain /lib/old+10! =4\n"
		"main /lib/second+20! =1");
}

/* The first sample of "later" says that "new" was compiled before that time, wherever in the file
 * it is; see first_seen.c. */
static void reused_code_is_dated_by_the_earliest_sample_of_a_later_line(void **state)
{
	static const uint64_t seen_at[][2] = { { 1000, 300 }, { 300, 1000 } };
	char *map = tmpdir_path(bed_dir(state), "7.map");
	struct files_perf_map one = { 7, map };
	struct files_opts where = { .perf_maps = &one, .n_perf_maps = 1, .no_system = true };
	size_t i;

	tmpdir_write(map, SPAN("90000 100 old\n"
			       "91000 100 between\n"
			       "90000 100 new\n"
			       "92000 100 later\n"));
	for (i = 0; i < ARRAY_LEN(seen_at); i++) {
		struct recording_writer *w = bed_restart(state, usual);

		put_mmap(w, 7, 0, 0x90000, 0x10000, "//anon");
		put_user(w, 7, 100, 0x90010);
		put_user(w, 7, 200, 0x91010);
		put_user(w, 7, seen_at[i][0], 0x92010);
		put_user(w, 7, seen_at[i][1], 0x92010);
		put_user(w, 7, 400, 0x90010);
		expect_stacks(w, (struct read_opts){ .files = &where },
			"main (between) =1\nmain (later) =2\nmain (new) =1\nmain (old) =1");
	}
	free(map);
}

/* ---- no time at all ----------------------------------------------------------------------- */

static void records_without_time_come_before_everything(void **state)
{
	static const uint64_t none[] = { 0, UINT64_MAX };
	size_t i;

	for (i = 0; i < ARRAY_LEN(none); i++) {
		struct recording_writer *w = bed_restart(state, usual);

		put_user(w, 7, 100, 0x9010);
		put_mmap(w, 7, none[i], 0x9000, 0x1000, "/lib/a");
		put_name(w, 7, 7, none[i], "synthesized");
		expect_stacks(w, DEFAULTS, "synthesized /lib/a+10! =1");
	}
}

static void file_order_decides_if_all_times_are_zero(void **state)
{
	struct recording_writer *w = bed_writer(state);

	put_mmap(w, 7, 0, 0x9000, 0x1000, "/lib/first");
	put_user(w, 7, 0, 0x9010);
	put_mmap(w, 7, 0, 0x9000, 0x1000, "/lib/second");
	put_user(w, 7, 0, 0x9020);
	expect_stacks(w, DEFAULTS, "main /lib/first+10! =1\nmain /lib/second+20! =1");
}

/* Samples have times, the other records have none: without sample_id_all. */
static void records_without_a_trailer_hold_from_the_start(void **state)
{
	struct recording_writer *w = bed_reset(state);
	size_t at;

	writer_attr(w, &(struct test_attr){ .type = 1, .sample_type = usual }, NULL, 0);
	put_user(w, 7, 100, 0x9010);
	at = writer_begin(w, RECORD_MMAP, CPUMODE_USER);
	put_u32(w, 7), put_u32(w, 7);
	put_u64(w, 0x9000), put_u64(w, 0x1000), put_u64(w, 0);
	put_string(w, "/lib/a");
	writer_end(w, at);
	put_comm(w, 7, 7, "name");
	expect_stacks(w, DEFAULTS, "name /lib/a+10! =1");
}

/* ---- events ------------------------------------------------------------------------------- */

/* Synthesized samples and records have id 0: they are the first event's. */
static void id_zero_belongs_to_the_first_event(void **state)
{
	static const uint64_t ids[] = { 11, 22, 33 };
	struct recording_writer *w = bed_reset(state);
	const struct recording *r;
	unsigned i;

	for (i = 0; i < 3; i++)
		writer_attr(w,
			&(struct test_attr){ .type = 1,
				.config = i,
				.period = 1,
				.sample_type = SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID },
			&ids[i], 1);
	for (i = 0; i < 4; i++) {
		size_t at = writer_begin(w, RECORD_SAMPLE, CPUMODE_USER);

		put_u64(w, i * 11);
		put_u64(w, 0x1000 + i);
		put_u32(w, 7), put_u32(w, 7);
		writer_end(w, at);
	}
	r = bed_expect(state, DEFAULTS, ":7 ?+1000! =1\n:7 ?+1001! =1");
	assert_int_equal(r->events[0].samples, 2);
	assert_int_equal(r->diag.count[DIAG_UNKNOWN_ID], 0);
}

/* ---- the same in other forms and orders --------------------------------------------------- */

/* Mappings and names of two processes that change between samples. */
enum { RECORDS = 400, ROUND = 50 };

static void put_number(struct recording_writer *w, unsigned i)
{
	uint32_t pid = 7 + i % 2;
	uint64_t time_ns = 1000 + i * 10;
	char text[32];

	snprintf(text, sizeof(text), "/lib/%u", i % 7);
	switch (i % 10) {
	case 0:
		put_name(w, pid, pid, time_ns, text + 1);
		break;
	case 1:
	case 2:
		put_mmap(w, pid, time_ns, 0x9000 + i % 3 * 0x800, 0x1000, text);
		break;
	default:
		put_sample(w, &(struct test_sample){ pid, pid, 0, time_ns, i, 0, 0, 3,
				      { USER, 0x9000 + i % 4 * 0x600, 0x9400 } });
	}
}

static void shuffle(unsigned *list, unsigned n, unsigned *seed)
{
	while (n > 1) {
		unsigned k = (unsigned)rand_r(seed) % n--, swap = list[k];

		list[k] = list[n];
		list[n] = swap;
	}
}

/* A stack may be in several entries of a log: add them up. */
static struct buf summed(const struct reading *g)
{
	struct buf b = { 0 };
	unsigned i, k;

	for (i = 0; i < g->n_lines; i = k) {
		size_t stack = (size_t)(strstr(g->lines[i], " =") - g->lines[i]) + 2;
		unsigned long sum = 0;

		for (k = i; k < g->n_lines && !strncmp(g->lines[i], g->lines[k], stack); k++)
			sum += strtoul(g->lines[k] + stack, NULL, 10);
		buf_printf(&b, "%.*s%lu\n", (int)stack, g->lines[i], sum);
	}
	return b;
}

/* A file, a pipe, compressed ones, and all in the other byte order. */
static struct buf read_form(unsigned form, unsigned jobs)
{
	struct recording_writer w;
	struct reading g;
	struct buf sums;
	unsigned i;

	start_as(&w, form & 1, usual, 0);
	for (i = 0; i < RECORDS; i++)
		put_number(&w, i);
	if (form & 4)
		writer_compress(
			&w, &(struct test_compression){
				    .type = form & 1 ? RECORD_COMPRESSED2 : RECORD_COMPRESSED,
				    .flush_bytes = 1000 });
	if (form & 2)
		writer_finish_pipe(&w);
	assert_int_equal(read_stacks(&g, &w, (struct read_opts){ .block_bytes = 512 }, jobs), OK);
	sums = summed(&g);
	reading_release(&g);
	writer_release(&w);
	return sums;
}

static void every_form_of_a_recording_gives_the_same_stacks(void **state)
{
	struct buf plain = read_form(0, 1), other;
	unsigned form, jobs;

	(void)state;
	for (form = 0; form < 8; form++) {
		for (jobs = 1; jobs <= 2; jobs++) {
			other = read_form(form, jobs);
			assert_string_equal(buf_str(&other), buf_str(&plain));
			buf_release(&other);
		}
	}
	buf_release(&plain);
}

static void read_shuffled(struct reading *g, unsigned *seed)
{
	struct recording_writer w;
	unsigned order[RECORDS], i;

	for (i = 0; i < RECORDS; i++)
		order[i] = i;
	start(&w, usual, 0);
	for (i = 0; i < RECORDS; i += ROUND) {
		if (*seed)
			shuffle(order + i, ROUND, seed);
	}
	for (i = 0; i < RECORDS; i++) {
		put_number(&w, order[i]);
		if (i % ROUND == ROUND - 1)
			put_finished_round(&w);
	}
	assert_int_equal(read_stacks(g, &w, (struct read_opts){ .block_bytes = 4096 }, 1), OK);
	writer_release(&w);
}

static void the_order_within_a_round_changes_nothing(void **state)
{
	struct reading straight, other;
	struct buf expected, got;
	unsigned seed = 0, run;

	(void)state;
	read_shuffled(&straight, &seed);
	assert_int_equal(straight.recording->samples_kept, RECORDS * 7 / 10);
	expected = summed(&straight);
	for (run = 1; run <= 20; run++) {
		seed = run;
		read_shuffled(&other, &seed);
		got = summed(&other);
		assert_string_equal(buf_str(&got), buf_str(&expected));
		buf_release(&got);
		reading_release(&other);
	}
	buf_release(&expected);
	reading_release(&straight);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_TEST(mappings_and_names_count_from_their_time_in_any_order),
		BED_TEST(later_records_do_not_change_earlier_samples),
		BED_TEST(a_record_older_than_finished_rounds_still_counts),
		BED_TEST(times_may_go_backwards_and_repeat),
		BED_DIR_TEST(reused_code_is_dated_by_the_earliest_sample_of_a_later_line),
		BED_TEST(records_without_time_come_before_everything),
		BED_TEST(file_order_decides_if_all_times_are_zero),
		BED_TEST(records_without_a_trailer_hold_from_the_start),
		BED_TEST(id_zero_belongs_to_the_first_event),
		BED_TEST(every_form_of_a_recording_gives_the_same_stacks),
		BED_TEST(the_order_within_a_round_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
