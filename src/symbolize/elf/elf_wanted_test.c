#include "symbolize/elf/elf_wanted.h"

#include "base/mem.h"
#include "symbolize/symtab/symtab.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { SYMBOLS_MAX = 24, ASKED_MAX = 12, PLACES = 64, ROUNDS = 20000 };

static void make(struct elf_wanted *a, const uint64_t *at, uint32_t n)
{
	elf_wanted_init(a, xmemdup(at, n * sizeof(*at)), n);
	elf_wanted_sort(a);
}

static void addresses_are_counted_below_any_place(void **state)
{
	static const uint64_t at[] = { 0x5000, 0x10, 0x5000, 0x11, UINT64_MAX };
	struct elf_wanted a;

	(void)state;
	make(&a, at, 5);
	assert_int_equal(a.n, 4);
	assert_int_equal(elf_wanted_count_below(&a, 0), 0);
	assert_int_equal(elf_wanted_count_below(&a, 0x10), 0);
	assert_int_equal(elf_wanted_count_below(&a, 0x11), 1);
	assert_int_equal(elf_wanted_count_below(&a, 0x12), 2);
	assert_int_equal(elf_wanted_count_below(&a, 0x5000), 2);
	assert_int_equal(elf_wanted_count_below(&a, 0x5001), 3);
	assert_int_equal(elf_wanted_count_below(&a, UINT64_MAX), 3);
	assert_true(elf_wanted_within(&a, 0x11, 0x12));
	assert_false(elf_wanted_within(&a, 0x12, 0x5000));
	assert_false(elf_wanted_within(&a, 0x11, 0x11));
	elf_wanted_release(&a);
}

static void without_addresses_nothing_is_within(void **state)
{
	struct elf_wanted a;

	(void)state;
	elf_wanted_init(&a, NULL, 0);
	elf_wanted_sort(&a);
	assert_int_equal(elf_wanted_count_below(&a, 7), 0);
	assert_false(elf_wanted_within(&a, 0, UINT64_MAX));
	elf_wanted_release(&a);
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static struct symbol any_symbol(uint32_t *seed, const char *name)
{
	struct symbol s = { .name = { name, 1 }, .bind = STB_GLOBAL };

	s.start = 0x1000 + next_random(seed) % PLACES;
	s.end = s.start + (next_random(seed) % 2 ? next_random(seed) % 12 : 0);
	s.type = next_random(seed) % 3 ? STT_FUNC : STT_NOTYPE;
	return s;
}

/* The name that covers the place, NULL: none. */
static const char *name_at(const struct symtab *t, uint64_t place)
{
	uint32_t i = symtab_find(t, place);

	return i == SYMTAB_NONE ? NULL : symtab_get(t, i).name.p;
}

/* What is left out must not be missed: labels, overlapping functions, several at one start. */
static void compare_once(uint32_t *seed)
{
	static const char names[SYMBOLS_MAX + 1] = "abcdefghijklmnopqrstuvwx";
	uint32_t n = 1 + next_random(seed) % SYMBOLS_MAX, asks = next_random(seed) % ASKED_MAX, i;
	struct elf_wanted_extent extent[SYMBOLS_MAX];
	struct symtab all = { 0 }, few = { 0 };
	struct symbol s[SYMBOLS_MAX];
	uint64_t at[ASKED_MAX];
	struct elf_wanted a;

	for (i = 0; i < asks; i++)
		at[i] = 0x1000 + next_random(seed) % (2 * PLACES);
	make(&a, at, asks);
	for (i = 0; i < n; i++) {
		s[i] = any_symbol(seed, &names[i]);
		extent[i] = (struct elf_wanted_extent){ .start = s[i].start, .end = s[i].end };
		symtab_add(&all, &s[i]);
	}
	elf_wanted_choose(&a, extent, n);
	for (i = 0; i < n; i++)
		if (extent[i].keep)
			symtab_add(&few, &s[i]);
	symtab_freeze(&all);
	symtab_freeze(&few);
	for (i = 0; i < asks; i++)
		assert_ptr_equal(name_at(&all, at[i]), name_at(&few, at[i]));
	elf_wanted_release(&a);
	symtab_release(&all);
	symtab_release(&few);
}

static void kept_symbols_answer_as_all_do(void **state)
{
	uint32_t seed = 1, i;

	(void)state;
	for (i = 0; i < ROUNDS; i++)
		compare_once(&seed);
}

static void symbols_far_from_all_addresses_are_left_out(void **state)
{
	struct elf_wanted_extent s[3] = { { 0x1000, 0x1100, 0, false },
		{ 0x2000, 0x2100, 1, false }, { 0x3000, 0x3100, 2, false } };
	static const uint64_t at[] = { 0x2010 };
	struct elf_wanted a;

	(void)state;
	make(&a, at, 1);
	elf_wanted_choose(&a, s, 3);
	assert_false(s[0].keep);
	assert_true(s[1].keep);
	assert_true(s[2].keep); /* ends what is before */
	elf_wanted_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_are_counted_below_any_place),
		cmocka_unit_test(without_addresses_nothing_is_within),
		cmocka_unit_test(kept_symbols_answer_as_all_do),
		cmocka_unit_test(symbols_far_from_all_addresses_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
