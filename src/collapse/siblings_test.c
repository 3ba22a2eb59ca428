#include "collapse/siblings.h"

#include "base/mem.h"
#include "collapse/finish.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

struct bench {
	struct strtab *strings;
	struct tree tree;
	node_id *place;   /* of the full profile, by node of the tree */
	struct profile p; /* full */
	uint32_t random;
};

static uint32_t random_below(struct bench *b, uint32_t n)
{
	b->random = b->random * 1664525 + 1013904223;
	return (b->random >> 8) % n;
}

/* Of few names, of which each is on some lines, and is a thread's as well. */
static frame_id any_frame(struct bench *b, uint32_t names)
{
	const char name[] = { (char)('a' + random_below(b, names)), '\0' };
	bool root = !random_below(b, 8);

	return frames_add(b->p.frames, &(struct frame){ .name = strtab_add_str(b->strings, name),
					       .kind = root ? FRAME_ROOT : FRAME_USER,
					       .at_line = root ? 0 : random_below(b, 3) });
}

static void bench_init(struct bench *b, uint32_t seed, uint32_t n, uint32_t names)
{
	*b = (struct bench){ .strings = strtab_new(), .random = seed };
	b->p.strings = b->strings;
	b->p.frames = frames_new(b->strings);
	tree_init(&b->tree);
	while (n--) {
		uint32_t node =
			tree_child(&b->tree, random_below(b, b->tree.n), any_frame(b, names));

		if (random_below(b, 2))
			tree_add(&b->tree, node, 1 + random_below(b, 9), 1);
	}
	b->place = xcalloc(b->tree.n, sizeof(*b->place));
	finish_tree(&b->tree, &b->p, 0, b->place);
}

static void bench_release(struct bench *b)
{
	free(b->p.nodes);
	free(b->p.samples);
	free(b->place);
	tree_release(&b->tree);
	frames_free(b->p.frames);
	strtab_free(b->strings);
}

/* What a walk of the tree makes of it is what merging makes of the full profile. */
static void assert_merged_as_by_a_walk(struct bench *b)
{
	struct profile walked = { .strings = b->strings, .frames = b->p.frames };
	node_id *place = xcalloc(b->tree.n, sizeof(*place)), *moved, full = b->p.n_nodes;
	struct source_tree g = { .tree = &b->tree, .place = place };
	uint32_t i;

	finish_trees(&g, 1, &walked, &(struct finish_opts){ .by_name = true });
	moved = siblings_merge(&b->p);
	assert_in_range(b->p.n_nodes, 1, full);
	assert_int_equal(b->p.n_nodes, walked.n_nodes);
	assert_memory_equal(b->p.nodes, walked.nodes, walked.n_nodes * sizeof(*walked.nodes));
	assert_memory_equal(b->p.samples, walked.samples, walked.n_nodes * sizeof(*walked.samples));
	for (i = 0; i < b->tree.n; i++)
		assert_int_equal(moved[b->place[i]], place[i]);
	free(walked.nodes);
	free(walked.samples);
	free(place);
	free(moved);
}

static void siblings_of_one_name_become_one(void **state)
{
	struct bench b;
	uint32_t seed;

	(void)state;
	for (seed = 0; seed < 200; seed++) {
		bench_init(&b, seed, 1 + seed * 3, 1 + seed % 12);
		assert_merged_as_by_a_walk(&b);
		bench_release(&b);
	}
}

static void a_profile_without_stacks_stays(void **state)
{
	struct bench b;

	(void)state;
	bench_init(&b, 1, 0, 1);
	assert_merged_as_by_a_walk(&b);
	bench_release(&b);
}

static void numbers_of_samples_may_be_missing(void **state)
{
	struct bench b;
	node_id *moved;

	(void)state;
	bench_init(&b, 7, 100, 3);
	free(b.p.samples);
	b.p.samples = NULL;
	moved = siblings_merge(&b.p);
	assert_null(b.p.samples);
	assert_int_equal(moved[0], 0);
	free(moved);
	bench_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(siblings_of_one_name_become_one),
		cmocka_unit_test(a_profile_without_stacks_stays),
		cmocka_unit_test(numbers_of_samples_may_be_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
