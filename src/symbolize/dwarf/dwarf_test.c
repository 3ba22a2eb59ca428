#include "symbolize/dwarf/dwarf.h"

#include "symbolize/dwarf/dwarf_inlines_for_test.h"

static void check_program(struct inlines *w, const char *name, const char *chains)
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
TEST_PROGRAM(test_a_dwo_with_sections_of_types_is_read, "inlines-types", "inlines")
TEST_PROGRAM(test_what_dwz_moved_away_is_found, "inlines-dwz", "inlines")

/* The first unit has its ranges in no attribute that is known: those of its functions count. */
static void a_unit_without_ranges_has_those_of_its_functions(void **state)
{
	/* of .debug_abbrev: DW_AT_comp_dir, DW_AT_ranges, DW_AT_low_pc, with their forms */
	static const char known[] = "\x1b\x0e\x55\x06\x11\x01";
	struct inlines *w = *state;
	struct buf program = { 0 };
	struct err e;
	char *path, *at;
	void *dir;

	assert_int_equal(tmpdir_setup(&dir), 0);
	path = tmpdir_path(&dir, "inlines-gcc-2");
	assert_int_equal(file_read_all(FOLDER "inlines-gcc-2", 1 << 20, &program, &e), OK);
	at = memmem(program.p, program.n, known, sizeof(known) - 1);
	assert_non_null(at);
	at[2] = 0x2c; /* DW_AT_start_scope */
	tmpdir_write(path, buf_span(&program));
	read_chains(w, "inlines", add_module(w, "inlines-gcc-2"));
	run_in(w, dir);
	check_places(w);
	buf_release(&program);
	free(path);
	assert_int_equal(tmpdir_teardown(&dir), 0);
}

/* Moves the table of strings to the end of a program, where it is n characters and a NUL. */
static void lengthen_strings(struct buf *program, size_t n)
{
	Elf64_Ehdr *eh = (Elf64_Ehdr *)program->p;
	Elf64_Shdr *sh = (Elf64_Shdr *)(program->p + eh->e_shoff);
	const char *names = program->p + sh[eh->e_shstrndx].sh_offset;
	unsigned i, found = 0;

	for (i = 0; i < eh->e_shnum; i++) {
		if (strcmp(names + sh[i].sh_name, ".debug_str"))
			continue;
		sh[i].sh_offset = program->n;
		sh[i].sh_size = n + 1;
		found++;
	}
	assert_int_equal(found, 1);
	while (n--)
		buf_putc(program, 'n');
	buf_putc(program, '\0');
}

/* A stranger's names may begin a byte apart in one of many megabytes: they are none. */
static void check_long_names(struct inlines *w, size_t n, size_t longest)
{
	const frame_id *f;
	uint32_t n_frames;
	size_t most = 0;
	struct buf program = { 0 };
	struct err e;
	site_id at;
	char *path;
	void *dir;

	assert_int_equal(tmpdir_setup(&dir), 0);
	path = tmpdir_path(&dir, "inlines-gcc-5");
	assert_int_equal(file_read_all(FOLDER "inlines-gcc-5", 1 << 20, &program, &e), OK);
	lengthen_strings(&program, n);
	tmpdir_write(path, buf_span(&program));
	w->o = (struct symbolize_opts){ .no_demangle = true };
	at = add_site(w, add_module(w, "inlines-gcc-5"), 0x2e6, SITE_EXACT);
	run_in(w, dir);
	f = sites_frames(w->r->sites, at, &n_frames);
	while (n_frames--)
		if (frames_name(w->frames, f[n_frames]).n > most)
			most = frames_name(w->frames, f[n_frames]).n;
	assert_in_range(most, longest - longest / 10, longest);
	buf_release(&program);
	free(path);
	assert_int_equal(tmpdir_teardown(&dir), 0);
}

static void names_may_be_long(void **state)
{
	check_long_names(*state, 60000, 60000);
}

static void names_longer_than_any_are_none(void **state)
{
	check_long_names(*state, 1 << 20, 8); /* _Z4worki, the symbol */
}

/* As in assembly, and of functions that gcc found to be equal to others. */
static void code_in_no_described_function_has_its_line(void **state)
{
	struct inlines *w = *state;
	site_id at = add_site(w, add_module(w, "label"), 0x243, SITE_EXACT);

	run(w, 1);
	assert_string_equal(chain_of(w, at), "label:label.S:5");
}

/* 0x2e6 and 0x300 are in norm(), which step() calls, which work() calls. */
static void names_are_demangled_without_lines(void **state)
{
	struct inlines *w = *state;
	site_id at = add_site(w, add_module(w, "inlines-gcc-5"), 0x2e6, SITE_EXACT);
	uint32_t n;

	w->o = (struct symbolize_opts){ 0 };
	run(w, 1);
	assert_string_equal(chain_of(w, at), "shapes::square shapes::point::norm step work");
	assert_int_equal(frames_get(w->frames, *sites_frames(w->r->sites, at, &n))->file, 0);
}

static void check_scopes(struct inlines *w, const char *program)
{
	check_scopes_in(w, program, "testdata/elf/inlines");
}

static void functions_with_internal_linkage_have_their_scopes(void **state)
{
	check_scopes(*state, "scopes");
}

static void scopes_are_found_in_a_dwo(void **state)
{
	check_scopes(*state, "scopes-split");
}

static void scopes_are_found_in_the_file_of_dwz(void **state)
{
	check_scopes(*state, "scopes-dwz");
}

static void names_that_stay_mangled_stay_without_scopes(void **state)
{
	struct inlines *w = *state;
	site_id at = add_site(w, add_module(w, "scopes"), 0x2f6, SITE_EXACT);

	w->o = (struct symbolize_opts){ .no_demangle = true };
	run(w, 1);
	assert_string_equal(chain_of(w, at), "outside main");
}

static void a_return_address_is_looked_up_at_its_call(void **state)
{
	struct inlines *w = *state;
	module_id m = add_module(w, "inlines-gcc-5");
	site_id after = add_site(w, m, 0x2e6, SITE_RETURN);
	site_id exact = add_site(w, m, 0x2e6, SITE_EXACT);

	run(w, 1);
	assert_string_equal(chain_of(w, after), "step:inlines.cpp:35 _Z4worki:inlines.cpp:45");
	assert_string_equal(chain_of(w, exact),
		"square:inlines.cpp:8 _ZNK6shapes5point4normEv:inlines.cpp:16 "
		"step:inlines.cpp:37 _Z4worki:inlines.cpp:45");
}

static void lines_can_be_known_without_being_in_names(void **state)
{
	struct inlines *w = *state;
	site_id at = add_site(w, add_module(w, "inlines-gcc-5"), 0x2e6, SITE_EXACT);
	const frame_id *frame;
	uint32_t n;

	w->o.lines_in_names = false;
	run(w, 1);
	assert_string_equal(chain_of(w, at), "square _ZNK6shapes5point4normEv step _Z4worki");
	frame = sites_frames(w->r->sites, at, &n);
	assert_int_equal(n, 4);
	assert_int_equal(frames_get(w->frames, frame[0])->at_line, 45);
	assert_int_equal(frames_get(w->frames, frame[3])->at_line, 8);
	assert_int_equal(frames_get(w->frames, frame[3])->at_file, 0);
	assert_int_equal(frames_get(w->frames, frame[3])->line, 6);
	assert_true(frames_get(w->frames, frame[3])->flags & FRAME_DECLARED);
}

/* What was inlined has no address of its own. */
static void the_address_is_that_of_the_function_that_was_compiled(void **state)
{
	struct inlines *w = *state;
	site_id at = add_site(w, add_module(w, "inlines-gcc-5"), 0x2e6, SITE_EXACT);
	const frame_id *frame;
	uint32_t n, i;

	w->o.code_addresses = true;
	run(w, 1);
	frame = sites_frames(w->r->sites, at, &n);
	assert_int_equal(n, 4);
	for (i = 0; i < n; i++) {
		const struct frame *f = frames_get(w->frames, frame[i]);

		assert_int_equal(f->at_address, i ? 0 : 0x2e6);
		assert_int_equal(f->build != 0, i == 0);
	}
	/* With names and lines from debug information, and without those no frame. */
	for (i = 1, n = 0; i < frames_count(w->frames); i++)
		n += frames_get(w->frames, i)->at_address != 0;
	assert_int_equal(n, 1);
}

static void inlined_functions_are_left_out_on_demand(void **state)
{
	struct inlines *w = *state;
	site_id at = add_site(w, add_module(w, "inlines-gcc-5"), 0x2e6, SITE_EXACT);

	w->o.no_inline = true;
	run(w, 1);
	assert_string_equal(chain_of(w, at), "_Z4worki:inlines.cpp:45");
	w->o.lines = false;
	run(w, 1);
	assert_string_equal(chain_of(w, at), "_Z4worki");
	assert_null(w->rep.modules[0].dwarf_path);
}

static void perf_has_none_in_chains_of_frame_pointers(void **state)
{
	struct inlines *w = *state;
	site_id at = add_site(w, add_module(w, "inlines-gcc-5"), 0x2e6, SITE_EXACT);

	w->o = (struct symbolize_opts){ .compat_perf = true };
	run(w, 1);
	assert_string_equal(chain_of(w, at), "work");
}

static void functions_know_where_they_were_declared(void **state)
{
	struct inlines *w = *state;
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

static void a_place_outside_all_functions_keeps_its_frame(void **state)
{
	struct inlines *w = *state;
	site_id at = add_site(w, add_module(w, "inlines-gcc-5"), 0x10, SITE_EXACT);
	uint32_t n;
	const frame_id *f;

	run(w, 1);
	f = sites_frames(w->r->sites, at, &n);
	assert_int_equal(n, 1);
	assert_int_equal(frames_get(w->frames, *f)->why, WHY_NO_SYMBOL);
}

/* How many frames an address of inlines-gcc-5 gets after so long. */
static uint32_t frames_after(struct inlines *w, uint64_t spent_ns)
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
	d = dwarf_debug_open(o.files, program, &(struct dwarf_addresses){ 0 },
		(struct dwarf_wanted){ .lines = o.lines }, NULL);
	d->inlined = true;
	d->spent_ns = spent_ns;
	sites_set_frames(w->r->sites, at, &f, 1);
	dwarf_debug_add(d, 0x2e6, &(struct symbol){ .start = 0x2c0 }, at)->code =
		(struct site_code){
			.at_address = 0x2e6, .at_function = 0x2c0, .function_bytes = 0x100
		};
	dwarf_debug_make_tasks(d);
	assert_int_equal(d->n_tasks, 1);
	dwarf_name_task(&worker, w->r, &o, d, &d->task[0]);
	f = *sites_frames(w->r->sites, at, &n);
	assert_int_equal(frames_get(w->frames, f)->at_address, 0x2e6);
	dwarf_worker_release(&worker);
	dwarf_debug_release(d);
	elf_file_close(program);
	files_free((struct files *)o.files);
	return n;
}

static void a_file_that_takes_too_long_keeps_its_symbols(void **state)
{
	struct dwarf_budget none;
	unsigned steps = 0;

	assert_int_equal(frames_after(*state, 0), 4);
	assert_int_equal(frames_after(*state, UINT64_MAX / 2), 1);
	dwarf_budget_start(&none, 0);
	while (dwarf_budget_step(&none))
		assert_true(++steps < 1000000);
	assert_false(dwarf_budget_step(&none));
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
		TEST(test_a_dwo_with_sections_of_types_is_read),
		TEST(test_what_dwz_moved_away_is_found),
		TEST(a_unit_without_ranges_has_those_of_its_functions),
		TEST(names_may_be_long),
		TEST(names_longer_than_any_are_none),
		TEST(code_in_no_described_function_has_its_line),
		TEST(names_are_demangled_without_lines),
		TEST(functions_with_internal_linkage_have_their_scopes),
		TEST(scopes_are_found_in_a_dwo),
		TEST(scopes_are_found_in_the_file_of_dwz),
		TEST(names_that_stay_mangled_stay_without_scopes),
		TEST(a_return_address_is_looked_up_at_its_call),
		TEST(lines_can_be_known_without_being_in_names),
		TEST(the_address_is_that_of_the_function_that_was_compiled),
		TEST(inlined_functions_are_left_out_on_demand),
		TEST(perf_has_none_in_chains_of_frame_pointers),
		TEST(functions_know_where_they_were_declared),
		TEST(a_place_outside_all_functions_keeps_its_frame),
		TEST(a_file_that_takes_too_long_keeps_its_symbols),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
