#include "output/slices/slices.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { TID = 7, US = 1000 };

/* One thread with a sample each 100 us, in stacks 1, 2, 3 ..., but for a gap before the last. */
struct fixture {
	struct strtab *strings;
	struct recording *recording;
	struct profile_thread thread;
	struct timeline_row rows[4];
	struct profile p;
};

static int setup(void **state)
{
	static const uint64_t times_us[] = { 1000, 1100, 1200, 2000 };
	struct fixture *x = xcalloc(1, sizeof(*x));
	uint32_t i;

	x->strings = strtab_new();
	x->recording = recording_new("x", x->strings, NULL);
	for (i = 0; i < ARRAY_LEN(x->rows); i++)
		x->rows[i] = (struct timeline_row){
			.time_ns = times_us[i] * US, .stack = i + 1, .weight = 1
		};
	x->thread = (struct profile_thread){ .tid = TID, .n_rows = ARRAY_LEN(x->rows) };
	x->p = (struct profile){ .strings = x->strings,
		.rows = x->rows,
		.n_rows = ARRAY_LEN(x->rows),
		.threads = &x->thread,
		.n_threads = 1,
		.period_ns = 100 * US };
	*state = x;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *x = *state;

	recording_free(x->recording);
	strtab_free(x->strings);
	free(x);
	return 0;
}

static void off_cpu(struct fixture *x, uint64_t from_us, uint64_t until_us)
{
	off_cpu_add_departure(&x->recording->off_cpu, TID, from_us * US);
	if (until_us)
		off_cpu_add_return(&x->recording->off_cpu, TID, until_us * US);
}

/* The slices as "1:1000-1100 ", idle ones as "-". */
static void check(struct fixture *x, const char *expected)
{
	struct output_opts o = { .recordings = &x->recording, .n_recordings = 1 };
	struct buf b = { 0 };
	struct slice slice;
	struct slices s;
	int round;

	off_cpu_finish(&x->recording->off_cpu);
	assert_true(slices_start(&s, &x->p, &o, 0));
	for (round = 0; round < 2; round++) {
		b.n = 0;
		for (slices_rewind(&s); slices_next(&s, &slice);) {
			buf_printf(&b, slice.idle ? "-:" : "%u:", (unsigned)slice.stack);
			buf_printf(&b, "%u-%u ", (unsigned)(slice.from_ns / US),
				(unsigned)(slice.until_ns / US));
		}
		assert_string_equal(buf_str(&b), expected);
	}
	buf_release(&b);
}

static void a_gap_is_idle_after_a_period(void **state)
{
	check(*state, "1:1000-1100 2:1100-1200 3:1200-1300 -:1300-2000 4:2000-2100 ");
}

static void rows_that_last_are_as_long_as_they_weigh(void **state)
{
	struct fixture *x = *state;
	uint32_t i;

	for (i = 0; i < ARRAY_LEN(x->rows); i++)
		x->rows[i].weight = 90 * US;
	x->rows[1].weight = 130 * US; /* the next one begins before it ends */
	x->p.rows_have_duration = true;
	off_cpu(x, 1210, 1990); /* nothing new: they say it themselves */
	check(x, "1:1000-1090 -:1090-1100 2:1100-1230 3:1230-1290 -:1290-2000 4:2000-2090 ");
}

static void a_thread_is_idle_from_switch_out_to_switch_in(void **state)
{
	off_cpu(*state, 1210, 1990);
	check(*state, "1:1000-1100 2:1100-1200 3:1200-1210 -:1210-1990 4:1990-2100 ");
}

static void absences_between_two_samples_are_one_idle_slice(void **state)
{
	off_cpu(*state, 1110, 1120);
	off_cpu(*state, 1150, 1190);
	off_cpu(*state, 1250, 1990);
	check(*state, "1:1000-1100 2:1100-1110 -:1110-1160 3:1160-1250 -:1250-1990 4:1990-2100 ");
}

static void a_missing_switch_in_is_at_the_next_sample(void **state)
{
	off_cpu(*state, 1150, 0);
	check(*state, "1:1000-1100 2:1100-1150 -:1150-1200 3:1200-1300 -:1300-2000 4:2000-2100 ");
}

static void a_thread_without_switches_was_running(void **state)
{
	struct fixture *x = *state;

	x->recording->off_cpu.complete = true;
	check(x, "1:1000-1100 2:1100-1200 3:1200-2000 4:2000-2100 ");
}

static void an_absence_from_before_a_sample_is_over(void **state)
{
	off_cpu(*state, 900, 1050);
	off_cpu(*state, 1200, 1900);
	check(*state, "1:1000-1100 2:1100-1200 3:1200-1300 -:1300-2000 4:2000-2100 ");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_gap_is_idle_after_a_period),
		TEST(rows_that_last_are_as_long_as_they_weigh),
		TEST(a_thread_is_idle_from_switch_out_to_switch_in),
		TEST(absences_between_two_samples_are_one_idle_slice),
		TEST(a_missing_switch_in_is_at_the_next_sample),
		TEST(a_thread_without_switches_was_running),
		TEST(an_absence_from_before_a_sample_is_over),
	};

	return cmocka_run_group_tests_name("slices", tests, NULL, NULL);
}
