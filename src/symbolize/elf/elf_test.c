#include "symbolize/elf/elf_for_test.h"

/* A file for each test, without symbols so far. */
static int set_up(void **state)
{
	*state = xcalloc(1, sizeof(struct tiny_elf));
	tiny_elf_init(*state);
	return 0;
}

static int tear_down(void **state)
{
	free(*state);
	return 0;
}

enum { ANY_NUMBER = -1 };

/* Its symbols: how many there are, and their names at places of .text. */
static void expect_symbols(
	const struct tiny_elf *tiny, int64_t count, const struct named_place *expected, size_t n)
{
	struct symtab t;

	assert_true(symtab_of_tiny(&t, tiny));
	if (count != ANY_NUMBER)
		assert_int_equal(t.n, count);
	symtab_expect_names(&t, TINY_TEXT_OFFSET, expected, n);
	symtab_release(&t);
}

#define EXPECT(tiny, count, ...) expect_symbols((tiny), (count), NAMES(__VA_ARGS__))

static void symbols_are_at_their_offset_in_the_file(void **state)
{
	struct tiny_elf *tiny = *state;

	tiny_elf_add(tiny, "one", 0x10, 0x20, STT_FUNC);
	tiny_elf_add(tiny, "two", 0x40, 0x20, STT_GNU_IFUNC);
	EXPECT(tiny, ANY_NUMBER, { 0x10, "one" }, { 0x30, "none" }, { 0x40, "two" },
		{ TINY_TEXT_ADDRESS + 0x10 - TINY_TEXT_OFFSET, "none" });
}

/* A debug file: the segment has lost its content and its offset. */
static void a_hollow_segment_is_placed_where_gnu_ld_puts_it(void **state)
{
	static const char *const comments[] = { "GCC: (Debian 12.2.0) 12.2.0", "Linker: LLD 14.0",
		"" };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(comments); i++) {
		struct tiny_elf tiny;
		struct symtab t;

		tiny_elf_init(&tiny);
		tiny.ph.p_filesz = tiny.ph.p_offset = 0;
		strcpy(tiny.section_names + 40, ".comment");
		strcpy(tiny.names + 256, comments[i]);
		tiny_elf_add_section(
			&tiny, (Elf64_Shdr){ .sh_name = 40,
				       .sh_type = SHT_PROGBITS,
				       .sh_offset = offsetof(struct tiny_elf, names) + 256,
				       .sh_size = strlen(comments[i]) });
		tiny_elf_add(&tiny, "one", 0x10, 0x20, STT_FUNC);
		assert_true(symtab_of_tiny(&t, &tiny));
		assert_string_equal(symtab_name_at(&t, 0x10), i ? "none" : "one");
		symtab_release(&t);
	}
}

static void a_symbol_outside_all_segments_is_left_out(void **state)
{
	struct tiny_elf *tiny = *state;

	tiny_elf_add(tiny, "one", TINY_TEXT_BYTES, 0x20, STT_FUNC);
	expect_symbols(tiny, 0, NULL, 0);
}

static void symbols_of_files_and_sections_are_left_out(void **state)
{
	struct tiny_elf *tiny = *state;

	tiny_elf_add(tiny, "file", 0x10, 4, STT_FILE);
	tiny_elf_add(tiny, "thread_local", 0x10, 4, STT_TLS);
	tiny_elf_add(tiny, "absolute", 0x10, 4, STT_FUNC)->st_shndx = SHN_ABS;
	tiny_elf_add(tiny, "undefined", 0x10, 4, STT_FUNC)->st_shndx = SHN_UNDEF;
	tiny_elf_add(tiny, "not_loaded", 0x10, 4, STT_FUNC)->st_shndx = TINY_STRTAB;
	tiny_elf_add(tiny, "hidden_label", 0x10, 4, STT_NOTYPE)->st_other = STV_HIDDEN;
	tiny_elf_add(tiny, "", 0x10, 4, STT_FUNC);
	tiny_elf_add(tiny, "label", 0x20, 4, STT_NOTYPE);
	EXPECT(tiny, 1, { 0x20, "label" });
}

static void mapping_symbols_of_arm_are_left_out(void **state)
{
	struct tiny_elf *tiny = *state;

	tiny->eh.e_machine = EM_AARCH64;
	tiny_elf_add(tiny, "$x", 0x10, 0, STT_NOTYPE);
	tiny_elf_add(tiny, "$d.7", 0x20, 0, STT_NOTYPE);
	tiny_elf_add(tiny, "$dollar", 0x30, 4, STT_FUNC);
	EXPECT(tiny, 1, { 0x30, "$dollar" });
}

static void an_old_version_is_known_by_its_single_at_sign(void **state)
{
	struct tiny_elf *tiny = *state;

	tiny_elf_add(tiny, "cfree@GLIBC_2.2.5", 0x10, 16, STT_FUNC);
	tiny_elf_add(tiny, "free", 0x10, 16, STT_FUNC);
	tiny_elf_add(tiny, "read@@GLIBC_2.2.5", 0x40, 16, STT_FUNC);
	tiny_elf_add(tiny, "red", 0x40, 16, STT_FUNC);
	EXPECT(tiny, ANY_NUMBER, { 0x10, "free" }, { 0x40, "read@@GLIBC_2.2.5" });
}

/* Of a file with one wrong field, set by the test. */
static void put_two(struct tiny_elf *tiny)
{
	tiny_elf_add(tiny, "one", 0x10, 0x20, STT_FUNC);
	tiny_elf_add(tiny, "two", 0x40, 0x20, STT_FUNC);
}

static void a_name_outside_the_string_table_is_left_out(void **state)
{
	struct tiny_elf *tiny = *state;

	put_two(tiny);
	tiny->sym[1].st_name = 0x7fffffff;
	EXPECT(tiny, 1, { 0x40, "two" });
}

static void a_string_table_without_an_end_gives_no_names(void **state)
{
	struct tiny_elf *tiny = *state;

	put_two(tiny);
	tiny->sh[TINY_STRTAB].sh_size -= 1;
	EXPECT(tiny, ANY_NUMBER, { 0x10, "one" }, { 0x40, "none" });
}

static void an_entry_size_of_zero_does_no_harm(void **state)
{
	struct tiny_elf *tiny = *state;
	struct symtab t;

	put_two(tiny);
	tiny->sh[TINY_SYMTAB].sh_entsize = 0;
	if (!symtab_of_tiny(&t, tiny))
		return;
	assert_true(t.n <= 2);
	symtab_release(&t);
}

static void sizes_beyond_the_file_give_nothing(void **state)
{
	static const uint64_t sizes[] = { 1 << 20, 1ull << 40, UINT64_MAX, UINT64_MAX - 23 };
	struct tiny_elf *tiny = *state;
	size_t i;

	put_two(tiny);
	for (i = 0; i < ARRAY_LEN(sizes); i++) {
		tiny->sh[TINY_SYMTAB].sh_size = sizes[i];
		expect_symbols(tiny, 0, NULL, 0);
	}
}

static void section_headers_beyond_the_file_give_nothing(void **state)
{
	struct tiny_elf *tiny = *state;
	struct symtab t;

	put_two(tiny);
	tiny->eh.e_shoff = 1ull << 40;
	if (!symtab_of_tiny(&t, tiny))
		return;
	assert_true(t.n == 0);
	symtab_release(&t);
}

static void a_segment_that_wraps_around_holds_its_addresses_only(void **state)
{
	struct tiny_elf *tiny = *state;

	put_two(tiny);
	tiny->ph.p_offset = UINT64_MAX - 8;
	tiny->ph.p_memsz = UINT64_MAX;
	expect_symbols(tiny, 2, NULL, 0);
}

static void a_size_that_overflows_ends_at_the_last_address(void **state)
{
	struct tiny_elf *tiny = *state;

	put_two(tiny);
	tiny->sym[2].st_size = UINT64_MAX;
	EXPECT(tiny, ANY_NUMBER, { UINT64_MAX - 1 - TINY_TEXT_OFFSET, "two" });
}

static void a_label_ends_with_its_section(void **state)
{
	struct tiny_elf *tiny = *state;

	tiny_elf_add(tiny, "label", 0x10, 0, STT_NOTYPE);
	tiny->sh[TINY_TEXT].sh_size = 0x800;
	EXPECT(tiny, 1, { 0x10, "label" }, { 0x7ff, "label" }, { 0x800, "none" });
}

static void a_label_reaches_no_further_than_a_page(void **state)
{
	struct tiny_elf *tiny = *state;

	tiny_elf_add(tiny, "label", 0x10, 0, STT_NOTYPE);
	tiny_elf_add(tiny, "next", 0x3000, 8, STT_FUNC);
	tiny->sh[TINY_TEXT].sh_size = tiny->ph.p_memsz = 0x4000;
	EXPECT(tiny, 2, { 0x100f, "label" }, { 0x1010, "none" }, { 0x2fff, "none" });
}

static void a_label_outside_its_section_reaches_a_page_at_most(void **state)
{
	struct tiny_elf *tiny = *state;

	tiny_elf_add(tiny, "label", 0x10, 0, STT_NOTYPE);
	tiny->sh[TINY_TEXT].sh_addr += 0x20;
	tiny->ph.p_memsz = 0x4000;
	EXPECT(tiny, 1, { 0x100f, "label" }, { 0x1010, "none" });
}

static void plt_stubs_are_named_by_what_they_jump_to(void **state)
{
	/* jmp *0x100(%rip); push $0; then a stub with endbr64 before the jump. */
	static const unsigned char code[32] = { 0xff, 0x25, 0x00, 0x01, 0x00, 0x00, 0x68, 0, 0, 0,
		0, 0xe9, 0, 0, 0, 0, 0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 0x10, 0x01, 0x00,
		0x00 };
	static const struct tiny_stubs stubs = {
		.plt = ".plt",
		.rela = ".rela.plt",
		.code = code,
		.code_bytes = sizeof(code),
		.stub_bytes = 16,
		.slots = {
			{ TINY_TEXT_ADDRESS + 6 + 0x100, ELF64_R_INFO(1, R_X86_64_JUMP_SLOT), 0 },
			{ TINY_TEXT_ADDRESS + 27 + 0x110, ELF64_R_INFO(2, R_X86_64_JUMP_SLOT), 0 },
		},
	};
	struct symtab t;

	(void)state;
	assert_true(symtab_of_stubs(&t, &stubs));
	assert_int_equal(t.n, 2);
	assert_string_equal(symtab_name_at(&t, TINY_TEXT_OFFSET), "malloc");
	assert_string_equal(symtab_name_at(&t, TINY_TEXT_OFFSET + 0x1f), "free");
	assert_true(t.sym[0].plt);
	symtab_release(&t);
}

/* What strip --only-keep-debug leaves of .plt. */
static void stubs_without_content_belong_to_nobody(void **state)
{
	struct tiny_elf *tiny = *state;

	tiny_elf_add(tiny, "_init", 0, 0, STT_FUNC);
	tiny_elf_add(tiny, "main", 0x100, 0x20, STT_FUNC);
	strcpy(tiny->section_names + 40, ".plt");
	tiny_elf_add_section(
		tiny, (Elf64_Shdr){ .sh_name = 40,
			      .sh_type = SHT_NOBITS,
			      .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
			      .sh_addr = TINY_TEXT_ADDRESS + 0x20,
			      .sh_offset = TINY_TEXT_OFFSET, /* as all that has lost its content */
			      .sh_size = 0x40 });
	EXPECT(tiny, ANY_NUMBER, { 0x1f, "_init" }, { 0x20, "none" }, { 0x5f, "none" },
		{ 0x100, "main" });
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(symbols_are_at_their_offset_in_the_file),
		cmocka_unit_test(a_hollow_segment_is_placed_where_gnu_ld_puts_it),
		TEST(a_symbol_outside_all_segments_is_left_out),
		TEST(symbols_of_files_and_sections_are_left_out),
		TEST(mapping_symbols_of_arm_are_left_out),
		TEST(an_old_version_is_known_by_its_single_at_sign),
		TEST(a_name_outside_the_string_table_is_left_out),
		TEST(a_string_table_without_an_end_gives_no_names),
		TEST(an_entry_size_of_zero_does_no_harm),
		TEST(sizes_beyond_the_file_give_nothing),
		TEST(section_headers_beyond_the_file_give_nothing),
		TEST(a_segment_that_wraps_around_holds_its_addresses_only),
		TEST(a_size_that_overflows_ends_at_the_last_address),
		TEST(a_label_ends_with_its_section),
		TEST(a_label_reaches_no_further_than_a_page),
		TEST(a_label_outside_its_section_reaches_a_page_at_most),
		cmocka_unit_test(plt_stubs_are_named_by_what_they_jump_to),
		TEST(stubs_without_content_belong_to_nobody),
	};

	elf_version(EV_CURRENT);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
