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

static void the_user_part_is_joined_by_its_cookie(void **state)
{
	unsigned swapped;

	for (swapped = 0; swapped < 2; swapped++) {
		struct recording_writer *w = bed_reset(state);

		start_as(w, swapped, usual, 0);
		put_kernel_sample(w, 7, 10, 1);
		put_kernel_sample(w, 7, 11, 1); /* two samples of one call share what follows */
		put_deferred(w, 7, 20, 1, 0x1010);
		put_kernel_sample(w, 7, 30, 2);
		put_deferred(w, 7, 40, 2, 0x1020);
		expect_stacks(w, DEFAULTS,
			"main /bin/a+f00 /bin/a+10! ?+ffffffff81000010! =2\n"
			"main /bin/a+f00 /bin/a+20! ?+ffffffff81000010! =1");
	}
}

static void the_user_part_may_come_before_its_sample_in_the_file(void **state)
{
	struct recording_writer *w = bed_writer(state);

	put_deferred(w, 7, 20, 1, 0x1010);
	put_kernel_sample(w, 7, 10, 1);
	expect_stacks(w, DEFAULTS, "main /bin/a+f00 /bin/a+10! ?+ffffffff81000010! =1");
}

static void parts_of_other_threads_and_cookies_do_not_match(void **state)
{
	struct recording_writer *w = bed_writer(state);
	const struct recording *r;

	put_name(w, 7, 8, 0, "other");
	put_kernel_sample(w, 7, 10, 1);
	put_deferred(w, 8, 20, 1, 0x1010);
	put_deferred(w, 7, 20, 2, 0x1010);
	r = bed_expect(state, DEFAULTS, "main ?+ffffffff81000010! =1");
	assert_int_equal(r->diag.count[DIAG_DEFERRED_MISSING], 1);
	assert_int_equal(r->diag.count[DIAG_BAD_MARK], 0);
}

static void a_mark_without_a_cookie_is_damage(void **state)
{
	struct recording_writer *w = bed_writer(state);
	const struct recording *r;

	put_sample(
		w, &(struct test_sample){ 7, 7, 0, 10, 1, 0x1010, 0, 3, { USER, 0x1010, LATER } });
	r = bed_read(state, DEFAULTS, 1);
	assert_int_equal(r->diag.count[DIAG_BAD_MARK], 1);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_TEST(the_user_part_is_joined_by_its_cookie),
		BED_TEST(the_user_part_may_come_before_its_sample_in_the_file),
		BED_TEST(parts_of_other_threads_and_cookies_do_not_match),
		BED_TEST(a_mark_without_a_cookie_is_damage),
		BED_TEST(chains_beyond_the_limit_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
