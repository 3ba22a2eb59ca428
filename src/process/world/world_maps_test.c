/* What a recorded path means, the kernel's own maps, and build-ids. */
#include "process/world/world_for_test.h"

#include <stdio.h>

/* ---- processes ---------------------------------------------------------------------------- */

struct expected {
	const char *path;
	enum module_kind kind;
	const char *shown;
	bool jit_code;
};

enum { DATA = 0, EXECUTABLE = 1, HUGE = 2, PRIVATE = 4 };

static void check_user(void **state, struct expected e, unsigned how)
{
	bool executable = how & EXECUTABLE;
	struct world_bed *f = *state;
	int32_t pid = (int32_t)++f->position;
	struct moment start = { 0, f->position };
	struct world *w = world_new(f->strings, f->modules, false);
	struct world_place p;

	world_add_mmap(w, start,
		&(struct world_mmap){ .pid = pid,
			.tid = pid,
			.start = 0x5000,
			.length = 0x1000,
			.file_offset = 0x300,
			.executable = executable,
			.huge = how & HUGE,
			.private = how & PRIVATE,
			.path = span_of(e.path) });
	world_freeze(w);
	p = world_find_user(w, world_find_thread(w, pid, pid, at(1), &f->valid).space, 0x5010,
		at(1), &f->valid);
	assert_int_equal(module(f, p)->kind, e.kind);
	assert_int_equal(p.executable, executable);
	assert_int_equal(p.ever_executable, executable);
	assert_int_equal(p.jit_code, e.jit_code);
	assert_int_equal(p.owner_pid, pid);
	if (e.kind == MODULE_JIT) {
		char name[64];

		snprintf(name, sizeof(name), "/tmp/perf-%d.map", pid);
		assert_string_equal(strtab_str(f->strings, module(f, p)->shown), name);
		assert_int_equal(module(f, p)->owner_pid, pid);
	} else {
		assert_string_equal(strtab_str(f->strings, module(f, p)->shown), e.shown);
		assert_int_equal(module(f, p)->owner_pid, 0);
	}
	assert_int_equal(p.rel, e.kind == MODULE_FILE   ? 0x310
				: e.kind == MODULE_VDSO ? 0x10
							: 0x5010);
	world_free(w);
}

static void executable_memory_without_a_file_is_jit_code(void **state)
{
	static const char *const paths[] = { "", "//anon", "/dev/zero", "/dev/zero (deleted)",
		"/anon_hugepage (deleted)", "[heap]", "[stack]", "[stack:12]", "/SYSV00000000",
		"[anon:v8]" };
	size_t i;

	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		check_user(
			state, (struct expected){ paths[i], MODULE_JIT, NULL, true }, EXECUTABLE);
		check_user(
			state, (struct expected){ paths[i], MODULE_ANON, paths[i], false }, DATA);
	}
}

static void code_on_huge_pages_is_jit_code(void **state)
{
	check_user(state, (struct expected){ "/usr/bin/a", MODULE_JIT, NULL, true },
		EXECUTABLE | HUGE);
}

static void files_that_cannot_be_opened_may_hold_jit_code(void **state)
{
	static const char *const paths[] = { "/memfd:doublemapper (deleted)", "/dev/shm/jit",
		"/usr/bin/a (deleted)" };
	size_t i;

	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		check_user(state, (struct expected){ paths[i], MODULE_FILE, paths[i], true },
			EXECUTABLE);
		check_user(
			state, (struct expected){ paths[i], MODULE_FILE, paths[i], false }, DATA);
	}
}

static void a_deleted_file_mapped_privately_is_a_program(void **state)
{
	static const char *const paths[] = { "/memfd:program (deleted)", "/usr/bin/a (deleted)" };
	size_t i;

	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		check_user(state, (struct expected){ paths[i], MODULE_FILE, paths[i], false },
			EXECUTABLE | PRIVATE);
	/* Private memory without a file is JIT code all the same. */
	check_user(
		state, (struct expected){ "//anon", MODULE_JIT, NULL, true }, EXECUTABLE | PRIVATE);
}

static void files_and_names_in_brackets_are_distinct(void **state)
{
	static const struct expected paths[] = {
		{ "/usr/bin/a", MODULE_FILE, "/usr/bin/a", false },
		{ "/dev/dri/card0", MODULE_FILE, "/dev/dri/card0", false },
		{ "/dev/zeros", MODULE_JIT, NULL, true }, /* as perf has it */
		{ "[vdso]", MODULE_VDSO, "[vdso]", false },
		{ "[vsyscall]", MODULE_ANON, "[vsyscall]", false },
		{ "[uprobes]", MODULE_ANON, "[uprobes]", false },
	};
	size_t i;

	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		check_user(state, paths[i], EXECUTABLE);
}

static void compat_treats_named_memory_as_a_file_without_symbols(void **state)
{
	struct world_bed *f = *state;

	map(f, 0, 7, 0x1000, 0x1000, "[anon:v8]");
	world_freeze(f->w);
	assert_int_equal(module(f, place(f, 7, 7, 0x1000, 1))->kind, MODULE_ANON);
	assert_string_equal(
		strtab_str(f->strings, module(f, place(f, 7, 7, 0x1000, 1))->shown), "[anon:v8]");
}

static void a_mapping_that_wraps_ends_at_the_top(void **state)
{
	struct world_bed *f = *state;

	map(f, 0, 7, UINT64_MAX - 0xfff, UINT64_C(1) << 63, "/top");
	map(f, 0, 8, 0x1000, UINT64_MAX, "/all");
	map(f, 0, 9, 0x1000, 0, "/none");
	world_freeze(f->w);
	assert_string_equal(path(f, 7, UINT64_MAX - 0xfff, 1), "/top");
	assert_string_equal(path(f, 7, UINT64_MAX - 1, 1), "/top");
	assert_string_equal(path(f, 7, 0, 1), "");
	assert_string_equal(path(f, 8, UINT64_MAX - 1, 1), "/all");
	assert_string_equal(path(f, 9, 0x1000, 1), "");
}

static void data_mapped_over_code_is_remembered(void **state)
{
	struct world_bed *f = *state;
	struct world_mmap data = {
		.pid = 7, .tid = 7, .start = 0x1000, .length = 0x1000, .path = SPAN("//anon")
	};

	map(f, 0, 7, 0x1000, 0x2000, "//anon");
	fork_process(f, 10, 7, 8);
	data.pid = data.tid = 8;
	world_add_mmap(f->w, now(f, 20), &data);
	world_freeze(f->w);
	assert_true(place(f, 8, 8, 0x1000, 15).executable);
	assert_false(place(f, 8, 8, 0x1000, 25).executable);
	assert_true(place(f, 8, 8, 0x1000, 25).ever_executable);
}

/* ---- 32 and 64 bits ----------------------------------------------------------------------- */

#define HIGH UINT64_C(0x7ffff7fc1000)

static int word_bytes(struct world_bed *f, int32_t pid, uint64_t address)
{
	return module(f, place(f, pid, pid, address, 30))->word_bytes;
}

static void a_process_without_memory_above_4_gib_is_a_32_bit_process(void **state)
{
	struct world_bed *f = *state;

	map(f, 0, 7, 0x400000, 0x1000, "/64/program"); /* at a fixed address */
	map(f, 0, 7, HIGH, 0x1000, "/64/libc");
	map(f, 0, 8, 0x8048000, 0x1000, "/32/program");
	map(f, 0, 8, 0xf7d00000, 0x1000, "/32/libc");
	map(f, 0, 9, 0x8048000, 0x1000, "/32/static");
	map(f, 0, 9, 0x55555000, 0x1000, "[vdso]");
	map(f, 0, 10, 0x400000, 0x1000, "/unknown");
	fork_process(f, 10, 8, 11);
	map(f, 20, 11, 0x9000000, 0x1000, "/32/plugin");
	world_freeze(f->w);
	assert_int_equal(word_bytes(f, 7, 0x400000), 8);
	assert_int_equal(word_bytes(f, 7, HIGH), 8);
	assert_int_equal(word_bytes(f, 8, 0x8048000), 4);
	assert_int_equal(word_bytes(f, 8, 0xf7d00000), 4);
	assert_int_equal(word_bytes(f, 9, 0x8048000), 4);
	assert_int_equal(word_bytes(f, 10, 0x400000), 0);
	assert_int_equal(word_bytes(f, 11, 0x9000000), 4);
}

static void processes_that_disagree_prove_nothing(void **state)
{
	struct world_bed *f = *state;

	map(f, 0, 7, 0x400000, 0x1000, "/data");
	map(f, 0, 7, HIGH, 0x1000, "/64/libc");
	map(f, 0, 8, 0x400000, 0x1000, "/data");
	map(f, 0, 8, 0xf7d00000, 0x1000, "/32/libc");
	map(f, 0, 9, HIGH, 0x1000, "/before/exec");
	map(f, 10, 9, 0xf7f00000, 0x1000, "[vdso]");
	world_freeze(f->w);
	assert_int_equal(word_bytes(f, 7, 0x400000), 0);
	assert_int_equal(word_bytes(f, 9, HIGH), 0);
}

static void the_vdso_of_a_32_bit_process_has_a_build_id_of_its_own(void **state)
{
	struct world_bed *f = *state;
	struct build_id wide = { 1, { 64 } }, narrow = { 1, { 32 } };

	map(f, 0, 7, HIGH, 0x1000, "[vdso]");
	map(f, 0, 8, 0xf7f00000, 0x1000, "[vdso]");
	world_add_build_id(f->w, SPAN("[vdso]"), false, &wide);
	world_add_build_id(f->w, SPAN("[vdso32]"), false, &narrow);
	world_freeze(f->w);
	assert_int_equal(module(f, place(f, 7, 7, HIGH, 1))->build_id.byte[0], 64);
	assert_int_equal(module(f, place(f, 8, 8, 0xf7f00000, 1))->build_id.byte[0], 32);
	assert_string_equal(path(f, 8, 0xf7f00000, 1), "[vdso32]");
}

/* ---- build-ids ---------------------------------------------------------------------------- */

static void header_build_ids_are_for_mappings_without_one(void **state)
{
	struct world_bed *f = *state;
	struct build_id header = { 2, { 1, 1 } }, own = { 2, { 2, 2 } }, bad = { 21, { 3 } };
	struct world_mmap m = { .pid = 7,
		.tid = 7,
		.start = 0x9000,
		.length = 0x1000,
		.executable = true,
		.path = SPAN("/a"),
		.build_id = own };

	map(f, 0, 7, 0x1000, 0x1000, "/a");
	map(f, 0, 7, 0x3000, 0x1000, "/b");
	world_add_mmap(f->w, now(f, 0), &m);
	world_add_build_id(f->w, SPAN("/a"), false, &own);
	world_add_build_id(f->w, SPAN("/a"), false, &header);
	world_add_build_id(f->w, SPAN("/b"), true, &header);
	world_add_build_id(f->w, SPAN("/b"), false, &bad);
	world_freeze(f->w);
	assert_int_equal(module(f, place(f, 7, 7, 0x1000, 1))->build_id.byte[0], 1);
	assert_int_equal(module(f, place(f, 7, 7, 0x3000, 1))->build_id.n, 0);
	assert_int_equal(module(f, place(f, 7, 7, 0x9000, 1))->build_id.byte[0], 2);
}

static void build_ids_match_any_name_of_kernel_and_modules(void **state)
{
	struct world_bed *f = *state;
	struct build_id kernel = { 1, { 1 } }, ext4 = { 1, { 2 } };
	struct world_mmap m = { .pid = -1, .kernel = true, .executable = true, .length = 0x1000 };

	world_add_build_id(f->w, SPAN("/usr/lib/debug/boot/vmlinux-6.1"), true, &kernel);
	world_add_build_id(f->w, SPAN("/lib/modules/6.1/kernel/fs/ext4.ko"), true, &ext4);
	m.start = 0x1000;
	m.path = SPAN("[kernel.kallsyms]_text");
	world_add_mmap(f->w, now(f, 0), &m);
	m.start = 0x9000;
	m.path = SPAN("[ext4]");
	world_add_mmap(f->w, now(f, 0), &m);
	world_freeze(f->w);
	assert_int_equal(module(f, kernel_place(f, 0x1000, 1))->build_id.byte[0], 1);
	assert_int_equal(module(f, kernel_place(f, 0x9000, 1))->build_id.byte[0], 2);
}

/* ---- the kernel --------------------------------------------------------------------------- */

static void kernel_text_has_its_reference_symbol(void **state)
{
	struct world_bed *f = *state;
	str_id symbol;
	uint64_t address;

	map_kernel(
		f, 0, 0xffffffff81000000, 0x1209988, 0xffffffff81000100, "[kernel.kallsyms]_stext");
	world_freeze(f->w);
	assert_true(world_kernel_reference(f->w, &symbol, &address));
	assert_string_equal(strtab_str(f->strings, symbol), "_stext");
	assert_true(address == 0xffffffff81000100);
	assert_string_equal(kernel_shown(f, 0xffffffff81000000, 1), "[kernel.kallsyms]");
	assert_string_equal(kernel_shown(f, 0xffffffff82209987, 1), "[kernel.kallsyms]");
	assert_string_equal(kernel_shown(f, 0xffffffff82209988, 1), "");
	assert_true(kernel_place(f, 0xffffffff81000123, 1).rel == 0xffffffff81000123);
	assert_int_equal(module(f, kernel_place(f, 0xffffffff81000123, 1))->kind, MODULE_KERNEL);
}

static void a_hidden_kernel_address_is_no_reference(void **state)
{
	struct world_bed *f = *state;
	str_id symbol;
	uint64_t address;

	map_kernel(f, 0, 0x1000, 0x1000, 0, "[kernel.kallsyms]_text");
	world_freeze(f->w);
	assert_false(world_kernel_reference(f->w, &symbol, &address));
}

static void an_empty_kernel_map_means_everything(void **state)
{
	struct world_bed *f = *state;

	map_kernel(f, 0, 0xffffffffc0000000, 0x1000, 0, "[ext4]");
	map_kernel(f, 0, 0, 0, 0, "[kernel.kallsyms]_text");
	world_freeze(f->w);
	assert_string_equal(kernel_shown(f, 0xffffffff81000000, 1), "[kernel.kallsyms]");
	assert_string_equal(kernel_shown(f, 0xffffffffc0000000, 1), "[ext4]");
}

static void a_kernel_map_of_a_guest_is_ignored(void **state)
{
	struct world_bed *f = *state;

	map_kernel(f, 0, 0x1000, 0x1000, 0x1000, "[guest.kernel.kallsyms]_text");
	map_kernel(f, 0, 0x5000, 0x1000, 0x1000, "no path at all");
	world_freeze(f->w);
	assert_string_equal(kernel_shown(f, 0x1000, 1), "");
	assert_string_equal(kernel_shown(f, 0x5000, 1), "");
}

static void kernel_modules_are_named_as_the_kernel_names_them(void **state)
{
	static const char *const names[][2] = {
		{ "/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko", "[ext4]" },
		{ "/lib/modules/6.1.0/nf-nat.ko.xz", "[nf_nat]" },
		{ "/lib/modules/6.1.0/a.ko.gz", "[a]" },
		{ "/lib/modules/6.1.0/b.ko.zst", "[b]" },
		{ "[kvm-intel]", "[kvm-intel]" },
	};
	struct world_bed *f = *state;
	unsigned i, n = sizeof(names) / sizeof(names[0]);

	for (i = 0; i < n; i++)
		map_kernel(f, 0, 0x10000 * (i + 1), 0x1000, 0, names[i][0]);
	world_freeze(f->w);
	for (i = 0; i < n; i++) {
		struct world_place p = kernel_place(f, 0x10000 * (i + 1) + 8, 1);

		assert_string_equal(strtab_str(f->strings, module(f, p)->shown), names[i][1]);
		assert_string_equal(strtab_str(f->strings, module(f, p)->path), names[i][0]);
		assert_int_equal(module(f, p)->kind, MODULE_KMOD);
		assert_int_equal(module(f, p)->start, 0x10000 * (i + 1));
		assert_int_equal(module(f, p)->end, 0x10000 * (i + 1) + 0x1000);
		assert_int_equal(p.rel, 0x10000 * (i + 1) + 8);
	}
}

static void a_module_loaded_over_another_covers_it(void **state)
{
	struct world_bed *f = *state;

	map_kernel(f, 0, 0x10000, 0x2000, 0, "[first]");
	map_kernel(f, 50, 0x11000, 0x2000, 0, "[second]");
	world_freeze(f->w);
	assert_string_equal(kernel_shown(f, 0x11000, 49), "[first]");
	assert_int_equal(f->valid.until.time_ns, 50 * MS);
	assert_string_equal(kernel_shown(f, 0x11000, 50), "[second]");
	assert_string_equal(kernel_shown(f, 0x10000, 50), "[first]");
}

static void ksymbols_come_and_go(void **state)
{
	struct world_bed *f = *state;

	map_kernel(f, 0, 0, 0, 0, "[kernel.kallsyms]_text");
	ksymbol(f, 10, 0xc000, 0x100, false, "bpf_prog_1_first");
	ksymbol(f, 20, 0xc000, 0x100, true, "bpf_prog_1_first");
	ksymbol(f, 30, 0xc000, 0x80, false, "bpf_prog_2_second");
	ksymbol(f, 40, 0xc000, 0, false, "bpf_prog_3_nothing");
	ksymbol(f, 50, 0xd000, 0x80, true, "bpf_prog_4_unknown");
	world_freeze(f->w);
	assert_string_equal(kernel_shown(f, 0xc090, 9), "[kernel.kallsyms]");
	assert_int_equal(f->valid.until.time_ns, 10 * MS);
	assert_string_equal(kernel_shown(f, 0xc090, 10), "bpf_prog_1_first");
	assert_int_equal(module(f, kernel_place(f, 0xc090, 10))->kind, MODULE_BPF);
	assert_int_equal(f->valid.until.time_ns, 20 * MS);
	assert_string_equal(kernel_shown(f, 0xc090, 20), "[kernel.kallsyms]");
	assert_int_equal(f->valid.from.time_ns, 20 * MS);
	assert_string_equal(kernel_shown(f, 0xc010, 30), "bpf_prog_2_second");
	assert_string_equal(kernel_shown(f, 0xc010, 40), "bpf_prog_2_second");
	assert_string_equal(kernel_shown(f, 0xd010, 50), "[kernel.kallsyms]");
}

#define TEST(t)        cmocka_unit_test_setup_teardown(t, set_up, tear_down)
#define COMPAT_TEST(t) cmocka_unit_test_setup_teardown(t, set_up_compat, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(executable_memory_without_a_file_is_jit_code),
		TEST(code_on_huge_pages_is_jit_code),
		TEST(files_that_cannot_be_opened_may_hold_jit_code),
		TEST(a_deleted_file_mapped_privately_is_a_program),
		TEST(files_and_names_in_brackets_are_distinct),
		COMPAT_TEST(compat_treats_named_memory_as_a_file_without_symbols),
		TEST(a_mapping_that_wraps_ends_at_the_top),
		TEST(data_mapped_over_code_is_remembered),
		TEST(a_process_without_memory_above_4_gib_is_a_32_bit_process),
		TEST(processes_that_disagree_prove_nothing),
		TEST(the_vdso_of_a_32_bit_process_has_a_build_id_of_its_own),
		TEST(header_build_ids_are_for_mappings_without_one),
		TEST(build_ids_match_any_name_of_kernel_and_modules),
		TEST(kernel_text_has_its_reference_symbol),
		TEST(a_hidden_kernel_address_is_no_reference),
		TEST(an_empty_kernel_map_means_everything),
		TEST(a_kernel_map_of_a_guest_is_ignored),
		TEST(kernel_modules_are_named_as_the_kernel_names_them),
		TEST(a_module_loaded_over_another_covers_it),
		TEST(ksymbols_come_and_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
