/* Debug information in .dwo files, and in packages of them. */
#include "symbolize/dwarf/dwarf_split.h"

#include "symbolize/dwarf/dwarf.h"
#include "symbolize/dwarf/dwarf_inlines_for_test.h"

/* A .dwo must have the id of its skeleton. */
static void a_dwo_of_another_build_is_refused(void **state)
{
	struct files_opts fo = { .no_system = true };
	struct inlines *w = *state;
	struct files *files = files_new(&fo, w->strings);
	enum files_verdict why;
	struct elf_file *program = elf_file_open(FOLDER "inlines-split-5", &why);
	struct files_dwp_owner beside = { .file = FOLDER "inlines-split-5" };
	struct dwarf_packages none;
	struct dwarf_split_places places = { files, &beside, &none };
	struct dwarf_image image;
	struct dwarf_handle h;
	struct dwarf_split split;
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	char *id;

	assert_non_null(program);
	dwarf_packages_init(&none);
	assert_true(dwarf_image_read(&image, program, NULL, DWARF_LINES));
	/* { u32 length, u16 version, u8 type, u8 address size, u32 abbreviations, u64 id } */
	id = (char *)image.section[SECTION_INFO].p + 12;
	id[0]++;
	assert_true(dwarf_image_open_handle(&h, &image));
	assert_int_equal(dwarf_get_units(h.dwarf, cu, &cu, NULL, NULL, &unit, NULL), 0);
	assert_true(dwarf_split_needed(&unit));
	assert_false(dwarf_split_open(&split, &unit, &image, &places));
	dwarf_image_close_handle(&h);
	id[0]--;
	assert_true(dwarf_image_open_handle(&h, &image));
	assert_int_equal(dwarf_get_units(h.dwarf, NULL, &cu, NULL, NULL, &unit, NULL), 0);
	assert_true(dwarf_split_open(&split, &unit, &image, &places));
	dwarf_split_close(&split);
	dwarf_image_close_handle(&h);
	dwarf_image_release(&image);
	dwarf_packages_release(&none);
	elf_file_close(program);
	files_free(files);
}

/* ---- packages of .dwo files --------------------------------------------------------------- */

/* The program in a directory of its own, with a file beside it as its package. */
static void *dir_with_package(const char *program, const char *package)
{
	char *name = xasprintf("%s.dwp", program);
	void *dir;

	assert_int_equal(tmpdir_setup(&dir), 0);
	copy_file(&dir, program, program);
	copy_file(&dir, package, name);
	free(name);
	return dir;
}

static void check_package(
	struct inlines *w, const char *program, const char *package, const char *chains)
{
	void *dir = dir_with_package(program, package);

	read_chains(w, chains, add_module(w, program));
	run_in(w, dir);
	check_places(w);
	assert_non_null(w->rep.modules[0].package_path);
	assert_int_equal(tmpdir_teardown(&dir), 0);
}

#define TEST_PACKAGE(test, program, tool, chains)                                                  \
	static void test(void **state)                                                             \
	{                                                                                          \
		check_package(*state, program, program "." tool, chains);                          \
	}

TEST_PACKAGE(test_a_package_of_dwarf_4_by_gnu_dwp, "inlines-split-4", "gnu-dwp", "inlines")
TEST_PACKAGE(test_a_package_of_dwarf_4_by_llvm_dwp, "inlines-split-4", "llvm-dwp", "inlines")
TEST_PACKAGE(test_a_package_of_dwarf_5_by_llvm_dwp, "inlines-split-5", "llvm-dwp", "inlines")
TEST_PACKAGE(test_a_package_whose_sections_are_packed, "inlines-split-5", "zlib-dwp", "inlines")
TEST_PACKAGE(test_a_package_of_clang_and_dwarf_4_by_gnu_dwp, "inlines-clang-split-4", "gnu-dwp",
	"inlines-clang")
TEST_PACKAGE(test_a_package_of_clang_and_dwarf_4_by_llvm_dwp, "inlines-clang-split-4", "llvm-dwp",
	"inlines-clang")
TEST_PACKAGE(test_a_package_of_clang_and_dwarf_5_by_llvm_dwp, "inlines-clang-split-5", "llvm-dwp",
	"inlines-clang")

static void scopes_are_found_in_a_package(void **state)
{
	void *dir = dir_with_package("scopes-split", "scopes-split.llvm-dwp");

	check_scopes_in(*state, "scopes-split", dir);
	assert_int_equal(tmpdir_teardown(&dir), 0);
}

/* As in a pack: all files of a program are under its build-id. */
static void a_package_is_found_by_build_id_and_recorded_for_packs(void **state)
{
	struct build_id id = build_id_of("inlines-split-5");
	struct module m = { .kind = MODULE_FILE, .build_id = id };
	char *place = place_by_id(&id, ".dwp");
	struct pack_uses *uses = pack_uses_new();
	const char *dirs[] = { NULL, NULL };
	struct files_opts fo = { .debug_dirs = dirs, .no_system = true, .uses = uses };
	struct inlines *w = *state;
	const struct pack_use *use;
	void *dir;
	uint32_t n;

	assert_int_equal(tmpdir_setup(&dir), 0);
	copy_by_id(&dir, "inlines-split-5", "inlines-split-5", "/elf");
	copy_by_id(&dir, "inlines-split-5.llvm-dwp", "inlines-split-5", ".dwp");
	dirs[0] = dir;
	m.path = m.shown = strtab_add_str(w->strings, "/bin/program");
	read_chains(w, "inlines", modules_add(w->r->modules, &m));
	run_with(w, &fo, 2);
	check_places(w);
	use = pack_uses_sorted(uses, &n);
	assert_int_equal(n, 2);
	assert_string_equal(use[0].place, place);
	assert_int_equal(use[0].reason, PACK_SYMBOLS);
	pack_uses_free(uses);
	free(place);
	assert_int_equal(tmpdir_teardown(&dir), 0);
}

static void a_package_without_a_build_id_is_recorded_by_its_path(void **state)
{
	void *dir = dir_with_package("inlines-split-5", "inlines-split-5.llvm-dwp");
	struct pack_uses *uses = pack_uses_new();
	const char *symfs[] = { dir, NULL };
	struct files_opts fo = { .symfs = symfs, .no_system = true, .uses = uses };
	struct inlines *w = *state;
	const struct pack_use *use;
	uint32_t n;

	add_site(w, add_module(w, "inlines-split-5"), 0x2e6, SITE_EXACT);
	run_with(w, &fo, 1);
	use = pack_uses_sorted(uses, &n);
	assert_int_equal(n, 2);
	assert_string_equal(use[1].place, "root/inlines-split-5.dwp");
	pack_uses_free(uses);
	assert_int_equal(tmpdir_teardown(&dir), 0);
}

/* Beside the program is one of another build. */
static void the_package_with_the_unit_is_used(void **state)
{
	void *dir = dir_with_package("inlines-split-5", "inlines-split-4.llvm-dwp");
	void *other = dir_with_package("inlines-split-5", "inlines-split-5.llvm-dwp");
	const char *symfs[] = { dir, other, NULL };
	struct files_opts fo = { .symfs = symfs, .no_system = true };
	struct inlines *w = *state;

	read_chains(w, "inlines", add_module(w, "inlines-split-5"));
	run_with(w, &fo, 2);
	check_places(w);
	assert_int_equal(w->rep.modules[0].trail.n, 1);
	assert_int_equal(tmpdir_teardown(&dir), 0);
	assert_int_equal(tmpdir_teardown(&other), 0);
}

/* A package without the unit, and one that is none. */
static void missing_units_of_a_package_are_reported(void **state)
{
	void *dir = dir_with_package("inlines-split-5", "inlines-split-4.llvm-dwp");
	void *other = dir_with_package("inlines-split-5", "inlines-split-5");
	const char *symfs[] = { dir, other, NULL };
	struct files_opts fo = { .symfs = symfs, .no_system = true };
	struct inlines *w = *state;
	site_id at = add_site(w, add_module(w, "inlines-split-5"), 0x2e6, SITE_EXACT);
	const struct files_trail *trail;

	run_with(w, &fo, 1);
	assert_string_equal(chain_of(w, at), "_Z4worki:inlines.cpp:8");
	trail = &w->rep.modules[0].trail;
	assert_true(trail->n >= 3);
	assert_int_equal(trail->step[trail->n - 3].verdict, FILES_NO_DWO);
	assert_int_equal(trail->step[trail->n - 2].verdict, FILES_NO_PACKAGE);
	assert_int_equal(trail->step[trail->n - 1].verdict, FILES_OTHER_PACKAGE);
	assert_int_equal(tmpdir_teardown(&dir), 0);
	assert_int_equal(tmpdir_teardown(&other), 0);
}

/* Names of all functions, with the file beside the program as its .dwo. */
static void look_everything_up(struct inlines *w, const char *dir)
{
	const char *symfs[] = { dir, NULL };
	struct files_opts fo = { .symfs = symfs, .no_system = true };
	module_id m = add_module(w, "inlines-split-5");
	uint64_t address;

	for (address = 0x2c0; address < 0x3c0; address += 3)
		add_site(w, m, address, SITE_EXACT);
	run_with(w, &fo, 1);
}

/* damaged: the name of a file of the program's, which is made of another one. */
static void look_up_with_damage(const char *damaged, const char *from)
{
	enum { ROUNDS = 400 };
	char *source = xasprintf(FOLDER "%s", from), *path;
	void *dir, *w = NULL;
	struct buf whole = { 0 };
	uint32_t seed = 1, i;
	struct err e;

	assert_int_equal(tmpdir_setup(&dir), 0);
	copy_file(&dir, "inlines-split-5", "inlines-split-5");
	path = tmpdir_path(&dir, damaged);
	assert_int_equal(file_read_all(source, 1 << 20, &whole, &e), OK);
	for (i = 0; i < ROUNDS; i++) {
		struct buf bytes = { 0 };

		buf_put_span(&bytes, buf_span(&whole));
		damage(&bytes, &seed);
		tmpdir_write(path, buf_span(&bytes));
		set_up(&w);
		look_everything_up(w, dir);
		tear_down(&w);
		buf_release(&bytes);
	}
	buf_release(&whole);
	free(source);
	free(path);
	assert_int_equal(tmpdir_teardown(&dir), 0);
}

static void a_damaged_dwo_names_less_and_harms_nothing(void **state)
{
	(void)state;
	look_up_with_damage("inlines-split-5-inlines.dwo", "inlines-split-5-inlines.dwo");
}

static void a_damaged_package_names_less_and_harms_nothing(void **state)
{
	(void)state;
	look_up_with_damage("inlines-split-5.dwp", "inlines-split-5.llvm-dwp");
	look_up_with_damage("inlines-split-5.dwp", "inlines-split-5.zlib-dwp");
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(a_dwo_of_another_build_is_refused),
		TEST(test_a_package_of_dwarf_4_by_gnu_dwp),
		TEST(test_a_package_of_dwarf_4_by_llvm_dwp),
		TEST(test_a_package_of_dwarf_5_by_llvm_dwp),
		TEST(test_a_package_whose_sections_are_packed),
		TEST(test_a_package_of_clang_and_dwarf_4_by_gnu_dwp),
		TEST(test_a_package_of_clang_and_dwarf_4_by_llvm_dwp),
		TEST(test_a_package_of_clang_and_dwarf_5_by_llvm_dwp),
		TEST(scopes_are_found_in_a_package),
		TEST(a_package_is_found_by_build_id_and_recorded_for_packs),
		TEST(a_package_without_a_build_id_is_recorded_by_its_path),
		TEST(the_package_with_the_unit_is_used),
		TEST(missing_units_of_a_package_are_reported),
		cmocka_unit_test(a_damaged_dwo_names_less_and_harms_nothing),
		cmocka_unit_test(a_damaged_package_names_less_and_harms_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
