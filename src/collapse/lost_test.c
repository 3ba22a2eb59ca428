/*
 * The frame for samples that the kernel lost: its weight, and when there is none.
 */
#include "collapse/lost.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

struct made {
	struct strtab *strings;
	struct frames *frames;
	struct recording *recording;
	struct tree tree;
};

static void make(struct made *m, const struct event *events, uint32_t n, bool by_samples)
{
	m->strings = strtab_new();
	m->frames = frames_new(m->strings);
	m->recording = recording_new("test", m->strings, m->frames);
	m->recording->events = xmemdup(events, n * sizeof(*events));
	m->recording->n_events = n;
	tree_init(&m->tree);
	lost_add(&m->tree, m->recording, by_samples);
}

static void release(struct made *m)
{
	tree_release(&m->tree);
	recording_free(m->recording);
	frames_free(m->frames);
	strtab_free(m->strings);
}

static void expect_lost(
	const struct event *events, uint32_t n, bool by_samples, uint64_t weight, uint64_t samples)
{
	struct made m;

	make(&m, events, n, by_samples);
	assert_int_equal(m.tree.n, 2);
	assert_int_equal(m.tree.nodes[1].parent, 0);
	assert_true(span_eq(frames_name(m.frames, m.tree.nodes[1].what), SPAN("[lost]")));
	assert_int_equal(tree_self(&m.tree, 1).weight, weight);
	assert_int_equal(tree_self(&m.tree, 1).samples, samples);
	release(&m);
}

static void lost_samples_weigh_the_average_of_used_ones(void **state)
{
	const struct event v = { .chosen = true, .kept = 4, .weight = 10, .lost = 3 };

	(void)state;
	expect_lost(&v, 1, false, 7, 3); /* 3 * 2.5 */
	expect_lost(&v, 1, true, 3, 3);
}

static void each_event_has_its_own_average_and_events_not_chosen_do_not_count(void **state)
{
	const struct event v[] = {
		{ .chosen = true, .kept = 1, .weight = 10, .lost = 2 },
		{ .chosen = true, .kept = 1, .weight = 100, .lost = 3 },
		{ .chosen = false, .kept = 1, .weight = 1000, .lost = 4 },
	};

	(void)state;
	expect_lost(v, 3, false, 320, 5);
}

static void samples_of_a_counter_that_is_read_are_not_lost(void **state)
{
	const struct event v[] = {
		{ .chosen = true, .kept = 1, .weight = 10, .lost = 2 },
		{ .chosen = true, .kept = 1, .weight = 100, .lost = 3, .counted = true },
	};

	(void)state;
	expect_lost(v, 2, false, 20, 2);
	expect_lost(v, 2, true, 5, 5);
}

static void weights_are_saturated(void **state)
{
	const struct event v = {
		.chosen = true, .kept = 2, .weight = UINT64_MAX, .lost = UINT64_MAX
	};

	(void)state;
	expect_lost(&v, 1, false, UINT64_MAX, UINT64_MAX);
}

static void no_frame_without_lost_or_used_samples(void **state)
{
	const struct event v[] = {
		{ .chosen = true, .kept = 1, .weight = 10 },
		{ .chosen = true, .lost = 2 },
	};
	struct made m;

	(void)state;
	make(&m, v, 2, false);
	assert_int_equal(m.tree.n, 1);
	release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lost_samples_weigh_the_average_of_used_ones),
		cmocka_unit_test(each_event_has_its_own_average_and_events_not_chosen_do_not_count),
		cmocka_unit_test(samples_of_a_counter_that_is_read_are_not_lost),
		cmocka_unit_test(weights_are_saturated),
		cmocka_unit_test(no_frame_without_lost_or_used_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
