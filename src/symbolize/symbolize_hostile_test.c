/* Programs, and lists of the kernel's symbols, that no linker made. */
#include "symbolize/kernel/kallsyms.h"
#include "symbolize/elf/elf_for_test.h"

#include "base/tmpdir_for_test.h"
#include "symbolize/symbolize.h"

static void a_program_cut_anywhere_gives_the_symbols_that_are_there(void **state)
{
	struct buf whole = { 0 };
	struct symtab t;
	struct err e;
	size_t n;

	(void)state;
	assert_int_equal(file_read_all("testdata/elf/cet", 1 << 20, &whole, &e), OK);
	for (n = 0; n < whole.n; n += 7)
		if (symtab_of_image(&t, xmemdup(whole.p, n), n))
			symtab_release(&t);
	assert_true(symtab_of_image(&t, xmemdup(whole.p, whole.n), whole.n));
	assert_string_equal(symtab_name_at(&t, 0x420), "leaf");
	symtab_release(&t);
	buf_release(&whole);
}

/* More sections than the file has room for, said in either of the two ways. */
static void sections_without_number_are_not_believed(void **state)
{
	static const struct {
		uint16_t e_shnum;
		uint64_t sh_size; /* of section 0, which counts where e_shnum is 0 */
	} cases[] = {
		{ 65279, 0 },
		{ 65535, 0 },
		{ 0, 65535 },
		{ 0, (uint64_t)1 << 40 },
		{ 0, UINT64_MAX },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct tiny_elf tiny;
		struct symtab t;

		tiny_elf_init(&tiny);
		tiny_elf_add(&tiny, "one", 0x10, 0x20, STT_FUNC);
		tiny.eh.e_shnum = cases[i].e_shnum;
		tiny.sh[0].sh_size = cases[i].sh_size;
		if (!symtab_of_tiny(&t, &tiny))
			continue;
		assert_true(t.n <= 1);
		symtab_release(&t);
	}
}

/* Code in two segments, whose addresses differ by more than their places in the file do: a mapping
 * may span both. */
static void each_segment_places_its_own_symbols(void **state)
{
	enum { SECOND_OFFSET = TINY_TEXT_OFFSET + 0x800, SECOND_ADDRESS = 0x707000 };
	struct tiny_elf tiny;
	Elf64_Phdr ph[2];
	struct symtab t;
	size_t size_bytes;
	char *image;

	(void)state;
	tiny_elf_init(&tiny);
	tiny_elf_add(&tiny, "first", 0x10, 0x20, STT_FUNC);
	tiny_elf_add(&tiny, "second", 0, 0x20, STT_FUNC)->st_value = SECOND_ADDRESS + 0x40;
	tiny_elf_add(&tiny, "between", 0, 0x20, STT_FUNC)->st_value = TINY_TEXT_ADDRESS + 0x900;
	ph[0] = ph[1] = tiny.ph;
	ph[0].p_filesz = ph[0].p_memsz = 0x800;
	ph[1].p_offset = SECOND_OFFSET;
	ph[1].p_vaddr = SECOND_ADDRESS;
	ph[1].p_filesz = ph[1].p_memsz = 0x800;
	tiny.eh.e_phnum = 2;
	tiny.eh.e_phoff = SECOND_OFFSET + 0x400;
	image = tiny_elf_image(&tiny, &size_bytes);
	memcpy(image + tiny.eh.e_phoff, ph, sizeof(ph));
	assert_true(symtab_of_image(&t, image, size_bytes));
	assert_int_equal(t.n, 2);
	assert_string_equal(symtab_name_at(&t, TINY_TEXT_OFFSET + 0x10), "first");
	assert_string_equal(symtab_name_at(&t, SECOND_OFFSET + 0x40), "second");
	symtab_release(&t);
}

static void a_place_beyond_the_file_has_no_symbol(void **state)
{
	static const uint64_t places[] = { TINY_TEXT_OFFSET + TINY_TEXT_BYTES, (uint64_t)1 << 40,
		UINT64_MAX };
	struct tiny_elf tiny;
	struct symtab t;
	size_t i;

	(void)state;
	tiny_elf_init(&tiny);
	tiny_elf_add(&tiny, "one", 0x10, 0x20, STT_FUNC);
	assert_true(symtab_of_tiny(&t, &tiny));
	for (i = 0; i < ARRAY_LEN(places); i++)
		assert_string_equal(symtab_name_at(&t, places[i]), "none");
	symtab_release(&t);
}

/* What writers must make harmless: a symbol's name may have any bytes but NUL. */
static void names_may_have_any_bytes(void **state)
{
	struct tiny_elf tiny;
	struct symtab t;

	(void)state;
	tiny_elf_init(&tiny);
	tiny_elf_add(&tiny, "a b;c\n\x1b\xff", 0x10, 0x20, STT_FUNC);
	assert_true(symtab_of_tiny(&t, &tiny));
	assert_string_equal(symtab_name_at(&t, TINY_TEXT_OFFSET + 0x10), "a b;c\n\x1b\xff");
	symtab_release(&t);
}

/* Stubs of functions whose address is needed anyway are apart, 8 bytes each, and have no relocation
 * of their own kind. */
static void stubs_in_plt_got_are_named(void **state)
{
	static const unsigned char code[] = { 0xff, 0x25, 0xfa, 0x00, 0x00, 0x00, 0x66, 0x90, 0xff,
		0x25, 0xf2, 0x01, 0x00, 0x00, 0x66, 0x90, 0xff, 0x25, 0xff, 0xff, 0xff, 0x7f };
	static const struct tiny_stubs stubs = {
		.plt = ".plt.got",
		.rela = ".rela.dyn",
		.code = code,
		.code_bytes = sizeof(code),
		.stub_bytes = 8,
		.slots = {
			{ TINY_TEXT_ADDRESS + 0x100, ELF64_R_INFO(1, R_X86_64_GLOB_DAT), 0 },
			{ TINY_TEXT_ADDRESS + 0x200, ELF64_R_INFO(2, R_X86_64_GLOB_DAT), 0 },
		},
	};
	struct symtab t;

	(void)state;
	assert_true(symtab_of_stubs(&t, &stubs));
	assert_string_equal(symtab_name_at(&t, TINY_TEXT_OFFSET + 4), "malloc");
	assert_string_equal(symtab_name_at(&t, TINY_TEXT_OFFSET + 8), "free");
	assert_string_equal(symtab_name_at(&t, TINY_TEXT_OFFSET + 16), "none"); /* to nowhere */
	symtab_release(&t);
}

/* ---- debug information -------------------------------------------------------------------- */

/* The name of the place 0x300 in a program of the test's directory; inlined functions are asked
 * for. */
static const char *name_in(void **state, const char *program)
{
	static char name[64];
	const char *const symfs[] = { *state, NULL };
	struct files_opts fo = { .symfs = symfs, .no_system = true };
	struct strtab *strings = strtab_new();
	struct frames *frames = frames_new(strings);
	struct recording *r = recording_new("test", strings, frames);
	struct files *f = files_new(&fo, strings);
	struct symbolize_opts o = { .files = f };
	struct pool *pool = pool_new(1);
	struct symbolize_report report;
	struct module m = { .kind = MODULE_FILE };
	struct site place = { .rel = 0x300, .kind = FRAME_USER };
	const frame_id *chain;
	struct err e;
	site_id site;
	uint32_t n;

	m.path = m.shown = strtab_add_str(strings, program);
	place.module = modules_add(r->modules, &m);
	site = sites_add(r->sites, &place);
	assert_int_equal(symbolize(r, &o, pool, &report, &e), OK);
	chain = sites_frames(r->sites, site, &n);
	snprintf(name, sizeof(name), "%s", strtab_str(strings, frames_get(frames, chain[0])->name));
	symbolize_report_release(&report);
	pool_free(pool);
	files_free(f);
	recording_free(r);
	frames_free(frames);
	strtab_free(strings);
	return name;
}

static void copy_program(const char *name, struct buf *program)
{
	char *from = xasprintf("testdata/elf/inlines/%s", name);
	struct err e;

	program->n = 0;
	assert_int_equal(file_read_all(from, 1 << 20, program, &e), OK);
	free(from);
}

static void put_program(void **state, const struct buf *program)
{
	char *path = tmpdir_path(state, "program");

	tmpdir_write(path, (struct span){ program->p, program->n });
	free(path);
}

/* What dwz(1) moved out of it is in a file that is missing. */
static void shared_debug_information_that_is_missing_costs_no_symbol(void **state)
{
	struct buf program = { 0 };

	copy_program("inlines-dwz", &program);
	put_program(state, &program);
	assert_string_equal(name_in(state, "/program"), "work");
	buf_release(&program);
}

/* Some byte of the sections after the code is wrong, compressed or not. */
static void damaged_debug_information_costs_no_symbol(void **state)
{
	enum { SECTIONS = 0x1000 };
	static const char *const programs[] = { "inlines-zlib", "inlines-zlib-gnu", "inlines-zstd",
		"inlines-gcc-5" };
	struct buf program = { 0 };
	size_t i, at;

	for (i = 0; i < ARRAY_LEN(programs); i++) {
		copy_program(programs[i], &program);
		for (at = SECTIONS; at < SECTIONS + 0x800; at += 61) {
			program.p[at] = (char)~program.p[at];
			put_program(state, &program);
			assert_string_equal(name_in(state, "/program"), "work");
			program.p[at] = (char)~program.p[at];
		}
	}
	buf_release(&program);
}

/* ---- the kernel's list -------------------------------------------------------------------- */

static void a_list_of_a_million_lines_is_read(void **state)
{
	enum { N = 1000000 };
	struct buf text = { 0 };
	struct kallsyms k = { 0 };
	uint64_t address = 0;
	unsigned i;

	(void)state;
	for (i = 0; i < N; i++) { /* one in two is of a module, backwards and between the others */
		unsigned n = i % 2 ? N - i : i;

		buf_printf(&text, "ffffffff8%07x t f%u%s\r\n", n * 16, n % 1000,
			i % 2 ? "\t[module]" : "");
	}
	kallsyms_parse(&k, &text, false);
	assert_int_equal(k.n, N);
	for (i = 1; i < N; i++)
		assert_true(k.sym[i - 1].start <= k.sym[i].start);
	/* Of a name that many symbols have, the lowest. */
	assert_true(kallsyms_address(&k, SPAN("f998"), &address));
	assert_true(address == 0xffffffff80000000 + 998 * 16);
	kallsyms_release(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_cut_anywhere_gives_the_symbols_that_are_there),
		cmocka_unit_test(sections_without_number_are_not_believed),
		cmocka_unit_test(each_segment_places_its_own_symbols),
		cmocka_unit_test(a_place_beyond_the_file_has_no_symbol),
		cmocka_unit_test(names_may_have_any_bytes),
		cmocka_unit_test(stubs_in_plt_got_are_named),
		IN_TMPDIR(shared_debug_information_that_is_missing_costs_no_symbol),
		IN_TMPDIR(damaged_debug_information_costs_no_symbol),
		cmocka_unit_test(a_list_of_a_million_lines_is_read),
	};

	elf_version(EV_CURRENT);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
