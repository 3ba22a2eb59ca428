#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "collapse/collapse.h"
#include "model/profile_for_test.h"

static node_id find(const struct profile *p, const char *name)
{
	node_id i;

	for (i = 1; i < p->n_nodes; i++)
		if (strcmp(strtab_str(p->strings, frames_get(p->frames, p->nodes[i].frame)->name),
			    name) == 0)
			return i;
	fail_msg("no frame %s", name);
	return 0;
}

static frame_id label(const struct profile *p, const char *name)
{
	return frames_add(p->frames,
		&(struct frame){ .name = strtab_add_str(p->strings, name), .kind = FRAME_ROOT });
}

static void stacks_have_the_callers_weight_below_their_label(void **state)
{
	struct test_profile t;
	const struct profile *full;
	struct profile *p;
	node_id read;

	(void)state;
	test_profile_init(&t);
	test_profile_add(&t, SPAN("main;f;g"), 5);
	test_profile_add(&t, SPAN("main;h"), 7);
	full = test_profile_finish(&t);
	p = collapse_weighted(full,
		(struct weighted_stack[]){
			{ label(full, "write"), find(full, "h"), 0, 40, 1 },
			{ label(full, "read"), find(full, "g"), 0, 100, 1 },
			{ label(full, "read"), find(full, "f"), 0, 10, 1 },
			{ label(full, "read"), find(full, "g"), 0, 200, 1 },
			{ label(full, "read"), UINT32_MAX, UINT32_MAX, 3, 1 },
		},
		5, strtab_add_str(full->strings, "nanoseconds"));
	assert_int_equal(p->n_nodes, 8);
	assert_int_equal(p->nodes[0].total, 353);
	read = find(p, "read");
	assert_int_equal(p->nodes[read].parent, 0);
	assert_int_equal(p->nodes[read].total, 313);
	assert_int_equal(p->nodes[read].self, 3);
	assert_int_equal(p->nodes[find(p, "g")].self, 300);
	assert_int_equal(profile_samples(p, find(p, "g")).self, 2);
	assert_int_equal(p->nodes[find(p, "f")].self, 10);
	assert_int_equal(p->nodes[find(p, "f")].total, 310);
	assert_int_equal(p->nodes[find(p, "h")].self, 40);
	profile_free(p);
	test_profile_release(&t);
}

static void what_ran_beside_a_stack_is_on_top_of_it_innermost_first(void **state)
{
	struct test_profile t;
	const struct profile *full;
	struct profile *p;

	(void)state;
	test_profile_init(&t);
	test_profile_add(&t, SPAN("main;wait"), 5);
	test_profile_add(&t, SPAN("other;run"), 7);
	full = test_profile_finish(&t);
	p = collapse_weighted(full,
		(struct weighted_stack[]){
			{ label(full, "woken"), find(full, "wait"), find(full, "run"), 40, 1 },
			{ label(full, "woken"), find(full, "wait"), UINT32_MAX, 2, 1 },
			{ label(full, "woken"), find(full, "wait"), find(full, "run"), 1, 1 },
		},
		3, strtab_add_str(full->strings, "nanoseconds"));
	assert_int_equal(p->n_nodes, 7);
	assert_int_equal(p->nodes[find(p, "wait")].self, 2);
	assert_int_equal(p->nodes[find(p, "--")].parent, find(p, "wait"));
	assert_int_equal(p->nodes[find(p, "run")].parent, find(p, "--"));
	assert_int_equal(p->nodes[find(p, "other")].parent, find(p, "run"));
	assert_int_equal(p->nodes[find(p, "other")].self, 41);
	profile_free(p);
	test_profile_release(&t);
}

static void no_stacks_make_an_empty_profile(void **state)
{
	struct test_profile t;
	struct profile *p;

	(void)state;
	test_profile_init(&t);
	test_profile_add(&t, SPAN("main"), 5);
	p = collapse_weighted(test_profile_finish(&t), NULL, 0, 0);
	assert_int_equal(p->n_nodes, 1);
	assert_int_equal(p->nodes[0].total, 0);
	profile_free(p);
	test_profile_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_have_the_callers_weight_below_their_label),
		cmocka_unit_test(what_ran_beside_a_stack_is_on_top_of_it_innermost_first),
		cmocka_unit_test(no_stacks_make_an_empty_profile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
