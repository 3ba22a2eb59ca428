#include "symbolize/elf/elf_for_test.h"

static struct symbol function(const char *name, uint64_t start, uint64_t size_bytes)
{
	return (struct symbol){ .start = start,
		.end = start + size_bytes,
		.name = span_of(name),
		.bind = STB_GLOBAL,
		.type = STT_FUNC };
}

static void add(struct symtab *t, const char *name, uint64_t start, uint64_t size_bytes)
{
	struct symbol s = function(name, start, size_bytes);

	symtab_add(t, &s);
}

/* The names of a table to which the test has added its symbols; that is its end. */
static void expect_names(struct symtab *t, const struct named_place *expected, size_t n)
{
	if (t->style.compat_perf)
		symtab_fixup(t);
	symtab_freeze(t);
	symtab_expect_names(t, 0, expected, n);
	symtab_release(t);
}

#define EXPECT(t, ...) expect_names((t), NAMES(__VA_ARGS__))

static void a_symbol_covers_its_start_but_not_its_end(void **state)
{
	struct symtab t = { 0 };

	(void)state;
	add(&t, "b", 0x20, 0x10);
	add(&t, "a", 0x10, 0x8);
	EXPECT(&t, { 0xf, "none" }, { 0x10, "a" }, { 0x17, "a" }, { 0x18, "none" }, { 0x2f, "b" },
		{ 0x30, "none" });
}

static void an_empty_table_covers_nothing(void **state)
{
	struct symtab t = { 0 };

	(void)state;
	EXPECT(&t, { 0, "none" }, { UINT64_MAX, "none" });
}

static void a_symbol_without_size_reaches_to_the_next_one(void **state)
{
	struct symtab t = { 0 };

	(void)state;
	add(&t, "first", 0x100, 0);
	add(&t, "second", 0x180, 8);
	add(&t, "last", 0x1200, 0);
	EXPECT(&t, { 0x17f, "first" }, { 0x188, "none" }, { 0x2fff, "last" }, { 0x3000, "none" });
}

static void a_symbol_without_size_ends_at_its_limit(void **state)
{
	struct symtab t = { 0 };
	struct symbol first = function("first", 0x100, 0), last = function("last", 0x1200, 0);

	(void)state;
	first.limit = 0x140;
	last.limit = 0x4000;
	symtab_add(&t, &first);
	symtab_add(&t, &last);
	EXPECT(&t, { 0x13f, "first" }, { 0x140, "none" }, { 0x11ff, "none" }, { 0x3fff, "last" },
		{ 0x4000, "none" });
}

static void perf_knows_no_limit(void **state)
{
	struct symtab t = { .style.compat_perf = true };
	struct symbol first = function("first", 0x100, 0);

	(void)state;
	first.limit = 0x140;
	symtab_add(&t, &first);
	add(&t, "second", 0x1200, 0);
	EXPECT(&t, { 0x11ff, "first" });
}

static void a_label_inside_a_function_does_not_hide_its_rest(void **state)
{
	struct symtab t = { 0 };
	struct symbol label = function("loop", 0x110, 0);

	(void)state;
	label.type = STT_NOTYPE;
	add(&t, "copy", 0x100, 0x40);
	symtab_add(&t, &label);
	EXPECT(&t, { 0x120, "copy" });
}

static void the_innermost_of_nested_symbols_wins(void **state)
{
	struct symtab t = { 0 };

	(void)state;
	add(&t, "outer", 0x100, 0x100);
	add(&t, "middle", 0x120, 0x80);
	add(&t, "inner", 0x140, 0x10);
	EXPECT(&t, { 0x11f, "outer" }, { 0x13f, "middle" }, { 0x140, "inner" }, { 0x150, "middle" },
		{ 0x1a0, "outer" }, { 0x200, "none" });
}

static void of_overlapping_symbols_the_later_start_wins(void **state)
{
	struct symtab t = { 0 };

	(void)state;
	add(&t, "a", 0x100, 0x20);
	add(&t, "b", 0x110, 0x20);
	add(&t, "far", 0x130, 0x10);
	EXPECT(&t, { 0x10f, "a" }, { 0x118, "b" }, { 0x12f, "b" }, { 0x130, "far" });
}

static void a_symbol_may_end_at_the_end_of_all_addresses(void **state)
{
	struct symtab t = { 0 };

	(void)state;
	add(&t, "all", 0, UINT64_MAX);
	add(&t, "last", UINT64_MAX - 8, 0);
	EXPECT(&t, { 1, "all" }, { UINT64_MAX - 1, "all" });
}

/* The name that is kept of two symbols that start together, the first being a. */
static const char *chosen(struct symbol a, struct symbol b, bool compat_perf)
{
	struct symtab t = { .style.compat_perf = compat_perf };
	const char *name;

	symtab_add(&t, &a);
	symtab_add(&t, &b);
	symtab_fixup(&t);
	symtab_freeze(&t);
	name = symtab_name_at(&t, a.start);
	symtab_release(&t);
	return name;
}

static void of_aliases_the_best_known_is_kept(void **state)
{
	struct symbol a = function("alias", 0x100, 16), b = function("other_one", 0x100, 16);
	struct symbol weak = a, local = a, label = a;

	(void)state;
	weak.bind = STB_WEAK;
	local.bind = STB_LOCAL;
	label.type = STT_NOTYPE;
	assert_string_equal(chosen(a, b, false), "other_one");
	assert_string_equal(chosen(b, a, false), "other_one");
	b.name = SPAN("b");
	assert_string_equal(chosen(weak, b, false), "b");
	assert_string_equal(chosen(local, b, false), "b");
	assert_string_equal(chosen(label, b, false), "b");
	b.name = SPAN("__a_longer_name");
	assert_string_equal(chosen(a, b, false), "alias");
	b.name = SPAN("equal");
	assert_string_equal(chosen(a, b, false), "alias");
	assert_string_equal(chosen(b, a, false), "equal");
}

static struct symbol better_of(const struct symbol *a, const struct symbol *b)
{
	struct symtab t = { 0 };
	bool is_second;

	symtab_add(&t, a);
	symtab_add(&t, b);
	symtab_freeze(&t);
	is_second = symtab_get(&t, symtab_find(&t, a->start)).order;
	symtab_release(&t);
	return is_second ? *b : *a;
}

/* A table of all symbols, which puts off what it can, chooses as tables of two, one after the
 * other.
 */
static void assert_best_of(const struct symbol *s, uint32_t n)
{
	struct symtab t = { 0 };
	struct symbol best = s[0], got;
	uint32_t i;

	for (i = 0; i < n; i++)
		symtab_add(&t, &s[i]);
	for (i = 1; i < n; i++)
		best = better_of(&best, &s[i]);
	symtab_freeze(&t);
	assert_int_equal(t.n, 1);
	got = symtab_get(&t, symtab_find(&t, 0x100));
	assert_true(span_eq(got.name, best.name));
	assert_int_equal(got.type, best.type);
	assert_int_equal(got.bind, best.bind);
	symtab_release(&t);
}

static void of_many_aliases_the_best_is_found_when_it_is_asked_for(void **state)
{
	static const char *const names[] = { "a", "_a", "__bb", "bb", "_ZN3FooC1Ev", "_ZN3FooC2Ev",
		"_ZN3BarD0Ev", "memcpy@GLIBC_2.2.5", "memcpy" };
	static const uint8_t types[] = { STT_FUNC, STT_FUNC, STT_OBJECT, STT_NOTYPE };
	static const uint8_t binds[] = { STB_GLOBAL, STB_LOCAL, STB_WEAK };
	uint32_t random = 1, round, i;

	(void)state;
	for (round = 0; round < 5000; round++) {
		struct symbol s[6];
		uint32_t n = 1 + round % 6;

		for (i = 0; i < n; i++) {
			random = random * 1664525 + 1013904223;
			s[i] = function(names[(random >> 8) % 9], 0x100, random >> 28 ? 0x10 : 0);
			s[i].type = types[(random >> 12) % 4];
			s[i].bind = binds[(random >> 16) % (random & 0x100000 ? 3 : 1)];
		}
		assert_best_of(s, n);
	}
}

static void the_best_alias_decides_whether_inner_labels_count(void **state)
{
	struct symtab t = { 0 };
	struct symbol table = function("table", 0x100, 0x40), label = function("entry", 0x110, 0);

	(void)state;
	table.type = STT_OBJECT;
	label.type = STT_NOTYPE;
	add(&t, "__table", 0x100, 0x40);
	symtab_add(&t, &table);
	symtab_add(&t, &label);
	EXPECT(&t, { 0x100, "table" }, { 0x110, "entry" });
}

static void names_of_one_function_are_related(void **state)
{
	static const struct {
		const char *a, *b;
		bool related;
	} cases[] = {
		{ "free", "__libc_free", true },
		{ "clock_gettime64", "__GI___clock_gettime", true },
		{ "_IO_file_read@@GLIBC_2.2.5", "_IO_new_file_read", true },
		{ "_ZN1AC1Ev", "_ZN1AC2Ev", true },
		{ "_ZNSo3putEc@@GLIBCXX_3.4", "_ZNSo3putEc", true },
		{ "_ZN3Tcp5writeEl", "_ZN4Unix5writeEl", false },
		{ "_ZNSo3putEc@@GLIBCXX_3.4", "_ZNSo3getEv", false },
		{ "_ZN1AC1Ev", "_ZN1BC2Ev", false },
		{ "_ZN1a2f1Ev", "_ZN1a2f2Ev", false },
		{ "width_of", "smallest_height", false },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct span a = span_of(cases[i].a), b = span_of(cases[i].b);

		assert_int_equal(symtab_are_related(a, b), cases[i].related);
		assert_int_equal(symtab_are_related(b, a), cases[i].related);
	}
}

static void assert_shared(const struct symbol *s, uint32_t n, bool shared)
{
	struct symtab t = { 0 };
	uint32_t i;

	for (i = 0; i < n; i++)
		symtab_add(&t, &s[i]);
	symtab_freeze(&t);
	i = symtab_find(&t, 0x100);
	assert_int_not_equal(i, SYMTAB_NONE);
	assert_int_equal(t.sym[i].shared, shared);
	symtab_release(&t);
}

static void functions_that_start_together_are_known(void **state)
{
	struct symbol s[] = { function("width_of", 0x100, 8), function("smallest_height", 0x100, 8),
		function("__width_of", 0x100, 8) };

	(void)state;
	assert_shared(s, 2, true);
	assert_shared(s, 3, true);
	s[0].bind = STB_WEAK; /* so that the names do not decide */
	assert_shared(s, 2, true);
	s[1] = s[2];
	assert_shared(s, 2, false);
	s[1] = function("smallest_height", 0x100, 0);
	s[1].type = STT_NOTYPE; /* a label at the start of the function */
	assert_shared(s, 2, false);
	s[1] = function("after", 0x108, 8);
	assert_shared(s, 2, false);
}

static void names_are_compared_demangled(void **state)
{
	struct symbol a = function("_ZN3fooD2Ev", 0x100, 16);
	struct symbol b = function("_ZN4longC2Ev", 0x100, 16);
	struct symbol c = function("foo_bar_baz_", 0x100, 16);

	(void)state;
	assert_string_equal(chosen(a, b, false), "_ZN4longC2Ev");
	assert_string_equal(chosen(a, c, false), "foo_bar_baz_");
}

static void an_old_version_loses_to_the_current_name(void **state)
{
	struct symbol old = function("cfree@GLIBC_2.2.5", 0x100, 16);

	(void)state;
	old.old_version = true;
	assert_string_equal(chosen(old, function("free", 0x100, 16), false), "free");
	assert_string_equal(chosen(old, function("free", 0x100, 16), true), "cfree@GLIBC_2.2.5");
}

static void aliases_of_different_size_keep_the_larger_one(void **state)
{
	struct symtab t = { 0 };

	(void)state;
	add(&t, "long_name", 0x100, 8);
	add(&t, "short", 0x100, 32);
	EXPECT(&t, { 0x110, "long_name" });
}

static void perf_lets_the_last_of_the_empty_symbols_win(void **state)
{
	struct symbol a = function("memset", 0x100, 0), b = function("__pi_memset", 0x100, 0);

	(void)state;
	assert_string_equal(chosen(a, b, false), "memset");
	assert_string_equal(chosen(a, b, true), "__pi_memset");
}

static void perf_finds_the_symbol_that_is_nearer_to_the_root(void **state)
{
	struct symtab t = { .style.compat_perf = true };

	(void)state;
	add(&t, "outer", 0x100, 0x100);
	add(&t, "inner", 0x140, 0x10);
	EXPECT(&t, { 0x148, "outer" });

	/* One more makes "inner" the root; nothing on its right is "outer". */
	t = (struct symtab){ .style.compat_perf = true };
	add(&t, "outer", 0x100, 0x100);
	add(&t, "inner", 0x140, 0x10);
	add(&t, "later", 0x300, 0x10);
	EXPECT(&t, { 0x148, "inner" }, { 0x150, "none" }, { 0x13f, "outer" });
}

static void perf_extends_labels_to_the_next_symbol(void **state)
{
	struct symtab t = { .style.compat_perf = true };

	(void)state;
	add(&t, "label", 0x110, 0);
	add(&t, "next", 0x200, 8);
	EXPECT(&t, { 0x1ff, "label" }, { 0x208, "none" });
}

/* Ranges give the same answers as a search through all symbols. */
static void ranges_agree_with_a_plain_search(void **state)
{
	struct symtab t = { 0 };
	uint32_t seed = 12345, i, k;

	(void)state;
	for (i = 0; i < 300; i++) {
		seed = seed * 1664525 + 1013904223;
		add(&t, "x", seed >> 22, 1 + (seed >> 8) % 40);
	}
	symtab_freeze(&t);
	for (i = 0; i < 1200; i++) {
		uint32_t expected = SYMTAB_NONE;

		for (k = 0; k < t.n; k++)
			if (t.sym[k].start <= i && i < t.sym[k].end)
				expected = k;
		assert_int_equal(symtab_find(&t, i), expected);
	}
	symtab_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_symbol_covers_its_start_but_not_its_end),
		cmocka_unit_test(an_empty_table_covers_nothing),
		cmocka_unit_test(a_symbol_without_size_reaches_to_the_next_one),
		cmocka_unit_test(a_symbol_without_size_ends_at_its_limit),
		cmocka_unit_test(perf_knows_no_limit),
		cmocka_unit_test(a_label_inside_a_function_does_not_hide_its_rest),
		cmocka_unit_test(the_innermost_of_nested_symbols_wins),
		cmocka_unit_test(of_overlapping_symbols_the_later_start_wins),
		cmocka_unit_test(a_symbol_may_end_at_the_end_of_all_addresses),
		cmocka_unit_test(of_aliases_the_best_known_is_kept),
		cmocka_unit_test(of_many_aliases_the_best_is_found_when_it_is_asked_for),
		cmocka_unit_test(the_best_alias_decides_whether_inner_labels_count),
		cmocka_unit_test(names_of_one_function_are_related),
		cmocka_unit_test(functions_that_start_together_are_known),
		cmocka_unit_test(names_are_compared_demangled),
		cmocka_unit_test(an_old_version_loses_to_the_current_name),
		cmocka_unit_test(aliases_of_different_size_keep_the_larger_one),
		cmocka_unit_test(perf_lets_the_last_of_the_empty_symbols_win),
		cmocka_unit_test(perf_finds_the_symbol_that_is_nearer_to_the_root),
		cmocka_unit_test(perf_extends_labels_to_the_next_symbol),
		cmocka_unit_test(ranges_agree_with_a_plain_search),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
