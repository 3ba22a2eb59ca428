/* Records about processes and the kernel that no kernel would send, or not in that order. */
#include "process/world/world_for_test.h"

#include <stdio.h>

/* ---- processes ---------------------------------------------------------------------------- */

static void an_exit_before_the_fork_ends_nothing(void **state)
{
	struct world_bed *f = *state;

	comm(f, 0, 3, 3, "parent");
	map(f, 0, 3, 0x1000, 0x1000, "/bin/parent");
	leave(f, 10, 7, 7);
	fork_process(f, 20, 3, 7);
	comm(f, 30, 7, 7, "child");
	world_freeze(f->w);
	assert_string_equal(name(f, 7, 7, 25), "parent");
	assert_string_equal(path(f, 7, 0x1000, 25), "/bin/parent");
	assert_string_equal(name(f, 7, 7, 30), "child");
}

static void a_tid_may_move_to_another_process(void **state)
{
	struct world_bed *f = *state;

	comm(f, 0, 7, 7, "seven");
	fork_thread(f, 1, 7, 7, 8);
	comm(f, 10, 9, 8, "moved");
	map(f, 10, 9, 0x1000, 0x1000, "/bin/nine");
	world_freeze(f->w);
	assert_string_equal(name(f, 7, 8, 5), "seven");
	assert_int_equal(thread(f, 7, 8, 5).pid, 7);
	assert_string_equal(name(f, 9, 8, 15), "moved");
	assert_int_equal(thread(f, 9, 8, 15).pid, 9);
}

static void a_thread_that_is_its_own_parent_makes_no_loop(void **state)
{
	struct world_bed *f = *state;
	unsigned i;

	map(f, 0, 7, 0x1000, 0x1000, "/bin/a");
	for (i = 1; i < 1000; i++) {
		fork_thread(f, i, 7, 8, 8);
		world_add_fork(f->w, now(f, i), 8, 7, 8, 8, false);
		world_add_fork(f->w, now(f, i), 7, 8, 7, 8, false);
	}
	world_freeze(f->w);
	assert_string_equal(path(f, 7, 0x2000, 1000), "");
	assert_true(place(f, 7, 7, 0x1000, 0).module != 0);
}

/* perf writes all mappings again in each file of a series. */
static void a_repeated_mapping_is_one(void **state)
{
	struct world_bed *f = *state;
	double start = seconds();
	uint32_t i;

	for (i = 0; i < 1000000; i++)
		map(f, i / 1000, 7, 0x1000, 0x1000, "/bin/a");
	world_freeze(f->w);
	assert_string_equal(path(f, 7, 0x1000, 999), "/bin/a");
	assert_int_equal(f->valid.from.position, 1);
	assert_true(seconds() - start < BULK_SECONDS);
}

/* ---- the kernel --------------------------------------------------------------------------- */

static void the_first_kernel_map_gives_the_reference(void **state)
{
	struct world_bed *f = *state;
	uint64_t address;
	str_id symbol;

	map_kernel(
		f, 0, 0xffffffff81000000, 0x1000000, 0xffffffff81000000, "[kernel.kallsyms]_text");
	map_kernel(
		f, 0, 0xffffffff91000000, 0x1000000, 0xffffffff91000000, "[kernel.kallsyms]_stext");
	world_freeze(f->w);
	assert_string_equal(kernel_shown(f, 0xffffffff81000010, 1), "[kernel.kallsyms]");
	assert_string_equal(kernel_shown(f, 0xffffffff91000010, 1), "[kernel.kallsyms]");
	assert_true(world_kernel_reference(f->w, &symbol, &address));
	assert_string_equal(strtab_str(f->strings, symbol), "_text");
	assert_true(address == 0xffffffff81000000);
}

static void a_module_inside_the_kernel_is_a_module_in_any_order(void **state)
{
	struct world_bed *f = *state;
	unsigned kernel_first;

	for (kernel_first = 0; kernel_first < 2; kernel_first++) {
		uint64_t base = kernel_first ? 0x81000000 : 0x41000000;

		if (kernel_first)
			map_kernel(f, 0, base, 0x1000000, base, "[kernel.kallsyms]_text");
		map_kernel(f, 0, base + 0x10000, 0x1000, 0, "[ext4]");
		if (!kernel_first)
			map_kernel(f, 0, base, 0x1000000, base, "[kernel.kallsyms]_text");
	}
	world_freeze(f->w);
	assert_string_equal(kernel_shown(f, 0x41010010, 1), "[ext4]");
	assert_string_equal(kernel_shown(f, 0x41011010, 1), "[kernel.kallsyms]");
	assert_string_equal(kernel_shown(f, 0x81010010, 1), "[ext4]");
}

static void many_ksymbols_are_cheap(void **state)
{
	struct world_bed *f = *state;
	double start = seconds();
	char symbol[32];
	uint32_t i;

	for (i = 0; i < 100000; i++) {
		snprintf(symbol, sizeof(symbol), "bpf_prog_%u", i % 5000);
		ksymbol(f, i / 100, 0xc0000000 + i % 5000 * 0x40, 0x80, i % 3 == 2, symbol);
	}
	world_freeze(f->w);
	for (i = 0; i < 100000; i++)
		kernel_shown(f, 0xc0000000 + i % 5000 * 0x40, i / 100);
	assert_string_equal(kernel_shown(f, 0xc0000000, 0), "bpf_prog_0");
	assert_true(seconds() - start < BULK_SECONDS);
}

static void a_ksymbol_may_end_at_the_last_address(void **state)
{
	struct world_bed *f = *state;

	ksymbol(f, 0, UINT64_MAX - 0xff, UINT32_MAX, false, "bpf_prog_top");
	world_freeze(f->w);
	assert_string_equal(kernel_shown(f, UINT64_MAX - 0xff, 1), "bpf_prog_top");
	assert_string_equal(kernel_shown(f, 0, 1), "");
}

#define TEST(t) cmocka_unit_test_setup_teardown(t, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_exit_before_the_fork_ends_nothing),
		TEST(a_tid_may_move_to_another_process),
		TEST(a_thread_that_is_its_own_parent_makes_no_loop),
		TEST(a_repeated_mapping_is_one),
		TEST(the_first_kernel_map_gives_the_reference),
		TEST(a_module_inside_the_kernel_is_a_module_in_any_order),
		TEST(many_ksymbols_are_cheap),
		TEST(a_ksymbol_may_end_at_the_last_address),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
