#include "compare/grouping.h"

#include "compare/costs.h"
#include "model/profile_for_test.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static frame_id in_module(struct test_profile *t, const char *name, const char *module,
	const char *file, uint8_t kind)
{
	struct frame f = { .name = strtab_add_str(t->p.strings, name),
		.module = strtab_add_str(t->p.strings, module),
		.file = strtab_add_str(t->p.strings, file),
		.kind = kind };

	return frames_add(t->p.frames, &f);
}

/* "a 3/2": groups with total and self, the largest total first. */
static void assert_groups(const struct profile *p, enum grouping_by by, const char *expected)
{
	struct profile *grouped = grouping_make(p, by);
	struct function_cost *ranked;
	struct buf text = { 0 };
	struct costs c;
	uint32_t n, i;

	costs_init(&c, grouped);
	ranked = costs_ranked(&c, BY_TOTAL, &n);
	for (i = 0; i < n; i++) {
		struct span name = functions_name(&c.functions, ranked[i].function);

		buf_printf(&text, "%.*s %d/%d\n", SPAN_ARG(name), (int)ranked[i].total.weight,
			(int)ranked[i].self.weight);
	}
	assert_string_equal(buf_str(&text), expected);
	buf_release(&text);
	free(ranked);
	costs_release(&c);
	grouping_free(grouped);
}

static void stacks_count_once_for_each_group(void **state)
{
	struct test_profile t;
	frame_id f[4];

	(void)state;
	test_profile_init(&t);
	f[0] = test_frame(&t, SPAN("node-7"), FRAME_ROOT);
	f[1] = in_module(&t, "std::sort", "/bin/node", "a.cc", FRAME_USER);
	f[2] = in_module(&t, "vfs_read", "[kernel.kallsyms]", "", FRAME_KERNEL);
	f[3] = in_module(&t, "std::swap", "/bin/node", "b.cc", FRAME_USER);
	test_profile_add_frames(&t, (frame_id[]){ f[0], f[1], f[3] }, 3, 4);
	test_profile_add_frames(&t, (frame_id[]){ f[0], f[1], f[2] }, 3, 3);
	test_profile_finish(&t);
	assert_groups(&t.p, GROUPING_MODULE, "/bin/node 7/4\n[kernel.kallsyms] 3/3\n");
	assert_groups(&t.p, GROUPING_CATEGORY, "user 7/4\nkernel 3/3\n");
	assert_groups(&t.p, GROUPING_PACKAGE, "std 7/4\n[kernel] 3/3\n");
	assert_groups(&t.p, GROUPING_FILE, "a.cc 7/0\nb.cc 4/4\n[no file known] 3/3\n");
	assert_groups(&t.p, GROUPING_ROOT, "node-7 7/7\n");
	assert_true(grouping_has_roots(&t.p));
	test_profile_release(&t);
}

/* The innermost frame of the only stack. */
static int innermost_kind(const struct profile *p, enum grouping_by by)
{
	struct profile *grouped = grouping_make(p, by);
	int kind = profile_frame_kind(grouped, grouped->nodes[grouped->n_nodes - 1].frame);

	grouping_free(grouped);
	return kind;
}

/* By which a terminal's rows are coloured: a module may have code of several kinds. */
static void only_categories_are_of_a_kind(void **state)
{
	struct test_profile t;
	frame_id f[2];

	(void)state;
	test_profile_init(&t);
	f[0] = in_module(&t, "main", "/bin/node", "a.cc", FRAME_USER);
	f[1] = in_module(&t, "vfs_read", "[kernel.kallsyms]", "", FRAME_KERNEL);
	test_profile_add_frames(&t, f, 2, 1);
	test_profile_finish(&t);
	assert_int_equal(innermost_kind(&t.p, GROUPING_CATEGORY), FRAME_KERNEL);
	assert_int_equal(innermost_kind(&t.p, GROUPING_MODULE), FRAME_USER);
	assert_int_equal(innermost_kind(&t.p, GROUPING_ROOT), FRAME_USER);
	test_profile_release(&t);
}

static void stacks_that_begin_with_code_have_no_root(void **state)
{
	struct test_profile t;

	(void)state;
	test_profile_from_folded(&t, SPAN("main;run 4\nmain 1\n"));
	assert_false(grouping_has_roots(&t.p));
	assert_groups(&t.p, GROUPING_ROOT, "[unknown] 5/5\n");
	assert_groups(&t.p, GROUPING_STATE, "running 5/5\n");
	test_profile_release(&t);
}

static void an_empty_profile_has_no_groups(void **state)
{
	struct test_profile t;

	(void)state;
	assert_groups(test_profile_from_folded(&t, SPAN("")), GROUPING_MODULE, "");
	test_profile_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_count_once_for_each_group),
		cmocka_unit_test(only_categories_are_of_a_kind),
		cmocka_unit_test(stacks_that_begin_with_code_have_no_root),
		cmocka_unit_test(an_empty_profile_has_no_groups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
