#include "trace/switches.h"

#include "base/buf.h"
#include "base/hash.h"
#include "base/mem.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

enum { LOGS = 3 };

struct fixture {
	struct switch_log logs[LOGS];
	struct switches_opts opts;
	struct switches_counts counts;
	unsigned n;
	struct buf emitted;
	uint64_t on_ns[32], off_ns[32]; /* by tid */
};

static int set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));

	f->opts.wanted.to_ns = UINT64_MAX;
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	unsigned i;

	for (i = 0; i < LOGS; i++)
		switch_log_release(&f->logs[i]);
	buf_release(&f->emitted);
	free(f);
	return 0;
}

/* Rows go to the logs in turn: who saw what makes no difference. Stacks are numbered by time. */
static void add(struct fixture *f, enum switch_kind kind, uint64_t ns, int32_t tid, int32_t other,
	enum switch_state state)
{
	struct switch_log *l = &f->logs[f->n++ % LOGS];
	struct switch_seen s = {
		.class = { .thread = (uint32_t)tid,
			.stack = (uint32_t)ns,
			.tid = tid,
			.kind = kind,
			.state = state },
		.time_ns = ns,
		.other_tid = other,
	};

	switch_log_add(l, switch_log_add_class(l, &s.class), &s);
}

static void out(struct fixture *f, uint64_t ns, int32_t tid, int32_t other)
{
	add(f, SWITCH_OUT, ns, tid, other, STATE_INTERRUPTIBLE);
}

static void in(struct fixture *f, uint64_t ns, int32_t tid)
{
	add(f, SWITCH_IN, ns, tid, SWITCH_NOBODY, STATE_UNKNOWN);
}

static void ran(struct fixture *f, uint64_t ns, int32_t tid)
{
	add(f, SWITCH_RAN, ns, tid, SWITCH_NOBODY, STATE_UNKNOWN);
}

/* "TID:STACK=DURATION", "/STACK" of each waker. */
static void add_text(void *ctx, const struct switches_interval *p)
{
	struct fixture *f = ctx;
	unsigned i;

	buf_printf(&f->emitted, " %d:%u=%" PRIu64, p->class->tid, p->class->stack, p->duration_ns);
	for (i = 0; i < p->n_wakers; i++)
		buf_printf(&f->emitted, "/%u", p->wakers[i].class->stack);
	(p->class->kind == SWITCH_OUT ? f->off_ns : f->on_ns)[p->class->tid] += p->duration_ns;
}

static const char *join(struct fixture *f)
{
	switches_join(
		f->logs, LOGS, &f->opts, &f->counts, &(struct switches_sink){ add_text, f, NULL });
	return buf_str(&f->emitted);
}

static void a_thread_is_back_when_it_comes_in_anothers_place(void **state)
{
	struct fixture *f = *state;

	out(f, 100, 1, 2);
	out(f, 130, 2, 1);
	out(f, 150, 1, 2);
	assert_string_equal(join(f), " 1:100=30 2:130=20");
	assert_int_equal(f->counts.open, 1);
}

static void first_of_two_returns_wins(void **state)
{
	struct fixture *f = *state;

	out(f, 100, 1, 2);
	out(f, 130, 2, 1);
	in(f, 133, 1);
	out(f, 150, 1, SWITCH_NOBODY);
	in(f, 160, 1);
	assert_string_equal(join(f), " 1:100=30 1:150=10");
	assert_int_equal(f->counts.open, 1);
	assert_int_equal(f->counts.unended, 0);
}

static void the_idle_task_is_no_thread(void **state)
{
	struct fixture *f = *state;

	out(f, 100, 0, 1);
	out(f, 200, 1, 0);
	out(f, 300, 0, 1);
	assert_string_equal(join(f), " 1:200=100");
	assert_int_equal(f->counts.open, 0);
}

static void a_missing_return_is_dropped_at_the_next_switch(void **state)
{
	struct fixture *f = *state;

	out(f, 100, 1, 2);
	out(f, 500, 1, 2);
	out(f, 600, 2, 1);
	assert_string_equal(join(f), " 1:500=100");
	assert_int_equal(f->counts.unended, 1);
	assert_int_equal(f->counts.dropped_ns, 400);
}

static void times_are_cut_to_the_spans_of_their_thread(void **state)
{
	struct fixture *f = *state;
	struct thread_times inside = { 0 };

	thread_times_add(&inside, 1, (struct time_range){ 110, 120 });
	thread_times_add(&inside, 1, (struct time_range){ 125, 127 });
	thread_times_add(&inside, 1, (struct time_range){ 155, 500 });
	thread_times_settle(&inside);
	f->opts.inside = &inside;
	out(f, 100, 1, 2);
	out(f, 130, 2, 1);
	out(f, 150, 1, 2);
	out(f, 160, 2, 1);
	out(f, 170, 1, 2);
	assert_string_equal(join(f), " 1:100=10 1:100=2 1:150=5");
	assert_int_equal(f->counts.blocked, 2);
	thread_times_release(&inside);
}

static void running_is_cut_to_the_spans_of_its_thread(void **state)
{
	struct fixture *f = *state;
	struct thread_times inside = { 0 };

	thread_times_add(&inside, 1, (struct time_range){ 110, 125 });
	thread_times_settle(&inside);
	f->opts.inside = &inside;
	in(f, 100, 1);
	ran(f, 120, 1);
	out(f, 130, 1, 2);
	out(f, 140, 2, 1);
	ran(f, 145, 1);
	assert_string_equal(join(f), " 1:120=10 1:120=5");
	thread_times_release(&inside);
}

static void a_time_in_which_records_were_lost_is_dropped(void **state)
{
	static const struct time_range lost[] = { { 10, 20 }, { 150, 160 }, { 400, 401 } };
	struct fixture *f = *state;

	f->opts.lost = lost;
	f->opts.n_lost = 3;
	out(f, 100, 1, 0);
	out(f, 140, 0, 1); /* 100..140: nothing was lost */
	out(f, 145, 1, 0);
	out(f, 155, 0, 1);
	out(f, 160, 1, 0);
	out(f, 400, 0, 1); /* up to where it was */
	out(f, 400, 1, 0);
	out(f, 402, 0, 1);
	assert_string_equal(join(f), " 1:100=40 1:160=240");
	assert_int_equal(f->counts.lost, 2);
	assert_int_equal(f->counts.dropped_ns, 12);
}

static void durations_are_cut_to_the_range_and_then_compared(void **state)
{
	struct fixture *f = *state;

	f->opts.wanted = (struct time_range){ 150, 320 };
	f->opts.min_ns = 30;
	f->opts.max_ns = 60;
	out(f, 100, 1, 0);
	out(f, 200, 0, 1); /* 50 of 100 in the range */
	out(f, 210, 1, 0);
	out(f, 230, 0, 1); /* too short */
	out(f, 235, 1, 0);
	out(f, 300, 0, 1); /* too long */
	out(f, 310, 1, 0);
	out(f, 400, 0, 1); /* 10 in the range */
	assert_string_equal(join(f), " 1:100=50");
	assert_int_equal(f->counts.blocked, 1);
}

static void the_first_to_wake_a_thread_ended_its_wait(void **state)
{
	struct fixture *f = *state;

	add(f, SWITCH_WAKE, 90, 3, 1, STATE_UNKNOWN);
	out(f, 100, 1, 2);
	add(f, SWITCH_WAKE, 120, 2, 1, STATE_UNKNOWN);
	add(f, SWITCH_WAKE, 125, 3, 1, STATE_UNKNOWN);
	out(f, 130, 2, 1);
	out(f, 140, 1, 2);
	out(f, 150, 2, 1);
	assert_string_equal(join(f), " 1:100=30/120 2:130=10 1:140=10");
}

static void wake(struct fixture *f, uint64_t ns, int32_t tid, int32_t woken)
{
	add(f, SWITCH_WAKE, ns, tid, woken, (enum switch_state)0);
}

/* 1 waits for 2, which waits for 3, which runs, although 4 had woken it before 1 waited. */
static void chain_of_three(struct fixture *f)
{
	out(f, 50, 3, 4);
	wake(f, 60, 4, 3);
	in(f, 70, 3);
	out(f, 100, 1, 2);
	out(f, 110, 2, 7);
	wake(f, 120, 3, 2);
	in(f, 130, 2);
	add(f, SWITCH_OUT, 132, 2, 7, STATE_PREEMPTED);
	in(f, 135, 2);
	wake(f, 140, 2, 1);
	in(f, 150, 1);
}

static void who_woke_the_waker_while_the_thread_waited_is_next(void **state)
{
	struct fixture *f = *state;

	chain_of_three(f);
	f->opts.n_wakers = 3;
	assert_string_equal(join(f), " 3:50=20/60 2:110=20/120 2:132=3 1:100=50/140/120");
}

static void a_chain_has_as_many_wakers_as_are_wanted(void **state)
{
	struct fixture *f = *state;

	chain_of_three(f);
	f->opts.n_wakers = 1;
	assert_string_equal(join(f), " 3:50=20/60 2:110=20/120 2:132=3 1:100=50/140");
}

static void what_woke_a_thread_before_its_last_wait_is_forgotten(void **state)
{
	struct fixture *f = *state;

	out(f, 100, 1, 7);
	out(f, 105, 2, 7);
	wake(f, 110, 3, 2);
	in(f, 115, 2);
	out(f, 120, 2, 7); /* who ends this wait was not recorded */
	in(f, 130, 2);
	wake(f, 140, 2, 1);
	in(f, 150, 1);
	f->opts.n_wakers = 16;
	assert_string_equal(join(f), " 2:105=10/110 2:120=10 1:100=50/140");
}

static void who_was_interrupted_is_not_asked_who_woke_it(void **state)
{
	struct fixture *f = *state;

	out(f, 100, 1, 7);
	out(f, 105, 2, 7);
	wake(f, 110, 3, 2);
	in(f, 115, 2);
	add(f, SWITCH_WAKE, 140, 2, 1, (enum switch_state)SWITCH_BY_INTERRUPT);
	in(f, 150, 1);
	f->opts.n_wakers = 16;
	assert_string_equal(join(f), " 2:105=10/110 1:100=50/140");
}

static void a_chain_is_never_longer_than_there_is_room_for(void **state)
{
	struct fixture *f = *state;
	int32_t i;

	for (i = 1; i <= 20; i++)
		out(f, 100 + (uint64_t)i, i, 99);
	for (i = 20; i; i--) {
		wake(f, 1000 - 10 * (uint64_t)i, i + 1, i);
		in(f, 1005 - 10 * (uint64_t)i, i);
	}
	f->opts.n_wakers = SWITCHES_WAKERS_MAX;
	join(f);
	assert_true(span_ends(buf_span(&f->emitted), SPAN(" 1:101=894/990/980/970/960/950/940/930/"
							  "920/910/900/890/880/870/860/850/840")));
}

static void a_thread_that_has_ended_does_not_block(void **state)
{
	struct fixture *f = *state;

	add(f, SWITCH_OUT, 100, 1, 2, STATE_ENDED);
	out(f, 200, 2, 1); /* the number is used again */
	out(f, 250, 1, 2);
	out(f, 260, 2, 1);
	assert_string_equal(join(f), " 2:200=50 1:250=10");
}

static void time_on_cpu_is_shared_among_its_samples(void **state)
{
	struct fixture *f = *state;

	ran(f, 100, 1);
	ran(f, 140, 1); /* 40 since the one before */
	out(f, 150, 1, 0);
	out(f, 200, 0, 1);
	ran(f, 230, 1);
	out(f, 231, 1, 0);
	assert_string_equal(join(f), " 1:140=40 1:140=10 1:150=50 1:230=30 1:230=1");
}

static uint32_t random_below(uint32_t *seed, uint32_t n)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % n;
}

/* Threads 1 to 4 on one CPU, in turn by chance, with samples of what runs. */
static void intervals_add_up_to_each_threads_life(void **state)
{
	struct fixture *f = *state;
	uint64_t ns = 1000, first[5] = { 0 }, last[5] = { 0 };
	uint32_t seed = 7, i, running = 1;

	for (i = 0; i < 20000; i++) {
		ns += 1 + random_below(&seed, 50);
		if (random_below(&seed, 3)) {
			ran(f, ns, (int32_t)running);
			first[running] = first[running] ? first[running] : ns;
		} else {
			uint32_t next = 1 + random_below(&seed, 4);

			if (next == running)
				continue;
			out(f, ns, (int32_t)running, (int32_t)next);
			first[running] = first[running] ? first[running] : ns;
			last[running] = ns;
			running = next;
			first[running] = first[running] ? first[running] : ns;
		}
	}
	ran(f, ++ns, (int32_t)running);
	last[running] = ns;
	join(f);
	/* All but the one that runs are blocked at the end, since their last switch. */
	assert_int_equal(f->counts.open, 3);
	assert_int_equal(f->counts.unended, 0);
	for (i = 1; i <= 4; i++)
		assert_int_equal(f->on_ns[i] + f->off_ns[i], last[i] - first[i]);
}

static void count_samples(void *ctx, const struct switches_interval *p)
{
	*(uint64_t *)ctx += !p->again;
}

/* Of the time before 20 nothing is wanted, and the first piece has no length. */
static void a_sample_counts_with_its_first_interval(void **state)
{
	struct fixture *f = *state;
	uint64_t samples = 0;

	out(f, 10, 2, 1);
	ran(f, 10, 1);
	out(f, 30, 1, 2);
	out(f, 40, 2, 1);
	out(f, 50, 1, 2);
	f->opts.wanted.from_ns = 20;
	switches_join(f->logs, LOGS, &f->opts, &f->counts,
		&(struct switches_sink){ count_samples, &samples, NULL });
	assert_int_equal(samples, 1 + 3); /* 1 runs, and three times one is off */
}

/* The sum of all pieces, in whatever order they come. */
static void add_up(void *ctx, const struct switches_interval *p)
{
	uint64_t *sum = ctx;

	*sum += hash_pair(hash_pair((uint32_t)p->class->tid, p->from_ns),
		hash_pair(p->duration_ns, p->n_wakers ? p->wakers[0].class->stack : 0));
}

static void count(void *ctx, const struct switches_interval *p)
{
	(void)p;
	++*(uint64_t *)ctx;
}

/* Rows of a few threads that come and go in any way, not all of them wanted. */
static void put_disorder(struct fixture *f, unsigned n)
{
	uint32_t seed = 5;
	uint64_t ns = 1000;
	unsigned i;

	for (i = 0; i < n; i++) {
		ns = i % 97 ? ns + random_below(&seed, 20) : ns - 300;
		if (random_below(&seed, 3))
			out(f, ns, (int32_t)random_below(&seed, 9),
				(int32_t)random_below(&seed, 9));
		else
			add(f, random_below(&seed, 4) ? SWITCH_IN : SWITCH_OUT, ns,
				(int32_t)random_below(&seed, 40), SWITCH_NOBODY,
				random_below(&seed, 4) ? STATE_DISK : STATE_ENDED);
	}
}

static void parts_together_equal_one_join(void **state)
{
	static const struct time_range lost[] = { { 1500, 1502 }, { 3000, 3100 } };
	struct fixture *f = *state;
	struct switches_counts all, sum;
	uint64_t whole = 0, parts;
	unsigned n, i;

	put_disorder(f, 3000);
	f->opts.lost = lost;
	f->opts.n_lost = 2;
	f->opts.wanted.from_ns = 1100;
	switches_join(
		f->logs, LOGS, &f->opts, &all, &(struct switches_sink){ add_up, &whole, NULL });
	for (n = 1; n < 400; n += n / 2 + 1) {
		struct switches_parts *cut = switches_cut(f->logs, LOGS, &f->opts, n);

		parts = 0;
		for (i = switches_part_count(cut); i-- > 0;)
			switches_join_part(cut, i, &(struct switches_sink){ add_up, &parts, NULL });
		switches_join_ends(cut, &sum, &(struct switches_sink){ add_up, &parts, NULL });
		assert_true(whole == parts);
		assert_memory_equal(&all, &sum, sizeof(all));
	}
	assert_true(all.blocked > 100 && all.unended > 100 && all.lost && all.open);
}

static void parts_have_about_as_many_rows(void **state)
{
	struct fixture *f = *state;
	struct switches_parts *cut;
	uint64_t emitted, unused = 0;
	unsigned i;

	/* All but the first rows are close to one another. */
	for (i = 0; i < 3000; i++)
		out(f, i < 10 ? 1000000 * (i + 1) : 20000000 + 2 * i, 1 + (int32_t)i % 2,
			2 - (int32_t)i % 2);
	cut = switches_cut(f->logs, LOGS, &f->opts, 4);
	assert_int_equal(switches_part_count(cut), 4);
	for (i = 0; i < 4; i++) {
		emitted = 0;
		switches_join_part(cut, i, &(struct switches_sink){ count, &emitted, NULL });
		assert_in_range(emitted, 600, 900);
	}
	switches_join_ends(cut, &f->counts, &(struct switches_sink){ add_up, &unused, NULL });
	assert_int_equal(f->counts.blocked, 2999);
}

static void equal_transitions_are_kept_once(void **state)
{
	struct switch_log l = { 0 };
	struct switch_class what = { .kind = SWITCH_OUT };
	struct switch_seen s = { .other_tid = SWITCH_NOBODY, .cpu = -1 };
	uint32_t number, other, i;

	(void)state;
	number = switch_log_add_class(&l, &what);
	other = switch_log_add_class(&l, &what);
	for (i = 0; i < 1000; i++) {
		s.time_ns = 100 + i;
		s.other_tid = i % 2 ? 7 : SWITCH_NOBODY;
		switch_log_add(&l, number, &s);
	}
	assert_int_equal(l.n, 1000);
	assert_int_equal(l.n_transitions, 2);
	assert_int_equal(l.n_runs, 1);
	switch_log_set_class(&l, 500, other);
	assert_int_equal(switch_log_class_at(&l, 500), other);
	assert_int_equal(switch_log_class_at(&l, 502), number);
	assert_int_equal(l.transitions[l.rows[500].transition].other_tid, SWITCH_NOBODY);
	assert_int_equal(l.transitions[l.rows[500].transition].cpu, -1);
	switch_log_release(&l);
}

static void intervals_are_summed_by_class_where_wanted(void **state)
{
	struct fixture *f = *state;
	struct switch_sum *sums[LOGS] = { 0 };
	const struct switches_sink to = { add_text, f, sums };
	unsigned i;

	out(f, 100, 1, 2);
	out(f, 130, 2, 1);
	out(f, 150, 1, 2);
	add(f, SWITCH_WAKE, 160, 2, 1, STATE_UNKNOWN);
	out(f, 170, 2, 1);
	sums[0] = xcalloc(f->logs[0].n_classes, sizeof(**sums));
	sums[2] = xcalloc(f->logs[2].n_classes, sizeof(**sums));
	switches_join(f->logs, LOGS, &f->opts, &f->counts, &to);
	/* Those of log 1 are emitted. */
	assert_string_equal(buf_str(&f->emitted), " 2:130=20 1:150=20/160");
	assert_int_equal(sums[0][0].duration_ns, 30);
	assert_int_equal(sums[0][0].intervals, 1);
	assert_int_equal(sums[2][0].intervals, 0);
	assert_int_equal(f->counts.blocked, 3);
	for (i = 0; i < LOGS; i++)
		free(sums[i]);
}

static void nothing_is_cut_into_one_part(void **state)
{
	struct fixture *f = *state;
	struct switches_parts *cut = switches_cut(f->logs, LOGS, &f->opts, 4);

	assert_int_equal(switches_part_count(cut), 1);
	switches_join_part(cut, 0, &(struct switches_sink){ add_up, NULL, NULL });
	switches_join_ends(cut, &f->counts, &(struct switches_sink){ add_up, NULL, NULL });
	assert_int_equal(f->counts.blocked, 0);
}

/* Which sample has the time before depends on all that was before. */
static void with_samples_of_what_ran_the_time_is_not_cut(void **state)
{
	struct fixture *f = *state;

	out(f, 10, 1, 2);
	ran(f, 20, 2);
	assert_null(switches_cut(f->logs, LOGS, &f->opts, 4));
}

static void with_wakers_the_time_is_not_cut(void **state)
{
	struct fixture *f = *state;

	out(f, 10, 1, 2);
	add(f, SWITCH_WAKE, 20, 2, 1, STATE_UNKNOWN);
	assert_null(switches_cut(f->logs, LOGS, &f->opts, 4));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		TEST(a_thread_is_back_when_it_comes_in_anothers_place),
		TEST(first_of_two_returns_wins),
		TEST(the_idle_task_is_no_thread),
		TEST(a_missing_return_is_dropped_at_the_next_switch),
		TEST(times_are_cut_to_the_spans_of_their_thread),
		TEST(running_is_cut_to_the_spans_of_its_thread),
		TEST(a_time_in_which_records_were_lost_is_dropped),
		TEST(durations_are_cut_to_the_range_and_then_compared),
		TEST(the_first_to_wake_a_thread_ended_its_wait),
		TEST(who_woke_the_waker_while_the_thread_waited_is_next),
		TEST(a_chain_has_as_many_wakers_as_are_wanted),
		TEST(what_woke_a_thread_before_its_last_wait_is_forgotten),
		TEST(who_was_interrupted_is_not_asked_who_woke_it),
		TEST(a_chain_is_never_longer_than_there_is_room_for),
		TEST(a_thread_that_has_ended_does_not_block),
		TEST(time_on_cpu_is_shared_among_its_samples),
		TEST(intervals_add_up_to_each_threads_life),
		TEST(a_sample_counts_with_its_first_interval),
		TEST(parts_together_equal_one_join),
		TEST(parts_have_about_as_many_rows),
		TEST(equal_transitions_are_kept_once),
		TEST(intervals_are_summed_by_class_where_wanted),
		TEST(nothing_is_cut_into_one_part),
		TEST(with_samples_of_what_ran_the_time_is_not_cut),
		TEST(with_wakers_the_time_is_not_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
