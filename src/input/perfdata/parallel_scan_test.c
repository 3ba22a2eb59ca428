/*
 * A scan that sums up samples, by any number of workers, against one that goes record by record:
 * the same sums, other records, damage, and blocks.
 */
#include "input/perfdata/record_list_for_test.h"

#include "base/pool.h"

enum { CPUS = 5, EVENTS = 2, ROUNDS = 120, WORKERS = 3 };

/* What pass 1 wants to know. */
struct told {
	const struct perfdata *pd;
	uint64_t samples[EVENTS], first_ns[EVENTS], last_ns;
	uint64_t unknown; /* samples whose event or time is not known */
	uint64_t others;  /* hash of all records that are not samples, in order */
	uint64_t losses;  /* hash of what was the last on each processor, at each record LOST */
	struct tally_moment cpu[CPUS], last;
	uint64_t summed; /* samples that came summed up */
	struct seen shown[WORKERS];
	unsigned wanted_blocks; /* that each worker takes before it wants no more */
	unsigned shown_blocks[WORKERS];
};

static void told_init(struct told *t, const struct perfdata *pd)
{
	*t = (struct told){ .pd = pd, .first_ns = { UINT64_MAX, UINT64_MAX } };
}

static void saw(struct tally_moment *last, uint64_t time_ns, uint64_t position)
{
	if (position >= last->position)
		*last = (struct tally_moment){ time_ns, position };
}

static void tell_sample(struct told *t, const struct perfdata_record *r)
{
	const struct perfdata_attr *a;
	uint64_t time_ns;
	uint32_t n, i, cpu;

	if (!perfdata_sample_event(t->pd, r, &i)) {
		t->unknown++;
		return;
	}
	a = &perfdata_attrs(t->pd, &n)[i];
	if (!perfdata_sample_time(a, r, &time_ns) || time_ns >> 63) {
		t->unknown++;
		return;
	}
	cpu = bytes_u32(r->p + a->offsets.cpu, a->swapped);
	t->samples[i]++;
	t->first_ns[i] = time_ns < t->first_ns[i] ? time_ns : t->first_ns[i];
	t->last_ns = time_ns > t->last_ns ? time_ns : t->last_ns;
	if (cpu < CPUS)
		saw(&t->cpu[cpu], time_ns, r->position);
	saw(&t->last, time_ns, r->position);
}

static int tell_record(void *ctx, const struct perfdata_record *r, struct err *e)
{
	struct told *t = ctx;

	(void)e;
	if (r->type == RECORD_SAMPLE) {
		tell_sample(t, r);
		return OK;
	}
	if (r->type == RECORD_LOST || r->type == RECORD_LOST_SAMPLES)
		t->losses = hash_pair(t->losses,
			hash_bytes(t->cpu, sizeof(t->cpu)) ^ hash_bytes(&t->last, sizeof(t->last)));
	t->others = hash_pair(t->others, hash_pair(r->position, hash_bytes(r->p, r->size)));
	return OK;
}

static void tell_samples(void *ctx, const struct perfdata_tally *sum)
{
	struct told *t = ctx;
	uint32_t i;

	assert_int_equal(sum->n_events, EVENTS);
	assert_true(sum->has_cpus);
	for (i = 0; i < EVENTS; i++) {
		t->samples[i] += sum->event[i].samples;
		t->summed += sum->event[i].samples;
		if (sum->event[i].first_time_ns < t->first_ns[i])
			t->first_ns[i] = sum->event[i].first_time_ns;
	}
	if (sum->last_time_ns > t->last_ns)
		t->last_ns = sum->last_time_ns;
	for (i = 0; i < sum->n_cpus && i < CPUS; i++)
		if (sum->cpu[i].time_ns != UINT64_MAX)
			saw(&t->cpu[i], sum->cpu[i].time_ns, sum->cpu[i].position);
	saw(&t->last, sum->last.time_ns, sum->last.position);
}

/* By each worker for itself, at once. */
static bool tell_block(void *ctx, unsigned worker, struct perfdata_block *b)
{
	struct told *t = ctx;
	struct perfdata_record r;
	struct err e;

	assert_true(t->shown_blocks[worker] < t->wanted_blocks);
	t->shown[worker].pd = t->pd;
	while (perfdata_block_next(b, &r))
		see(&t->shown[worker], &r, &e);
	return ++t->shown_blocks[worker] < t->wanted_blocks;
}

/* ---- recordings --------------------------------------------------------------------------- */

static uint32_t draw(uint64_t *seed, uint32_t below)
{
	*seed = hash_u64(*seed + 1);
	return (uint32_t)(*seed >> 20) % below;
}

static void put_sample(struct recording_writer *w, uint64_t *seed)
{
	static const uint64_t ids[] = { 101, 101, 101, 202, 201 };
	size_t at = writer_begin(w, RECORD_SAMPLE, CPUMODE_USER);
	unsigned n = draw(seed, 30);

	put_u64(w, draw(seed, 500) ? ids[draw(seed, ARRAY_LEN(ids))] : 77);
	put_u64(w, 0x401000);
	put_u64(w, draw(seed, 500) ? 1000000 + draw(seed, 1 << 20) : UINT64_MAX);
	put_u32(w, draw(seed, 500) ? draw(seed, CPUS) : 1 << 20);
	put_u32(w, 0);
	put_u64(w, n);
	while (n--)
		put_u64(w, (uint64_t)draw(seed, 16) << (draw(seed, 2) ? 48 : 0) | 9);
	writer_end(w, at);
}

static void put_lost(struct recording_writer *w)
{
	size_t at = writer_begin(w, RECORD_LOST, 0);

	put_u64(w, 101);
	put_u64(w, 3);
	put_u64(w, 5); /* the trailer: time, cpu, identifier */
	put_u32(w, 1);
	put_u32(w, 0);
	put_u64(w, 101);
	writer_end(w, at);
}

static void put_header(struct recording_writer *w)
{
	const struct test_attr cycles = {
		.period = 99,
		.sample_type =
			SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TIME | SAMPLE_CPU | SAMPLE_CALLCHAIN,
		.flags = (uint64_t)1 << FLAG_SAMPLE_ID_ALL_BIT,
	};

	writer_attr(w, &cycles, (uint64_t[]){ 101 }, 1);
	writer_attr(w, &cycles, (uint64_t[]){ 201, 202 }, 2);
}

static void put_recording(struct recording_writer *w, uint64_t *seed)
{
	unsigned n = draw(seed, 600), rare = 2 + draw(seed, 100);

	put_header(w);
	while (n--) {
		unsigned kind = draw(seed, rare);

		if (kind == 0)
			put_comm(w, 1, n, "worker");
		else if (kind == 1 && !draw(seed, 3))
			put_lost(w);
		else
			put_sample(w, seed);
	}
}

static void damage(struct recording_writer *w, uint64_t *seed)
{
	unsigned offsets = draw(seed, 4), n;

	for (; offsets && w->data.n > 16; offsets--)
		for (n = 1 + draw(seed, 8); n; n--)
			w->data.p[draw(seed, (uint32_t)w->data.n)] = (char)draw(seed, 256);
}

/* ------------------------------------------------------------------------------------------- */

static void assert_told_same(const struct told *a, const struct told *b)
{
	assert_memory_equal(a->samples, b->samples, sizeof(a->samples));
	assert_memory_equal(a->first_ns, b->first_ns, sizeof(a->first_ns));
	assert_true(a->last_ns == b->last_ns);
	assert_true(a->unknown == b->unknown);
	assert_true(a->others == b->others);
	assert_true(a->losses == b->losses);
	assert_memory_equal(a->cpu, b->cpu, sizeof(a->cpu));
	assert_memory_equal(&a->last, &b->last, sizeof(a->last));
}

static int by_position(const void *pa, const void *pb)
{
	const struct seen_record *a = pa, *b = pb;

	return (a->position > b->position) - (a->position < b->position);
}

/* What workers were shown, and what was left over, is all that there is. */
static void check_shown(struct told *t, struct perfdata *pd, const struct seen *records)
{
	struct seen all = { 0 };
	unsigned k;
	size_t i;

	perfdata_rewind_unread(pd);
	seen_blocks(&all, pd);
	for (k = 0; k < WORKERS; k++) {
		for (i = 0; i < t->shown[k].n; i++) {
			ARRAY_GROW(all.list, all.n, all.cap);
			all.list[all.n++] = t->shown[k].list[i];
		}
		seen_release(&t->shown[k]);
	}
	if (all.n)
		qsort(all.list, all.n, sizeof(*all.list), by_position);
	seen_assert_same(records, &all);
	seen_release(&all);
}

/* Scan the recording in both ways. */
static void compare(struct recording_writer *w, size_t block_bytes, unsigned workers)
{
	struct pool *pool = pool_new(workers);
	struct seen records = { 0 }, blocks = { 0 };
	struct opened o;
	struct told slow, fast;
	struct diag d = { 0 };
	struct perfdata_visitor v = { &fast, tell_record, tell_samples, tell_block };

	assert_int_equal(opened_from(&o, w, block_bytes), OK);
	told_init(&slow, o.pd);
	told_init(&fast, o.pd);
	fast.wanted_blocks = block_bytes ? (unsigned)(w->data.n / block_bytes / 2 + 1) : 1;
	assert_int_equal(perfdata_scan_records(o.pd, tell_record, &slow, &d, &o.err), OK);
	seen_scan(&records, o.pd, &(struct diag){ 0 });
	o.diag = (struct diag){ 0 };
	assert_int_equal(perfdata_scan(o.pd, &v, pool, &o.diag, &o.err), OK);
	seen_blocks(&blocks, o.pd);

	assert_told_same(&slow, &fast);
	assert_memory_equal(&d, &o.diag, sizeof(d));
	seen_assert_same(&records, &blocks);
	check_shown(&fast, o.pd, &records);
	seen_release(&records);
	seen_release(&blocks);
	opened_release(&o);
	pool_free(pool);
}

static void compare_all(bool swapped, bool damaged)
{
	static const size_t block_bytes[] = { 0, 64, 512, 4096 };
	uint64_t seed = 5;
	unsigned round;

	for (round = 0; round < ROUNDS; round++) {
		struct recording_writer w = WRITER_INIT;

		w.swapped = swapped;
		put_recording(&w, &seed);
		if (damaged)
			damage(&w, &seed);
		compare(&w, block_bytes[round % ARRAY_LEN(block_bytes)], 1 + round % 3);
		writer_release(&w);
	}
}

/* So that the tests are about what they say. */
static void blocks_are_shown_while_they_are_wanted(void **state)
{
	struct recording_writer w = WRITER_INIT;
	struct told t;
	struct perfdata_visitor v = { &t, tell_record, tell_samples, tell_block };
	struct opened o;
	uint64_t seed = 9, n;
	unsigned i;

	(void)state;
	put_header(&w);
	for (i = 0; i < 500; i++)
		put_sample(&w, &seed);
	assert_int_equal(opened_from(&o, &w, 512), OK);
	told_init(&t, o.pd);
	t.wanted_blocks = 10;
	assert_int_equal(perfdata_scan(o.pd, &v, NULL, &o.diag, &o.err), OK);
	assert_int_equal(t.shown_blocks[0], 10);
	n = t.shown[0].n;
	assert_in_range(n, 10, 250);
	perfdata_rewind_unread(o.pd);
	seen_blocks(&t.shown[0], o.pd);
	assert_int_equal(t.shown[0].n, 500 - n);
	perfdata_rewind(o.pd);
	seen_blocks(&t.shown[0], o.pd);
	assert_int_equal(t.shown[0].n, 500);
	seen_release(&t.shown[0]);
	opened_release(&o);
	writer_release(&w);
}

static void whole_recordings_are_the_same_in_both_ways(void **state)
{
	(void)state;
	compare_all(false, false);
}

static void of_the_other_byte_order_too(void **state)
{
	(void)state;
	compare_all(true, false);
}

static void damaged_recordings_are_the_same_in_both_ways(void **state)
{
	(void)state;
	compare_all(false, true);
}

/* So that the tests above are about what they say. */
static void all_but_odd_samples_are_summed_up(void **state)
{
	struct recording_writer w = WRITER_INIT;
	struct opened o;
	struct told t;
	struct perfdata_visitor v = { &t, tell_record, tell_samples, NULL };
	uint64_t seed = 9;
	unsigned i;

	(void)state;
	put_header(&w);
	for (i = 0; i < 500; i++)
		put_sample(&w, &seed);
	assert_int_equal(opened_from(&o, &w, 0), OK);
	told_init(&t, o.pd);
	assert_int_equal(perfdata_scan(o.pd, &v, NULL, &o.diag, &o.err), OK);
	assert_in_range(t.summed, 480, t.samples[0] + t.samples[1]);
	opened_release(&o);
	writer_release(&w);
}

static void a_recording_of_one_block_is_read_once(void **state)
{
	struct recording_writer w = WRITER_INIT;
	struct perfdata_block b = { 0 };
	struct seen seen = { 0 };
	struct told t;
	struct perfdata_visitor v = { &t, tell_record, tell_samples, NULL };
	struct opened o;
	uint64_t seed = 9;
	unsigned i;

	(void)state;
	put_header(&w);
	for (i = 0; i < 500; i++)
		put_sample(&w, &seed);
	assert_int_equal(opened_from(&o, &w, 0), OK);
	told_init(&t, o.pd);
	assert_int_equal(perfdata_scan(o.pd, &v, NULL, &o.diag, &o.err), OK);
	assert_int_equal(ftruncate(o.file.fd, 0), 0);
	seen_blocks(&seen, o.pd);
	assert_int_equal(seen.n, 500);
	perfdata_rewind(o.pd);
	assert_int_equal(perfdata_pop_block(o.pd, &b, &o.err), ERR_IO);
	perfdata_block_release(&b);
	seen_release(&seen);
	opened_release(&o);
	writer_release(&w);
}

/* A stack that was copied has what looks like records: the guess is wrong, and is found out. */
static void what_looks_like_records_in_a_sample_is_none(void **state)
{
	struct recording_writer w = WRITER_INIT;
	uint64_t seed = 3;
	unsigned i, k;

	(void)state;
	put_recording(&w, &seed);
	for (i = 0; i < 20; i++) {
		size_t at = writer_begin(&w, RECORD_SAMPLE, CPUMODE_USER);

		put_u64(&w, 101);
		put_u64(&w, 0x401000);
		put_u64(&w, 5000000 + i);
		put_u64(&w, 1);
		put_u64(&w, 3000);
		for (k = 0; k < 1000; k++) {
			put_u32(&w, RECORD_SAMPLE);
			put_u16(&w, CPUMODE_USER);
			put_u16(&w, 24);
			put_u64(&w, 101);
			put_u64(&w, 0);
		}
		writer_end(&w, at);
	}
	compare(&w, 4096, 2);
	compare(&w, 512, 1);
	writer_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_recordings_are_the_same_in_both_ways),
		cmocka_unit_test(of_the_other_byte_order_too),
		cmocka_unit_test(damaged_recordings_are_the_same_in_both_ways),
		cmocka_unit_test(all_but_odd_samples_are_summed_up),
		cmocka_unit_test(blocks_are_shown_while_they_are_wanted),
		cmocka_unit_test(a_recording_of_one_block_is_read_once),
		cmocka_unit_test(what_looks_like_records_in_a_sample_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
