/*
 * Trees to a profile: several are merged, whether their numbers are sites or frames.
 */
#include "collapse/finish.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

struct made {
	struct strtab *strings;
	struct frames *frames;
	frame_id frame[4]; /* a, b, c, and another b */
	struct profile p;
};

static void make(struct made *m)
{
	static const char *const names[] = { "a", "b", "c", "b" };
	uint32_t i;

	*m = (struct made){ .strings = strtab_new() };
	m->frames = frames_new(m->strings);
	for (i = 0; i < 4; i++)
		m->frame[i] = frames_add(
			m->frames, &(struct frame){ .name = strtab_add_str(m->strings, names[i]),
					   .kind = FRAME_USER,
					   .line = i });
	m->p.frames = m->frames;
	m->p.strings = m->strings;
}

static void release(struct made *m)
{
	free(m->p.nodes);
	free(m->p.samples);
	frames_free(m->frames);
	strtab_free(m->strings);
}

/* A stack of numbers below 10, outermost first; its node. */
static uint32_t grow(struct tree *t, const char *numbers, uint64_t weight)
{
	uint32_t node = 0;

	for (; *numbers; numbers++)
		node = tree_child(t, node, (uint32_t)(*numbers - '0'));
	tree_add(t, node, weight, 1);
	return node;
}

static void expect(const struct made *m, const char *text)
{
	struct buf b = { 0 };
	node_id i;

	for (i = 1; i < m->p.n_nodes; i++) {
		const struct node *n = &m->p.nodes[i];

		buf_printf(&b, "%u%s=%d/%d ", n->depth,
			strtab_str(m->strings, frames_get(m->frames, n->frame)->name), (int)n->self,
			(int)n->total);
	}
	assert_string_equal(buf_str(&b), text);
	buf_release(&b);
}

static void trees_of_sites_and_of_frames_become_one_in_order_of_names(void **state)
{
	struct tree sites, frames;
	frame_id frame_of[4] = { 0 };
	node_id place_of_sites[8], place[8];
	struct source_tree trees[] = {
		{ .tree = &sites, .frame_of = frame_of, .n_numbers = 4, .place = place_of_sites },
		{ .tree = &frames, .place = place },
	};
	uint32_t cb, ca;
	struct made m;

	(void)state;
	make(&m);
	frame_of[1] = m.frame[2]; /* 1: c, 2: b, 3: b too */
	frame_of[2] = frame_of[3] = m.frame[1];
	tree_init(&sites);
	tree_init(&frames);
	cb = grow(&sites, "12", 10);
	grow(&sites, "13", 5);
	grow(&sites, "2", 1);
	ca = tree_child(&frames, tree_child(&frames, 0, m.frame[2]), m.frame[0]);
	tree_add(&frames, ca, 7, 1);
	finish_trees(trees, 2, &m.p, &(struct finish_opts){ 0 });
	expect(&m, "1b=1/1 1c=0/22 2a=7/7 2b=15/15 ");
	assert_int_equal(m.p.nodes[0].total, 23);
	assert_int_equal(profile_samples(&m.p, 0).total, 4);
	assert_int_equal(m.p.nodes[0].subtree, 5);
	assert_int_equal(m.p.max_depth, 2);
	assert_int_equal(place_of_sites[cb], 4);
	assert_int_equal(place[ca], 3);
	tree_release(&sites);
	tree_release(&frames);
	release(&m);
}

static void by_name_merges_siblings_of_one_displayed_name(void **state)
{
	struct tree t;
	struct source_tree g = { .tree = &t };
	struct made m;

	(void)state;
	make(&m);
	tree_init(&t);
	tree_add(&t, tree_child(&t, 0, m.frame[1]), 2, 1);
	tree_add(&t, tree_child(&t, 0, m.frame[3]), 3, 1);
	finish_trees(&g, 1, &m.p, &(struct finish_opts){ 0 });
	expect(&m, "1b=2/2 1b=3/3 ");
	free(m.p.samples);
	finish_trees(&g, 1, &m.p, &(struct finish_opts){ .by_name = true });
	expect(&m, "1b=5/5 ");
	tree_release(&t);
	release(&m);
}

/* A program that has a function of its own name: the thread's frame and the function's stay what
 * they are. Where an input without threads has the name at the place of a thread, it is one node,
 * whichever input comes first. */
static void by_name_keeps_threads_and_functions_apart(void **state)
{
	struct tree t[2];
	struct source_tree g[2] = { { .tree = &t[0] }, { .tree = &t[1] } };
	struct made m;
	frame_id thread;
	int swap;

	(void)state;
	make(&m);
	thread = frames_add(
		m.frames, &(struct frame){ .name = frames_get(m.frames, m.frame[0])->name,
				  .kind = FRAME_ROOT });
	for (swap = 0; swap < 2; swap++) {
		tree_init(&t[0]);
		tree_init(&t[1]);
		tree_add(&t[swap],
			tree_child(&t[swap], tree_child(&t[swap], 0, thread), m.frame[0]), 2, 1);
		tree_add(&t[!swap], tree_child(&t[!swap], 0, m.frame[0]), 3, 1);
		finish_trees(g, 2, &m.p, &(struct finish_opts){ .by_name = true });
		expect(&m, "1a=3/5 2a=2/2 ");
		assert_int_equal(m.p.nodes[1].frame, thread);
		assert_int_equal(m.p.nodes[2].frame, m.frame[0]);
		free(m.p.nodes);
		free(m.p.samples);
		m.p.nodes = NULL;
		m.p.samples = NULL;
		tree_release(&t[0]);
		tree_release(&t[1]);
	}
	release(&m);
}

static void small_subtrees_become_weight_of_their_parent(void **state)
{
	frame_id frame_of[4];
	struct tree t;
	node_id place[8];
	struct source_tree g = { .tree = &t, .frame_of = frame_of, .n_numbers = 4, .place = place };
	uint32_t gone, last, i;
	struct made m;

	(void)state;
	make(&m);
	for (i = 1; i < 4; i++)
		frame_of[i] = m.frame[i - 1];
	frame_of[0] = 0;
	tree_init(&t);
	grow(&t, "1", 60);
	gone = grow(&t, "123", 4);
	last = grow(&t, "13", 35);
	grow(&t, "3", 1);
	finish_trees(&g, 1, &m.p, &(struct finish_opts){ .min_percent = 10 });
	expect(&m, "1a=64/99 2c=35/35 1c=1/1 ");
	assert_int_equal(m.p.nodes[0].subtree, 4);
	assert_int_equal(m.p.max_depth, 2);
	assert_int_equal(place[gone], 1);
	assert_int_equal(place[last], 2);
	tree_release(&t);
	release(&m);
}

static uint32_t random_below(uint64_t *state, uint32_t n)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33) % n;
}

/* Stacks that go on from the one before, as those of a program; some are very deep. */
static void grow_at_random(struct tree *t, uint64_t random, const struct made *m)
{
	uint32_t i, k, at = 0;

	for (i = 0; i < 20000; i++) {
		uint32_t more = i % 5000 ? 1 + random_below(&random, 4) : 3000;

		for (k = random_below(&random, 6); at && k; k--)
			at = t->nodes[at].parent;
		for (k = 0; k < more; k++)
			at = tree_child(t, at, m->frame[random_below(&random, 4)]);
		tree_add(t, at, random_below(&random, 100), random_below(&random, 3));
	}
}

static void assert_same_profiles(const struct profile *a, const struct profile *b)
{
	assert_int_equal(a->n_nodes, b->n_nodes);
	assert_int_equal(a->max_depth, b->max_depth);
	assert_memory_equal(a->nodes, b->nodes, a->n_nodes * sizeof(*a->nodes));
	assert_memory_equal(a->samples, b->samples, a->n_nodes * sizeof(*a->samples));
}

static void several_workers_make_what_one_makes(void **state)
{
	struct finish_opts o = { .min_percent = 0 };
	struct tree t[2];
	struct source_tree trees[] = { { .tree = &t[0] }, { .tree = &t[1] } };
	struct pool *pool = pool_new(3);
	struct profile one;
	struct made m;
	int i;

	(void)state;
	make(&m);
	for (i = 0; i < 2; i++) {
		tree_init(&t[i]);
		grow_at_random(&t[i], (uint64_t)i, &m);
	}
	for (i = 0; i < 3; i++) {
		/* More weight than there is room for, in the middle and at the end. */
		if (i == 1)
			tree_add(&t[1], t[1].n / 2, INT64_MAX - 1000, INT64_MAX - 1000);
		o.min_percent = i == 2 ? 1 : 0;
		one = m.p;
		one.nodes = NULL;
		one.max_depth = 0;
		finish_trees(trees, 2, &one, &o);
		m.p.nodes = NULL;
		m.p.max_depth = 0;
		finish_sum(trees, 2, &m.p, finish_walk(trees, 2, &m.p, &o, pool), &o, pool);
		assert_true(one.n_nodes > 1 && (i == 2 || one.n_nodes > 40000));
		assert_same_profiles(&one, &m.p);
		free(one.nodes);
		free(one.samples);
		free(m.p.nodes);
		free(m.p.samples);
	}
	m.p.nodes = NULL;
	m.p.samples = NULL;
	pool_free(pool);
	tree_release(&t[0]);
	tree_release(&t[1]);
	release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trees_of_sites_and_of_frames_become_one_in_order_of_names),
		cmocka_unit_test(by_name_merges_siblings_of_one_displayed_name),
		cmocka_unit_test(by_name_keeps_threads_and_functions_apart),
		cmocka_unit_test(small_subtrees_become_weight_of_their_parent),
		cmocka_unit_test(several_workers_make_what_one_makes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
