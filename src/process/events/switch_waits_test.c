/*
 * Switches that are recorded in pass 1, against switches that are looked up one by
 * one: the same stacks, weights and damage, whatever happens between two switches of one chain.
 */
#include "input/perfdata/perfdata_writer_for_test.h"
#include "process/events/switch_waits.h"
#include "process/process_for_test.h"
#include "trace/trace_format_for_test.h"
#include "process/events/switch_events_for_test.h"

enum { SWITCHES = 101, CLOCK = 201, ROUNDS = 60, RECORDS = 250 };

#define LATER ((uint64_t)-640)

static const uint64_t sampled = SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME |
				SAMPLE_CPU | SAMPLE_PERIOD | SAMPLE_CALLCHAIN | SAMPLE_RAW;

static uint32_t draw(uint32_t *seed, uint32_t n)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % n;
}

/* ---- records; all samples and trailers have the number of their event --------------------- */

static void end_record(
	struct recording_writer *w, size_t at, uint32_t pid, uint32_t tid, uint64_t ns)
{
	put_trailer(w, pid, tid, ns);
	put_u64(w, SWITCHES);
	writer_end(w, at);
}

static void put_map(struct recording_writer *w, uint32_t pid, uint64_t ns, const char *path)
{
	size_t at = writer_begin(w, RECORD_MMAP, CPUMODE_USER);

	put_u32(w, pid);
	put_u32(w, pid);
	put_u64(w, 0x1000);
	put_u64(w, 0x1000);
	put_u64(w, 0);
	put_string(w, path);
	end_record(w, at, pid, pid, ns);
}

static void put_named(struct recording_writer *w, uint32_t pid, uint32_t tid, uint64_t ns,
	const char *name, bool exec)
{
	size_t at = writer_begin(w, RECORD_COMM, exec ? 1 << 13 : 0);

	put_u32(w, pid);
	put_u32(w, tid);
	put_string(w, name);
	end_record(w, at, pid, tid, ns);
}

static void put_return(struct recording_writer *w, uint32_t pid, uint32_t tid, uint64_t ns)
{
	end_record(w, writer_begin(w, RECORD_SWITCH, 0), pid, tid, ns);
}

static void put_later(struct recording_writer *w, uint32_t tid, uint64_t ns, uint64_t cookie)
{
	size_t at = writer_begin(w, RECORD_CALLCHAIN_DEFERRED, 0);

	put_u64(w, cookie);
	put_u64(w, 2);
	put_u64(w, USER);
	put_u64(w, 0x1a00 + cookie);
	end_record(w, at, 7, tid, ns);
}

struct chain {
	uint32_t n;
	uint64_t ip[5];
};

struct leaving {
	uint32_t pid, tid, next, prev;
	uint64_t ns, state;
	const struct chain *chain;
	uint64_t id;
	uint64_t n; /* of the chain, as the record says; 0: the truth */
};

static void put_leaving(struct recording_writer *w, const struct leaving *l)
{
	size_t at = writer_begin(w, RECORD_SAMPLE, l->chain->n ? CPUMODE_KERNEL : CPUMODE_USER);
	uint32_t i;

	put_u64(w, l->id);
	put_u64(w, 0x1010);
	put_u32(w, l->pid);
	put_u32(w, l->tid);
	put_u64(w, l->ns);
	put_u64(w, 0);
	put_u64(w, 1);
	put_u64(w, l->n ? l->n : l->chain->n);
	for (i = 0; i < l->chain->n; i++)
		put_u64(w, l->chain->ip[i]);
	put_u32(w, 24 + 4);
	put_u32(w, 0);
	put_u32(w, l->prev);
	put_u32(w, l->prev);
	put_u32(w, l->next);
	put_u64(w, l->state);
	put_u32(w, 0);
	writer_end(w, at);
}

/* ---- recordings --------------------------------------------------------------------------- */

static void begin(struct recording_writer *w, bool swapped, uint64_t more)
{
	*w = (struct recording_writer)WRITER_INIT;
	w->swapped = swapped;
	writer_attr(w,
		&(struct test_attr){ .type = EVENT_TRACEPOINT,
			.config = SWITCH_ID,
			.period = 1,
			.sample_type = sampled | more,
			.flags = TRAILER | FLAG_CONTEXT_SWITCH },
		(uint64_t[]){ SWITCHES }, 1);
	writer_attr(w,
		&(struct test_attr){ .type = EVENT_SOFTWARE,
			.config = SOFTWARE_CPU_CLOCK,
			.period = 1,
			.sample_type = sampled | more,
			.flags = TRAILER },
		(uint64_t[]){ CLOCK }, 1);
	put_formats(w);
	put_named(w, 7, 7, 1, "main", false);
	put_named(w, 7, 8, 1, "pool", false);
	put_named(w, 9, 9, 1, "other", false);
	put_map(w, 7, 1, "/bin/a");
	put_map(w, 9, 1, "/bin/b");
}

static const struct chain chains[] = {
	{ 2, { USER, 0x1010 } },
	{ 3, { USER, 0x1010, 0x1800 } },
	{ 4, { KERNEL, 0xffffffff81000010, USER, 0x1010 } },
	{ 0, { 0 } },
	{ 2, { GUEST, 0x1010 } },
};

/* A switch from any thread to any, mostly; now and then of another namespace, or cut short. */
static void put_any_switch(struct recording_writer *w, uint32_t *seed, uint64_t ns)
{
	uint32_t tid = 7 + draw(seed, 3), next = 6 + draw(seed, 4);
	struct chain later = { 4, { KERNEL, 0xffffffff81000010, LATER, 1 + draw(seed, 4) } };

	put_leaving(w,
		&(struct leaving){ .pid = tid == 8 ? 7 : tid,
			.tid = tid,
			.next = next == 6 ? 0 : next,
			.prev = draw(seed, 20) ? tid : 4000,
			.ns = ns,
			.state = draw(seed, 3),
			.chain = draw(seed, 12) ? &chains[draw(seed, ARRAY_LEN(chains))] : &later,
			.id = draw(seed, 5) ? SWITCHES : CLOCK,
			.n = draw(seed, 30) ? 0 : 1000 });
}

static void put_any(struct recording_writer *w, uint32_t *seed, uint64_t ns)
{
	static const char *const paths[] = { "/bin/a", "/bin/b", "/bin/c" };
	static const char *const names[] = { "main", "pool", "third" };
	uint32_t pid = draw(seed, 2) ? 7 : 9, what = draw(seed, 60);

	if (what == 0)
		put_map(w, pid, ns, paths[draw(seed, 3)]);
	else if (what < 3)
		put_named(w, pid, pid, ns, names[draw(seed, 3)], what == 2);
	else if (what < 6)
		put_later(w, 7 + draw(seed, 2), ns, 1 + draw(seed, 4));
	else if (what < 12)
		put_return(w, pid, pid, ns);
	else
		put_any_switch(w, seed, ns);
}

/* ---- comparing ---------------------------------------------------------------------------- */

/* Lines that say the same, added up. */
static void put_sums(const struct reading *g, struct buf *b)
{
	unsigned i, k;

	for (i = 0; i < g->n_lines; i = k) {
		size_t n = (size_t)(strrchr(g->lines[i], '=') - g->lines[i]);
		uint64_t sum = 0, v;

		for (k = i; k < g->n_lines && !strncmp(g->lines[k], g->lines[i], n) &&
			    strrchr(g->lines[k], '=') == g->lines[k] + n;
			k++) {
			struct span number = span_of(g->lines[k] + n + 1);

			assert_true(span_scan_u64(&number, &v));
			sum += v;
		}
		buf_printf(b, "%.*s=%" PRIu64 "\n", (int)n, g->lines[i], sum);
	}
}

static void put_damage(const struct recording *r, struct buf *b)
{
	static const enum diag_kind kinds[] = { DIAG_BAD_SAMPLE, DIAG_BAD_MARK,
		DIAG_DEFERRED_MISSING, DIAG_BLOCK_LOST, DIAG_BLOCK_UNENDED, DIAG_BLOCK_OPEN };
	size_t i;

	for (i = 0; i < ARRAY_LEN(kinds); i++)
		buf_printf(b, "damage %zu: %" PRIu64 "\n", i, r->diag.count[kinds[i]]);
}

static void put_threads(const struct recording *r, struct buf *b)
{
	uint32_t i;

	for (i = 0; i < r->n_threads; i++) {
		const struct thread_use *t = &r->threads[i];

		if (t->samples)
			buf_printf(b, "%d/%d %s: %" PRIu64 " %" PRIu64 "\n", t->pid, t->tid,
				strtab_str(r->strings, t->name), t->samples, t->weight);
	}
	for (i = 0; i < r->n_events; i++)
		buf_printf(b, "event %u: %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", i,
			r->events[i].samples, r->events[i].kept, r->events[i].weight);
}

static void put_all(struct recording_writer *w, struct read_opts o, unsigned jobs, struct buf *b)
{
	struct reading g;

	assert_int_equal(read_stacks(&g, w, o, jobs), OK);
	put_sums(&g, b);
	put_damage(g.recording, b);
	put_threads(g.recording, b);
	reading_release(&g);
}

/* Where CPUs are chosen, each switch is looked up by itself. */
static void compare(struct recording_writer *w, struct read_opts o)
{
	static const size_t block_bytes[] = { 0, 64, 512, 4096 };
	struct sample_choice choice = { 0 };
	struct buf expected = { 0 }, b = { 0 };
	struct read_opts by_itself = o;
	struct err e;
	unsigned i;

	assert_int_equal(number_list_parse(&choice.cpus, "0-100", &e), OK);
	by_itself.choice = &choice;
	put_all(w, by_itself, 1, &expected);
	for (i = 0; i < 8; i++) {
		o.block_bytes = block_bytes[i % 4];
		b.n = 0;
		put_all(w, o, 1 + i % 3, &b);
		assert_string_equal(buf_str(&expected), buf_str(&b));
	}
	buf_release(&expected);
	buf_release(&b);
	number_list_release(&choice.cpus);
}

static void compare_any(bool swapped, enum off_cpu_mode off_cpu)
{
	uint32_t seed = 1 + swapped, round, i;

	for (round = 0; round < ROUNDS; round++) {
		struct recording_writer w;
		uint64_t ns = 64063;

		begin(&w, swapped, 0);
		put_leaving(&w, &(struct leaving){ 7, 7, 8, 7, ns, 1, chains, SWITCHES, 0 });
		put_leaving(&w, &(struct leaving){ 7, 8, 7, 8, ns, 1, chains, CLOCK, 0 });
		for (i = 0; i < RECORDS; i++) {
			/* Another CPU's records begin earlier, at no time that was before. */
			ns = draw(&seed, 80) ? ns + 64 * (1 + draw(&seed, 5)) : ns - 1601;
			put_any(&w, &seed, ns);
		}
		compare(&w, (struct read_opts){ .off_cpu = off_cpu });
		writer_release(&w);
	}
}

static void changes_between_switches_are_seen(void **state)
{
	(void)state;
	compare_any(false, OFF_CPU_ALONE);
}

static void of_the_other_byte_order_too(void **state)
{
	(void)state;
	compare_any(true, OFF_CPU_ALONE);
}

static void samples_of_running_threads_are_waits_too(void **state)
{
	(void)state;
	compare_any(false, OFF_CPU_WALL);
}

static void put_pair(struct recording_writer *w, uint32_t pid, uint32_t tid, uint64_t ns)
{
	put_leaving(w, &(struct leaving){ pid, tid, 0, tid, ns, 1, chains, SWITCHES, 0 });
	put_return(w, pid, tid, ns + 5);
}

static void equal_bytes_in_another_process_are_another_place(void **state)
{
	struct recording_writer w;

	(void)state;
	begin(&w, false, 0);
	put_pair(&w, 7, 7, 100);
	put_pair(&w, 9, 9, 200);
	put_pair(&w, 7, 7, 300);
	expect_stacks(&w, (struct read_opts){ .off_cpu = OFF_CPU_ALONE },
		"main /bin/a+10! =10\n"
		"other /bin/b+10! =5");
	writer_release(&w);
}

static void what_is_mapped_or_begun_between_two_switches_counts(void **state)
{
	struct recording_writer w;

	(void)state;
	begin(&w, false, 0);
	put_pair(&w, 7, 7, 100);
	put_map(&w, 7, 200, "/bin/b");
	put_pair(&w, 7, 7, 300);
	put_named(&w, 7, 7, 400, "begun", true);
	put_pair(&w, 7, 7, 500);
	put_map(&w, 7, 600, "/bin/c");
	put_pair(&w, 7, 7, 700);
	expect_stacks(&w, (struct read_opts){ .off_cpu = OFF_CPU_ALONE },
		"begun /bin/c+10! =5\n"
		"begun /bin/c+10! =5\n" /* what was mapped late was there before */
		"main /bin/a+10! =5\n"
		"main /bin/b+10! =5");
	writer_release(&w);
}

/* The moment of a change is that of its record: what is before it in the file was before it. */
static void at_one_time_the_order_of_the_file_decides(void **state)
{
	struct recording_writer w;

	(void)state;
	begin(&w, false, 0);
	put_leaving(&w, &(struct leaving){ 7, 7, 0, 7, 100, 1, chains, SWITCHES, 0 });
	put_map(&w, 7, 100, "/bin/b");
	put_return(&w, 7, 7, 105);
	put_leaving(&w, &(struct leaving){ 7, 7, 0, 7, 200, 1, chains, SWITCHES, 0 });
	put_return(&w, 7, 7, 206);
	compare(&w, (struct read_opts){ .off_cpu = OFF_CPU_ALONE });
	expect_stacks(&w, (struct read_opts){ .off_cpu = OFF_CPU_ALONE },
		"main /bin/a+10! =5\n"
		"main /bin/b+10! =6");
	writer_release(&w);
}

/* ---- where it is not known beforehand, or not enough -------------------------------------- */

static void begin_with_counter(struct recording_writer *w)
{
	*w = (struct recording_writer)WRITER_INIT;
	writer_attr(w,
		&(struct test_attr){ .type = EVENT_TRACEPOINT,
			.config = SWITCH_ID,
			.period = 1,
			.sample_type = sampled,
			.flags = TRAILER },
		(uint64_t[]){ SWITCHES }, 1);
	writer_attr(w,
		&(struct test_attr){ .type = EVENT_SOFTWARE,
			.config = SOFTWARE_CONTEXT_SWITCHES,
			.period = 1,
			.sample_type = sampled,
			.flags = TRAILER | FLAG_CONTEXT_SWITCH },
		(uint64_t[]){ CLOCK }, 1);
	put_formats(w);
	put_named(w, 7, 7, 1, "main", false);
	put_map(w, 7, 1, "/bin/a");
}

static void an_event_without_samples_is_not_the_one(void **state)
{
	struct recording_writer w;

	(void)state;
	begin_with_counter(&w);
	put_leaving(&w, &(struct leaving){ 7, 7, 0, 7, 100, 1, chains, CLOCK, 0 });
	put_return(&w, 7, 7, 105);
	expect_stacks(&w, (struct read_opts){ .off_cpu = OFF_CPU_ALONE }, "main /bin/a+10! =5");
	compare(&w, (struct read_opts){ .off_cpu = OFF_CPU_ALONE });
	writer_release(&w);
}

static void of_two_events_the_better_one_counts_alone(void **state)
{
	struct recording_writer w;

	(void)state;
	begin_with_counter(&w);
	put_leaving(&w, &(struct leaving){ 7, 7, 0, 7, 100, 1, chains, CLOCK, 0 });
	put_leaving(&w, &(struct leaving){ 7, 7, 0, 7, 101, 1, chains, SWITCHES, 0 });
	put_return(&w, 7, 7, 105);
	expect_stacks(&w, (struct read_opts){ .off_cpu = OFF_CPU_ALONE }, "main /bin/a+10! =4");
	writer_release(&w);
}

/* Opens the recording, and says whether noting down is enough. */
static bool is_enough(uint64_t more, struct read_opts o)
{
	struct recording_writer w;
	struct reading g;
	struct opened opened;
	struct tracing tracing = { 0 };
	struct switch_events switching = { 0 };
	uint32_t n, i;
	const struct perfdata_attr *a;
	bool enough;

	begin(&w, false, more);
	assert_int_equal(opened_from(&opened, &w, 0), OK);
	reading_init(&g);
	a = perfdata_attrs(opened.pd, &n);
	g.recording->events = xcalloc(n, sizeof(*g.recording->events));
	g.recording->n_events = n;
	for (i = 0; i < n; i++)
		g.recording->events[i].name =
			strtab_add(g.strings, strtab_get(opened.strings, a[i].name));
	tracing.of = xcalloc(n, sizeof(*tracing.of));
	o.off_cpu = OFF_CPU_ALONE;
	assert_true(switch_events_expect(&switching, g.recording, opened.pd, &tracing, &o));
	enough = switch_waits_suffice(&switching, opened.pd, &o);
	assert_int_equal(g.recording->events[0].samples, 0); /* it is as it was */
	switch_events_release(&switching);
	free(tracing.of);
	reading_release(&g);
	opened_release(&opened);
	writer_release(&w);
	return enough;
}

static void roots_by_cpu_or_cgroup_need_pass_2(void **state)
{
	struct sample_choice cpu = { 0 };
	struct err e;

	(void)state;
	assert_int_equal(number_list_parse(&cpu.cpus, "1", &e), OK);
	assert_true(is_enough(0, (struct read_opts){ 0 }));
	assert_true(is_enough(0, (struct read_opts){ .root_fields = 1u << ROOT_COMM_PID_TID }));
	assert_false(is_enough(0, (struct read_opts){ .root_fields = 1u << ROOT_CPU }));
	assert_false(is_enough(0, (struct read_opts){ .root_fields = 1u << ROOT_CGROUP }));
	assert_false(is_enough(0, (struct read_opts){ .choice = &cpu }));
	assert_false(is_enough(SAMPLE_REGS_USER | SAMPLE_STACK_USER, (struct read_opts){ 0 }));
	assert_false(is_enough(SAMPLE_BRANCH_STACK, (struct read_opts){ 0 }));
	assert_false(is_enough(SAMPLE_READ, (struct read_opts){ 0 }));
	assert_false(is_enough(SAMPLE_CGROUP, (struct read_opts){ 0 }));
	number_list_release(&cpu.cpus);
}

/* Each chain is another one: pass 1 stops, pass 2 settles now and then. */
static void many_waits_are_resolved_in_batches(void **state)
{
	struct recording_writer w;
	unsigned i;

	(void)state;
	begin(&w, false, 0);
	for (i = 0; i < 200; i++) {
		struct chain c = { 5, { USER, 0x1010 + i, 0x1010, 0x1020 + i / 2, 0x1030 } };

		put_leaving(&w, &(struct leaving){ 7, 7, 0, 7, 100 + 10 * i, 1, &c, SWITCHES, 0 });
		put_return(&w, 7, 7, 100 + 10 * i + 3 + i % 4);
	}
	compare(&w, (struct read_opts){ .off_cpu = OFF_CPU_ALONE });
	writer_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(changes_between_switches_are_seen),
		cmocka_unit_test(of_the_other_byte_order_too),
		cmocka_unit_test(samples_of_running_threads_are_waits_too),
		cmocka_unit_test(equal_bytes_in_another_process_are_another_place),
		cmocka_unit_test(what_is_mapped_or_begun_between_two_switches_counts),
		cmocka_unit_test(at_one_time_the_order_of_the_file_decides),
		cmocka_unit_test(an_event_without_samples_is_not_the_one),
		cmocka_unit_test(of_two_events_the_better_one_counts_alone),
		cmocka_unit_test(roots_by_cpu_or_cgroup_need_pass_2),
		cmocka_unit_test(many_waits_are_resolved_in_batches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
