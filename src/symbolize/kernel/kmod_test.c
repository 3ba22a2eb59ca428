/* What is inlined into kernel modules: of object files, which nobody has linked. */
#include "symbolize/kernel/kmod.h"

#include "symbolize/dwarf/dwarf_inlines_for_test.h"

/* Where the module was loaded; its list of symbols has the functions where inlines-gcc-5, which is
 * the same code, was linked to. */
#define START 0xffffffffc0100000

static const char list[] = "ffffffff81000000 T _text\n"
			   "ffffffffc01002c0 t main\t[inlines]\n"
			   "ffffffffc01002d0 t _Z4worki\t[inlines]\n"
			   "ffffffffc0100390 t _Z5otheri\t[inlines]\n";

static const struct build_id no_build_id;

static module_id add_kernel_module(struct inlines *w, const char *path, struct build_id id)
{
	struct module m = { .kind = MODULE_KMOD, .start = START, .build_id = id };

	m.path = strtab_add_str(w->strings, path);
	m.shown = strtab_add_str(w->strings, "[inlines]");
	return modules_add(w->r->modules, &m);
}

/* kallsyms: its text, NULL: there is none. */
static void run_kernel(struct inlines *w, const char *kallsyms, const char *symfs)
{
	const char *dirs[] = { symfs, NULL };
	struct files_opts fo = { .symfs = dirs, .debug_dirs = dirs, .no_system = true };
	void *dir;
	char *path;

	assert_int_equal(tmpdir_setup(&dir), 0);
	path = tmpdir_path(&dir, "kallsyms");
	if (kallsyms) {
		tmpdir_write(path, span_of(kallsyms));
		fo.kallsyms = path;
	}
	run_with(w, &fo, 2);
	free(path);
	assert_int_equal(tmpdir_teardown(&dir), 0);
}

static void check_module(struct inlines *w, const char *path)
{
	read_chains_at(w, "inlines", add_kernel_module(w, path, no_build_id), START);
	run_kernel(w, list, "testdata/elf/inlines");
	check_places(w);
}

static void a_module_is_placed_by_its_functions_in_kallsyms(void **state)
{
	check_module(*state, "/inlines-gcc-5.ko");
}

static void sections_that_are_packed_are_relocated(void **state)
{
	check_module(*state, "/inlines-zlib.ko");
}

static void a_module_of_another_architecture_is_laid_out_as_the_kernel_does(void **state)
{
	struct inlines *w = *state;
	module_id m = add_kernel_module(w, "/inlines-aarch64.ko", no_build_id);

	read_chains_at(w, "inlines-aarch64.ko", m, START);
	run_kernel(w, NULL, "testdata/elf/inlines");
	check_places(w);
}

/* work() and other() are in .text, main() is in .text.startup. */
static void a_section_whose_functions_disagree_has_no_address(void **state)
{
	struct inlines *w = *state;
	module_id m = add_kernel_module(w, "/inlines-gcc-5.ko", no_build_id);
	site_id work = add_site(w, m, START + 0x2e6, SITE_EXACT);
	site_id start = add_site(w, m, START + 0x2c4, SITE_EXACT);

	run_kernel(w,
		"ffffffff81000000 T _text\n"
		"ffffffffc01002c0 t main\t[inlines]\n"
		"ffffffffc01002d0 t _Z4worki\t[inlines]\n"
		"ffffffffc01003a0 t _Z5otheri\t[inlines]\n",
		"testdata/elf/inlines");
	assert_string_equal(chain_of(w, work), "_Z4worki");
	assert_string_equal(chain_of(w, start), "main:inlines.cpp:53");
}

/* A name that two functions of kallsyms share is not used. */
static void functions_that_share_a_name_are_ignored(void **state)
{
	struct inlines *w = *state;
	module_id m = add_kernel_module(w, "/inlines-gcc-5.ko", no_build_id);
	site_id work = add_site(w, m, START + 0x2e6, SITE_EXACT);

	run_kernel(w,
		"ffffffff81000000 T _text\n"
		"ffffffffc01002d0 t _Z4worki\t[inlines]\n"
		"ffffffffc0100390 t _Z5otheri\t[inlines]\n"
		"ffffffffc0105000 t _Z5otheri\t[inlines]\n",
		"testdata/elf/inlines");
	assert_string_equal(chain_of(w, work), "square:inlines.cpp:8 "
					       "_ZNK6shapes5point4normEv:inlines.cpp:16 "
					       "step:inlines.cpp:37 _Z4worki:inlines.cpp:45");
}

/* As in Fedora: the module is packed and has no debug information, that is found by build-id. */
static void debug_information_is_found_by_build_id(void **state)
{
	struct inlines *w = *state;
	struct build_id id = build_id_of("inlines-gcc-5.ko");
	void *dir;

	assert_int_equal(tmpdir_setup(&dir), 0);
	copy_by_id(&dir, "inlines-gcc-5.ko", "inlines-gcc-5.ko", ".debug");
	read_chains_at(w, "inlines", add_kernel_module(w, "/lib/inlines.ko.xz", id), START);
	run_kernel(w, list, dir);
	check_places(w);
	assert_int_equal(tmpdir_teardown(&dir), 0);
}

/* Of all processors that the kernel runs on, only some have relocations that are known here. */
static void a_relocation_that_is_not_known_ends_it(void **state)
{
	enum { MACHINE_AT = 18 };
	struct inlines *w = *state;
	module_id m = add_kernel_module(w, "/inlines.ko", no_build_id);
	site_id work = add_site(w, m, START + 0x2e6, SITE_EXACT);
	struct buf module = { 0 };
	void *dir;
	char *path;
	struct err e;

	assert_int_equal(tmpdir_setup(&dir), 0);
	path = tmpdir_path(&dir, "inlines.ko");
	assert_int_equal(file_read_all(FOLDER "inlines-gcc-5.ko", 1 << 20, &module, &e), OK);
	assert_int_equal(module.p[MACHINE_AT], EM_X86_64);
	module.p[MACHINE_AT] = (char)EM_RISCV;
	tmpdir_write(path, buf_span(&module));
	run_kernel(w, list, dir);
	assert_string_equal(chain_of(w, work), "_Z4worki");
	assert_null(w->rep.modules[0].dwarf_path);
	buf_release(&module);
	free(path);
	assert_int_equal(tmpdir_teardown(&dir), 0);
}

static void perf_has_nothing_inlined_into_modules(void **state)
{
	struct inlines *w = *state;
	module_id m = add_kernel_module(w, "/inlines-gcc-5.ko", no_build_id);
	site_id work = add_site(w, m, START + 0x2e6, SITE_EXACT);

	w->o = (struct symbolize_opts){
		.compat_perf = true, .lines = true, .lines_in_names = true
	};
	run_kernel(w, list, "testdata/elf/inlines");
	assert_null(w->rep.modules[0].dwarf_path);
	assert_string_equal(chain_of(w, work), "_Z4worki");
}

static void a_damaged_module_names_less_and_harms_nothing(void **state)
{
	enum { ROUNDS = 300 };
	struct buf whole = { 0 };
	uint32_t seed = 1, i;
	void *dir, *w = NULL;
	struct err e;
	char *path;

	(void)state;
	assert_int_equal(tmpdir_setup(&dir), 0);
	path = tmpdir_path(&dir, "inlines.ko");
	assert_int_equal(file_read_all(FOLDER "inlines-gcc-5.ko", 1 << 20, &whole, &e), OK);
	for (i = 0; i < ROUNDS; i++) {
		struct buf bytes = { 0 };
		uint64_t at;
		module_id m;

		buf_put_span(&bytes, buf_span(&whole));
		damage(&bytes, &seed);
		tmpdir_write(path, buf_span(&bytes));
		set_up(&w);
		m = add_kernel_module(w, "/inlines.ko", no_build_id);
		for (at = 0; at < 0xe0; at += 3)
			add_site(w, m, START + 0x2c0 + at, SITE_EXACT);
		run_kernel(w, i % 2 ? list : NULL, dir);
		tear_down(&w);
		buf_release(&bytes);
	}
	buf_release(&whole);
	free(path);
	assert_int_equal(tmpdir_teardown(&dir), 0);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(a_module_is_placed_by_its_functions_in_kallsyms),
		TEST(sections_that_are_packed_are_relocated),
		TEST(a_module_of_another_architecture_is_laid_out_as_the_kernel_does),
		TEST(a_section_whose_functions_disagree_has_no_address),
		TEST(functions_that_share_a_name_are_ignored),
		TEST(debug_information_is_found_by_build_id),
		TEST(a_relocation_that_is_not_known_ends_it),
		TEST(perf_has_nothing_inlined_into_modules),
		cmocka_unit_test(a_damaged_module_names_less_and_harms_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
