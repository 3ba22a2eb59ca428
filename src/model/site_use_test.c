#include "model/site_use.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static site_id as_it_is(
	void *ctx, uint32_t space, uint64_t entry, struct moment at, struct validity *valid)
{
	struct recording *r = ctx;

	(void)space;
	(void)at;
	(void)valid;
	return sites_add(r->sites, &(struct site){ .rel = entry });
}

static void a_site_counts_the_samples_of_all_stacks_it_is_in(void **state)
{
	static const uint64_t stacks[][4] = { { 1, 2, 3 }, { 1, 2 }, { 1, 4, 1 }, { 5 },
		{ 1, 2, 3 } };
	static const uint32_t depth[] = { 3, 2, 3, 1, 3 };
	struct strtab *strings = strtab_new();
	struct frames *frames = frames_new(strings);
	struct recording *r = recording_new("test", strings, frames);
	uint64_t expected[8] = { 0 }, *got, *weight, *kept, sum;
	unsigned i, k;

	(void)state;
	r->n_logs = 1;
	r->logs = calloc(1, sizeof(struct stacklog *));
	r->logs[0] = stacklog_new(as_it_is, r);
	for (i = 0; i < 5; i++) {
		stacklog_add(
			r->logs[0], &(struct stacklog_sample){
					    .n = depth[i], .entries = stacks[i], .weight = 100 });
		for (k = 0; k < depth[i]; k++)
			expected[stacks[i][k]]++;
	}
	stacklog_flush(r->logs[0]);
	got = site_use_count(r);
	weight = site_use_weigh(r, &sum);
	assert_int_equal(sum, 500);
	for (i = 1; i < sites_count(r->sites); i++) {
		assert_int_equal(got[i], expected[sites_get(r->sites, i)->rel]);
		assert_int_equal(weight[i], 100 * got[i]);
	}
	assert_int_equal(sites_count(r->sites), 6);
	assert_memory_equal(r->site_counts->samples, got, 6 * sizeof(*got)); /* asked for again */
	/* A sample more: what was counted before is not current. */
	stacklog_add(r->logs[0],
		&(struct stacklog_sample){ .n = 1, .entries = stacks[3], .weight = 100 });
	stacklog_flush(r->logs[0]);
	r->samples_kept++;
	free(got);
	got = site_use_count(r);
	for (i = 1; i < sites_count(r->sites); i++)
		assert_int_equal(got[i],
			expected[sites_get(r->sites, i)->rel] + (sites_get(r->sites, i)->rel == 5));
	site_use_keep(r);
	assert_int_equal(stacklog_count(r->logs[0]), 0);
	kept = site_use_count(r);
	assert_memory_equal(kept, got, sites_count(r->sites) * sizeof(*got));
	/* A weight without an entry counts for no site. */
	free(weight);
	r->samples_kept++;
	stacklog_add(r->logs[0], &(struct stacklog_sample){ .weight = 7 });
	stacklog_flush(r->logs[0]);
	weight = site_use_weigh(r, &sum);
	assert_int_equal(sum, 7);
	free(kept);
	free(got);
	free(weight);
	recording_free(r);
	frames_free(frames);
	strtab_free(strings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_site_counts_the_samples_of_all_stacks_it_is_in),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
