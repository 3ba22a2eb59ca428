#include "symbolize/dwarf/dwarf_sources.h"

#include "symbolize/dwarf/dwarf_inlines_for_test.h"

static void check_absolute(const struct inlines *w, str_id file)
{
	assert_true(!file || span_starts(strtab_get(w->strings, file), SPAN("/src/")));
}

/* The names of line tables are relative to the directory of the compiler. */
static void check_paths(struct inlines *w)
{
	uint32_t n, k, lines = 0;
	size_t i;

	for (i = 0; i < w->n; i++) {
		const frame_id *f = sites_frames(w->r->sites, w->place[i].site, &n);

		for (k = 0; k < n; k++) {
			const struct frame *at = frames_get(w->frames, f[k]);

			check_absolute(w, at->file);
			check_absolute(w, at->at_file);
			lines += at->at_line && (at->at_file || at->file);
		}
	}
	assert_true(lines >= w->n);
}

static void run_program(struct inlines *w, const char *program, const char *chains)
{
	read_chains(w, chains, add_module(w, program));
	w->o.sources = true;
	run(w, 2);
}

/* An include directory that was given relative to it is so in the line table of gcc. */
static void relative_directories_are_below_that_of_the_compiler(void **state)
{
	struct inlines *w = *state;
	site_id at = add_site(w, add_module(w, "relative"), 0x2c6, SITE_EXACT);
	const frame_id *f;
	uint32_t n;

	run(w, 1);
	assert_string_equal(chain_of(w, at), "part:part.h:3 main:relative.c:5");
	f = sites_frames(w->r->sites, at, &n);
	assert_string_equal(
		strtab_str(w->strings, frames_get(w->frames, f[1])->file), "/src/parts/part.h");
	assert_int_equal(frames_get(w->frames, f[1])->at_file, 0);
	assert_string_equal(
		strtab_str(w->strings, frames_get(w->frames, f[0])->file), "/src/relative.c");
}

static const struct source_fact *fact_of(const struct inlines *w, const char *path)
{
	return source_files_find(w->r->sources, strtab_add_str(w->strings, path));
}

static void check_md5(const struct inlines *w, const char *name)
{
	char *path = xasprintf("/src/%s", name), *here = xasprintf(FOLDER "%s", name);
	const struct source_fact *f = fact_of(w, path);
	struct buf text = { 0 };
	struct source_md5 sum;
	struct err e;

	assert_non_null(f);
	assert_int_equal(f->n_md5, 1);
	assert_int_equal(file_read_all(here, 1 << 20, &text, &e), OK);
	md5_of(buf_span(&text), sum.byte);
	assert_memory_equal(&f->md5[0], &sum, sizeof(sum));
	assert_false(f->is_local);
	assert_true(f->built_s > 0);
	buf_release(&text);
	free(path);
	free(here);
}

#define TEST_PATHS(test, name, chains)                                                             \
	static void test(void **state)                                                             \
	{                                                                                          \
		run_program(*state, name, chains);                                                 \
		check_paths(*state);                                                               \
	}

TEST_PATHS(paths_of_dwarf_2_are_absolute, "inlines-gcc-2", "inlines")
TEST_PATHS(paths_of_dwarf_4_are_absolute, "inlines-gcc-4", "inlines")
TEST_PATHS(paths_of_dwarf_5_are_absolute, "inlines-gcc-5", "inlines")
TEST_PATHS(paths_of_split_dwarf_4_are_absolute, "inlines-split-4", "inlines")
TEST_PATHS(paths_of_split_dwarf_5_are_absolute, "inlines-split-5", "inlines")
TEST_PATHS(paths_in_the_file_of_dwz_are_absolute, "inlines-dwz", "inlines")

static void clang_sums_sources(void **state)
{
	struct inlines *w = *state;

	run_program(w, "inlines-clang", "inlines-clang");
	check_paths(w);
	/* No site is in it. */
	assert_null(fact_of(w, "/src/other.cpp"));
	check_md5(w, "inlines.cpp");
}

/* Which has no table of files in its .dwo. */
static void clang_sums_sources_of_split_units(void **state)
{
	struct inlines *w = *state;
	void *dir;

	assert_int_equal(tmpdir_setup(&dir), 0);
	copy_file(&dir, "inlines-clang-split-5", "split");
	copy_file(&dir, "inlines-clang-split-5.llvm-dwp", "split.dwp");
	read_chains(w, "inlines-clang", add_module(w, "split"));
	w->o.sources = true;
	run_in(w, dir);
	check_paths(w);
	check_md5(w, "inlines.cpp");
	assert_int_equal(tmpdir_teardown(&dir), 0);
}

static void gcc_sums_none(void **state)
{
	const struct source_fact *f;

	run_program(*state, "inlines-gcc-5", "inlines");
	f = fact_of(*state, "/src/inlines.cpp");
	assert_non_null(f);
	assert_int_equal(f->n_md5, 0);
}

static void nothing_is_noted_unless_somebody_wants_it(void **state)
{
	struct inlines *w = *state;

	read_chains(w, "inlines-clang", add_module(w, "inlines-clang"));
	run(w, 1);
	assert_null(w->r->sources);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(paths_of_dwarf_2_are_absolute),
		TEST(paths_of_dwarf_4_are_absolute),
		TEST(paths_of_dwarf_5_are_absolute),
		TEST(paths_of_split_dwarf_4_are_absolute),
		TEST(paths_of_split_dwarf_5_are_absolute),
		TEST(paths_in_the_file_of_dwz_are_absolute),
		TEST(relative_directories_are_below_that_of_the_compiler),
		TEST(clang_sums_sources),
		TEST(clang_sums_sources_of_split_units),
		TEST(gcc_sums_none),
		TEST(nothing_is_noted_unless_somebody_wants_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
