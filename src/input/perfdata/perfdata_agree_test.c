/*
 * Ways of reading a recording that must agree, over recordings made here, over every recording in
 * testdata/, and over cuts of these:
 *
 *	headers    record_walk.c, record by record; record_chunk.c, by several workers;
 *	           perfdata_block_next(), in the blocks that either found; zstd_source.c
 *	samples    perfdata_sample_decode() and perfdata_sample_decode_short();
 *	           perfdata_sample_encode() gives the bytes that were decoded
 *
 * Headers: a scan that sums up samples is compared with one that goes record by record: the same
 * sums, other records, damage and blocks.
 */
#include "input/perfdata/perfdata_bed_for_test.h"

#include <ftw.h>

enum { CPUS = 5, EVENTS = 2, EVENTS_SEEN = 16, ROUNDS = 120, WORKERS = 3 };

/* What pass 1 wants to know. */
struct scan_result {
	const struct perfdata *pd;
	uint64_t samples[EVENTS_SEEN], first_ns[EVENTS_SEEN], last_ns;
	uint64_t unknown; /* samples whose event or time is not known */
	uint64_t others;  /* hash of all records that are not samples, in order */
	uint64_t losses;  /* hash of what was the last on each CPU, at each record LOST */
	struct tally_moment cpu[CPUS], last;
	uint64_t summed; /* samples that came summed up */
	struct record_list visited[WORKERS];
	unsigned wanted_blocks; /* that each worker handles before it wants no more */
	unsigned visited_blocks[WORKERS];
};

static void result_init(struct scan_result *t, const struct perfdata *pd)
{
	unsigned i;

	*t = (struct scan_result){ .pd = pd };
	for (i = 0; i < EVENTS_SEEN; i++)
		t->first_ns[i] = UINT64_MAX;
}

static void set_last(struct tally_moment *last, uint64_t time_ns, uint64_t position)
{
	if (position >= last->position)
		*last = (struct tally_moment){ time_ns, position };
}

static void add_sample(struct scan_result *t, const struct perfdata_record *r)
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
	cpu = a->offsets.cpu ? bytes_u32(r->p + a->offsets.cpu, a->swapped) : UINT32_MAX;
	i %= EVENTS_SEEN;
	t->samples[i]++;
	t->first_ns[i] = time_ns < t->first_ns[i] ? time_ns : t->first_ns[i];
	t->last_ns = time_ns > t->last_ns ? time_ns : t->last_ns;
	if (cpu < CPUS)
		set_last(&t->cpu[cpu], time_ns, r->position);
	set_last(&t->last, time_ns, r->position);
}

static int add_record(void *ctx, const struct perfdata_record *r, struct err *e)
{
	struct scan_result *t = ctx;

	(void)e;
	if (r->type == RECORD_SAMPLE) {
		add_sample(t, r);
		return OK;
	}
	if (r->type == RECORD_LOST || r->type == RECORD_LOST_SAMPLES)
		t->losses = hash_pair(t->losses,
			hash_bytes(t->cpu, sizeof(t->cpu)) ^ hash_bytes(&t->last, sizeof(t->last)));
	t->others = hash_pair(t->others, hash_pair(r->position, hash_bytes(r->p, r->size)));
	return OK;
}

static void add_sums(void *ctx, const struct perfdata_tally *sum)
{
	struct scan_result *t = ctx;
	uint32_t i;

	for (i = 0; i < sum->n_events; i++) {
		uint32_t k = i % EVENTS_SEEN;

		t->samples[k] += sum->event[i].samples;
		t->summed += sum->event[i].samples;
		if (sum->event[i].first_time_ns < t->first_ns[k])
			t->first_ns[k] = sum->event[i].first_time_ns;
	}
	if (sum->last_time_ns > t->last_ns)
		t->last_ns = sum->last_time_ns;
	for (i = 0; sum->has_cpus && i < sum->n_cpus && i < CPUS; i++)
		if (sum->cpu[i].time_ns != UINT64_MAX)
			set_last(&t->cpu[i], sum->cpu[i].time_ns, sum->cpu[i].position);
	set_last(&t->last, sum->last.time_ns, sum->last.position);
}

/* By each worker for itself, at once. */
static bool visit_block(void *ctx, unsigned worker, struct perfdata_block *b)
{
	struct scan_result *t = ctx;
	struct perfdata_record r;
	struct err e;

	assert_true(t->visited_blocks[worker] < t->wanted_blocks);
	t->visited[worker].pd = t->pd;
	while (perfdata_block_next(b, &r))
		record_list_add(&t->visited[worker], &r, &e);
	return ++t->visited_blocks[worker] < t->wanted_blocks;
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

/* A record followed by raw bytes, which look like samples. */
static void put_payload(struct recording_writer *w, uint64_t *seed)
{
	bool is_trace = draw(seed, 2);
	size_t at = writer_begin(w, is_trace ? RECORD_AUXTRACE : RECORD_HEADER_TRACING_DATA, 0);
	unsigned i, n = draw(seed, 12);

	put_u64(w, n * 24);
	put_zeros(w, is_trace ? 32 : 0);
	writer_end(w, at);
	for (i = 0; i < n; i++) {
		at = writer_begin(w, RECORD_SAMPLE, CPUMODE_USER);
		put_u64(w, 101);
		put_u64(w, 0);
		writer_end(w, at);
	}
}

/* After such a record others may begin anywhere. */
static void put_odd(struct recording_writer *w, uint64_t *seed)
{
	size_t at = writer_begin(w, RECORD_HEADER_FEATURE, 0);

	put_u64(w, 200);
	put_zeros(w, 1 + draw(seed, 7));
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
		else if (kind == 1 && !draw(seed, 20))
			put_payload(w, seed);
		else if (kind == 1 && !draw(seed, 20))
			put_odd(w, seed);
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

static void assert_same_result(const struct scan_result *a, const struct scan_result *b)
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
	const struct listed_record *a = pa, *b = pb;

	return (a->position > b->position) - (a->position < b->position);
}

/* The records that workers visited and those left over are all records. */
static void check_visited(
	struct scan_result *t, struct perfdata *pd, const struct record_list *records)
{
	struct record_list all = { 0 };
	unsigned k;
	size_t i;

	perfdata_rewind_unread(pd);
	record_list_blocks(&all, pd);
	for (k = 0; k < WORKERS; k++) {
		for (i = 0; i < t->visited[k].n; i++) {
			ARRAY_GROW(all.list, all.n, all.cap);
			all.list[all.n++] = t->visited[k].list[i];
		}
		record_list_release(&t->visited[k]);
	}
	if (all.n)
		qsort(all.list, all.n, sizeof(*all.list), by_position);
	record_list_assert_same(records, &all);
	record_list_release(&all);
}

/* Scan a recording that is open in both ways. */
static void compare_open(struct opened *o, unsigned wanted_blocks, unsigned workers)
{
	struct pool *pool = pool_new(workers);
	struct record_list records = { 0 }, blocks = { 0 };
	struct scan_result serial, parallel;
	struct diag d = { 0 };
	struct perfdata_visitor v = { &parallel, add_record, add_sums, visit_block };

	result_init(&serial, o->pd);
	result_init(&parallel, o->pd);
	parallel.wanted_blocks = wanted_blocks;
	assert_int_equal(perfdata_scan_records(o->pd, add_record, &serial, &d, &o->err), OK);
	record_list_scan(&records, o->pd, &(struct diag){ 0 });
	o->diag = (struct diag){ 0 };
	assert_int_equal(perfdata_scan(o->pd, &v, pool, &o->diag, &o->err), OK);
	record_list_blocks(&blocks, o->pd);

	assert_same_result(&serial, &parallel);
	assert_memory_equal(&d, &o->diag, sizeof(d));
	record_list_assert_same(&records, &blocks);
	check_visited(&parallel, o->pd, &records);
	record_list_release(&records);
	record_list_release(&blocks);
	pool_free(pool);
}

static void compare(struct perfdata_bed *b, size_t block_bytes, unsigned workers)
{
	bed_open_blocks(b, block_bytes);
	compare_open(
		&b->o, block_bytes ? (unsigned)(b->w.data.n / block_bytes / 2 + 1) : 1, workers);
}

static void compare_all(struct perfdata_bed *b, bool swapped, bool damaged)
{
	static const size_t block_bytes[] = { 0, 64, 512, 4096 };
	uint64_t seed = 5;
	unsigned round;

	for (round = 0; round < ROUNDS; round++) {
		bed_reset_swapped(b, swapped);
		put_recording(&b->w, &seed);
		if (damaged)
			damage(&b->w, &seed);
		compare(b, block_bytes[round % ARRAY_LEN(block_bytes)], 1 + round % 3);
	}
}

/* Compressed records with sizes that are multiples of 8, like those of plain ones. */
static void compressed_recordings_are_the_same_in_both_ways(void **state)
{
	const struct test_compression c = { .type = RECORD_COMPRESSED2, .flush_bytes = 700 };
	struct perfdata_bed *b = *state;
	uint64_t seed = 7;
	unsigned round;

	for (round = 0; round < 20; round++) {
		bed_reset(b);
		put_recording(&b->w, &seed);
		writer_compress(&b->w, &c);
		compare(b, round % 2 ? 512 : 4096, 1 + round % 3);
	}
}

static void whole_recordings_are_the_same_in_both_ways(void **state)
{
	compare_all(*state, false, false);
}

static void recordings_of_the_other_byte_order_too(void **state)
{
	compare_all(*state, true, false);
}

static void damaged_recordings_are_the_same_in_both_ways(void **state)
{
	compare_all(*state, false, true);
}

static void put_samples(struct recording_writer *w, uint64_t *seed, unsigned n)
{
	while (n--)
		put_sample(w, seed);
}

/* Records go on after each, at no multiple of 8, until a second one of such a size. */
static void odd_sizes_are_the_same_in_both_ways(void **state)
{
	static const uint32_t types[] = { RECORD_SAMPLE, RECORD_COMM, RECORD_HEADER_FEATURE };
	static const size_t block_bytes[] = { 0, 512, 4096 };
	struct perfdata_bed *b = *state;
	uint64_t seed = 11;
	unsigned i;

	for (i = 0; i < ARRAY_LEN(types) * 7; i++) {
		unsigned more = 1 + i % 7, k;

		bed_reset(b);
		put_header(&b->w);
		for (k = 0; k < 2; k++) {
			size_t at;

			put_samples(&b->w, &seed, 20);
			at = writer_begin(&b->w, types[i / 7], CPUMODE_USER);
			put_zeros(&b->w, 48 + (k ? 8 - more : more));
			writer_end(&b->w, at);
		}
		put_samples(&b->w, &seed, 20);
		for (k = 0; k < ARRAY_LEN(block_bytes); k++)
			compare(b, block_bytes[k], 1 + k);
	}
}

/* ---- so that the tests above are about what they say -------------------------------------- */

/* Sum up 500 samples; so many blocks are wanted. */
static void scan_samples(
	struct perfdata_bed *b, size_t block_bytes, unsigned wanted_blocks, struct scan_result *t)
{
	struct perfdata_visitor v = { t, add_record, add_sums, wanted_blocks ? visit_block : NULL };
	uint64_t seed = 9;
	unsigned i;

	put_header(&b->w);
	for (i = 0; i < 500; i++)
		put_sample(&b->w, &seed);
	bed_open_blocks(b, block_bytes);
	result_init(t, b->o.pd);
	t->wanted_blocks = wanted_blocks;
	assert_int_equal(perfdata_scan(b->o.pd, &v, NULL, &b->o.diag, &b->o.err), OK);
}

static void blocks_are_visited_while_they_are_wanted(void **state)
{
	struct perfdata_bed *b = *state;
	struct scan_result t;
	uint64_t n;

	scan_samples(b, 512, 10, &t);
	assert_int_equal(t.visited_blocks[0], 10);
	n = t.visited[0].n;
	assert_in_range(n, 10, 250);
	record_list_release(&t.visited[0]);
	perfdata_rewind_unread(b->o.pd);
	record_list_blocks(&b->all, b->o.pd);
	assert_int_equal(b->all.n, 500 - n);
	perfdata_rewind(b->o.pd);
	record_list_blocks(&b->all, b->o.pd);
	assert_int_equal(b->all.n, 500);
}

static void all_but_odd_samples_are_summed_up(void **state)
{
	struct scan_result t;

	scan_samples(*state, 0, 0, &t);
	assert_in_range(t.summed, 480, t.samples[0] + t.samples[1]);
}

static void a_recording_of_one_block_is_read_once(void **state)
{
	struct perfdata_bed *b = *state;
	struct perfdata_block block = { 0 };
	struct scan_result t;

	scan_samples(b, 0, 0, &t);
	assert_int_equal(ftruncate(b->o.file.fd, 0), 0);
	record_list_blocks(&b->all, b->o.pd);
	assert_int_equal(b->all.n, 500);
	perfdata_rewind(b->o.pd);
	assert_int_equal(perfdata_pop_block(b->o.pd, &block, &b->o.err), ERR_IO);
	perfdata_block_release(&block);
}

/* A stack that was copied has what looks like records: the guess is wrong, and is found out. */
static void bytes_of_a_sample_that_look_like_records_are_not_records(void **state)
{
	struct perfdata_bed *b = *state;
	uint64_t seed = 3;
	unsigned i, k;

	put_recording(&b->w, &seed);
	for (i = 0; i < 20; i++) {
		size_t at = writer_begin(&b->w, RECORD_SAMPLE, CPUMODE_USER);

		put_u64(&b->w, 101);
		put_u64(&b->w, 0x401000);
		put_u64(&b->w, 5000000 + i);
		put_u64(&b->w, 1);
		put_u64(&b->w, 3000);
		for (k = 0; k < 1000; k++) {
			put_u32(&b->w, RECORD_SAMPLE);
			put_u16(&b->w, CPUMODE_USER);
			put_u16(&b->w, 24);
			put_u64(&b->w, 101);
			put_u64(&b->w, 0);
		}
		writer_end(&b->w, at);
	}
	compare(b, 4096, 2);
	compare(b, 512, 1);
}

/* ---- samples ------------------------------------------------------------------------------ */

static void assert_same_sample(const struct perfdata_sample *a, const struct perfdata_sample *b)
{
	assert_true(a->ip == b->ip && a->time_ns == b->time_ns);
	assert_true(a->pid == b->pid && a->tid == b->tid && a->cpu == b->cpu);
	assert_true(a->has == b->has && a->cpumode == b->cpumode && a->swapped == b->swapped);
	assert_true(a->ips == b->ips && a->n_ips == b->n_ips);
	assert_true(a->raw == b->raw && a->raw_bytes == b->raw_bytes);
}

/* Both decode the record as one of a short event: other parts are removed from the attribute. */
static void compare_decoders(const struct perfdata_attr *attr, const struct perfdata_record *r)
{
	const uint64_t parts = SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME |
			       SAMPLE_ADDR | SAMPLE_ID | SAMPLE_STREAM_ID | SAMPLE_CPU |
			       SAMPLE_PERIOD | SAMPLE_CALLCHAIN | SAMPLE_RAW;
	struct perfdata_attr a = *attr;
	struct perfdata_sample whole, quick;
	bool good;

	a.sample_type &= parts;
	assert_true(perfdata_sample_is_short(&a));
	memset(&quick, 0xee, sizeof(quick));
	good = perfdata_sample_decode(&a, r, &whole);
	assert_int_equal(perfdata_sample_decode_short(&a, r, &quick), good);
	if (good)
		assert_same_sample(&whole, &quick);
	if (good && perfdata_sample_is_short(attr))
		assert_int_equal(whole.has, attr->sample_type);
}

/* What is there, without registers and stacks, is encoded as it was. */
static void compare_encoded(const struct perfdata_attr *a, const struct perfdata_record *r)
{
	const uint64_t never = SAMPLE_REGS_USER | SAMPLE_STACK_USER | SAMPLE_REGS_INTR | SAMPLE_AUX;
	struct perfdata_sample s;
	struct buf b = { 0 };

	if (!perfdata_sample_decode(a, r, &s))
		return;
	assert_true(perfdata_sample_encode(&b, a, r, &s, a->sample_type & ~never,
		(struct span){ (const char *)s.ips, (size_t)s.n_ips * 8 }));
	assert_true(b.n <= r->size);
	if (!(a->sample_type & never)) {
		assert_int_equal(b.n, r->size);
		assert_memory_equal(b.p, r->p, b.n);
	}
	buf_release(&b);
}

/* Cuts of a record, and records in which one byte is another; a copy ends where the record does,
 * so that sanitizers see what is read beyond. */
static void compare_damaged(const struct perfdata_attr *a, struct perfdata_record r)
{
	const uint8_t *bytes = r.p;
	uint32_t size = r.size, step = size / 64 + 1, at;

	for (at = RECORD_HEADER_BYTES; at < size; at += step) {
		uint8_t *copy = xmemdup(bytes, at);

		r.p = copy;
		r.size = at;
		compare_decoders(a, &r);
		free(copy);
		r.p = copy = xmemdup(bytes, size);
		r.size = size;
		copy[at] ^= (uint8_t)(1 << at % 8 | 0x80);
		compare_decoders(a, &r);
		free(copy);
	}
}

struct decoding {
	const struct perfdata *pd;
	unsigned samples;
};

static int decode_both(void *ctx, const struct perfdata_record *r, struct err *e)
{
	enum { DAMAGED = 20 };
	struct decoding *d = ctx;
	uint32_t n, attr;

	(void)e;
	if (r->type != RECORD_SAMPLE || !perfdata_sample_event(d->pd, r, &attr))
		return OK;
	compare_decoders(&perfdata_attrs(d->pd, &n)[attr], r);
	compare_encoded(&perfdata_attrs(d->pd, &n)[attr], r);
	if (d->samples++ < DAMAGED)
		compare_damaged(&perfdata_attrs(d->pd, &n)[attr], *r);
	return OK;
}

/* ---- all recordings there are ------------------------------------------------------------- */

enum { LARGE_BYTES = 100 * 1000 };

static struct buf corpus_bytes; /* of one recording */
static unsigned n_corpus;

/* The first n bytes of the recording. False if they are refused. */
static bool open_cut(struct opened *o, size_t n, size_t block_bytes)
{
	*o = (struct opened){ .strings = strtab_new() };
	assert_true(memory_file_open(corpus_bytes.p, n, &o->file));
	return perfdata_open(&o->pd, &o->file, o->strings, block_bytes, &o->diag, &o->err) == OK;
}

static void compare_cut(size_t n, size_t block_bytes, unsigned workers)
{
	struct opened o;

	if (open_cut(&o, n, block_bytes))
		compare_open(&o, (unsigned)(n / block_bytes / 2 + 1), workers);
	opened_release(&o);
}

static void compare_samples(void)
{
	struct decoding d = { 0 };
	struct opened o;

	if (open_cut(&o, corpus_bytes.n, 0)) {
		d.pd = o.pd;
		assert_int_equal(perfdata_scan_records(o.pd, decode_both, &d, &o.diag, &o.err), OK);
	}
	opened_release(&o);
}

/* The recording cut at offsets inside of records. */
static void compare_cuts(void)
{
	static const size_t block_bytes[] = { 64, 512, 4096, 1 << 20 };
	size_t n = corpus_bytes.n, step = n / 7 + 1, i;

	for (i = 0; i < ARRAY_LEN(block_bytes); i++)
		if (block_bytes[i] > 64 || n < LARGE_BYTES)
			compare_cut(n, block_bytes[i], 1 + (unsigned)i % 2);
	for (i = 1; i * step < n; i++)
		compare_cut(n - i * step + i, block_bytes[1 + i % 3], 1 + (unsigned)i % 2);
}

/* Headers with a wrong type or size. */
static void compare_headers(void)
{
	static const struct {
		uint8_t at, change; /* within the header */
	} damages[] = { { 0, 1 }, { 0, 0xff }, { 3, 1 }, { 6, 1 }, { 6, 4 }, { 6, 8 }, { 7, 1 },
		{ 6, 0x80 } };
	struct record_list records = { 0 };
	struct opened o;
	size_t i, at;

	if (open_cut(&o, corpus_bytes.n, 0))
		record_list_scan(&records, o.pd, &o.diag);
	opened_release(&o);
	for (i = 0; i < ARRAY_LEN(damages) && records.n; i++) {
		at = records.list[(i * 37 + 5) % records.n].position + damages[i].at;
		if (at >= corpus_bytes.n) /* of what was compressed */
			break;
		corpus_bytes.p[at] ^= (char)damages[i].change;
		compare_cut(corpus_bytes.n, 512, 1);
		corpus_bytes.p[at] ^= (char)damages[i].change;
	}
	record_list_release(&records);
}

static int compare_file(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	struct file f;
	struct err e;

	(void)st;
	(void)ftw;
	if (kind != FTW_F || file_open(&f, path, &e))
		return 0;
	corpus_bytes.n = 0;
	buf_reserve(&corpus_bytes, f.size_bytes + 1);
	assert_int_equal(file_read_at(&f, corpus_bytes.p, f.size_bytes, 0, &e), OK);
	corpus_bytes.n = f.size_bytes;
	file_close(&f);
	if (!perfdata_sniff(buf_span(&corpus_bytes)))
		return 0;
	n_corpus++;
	compare_cuts();
	compare_headers();
	compare_samples();
	return 0;
}

static void every_recording_and_its_cuts_are_the_same_in_every_way(void **state)
{
	(void)state;
	assert_int_equal(nftw("testdata", compare_file, 16, FTW_PHYS), 0);
	assert_true(n_corpus > 100); /* tests run at the root of the project */
	buf_release(&corpus_bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_TEST(whole_recordings_are_the_same_in_both_ways),
		BED_TEST(recordings_of_the_other_byte_order_too),
		BED_TEST(damaged_recordings_are_the_same_in_both_ways),
		BED_TEST(compressed_recordings_are_the_same_in_both_ways),
		BED_TEST(odd_sizes_are_the_same_in_both_ways),
		BED_TEST(all_but_odd_samples_are_summed_up),
		BED_TEST(blocks_are_visited_while_they_are_wanted),
		BED_TEST(a_recording_of_one_block_is_read_once),
		BED_TEST(bytes_of_a_sample_that_look_like_records_are_not_records),
		cmocka_unit_test(every_recording_and_its_cuts_are_the_same_in_every_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
