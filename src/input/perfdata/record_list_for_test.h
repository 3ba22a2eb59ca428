/*
 * record_list_for_test.h - what both passes see of a recording, for tests
 *
 * Records are kept by what they say, not by their bytes, so that a recording can be compared with
 * the same one in another form. Records that only some forms have (perf's own) are left out unless
 * with_tools is set.
 *
 *	record_list_both(&s, pd, &diag);    the scan and the blocks, which must agree
 *	record_list_assert_same(&s, &other);
 *
 * Owns: the list. Threads: one.
 */
#ifndef PERFOLD_INPUT_PERFDATA_RECORD_LIST_FOR_TEST_H
#define PERFOLD_INPUT_PERFDATA_RECORD_LIST_FOR_TEST_H

#include "input/perfdata/perfdata_writer_for_test.h"

#include "base/hash.h"
#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define LIST_FN __attribute__((unused)) static

struct listed_record {
	uint32_t type, size;
	uint64_t hash; /* of all that it says */
	uint64_t position;
};

struct record_list {
	const struct perfdata *pd;
	struct listed_record *list;
	size_t n, cap;
	bool with_tools; /* records of perf itself are listed too */
};

LIST_FN uint64_t record_list_hash_sample(const struct perfdata *pd, const struct perfdata_record *r)
{
	struct perfdata_sample s;
	uint32_t n, event, i;
	uint64_t h;

	if (!perfdata_sample_event(pd, r, &event) ||
		!perfdata_sample_decode(&perfdata_attrs(pd, &n)[event], r, &s))
		return 0;
	h = hash_pair(event, hash_pair(s.ip, hash_pair(s.time_ns, s.period)));
	h = hash_pair(h, hash_pair((uint32_t)s.pid, (uint32_t)s.tid));
	for (i = 0; i < s.n_ips; i++)
		h = hash_pair(h, perfdata_sample_ip(&s, i));
	return s.raw_bytes ? hash_pair(h, hash_bytes(s.raw, s.raw_bytes)) : h;
}

LIST_FN uint64_t record_list_hash_other(const struct perfdata *pd, const struct perfdata_record *r)
{
	struct perfdata_trailer t = { 0 };
	struct perfdata_comm c;
	struct perfdata_mmap m;
	struct perfdata_task k;
	struct perfdata_lost l;
	struct perfdata_throttle o;
	struct perfdata_ksymbol y;
	struct perfdata_switch w;
	struct perfdata_cgroup g;
	uint64_t h;

	perfdata_record_decode_trailer(pd, r, &t);
	h = hash_pair(t.time_ns, hash_pair(t.id, hash_pair((uint32_t)t.tid, t.attr)));
	if (perfdata_record_decode_comm(pd, r, &c))
		h = hash_pair(h, hash_pair((uint32_t)c.tid, hash_bytes(c.name.p, c.name.n)));
	if (perfdata_record_decode_mmap(pd, r, &m))
		h = hash_pair(hash_pair(h, m.start),
			hash_pair(m.file_offset, hash_bytes(m.path.p, m.path.n) + m.executable));
	if (perfdata_record_decode_task(pd, r, &k))
		h = hash_pair(h, hash_pair((uint32_t)k.ptid, k.time_ns));
	if (perfdata_record_decode_lost(pd, r, &l))
		h = hash_pair(h, hash_pair(l.id, l.lost));
	if (perfdata_record_decode_throttle(pd, r, &o))
		h = hash_pair(h, hash_pair(o.time_ns, o.id));
	if (perfdata_record_decode_ksymbol(pd, r, &y))
		h = hash_pair(hash_pair(h, y.address),
			hash_pair(y.length, hash_pair(y.type, hash_bytes(y.name.p, y.name.n))));
	if (perfdata_record_decode_switch(pd, r, &w))
		h = hash_pair(h, hash_pair((uint32_t)w.other_tid, w.out));
	if (perfdata_record_decode_cgroup(pd, r, &g))
		h = hash_pair(h, hash_pair(g.id, hash_bytes(g.path.p, g.path.n)));
	return h;
}

LIST_FN int record_list_add(void *ctx, const struct perfdata_record *r, struct err *e)
{
	struct record_list *s = ctx;

	(void)e;
	if (r->type >= RECORD_TOOLS && !s->with_tools)
		return OK;
	ARRAY_GROW(s->list, s->n, s->cap);
	s->list[s->n++] = (struct listed_record){ r->type, r->size,
		r->type == RECORD_SAMPLE ? record_list_hash_sample(s->pd, r)
					 : record_list_hash_other(s->pd, r),
		r->position };
	return OK;
}

LIST_FN void record_list_blocks(struct record_list *s, struct perfdata *pd)
{
	struct perfdata_block b = { 0 };
	struct perfdata_record r;
	struct err e;
	int rc;

	s->n = 0;
	s->pd = pd;
	while ((rc = perfdata_pop_block(pd, &b, &e)) == OK)
		while (perfdata_block_next(&b, &r))
			record_list_add(s, &r, &e);
	assert_int_equal(rc, END);
	perfdata_block_release(&b);
}

/* The records of b are the first ones of a. */
LIST_FN void record_list_assert_front(const struct record_list *a, const struct record_list *b)
{
	size_t i;

	assert_in_range(b->n, 0, a->n);
	for (i = 0; i < b->n; i++)
		if (a->list[i].type != b->list[i].type || a->list[i].hash != b->list[i].hash)
			fail_msg(
				"record %zu: types %u and %u", i, a->list[i].type, b->list[i].type);
}

LIST_FN void record_list_assert_same(const struct record_list *a, const struct record_list *b)
{
	assert_int_equal(a->n, b->n);
	record_list_assert_front(a, b);
}

/* Of the same file: at the same positions, too. */
LIST_FN void record_list_assert_same_places(
	const struct record_list *a, const struct record_list *b)
{
	size_t i;

	record_list_assert_same(a, b);
	for (i = 0; i < a->n; i++)
		assert_int_equal(a->list[i].position, b->list[i].position);
}

LIST_FN void record_list_release(struct record_list *s)
{
	free(s->list);
	*s = (struct record_list){ 0 };
}

/* The scan alone, of a recording that is open. */
LIST_FN void record_list_scan(struct record_list *s, struct perfdata *pd, struct diag *d)
{
	struct err e;

	s->n = 0;
	s->pd = pd;
	if (perfdata_scan_records(pd, record_list_add, s, d, &e))
		fail_msg("%s", e.msg);
}

/* Both passes: the same records, at the same positions, which only grow. */
LIST_FN void record_list_both(struct record_list *s, struct perfdata *pd, struct diag *d)
{
	struct record_list blocks = { .with_tools = s->with_tools };
	size_t i;

	record_list_scan(s, pd, d);
	record_list_blocks(&blocks, pd);
	record_list_assert_same_places(s, &blocks);
	for (i = 1; i < s->n; i++)
		assert_true(s->list[i].position > s->list[i - 1].position);
	record_list_release(&blocks);
}

/* ---- a recording of all that tests compare ------------------------------------------------ */

/* With sample_id_all: the trailer. */
LIST_FN void put_trailer(struct recording_writer *w, uint64_t time_ns, uint64_t id)
{
	put_u32(w, 7);
	put_u32(w, 8);
	put_u64(w, time_ns);
	put_u64(w, id);
}

LIST_FN void put_test_sample(struct recording_writer *w, unsigned i)
{
	size_t at = writer_begin(w, RECORD_SAMPLE, CPUMODE_USER);
	unsigned n = i * 7 % 40, k;

	put_u64(w, i % 3 ? 101 : 202); /* id */
	put_u64(w, 0x401000 + i);
	put_u32(w, 7);
	put_u32(w, 8 + i % 4);
	put_u64(w, 1000 + i);
	put_u64(w, 99);
	put_u64(w, n);
	for (k = 0; k < n; k++)
		put_u64(w, 0x400000 + (uint64_t)i * k * 16);
	put_u32(w, 4 + i % 5 * 8); /* raw */
	for (k = 0; k < 4 + i % 5 * 8; k++)
		buf_putc(&w->data, (char)(i + k));
	writer_end(w, at);
}

LIST_FN void put_test_comm(struct recording_writer *w, unsigned i)
{
	size_t at = writer_begin(w, RECORD_COMM, 0);

	put_u32(w, 7);
	put_u32(w, i);
	put_string(w, i % 2 ? "worker" : "a longer name");
	put_trailer(w, 500 + i, 101);
	writer_end(w, at);
}

LIST_FN void put_test_mmap(struct recording_writer *w, unsigned i)
{
	size_t at = writer_begin(w, RECORD_MMAP2, CPUMODE_USER);

	put_u32(w, 7);
	put_u32(w, 8);
	put_u64(w, (uint64_t)i << 12);
	put_u64(w, 4096);
	put_u64(w, 8192);
	put_u32(w, 8);
	put_u32(w, 1);
	put_u64(w, 1234);
	put_u64(w, 0);
	put_u32(w, 5); /* PROT_READ | PROT_EXEC */
	put_u32(w, 2);
	put_string(w, "/usr/lib/libm.so.6");
	put_trailer(w, 600 + i, 202);
	writer_end(w, at);
}

LIST_FN void put_test_fork(struct recording_writer *w, unsigned i)
{
	size_t at = writer_begin(w, RECORD_FORK, 0);

	put_u32(w, 7);
	put_u32(w, 7);
	put_u32(w, i);
	put_u32(w, 7);
	put_u64(w, 700 + i);
	put_trailer(w, 700 + i, 101);
	writer_end(w, at);
}

/* One of the rarer records, in turn. */
LIST_FN void put_test_rare(struct recording_writer *w, unsigned i)
{
	static const uint32_t types[] = { RECORD_LOST, RECORD_THROTTLE, RECORD_KSYMBOL,
		RECORD_NAMESPACES, RECORD_SWITCH_CPU_WIDE, RECORD_CGROUP };
	uint32_t type = types[i / 10 % ARRAY_LEN(types)];
	size_t at = writer_begin(w, type, type == RECORD_SWITCH_CPU_WIDE ? 1 << 13 : 0);
	unsigned k;

	if (type == RECORD_KSYMBOL || type == RECORD_CGROUP)
		put_u64(w, 0xffffffff81000000 + i);
	if (type == RECORD_KSYMBOL) {
		put_u32(w, i);
		put_u16(w, 1);
		put_u16(w, 0);
	}
	if (type == RECORD_KSYMBOL || type == RECORD_CGROUP) {
		put_string(w, "/of/any/kind");
	} else if (type == RECORD_NAMESPACES || type == RECORD_SWITCH_CPU_WIDE) {
		put_u32(w, 7);
		put_u32(w, i);
	} else {
		for (k = 0; k < (type == RECORD_LOST ? 2 : 3); k++)
			put_u64(w, 101 + i * k);
	}
	if (type == RECORD_NAMESPACES) {
		put_u64(w, 7);
		for (k = 0; k < 14; k++)
			put_u64(w, 4026531836 + k * i);
	}
	put_trailer(w, 800 + i, 202);
	writer_end(w, at);
}

/* Records from number `from` to `to`, of several kinds and sizes. */
LIST_FN void put_test_records(struct recording_writer *w, unsigned from, unsigned to)
{
	unsigned i;

	for (i = from; i < to; i++) {
		if (i % 10 == 3)
			put_test_comm(w, i);
		else if (i % 10 == 5)
			put_test_mmap(w, i);
		else if (i % 10 == 7)
			put_test_fork(w, i);
		else if (i % 10 == 8)
			put_test_rare(w, i);
		else
			put_test_sample(w, i);
		if (i % 50 == 49)
			put_finished_round(w);
	}
}

/* Two events with ids, and what the recording says of itself. */
LIST_FN void put_test_header(struct recording_writer *w)
{
	const struct test_attr cycles = {
		.period = 99,
		.sample_type = SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME |
			       SAMPLE_PERIOD | SAMPLE_CALLCHAIN | SAMPLE_RAW,
		.flags = (uint64_t)1 << FLAG_SAMPLE_ID_ALL_BIT | 1 << FLAG_FREQ_BIT,
	};
	struct test_attr clock = cycles;

	clock.type = EVENT_SOFTWARE;
	writer_attr(w, &cycles, (uint64_t[]){ 101 }, 1);
	writer_attr(w, &clock, (uint64_t[]){ 201, 202 }, 2);
	writer_feature_string(w, FEATURE_HOSTNAME, "there");
	writer_feature_string(w, FEATURE_ARCH, "x86_64");
}

enum { TEST_RECORDS = 400 };

/* The whole. */
LIST_FN void put_test_recording(struct recording_writer *w)
{
	put_test_header(w);
	put_test_records(w, 0, TEST_RECORDS);
}

#endif
