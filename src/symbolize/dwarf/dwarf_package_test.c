/* Indexes of packages: both versions, damaged ones, and strings that units share. */
#include "symbolize/dwarf/dwarf_package.h"

#include "base/tmpdir_for_test.h"
#include "symbolize/dwarf/dwarf_strings.h"

enum { ID = 0x1234, OTHER_ID = 0x99 };

/* ---- a package ---------------------------------------------------------------------------- */

static void put_number(struct buf *to, uint64_t v, unsigned bytes)
{
	for (; bytes; bytes--, v >>= 8)
		buf_putc(to, (char)v);
}

/* The content of an index, any of which a test may damage. */
struct index {
	uint32_t version, columns, rows, slots;
	uint32_t row; /* of ID, which is in the second of two slots; OTHER_ID has row 1 */
	struct {
		uint32_t kind, at, size_bytes;
	} cell[4]; /* of the second row */
	bool cut;  /* the last number is missing */
};

static const struct index honest = {
	.version = 5,
	.columns = 3,
	.rows = 2,
	.slots = 2,
	.row = 2,
	.cell = { { 1, 4, 8 }, { 3, 2, 3 }, { 6, 8, 20 } },
};

static struct buf index_bytes(const struct index *x)
{
	struct buf b = { 0 };
	uint32_t i;

	put_number(&b, x->version, 4);
	put_number(&b, x->columns, 4);
	put_number(&b, x->rows, 4);
	put_number(&b, x->slots, 4);
	put_number(&b, OTHER_ID, 8);
	put_number(&b, ID, 8);
	put_number(&b, 1, 4);
	put_number(&b, x->row, 4);
	for (i = 0; i < 3; i++)
		put_number(&b, x->cell[i].kind, 4);
	for (i = 0; i < 3; i++)
		put_number(&b, 0, 4);
	for (i = 0; i < 3; i++)
		put_number(&b, x->cell[i].at, 4);
	for (i = 0; i < 3; i++)
		put_number(&b, 1, 4);
	for (i = 0; i < 3; i++)
		put_number(&b, x->cell[i].size_bytes, 4);
	b.n -= x->cut ? 4 : 0;
	return b;
}

enum { SECTIONS_OF_PACKAGE = 5, HEADERS = SECTIONS_OF_PACKAGE + 2 };

static struct buf package_bytes(const struct index *x)
{
	static const char *const name[SECTIONS_OF_PACKAGE] = { ".debug_info.dwo",
		".debug_abbrev.dwo", ".debug_str.dwo", ".debug_str_offsets.dwo",
		".debug_cu_index" };
	struct buf index = index_bytes(x), image = { 0 }, names = { 0 };
	struct span content[SECTIONS_OF_PACKAGE] = { SPAN("abcdINFOinfoXYZ"), SPAN("..abb.."),
		SPAN("zero\0one\0two\0three\0"),
		SPAN("........\20\0\0\0\5\0\0\0\15\0\0\0\5\0\0\0\377\0\0\0..."), buf_span(&index) };
	Elf64_Ehdr eh = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_REL,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_shoff = sizeof(eh),
		.e_ehsize = sizeof(eh),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = HEADERS,
		.e_shstrndx = HEADERS - 1,
	};
	Elf64_Shdr sh[HEADERS] = { 0 };
	size_t i;

	buf_putc(&names, 0);
	for (i = 0; i < HEADERS * sizeof(*sh) + sizeof(eh); i++)
		buf_putc(&image, 0);
	for (i = 0; i < SECTIONS_OF_PACKAGE; i++) {
		sh[i + 1] = (Elf64_Shdr){ .sh_name = (Elf64_Word)names.n,
			.sh_type = SHT_PROGBITS,
			.sh_offset = image.n,
			.sh_size = content[i].n };
		buf_put(&names, name[i], strlen(name[i]) + 1);
		buf_put_span(&image, content[i]);
	}
	sh[HEADERS - 1] =
		(Elf64_Shdr){ .sh_type = SHT_STRTAB, .sh_offset = image.n, .sh_size = names.n };
	buf_put_span(&image, buf_span(&names));
	memcpy(image.p, &eh, sizeof(eh));
	memcpy(image.p + sizeof(eh), sh, sizeof(sh));
	buf_release(&index);
	buf_release(&names);
	return image;
}

static bool open_package(void **state, const struct index *x, struct dwarf_package *p)
{
	char *path = tmpdir_path(state, "program.dwp");
	struct buf image = package_bytes(x);
	enum files_verdict why;
	struct elf_file *ef;
	bool opened;

	tmpdir_write(path, buf_span(&image));
	ef = elf_file_open(path, &why);
	assert_non_null(ef);
	opened = dwarf_package_open(p, ef);
	if (!opened)
		elf_file_close(ef);
	buf_release(&image);
	free(path);
	return opened;
}

/* Is the unit ID there? What is in image is the caller's then. */
static bool reads(void **state, const struct index *x, struct dwarf_image *image)
{
	static const struct dwarf_borrowed borrowed = { .addr = SPAN("addresses") };
	struct dwarf_package p;
	bool found;

	if (!open_package(state, x, &p))
		return false;
	found = dwarf_package_read(&p, ID, 5, &borrowed, image);
	dwarf_package_close(&p);
	return found;
}

static void assert_section(const struct dwarf_image *image, int k, struct span content)
{
	assert_int_equal(image->section[k].n, content.n);
	assert_memory_equal(image->section[k].p, content.p, content.n);
}

static void a_unit_has_its_part_of_each_section_and_strings_of_its_own(void **state)
{
	struct dwarf_image image;

	assert_true(reads(state, &honest, &image));
	assert_section(&image, SECTION_INFO, SPAN("INFOinfo"));
	assert_section(&image, SECTION_ABBREV, SPAN("abb"));
	assert_section(&image, SECTION_STR, SPAN("one\0three\0"));
	assert_section(&image, SECTION_STR_OFFSETS,
		SPAN("\20\0\0\0\5\0\0\0\4\0\0\0\0\0\0\0\377\377\377\377"));
	assert_section(&image, SECTION_ADDR, SPAN("addresses"));
	dwarf_image_release(&image);
}

static void gnu_has_another_version_of_the_index(void **state)
{
	struct dwarf_image image;
	struct index x = honest;

	x.version = 2;
	x.cell[2].kind = 8; /* .debug_macro */
	assert_true(reads(state, &x, &image));
	assert_section(&image, SECTION_INFO, SPAN("INFOinfo"));
	assert_int_equal(image.section[SECTION_RNGLISTS].n, 0);
	dwarf_image_release(&image);
}

static void a_unit_that_is_not_there_is_not_found(void **state)
{
	struct dwarf_image image;
	struct index x = honest;

	x.row = 0;
	assert_false(reads(state, &x, &image));
	x.row = 3;
	assert_false(reads(state, &x, &image));
	x.row = UINT32_MAX;
	assert_false(reads(state, &x, &image));
}

static void a_damaged_index_is_refused(void **state)
{
	const struct index lie[] = {
		{ .version = 3, .columns = 3, .rows = 2, .slots = 2, .row = 2 },
		{ .version = 5, .columns = UINT32_MAX, .rows = 2, .slots = 2, .row = 2 },
		{ .version = 5, .columns = 3, .rows = UINT32_MAX, .slots = 2, .row = 2 },
		{ .version = 5, .columns = 3, .rows = 2, .slots = UINT32_MAX, .row = 2 },
		{ .version = 5, .columns = 0x80000000, .rows = 0x80000000, .slots = 2, .row = 2 },
		{ .version = 5, .columns = 0, .rows = 0, .slots = 0, .row = 2 },
	};
	struct dwarf_image image;
	struct index x;
	size_t i;

	for (i = 0; i < ARRAY_LEN(lie); i++) {
		x = lie[i];
		memcpy(x.cell, honest.cell, sizeof(x.cell));
		assert_false(reads(state, &x, &image));
	}
	x = honest;
	x.cut = true;
	assert_false(reads(state, &x, &image));
}

static void a_part_beyond_its_section_is_none(void **state)
{
	struct dwarf_image image;
	struct index x = honest;

	x.cell[0].at = 8;
	assert_false(reads(state, &x, &image));
	x.cell[0].at = UINT32_MAX;
	assert_false(reads(state, &x, &image));
	x = honest;
	x.cell[1].size_bytes = UINT32_MAX;
	assert_false(reads(state, &x, &image));
	x.cell[1].size_bytes = 0;
	assert_false(reads(state, &x, &image));
}

static void a_section_that_is_named_twice_is_the_last_one(void **state)
{
	struct dwarf_image image;
	struct index x = honest;

	x.cell[2] = honest.cell[0];
	x.cell[2].at = 0;
	assert_true(reads(state, &x, &image));
	assert_section(&image, SECTION_INFO, SPAN("abcdINFO"));
	dwarf_image_release(&image);
}

/* ---- strings -------------------------------------------------------------------------------- */

static bool gather(struct span all, struct span offsets, struct buf *table, struct buf *texts)
{
	struct dwarf_strings from = { .all = all, .fd = -1, .size_bytes = all.n };
	bool swapped = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	table->n = texts->n = 0;
	buf_put_span(table, offsets);
	return dwarf_strings_gather(&from, table, swapped, 4, texts);
}

static void strings_inside_others_are_copied_once(void **state)
{
	struct buf table = { 0 }, texts = { 0 };

	(void)state;
	assert_true(gather(SPAN("unused\0shapes\0last\0"),
		SPAN("\012\0\0\0\7\0\0\0\016\0\0\0\15\0\0\0"), &table, &texts));
	assert_true(span_eq(buf_span(&texts), SPAN("shapes\0last\0")));
	assert_true(span_eq(buf_span(&table), SPAN("\3\0\0\0\0\0\0\0\7\0\0\0\6\0\0\0")));
	buf_release(&table);
	buf_release(&texts);
}

static void a_string_without_end_makes_the_unit_damaged(void **state)
{
	struct buf table = { 0 }, texts = { 0 };

	(void)state;
	assert_false(gather(SPAN("one\0two"), SPAN("\4\0\0\0"), &table, &texts));
	assert_true(gather(SPAN("one\0two"), SPAN("\0\0\0\0"), &table, &texts));
	buf_release(&table);
	buf_release(&texts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TMPDIR(a_unit_has_its_part_of_each_section_and_strings_of_its_own),
		IN_TMPDIR(gnu_has_another_version_of_the_index),
		IN_TMPDIR(a_unit_that_is_not_there_is_not_found),
		IN_TMPDIR(a_damaged_index_is_refused),
		IN_TMPDIR(a_part_beyond_its_section_is_none),
		IN_TMPDIR(a_section_that_is_named_twice_is_the_last_one),
		cmocka_unit_test(strings_inside_others_are_copied_once),
		cmocka_unit_test(a_string_without_end_makes_the_unit_damaged),
	};

	elf_version(EV_CURRENT);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
