/*
 * Call chains whose user part was recorded later, for the same thread and cookie.
 */
#include "input/perfdata/perfdata_writer_for_test.h"
#include "process/callstack/deferred.h"
#include "process/process_for_test.h"

#define LATER ((uint64_t)-640)

static void put_deferred(
	struct recording_writer *w, uint32_t tid, uint64_t time_ns, uint64_t cookie, uint64_t ip)
{
	size_t at = writer_begin(w, RECORD_CALLCHAIN_DEFERRED, 0);

	put_u64(w, cookie);
	put_u64(w, 3);
	put_u64(w, USER);
	put_u64(w, ip);
	put_u64(w, 0x1f00);
	put_trailer(w, 7, tid, time_ns);
	writer_end(w, at);
}

/* In the kernel, with the rest of its chain to come. */
static void put_kernel_sample(
	struct recording_writer *w, uint32_t tid, uint64_t time_ns, uint64_t cookie)
{
	const uint64_t ip = 0xffffffff81000010;

	put_sample(w, &(struct test_sample){ 7, tid, 0, time_ns, 1, ip, CPUMODE_KERNEL, 4,
			      { KERNEL, ip, LATER, cookie } });
}

static void start_with_kernel(struct recording_writer *w, bool swapped)
{
	start_as(w, swapped, usual, 0);
	put_name(w, 7, 8, 0, "other");
}

static void the_user_part_is_joined_by_its_cookie(void **state)
{
	unsigned swapped;

	(void)state;
	for (swapped = 0; swapped < 2; swapped++) {
		struct recording_writer w;

		start_with_kernel(&w, swapped);
		put_kernel_sample(&w, 7, 10, 1);
		put_kernel_sample(&w, 7, 11, 1); /* two samples of one call share what follows */
		put_deferred(&w, 7, 20, 1, 0x1010);
		put_kernel_sample(&w, 7, 30, 2);
		put_deferred(&w, 7, 40, 2, 0x1020);
		expect_stacks(&w, (struct read_opts){ 0 },
			"main /bin/a+f00 /bin/a+10! ?+ffffffff81000010! =2\n"
			"main /bin/a+f00 /bin/a+20! ?+ffffffff81000010! =1");
		writer_release(&w);
	}
}

static void the_user_part_may_lie_before_its_sample_in_the_file(void **state)
{
	struct recording_writer w;

	(void)state;
	start_with_kernel(&w, false);
	put_deferred(&w, 7, 20, 1, 0x1010);
	put_kernel_sample(&w, 7, 10, 1);
	expect_stacks(
		&w, (struct read_opts){ 0 }, "main /bin/a+f00 /bin/a+10! ?+ffffffff81000010! =1");
	writer_release(&w);
}

static void the_part_of_another_thread_or_cookie_is_not_taken(void **state)
{
	struct recording_writer w;
	struct reading g;

	(void)state;
	start_with_kernel(&w, false);
	put_kernel_sample(&w, 7, 10, 1);
	put_deferred(&w, 8, 20, 1, 0x1010);
	put_deferred(&w, 7, 20, 2, 0x1010);
	assert_int_equal(read_stacks(&g, &w, (struct read_opts){ 0 }, 1), OK);
	assert_string_equal(buf_str(&g.text), "main ?+ffffffff81000010! =1");
	assert_int_equal(g.recording->diag.count[DIAG_DEFERRED_MISSING], 1);
	assert_int_equal(g.recording->diag.count[DIAG_BAD_MARK], 0);
	reading_release(&g);
	writer_release(&w);
}

static void a_mark_without_a_cookie_spoils_the_chain(void **state)
{
	struct recording_writer w;
	struct reading g;

	(void)state;
	start_with_kernel(&w, false);
	put_sample(
		&w, &(struct test_sample){ 7, 7, 0, 10, 1, 0x1010, 0, 3, { USER, 0x1010, LATER } });
	assert_int_equal(read_stacks(&g, &w, (struct read_opts){ 0 }, 1), OK);
	assert_int_equal(g.recording->diag.count[DIAG_BAD_MARK], 1);
	reading_release(&g);
	writer_release(&w);
}

static void chains_beyond_the_limit_are_refused(void **state)
{
	enum { WORDS = 1 << 20 };
	uint8_t *ips = xcalloc(WORDS, 8);
	struct deferred d = { 0 };
	uint64_t cookie;
	uint32_t n;

	(void)state;
	for (cookie = 0; cookie < DEFERRED_IPS_MAX / WORDS; cookie++)
		assert_true(deferred_add(&d, 1, cookie, ips, WORDS, false));
	assert_false(deferred_add(&d, 1, cookie, ips, 1, false));
	assert_non_null(deferred_find(&d, 1, cookie - 1, &n));
	assert_int_equal(n, WORDS);
	assert_null(deferred_find(&d, 1, cookie, &n));
	deferred_release(&d);
	free(ips);
}

#define TEST cmocka_unit_test

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_user_part_is_joined_by_its_cookie),
		TEST(the_user_part_may_lie_before_its_sample_in_the_file),
		TEST(the_part_of_another_thread_or_cookie_is_not_taken),
		TEST(a_mark_without_a_cookie_spoils_the_chain),
		TEST(chains_beyond_the_limit_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
