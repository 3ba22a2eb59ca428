#include "input/perfdata/perfdata_bed_for_test.h"

/* No cut of the record may read past it; all but the whole are damage. */
static void expect_every_cut_is_damage(struct perfdata_bed *b)
{
	size_t n;

	for (n = RECORD_HEADER_BYTES; n < b->w.data.n; n++)
		if (bed_decode_front(b, n))
			fail_msg("cut at %zu of %zu was taken", n, b->w.data.n);
	assert_true(bed_decode(b));
}

static const uint64_t every_part =
	SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ADDR | SAMPLE_READ | SAMPLE_CALLCHAIN |
	SAMPLE_ID | SAMPLE_CPU | SAMPLE_PERIOD | SAMPLE_STREAM_ID | SAMPLE_RAW |
	SAMPLE_BRANCH_STACK | SAMPLE_REGS_USER | SAMPLE_STACK_USER | SAMPLE_WEIGHT |
	SAMPLE_DATA_SRC | SAMPLE_IDENTIFIER | SAMPLE_TRANSACTION | SAMPLE_REGS_INTR |
	SAMPLE_PHYS_ADDR | SAMPLE_AUX | SAMPLE_CGROUP | SAMPLE_DATA_PAGE_SIZE |
	SAMPLE_CODE_PAGE_SIZE;

/* In the order of perf_event_open(2). */
static void put_every_part(struct recording_writer *w)
{
	unsigned i;

	put_u64(w, 77);                   /* identifier */
	put_u64(w, 0x401000);             /* ip */
	put_u32(w, 10), put_u32(w, 11);   /* pid, tid */
	put_u64(w, 123456789);            /* time */
	put_u64(w, 0xadd1);               /* addr */
	put_u64(w, 77);                   /* id */
	put_u64(w, 78);                   /* stream id */
	put_u32(w, 3), put_u32(w, 0);     /* cpu */
	put_u64(w, 1000);                 /* period */
	put_u64(w, 5000), put_u64(w, 77); /* read: value, id */
	put_u64(w, 3);                    /* callchain */
	put_u64(w, (uint64_t)-512), put_u64(w, 0x401000), put_u64(w, 0x402000);
	put_u32(w, 12), put_zeros(w, 12); /* raw */
	put_u64(w, 2), put_u64(w, 9);     /* branches, hw_idx */
	for (i = 1; i <= 6; i++)
		put_u64(w, i);
	put_u64(w, REGS_ABI_64), put_u64(w, 0xb), put_u64(w, 0x5); /* user registers 1 and 8 */
	put_u64(w, 16), put_u64(w, 0x11), put_u64(w, 0x22), put_u64(w, 8); /* stack */
	put_u64(w, 31);                                                    /* weight */
	put_u64(w, 32);                                                    /* data_src */
	put_u64(w, 33);                                                    /* transaction */
	put_u64(w, REGS_ABI_32), put_u64(w, 0x1f);                         /* registers: 0 */
	put_u64(w, 34);                                                    /* phys_addr */
	put_u64(w, 35);                                                    /* cgroup */
	put_u64(w, 4096), put_u64(w, 8192);                                /* sizes of pages */
	put_u64(w, 8), put_u64(w, 0xaaaa);                                 /* aux */
}

static const struct test_attr with_every_part = { .sample_type = every_part,
	.read_format = READ_ID,
	.branch_sample_type = BRANCH_HW_INDEX,
	.regs_user = 0x102,
	.regs_intr = 0x1,
	.stack_user = 16 };

static void assert_every_part(const struct perfdata_attr *a, const struct perfdata_sample *s)
{
	assert_int_equal(s->id, 77);
	assert_int_equal(s->ip, 0x401000);
	assert_int_equal(s->pid, 10);
	assert_int_equal(s->tid, 11);
	assert_int_equal(s->time_ns, 123456789);
	assert_int_equal(s->addr, 0xadd1);
	assert_int_equal(s->stream_id, 78);
	assert_int_equal(s->cpu, 3);
	assert_int_equal(s->period, 1000);
	assert_int_equal(s->n_reads, 1);
	assert_int_equal(perfdata_sample_read(a, s, 0).value, 5000);
	assert_int_equal(perfdata_sample_read(a, s, 0).id, 77);
	assert_int_equal(s->n_ips, 3);
	assert_int_equal(perfdata_sample_ip(s, 0), (uint64_t)-512);
	assert_int_equal(perfdata_sample_ip(s, 2), 0x402000);
	assert_int_equal(s->raw_bytes, 12);
	assert_int_equal(s->n_branches, 2);
	assert_int_equal(s->branch_hw_idx, 9);
	assert_int_equal(perfdata_sample_branch(s, 1).from, 4);
	assert_int_equal(perfdata_sample_branch(s, 1).flags, 6);
	assert_int_equal(s->regs_user.mask, 0x102);
	assert_int_equal(bytes_u64(s->regs_user.values, s->swapped), 0xb);
	assert_int_equal(bytes_u64(s->regs_user.values + 8, s->swapped), 0x5);
	assert_int_equal(s->stack_bytes, 8);
	assert_int_equal(s->stack_requested_bytes, 16);
	assert_int_equal(bytes_u64(s->stack, s->swapped), 0x11);
	assert_int_equal(s->weight, 31);
	assert_int_equal(s->data_src, 32);
	assert_int_equal(s->transaction, 33);
	assert_int_equal(s->regs_intr.abi, REGS_ABI_32);
	assert_int_equal(bytes_u64(s->regs_intr.values, s->swapped), 0x1f);
	assert_int_equal(s->phys_addr, 34);
	assert_int_equal(s->cgroup, 35);
	assert_int_equal(s->data_page_bytes, 4096);
	assert_int_equal(s->code_page_bytes, 8192);
	assert_int_equal(s->aux_bytes, 8);
}

static void every_part_is_found_in_both_byte_orders_and_every_cut_is_damage(void **state)
{
	struct perfdata_bed *b = *state;
	int swapped;

	for (swapped = 0; swapped < 2; swapped++) {
		bed_sample_swapped(b, &with_every_part, swapped);
		put_every_part(&b->w);
		assert_true(bed_decode(b));
		assert_every_part(&b->attr, &b->sample);
		expect_every_cut_is_damage(b);
	}
}

static void parts_that_were_not_recorded_are_empty(void **state)
{
	struct perfdata_bed *b = *state;

	bed_sample(b, &(struct test_attr){ .sample_type = SAMPLE_IP, .period = 250 });
	put_u64(&b->w, 0x1234);
	assert_true(bed_decode(b));
	assert_int_equal(b->sample.ip, 0x1234);
	assert_int_equal(b->sample.pid, -1);
	assert_int_equal(b->sample.tid, -1);
	assert_int_equal(b->sample.cpu, -1);
	assert_int_equal(b->sample.n_ips, 0);
	assert_int_equal(b->sample.period, 250);
	assert_int_equal(b->sample.regs_user.abi, REGS_ABI_NONE);
	assert_true(b->sample.branch_hw_idx == UINT64_MAX);
}

static void a_sample_without_period_counts_one_where_the_event_has_a_frequency(void **state)
{
	struct perfdata_bed *b = *state;

	bed_sample(
		b, &(struct test_attr){
			   .sample_type = SAMPLE_IP, .period = 4000, .flags = 1 << FLAG_FREQ_BIT });
	put_u64(&b->w, 0x1234);
	assert_true(bed_decode(b));
	assert_int_equal(b->attr.frequency_hz, 4000);
	assert_int_equal(b->sample.period, 1);
}

static void misc_says_mode_and_whether_the_ip_is_exact(void **state)
{
	struct perfdata_bed *b = *state;

	bed_sample(b, &(struct test_attr){ .sample_type = SAMPLE_IP });
	put_u64(&b->w, 0x1234);
	b->record.misc = 1 << 14 | CPUMODE_USER;
	assert_true(bed_decode(b));
	assert_int_equal(b->sample.cpumode, CPUMODE_USER);
	assert_true(b->sample.exact_ip);
}

static void the_time_is_found_without_the_rest(void **state)
{
	struct perfdata_bed *b = *state;
	uint64_t t;

	bed_sample(b, &with_every_part);
	put_every_part(&b->w);
	assert_true(bed_decode(b));
	assert_true(perfdata_sample_time(&b->attr, &b->record, &t));
	assert_int_equal(t, 123456789);
	b->record.size = 16;
	assert_false(perfdata_sample_time(&b->attr, &b->record, &t));
	bed_sample(b, &(struct test_attr){ .sample_type = SAMPLE_IP });
	put_u64(&b->w, 0x401000);
	assert_true(bed_decode(b));
	assert_false(perfdata_sample_time(&b->attr, &b->record, &t));
}

/* A number in front of a list that its bytes cannot hold. */
static void wrong_counts_are_damage(void **state)
{
	struct perfdata_bed *b = *state;
	static const struct {
		const char *what;
		uint64_t part, count, read_format;
		bool ok;
	} cases[] = {
		{ "callchain of 0", SAMPLE_CALLCHAIN, 0, 0, true },
		{ "callchain of 2", SAMPLE_CALLCHAIN, 2, 0, true },
		{ "callchain of 7", SAMPLE_CALLCHAIN, 7, 0, false },
		{ "callchain of 2^61 + 1", SAMPLE_CALLCHAIN, ((uint64_t)1 << 61) + 1, 0, false },
		{ "callchain of 2^40", SAMPLE_CALLCHAIN, (uint64_t)1 << 40, 0, false },
		{ "callchain of 2^64 - 1", SAMPLE_CALLCHAIN, UINT64_MAX, 0, false },
		{ "raw of 4", SAMPLE_RAW, 4, 0, true },
		{ "raw of 0, which moves all behind it", SAMPLE_RAW, 0, 0, false },
		{ "raw of 7", SAMPLE_RAW, 7, 0, false },
		{ "raw of 2^32 - 4", SAMPLE_RAW, UINT32_MAX - 3, 0, false },
		{ "raw of 2^32 - 1", SAMPLE_RAW, UINT32_MAX, 0, false },
		{ "branches of 2", SAMPLE_BRANCH_STACK, 2, 0, true },
		{ "branches of 3", SAMPLE_BRANCH_STACK, 3, 0, false },
		{ "branches of 2^61", SAMPLE_BRANCH_STACK, (uint64_t)1 << 61, 0, false },
		{ "branches of 2^64 / 24 + 1", SAMPLE_BRANCH_STACK, UINT64_MAX / 24 + 1, 0, false },
		{ "stack of 0", SAMPLE_STACK_USER, 0, 0, true },
		{ "stack of 40", SAMPLE_STACK_USER, 40, 0, true },
		{ "stack without a size behind it", SAMPLE_STACK_USER, 48, 0, false },
		{ "stack of 2^64 - 8", SAMPLE_STACK_USER, UINT64_MAX - 7, 0, false },
		{ "group of 6", SAMPLE_READ, 6, READ_GROUP, true },
		{ "group of 3 with ids", SAMPLE_READ, 3, READ_GROUP | READ_ID, true },
		{ "group of 4 with ids", SAMPLE_READ, 4, READ_GROUP | READ_ID, false },
		{ "group of 2^60", SAMPLE_READ, (uint64_t)1 << 60, READ_GROUP | READ_ID, false },
		{ "aux of 48", SAMPLE_AUX, 48, 0, true },
		{ "aux of 49", SAMPLE_AUX, 49, 0, false },
	};
	size_t i;

	for (i = 0; i < ARRAY_LEN(cases); i++) {
		bed_sample(b, &(struct test_attr){ .sample_type = cases[i].part,
				      .read_format = cases[i].read_format });
		put_u64(&b->w, cases[i].count); /* raw has 32 bits: the upper half is its start */
		put_zeros(&b->w, 48);
		if (bed_decode(b) != cases[i].ok)
			fail_msg("%s", cases[i].what);
	}
}

static void a_chain_may_hold_as_many_addresses_as_a_record(void **state)
{
	struct perfdata_bed *b = *state;
	unsigned i;

	bed_sample(b, &(struct test_attr){ .sample_type = SAMPLE_CALLCHAIN });
	put_u64(&b->w, 8189);
	for (i = 0; i < 8189; i++)
		put_u64(&b->w, i);
	assert_int_equal(b->w.data.n, 65528);
	assert_true(bed_decode(b));
	assert_int_equal(b->sample.n_ips, 8189);
	assert_int_equal(perfdata_sample_ip(&b->sample, 8188), 8188);
}

static void context_marks_stay_in_the_chain(void **state)
{
	static const uint64_t chain[] = { (uint64_t)-128, (uint64_t)-3000, (uint64_t)-4095, 0,
		(uint64_t)-2048, (uint64_t)-512 };
	struct perfdata_bed *b = *state;
	size_t i;

	bed_sample(b, &(struct test_attr){ .sample_type = SAMPLE_CALLCHAIN });
	put_u64(&b->w, ARRAY_LEN(chain));
	for (i = 0; i < ARRAY_LEN(chain); i++)
		put_u64(&b->w, chain[i]);
	assert_true(bed_decode(b));
	for (i = 0; i < ARRAY_LEN(chain); i++)
		assert_true(perfdata_sample_ip(&b->sample, (uint32_t)i) == chain[i]);
}

/* A kernel thread has no user registers: none follow, whatever the mask. */
static void registers_follow_only_where_there_is_an_abi(void **state)
{
	struct perfdata_bed *b = *state;
	static const struct {
		uint64_t abi, mask;
		unsigned words; /* that follow */
	} cases[] = {
		{ REGS_ABI_NONE, 0xff0fff, 0 },
		{ REGS_ABI_32, 0x7, 3 },
		{ REGS_ABI_64, 0x0, 0 },
		{ REGS_ABI_64, 0xff0fff, 20 },
		{ REGS_ABI_64, 0xffffffff00000001, 33 }, /* vector registers */
		{ 3, 0x3, 2 },
	};
	size_t i;

	for (i = 0; i < ARRAY_LEN(cases); i++) {
		unsigned k;

		bed_sample(b, &(struct test_attr){ .sample_type = SAMPLE_REGS_USER | SAMPLE_WEIGHT,
				      .regs_user = cases[i].mask });
		put_u64(&b->w, cases[i].abi);
		for (k = 0; k < cases[i].words; k++)
			put_u64(&b->w, 100 + k);
		put_u64(&b->w, 4711); /* the weight, read right only if the registers were */
		assert_true(bed_decode(b));
		assert_int_equal(b->sample.weight, 4711);
		assert_int_equal(b->sample.regs_user.abi, cases[i].abi);
		expect_every_cut_is_damage(b);
	}
}

static void more_stack_than_requested_is_damage(void **state)
{
	struct perfdata_bed *b = *state;
	static const struct {
		uint64_t dyn_size;
		bool ok;
	} cases[] = { { 0, true }, { 15, true }, { 16, true }, { 17, false },
		{ UINT64_MAX, false } };
	size_t i;

	for (i = 0; i < ARRAY_LEN(cases); i++) {
		bed_sample(b, &(struct test_attr){ .sample_type = SAMPLE_STACK_USER });
		put_u64(&b->w, 16);
		put_zeros(&b->w, 16);
		put_u64(&b->w, cases[i].dyn_size);
		assert_int_equal(bed_decode(b), cases[i].ok);
		if (cases[i].ok)
			assert_int_equal(b->sample.stack_bytes, cases[i].dyn_size);
	}
}

static void the_members_of_a_group_are_read_with_what_read_format_says(void **state)
{
	struct perfdata_read r;
	struct perfdata_bed *b = *state;

	bed_sample(b, &(struct test_attr){ .sample_type = SAMPLE_READ,
			      .read_format = READ_GROUP | READ_ENABLED | READ_RUNNING | READ_ID |
					     READ_LOST });
	put_u64(&b->w, 2);
	put_u64(&b->w, 50), put_u64(&b->w, 40);
	put_u64(&b->w, 1), put_u64(&b->w, 2), put_u64(&b->w, 3);
	put_u64(&b->w, 4), put_u64(&b->w, 5), put_u64(&b->w, 6);
	assert_true(bed_decode(b));
	assert_int_equal(b->sample.n_reads, 2);
	assert_int_equal(b->sample.time_enabled, 50);
	assert_int_equal(b->sample.time_running, 40);
	r = perfdata_sample_read(&b->attr, &b->sample, 1);
	assert_int_equal(r.value, 4);
	assert_int_equal(r.id, 5);
	assert_int_equal(r.lost, 6);
	expect_every_cut_is_damage(b);
}

static void a_single_counter_has_its_id_after_the_times(void **state)
{
	struct perfdata_read r;
	struct perfdata_bed *b = *state;

	bed_sample(b, &(struct test_attr){ .sample_type = SAMPLE_READ | SAMPLE_CALLCHAIN,
			      .read_format = READ_ENABLED | READ_RUNNING | READ_ID | READ_LOST });
	put_u64(&b->w, 9), put_u64(&b->w, 50), put_u64(&b->w, 40), put_u64(&b->w, 7);
	put_u64(&b->w, 1);
	put_u64(&b->w, 1), put_u64(&b->w, 0x77);
	assert_true(bed_decode(b));
	r = perfdata_sample_read(&b->attr, &b->sample, 0);
	assert_int_equal(r.value, 9);
	assert_int_equal(r.id, 7);
	assert_int_equal(r.lost, 1);
	assert_int_equal(perfdata_sample_ip(&b->sample, 0), 0x77);
}

/* A newer kernel may have parts that we do not know. */
static void bytes_after_the_known_parts_do_no_harm(void **state)
{
	struct perfdata_bed *b = *state;

	bed_sample(b, &(struct test_attr){
			      .sample_type = SAMPLE_IP | SAMPLE_CALLCHAIN | (uint64_t)1 << 40 });
	put_u64(&b->w, 0x1234);
	put_u64(&b->w, 1), put_u64(&b->w, 0x99);
	put_zeros(&b->w, 24);
	assert_true(bed_decode(b));
	assert_int_equal(b->sample.n_ips, 1);
}

static void counters_of_branches_come_after_them(void **state)
{
	struct perfdata_bed *b = *state;
	unsigned i;

	bed_sample(b, &(struct test_attr){ .sample_type = SAMPLE_BRANCH_STACK | SAMPLE_WEIGHT,
			      .branch_sample_type = BRANCH_COUNTERS });
	put_u64(&b->w, 1);
	for (i = 0; i < 3; i++)
		put_u64(&b->w, i);
	put_u64(&b->w, 0xc0);
	put_u64(&b->w, 12);
	assert_true(bed_decode(b));
	assert_int_equal(bytes_u64(b->sample.branch_counters, false), 0xc0);
	assert_int_equal(b->sample.weight, 12);
	expect_every_cut_is_damage(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_TEST(every_part_is_found_in_both_byte_orders_and_every_cut_is_damage),
		BED_TEST(parts_that_were_not_recorded_are_empty),
		BED_TEST(a_sample_without_period_counts_one_where_the_event_has_a_frequency),
		BED_TEST(misc_says_mode_and_whether_the_ip_is_exact),
		BED_TEST(the_time_is_found_without_the_rest),
		BED_TEST(wrong_counts_are_damage),
		BED_TEST(a_chain_may_hold_as_many_addresses_as_a_record),
		BED_TEST(context_marks_stay_in_the_chain),
		BED_TEST(registers_follow_only_where_there_is_an_abi),
		BED_TEST(more_stack_than_requested_is_damage),
		BED_TEST(the_members_of_a_group_are_read_with_what_read_format_says),
		BED_TEST(a_single_counter_has_its_id_after_the_times),
		BED_TEST(bytes_after_the_known_parts_do_no_harm),
		BED_TEST(counters_of_branches_come_after_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
