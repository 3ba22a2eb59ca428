#include "compare/costs.h"

#include "model/profile_for_test.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { STACKS = 400, DEPTH_MAX = 7, FRAMES = 9 };

/* The same stacks, as a profile and as trees of two workers. */
struct stacks {
	struct test_profile t;
	struct tree tree[2];
};

static void stacks_init(struct stacks *s)
{
	test_profile_init(&s->t);
	tree_init(&s->tree[0]);
	tree_init(&s->tree[1]);
}

static void stacks_release(struct stacks *s)
{
	tree_release(&s->tree[0]);
	tree_release(&s->tree[1]);
	test_profile_release(&s->t);
}

static void add_to_tree(struct tree *t, const frame_id *frame, uint32_t n, uint64_t weight)
{
	uint32_t node = 0, i;

	for (i = 0; i < n; i++)
		node = tree_child(t, node, frame[i]);
	tree_add(t, node, weight, 1);
}

static void add(
	struct stacks *s, unsigned worker, const frame_id *frame, uint32_t n, uint64_t weight)
{
	test_profile_add_frames(&s->t, frame, n, weight);
	add_to_tree(&s->tree[worker], frame, n, weight);
}

/* "f 3/1 main 4/0": functions with total and self, the largest total first. */
static void put_costs(const struct costs *c, struct buf *text)
{
	uint32_t n, i;
	struct function_cost *ranked = costs_ranked(c, BY_TOTAL, &n);

	for (i = 0; i < n; i++) {
		const struct function_cost *f = &ranked[i];
		struct span name = functions_name(&c->functions, f->function);

		buf_printf(text, "%.*s %d/%d ", SPAN_ARG(name), (int)f->total.weight,
			(int)f->self.weight);
	}
	free(ranked);
}

/* Of the trees, the second one first if they are turned; they have to be those of the profile. */
static void assert_same_costs(struct stacks *s, bool turned, const char *expected)
{
	const struct tree *trees[] = { &s->tree[turned], &s->tree[!turned] };
	struct buf of_profile = { 0 }, of_trees = { 0 };
	struct costs c;
	struct cost whole;

	costs_init(&c, &s->t.p);
	put_costs(&c, &of_profile);
	costs_release(&c);
	whole = costs_init_of_trees(&c, &s->t.p, trees, 2);
	assert_int_equal(whole.weight, s->t.p.nodes[0].total);
	put_costs(&c, &of_trees);
	costs_release(&c);
	assert_string_equal(buf_str(&of_trees), buf_str(&of_profile));
	if (expected)
		assert_string_equal(buf_str(&of_trees), expected);
	buf_release(&of_profile);
	buf_release(&of_trees);
}

static void a_stack_counts_once_for_a_function(void **state)
{
	struct stacks s;
	frame_id thread, main, f, g;

	(void)state;
	stacks_init(&s);
	thread = test_frame(&s.t, SPAN("node"), FRAME_ROOT);
	main = test_frame(&s.t, SPAN("main"), FRAME_USER);
	f = test_frame(&s.t, SPAN("f"), FRAME_USER);
	g = test_frame(&s.t, SPAN("g"), FRAME_USER);
	add(&s, 0, (frame_id[]){ thread, main, f, g, f }, 5, 4);
	add(&s, 0, (frame_id[]){ thread, main, f, g }, 4, 5);
	add(&s, 1, (frame_id[]){ thread, main, f, f }, 4, 2);
	add(&s, 1, (frame_id[]){ thread, main }, 2, 1);
	test_profile_finish(&s.t);
	assert_same_costs(&s, false, "main 12/1 f 11/6 g 9/5 ");
	assert_same_costs(&s, true, "main 12/1 f 11/6 g 9/5 ");
	stacks_release(&s);
}

static void stacks_without_code_cost_nothing_above_their_end(void **state)
{
	struct stacks s;
	frame_id process, thread, f;

	(void)state;
	stacks_init(&s);
	process = test_frame(&s.t, SPAN("app"), FRAME_ROOT);
	thread = test_frame(&s.t, SPAN("worker"), FRAME_ROOT);
	f = test_frame(&s.t, SPAN("f"), FRAME_USER);
	add(&s, 0, (frame_id[]){ process, thread }, 2, 3);
	add(&s, 1, (frame_id[]){ process, thread, f }, 3, 2);
	add(&s, 1, NULL, 0, 7);
	test_profile_finish(&s.t);
	assert_same_costs(&s, false, "[empty] 7/7 worker 3/3 f 2/2 ");
	stacks_release(&s);
}

static void any_stacks_cost_what_they_do_in_a_profile(void **state)
{
	frame_id frame[FRAMES], stack[DEPTH_MAX];
	uint32_t random = 1, i, k;
	struct stacks s;

	(void)state;
	stacks_init(&s);
	for (i = 0; i < FRAMES; i++) {
		char name[] = { (char)('a' + i), 0 };

		frame[i] = test_frame(&s.t, span_of(name), i ? FRAME_USER : FRAME_ROOT);
	}
	for (i = 0; i < STACKS; i++) {
		uint32_t n = (random = random * 1664525 + 1013904223) >> 28;

		n = 1 + n % (DEPTH_MAX - 1);
		stack[0] = frame[0];
		for (k = 1; k < n; k++) {
			random = random * 1664525 + 1013904223;
			stack[k] = frame[1 + (random >> 16) % (FRAMES - 1)];
		}
		add(&s, i % 2, stack, n, 1 + i % 5);
	}
	test_profile_finish(&s.t);
	assert_same_costs(&s, false, NULL);
	assert_same_costs(&s, true, NULL);
	stacks_release(&s);
}

static void assert_function(const struct costs *c, function_id id, const char *name, uint32_t line)
{
	struct span is = functions_name(&c->functions, id);

	assert_true(span_eq(is, span_of(name)));
	assert_int_equal(c->functions.function[id].line, line);
}

/* Whatever order the frames were made in. */
static void functions_are_numbered_by_their_content(void **state)
{
	static const struct {
		const char *name;
		uint32_t line;
	} made[] = { { "g", 7 }, { "f", 9 }, { "f", 3 } };
	const struct tree *trees[2];
	struct stacks s;
	struct costs c;
	uint32_t i;

	(void)state;
	stacks_init(&s);
	for (i = 0; i < ARRAY_LEN(made); i++) {
		struct frame f = { .name = strtab_add_str(s.t.p.strings, made[i].name),
			.file = strtab_add_str(s.t.p.strings, "a.c"),
			.line = made[i].line,
			.kind = FRAME_USER };
		frame_id id = frames_add(s.t.p.frames, &f);

		add(&s, 0, &id, 1, 1);
	}
	test_profile_finish(&s.t);
	trees[0] = &s.tree[0];
	costs_init_of_trees(&c, &s.t.p, trees, 1);
	assert_int_equal(c.functions.n, 3);
	assert_function(&c, 0, "f", 3);
	assert_function(&c, 1, "f", 9);
	assert_function(&c, 2, "g", 7);
	for (i = 1; i < c.functions.n_frames; i++) /* and are still found, as they were and anew */
		assert_true(!c.functions.by_frame[i] ||
			    functions_add_frame(&c.functions, i) < c.functions.n);
	assert_int_equal(c.functions.n, 3);
	costs_release(&c);
	stacks_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stack_counts_once_for_a_function),
		cmocka_unit_test(stacks_without_code_cost_nothing_above_their_end),
		cmocka_unit_test(any_stacks_cost_what_they_do_in_a_profile),
		cmocka_unit_test(functions_are_numbered_by_their_content),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
