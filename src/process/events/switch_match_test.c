/*
 * When a record matches an earlier one, and what is decoded of it.
 */
#include "base/mem.h"
#include "input/perfdata/perfdata_writer_for_test.h"
#include "process/events/switch_match.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* needs those above */
#include <cmocka.h>

enum { WAIT = 5, ADDRESSES = 4 };

static const uint64_t sampled = SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME |
				SAMPLE_CPU | SAMPLE_CALLCHAIN | SAMPLE_RAW;

/* All parts of a record, in order. */
struct test_switch {
	uint64_t misc, id, ip, pid, tid, ns, cpu, address, caller, raw_bytes, prev, next, state;
};

static const struct test_switch first = { CPUMODE_KERNEL, 11, 0x1010, 7, 8, 100, 3, 0x1800, 0x1c00,
	28, 8, 9, 1 };

struct match_fixture {
	struct recording_writer w;
	struct opened o;
	struct switch_match match;
	struct buf chains;
	struct switch_event event;
	struct perfdata_record r;
};

static struct trace_number number(uint32_t offset, uint8_t size_bytes)
{
	return (struct trace_number){ offset, offset + size_bytes, size_bytes, true };
}

static void setup(struct match_fixture *g, bool swapped, enum switch_role role)
{
	const struct test_attr a = {
		.type = EVENT_TRACEPOINT, .period = 1, .sample_type = sampled
	};

	*g = (struct match_fixture){ .w = WRITER_INIT };
	g->w.swapped = swapped;
	writer_attr(&g->w, &a, (uint64_t[]){ 11 }, 1);
	writer_attr(&g->w, &a, (uint64_t[]){ 12 }, 1);
	assert_int_equal(opened_from(&g->o, &g->w, 0), OK);
	switch_match_init(&g->match, g->o.pd);
	g->event.role = role;
	g->event.prev = number(4, 4);
	if (role == ROLE_WAKE)
		g->event.woken = number(8, 4);
	else
		g->event.next = number(8, 4);
	g->event.state = number(12, 8);
}

static void teardown(struct match_fixture *g)
{
	switch_match_release(&g->match);
	buf_release(&g->chains);
	opened_release(&g->o);
	writer_release(&g->w);
}

static void write_record(struct match_fixture *g, const struct test_switch *s)
{
	struct recording_writer *w = &g->w;
	size_t at;

	w->data.n = 0;
	at = writer_begin(w, RECORD_SAMPLE, (uint16_t)s->misc);
	put_u64(w, s->id);
	put_u64(w, s->ip);
	put_u32(w, (uint32_t)s->pid);
	put_u32(w, (uint32_t)s->tid);
	put_u64(w, s->ns);
	put_u64(w, 0);
	put_u64(w, ADDRESSES);
	put_u64(w, 0x1010);
	put_u64(w, s->address);
	put_u64(w, 0x1a00);
	put_u64(w, s->caller);
	put_u32(w, (uint32_t)s->raw_bytes);
	put_u32(w, 0);
	put_u32(w, (uint32_t)s->prev);
	put_u32(w, (uint32_t)s->next);
	put_u64(w, s->state);
	put_zeros(w, 8);
	writer_end(w, at);
	/* The CPU has 4 bytes. */
	memcpy(w->data.p + 40,
		(uint32_t[]){ w->swapped ? __builtin_bswap32((uint32_t)s->cpu) : (uint32_t)s->cpu },
		4);
	g->r = (struct perfdata_record){ RECORD_SAMPLE, (uint16_t)s->misc, (uint32_t)w->data.n,
		(const uint8_t *)w->data.p, 0 };
}

static void add_record(struct match_fixture *g, const struct test_switch *s)
{
	uint32_t n;
	const struct perfdata_attr *a = perfdata_attrs(g->o.pd, &n);
	struct perfdata_sample decoded;

	write_record(g, s);
	assert_true(perfdata_sample_decode_short(a, &g->r, &decoded));
	switch_match_add(&g->match, &g->r, a, &g->event, &decoded, WAIT, g->chains.n);
	buf_put(&g->chains, decoded.ips, (size_t)decoded.n_ips * 8);
}

static const struct switch_pattern *find_record(
	struct match_fixture *g, const struct test_switch *s)
{
	write_record(g, s);
	return switch_match_find(&g->match, g->r.p, g->r.size, (const uint8_t *)g->chains.p);
}

static void expect_read(bool swapped)
{
	struct test_switch later = first;
	struct match_fixture g;
	struct switch_seen seen;
	const struct switch_pattern *t;

	setup(&g, swapped, ROLE_OUT);
	add_record(&g, &first);
	later.ns = 0x123456789a;
	later.cpu = 6;
	later.next = 77;
	t = find_record(&g, &later);
	assert_non_null(t);
	assert_int_equal(t->wait, WAIT);
	assert_true(switch_match_decode(t, g.r.p, g.match.swapped, &seen));
	assert_true(seen.time_ns == 0x123456789a);
	assert_int_equal(seen.cpu, 6);
	assert_int_equal(seen.other_tid, 77);
	teardown(&g);
}

static void time_cpu_and_next_thread_are_decoded_in_either_byte_order(void **state)
{
	(void)state;
	expect_read(false);
	expect_read(true);
}

static void any_other_difference_is_no_match(void **state)
{
	struct match_fixture g;
	struct test_switch s = first;
	uint64_t *const differ[] = { &s.misc, &s.id, &s.ip, &s.pid, &s.tid, &s.address, &s.caller,
		&s.raw_bytes, &s.prev, &s.state };
	unsigned i;

	(void)state;
	setup(&g, false, ROLE_OUT);
	assert_null(find_record(&g, &first));
	add_record(&g, &first);
	for (i = 0; i < ARRAY_LEN(differ); i++) {
		s = first;
		assert_non_null(find_record(&g, &s));
		*differ[i] += 4;
		assert_null(find_record(&g, &s));
	}
	switch_match_clear(&g.match);
	assert_null(find_record(&g, &first));
	teardown(&g);
}

static void two_alternating_waits_of_a_thread_both_match(void **state)
{
	struct match_fixture g;
	struct test_switch there = first, elsewhere = first;

	(void)state;
	there.ip = 0x1020;
	elsewhere.ip = 0x1030;
	setup(&g, false, ROLE_OUT);
	add_record(&g, &first);
	add_record(&g, &there);
	assert_non_null(find_record(&g, &first));
	assert_non_null(find_record(&g, &there));
	add_record(&g, &elsewhere);
	assert_null(find_record(&g, &first));
	assert_non_null(find_record(&g, &there));
	/* What was seen last stays. */
	add_record(&g, &first);
	assert_null(find_record(&g, &elsewhere));
	assert_non_null(find_record(&g, &there));
	assert_non_null(find_record(&g, &first));
	teardown(&g);
}

static int32_t other_of(
	enum switch_role role, const struct test_switch *earlier, uint64_t next, bool *known)
{
	struct test_switch s = *earlier;
	struct switch_seen seen = { .other_tid = -2 };
	struct match_fixture g;
	const struct switch_pattern *t;

	setup(&g, false, role);
	add_record(&g, earlier);
	s.next = next;
	t = find_record(&g, &s);
	assert_non_null(t);
	*known = switch_match_decode(t, g.r.p, g.match.swapped, &seen);
	teardown(&g);
	return seen.other_tid;
}

static void impossible_thread_ids_are_nobody(void **state)
{
	struct test_switch contained = first;
	bool known;

	(void)state;
	contained.prev = 4000;
	assert_int_equal(other_of(ROLE_OUT, &first, 0, &known), 0);
	assert_true(known);
	assert_int_equal(
		other_of(ROLE_OUT, &first, SWITCH_TIDS_MAX - 1, &known), SWITCH_TIDS_MAX - 1);
	assert_int_equal(other_of(ROLE_OUT, &first, SWITCH_TIDS_MAX, &known), SWITCH_NOBODY);
	assert_int_equal(other_of(ROLE_OUT, &first, UINT32_MAX, &known), SWITCH_NOBODY);
	assert_int_equal(other_of(ROLE_OUT, &contained, 9, &known), SWITCH_NOBODY);
	assert_int_equal(other_of(ROLE_RAN, &first, 9, &known), SWITCH_NOBODY);
	assert_true(known);
}

static void waking_nobody_is_no_switch(void **state)
{
	bool known;

	(void)state;
	assert_int_equal(other_of(ROLE_WAKE, &first, 9, &known), 9);
	assert_true(known);
	other_of(ROLE_WAKE, &first, 0, &known);
	assert_false(known);
	other_of(ROLE_WAKE, &first, UINT32_MAX, &known);
	assert_false(known);
}

static void a_truncated_record_does_not_match(void **state)
{
	struct match_fixture g;
	const uint8_t *chains;

	(void)state;
	setup(&g, false, ROLE_OUT);
	add_record(&g, &first);
	write_record(&g, &first);
	chains = (const uint8_t *)g.chains.p;
	assert_non_null(switch_match_find(&g.match, g.r.p, g.r.size, chains));
	assert_null(switch_match_find(&g.match, g.r.p, g.r.size - 1, chains));
	assert_null(switch_match_find(&g.match, g.r.p, g.match.least_bytes - 1, chains));
	teardown(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_cpu_and_next_thread_are_decoded_in_either_byte_order),
		cmocka_unit_test(any_other_difference_is_no_match),
		cmocka_unit_test(two_alternating_waits_of_a_thread_both_match),
		cmocka_unit_test(impossible_thread_ids_are_nobody),
		cmocka_unit_test(waking_nobody_is_no_switch),
		cmocka_unit_test(a_truncated_record_does_not_match),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
