#include "input/perfdata/perfdata_writer_for_test.h"
#include "process/process_for_test.h"

enum { FLAG_SWITCHES = 1u << 26 };

static void put_switch(struct recording_writer *w, uint32_t tid, uint64_t ns, bool out)
{
	size_t at = writer_begin(w, RECORD_SWITCH, out ? 1 << 13 : 0);

	put_trailer(w, 7, tid, ns);
	writer_end(w, at);
}

static void put_period(
	struct recording_writer *w, uint32_t tid, uint32_t cpu, uint64_t ns, uint64_t ip)
{
	put_sample(w, &(struct test_sample){ 7, tid, cpu, ns, 1000, ip, 0, 2, { USER, ip } });
}

static void put_new_thread(struct recording_writer *w, uint32_t tid, uint64_t ns)
{
	size_t at = writer_begin(w, RECORD_FORK, 0);

	put_u32(w, 7), put_u32(w, 7);
	put_u32(w, tid), put_u32(w, 7);
	put_u64(w, ns);
	put_trailer(w, 7, tid, ns);
	writer_end(w, at);
}

/* One thread runs at 0x10 for nine tenths of the time, then four at 0x20 for the rest: the case of
 * the kernel's document with fewer threads. */
static void put_document_case(struct recording_writer *w, bool switches)
{
	uint32_t tid;
	uint64_t i;

	*w = (struct recording_writer)WRITER_INIT;
	writer_attr(w,
		&(struct test_attr){ .type = 1,
			.sample_type = usual,
			.flags = TRAILER | (switches ? FLAG_SWITCHES : 0) },
		NULL, 0);
	for (tid = 7; tid <= 10; tid++)
		put_name(w, 7, tid, 0, "main");
	put_mmap(w, 7, 0, 0x1000, 0x1000, "/bin/a");
	if (switches)
		put_switch(w, 7, 1000, false);
	/* A new thread does not run before it is switched to. */
	put_new_thread(w, 11, 102000);
	for (i = 1; i <= 90; i++)
		put_period(w, 7, 0, 1000 + i * 1000, 0x1010);
	for (tid = 8; tid <= 10 && switches; tid++)
		put_switch(w, tid, 91500, false);
	for (i = 91; i <= 100; i++)
		for (tid = 7; tid <= 10; tid++)
			put_period(w, tid, tid - 7, 1000 + i * 1000, 0x1020);
	for (tid = 7; tid <= 10 && switches; tid++)
		put_switch(w, tid, 101500, true);
}

#define LATENCY ((struct read_opts){ .weight_by_latency = true })

static void threads_that_run_together_share_the_moment(void **state)
{
	struct recording_writer *w = bed_reset(state);
	const struct recording *r;

	put_document_case(w, true);
	bed_expect(state, DEFAULTS, "main /bin/a+10! =90000\nmain /bin/a+20! =40000");
	r = bed_expect(state, LATENCY, "main /bin/a+10! =90000\nmain /bin/a+20! =10000");
	assert_false(r->facts.parallelism_estimated);
	assert_string_equal(strtab_str(r->strings, r->weighs), "Latency");
	bed_read(state, LATENCY, 2);
	assert_string_equal(bed_stacks(state), "main /bin/a+10! =90000\nmain /bin/a+20! =10000");
}

static void without_switches_samples_tell_how_many_ran(void **state)
{
	struct recording_writer *w = bed_reset(state);
	const struct recording *r;

	put_document_case(w, false);
	r = bed_expect(state, LATENCY, "main /bin/a+10! =90000\nmain /bin/a+20! =10000");
	assert_true(r->facts.parallelism_estimated);
}

static void recordings_without_times_are_refused(void **state)
{
	struct recording_writer *w = bed_restart(state, SAMPLE_IP | SAMPLE_TID | SAMPLE_PERIOD);

	(void)w;
	bed_read_as(state, LATENCY, 1, ERR_UNSUPPORTED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_TEST(threads_that_run_together_share_the_moment),
		BED_TEST(without_switches_samples_tell_how_many_ran),
		BED_TEST(recordings_without_times_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
