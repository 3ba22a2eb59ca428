#include "model/branch_sites.h"

#include "base/buf.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static void add(struct branch_traces *t, struct branch_trace trace)
{
	branch_traces_count(t, branch_traces_find(t, &trace), trace.count, trace.mispredicted);
}

/* "1>2 x3 m1" for each. */
static void check(struct branch_traces *t, uint32_t most, const char *expected)
{
	struct modules *modules = modules_new();
	struct sites *sites = sites_new();
	struct branch_sites s = { 0 };
	struct buf b = { 0 };
	uint32_t i;

	branch_sites_find(&s, t, modules, sites, most);
	for (i = 0; i < s.n; i++)
		buf_printf(&b, "%" PRIx64 ">%" PRIx64 " x%" PRIu64 " m%" PRIu64 "\n",
			sites_get(sites, s.edge[i].from)->rel, sites_get(sites, s.edge[i].to)->rel,
			s.edge[i].count, s.edge[i].mispredicted);
	assert_string_equal(buf_str(&b), expected);
	buf_release(&b);
	branch_sites_release(&s);
	sites_free(sites);
	modules_free(modules);
	branch_traces_free(t);
}

static struct branch_trace edge(uint64_t from, uint64_t to, uint64_t count, uint64_t mispredicted)
{
	return (struct branch_trace){ from, to, BRANCH_NO_NEXT, 0, 0, BRANCH_ANY, count,
		mispredicted };
}

static void edges_are_sums_of_traces_each_entry_once(void **state)
{
	struct branch_traces *t = branch_traces_new();
	struct branch_trace e = edge(1, 2, 3, 1);

	(void)state;
	add(t, e);
	e.next = 9;
	add(t, e);
	e.reading = BRANCH_INTERRUPTED;
	add(t, e);
	e.reading = BRANCH_RESUMED;
	add(t, e);
	e.reading = BRANCH_SAMPLE;
	add(t, e);
	check(t, 5, "1>2 x9 m3\n");
}

static void the_hottest_and_the_most_mispredicted_are_found(void **state)
{
	struct branch_traces *t = branch_traces_new();

	(void)state;
	add(t, edge(1, 2, 10, 0));
	add(t, edge(2, 3, 5, 1));
	add(t, edge(3, 4, 4, 4));
	add(t, edge(4, 5, 3, 0));
	add(t, edge(5, 6, 3, 2));
	check(t, 1, "1>2 x10 m0\n3>4 x4 m4\n");
}

static void those_that_were_never_mispredicted_are_not_the_most_mispredicted(void **state)
{
	struct branch_traces *t = branch_traces_new();

	(void)state;
	add(t, edge(1, 2, 10, 0));
	add(t, edge(2, 3, 5, 0));
	check(t, 1, "1>2 x10 m0\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edges_are_sums_of_traces_each_entry_once),
		cmocka_unit_test(the_hottest_and_the_most_mispredicted_are_found),
		cmocka_unit_test(those_that_were_never_mispredicted_are_not_the_most_mispredicted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
