#include "input/perfdata/perfdata_writer_for_test.h"
#include "process/process_for_test.h"

enum { FLAG_SWITCHES = 1u << 26, FIRST = 101, SECOND = 102 };

/* How the same switches are recorded. */
enum switch_form {
	NO_SWITCHES,
	PLAIN_SWITCHES,
	WIDE_SWITCHES,  /* as of all CPUs */
	MIXED_SWITCHES, /* there is a second event, which has other trailers */
};

static void end_record(struct recording_writer *w, size_t at, uint32_t tid, uint64_t ns)
{
	put_trailer(w, 7, tid, ns);
	put_u64(w, FIRST);
	writer_end(w, at);
}

/* With the second event's trailer, which has no CPU. */
static void end_switch(
	struct recording_writer *w, enum switch_form form, size_t at, uint32_t tid, uint64_t ns)
{
	if (form != MIXED_SWITCHES) {
		end_record(w, at, tid, ns);
		return;
	}
	put_u32(w, 7), put_u32(w, tid);
	put_u64(w, ns);
	put_u64(w, SECOND);
	writer_end(w, at);
}

static void put_switch(
	struct recording_writer *w, enum switch_form form, uint32_t tid, uint64_t ns, bool out)
{
	uint32_t type = form == WIDE_SWITCHES ? RECORD_SWITCH_CPU_WIDE : RECORD_SWITCH;
	size_t at = writer_begin(w, type, out ? 1 << 13 : 0);

	if (form == WIDE_SWITCHES)
		put_u32(w, 1), put_u32(w, 1);
	end_switch(w, form, at, tid, ns);
}

static void put_period(
	struct recording_writer *w, uint32_t tid, uint32_t cpu, uint64_t ns, uint64_t ip)
{
	size_t at = writer_begin(w, RECORD_SAMPLE, CPUMODE_USER);

	put_u64(w, FIRST);
	put_sample_front(w, &(struct test_sample){ 7, tid, cpu, ns, 1000, ip, 0, 2, { USER, ip } });
	writer_end(w, at);
}

static void put_new_thread(struct recording_writer *w, uint32_t tid, uint64_t ns)
{
	size_t at = writer_begin(w, RECORD_FORK, 0);

	put_u32(w, 7), put_u32(w, 7);
	put_u32(w, tid), put_u32(w, 7);
	put_u64(w, ns);
	end_record(w, at, tid, ns);
}

static void put_program(struct recording_writer *w)
{
	size_t at;
	uint32_t tid;

	for (tid = 7; tid <= 10; tid++) {
		at = writer_begin(w, RECORD_COMM, 0);
		put_u32(w, 7), put_u32(w, tid);
		put_string(w, "main");
		end_record(w, at, tid, 0);
	}
	at = writer_begin(w, RECORD_MMAP, CPUMODE_USER);
	put_u32(w, 7), put_u32(w, 7);
	put_u64(w, 0x1000);
	put_u64(w, 0x1000);
	put_u64(w, 0);
	put_string(w, "/bin/a");
	end_record(w, at, 7, 0);
}

static void put_events(struct recording_writer *w, enum switch_form form)
{
	static const uint64_t ids[] = { FIRST, SECOND };
	struct test_attr a = { .type = 1,
		.sample_type = usual | SAMPLE_IDENTIFIER,
		.flags = TRAILER | (form != NO_SWITCHES ? FLAG_SWITCHES : 0) };

	writer_attr(w, &a, ids, 1);
	a.sample_type &= ~SAMPLE_CPU;
	if (form == MIXED_SWITCHES)
		writer_attr(w, &a, ids + 1, 1);
}

static void put_document_switches(struct recording_writer *w, enum switch_form form)
{
	uint32_t tid;

	if (form == NO_SWITCHES)
		return;
	put_switch(w, form, 7, 1000, false);
	for (tid = 8; tid <= 10; tid++)
		put_switch(w, form, tid, 91500, false);
	for (tid = 7; tid <= 10; tid++)
		put_switch(w, form, tid, 101500, true);
}

/* One thread runs at 0x10 for nine tenths of the time, then four at 0x20 for the rest: the case of
 * the kernel's document with fewer threads. */
static void put_document_case(struct recording_writer *w, enum switch_form form)
{
	uint32_t tid;
	uint64_t i;

	put_events(w, form);
	put_program(w);
	/* A new thread does not run before it is switched to. */
	put_new_thread(w, 11, 102000);
	for (i = 1; i <= 90; i++)
		put_period(w, 7, 0, 1000 + i * 1000, 0x1010);
	put_document_switches(w, form);
	for (i = 91; i <= 100; i++)
		for (tid = 7; tid <= 10; tid++)
			put_period(w, tid, tid - 7, 1000 + i * 1000, 0x1020);
}

#define LATENCY ((struct read_opts){ .weight_by_latency = true })
#define SHARED  "main /bin/a+10! =90000\nmain /bin/a+20! =10000"

static void threads_that_run_together_share_the_moment(void **state)
{
	struct recording_writer *w = bed_reset(state);
	const struct recording *r;

	put_document_case(w, PLAIN_SWITCHES);
	bed_expect(state, DEFAULTS, "main /bin/a+10! =90000\nmain /bin/a+20! =40000");
	r = bed_expect(state, LATENCY, SHARED);
	assert_false(r->facts.parallelism_estimated);
	assert_string_equal(strtab_str(r->strings, r->weighs), "Latency");
}

static void put_form(struct recording_writer *w, enum switch_form form, unsigned variant)
{
	w->swapped = variant & 1;
	put_document_case(w, form);
	if (variant & 2)
		writer_compress(w, &(struct test_compression){
					   .type = RECORD_COMPRESSED, .flush_bytes = 700 });
	if (variant & 4)
		writer_finish_pipe(w);
}

/* Each worker has lines of its own. */
static void expect_sums(const char *lines, uint64_t alone, uint64_t together)
{
	const char *p;

	for (p = lines; (p = strstr(p, "/bin/a+")); p++) {
		uint64_t weight = strtoull(strchr(p, '=') + 1, NULL, 10);

		if (strncmp(p, "/bin/a+10!", 10) == 0)
			alone -= weight;
		else
			together -= weight;
	}
	assert_int_equal(alone, 0);
	assert_int_equal(together, 0);
}

/* Also of compressed ones, whose blocks pass 1 does not hand out; and by several workers. */
static void every_form_of_switches_says_the_same(void **state)
{
	struct read_opts o = LATENCY;
	unsigned form, variant, jobs;

	o.block_bytes = 512;
	for (form = PLAIN_SWITCHES; form <= MIXED_SWITCHES; form++)
		for (variant = 0; variant < 8; variant++)
			for (jobs = 1; jobs <= 2; jobs++) {
				put_form(bed_reset(state), form, variant);
				bed_read(state, o, jobs);
				expect_sums(bed_stacks(state), 90000, 10000);
			}
}

static void without_switches_samples_tell_how_many_ran(void **state)
{
	struct recording_writer *w = bed_reset(state);
	const struct recording *r;

	put_document_case(w, NO_SWITCHES);
	r = bed_expect(state, LATENCY, SHARED);
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
		BED_TEST(every_form_of_switches_says_the_same),
		BED_TEST(without_switches_samples_tell_how_many_ran),
		BED_TEST(recordings_without_times_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
