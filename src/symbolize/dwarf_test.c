#include "symbolize/dwarf.h"

#include "base/folder_for_test.h"
#include "symbolize/dwarf_split.h"

#define FOLDER "testdata/elf/inlines/"

struct place {
	site_id site;
	char expected[512];
};

struct world {
	struct strtab *strings;
	struct frames *frames;
	struct recording *r;
	struct symbolize_opts o;
	struct symbolize_report rep;
	struct place place[256];
	size_t n;
};

static int set_up(void **state)
{
	struct world *w = xcalloc(1, sizeof(*w));

	w->strings = strtab_new();
	w->frames = frames_new(w->strings);
	w->r = recording_new("test", w->strings, w->frames);
	w->o = (struct symbolize_opts){ .lines = true, .no_demangle = true };
	*state = w;
	return 0;
}

static int tear_down(void **state)
{
	struct world *w = *state;

	symbolize_report_release(&w->rep);
	recording_free(w->r);
	frames_free(w->frames);
	strtab_free(w->strings);
	free(w);
	return 0;
}

static module_id add_module(struct world *w, const char *name)
{
	struct module m = { .kind = MODULE_FILE };
	char *path = xasprintf("/%s", name);

	m.path = m.shown = strtab_add_str(w->strings, path);
	free(path);
	return modules_add(w->r->modules, &m);
}

static site_id add_site(struct world *w, module_id m, uint64_t address, enum site_how how)
{
	/* All programs here have their code where its address says. */
	return sites_add(w->r->sites,
		&(struct site){ .module = m, .rel = address, .how = how, .kind = FRAME_USER });
}

static void run_with(struct world *w, const struct files_opts *fo, unsigned workers)
{
	struct pool *pool = pool_new(workers);
	struct files *f = files_new(fo, w->strings);
	struct err e;

	w->o.files = f;
	symbolize_report_release(&w->rep);
	assert_int_equal(symbolize(w->r, &w->o, pool, &w->rep, &e), OK);
	files_free(f);
	pool_free(pool);
}

static void run_in(struct world *w, const char *folder)
{
	const char *symfs[] = { folder, NULL };
	struct files_opts fo = { .symfs = symfs, .no_system = true };

	run_with(w, &fo, 2);
}

static void run(struct world *w, unsigned workers)
{
	static const char *const symfs[] = { "testdata/elf/inlines", NULL };
	struct files_opts fo = { .symfs = symfs, .no_system = true };

	run_with(w, &fo, workers);
}

/* "square:inlines.cpp:8 step:inlines.cpp:37": innermost first. */
static const char *chain_of(struct world *w, site_id site)
{
	static char text[512];
	size_t at = 0;
	uint32_t n;
	const frame_id *f = sites_frames(w->r->sites, site, &n);

	*text = '\0';
	while (n--) {
		struct span name = frames_name(w->frames, f[n]);
		bool inlined = frames_get(w->frames, f[n])->flags & FRAME_INLINED;

		assert_int_equal(inlined, n > 0);
		at += (size_t)snprintf(
			text + at, sizeof(text) - at, "%s%.*s", at ? " " : "", SPAN_ARG(name));
		assert_true(at < sizeof(text));
	}
	return text;
}

static void read_chains(struct world *w, const char *name, module_id m)
{
	char *path = xasprintf(FOLDER "%s.chains", name), line[600];
	FILE *f = fopen(path, "r");

	free(path);
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		struct place *p = &w->place[w->n++];
		struct span s = span_from(span_of(line), 2);
		uint64_t address;

		assert_true(w->n <= ARRAY_LEN(w->place) && scan_hex(&s, &address));
		s = span_trim(s);
		p->site = add_site(w, m, address, SITE_EXACT);
		snprintf(p->expected, sizeof(p->expected), "%.*s", SPAN_ARG(s));
	}
	fclose(f);
	assert_true(w->n > 50);
}

static void check_places(struct world *w)
{
	size_t i;

	for (i = 0; i < w->n; i++)
		assert_string_equal(chain_of(w, w->place[i].site), w->place[i].expected);
}

static void check_program(struct world *w, const char *name, const char *chains)
{
	read_chains(w, chains, add_module(w, name));
	run(w, 2);
	check_places(w);
	assert_string_equal(span_basename(span_of(w->rep.modules[0].dwarf_path)).p, name);
}

#define TEST_PROGRAM(test, name, chains)                                                           \
	static void test(void **state)                                                             \
	{                                                                                          \
		check_program(*state, name, chains);                                               \
	}

TEST_PROGRAM(test_chains_of_dwarf_2, "inlines-gcc-2", "inlines")
TEST_PROGRAM(test_chains_of_dwarf_3, "inlines-gcc-3", "inlines")
TEST_PROGRAM(test_chains_of_dwarf_4, "inlines-gcc-4", "inlines")
TEST_PROGRAM(test_chains_of_dwarf_5, "inlines-gcc-5", "inlines")
TEST_PROGRAM(test_a_file_without_aranges_is_indexed, "inlines-clang", "inlines-clang")
TEST_PROGRAM(test_sections_are_inflated_with_zlib, "inlines-zlib", "inlines")
TEST_PROGRAM(test_old_compressed_sections_are_inflated, "inlines-zlib-gnu", "inlines")
TEST_PROGRAM(test_sections_are_inflated_with_zstd, "inlines-zstd", "inlines")
TEST_PROGRAM(test_split_dwarf_4_is_found_beside, "inlines-split-4", "inlines")
TEST_PROGRAM(test_split_dwarf_5_is_found_beside, "inlines-split-5", "inlines")
TEST_PROGRAM(test_what_dwz_moved_away_is_found, "inlines-dwz", "inlines")

/* As in assembly, and of functions that gcc found to be equal to others. */
static void test_code_in_no_described_function_has_its_line(void **state)
{
	struct world *w = *state;
	site_id at = add_site(w, add_module(w, "label"), 0x243, SITE_EXACT);

	run(w, 1);
	assert_string_equal(chain_of(w, at), "label:label.S:5");
}

/* 0x2e6 and 0x300 are in norm(), which step() calls, which work() calls. */
static void test_names_are_demangled_without_lines(void **state)
{
	struct world *w = *state;
	site_id at = add_site(w, add_module(w, "inlines-gcc-5"), 0x2e6, SITE_EXACT);
	uint32_t n;

	w->o = (struct symbolize_opts){ 0 };
	run(w, 1);
	assert_string_equal(chain_of(w, at), "shapes::square shapes::point::norm step work");
	assert_int_equal(frames_get(w->frames, *sites_frames(w->r->sites, at, &n))->file, 0);
}

/* All that is inlined here has internal linkage, but for the lambdas in get(). What is right was
 * seen in gdb, but for "{lambda}" and what it is in, which gdb leaves out. */
static void check_scopes_in(struct world *w, const char *program, const char *folder)
{
	static const struct {
		uint64_t address;
		const char *chain;
	} known[] = {
		{ 0x300, "shapes::square shapes::value::get(int)::{lambda(int)#1}::operator() "
			 "shapes::value::get" },
		{ 0x314, "shapes::value::get(int)::local::add shapes::value::get" },
		{ 0x31b, "(anonymous namespace)::point::norm (anonymous namespace)::point::twice "
			 "(anonymous namespace)::v2::helper shapes::value::get" },
		{ 0x322, "(anonymous namespace)::point::twice (anonymous namespace)::v2::helper "
			 "shapes::value::get" },
		{ 0x2d7, "(anonymous namespace)::outside::{lambda}::operator() "
			 "(anonymous namespace)::outside main" },
		{ 0x2e3, "(anonymous namespace)::larger<int> (anonymous namespace)::outside main" },
		{ 0x2f6, "(anonymous namespace)::outside main" },
	};
	module_id m = add_module(w, program);
	site_id at[ARRAY_LEN(known)];
	size_t i;

	for (i = 0; i < ARRAY_LEN(known); i++)
		at[i] = add_site(w, m, known[i].address, SITE_EXACT);
	w->o = (struct symbolize_opts){ 0 };
	run_in(w, folder);
	for (i = 0; i < ARRAY_LEN(known); i++)
		assert_string_equal(chain_of(w, at[i]), known[i].chain);
}

static void check_scopes(struct world *w, const char *program)
{
	check_scopes_in(w, program, "testdata/elf/inlines");
}

static void test_what_only_its_file_can_see_is_named_by_what_it_is_part_of(void **state)
{
	check_scopes(*state, "scopes");
}

static void test_scopes_are_found_in_a_dwo(void **state)
{
	check_scopes(*state, "scopes-split");
}

static void test_scopes_are_found_in_what_dwz_moved_away(void **state)
{
	check_scopes(*state, "scopes-dwz");
}

static void test_names_that_stay_mangled_stay_without_scopes(void **state)
{
	struct world *w = *state;
	site_id at = add_site(w, add_module(w, "scopes"), 0x2f6, SITE_EXACT);

	w->o = (struct symbolize_opts){ .no_demangle = true };
	run(w, 1);
	assert_string_equal(chain_of(w, at), "outside main");
}

static void test_a_return_address_is_looked_up_at_its_call(void **state)
{
	struct world *w = *state;
	module_id m = add_module(w, "inlines-gcc-5");
	site_id after = add_site(w, m, 0x2e6, SITE_RETURN);
	site_id exact = add_site(w, m, 0x2e6, SITE_EXACT);

	run(w, 1);
	assert_string_equal(chain_of(w, after), "step:inlines.cpp:35 _Z4worki:inlines.cpp:45");
	assert_string_equal(chain_of(w, exact),
		"square:inlines.cpp:8 _ZNK6shapes5point4normEv:inlines.cpp:16 "
		"step:inlines.cpp:37 _Z4worki:inlines.cpp:45");
}

static void test_inlined_functions_are_left_out_on_demand(void **state)
{
	struct world *w = *state;
	site_id at = add_site(w, add_module(w, "inlines-gcc-5"), 0x2e6, SITE_EXACT);

	w->o.no_inline = true;
	run(w, 1);
	assert_string_equal(chain_of(w, at), "_Z4worki:inlines.cpp:45");
	w->o.lines = false;
	run(w, 1);
	assert_string_equal(chain_of(w, at), "_Z4worki");
	assert_null(w->rep.modules[0].dwarf_path);
}

static void test_perf_has_none_in_chains_of_frame_pointers(void **state)
{
	struct world *w = *state;
	site_id at = add_site(w, add_module(w, "inlines-gcc-5"), 0x2e6, SITE_EXACT);

	w->o = (struct symbolize_opts){ .compat_perf = true };
	run(w, 1);
	assert_string_equal(chain_of(w, at), "work");
}

static void test_functions_know_where_they_were_declared(void **state)
{
	struct world *w = *state;
	site_id at = add_site(w, add_module(w, "inlines-gcc-5"), 0x2e6, SITE_EXACT);
	const struct frame *norm, *work;
	const frame_id *f;
	uint32_t n;

	run(w, 1);
	f = sites_frames(w->r->sites, at, &n);
	assert_int_equal(n, 4);
	work = frames_get(w->frames, f[0]);
	norm = frames_get(w->frames, f[2]);
	assert_string_equal(strtab_str(w->strings, work->file), "/src/inlines.cpp");
	assert_int_equal(work->line, 40);
	assert_int_equal(norm->line, 14);
}

static void test_a_place_outside_all_functions_keeps_its_frame(void **state)
{
	struct world *w = *state;
	site_id at = add_site(w, add_module(w, "inlines-gcc-5"), 0x10, SITE_EXACT);
	uint32_t n;
	const frame_id *f;

	run(w, 1);
	f = sites_frames(w->r->sites, at, &n);
	assert_int_equal(n, 1);
	assert_int_equal(frames_get(w->frames, *f)->why, WHY_NO_SYMBOL);
}

/* What lies under the name of a .dwo must have the id of its skeleton. */
static void test_a_dwo_of_another_build_is_refused(void **state)
{
	struct files_opts fo = { .no_system = true };
	struct world *w = *state;
	struct files *files = files_new(&fo, w->strings);
	enum files_verdict why;
	struct elf_file *program = elf_file_open(FOLDER "inlines-split-5", &why);
	struct files_beside beside = { .file = FOLDER "inlines-split-5" };
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
	assert_true(dwarf_handle_open(&h, &image));
	assert_int_equal(dwarf_get_units(h.dwarf, cu, &cu, NULL, NULL, &unit, NULL), 0);
	assert_true(dwarf_split_needed(&unit));
	assert_false(dwarf_split_open(&split, &unit, &image, &places));
	dwarf_handle_close(&h);
	id[0]--;
	assert_true(dwarf_handle_open(&h, &image));
	assert_int_equal(dwarf_get_units(h.dwarf, NULL, &cu, NULL, NULL, &unit, NULL), 0);
	assert_true(dwarf_split_open(&split, &unit, &image, &places));
	dwarf_split_close(&split);
	dwarf_handle_close(&h);
	dwarf_image_release(&image);
	dwarf_packages_release(&none);
	elf_file_close(program);
	files_free(files);
}

/* ---- packages of .dwo files --------------------------------------------------------------- */

static void copy_file(void **folder, const char *from, const char *to)
{
	char *source = xasprintf(FOLDER "%s", from), *copy = folder_path(folder, to);
	struct buf content = { 0 };
	struct err e;

	assert_int_equal(file_read_all(source, 1 << 20, &content, &e), OK);
	folder_write(copy, buf_span(&content));
	buf_release(&content);
	free(source);
	free(copy);
}

/* The program in a folder of its own, and what is said beside it, as its package. */
static void *folder_with_package(const char *program, const char *package)
{
	char *name = xasprintf("%s.dwp", program);
	void *folder;

	assert_int_equal(folder_setup(&folder), 0);
	copy_file(&folder, program, program);
	copy_file(&folder, package, name);
	free(name);
	return folder;
}

static void check_package(
	struct world *w, const char *program, const char *package, const char *chains)
{
	void *folder = folder_with_package(program, package);

	read_chains(w, chains, add_module(w, program));
	run_in(w, folder);
	check_places(w);
	assert_non_null(w->rep.modules[0].package_path);
	assert_int_equal(folder_teardown(&folder), 0);
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

static void test_scopes_are_found_in_a_package(void **state)
{
	void *folder = folder_with_package("scopes-split", "scopes-split.llvm-dwp");

	check_scopes_in(*state, "scopes-split", folder);
	assert_int_equal(folder_teardown(&folder), 0);
}

/* Beside the program lies one of another build. */
static void test_the_package_that_has_the_unit_is_taken(void **state)
{
	void *folder = folder_with_package("inlines-split-5", "inlines-split-4.llvm-dwp");
	void *other = folder_with_package("inlines-split-5", "inlines-split-5.llvm-dwp");
	const char *symfs[] = { folder, other, NULL };
	struct files_opts fo = { .symfs = symfs, .no_system = true };
	struct world *w = *state;

	read_chains(w, "inlines", add_module(w, "inlines-split-5"));
	run_with(w, &fo, 2);
	check_places(w);
	assert_int_equal(w->rep.modules[0].trail.n, 1);
	assert_int_equal(folder_teardown(&folder), 0);
	assert_int_equal(folder_teardown(&other), 0);
}

/* A package without the unit, and one that is none. */
static void test_what_a_package_lacks_is_told(void **state)
{
	void *folder = folder_with_package("inlines-split-5", "inlines-split-4.llvm-dwp");
	void *other = folder_with_package("inlines-split-5", "inlines-split-5");
	const char *symfs[] = { folder, other, NULL };
	struct files_opts fo = { .symfs = symfs, .no_system = true };
	struct world *w = *state;
	site_id at = add_site(w, add_module(w, "inlines-split-5"), 0x2e6, SITE_EXACT);
	const struct files_trail *trail;

	run_with(w, &fo, 1);
	assert_string_equal(chain_of(w, at), "_Z4worki:inlines.cpp:8");
	trail = &w->rep.modules[0].trail;
	assert_true(trail->n >= 3);
	assert_int_equal(trail->step[trail->n - 3].verdict, FILES_NO_DWO);
	assert_int_equal(trail->step[trail->n - 2].verdict, FILES_NO_PACKAGE);
	assert_int_equal(trail->step[trail->n - 1].verdict, FILES_OTHER_PACKAGE);
	assert_int_equal(folder_teardown(&folder), 0);
	assert_int_equal(folder_teardown(&other), 0);
}

/* How many frames an address of inlines-gcc-5 gets after so long. */
static uint32_t frames_after(struct world *w, uint64_t spent_ns)
{
	struct files_opts fo = { .no_system = true };
	struct symbolize_opts o = { .files = files_new(&fo, w->strings) };
	struct frame symbol = { .name = strtab_add_str(w->strings, "work"), .kind = FRAME_USER };
	struct dwarf_worker worker = { 0 };
	enum files_verdict why;
	struct elf_file *program = elf_file_open(FOLDER "inlines-gcc-5", &why);
	struct dwarf_debug *d;
	site_id at = add_site(w, 0, 0x2e6, SITE_EXACT);
	frame_id f = frames_add(w->frames, &symbol);
	uint32_t n;

	assert_non_null(program);
	d = dwarf_debug_open(o.files, program, NULL, o.lines, NULL);
	d->inlined = true;
	d->spent_ns = spent_ns;
	sites_set_frames(w->r->sites, at, &f, 1);
	dwarf_debug_add(d, 0x2e6, 0x2c0, at);
	dwarf_debug_make_tasks(d);
	assert_int_equal(d->n_tasks, 1);
	dwarf_name_task(&worker, w->r, &o, d, &d->task[0]);
	sites_frames(w->r->sites, at, &n);
	dwarf_worker_release(&worker);
	dwarf_debug_release(d);
	elf_file_close(program);
	files_free((struct files *)o.files);
	return n;
}

static void test_a_file_that_takes_too_long_keeps_its_symbols(void **state)
{
	struct dwarf_budget none;
	unsigned steps = 0;

	assert_int_equal(frames_after(*state, 0), 4);
	assert_int_equal(frames_after(*state, UINT64_MAX / 2), 1);
	dwarf_budget_start(&none, 0);
	while (dwarf_budget_take(&none))
		assert_true(++steps < 1000000);
	assert_false(dwarf_budget_take(&none));
}

/* The same for everyone who runs it. */
static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

/* Names of all functions, with what lies beside the program as its .dwo. */
static void look_everything_up(struct world *w, const char *folder)
{
	const char *symfs[] = { folder, NULL };
	struct files_opts fo = { .symfs = symfs, .no_system = true };
	module_id m = add_module(w, "inlines-split-5");
	uint64_t address;

	for (address = 0x2c0; address < 0x3c0; address += 3)
		add_site(w, m, address, SITE_EXACT);
	run_with(w, &fo, 1);
}

static void damage(struct buf *b, uint32_t *seed)
{
	unsigned flips = 1 + next_random(seed) % 8;

	while (flips--)
		b->p[next_random(seed) % b->n] ^= (char)(1u << next_random(seed) % 8);
	if (next_random(seed) % 8 == 0)
		b->n = next_random(seed) % b->n;
}

/* damaged: the name of a file of the program's, which is made of another one. */
static void look_up_with_damage(const char *damaged, const char *from)
{
	enum { ROUNDS = 400 };
	char *source = xasprintf(FOLDER "%s", from), *path;
	void *folder, *w = NULL;
	struct buf whole = { 0 };
	uint32_t seed = 1, i;
	struct err e;

	assert_int_equal(folder_setup(&folder), 0);
	copy_file(&folder, "inlines-split-5", "inlines-split-5");
	path = folder_path(&folder, damaged);
	assert_int_equal(file_read_all(source, 1 << 20, &whole, &e), OK);
	for (i = 0; i < ROUNDS; i++) {
		struct buf bytes = { 0 };

		buf_put_span(&bytes, buf_span(&whole));
		damage(&bytes, &seed);
		folder_write(path, buf_span(&bytes));
		set_up(&w);
		look_everything_up(w, folder);
		tear_down(&w);
		buf_release(&bytes);
	}
	buf_release(&whole);
	free(source);
	free(path);
	assert_int_equal(folder_teardown(&folder), 0);
}

static void test_a_damaged_dwo_names_less_and_harms_nothing(void **state)
{
	(void)state;
	look_up_with_damage("inlines-split-5-inlines.dwo", "inlines-split-5-inlines.dwo");
}

static void test_a_damaged_package_names_less_and_harms_nothing(void **state)
{
	(void)state;
	look_up_with_damage("inlines-split-5.dwp", "inlines-split-5.llvm-dwp");
	look_up_with_damage("inlines-split-5.dwp", "inlines-split-5.zlib-dwp");
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_chains_of_dwarf_2),
		TEST(test_chains_of_dwarf_3),
		TEST(test_chains_of_dwarf_4),
		TEST(test_chains_of_dwarf_5),
		TEST(test_a_file_without_aranges_is_indexed),
		TEST(test_sections_are_inflated_with_zlib),
		TEST(test_old_compressed_sections_are_inflated),
		TEST(test_sections_are_inflated_with_zstd),
		TEST(test_split_dwarf_4_is_found_beside),
		TEST(test_split_dwarf_5_is_found_beside),
		TEST(test_what_dwz_moved_away_is_found),
		TEST(test_code_in_no_described_function_has_its_line),
		TEST(test_names_are_demangled_without_lines),
		TEST(test_what_only_its_file_can_see_is_named_by_what_it_is_part_of),
		TEST(test_scopes_are_found_in_a_dwo),
		TEST(test_scopes_are_found_in_what_dwz_moved_away),
		TEST(test_names_that_stay_mangled_stay_without_scopes),
		TEST(test_a_return_address_is_looked_up_at_its_call),
		TEST(test_inlined_functions_are_left_out_on_demand),
		TEST(test_perf_has_none_in_chains_of_frame_pointers),
		TEST(test_functions_know_where_they_were_declared),
		TEST(test_a_place_outside_all_functions_keeps_its_frame),
		TEST(test_a_dwo_of_another_build_is_refused),
		TEST(test_a_package_of_dwarf_4_by_gnu_dwp),
		TEST(test_a_package_of_dwarf_4_by_llvm_dwp),
		TEST(test_a_package_of_dwarf_5_by_llvm_dwp),
		TEST(test_a_package_whose_sections_are_packed),
		TEST(test_a_package_of_clang_and_dwarf_4_by_gnu_dwp),
		TEST(test_a_package_of_clang_and_dwarf_4_by_llvm_dwp),
		TEST(test_a_package_of_clang_and_dwarf_5_by_llvm_dwp),
		TEST(test_scopes_are_found_in_a_package),
		TEST(test_the_package_that_has_the_unit_is_taken),
		TEST(test_what_a_package_lacks_is_told),
		TEST(test_a_file_that_takes_too_long_keeps_its_symbols),
		cmocka_unit_test(test_a_damaged_dwo_names_less_and_harms_nothing),
		cmocka_unit_test(test_a_damaged_package_names_less_and_harms_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
