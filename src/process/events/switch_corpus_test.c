/*
 * switch_match.h against the full decoder, on every recording below testdata/ that has switches:
 * what is found by its bytes is what perfdata_sample_decode() and switch_events_decode_sample()
 * say. So too after any byte of a record has changed, and nothing is found in a record that is cut
 * off.
 */
#include "input/perfdata/perfdata_writer_for_test.h"
#include "process/process_for_test.h"
#include "process/events/events.h"

#include <ftw.h>
#include <zstd.h>

enum { MUTATED_MAX = 40, RECORDING_BYTES_MAX = 64 << 20 };

/* A sample that was remembered. */
struct known {
	struct perfdata_sample s;
	struct switch_class class;
	size_t chain;
};

struct corpus {
	struct reading g;
	struct opened o;
	struct tracing tracing;
	struct switch_events events;
	struct switch_match match;
	const struct perfdata_attr *attrs;
	struct known *known;
	uint32_t n_known, cap_known;
	struct buf chains;
	unsigned n_mutated;
};

/* nftw() has no context. */
static struct totals {
	unsigned recordings;
	uint64_t samples, found, found_mutated, cuts;
} totals;

static struct perfdata_record record_at(const struct corpus *c, const uint8_t *p)
{
	bool swapped = c->attrs->swapped;

	return (struct perfdata_record){ bytes_u32(p, swapped), bytes_u16(p + 4, swapped),
		bytes_u16(p + 6, swapped), p, 0 };
}

static bool has_same_class(const struct corpus *c, const struct known *k,
	const struct perfdata_sample *s, const struct switch_class *class)
{
	return k->s.pid == s->pid && k->s.tid == s->tid && k->s.ip == s->ip &&
	       k->s.cpumode == s->cpumode && k->s.n_ips == s->n_ips &&
	       memcmp(c->chains.p + k->chain, s->ips ? s->ips : (const uint8_t *)"",
		       (size_t)s->n_ips * 8) == 0 &&
	       k->class.event == class->event && k->class.kind == class->kind &&
	       k->class.state == class->state;
}

/* Both ways agree on the record at p, where it is found; returns whether it is. */
static bool check_record(const struct corpus *c, const uint8_t *p, size_t left)
{
	const struct switch_pattern *t =
		switch_match_find(&c->match, p, left, (const uint8_t *)c->chains.p);
	struct perfdata_record r = record_at(c, p);
	struct switch_seen fast = { .time_ns = 0 }, full = { .time_ns = 0 };
	struct perfdata_sample s;
	uint32_t event;
	bool known;

	if (!t)
		return false;
	assert_true(r.type == RECORD_SAMPLE && r.size == t->size_bytes && r.size <= left);
	assert_true(perfdata_sample_event(c->o.pd, &r, &event));
	assert_true(perfdata_sample_decode(&c->attrs[event], &r, &s));
	known = switch_match_decode(t, p, c->match.swapped, &fast);
	assert_int_equal(known, switch_events_decode_sample(&c->events, event, &s, &full));
	if (!known)
		return true;
	assert_true(fast.time_ns == full.time_ns);
	assert_int_equal(fast.cpu, full.cpu);
	assert_int_equal(fast.other_tid, full.other_tid);
	assert_true(has_same_class(c, &c->known[t->wait], &s, &full.class));
	return true;
}

/* Remembers the record as switch_waits.c does. */
static void add_record(struct corpus *c, const struct perfdata_record *r)
{
	struct perfdata_sample s;
	struct switch_seen seen;
	uint32_t event;

	if (r->type != RECORD_SAMPLE || !perfdata_sample_event(c->o.pd, r, &event) ||
		!c->events.of[event].role || !perfdata_sample_is_short(&c->attrs[event]) ||
		!perfdata_sample_decode_short(&c->attrs[event], r, &s) ||
		!switch_events_decode_sample(&c->events, event, &s, &seen))
		return;
	totals.samples++;
	ARRAY_GROW(c->known, c->n_known, c->cap_known);
	c->known[c->n_known] = (struct known){ s, seen.class, c->chains.n };
	if (s.n_ips)
		buf_put(&c->chains, s.ips, (size_t)s.n_ips * 8);
	switch_match_add(&c->match, r, &c->attrs[event], &c->events.of[event], &s, c->n_known,
		c->known[c->n_known].chain);
	c->n_known++;
}

static void check_cuts(const struct corpus *c, const uint8_t *p, size_t size)
{
	size_t left;

	for (left = 0; left < size; left++, totals.cuts++) {
		uint8_t *cut = xmemdup(p, left); /* so that reading on is seen */

		assert_null(switch_match_find(&c->match, cut, left, (const uint8_t *)c->chains.p));
		free(cut);
	}
}

static void check_mutations(struct corpus *c, const uint8_t *p, size_t size)
{
	static const uint8_t flips[] = { 1, 0x80, 0xff };
	uint8_t *copy = xmemdup(p, size);
	size_t i, k;

	for (i = 0; i < size; i++)
		for (k = 0; k < ARRAY_LEN(flips); k++) {
			copy[i] ^= flips[k];
			totals.found_mutated += check_record(c, copy, size);
			copy[i] ^= flips[k];
		}
	free(copy);
}

static void check_block(struct corpus *c, struct perfdata_block *b)
{
	struct perfdata_record r;

	for (;;) {
		const uint8_t *p = b->bytes + b->at;
		bool found = b->at < b->n_bytes && check_record(c, p, b->n_bytes - b->at);

		if (!perfdata_block_next(b, &r))
			return;
		totals.found += found;
		if (found && r.p == p && c->n_mutated++ < MUTATED_MAX) {
			check_cuts(c, r.p, r.size);
			check_mutations(c, r.p, r.size);
		}
		add_record(c, &r);
	}
}

/* --wall and --wakers give all events a role, where the recording has what they need. */
static bool expect_events(struct corpus *c)
{
	static const struct read_opts opts[] = { { .off_cpu = OFF_CPU_WALL, .wakers = true },
		{ .off_cpu = OFF_CPU_ALONE, .wakers = true }, { .off_cpu = OFF_CPU_WALL },
		{ .off_cpu = OFF_CPU_ALONE } };
	struct recording *r = c->g.recording;
	size_t i;
	uint32_t n;

	c->attrs = perfdata_attrs(c->o.pd, &n);
	r->events = xcalloc(n, sizeof(*r->events));
	r->n_events = n;
	for (i = 0; i < n; i++)
		r->events[i].name = c->attrs[i].name;
	if (tracing_init(&c->tracing, r, c->o.pd, &opts[0], &c->o.err))
		return false;
	for (i = 0; i < ARRAY_LEN(opts); i++)
		if (switch_events_expect(&c->events, r, c->o.pd, &c->tracing, &opts[i]))
			return !c->events.no_stacks;
	return false;
}

static void check_recording(struct corpus *c)
{
	struct perfdata_block b = { 0 };

	totals.recordings++;
	switch_match_init(&c->match, c->o.pd);
	while (perfdata_pop_block(c->o.pd, &b, &c->o.err) == OK)
		check_block(c, &b);
	perfdata_block_release(&b);
	switch_match_release(&c->match);
}

static int ignore_record(void *ctx, const struct perfdata_record *r, struct err *e)
{
	(void)ctx, (void)r, (void)e;
	return OK;
}

static void check_bytes(const char *p, size_t n)
{
	const struct perfdata_visitor visitor = { .record = ignore_record };
	struct corpus c = { 0 };

	reading_init(&c.g);
	c.o.strings = c.g.strings;
	if (memory_file_open(p, n, &c.o.file) &&
		!perfdata_open(&c.o.pd, &c.o.file, c.g.strings, 0, &c.o.diag, &c.o.err) &&
		!perfdata_scan(c.o.pd, &visitor, NULL, &c.o.diag, &c.o.err) && expect_events(&c))
		check_recording(&c);
	switch_events_release(&c.events);
	tracing_release(&c.tracing);
	perfdata_free(c.o.pd);
	file_close(&c.o.file);
	reading_release(&c.g);
	free(c.known);
	buf_release(&c.chains);
}

static void check_file(const char *path)
{
	struct buf b = { 0 };
	struct err e;
	unsigned long long n;

	assert_int_equal(file_read_all(path, RECORDING_BYTES_MAX, &b, &e), OK);
	if (span_ends(span_of(path), SPAN(".zst"))) {
		char *plain;

		n = ZSTD_getFrameContentSize(b.p, b.n);
		assert_true(n <= RECORDING_BYTES_MAX);
		plain = xmalloc(n);
		assert_true(ZSTD_decompress(plain, n, b.p, b.n) == n);
		check_bytes(plain, n);
		free(plain);
	} else {
		check_bytes(b.p, b.n);
	}
	buf_release(&b);
}

static int visit(const char *path, const struct stat *st, int kind, struct FTW *f)
{
	struct span name = span_of(path + f->base);

	(void)st;
	if (kind == FTW_F && (span_ends(name, SPAN(".data")) || span_ends(name, SPAN(".data.zst"))))
		check_file(path);
	return 0;
}

static void what_is_found_by_bytes_is_what_decoding_says(void **state)
{
	(void)state;
	assert_int_equal(nftw("testdata", visit, 16, FTW_PHYS), 0);
	print_message("%u recordings, %u samples, %u found, %u of them changed, %u cuts\n",
		totals.recordings, (unsigned)totals.samples, (unsigned)totals.found,
		(unsigned)totals.found_mutated, (unsigned)totals.cuts);
	assert_true(totals.recordings && totals.found > 100 && totals.found_mutated > 100 &&
		    totals.cuts > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_found_by_bytes_is_what_decoding_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
