#include "symbolize/dwarf/perf_asked.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/mem.h"

#include <stdlib.h>

/* A recording of one log, or of several, into which samples are put. */
struct world {
	struct strtab *strings;
	struct frames *frames;
	struct recording *r;
	site_id a, b, c;
};

static int set_up(void **state)
{
	struct world *w = xcalloc(1, sizeof(*w));
	unsigned k;

	w->strings = strtab_new();
	w->frames = frames_new(w->strings);
	w->r = recording_new("test", w->strings, w->frames);
	w->r->n_logs = 2;
	w->r->logs = xcalloc(2, sizeof(*w->r->logs));
	w->r->timelines = xcalloc(2, sizeof(*w->r->timelines));
	for (k = 0; k < 2; k++) {
		w->r->logs[k] = stacklog_new_of_sites();
		w->r->timelines[k] = timeline_new();
		stacklog_set_on_stack(w->r->logs[k], timeline_set_stack, w->r->timelines[k]);
	}
	w->a = sites_add(w->r->sites, &(struct site){ .rel = 10 });
	w->b = sites_add(w->r->sites, &(struct site){ .rel = 20 });
	w->c = sites_add(w->r->sites, &(struct site){ .rel = 30 });
	*state = w;
	return 0;
}

static int tear_down(void **state)
{
	struct world *w = *state;

	recording_free(w->r);
	frames_free(w->frames);
	strtab_free(w->strings);
	free(w);
	return 0;
}

static void put(struct world *w, unsigned log, uint64_t time_ns, site_id outer, site_id inner)
{
	struct timeline *t = w->r->timelines[log];
	uint64_t entries[] = { outer, inner };
	struct timeline_row row = { .time_ns = time_ns,
		.thread = timeline_thread(t, 1, 1, 0, time_ns) };
	struct stacklog_sample s = {
		.at.time_ns = time_ns,
		.weight = 1,
		.tag = timeline_add(t, &row),
		.n = 2,
		.entries = entries,
	};

	stacklog_add(w->r->logs[log], &s);
}

static uint32_t *ranks_of(struct world *w)
{
	stacklog_flush(w->r->logs[0]);
	stacklog_flush(w->r->logs[1]);
	return perf_asked_ranks(w->r);
}

static void the_earliest_sample_comes_first_whichever_worker_had_it(void **state)
{
	struct world *w = *state;
	uint32_t *rank;

	put(w, 0, 500, w->a, w->b);
	put(w, 0, 900, w->a, w->c);
	put(w, 1, 100, w->c, w->c);
	rank = ranks_of(w);
	assert_true(rank[w->c] < rank[w->b]);
	assert_true(rank[w->b] < rank[w->a]);
	free(rank);
}

static void a_stack_is_walked_from_the_innermost_frame_on(void **state)
{
	struct world *w = *state;
	uint32_t *rank;

	put(w, 0, 100, w->a, w->c);
	put(w, 0, 200, w->a, w->b);
	rank = ranks_of(w);
	assert_true(rank[w->c] < rank[w->a]);
	assert_true(rank[w->a] < rank[w->b]);
	free(rank);
}

static void sites_that_no_sample_met_come_last(void **state)
{
	struct world *w = *state;
	uint32_t *rank;

	put(w, 1, 100, w->c, w->b);
	rank = ranks_of(w);
	assert_true(rank[w->c] < rank[w->a]);
	free(rank);
}

static void a_function_has_the_name_of_a_symbol_the_first_time_only(void **state)
{
	struct perf_asked asked = { 0 };
	int die = 0;

	(void)state;
	assert_int_equal(perf_asked_caller(&asked, &die), 0);
	assert_int_equal(perf_asked_innermost(&asked, &die, 7, false), 7);
	assert_int_equal(perf_asked_innermost(&asked, &die, 7, false), 0);
	assert_int_equal(perf_asked_caller(&asked, &die), 0);
	perf_asked_release(&asked);
}

static void a_function_that_starts_with_its_symbol_keeps_the_name(void **state)
{
	struct perf_asked asked = { 0 };
	int die = 0;

	(void)state;
	assert_int_equal(perf_asked_innermost(&asked, &die, 7, true), 7);
	assert_int_equal(perf_asked_innermost(&asked, &die, 9, true), 7);
	assert_int_equal(perf_asked_caller(&asked, &die), 7);
	perf_asked_release(&asked);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(the_earliest_sample_comes_first_whichever_worker_had_it),
		TEST(a_stack_is_walked_from_the_innermost_frame_on),
		TEST(sites_that_no_sample_met_come_last),
		TEST(a_function_has_the_name_of_a_symbol_the_first_time_only),
		TEST(a_function_that_starts_with_its_symbol_keeps_the_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
