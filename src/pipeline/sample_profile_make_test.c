/* Of scripts/pgo/src/planted.c, in testdata/pgo/, with branches made up. */
#include "pipeline/sample_profile_make.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { CODE_BEGIN = 0x1000, CODE_END = 0x2000 };

struct world {
	struct strtab *strings;
	struct files_opts where;
	struct files *files;
	struct module module;
	struct locations *l;
	struct branch_profile branches;
	struct branch_binary *binary;
	struct sample_profile *profile;
	/* Of find_function(). */
	const char *wanted;
	uint64_t start, end;
};

static const char *const dir[] = { "testdata/pgo/clang/root/tmp/perfold/pgo/clang", NULL };

static int set_up(void **state)
{
	struct world *w = xcalloc(1, sizeof(*w));

	w->strings = strtab_new();
	w->where = (struct files_opts){ .symfs = dir, .no_system = true };
	w->files = files_new(&w->where, w->strings);
	w->module =
		(struct module){ .kind = MODULE_FILE, .path = strtab_add_str(w->strings, "/app") };
	w->l = locations_open(w->files, &w->module, w->strings);
	w->binary = branch_profile_binary(&w->branches, &w->module, 0, 1);
	*state = w;
	return !w->l;
}

static int tear_down(void **state)
{
	struct world *w = *state;

	sample_profile_free(w->profile);
	branch_profile_release(&w->branches);
	locations_free(w->l);
	files_free(w->files);
	strtab_free(w->strings);
	free(w);
	return 0;
}

static void note_function(void *ctx, uint32_t which, const struct location_function *f)
{
	struct world *w = ctx;

	(void)which;
	if (strcmp(strtab_str(w->strings, f->name), w->wanted))
		return;
	w->start = f->range[0].start;
	w->end = f->range[0].end;
}

static void find_function(struct world *w, const char *name)
{
	uint64_t address[CODE_END - CODE_BEGIN];
	uint32_t i;

	for (i = 0; i < ARRAY_LEN(address); i++)
		address[i] = CODE_BEGIN + i;
	w->wanted = name;
	w->start = 0;
	locations_functions(w->l, address, ARRAY_LEN(address), note_function, w);
	assert_int_not_equal(w->start, 0);
}

static void add(struct world *w, enum branch_reading reading, uint64_t from, uint64_t to,
	uint64_t next, uint64_t count)
{
	branch_profile_add_row(w->binary, &(struct branch_row){ .from = from,
						  .to = to,
						  .next = next,
						  .count = count,
						  .reading = (uint8_t)reading });
}

static void make(struct world *w)
{
	struct err e;

	branch_profile_finish(&w->branches, w->strings);
	w->profile = sample_profile_make(
		&w->branches.binary[0], w->l, w->strings, SAMPLE_DISCRIMINATORS_LLVM, &e);
	assert_non_null(w->profile);
}

/* The number of a root. */
static uint32_t root(const struct world *w, const char *name)
{
	const struct sample_profile *p = w->profile;
	uint32_t i;

	for (i = sample_profile_first_root(p); i < p->n_functions; i++)
		if (!strcmp(strtab_str(w->strings, p->function[i].name), name))
			return i;
	fail_msg("%s has no counts", name);
	return 0;
}

static uint64_t largest_line(const struct world *w, uint32_t function)
{
	const struct sample_line *line;
	uint64_t largest = 0;
	uint32_t i, n;

	line = sample_profile_lines(w->profile, function, &n);
	assert_int_not_equal(n, 0);
	for (i = 0; i < n; i++)
		if (line[i].count > largest)
			largest = line[i].count;
	return largest;
}

static void a_range_counts_for_its_lines_and_bytes(void **state)
{
	struct world *w = *state;
	uint32_t f;

	find_function(w, "often");
	add(w, BRANCH_ANY, BRANCH_ELSEWHERE, w->start, w->end - 1, 7);
	make(w);
	f = root(w, "often");
	assert_int_equal(w->profile->function[f].total, 7 * (w->end - w->start));
	assert_int_equal(w->profile->function[f].head, 7);
	assert_int_equal(largest_line(w, f), 7);
	assert_int_equal(w->profile->n_targets, 0);
	assert_int_equal(w->profile->n_functions, 1);
}

static void what_did_not_run_in_a_function_has_zeros(void **state)
{
	struct world *w = *state;
	const struct sample_line *line;
	uint32_t f, i, n, zeros = 0;

	find_function(w, "choose");
	add(w, BRANCH_ANY, BRANCH_ELSEWHERE, w->start, w->start, 3);
	make(w);
	f = root(w, "choose");
	line = sample_profile_lines(w->profile, f, &n);
	for (i = 0; i < n; i++)
		zeros += !line[i].count;
	assert_true(n > 5 && zeros == n - 1);
	assert_int_equal(largest_line(w, f), 3);
}

static void a_call_raises_its_line_and_counts_for_the_head(void **state)
{
	struct world *w = *state;
	uint64_t callee;
	uint32_t f;

	find_function(w, "decide");
	callee = w->start;
	find_function(w, "main");
	add(w, BRANCH_ANY, w->start, callee, BRANCH_NO_NEXT, 11);
	add(w, BRANCH_ANY, BRANCH_ELSEWHERE, callee, BRANCH_NO_NEXT, 2);
	/* Not to an entry: no call. */
	add(w, BRANCH_ANY, w->start, callee + 2, BRANCH_NO_NEXT, 100);
	make(w);
	f = root(w, "decide");
	assert_int_equal(w->profile->function[f].head, 13);
	f = root(w, "main");
	assert_int_equal(w->profile->function[f].head, 0);
	assert_int_equal(w->profile->n_targets, 1);
	assert_int_equal(w->profile->target[0].count, 11);
	assert_int_equal(w->profile->target[0].function, f);
	assert_int_equal(largest_line(w, f), 11);
}

static void samples_count_where_they_were(void **state)
{
	struct world *w = *state;
	uint32_t f;

	find_function(w, "main");
	add(w, BRANCH_SAMPLE, BRANCH_ELSEWHERE, w->start, BRANCH_NO_NEXT, 5);
	make(w);
	f = root(w, "main");
	assert_int_equal(w->profile->function[f].head, 0);
	assert_int_equal(largest_line(w, f), 5);
	assert_int_equal(w->profile->n_targets, 0);
}

static void a_binary_without_branches_has_no_counts(void **state)
{
	struct world *w = *state;

	add(w, BRANCH_ANY, BRANCH_ELSEWHERE, 0x7fffffff, UINT64_MAX - 1, UINT64_MAX);
	make(w);
	assert_int_equal(w->profile->n_functions, 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_range_counts_for_its_lines_and_bytes),
		TEST(what_did_not_run_in_a_function_has_zeros),
		TEST(a_call_raises_its_line_and_counts_for_the_head),
		TEST(samples_count_where_they_were),
		TEST(a_binary_without_branches_has_no_counts),
	};

	elf_version(EV_CURRENT);
	return cmocka_run_group_tests_name("sample_profile_make", tests, NULL, NULL);
}
