#include "trace/spans.h"

#include "trace/span_preset.h"
#include "base/mem.h"
#include "trace/spans_for_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const struct mark_fields fields = { { "key", "state" }, 2 };

static void pair(struct marked *m, const struct span_rule *rule)
{
	struct spans_opts o = { .rules = rule, .n_rules = 1, .fields = &fields };
	struct err e = { 0 };

	assert_int_equal(spans_pair(&m->d, m->r, 0, &o, &e), OK);
}

static void check(const struct marked *m, size_t i, uint64_t from_ns, uint64_t duration_ns)
{
	assert_true(i < m->d.n);
	assert_int_equal(m->d.item[i].from_ns, from_ns);
	assert_int_equal(m->d.item[i].duration_ns, duration_ns);
}

static const char *const calls[] = { "syscalls:sys_enter_read", "syscalls:sys_exit_read",
	"syscalls:sys_enter_write", "syscalls:sys_exit_write", NULL };

static const struct span_rule syscall = { "syscalls:sys_enter_*", "syscalls:sys_exit_*", "tid",
	SPAN_SINGLE, NULL, { 0 }, { 0 } };

static void calls_of_threads_are_paired_by_name_and_thread(void **state)
{
	struct marked *m = *state;

	marked_init(m, calls);
	marked_add(m, 10, 1, 0);
	marked_add(m, 12, 2, 0);
	marked_add(m, 13, 2, 3); /* the end of a write that was not seen to begin */
	marked_add(m, 15, 1, 1);
	marked_add(m, 20, 2, 1);
	pair(m, &syscall);
	assert_int_equal(m->d.n, 2);
	check(m, 0, 10, 5);
	check(m, 1, 12, 8);
	assert_int_equal(m->d.left_out.unbegun, 1);
	assert_int_equal(m->d.n_kinds, 1);
	assert_string_equal(strtab_str(m->strings, m->d.kinds[0].name), "read");
}

static void a_call_that_begins_again_had_not_been_seen_to_end(void **state)
{
	struct marked *m = *state;

	marked_init(m, calls);
	marked_add(m, 10, 1, 0);
	marked_add(m, 20, 1, 0);
	marked_add(m, 25, 1, 1);
	marked_add(m, 30, 1, 2);
	pair(m, &syscall);
	assert_int_equal(m->d.n, 1);
	check(m, 0, 20, 5);
	assert_int_equal(m->d.left_out.unended, 1);
	assert_int_equal(m->d.left_out.open, 1);
}

static void functions_that_call_themselves_end_from_the_inside(void **state)
{
	static const char *const events[] = { "p:f", "p:f__return", NULL };
	const struct span_rule rule = { "*:f", "*:f__return", "tid", SPAN_NESTED, NULL, { 0 },
		{ 0 } };
	struct marked *m = *state;

	marked_init(m, events);
	marked_add(m, 10, 1, 0);
	marked_add(m, 20, 1, 0);
	marked_add(m, 25, 1, 1);
	marked_add(m, 40, 1, 1);
	pair(m, &rule);
	assert_int_equal(m->d.n, 2);
	check(m, 0, 20, 5);
	check(m, 1, 10, 30);
}

static void requests_of_one_key_end_in_the_order_they_began(void **state)
{
	static const char *const events[] = { "p:ask", "p:answer", NULL };
	const struct span_rule rule = { "p:ask", "p:answer", "pid,field:key", SPAN_QUEUE, "wait",
		{ 0 }, { 0 } };
	struct marked *m = *state;

	marked_init(m, events);
	marked_add(m, 10, 11, 0);
	marked_text(m, 0, "localhost");
	marked_add(m, 20, 11, 0);
	marked_text(m, 0, "localhost");
	marked_add(m, 25, 12, 1); /* another thread of the process */
	marked_text(m, 0, "localhost");
	marked_add(m, 26, 21, 1); /* another process */
	marked_text(m, 0, "localhost");
	marked_add(m, 27, 12, 1); /* without the field */
	pair(m, &rule);
	assert_int_equal(m->d.n, 1);
	check(m, 0, 10, 15);
	assert_int_equal(m->d.left_out.unbegun, 1);
	assert_int_equal(m->d.left_out.unkeyed, 1);
	assert_int_equal(m->d.left_out.open, 1);
	assert_string_equal(strtab_str(m->strings, m->d.kinds[0].name), "wait");
}

static void one_event_may_begin_and_end_by_what_it_says(void **state)
{
	static const char *const events[] = { "sock:state", NULL };
	const struct span_rule rule = { "sock:state", "sock:state", "field:key", SPAN_SINGLE, "up",
		{ "state", "2", "SYN_SENT", 0 }, { "state", "1", "ESTABLISHED", 0 } };
	struct marked *m = *state;

	marked_init(m, events);
	marked_add(m, 10, 1, 0);
	marked_number(m, 0, 77);
	marked_number(m, 1, 2);
	marked_add(m, 15, 1, 0);
	marked_number(m, 0, 77);
	marked_number(m, 1, 9); /* neither */
	marked_add(m, 30, 2, 0);
	marked_number(m, 0, 77);
	marked_text(m, 1, "ESTABLISHED");
	pair(m, &rule);
	assert_int_equal(m->d.n, 1);
	check(m, 0, 10, 20);
}

/* Of the number's lower bits, one of several values. */
static void what_does_not_meet_the_condition_is_no_pair_and_no_loss(void **state)
{
	static const struct span_rule waits = { "syscalls:sys_enter_*", "syscalls:sys_exit_*",
		"tid", SPAN_SINGLE, NULL, { "state", "0 9", NULL, 0x7f }, { 0 } };
	static const struct {
		uint64_t time_ns;
		int64_t state;
	} begins[] = { { 10, 128 }, { 20, 129 }, { 30, 9 }, { 40, 99 }, { 50, 137 } };
	struct marked *m = *state;
	size_t i;

	marked_init(m, calls);
	for (i = 0; i < ARRAY_LEN(begins); i++) {
		marked_add(m, begins[i].time_ns, 1, 0);
		marked_number(m, 1, begins[i].state);
		if (begins[i].time_ns != 40)
			marked_add(m, begins[i].time_ns + 5, 1, 1);
	}
	marked_add(m, 60, 1, 0);
	marked_number(m, 1, 1);
	pair(m, &waits);
	assert_int_equal(m->d.n, 3);
	check(m, 0, 10, 5);
	check(m, 1, 30, 5);
	check(m, 2, 50, 5);
	assert_int_equal(m->d.left_out.unbegun, 0);
	assert_int_equal(m->d.left_out.unended, 0);
	assert_int_equal(m->d.left_out.open, 0);
}

static void a_pair_in_which_records_were_lost_is_none(void **state)
{
	struct marked *m = *state;

	marked_init(m, calls);
	marked_lose(m, 22, 24);
	marked_add(m, 10, 1, 0);
	marked_add(m, 12, 1, 1); /* before */
	marked_add(m, 20, 1, 0);
	marked_add(m, 30, 1, 1); /* around */
	marked_add(m, 40, 1, 0);
	marked_add(m, 45, 1, 1); /* after */
	pair(m, &syscall);
	assert_int_equal(m->d.n, 2);
	check(m, 0, 10, 2);
	check(m, 1, 40, 5);
	assert_int_equal(m->d.left_out.lost, 1);
}

static void a_pair_that_begins_or_ends_within_a_loss_is_none(void **state)
{
	struct marked *m = *state;

	marked_init(m, calls);
	marked_lose(m, 15, 25);
	marked_add(m, 10, 1, 0);
	marked_add(m, 20, 1, 1);
	marked_add(m, 21, 1, 0);
	marked_add(m, 30, 1, 1);
	pair(m, &syscall);
	assert_int_equal(m->d.n, 0);
	assert_int_equal(m->d.left_out.lost, 2);
}

static void one_event_alone_is_timed_from_one_to_the_next(void **state)
{
	static const char *const events[] = { "p:tick", NULL };
	const struct span_rule rule = { "p:tick", "p:tick", "tid", SPAN_NESTED, NULL, { 0 },
		{ 0 } };
	struct marked *m = *state;

	marked_init(m, events);
	marked_add(m, 10, 1, 0);
	marked_add(m, 25, 1, 0);
	marked_add(m, 26, 2, 0);
	marked_add(m, 30, 1, 0);
	pair(m, &rule);
	assert_int_equal(m->d.n, 2);
	check(m, 0, 10, 15);
	check(m, 1, 25, 5);
}

/* Do a rule's patterns pair two events? */
static bool is_paired(const char *begin, const char *end, const char *begins, const char *ends)
{
	const char *const events[] = { begin, end, NULL };
	const struct span_rule rule = { begins, ends, "tid", SPAN_SINGLE, NULL, { 0 }, { 0 } };
	struct marked m;
	bool paired;

	marked_init(&m, events);
	marked_add(&m, 10, 1, 0);
	marked_add(&m, 20, 1, 1);
	pair(&m, &rule);
	paired = m.d.n == 1;
	marked_release(&m);
	return paired;
}

static void stars_match_the_same_on_both_sides(void **state)
{
	const char *poll = "uv:uv__io_poll", *ret = "*:uv__io_poll__return *:uv__io_poll_ret";

	(void)state;
	assert_true(is_paired("s:enter_read", "s:exit_read", "s:enter_*", "s:exit_*"));
	assert_false(is_paired("s:enter_read", "s:exit_write", "s:enter_*", "s:exit_*"));
	assert_true(is_paired(poll, "uv:uv__io_poll_ret", "*:uv__io_poll", ret));
	assert_false(is_paired(poll, "other:uv__io_poll_ret", "*:uv__io_poll", ret));
	assert_false(is_paired(poll, "uv:uv__io_poll_", "*:uv__io_poll", ret));
	assert_false(is_paired("", "y", "*:x y", "y"));
}

static void a_key_must_be_one(void **state)
{
	static const char *const bad[] = { "cpu", "field:none", "tid,pid,field:key,tid",
		"tid,,pid" };
	struct marked m;
	struct err e;

	(void)state;
	marked_init(&m, calls);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct span_rule rule = { "a:b", "a:c", bad[i], SPAN_NESTED, NULL, { 0 }, { 0 } };
		struct spans_opts o = { .rules = &rule, .n_rules = 1, .fields = &fields };
		struct durations d = { 0 };

		assert_int_equal(spans_pair(&d, m.r, 0, &o, &e), ERR_USAGE);
		durations_release(&d);
	}
	marked_release(&m);
}

static void every_preset_is_whole(void **state)
{
	const struct span_preset *p;

	(void)state;
	for (size_t i = 0; (p = span_preset_at(i)); i++) {
		struct marked m;
		struct spans_opts o = {
			.rules = p->rules, .n_rules = p->n_rules, .fields = &p->fields
		};
		struct durations d = { 0 };
		struct err e;

		assert_ptr_equal(span_preset_find(p->name), p);
		assert_non_null(p->how);
		marked_init(&m, calls);
		assert_int_equal(spans_pair(&d, m.r, 0, &o, &e), OK);
		durations_release(&d);
		marked_release(&m);
	}
	assert_null(span_preset_find("none"));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, marked_setup, marked_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(calls_of_threads_are_paired_by_name_and_thread),
		TEST(a_call_that_begins_again_had_not_been_seen_to_end),
		TEST(functions_that_call_themselves_end_from_the_inside),
		TEST(requests_of_one_key_end_in_the_order_they_began),
		TEST(one_event_may_begin_and_end_by_what_it_says),
		TEST(what_does_not_meet_the_condition_is_no_pair_and_no_loss),
		TEST(a_pair_in_which_records_were_lost_is_none),
		TEST(a_pair_that_begins_or_ends_within_a_loss_is_none),
		TEST(one_event_alone_is_timed_from_one_to_the_next),
		cmocka_unit_test(stars_match_the_same_on_both_sides),
		cmocka_unit_test(a_key_must_be_one),
		cmocka_unit_test(every_preset_is_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
