#include "symbolize/elf_symbols.h"
#include "symbolize/tiny_elf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

/* The table of an ELF file that a test made; NULL where libelf refuses it. */
static struct symtab *table_of(const struct tiny_elf *tiny, bool compat_perf)
{
	struct symtab *t = xcalloc(1, sizeof(*t));
	size_t size;
	char *image = tiny_elf_image(tiny, &size);
	struct elf_file *ef = elf_file_from_memory(image, size, "tiny");

	if (!ef) {
		free(t);
		return NULL;
	}
	t->style.compat_perf = compat_perf;
	symtab_hold(t, ef);
	elf_symbols_add(t, ef, ef, SHT_SYMTAB);
	symtab_settle(t);
	elf_plt_add(t, ef);
	symtab_freeze(t);
	return t;
}

static void table_free(struct symtab *t)
{
	symtab_release(t);
	free(t);
}

static const char *at(const struct symtab *t, uint64_t offset)
{
	static char name[64];
	uint32_t i = symtab_find(t, offset);

	if (i == SYMTAB_NONE)
		return "none";
	snprintf(name, sizeof(name), "%.*s", SPAN_ARG(symtab_get(t, i).name));
	return name;
}

static void test_symbols_lie_at_their_offset_in_the_file(void **state)
{
	struct tiny_elf tiny;
	struct symtab *t;

	(void)state;
	tiny_elf_init(&tiny);
	tiny_elf_add(&tiny, "one", 0x10, 0x20, STT_FUNC);
	tiny_elf_add(&tiny, "two", 0x40, 0x20, STT_GNU_IFUNC);
	t = table_of(&tiny, false);
	assert_string_equal(at(t, TINY_TEXT_OFFSET + 0x10), "one");
	assert_string_equal(at(t, TINY_TEXT_OFFSET + 0x30), "none");
	assert_string_equal(at(t, TINY_TEXT_OFFSET + 0x40), "two");
	assert_string_equal(at(t, TINY_TEXT_ADDRESS + 0x10), "none");
	table_free(t);
}

/* A debug file: the segment has lost its content and its offset. */
static void test_a_hollow_segment_is_placed_where_gnu_ld_puts_it(void **state)
{
	static const char *const comments[] = { "GCC: (Debian 12.2.0) 12.2.0", "Linker: LLD 14.0",
		"" };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(comments); i++) {
		struct tiny_elf tiny;
		struct symtab *t;

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
		t = table_of(&tiny, false);
		assert_string_equal(at(t, 0x10), i ? "none" : "one");
		table_free(t);
	}
}

static void test_a_symbol_outside_all_segments_is_left_out(void **state)
{
	struct tiny_elf tiny;
	struct symtab *t;

	(void)state;
	tiny_elf_init(&tiny);
	tiny_elf_add(&tiny, "one", TINY_TEXT_BYTES, 0x20, STT_FUNC);
	t = table_of(&tiny, false);
	assert_int_equal(t->n, 0);
	table_free(t);
}

static void test_what_names_no_code_is_left_out(void **state)
{
	struct tiny_elf tiny;
	struct symtab *t;

	(void)state;
	tiny_elf_init(&tiny);
	tiny_elf_add(&tiny, "file", 0x10, 4, STT_FILE);
	tiny_elf_add(&tiny, "thread_local", 0x10, 4, STT_TLS);
	tiny_elf_add(&tiny, "absolute", 0x10, 4, STT_FUNC)->st_shndx = SHN_ABS;
	tiny_elf_add(&tiny, "undefined", 0x10, 4, STT_FUNC)->st_shndx = SHN_UNDEF;
	tiny_elf_add(&tiny, "not_loaded", 0x10, 4, STT_FUNC)->st_shndx = TINY_STRTAB;
	tiny_elf_add(&tiny, "hidden_label", 0x10, 4, STT_NOTYPE)->st_other = STV_HIDDEN;
	tiny_elf_add(&tiny, "", 0x10, 4, STT_FUNC);
	tiny_elf_add(&tiny, "label", 0x20, 4, STT_NOTYPE);
	t = table_of(&tiny, false);
	assert_int_equal(t->n, 1);
	assert_string_equal(at(t, TINY_TEXT_OFFSET + 0x20), "label");
	table_free(t);
}

static void test_marks_of_arm_are_no_symbols(void **state)
{
	struct tiny_elf tiny;
	struct symtab *t;

	(void)state;
	tiny_elf_init(&tiny);
	tiny.eh.e_machine = EM_AARCH64;
	tiny_elf_add(&tiny, "$x", 0x10, 0, STT_NOTYPE);
	tiny_elf_add(&tiny, "$d.7", 0x20, 0, STT_NOTYPE);
	tiny_elf_add(&tiny, "$dollar", 0x30, 4, STT_FUNC);
	t = table_of(&tiny, false);
	assert_int_equal(t->n, 1);
	assert_string_equal(at(t, TINY_TEXT_OFFSET + 0x30), "$dollar");
	table_free(t);
}

static void test_an_old_version_is_known_by_its_single_at_sign(void **state)
{
	struct tiny_elf tiny;
	struct symtab *t;

	(void)state;
	tiny_elf_init(&tiny);
	tiny_elf_add(&tiny, "cfree@GLIBC_2.2.5", 0x10, 16, STT_FUNC);
	tiny_elf_add(&tiny, "free", 0x10, 16, STT_FUNC);
	tiny_elf_add(&tiny, "read@@GLIBC_2.2.5", 0x40, 16, STT_FUNC);
	tiny_elf_add(&tiny, "red", 0x40, 16, STT_FUNC);
	t = table_of(&tiny, false);
	assert_string_equal(at(t, TINY_TEXT_OFFSET + 0x10), "free");
	assert_string_equal(at(t, TINY_TEXT_OFFSET + 0x40), "read@@GLIBC_2.2.5");
	table_free(t);
}

/* A file whose one lie is made by the test. */
struct lie {
	struct tiny_elf tiny;
	struct symtab *t;
};

static void honest(struct lie *l)
{
	tiny_elf_init(&l->tiny);
	tiny_elf_add(&l->tiny, "one", 0x10, 0x20, STT_FUNC);
	tiny_elf_add(&l->tiny, "two", 0x40, 0x20, STT_FUNC);
}

static void test_a_name_outside_the_string_table_is_left_out(void **state)
{
	struct lie l;

	(void)state;
	honest(&l);
	l.tiny.sym[1].st_name = 0x7fffffff;
	l.t = table_of(&l.tiny, false);
	assert_int_equal(l.t->n, 1);
	assert_string_equal(at(l.t, TINY_TEXT_OFFSET + 0x40), "two");
	table_free(l.t);
}

static void test_a_string_table_without_an_end_gives_no_names(void **state)
{
	struct lie l;

	(void)state;
	honest(&l);
	l.tiny.sh[TINY_STRTAB].sh_size -= 1;
	l.t = table_of(&l.tiny, false);
	assert_string_equal(at(l.t, TINY_TEXT_OFFSET + 0x10), "one");
	assert_string_equal(at(l.t, TINY_TEXT_OFFSET + 0x40), "none");
	table_free(l.t);
}

static void test_an_entry_size_of_zero_does_no_harm(void **state)
{
	struct lie l;

	(void)state;
	honest(&l);
	l.tiny.sh[TINY_SYMTAB].sh_entsize = 0;
	l.t = table_of(&l.tiny, false);
	assert_true(!l.t || l.t->n <= 2);
	if (l.t)
		table_free(l.t);
}

static void test_sizes_beyond_the_file_give_nothing(void **state)
{
	static const uint64_t sizes[] = { 1 << 20, 1ull << 40, UINT64_MAX, UINT64_MAX - 23 };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(sizes); i++) {
		struct lie l;

		honest(&l);
		l.tiny.sh[TINY_SYMTAB].sh_size = sizes[i];
		l.t = table_of(&l.tiny, false);
		assert_int_equal(l.t->n, 0);
		table_free(l.t);
	}
}

static void test_section_headers_beyond_the_file_give_nothing(void **state)
{
	struct lie l;

	(void)state;
	honest(&l);
	l.tiny.eh.e_shoff = 1ull << 40;
	l.t = table_of(&l.tiny, false);
	assert_true(!l.t || l.t->n == 0);
	if (l.t)
		table_free(l.t);
}

static void test_a_segment_that_wraps_around_holds_its_addresses_only(void **state)
{
	struct lie l;

	(void)state;
	honest(&l);
	l.tiny.ph.p_offset = UINT64_MAX - 8;
	l.tiny.ph.p_memsz = UINT64_MAX;
	l.t = table_of(&l.tiny, false);
	assert_int_equal(l.t->n, 2);
	table_free(l.t);
}

static void test_a_size_that_overflows_ends_at_the_last_address(void **state)
{
	struct lie l;

	(void)state;
	honest(&l);
	l.tiny.sym[2].st_size = UINT64_MAX;
	l.t = table_of(&l.tiny, false);
	assert_string_equal(at(l.t, UINT64_MAX - 1), "two");
	table_free(l.t);
}

/* .text plays the part of .plt; what is behind it in the file, of .rela.plt. */
static void test_plt_stubs_are_named_by_what_they_jump_to(void **state)
{
	/* jmp *0x100(%rip); push $0; then a stub with endbr64 before the jump. */
	static const unsigned char code[32] = { 0xff, 0x25, 0x00, 0x01, 0x00, 0x00, 0x68, 0, 0, 0,
		0, 0xe9, 0, 0, 0, 0, 0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 0x10, 0x01, 0x00,
		0x00 };
	uint64_t slots[2] = { TINY_TEXT_ADDRESS + 6 + 0x100, TINY_TEXT_ADDRESS + 16 + 11 + 0x110 };
	struct tiny_elf tiny;
	struct symtab t = { 0 };
	struct elf_file *ef;
	Elf64_Rela rela[2];
	size_t size;
	char *image;

	(void)state;
	tiny_elf_init(&tiny);
	tiny_elf_add(&tiny, "malloc", 0, 0, STT_FUNC)->st_shndx = SHN_UNDEF;
	tiny_elf_add(&tiny, "free", 0, 0, STT_FUNC)->st_shndx = SHN_UNDEF;
	tiny.sh[TINY_SYMTAB].sh_type = SHT_DYNSYM;
	strcpy(tiny.section_names + 40, ".rela.plt");
	strcpy(tiny.section_names + 52, ".plt");
	tiny.sh[TINY_TEXT].sh_name = 52;
	tiny.sh[TINY_TEXT].sh_size = sizeof(code);
	tiny.sh[TINY_TEXT].sh_entsize = 16;
	rela[0] = (Elf64_Rela){ slots[0], ELF64_R_INFO(1, R_X86_64_JUMP_SLOT), 0 };
	rela[1] = (Elf64_Rela){ slots[1], ELF64_R_INFO(2, R_X86_64_JUMP_SLOT), 0 };
	tiny_elf_add_section(&tiny, (Elf64_Shdr){ .sh_name = 40,
					    .sh_type = SHT_RELA,
					    .sh_offset = TINY_TEXT_OFFSET + 0x800,
					    .sh_size = sizeof(rela),
					    .sh_link = TINY_SYMTAB,
					    .sh_addralign = 8,
					    .sh_entsize = sizeof(*rela) });
	image = tiny_elf_image(&tiny, &size);
	memcpy(image + TINY_TEXT_OFFSET, code, sizeof(code));
	memcpy(image + TINY_TEXT_OFFSET + 0x800, rela, sizeof(rela));
	ef = elf_file_from_memory(image, size, "tiny");
	assert_non_null(ef);
	symtab_hold(&t, ef);
	elf_plt_add(&t, ef);
	symtab_freeze(&t);
	assert_int_equal(t.n, 2);
	assert_string_equal(at(&t, TINY_TEXT_OFFSET), "malloc");
	assert_string_equal(at(&t, TINY_TEXT_OFFSET + 0x1f), "free");
	assert_true(t.sym[0].plt);
	symtab_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_symbols_lie_at_their_offset_in_the_file),
		cmocka_unit_test(test_a_hollow_segment_is_placed_where_gnu_ld_puts_it),
		cmocka_unit_test(test_a_symbol_outside_all_segments_is_left_out),
		cmocka_unit_test(test_what_names_no_code_is_left_out),
		cmocka_unit_test(test_marks_of_arm_are_no_symbols),
		cmocka_unit_test(test_an_old_version_is_known_by_its_single_at_sign),
		cmocka_unit_test(test_a_name_outside_the_string_table_is_left_out),
		cmocka_unit_test(test_a_string_table_without_an_end_gives_no_names),
		cmocka_unit_test(test_an_entry_size_of_zero_does_no_harm),
		cmocka_unit_test(test_sizes_beyond_the_file_give_nothing),
		cmocka_unit_test(test_section_headers_beyond_the_file_give_nothing),
		cmocka_unit_test(test_a_segment_that_wraps_around_holds_its_addresses_only),
		cmocka_unit_test(test_a_size_that_overflows_ends_at_the_last_address),
		cmocka_unit_test(test_plt_stubs_are_named_by_what_they_jump_to),
	};

	elf_version(EV_CURRENT);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
