#include "files/light.h"

#include "base/tmpdir_for_test.h"
#include "files/files.h"

#define PROGRAM    "testdata/elf/program" /* .text 0x26 bytes at 0x320, .plt 0x20 at 0x300 */
#define PROGRAM_32 "testdata/elf/32-bit/root/tmp/perfold/bin/bare-32"
#define INLINES    "testdata/elf/inlines/inlines-gcc-4"

/* The light form of a file, written to a file of its own; NULL: it stays as it is. */
static struct elf_file *lighten(
	void **state, const char *path, bool debug, const struct pack_code *code, uint32_t n_code)
{
	char *to = tmpdir_path(state, "light"), *image;
	struct elf_file *ef = NULL;
	enum files_verdict why;
	struct light light;
	struct file f;
	struct err e;

	assert_int_equal(file_open(&f, path, &e), OK);
	assert_int_equal(light_plan(&light, &f, debug, code, n_code, &e), OK);
	if (light.n) {
		assert_true(light.size_bytes <
			    f.size_bytes + 192); /* moved to where it is aligned; the note */
		image = xmalloc(light.size_bytes);
		assert_int_equal(light_read(&light, &f, image, light.size_bytes, 0, &e), OK);
		tmpdir_write(to, (struct span){ image, light.size_bytes });
		free(image);
		light_release(&light);
		ef = elf_file_open(to, &why);
		assert_non_null(ef);
	}
	file_close(&f);
	free(to);
	return ef;
}

static struct elf_file *open_whole(const char *path)
{
	enum files_verdict why;
	struct elf_file *ef = elf_file_open(path, &why);

	assert_non_null(ef);
	return ef;
}

static struct span content_of(const struct elf_file *ef, const char *name, GElf_Shdr *header)
{
	Elf_Scn *section = elf_file_section(ef, name, header);

	assert_non_null(section);
	return elf_file_content(section, header);
}

static void expect_same(const struct elf_file *a, const struct elf_file *b, const char *name)
{
	GElf_Shdr of_a, of_b;
	struct span in_a = content_of(a, name, &of_a), in_b = content_of(b, name, &of_b);

	assert_true(in_a.n && span_eq(in_a, in_b));
	assert_true(of_a.sh_addr == of_b.sh_addr && of_a.sh_link == of_b.sh_link);
	if (of_a.sh_flags & SHF_ALLOC)
		assert_true(of_a.sh_offset == of_b.sh_offset);
}

static void expect_gone(const struct elf_file *ef, const char *name)
{
	GElf_Shdr header;

	assert_int_equal(content_of(ef, name, &header).n, 0);
	assert_int_equal(header.sh_type, SHT_NOBITS);
}

static void expect_same_segments(const struct elf_file *a, const struct elf_file *b)
{
	GElf_Phdr of_a, of_b;
	size_t n, m, i;

	assert_int_equal(elf_getphdrnum(a->elf, &n), 0);
	assert_int_equal(elf_getphdrnum(b->elf, &m), 0);
	assert_true(n && n == m);
	for (i = 0; i < n; i++) {
		assert_non_null(gelf_getphdr(a->elf, (int)i, &of_a));
		assert_non_null(gelf_getphdr(b->elf, (int)i, &of_b));
		assert_memory_equal(&of_a, &of_b, sizeof(of_a));
	}
}

static void symbols_and_cfi_stay_and_code_goes(void **state)
{
	static const char *const kept[] = { ".dynsym", ".dynstr", ".rela.plt", ".plt", ".eh_frame",
		".gnu_debuglink", ".shstrtab" };
	struct elf_file *whole = open_whole(PROGRAM),
			*light = lighten(state, PROGRAM, false, NULL, 0);
	size_t i;

	assert_non_null(light);
	for (i = 0; i < ARRAY_LEN(kept); i++)
		expect_same(whole, light, kept[i]);
	expect_gone(light, ".text");
	expect_gone(light, ".rodata");
	expect_gone(light, ".data");
	expect_same_segments(whole, light);
	elf_file_close(light);
	elf_file_close(whole);
}

static void the_build_id_stays(void **state)
{
	struct elf_file *whole = open_whole("testdata/elf/cet"),
			*light = lighten(state, "testdata/elf/cet", false, NULL, 0);

	assert_non_null(light);
	assert_true(build_id_same(&whole->build_id, &light->build_id));
	expect_same(whole, light, ".plt.sec");
	elf_file_close(light);
	elf_file_close(whole);
}

static void a_32_bit_file_becomes_light(void **state)
{
	struct elf_file *whole = open_whole(PROGRAM_32),
			*light = lighten(state, PROGRAM_32, false, NULL, 0);

	assert_non_null(light);
	expect_same(whole, light, ".symtab");
	expect_same(whole, light, ".strtab");
	expect_gone(light, ".text");
	expect_same_segments(whole, light);
	elf_file_close(light);
	elf_file_close(whole);
}

static void code_that_was_read_stays(void **state)
{
	static const struct pack_code code[] = { { NULL, 0x328, 16 }, { NULL, 0x32c, 16 },
		{ NULL, 1 << 30, 16 } };
	struct elf_file *light = lighten(state, PROGRAM, false, code, ARRAY_LEN(code)),
			*whole = open_whole(PROGRAM);
	Elf_Data *kept = elf_getdata_rawchunk(light->elf, 0x320, 0x26, ELF_T_BYTE),
		 *all = elf_getdata_rawchunk(whole->elf, 0x320, 0x26, ELF_T_BYTE);
	static const char zeros[0x26];

	assert_non_null(kept);
	assert_non_null(all);
	assert_memory_equal(kept->d_buf, zeros, 8);
	assert_memory_equal((char *)kept->d_buf + 8, (char *)all->d_buf + 8, 20);
	assert_memory_equal((char *)kept->d_buf + 28, zeros, 0x26 - 28);
	assert_false(elf_file_lacks_code(light, 0x328, 20));
	assert_false(elf_file_lacks_code(light, 0x33b, 1));
	assert_true(elf_file_lacks_code(light, 0x327, 2));
	assert_true(elf_file_lacks_code(light, 0x33b, 2));
	assert_true(elf_file_lacks_code(light, 0x320, 8));
	assert_false(elf_file_lacks_code(light, 0x300, 16)); /* .plt */
	assert_false(elf_file_lacks_code(whole, 0x320, 8));
	elf_file_close(light);
	elf_file_close(whole);
}

static void a_32_bit_file_says_which_code_it_has(void **state)
{
	struct elf_file *whole = open_whole(PROGRAM_32);
	GElf_Shdr text;
	struct pack_code code = { .size_bytes = 4 };
	struct elf_file *light;

	content_of(whole, ".text", &text);
	code.offset = text.sh_offset + 2;
	light = lighten(state, PROGRAM_32, false, &code, 1);
	assert_false(elf_file_lacks_code(light, code.offset, 4));
	assert_true(elf_file_lacks_code(light, text.sh_offset, 4));
	expect_same(whole, light, ".symtab");
	elf_file_close(light);
	elf_file_close(whole);
}

/* What is left of an object file moves, so its code has no place. */
static void an_object_file_keeps_no_code(void **state)
{
	struct pack_code code = { NULL, 0x70, 4 };
	struct elf_file *light = lighten(state, "testdata/fuzz/elf/module", false, &code, 1);

	assert_non_null(light);
	expect_gone(light, ".text");
	assert_true(elf_file_lacks_code(light, 0x70, 4));
	elf_file_close(light);
}

static void a_piece_beyond_the_end_is_left_out(void **state)
{
	static const struct pack_code code[] = { { NULL, 0x328, UINT64_MAX },
		{ NULL, UINT64_MAX - 2, 16 }, { NULL, 0x328, 0 } };
	struct elf_file *light = lighten(state, PROGRAM, false, code, ARRAY_LEN(code));

	assert_true(elf_file_lacks_code(light, 0x328, 1));
	elf_file_close(light);
}

static void debug_information_stays_if_wanted(void **state)
{
	struct elf_file *whole = open_whole(INLINES),
			*with = lighten(state, INLINES, true, NULL, 0), *without;

	assert_true(elf_file_has(whole, FILES_NEED_DWARF));
	assert_true(elf_file_has(with, FILES_NEED_DWARF));
	expect_same(whole, with, ".debug_info");
	expect_same(whole, with, ".debug_line");
	without = lighten(state, INLINES, false, NULL, 0);
	assert_false(elf_file_has(without, FILES_NEED_DWARF));
	expect_same(whole, without, ".symtab");
	elf_file_close(without);
	elf_file_close(with);
	elf_file_close(whole);
}

static void other_files_stay_whole(void **state)
{
	assert_null(lighten(state, "testdata/elf/README", false, NULL, 0));
	assert_null(lighten(state, "testdata/elf/module.ko.xz", false, NULL, 0));
}

/* Any of its bytes may be wrong: it stays whole, or what comes out can be read to its end. */
static void a_damaged_file_does_no_harm(void **state)
{
	char *damaged = tmpdir_path(state, "damaged");
	struct buf image = { 0 };
	struct light light;
	struct file f;
	struct err e;
	size_t i;

	assert_int_equal(file_read_all(PROGRAM, 1 << 20, &image, &e), OK);
	for (i = 0; i < image.n; i += i < 64 || i > 0x10c0 ? 1 : 97) {
		char right = image.p[i], *p;

		image.p[i] = (char)~right;
		tmpdir_write(damaged, buf_span(&image));
		image.p[i] = right;
		assert_int_equal(file_open(&f, damaged, &e), OK);
		assert_int_equal(light_plan(&light, &f, false, NULL, 0, &e), OK);
		if (light.n) {
			p = xmalloc(light.size_bytes);
			assert_int_equal(light_read(&light, &f, p, light.size_bytes, 0, &e), OK);
			free(p);
			light_release(&light);
		}
		file_close(&f);
	}
	for (i = 0; i < image.n; i += 61) {
		tmpdir_write(damaged, (struct span){ image.p, i });
		assert_null(lighten(state, damaged, false, NULL, 0));
	}
	buf_release(&image);
	free(damaged);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, tmpdir_setup, tmpdir_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(symbols_and_cfi_stay_and_code_goes),
		TEST(the_build_id_stays),
		TEST(a_32_bit_file_becomes_light),
		TEST(code_that_was_read_stays),
		TEST(a_32_bit_file_says_which_code_it_has),
		TEST(an_object_file_keeps_no_code),
		TEST(a_piece_beyond_the_end_is_left_out),
		TEST(debug_information_stays_if_wanted),
		TEST(other_files_stay_whole),
		TEST(a_damaged_file_does_no_harm),
	};

	elf_version(EV_CURRENT);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
