#include "model/sample_profile.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static int set_up(void **state)
{
	*state = strtab_new();
	return 0;
}

static int tear_down(void **state)
{
	strtab_free(*state);
	return 0;
}

static str_id name(void **state, const char *text)
{
	return strtab_add_str(*state, text);
}

static void the_same_row_is_found_again(void **state)
{
	struct sample_profile *p = sample_profile_new(*state);
	struct sample_place at = { 3, 1 }, other = { 3, 2 };
	uint32_t f = sample_profile_root(p, name(state, "f"));
	uint32_t inlined = sample_profile_inlined(p, f, at, name(state, "g"));

	assert_int_equal(sample_profile_root(p, name(state, "f")), f);
	assert_int_equal(sample_profile_inlined(p, f, at, name(state, "g")), inlined);
	assert_int_not_equal(sample_profile_inlined(p, f, other, name(state, "g")), inlined);
	assert_int_not_equal(sample_profile_inlined(p, f, at, name(state, "h")), inlined);
	assert_int_not_equal(sample_profile_root(p, name(state, "g")), inlined);
	assert_int_equal(sample_profile_line(p, f, at), sample_profile_line(p, f, at));
	assert_int_not_equal(sample_profile_line(p, f, at), sample_profile_line(p, inlined, at));
	assert_int_not_equal(sample_profile_target(p, f, at, name(state, "g")),
		sample_profile_target(p, f, at, name(state, "h")));
	assert_int_equal(p->n_functions, 5);
	assert_int_equal(p->n_lines, 2);
	assert_int_equal(p->n_targets, 2);
	sample_profile_free(p);
}

static void add_root(struct sample_profile *p, str_id name, uint64_t total)
{
	uint32_t f = sample_profile_root(p, name);

	p->function[f].total = total;
}

static void roots_are_in_order_of_their_totals_and_names(void **state)
{
	struct sample_profile *p = sample_profile_new(*state);
	static const char *const wanted[] = { "heavy", "a", "b" };
	uint32_t i, first;

	add_root(p, name(state, "b"), 5);
	add_root(p, name(state, "heavy"), 9);
	add_root(p, name(state, "a"), 5);
	sample_profile_inlined(p, 0, (struct sample_place){ 1, 0 }, name(state, "z"));
	sample_profile_sort(p);
	first = sample_profile_first_root(p);
	assert_int_equal(p->n_functions - first, ARRAY_LEN(wanted));
	for (i = 0; i < ARRAY_LEN(wanted); i++)
		assert_int_equal(p->function[first + i].name, name(state, wanted[i]));
	assert_int_equal(p->function[first + 2].n_children, 1);
	assert_int_equal(p->function[p->function[first + 2].first_child].name, name(state, "z"));
	sample_profile_free(p);
}

static void children_stay_with_their_parents(void **state)
{
	struct sample_profile *p = sample_profile_new(*state);
	uint32_t light = sample_profile_root(p, name(state, "light"));
	uint32_t heavy = sample_profile_root(p, name(state, "heavy")), child, i;

	p->function[heavy].total = 2;
	for (i = 3; i > 0; i--) {
		struct sample_place at = { i, 0 };

		child = sample_profile_inlined(p, heavy, at, name(state, "of heavy"));
		sample_profile_inlined(p, child, at, name(state, "deeper"));
		sample_profile_inlined(p, light, at, name(state, "of light"));
	}
	sample_profile_sort(p);
	for (i = 0; i < p->n_functions; i++) {
		const struct sample_function *f = &p->function[i];
		uint32_t k;

		assert_int_equal(f->n_children, f->parent == SAMPLE_NO_FUNCTION      ? 3
						: f->name == name(state, "of heavy") ? 1
										     : 0);
		for (k = 0; k < f->n_children; k++) {
			const struct sample_function *c = &p->function[f->first_child + k];

			assert_int_equal(c->parent, i);
			if (f->n_children == 3)
				assert_int_equal(c->site.line, k + 1);
		}
	}
	sample_profile_free(p);
}

static void lines_and_targets_are_those_of_their_function(void **state)
{
	struct sample_profile *p = sample_profile_new(*state);
	uint32_t f = sample_profile_root(p, name(state, "f")), n, i;
	const struct sample_line *line;
	const struct sample_target *target;

	sample_profile_line(
		p, sample_profile_root(p, name(state, "other")), (struct sample_place){ 1, 0 });
	for (i = 4; i > 0; i--)
		sample_profile_line(p, f, (struct sample_place){ i / 2, i % 2 });
	for (i = 0; i < 3; i++) {
		static const char *const called[] = { "b", "a", "most" };
		uint32_t t = sample_profile_target(
			p, f, (struct sample_place){ 1, 1 }, name(state, called[i]));

		p->target[t].count = i == 2 ? 8 : 4;
	}
	sample_profile_sort(p);
	f = sample_profile_first_root(p);
	line = sample_profile_lines(p, f, &n);
	assert_int_equal(n, 4);
	for (i = 1; i < n; i++)
		assert_true(line[i - 1].place.line * 2 + line[i - 1].place.discriminator <
			    line[i].place.line * 2 + line[i].place.discriminator);
	sample_profile_targets(p, &line[0], &n);
	assert_int_equal(n, 0);
	target = sample_profile_targets(p, &line[2], &n);
	assert_int_equal(n, 3);
	assert_int_equal(target[0].name, name(state, "most"));
	assert_int_equal(target[1].name, name(state, "a"));
	assert_int_equal(target[2].name, name(state, "b"));
	sample_profile_lines(p, f + 1, &n);
	assert_int_equal(n, 1);
	sample_profile_free(p);
}

static void a_profile_of_nothing_is_sorted(void **state)
{
	struct sample_profile *p = sample_profile_new(*state);

	sample_profile_sort(p);
	assert_int_equal(sample_profile_first_root(p), 0);
	sample_profile_free(p);
	sample_profile_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_same_row_is_found_again, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			roots_are_in_order_of_their_totals_and_names, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			children_stay_with_their_parents, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			lines_and_targets_are_those_of_their_function, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_profile_of_nothing_is_sorted, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
