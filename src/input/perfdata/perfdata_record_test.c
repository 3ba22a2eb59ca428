#include "input/perfdata/perfdata_writer_for_test.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* A recording of one event with a trailer, and the records that a test puts into it. */
struct fixture {
	struct recording_writer w;
	size_t at; /* of the record that was begun */
	struct opened o;
	struct perfdata_record records[64]; /* their bytes are copies of exactly their size */
	unsigned n;
};

enum { TRAILER = SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU };

static void put_event(struct fixture *f, uint64_t sample_type, const uint64_t *ids, size_t n_ids)
{
	writer_attr(&f->w,
		&(struct test_attr){
			.sample_type = sample_type, .flags = 1 << FLAG_SAMPLE_ID_ALL_BIT },
		ids, n_ids);
}

static int setup(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));

	f->w = (struct recording_writer)WRITER_INIT;
	put_event(f, TRAILER | SAMPLE_IP, NULL, 0);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	while (f->n)
		free((void *)f->records[--f->n].p);
	if (f->o.strings)
		opened_release(&f->o);
	writer_release(&f->w);
	free(f);
	return 0;
}

#define RECORD_TEST(t) cmocka_unit_test_setup_teardown(t, setup, teardown)

static void begin_record(struct fixture *f, uint32_t type, uint16_t misc)
{
	f->at = writer_begin(&f->w, type, misc);
}

/* With the trailer. */
static void end_record(struct fixture *f)
{
	put_u32(&f->w, 100), put_u32(&f->w, 101);
	put_u64(&f->w, 5000);
	put_u32(&f->w, 3), put_u32(&f->w, 0);
	writer_end(&f->w, f->at);
}

static int keep(void *ctx, const struct perfdata_record *r, struct err *e)
{
	struct fixture *f = ctx;

	(void)e;
	assert_true(f->n < ARRAY_LEN(f->records));
	f->records[f->n] = *r;
	f->records[f->n++].p = xmemdup(r->p, r->size);
	return OK;
}

static void read_records(struct fixture *f)
{
	assert_int_equal(opened_from(&f->o, &f->w, 0), OK);
	assert_int_equal(perfdata_scan_records(f->o.pd, keep, f, &f->o.diag, &f->o.err), OK);
}

static void assert_string(struct span s, const char *text)
{
	assert_int_equal(s.n, strlen(text));
	assert_memory_equal(s.p, text, s.n);
}

static void the_trailer_is_read_back_from_the_end(void **state)
{
	struct fixture *f = *state;
	struct perfdata_trailer t;

	begin_record(f, RECORD_COMM, 0);
	put_u32(&f->w, 1), put_u32(&f->w, 2);
	put_string(&f->w, "a name of odd length");
	end_record(f);
	put_finished_round(&f->w);
	begin_record(f, RECORD_SWITCH, 0);
	writer_end(&f->w, f->at); /* without the trailer that it should have */
	read_records(f);
	assert_true(perfdata_record_decode_trailer(f->o.pd, &f->records[0], &t));
	assert_int_equal(t.pid, 100);
	assert_int_equal(t.tid, 101);
	assert_true(t.has_time);
	assert_int_equal(t.time_ns, 5000);
	assert_int_equal(t.cpu, 3);
	assert_false(perfdata_record_decode_trailer(f->o.pd, &f->records[1], &t));
	assert_false(perfdata_record_decode_trailer(f->o.pd, &f->records[2], &t));
}

static void mmap2_has_inode_protection_and_path(void **state)
{
	struct fixture *f = *state;
	struct perfdata_mmap m;

	begin_record(f, RECORD_MMAP2, 1 << 12 | CPUMODE_USER);
	put_u32(&f->w, 7), put_u32(&f->w, 8);
	put_u64(&f->w, 0x400000), put_u64(&f->w, 0x2000), put_u64(&f->w, 0x1000);
	put_u32(&f->w, 8), put_u32(&f->w, 1), put_u64(&f->w, 4242), put_u64(&f->w, 1);
	put_u32(&f->w, PROT_READ | PROT_EXEC), put_u32(&f->w, MAP_PRIVATE | MAP_HUGETLB);
	put_string(&f->w, "/usr/bin/a b;c\n");
	end_record(f);
	read_records(f);
	assert_true(perfdata_record_decode_mmap(f->o.pd, &f->records[0], &m));
	assert_int_equal(m.pid, 7);
	assert_int_equal(m.tid, 8);
	assert_int_equal(m.start, 0x400000);
	assert_int_equal(m.length, 0x2000);
	assert_int_equal(m.file_offset, 0x1000);
	assert_int_equal(m.inode, 4242);
	assert_int_equal(m.build_id.n, 0);
	assert_true(m.executable);
	assert_true(m.huge);
	assert_true(m.private);
	assert_true(m.maps_timeout);
	assert_int_equal(m.cpumode, CPUMODE_USER);
	assert_string(m.path, "/usr/bin/a b;c\n");
}

/* A mapping as simpleperf writes it for code of the Java runtime. */
static void put_generated(struct fixture *f)
{
	begin_record(f, RECORD_MMAP2, CPUMODE_USER);
	put_u32(&f->w, 7), put_u32(&f->w, 8);
	put_u64(&f->w, 0x99fab470), put_u64(&f->w, 0x7c), put_u64(&f->w, 0);
	put_u64(&f->w, 0), put_u64(&f->w, 0), put_u64(&f->w, 0);
	put_u32(&f->w, 0x4000), put_u32(&f->w, 0);
	put_string(&f->w, "./TemporaryFile-1");
	end_record(f);
}

static void generated_code_is_where_it_is_in_memory_for_simpleperf(void **state)
{
	struct fixture *f = *state;
	struct perfdata_mmap m;

	put_generated(f);
	writer_feature(&f->w, FEATURE_SIMPLEPERF, "", 0);
	read_records(f);
	assert_true(perfdata_record_decode_mmap(f->o.pd, &f->records[0], &m));
	assert_true(m.generated);
	assert_true(m.executable);
	assert_int_equal(m.file_offset, 0x99fab470);
}

static void others_do_not_say_that_code_is_generated(void **state)
{
	struct fixture *f = *state;
	struct perfdata_mmap m;

	put_generated(f);
	read_records(f);
	assert_true(perfdata_record_decode_mmap(f->o.pd, &f->records[0], &m));
	assert_false(m.generated);
	assert_false(m.executable);
	assert_int_equal(m.file_offset, 0);
}

static void an_old_mmap_is_code_unless_misc_says_data(void **state)
{
	struct fixture *f = *state;
	struct perfdata_mmap m;
	unsigned i;

	for (i = 0; i < 2; i++) {
		begin_record(f, RECORD_MMAP, i ? 1 << 13 : CPUMODE_KERNEL);
		put_u32(&f->w, (uint32_t)-1), put_u32(&f->w, 0);
		put_u64(&f->w, 0), put_u64(&f->w, 0), put_u64(&f->w, 0);
		put_string(&f->w, "[kernel.kallsyms]_text");
		end_record(f);
	}
	read_records(f);
	assert_true(perfdata_record_decode_mmap(f->o.pd, &f->records[0], &m));
	assert_int_equal(m.pid, -1);
	assert_true(m.executable);
	assert_int_equal(m.cpumode, CPUMODE_KERNEL);
	assert_string(m.path, "[kernel.kallsyms]_text");
	assert_true(perfdata_record_decode_mmap(f->o.pd, &f->records[1], &m));
	assert_false(m.executable);
}

static void a_build_id_is_used_if_its_length_is_possible(void **state)
{
	struct fixture *f = *state;
	static const struct {
		uint8_t size, used;
	} cases[] = { { 0, 0 }, { 1, 1 }, { 16, 16 }, { 20, 20 }, { 21, 0 }, { 255, 0 } };
	size_t i, k;

	for (i = 0; i < ARRAY_LEN(cases); i++) {
		begin_record(f, RECORD_MMAP2, 1 << 14);
		put_zeros(&f->w, 32);
		buf_putc(&f->w.data, (char)cases[i].size);
		put_zeros(&f->w, 3);
		for (k = 0; k < 20; k++)
			buf_putc(&f->w.data, (char)(0xa0 + k));
		put_u32(&f->w, PROT_EXEC), put_u32(&f->w, 0);
		put_string(&f->w, "/lib/x.so");
		end_record(f);
	}
	read_records(f);
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct perfdata_mmap m;

		assert_true(perfdata_record_decode_mmap(f->o.pd, &f->records[i], &m));
		assert_int_equal(m.build_id.n, cases[i].used);
		if (m.build_id.n)
			assert_int_equal(
				m.build_id.byte[m.build_id.n - 1], 0xa0 + m.build_id.n - 1);
		assert_int_equal(m.inode, 0);
		assert_string(m.path, "/lib/x.so");
	}
}

/* The string ends where the trailer begins, even without its NUL. */
static void a_string_without_nul_ends_before_the_trailer(void **state)
{
	struct fixture *f = *state;
	struct perfdata_comm c;
	struct perfdata_cgroup g;
	struct perfdata_ksymbol k;
	struct perfdata_mmap m;

	begin_record(f, RECORD_COMM, 1 << 13);
	put_u32(&f->w, 1), put_u32(&f->w, 2), buf_puts(&f->w.data, "abcdefgh");
	end_record(f);
	begin_record(f, RECORD_CGROUP, 0);
	put_u64(&f->w, 33), buf_puts(&f->w.data, "/ab/defg");
	end_record(f);
	begin_record(f, RECORD_KSYMBOL, 0);
	put_u64(&f->w, 0xffffffffc0000000), put_u32(&f->w, 99), put_u16(&f->w, 1),
		put_u16(&f->w, 1);
	buf_puts(&f->w.data, "bpf_prog");
	end_record(f);
	begin_record(f, RECORD_MMAP, 0);
	put_zeros(&f->w, 32), buf_puts(&f->w.data, "/lib/x.s");
	end_record(f);
	begin_record(f, RECORD_COMM, 0);
	put_u32(&f->w, 1), put_u32(&f->w, 2), put_string(&f->w, "");
	end_record(f);
	read_records(f);
	assert_true(perfdata_record_decode_comm(f->o.pd, &f->records[0], &c));
	assert_true(c.exec);
	assert_string(c.name, "abcdefgh");
	assert_true(perfdata_record_decode_cgroup(f->o.pd, &f->records[1], &g));
	assert_int_equal(g.id, 33);
	assert_string(g.path, "/ab/defg");
	assert_true(perfdata_record_decode_ksymbol(f->o.pd, &f->records[2], &k));
	assert_int_equal(k.address, 0xffffffffc0000000);
	assert_int_equal(k.length, 99);
	assert_int_equal(k.type, 1);
	assert_true(k.unregister);
	assert_string(k.name, "bpf_prog");
	assert_true(perfdata_record_decode_mmap(f->o.pd, &f->records[3], &m));
	assert_string(m.path, "/lib/x.s");
	assert_true(perfdata_record_decode_comm(f->o.pd, &f->records[4], &c));
	assert_string(c.name, "");
}

static void forks_and_exits_name_both_threads(void **state)
{
	struct fixture *f = *state;
	struct perfdata_task t;

	begin_record(f, RECORD_FORK, 1 << 13);
	put_u32(&f->w, 1), put_u32(&f->w, 2), put_u32(&f->w, 3), put_u32(&f->w, 4);
	put_u64(&f->w, 99);
	end_record(f);
	begin_record(f, RECORD_EXIT, 1 << 13);
	put_u32(&f->w, (uint32_t)-1), put_u32(&f->w, 0), put_u32(&f->w, 3), put_u32(&f->w, 4);
	put_u64(&f->w, 99);
	end_record(f);
	read_records(f);
	assert_true(perfdata_record_decode_task(f->o.pd, &f->records[0], &t));
	assert_int_equal(t.pid, 1);
	assert_int_equal(t.ppid, 2);
	assert_int_equal(t.tid, 3);
	assert_int_equal(t.ptid, 4);
	assert_int_equal(t.time_ns, 99);
	assert_true(t.synthesized);
	assert_true(perfdata_record_decode_task(f->o.pd, &f->records[1], &t));
	assert_int_equal(t.pid, -1);
	assert_false(t.synthesized);
}

static void losses_and_throttling_are_decoded(void **state)
{
	struct fixture *f = *state;
	struct perfdata_lost l;
	struct perfdata_throttle t;

	begin_record(f, RECORD_LOST, 1 << 15);
	put_u64(&f->w, 5), put_u64(&f->w, UINT64_MAX);
	end_record(f);
	begin_record(f, RECORD_LOST_SAMPLES, 1 << 15);
	put_u64(&f->w, 12);
	end_record(f);
	begin_record(f, RECORD_THROTTLE, 0);
	put_u64(&f->w, 1), put_u64(&f->w, 2), put_u64(&f->w, 3);
	end_record(f);
	read_records(f);
	assert_true(perfdata_record_decode_lost(f->o.pd, &f->records[0], &l));
	assert_int_equal(l.id, 5);
	assert_true(l.lost == UINT64_MAX);
	assert_false(l.by_bpf);
	assert_true(perfdata_record_decode_lost(f->o.pd, &f->records[1], &l));
	assert_int_equal(l.lost, 12);
	assert_true(l.by_bpf);
	assert_true(perfdata_record_decode_throttle(f->o.pd, &f->records[2], &t));
	assert_int_equal(t.time_ns, 1);
	assert_int_equal(t.stream_id, 3);
}

static void switches_say_which_way_and_with_whom(void **state)
{
	struct fixture *f = *state;
	struct perfdata_switch s;

	begin_record(f, RECORD_SWITCH, 1 << 13 | 1 << 14);
	end_record(f);
	begin_record(f, RECORD_SWITCH_CPU_WIDE, 0);
	put_u32(&f->w, 55), put_u32(&f->w, 56);
	end_record(f);
	read_records(f);
	assert_true(perfdata_record_decode_switch(f->o.pd, &f->records[0], &s));
	assert_true(s.out);
	assert_true(s.preempted);
	assert_int_equal(s.other_tid, -1);
	assert_true(perfdata_record_decode_switch(f->o.pd, &f->records[1], &s));
	assert_false(s.out);
	assert_int_equal(s.other_pid, 55);
	assert_int_equal(s.other_tid, 56);
}

static void a_deferred_chain_is_before_the_trailer(void **state)
{
	struct fixture *f = *state;
	static const uint64_t counts[] = { 2, 3, (uint64_t)1 << 61 };
	struct perfdata_deferred d;
	size_t i;

	for (i = 0; i < ARRAY_LEN(counts); i++) {
		begin_record(f, RECORD_CALLCHAIN_DEFERRED, 0);
		put_u64(&f->w, 0xc00c1e), put_u64(&f->w, counts[i]);
		put_u64(&f->w, (uint64_t)-512), put_u64(&f->w, 0x401000);
		end_record(f);
	}
	read_records(f);
	assert_true(perfdata_record_decode_deferred(f->o.pd, &f->records[0], &d));
	assert_int_equal(d.cookie, 0xc00c1e);
	assert_int_equal(d.n_ips, 2);
	assert_int_equal(bytes_u64(d.ips + 8, d.swapped), 0x401000);
	assert_false(perfdata_record_decode_deferred(f->o.pd, &f->records[1], &d));
	assert_false(perfdata_record_decode_deferred(f->o.pd, &f->records[2], &d));
}

static void a_view_refuses_records_of_other_types(void **state)
{
	struct fixture *f = *state;
	struct perfdata_comm c;
	struct perfdata_mmap m;
	struct perfdata_task t;

	put_comm(&f->w, 1, 2, "a name that is long enough for all the views together");
	read_records(f);
	assert_true(perfdata_record_decode_comm(f->o.pd, &f->records[0], &c));
	assert_false(perfdata_record_decode_mmap(f->o.pd, &f->records[0], &m));
	assert_false(perfdata_record_decode_task(f->o.pd, &f->records[0], &t));
}

/* Large enough for its type, but not with a trailer as well. */
static void a_record_that_its_trailer_fills_is_damage(void **state)
{
	struct fixture *f = *state;
	struct perfdata_comm c;

	begin_record(f, RECORD_COMM, 0);
	put_u32(&f->w, 1), put_u32(&f->w, 2), put_string(&f->w, "short");
	writer_end(&f->w, f->at);
	read_records(f);
	assert_int_equal(f->n, 1);
	assert_false(perfdata_record_decode_comm(f->o.pd, &f->records[0], &c));
}

static void without_sample_id_all_there_is_no_trailer(void **state)
{
	struct fixture *f = *state;
	struct perfdata_trailer t;
	struct perfdata_comm c;

	writer_release(&f->w);
	writer_attr(&f->w, &(struct test_attr){ .sample_type = TRAILER }, NULL, 0);
	put_comm(&f->w, 1, 2, "whole");
	read_records(f);
	assert_false(perfdata_record_decode_trailer(f->o.pd, &f->records[0], &t));
	assert_true(perfdata_record_decode_comm(f->o.pd, &f->records[0], &c));
	assert_string(c.name, "whole");
}

static void the_event_of_a_record_is_found_by_the_id_in_its_trailer(void **state)
{
	struct fixture *f = *state;
	static const struct {
		uint64_t id;
		uint32_t attr;
		uint64_t time;
	} cases[] = { { 11, 0, 0x71 }, { 22, 1, 0x72 }, { 0, 0, 0x71 }, { 99, 0, 0x71 } };
	static const uint64_t ids[] = { 11, 22 };
	struct perfdata_trailer t;
	size_t i;

	writer_release(&f->w);
	/* The second event has a word more before its identifier. */
	put_event(f, SAMPLE_IDENTIFIER | SAMPLE_TIME, &ids[0], 1);
	put_event(f, SAMPLE_IDENTIFIER | SAMPLE_TIME | SAMPLE_CPU, &ids[1], 1);
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		begin_record(f, RECORD_LOST_SAMPLES, 0);
		put_u64(&f->w, 1);
		put_u64(&f->w, 0x72), put_u64(&f->w, 0x71), put_u64(&f->w, cases[i].id);
		writer_end(&f->w, f->at);
	}
	read_records(f);
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		assert_true(perfdata_record_decode_trailer(f->o.pd, &f->records[i], &t));
		assert_int_equal(t.attr, cases[i].attr);
		assert_int_equal(t.id, cases[i].id);
		assert_int_equal(t.time_ns, cases[i].time);
	}
}

static void every_type_in_the_table_has_a_name_and_a_size(void **state)
{
	uint32_t type, known = 0;

	(void)state;
	for (type = 0; type < 300; type++) {
		const struct perfdata_record_kind *k = perfdata_record_kind(type);

		known += k->name != NULL;
		assert_true(k->min_bytes >= RECORD_HEADER_BYTES);
	}
	assert_int_equal(known, 22 + 23);
	assert_null(perfdata_record_kind(UINT32_MAX)->name);
	assert_string_equal(perfdata_record_kind(RECORD_MMAP2)->name, "MMAP2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RECORD_TEST(the_trailer_is_read_back_from_the_end),
		RECORD_TEST(mmap2_has_inode_protection_and_path),
		RECORD_TEST(generated_code_is_where_it_is_in_memory_for_simpleperf),
		RECORD_TEST(others_do_not_say_that_code_is_generated),
		RECORD_TEST(an_old_mmap_is_code_unless_misc_says_data),
		RECORD_TEST(a_build_id_is_used_if_its_length_is_possible),
		RECORD_TEST(a_string_without_nul_ends_before_the_trailer),
		RECORD_TEST(forks_and_exits_name_both_threads),
		RECORD_TEST(losses_and_throttling_are_decoded),
		RECORD_TEST(switches_say_which_way_and_with_whom),
		RECORD_TEST(a_deferred_chain_is_before_the_trailer),
		RECORD_TEST(a_view_refuses_records_of_other_types),
		RECORD_TEST(a_record_that_its_trailer_fills_is_damage),
		RECORD_TEST(without_sample_id_all_there_is_no_trailer),
		RECORD_TEST(the_event_of_a_record_is_found_by_the_id_in_its_trailer),
		cmocka_unit_test(every_type_in_the_table_has_a_name_and_a_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
