/*
 * What makes a record a repeat of another, and what is read of one.
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

/* What a record says; all of it, in order. */
struct said {
	uint64_t misc, id, ip, pid, tid, ns, cpu, address, caller, raw_bytes, prev, next, state;
};

static const struct said first = { CPUMODE_KERNEL, 11, 0x1010, 7, 8, 100, 3, 0x1800, 0x1c00, 28, 8,
	9, 1 };

struct repeating {
	struct recording_writer w;
	struct opened o;
	struct switch_match repeats;
	struct buf chains;
	struct switch_event event;
	struct perfdata_record r;
};

static struct trace_number number(uint32_t offset, uint8_t size_bytes)
{
	return (struct trace_number){ offset, offset + size_bytes, size_bytes, true };
}

static void begin(struct repeating *g, bool swapped, enum switch_role role)
{
	const struct test_attr a = {
		.type = EVENT_TRACEPOINT, .period = 1, .sample_type = sampled
	};

	*g = (struct repeating){ .w = WRITER_INIT };
	g->w.swapped = swapped;
	writer_attr(&g->w, &a, (uint64_t[]){ 11 }, 1);
	writer_attr(&g->w, &a, (uint64_t[]){ 12 }, 1);
	assert_int_equal(opened_from(&g->o, &g->w, 0), OK);
	switch_match_init(&g->repeats, g->o.pd);
	g->event.role = role;
	g->event.prev = number(4, 4);
	if (role == ROLE_WAKE)
		g->event.woken = number(8, 4);
	else
		g->event.next = number(8, 4);
	g->event.state = number(12, 8);
}

static void end(struct repeating *g)
{
	switch_match_release(&g->repeats);
	buf_release(&g->chains);
	opened_release(&g->o);
	writer_release(&g->w);
}

static void say(struct repeating *g, const struct said *s)
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
	/* The processor has 4 bytes. */
	memcpy(w->data.p + 40,
		(uint32_t[]){ w->swapped ? __builtin_bswap32((uint32_t)s->cpu) : (uint32_t)s->cpu },
		4);
	g->r = (struct perfdata_record){ RECORD_SAMPLE, (uint16_t)s->misc, (uint32_t)w->data.n,
		(const uint8_t *)w->data.p, 0 };
}

static void remember(struct repeating *g, const struct said *said)
{
	uint32_t n;
	const struct perfdata_attr *a = perfdata_attrs(g->o.pd, &n);
	struct perfdata_sample s;

	say(g, said);
	assert_true(perfdata_sample_decode_short(a, &g->r, &s));
	switch_match_add(&g->repeats, &g->r, a, &g->event, &s, WAIT, g->chains.n);
	buf_put(&g->chains, s.ips, (size_t)s.n_ips * 8);
}

static const struct switch_pattern *find(struct repeating *g, const struct said *said)
{
	say(g, said);
	return switch_match_find(&g->repeats, g->r.p, g->r.size, (const uint8_t *)g->chains.p);
}

static void expect_read(bool swapped)
{
	struct said later = first;
	struct repeating g;
	struct switch_seen seen;
	const struct switch_pattern *t;

	begin(&g, swapped, ROLE_OUT);
	remember(&g, &first);
	later.ns = 0x123456789a;
	later.cpu = 6;
	later.next = 77;
	t = find(&g, &later);
	assert_non_null(t);
	assert_int_equal(t->wait, WAIT);
	assert_true(switch_match_decode(t, g.r.p, g.repeats.swapped, &seen));
	assert_true(seen.time_ns == 0x123456789a);
	assert_int_equal(seen.cpu, 6);
	assert_int_equal(seen.other_tid, 77);
	end(&g);
}

static void time_cpu_and_next_thread_are_decoded_in_either_byte_order(void **state)
{
	(void)state;
	expect_read(false);
	expect_read(true);
}

static void any_other_difference_is_no_match(void **state)
{
	struct repeating g;
	struct said said = first;
	uint64_t *const differ[] = { &said.misc, &said.id, &said.ip, &said.pid, &said.tid,
		&said.address, &said.caller, &said.raw_bytes, &said.prev, &said.state };
	unsigned i;

	(void)state;
	begin(&g, false, ROLE_OUT);
	assert_null(find(&g, &first));
	remember(&g, &first);
	for (i = 0; i < ARRAY_LEN(differ); i++) {
		said = first;
		assert_non_null(find(&g, &said));
		*differ[i] += 4;
		assert_null(find(&g, &said));
	}
	switch_match_clear(&g.repeats);
	assert_null(find(&g, &first));
	end(&g);
}

static void two_alternating_waits_of_a_thread_both_match(void **state)
{
	struct repeating g;
	struct said there = first, elsewhere = first;

	(void)state;
	there.ip = 0x1020;
	elsewhere.ip = 0x1030;
	begin(&g, false, ROLE_OUT);
	remember(&g, &first);
	remember(&g, &there);
	assert_non_null(find(&g, &first));
	assert_non_null(find(&g, &there));
	remember(&g, &elsewhere);
	assert_null(find(&g, &first));
	assert_non_null(find(&g, &there));
	/* What was seen last stays. */
	remember(&g, &first);
	assert_null(find(&g, &elsewhere));
	assert_non_null(find(&g, &there));
	assert_non_null(find(&g, &first));
	end(&g);
}

static int32_t other_of(
	enum switch_role role, const struct said *remembered, uint64_t next, bool *known)
{
	struct said said = *remembered;
	struct switch_seen seen = { .other_tid = -2 };
	struct repeating g;
	const struct switch_pattern *t;

	begin(&g, false, role);
	remember(&g, remembered);
	said.next = next;
	t = find(&g, &said);
	assert_non_null(t);
	*known = switch_match_decode(t, g.r.p, g.repeats.swapped, &seen);
	end(&g);
	return seen.other_tid;
}

static void impossible_thread_ids_are_nobody(void **state)
{
	struct said contained = first;
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
	struct repeating g;
	const uint8_t *chains;

	(void)state;
	begin(&g, false, ROLE_OUT);
	remember(&g, &first);
	say(&g, &first);
	chains = (const uint8_t *)g.chains.p;
	assert_non_null(switch_match_find(&g.repeats, g.r.p, g.r.size, chains));
	assert_null(switch_match_find(&g.repeats, g.r.p, g.r.size - 1, chains));
	assert_null(switch_match_find(&g.repeats, g.r.p, g.repeats.least_bytes - 1, chains));
	end(&g);
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
