#include "collapse/collapse.h"

#include "model/profile_for_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { INPUTS = 3, TREES = 200 };

/* A sum with tables of its own, as a file of it would have. */
struct sum {
	struct strtab *strings;
	struct frames *frames;
	struct merge *merged;
	struct profile *p;
};

static void sum_begin(struct sum *s)
{
	s->strings = strtab_new();
	s->frames = frames_new(s->strings);
	s->merged = merge_new(s->frames, MERGE_NO_CELLS);
}

static const struct profile *sum_end(struct sum *s, double min_percent)
{
	s->p = merge_profile(s->merged, min_percent);
	merge_free(s->merged);
	return s->p;
}

static void sum_release(struct sum *s)
{
	profile_free(s->p);
	frames_free(s->frames);
	strtab_free(s->strings);
}

static const struct profile *sum_of(
	struct sum *s, const struct profile *a, const struct profile *b, const struct profile *c)
{
	sum_begin(s);
	merge_add(s->merged, a);
	merge_add(s->merged, b);
	if (c)
		merge_add(s->merged, c);
	return sum_end(s, 0);
}

/* "a 0/3" for each node, callees indented: self and total; then samples. */
static void put_tree(struct buf *b, const struct profile *p)
{
	node_id i;

	for (i = 0; i < p->n_nodes; i++) {
		const struct node *n = &p->nodes[i];

		buf_printf(b, "%*s", (int)n->depth, "");
		if (i)
			profile_put_name(p, n->frame, b);
		buf_printf(b, " %llu/%llu %llu/%llu %u\n", (unsigned long long)n->self,
			(unsigned long long)n->total,
			(unsigned long long)profile_samples(p, i).self,
			(unsigned long long)profile_samples(p, i).total, n->subtree);
	}
}

static void assert_alike(const struct profile *a, const struct profile *b)
{
	struct buf x = { 0 }, y = { 0 };

	put_tree(&x, a);
	put_tree(&y, b);
	assert_string_equal(buf_str(&x), buf_str(&y));
	assert_string_equal(strtab_str(a->strings, a->unit), strtab_str(b->strings, b->unit));
	assert_string_equal(strtab_str(a->strings, a->event), strtab_str(b->strings, b->event));
	buf_release(&x);
	buf_release(&y);
}

static void assert_tree(const struct profile *p, const char *expected)
{
	struct buf b = { 0 };

	put_tree(&b, p);
	assert_string_equal(buf_str(&b), expected);
	buf_release(&b);
}

static void stacks_of_profiles_with_tables_of_their_own_add_up(void **state)
{
	struct test_profile a, b;
	struct sum s;

	(void)state;
	test_profile_from_folded(&a, SPAN("z 1\nmain;read 2\nmain 5\n"));
	test_profile_from_folded(&b, SPAN("main;read;copy 4\nmain;read 1\nb 7\n"));
	assert_tree(sum_of(&s, &a.p, &b.p, NULL), " 0/20 0/6 6\n"
						  " b 7/7 1/1 1\n"
						  " main 5/12 1/4 3\n"
						  "  read 3/7 2/3 2\n"
						  "   copy 4/4 1/1 1\n"
						  " z 1/1 1/1 1\n");
	sum_release(&s);
	test_profile_release(&a);
	test_profile_release(&b);
}

static void a_function_that_calls_itself_stays_a_chain(void **state)
{
	struct test_profile a, b;
	struct sum s;

	(void)state;
	test_profile_from_folded(&a, SPAN("f;f 1\nf;f;f 1\n"));
	test_profile_from_folded(&b, SPAN("f 1\nf;f;f;f 1\n"));
	assert_tree(sum_of(&s, &a.p, &b.p, NULL), " 0/4 0/4 5\n"
						  " f 1/4 1/4 4\n"
						  "  f 1/3 1/3 3\n"
						  "   f 1/2 1/2 2\n"
						  "    f 1/1 1/1 1\n");
	sum_release(&s);
	test_profile_release(&a);
	test_profile_release(&b);
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 16;
}

/* Few names, so that trees overlap; now and then a weight that leaves no room for others. */
static void make_random(struct test_profile *t, uint32_t *seed)
{
	static const char names[] = "abcd";
	unsigned stacks = 1 + next_random(seed) % 12;
	char text[16];

	test_profile_init(t);
	t->p.event = strtab_add_str(t->p.strings, next_random(seed) % 3 ? "cycles:u" : "cycles");
	while (stacks--) {
		size_t n = 0, depth = 1 + next_random(seed) % 5;

		while (depth--) {
			text[n++] = names[next_random(seed) % 4];
			text[n++] = ';';
		}
		test_profile_add(t, (struct span){ text, n - 1 },
			next_random(seed) % 40 ? 1 + next_random(seed) % 100 : INT64_MAX / 2);
	}
	test_profile_finish(t);
}

static void the_sum_is_the_same_in_whatever_order_and_steps(void **state)
{
	uint32_t seed = 7;
	int round, i;

	(void)state;
	for (round = 0; round < TREES; round++) {
		struct test_profile in[INPUTS];
		struct sum all, turned, left, left_all, right, right_all;

		for (i = 0; i < INPUTS; i++)
			make_random(&in[i], &seed);
		sum_of(&all, &in[0].p, &in[1].p, &in[2].p);
		sum_of(&turned, &in[2].p, &in[0].p, &in[1].p);
		sum_of(&left, &in[0].p, &in[1].p, NULL);
		sum_of(&left_all, left.p, &in[2].p, NULL);
		sum_of(&right, &in[1].p, &in[2].p, NULL);
		sum_of(&right_all, &in[0].p, right.p, NULL);
		assert_alike(all.p, turned.p);
		assert_alike(all.p, left_all.p);
		assert_alike(all.p, right_all.p);
		sum_release(&all);
		sum_release(&turned);
		sum_release(&left);
		sum_release(&left_all);
		sum_release(&right);
		sum_release(&right_all);
		for (i = 0; i < INPUTS; i++)
			test_profile_release(&in[i]);
	}
}

static void weights_are_saturated(void **state)
{
	struct test_profile a, b;
	struct sum s;

	(void)state;
	test_profile_from_folded(&a, SPAN("x 9223372036854775807\n"));
	test_profile_from_folded(&b, SPAN("x;y 5\nx 9223372036854775807\n"));
	sum_of(&s, &a.p, &b.p, NULL);
	assert_true(s.p->nodes[0].total == INT64_MAX);
	assert_true(s.p->nodes[1].self == INT64_MAX);
	assert_int_equal(s.p->nodes[2].self, 0);
	sum_release(&s);
	test_profile_release(&a);
	test_profile_release(&b);
}

static void an_event_that_only_some_have_is_not_that_of_the_sum(void **state)
{
	struct test_profile a, b, empty;
	struct sum s;

	(void)state;
	test_profile_from_folded(&a, SPAN("x 1\n"));
	test_profile_from_folded(&b, SPAN("x 1\n"));
	test_profile_from_folded(&empty, SPAN(""));
	a.p.event = strtab_add_str(a.p.strings, "cycles:u");
	b.p.event = strtab_add_str(b.p.strings, "cycles:u");
	sum_of(&s, &a.p, &b.p, &empty.p);
	assert_string_equal(strtab_str(s.strings, s.p->event), "cycles:u");
	sum_release(&s);
	b.p.event = strtab_add_str(b.p.strings, "cycles:k");
	sum_of(&s, &b.p, &a.p, NULL);
	assert_int_equal(s.p->event, 0);
	sum_release(&s);
	test_profile_release(&a);
	test_profile_release(&b);
	test_profile_release(&empty);
}

static void min_percent_is_of_the_sum(void **state)
{
	struct test_profile a, b;
	struct sum s;

	(void)state;
	test_profile_from_folded(&a, SPAN("m 96\nm;p 2\nm;q 2\n"));
	test_profile_from_folded(&b, SPAN("m;p 100\n"));
	sum_begin(&s);
	merge_add(s.merged, &a.p);
	merge_add(s.merged, &b.p);
	assert_tree(sum_end(&s, 10), " 0/200 0/4 3\n"
				     " m 98/200 2/4 2\n"
				     "  p 102/102 2/2 1\n");
	sum_release(&s);
	test_profile_release(&a);
	test_profile_release(&b);
}

static void the_sum_of_nothing_is_an_empty_profile(void **state)
{
	struct sum s;

	(void)state;
	sum_begin(&s);
	assert_tree(sum_end(&s, 0), " 0/0 0/0 1\n");
	assert_string_equal(strtab_str(s.strings, s.p->unit), "samples");
	sum_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_of_profiles_with_tables_of_their_own_add_up),
		cmocka_unit_test(a_function_that_calls_itself_stays_a_chain),
		cmocka_unit_test(the_sum_is_the_same_in_whatever_order_and_steps),
		cmocka_unit_test(weights_are_saturated),
		cmocka_unit_test(an_event_that_only_some_have_is_not_that_of_the_sum),
		cmocka_unit_test(min_percent_is_of_the_sum),
		cmocka_unit_test(the_sum_of_nothing_is_an_empty_profile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
