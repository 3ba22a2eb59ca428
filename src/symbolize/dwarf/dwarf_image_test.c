/* Sections that are packed, cut short or have a wrong size; units that are read when somebody
 * asks for what is in them. */
#include "symbolize/dwarf/dwarf.h"

#include "base/tmpdir_for_test.h"

#include <libdeflate.h>
#include <zstd.h>

#define BYTES(...) ((const uint8_t[]){ __VA_ARGS__ }), sizeof((const uint8_t[]){ __VA_ARGS__ })

/* ---- a file of debug information and nothing else ----------------------------------------- */

enum { ABBREV = 1, INFO, NAMES, HEADERS };

struct program {
	struct buf abbrev, info;
	const char *info_name;
	uint64_t info_flags;
};

static void put_number(struct buf *to, uint64_t v, unsigned bytes)
{
	for (; bytes; bytes--, v >>= 8)
		buf_putc(to, (char)v);
}

static void put_section(struct buf *image, unsigned number, struct span content, Elf64_Shdr sh)
{
	sh.sh_offset = image->n;
	sh.sh_size = content.n;
	buf_put_span(image, content);
	memcpy(image->p + sizeof(Elf64_Ehdr) + number * sizeof(sh), &sh, sizeof(sh));
}

static struct buf make_file(const struct program *p)
{
	static const char no_headers[HEADERS * sizeof(Elf64_Shdr)];
	struct buf image = { 0 }, names = { 0 };
	Elf64_Ehdr eh = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_EXEC,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_shoff = sizeof(eh),
		.e_ehsize = sizeof(eh),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = HEADERS,
		.e_shstrndx = NAMES,
	};

	buf_put(&names, "\0.debug_abbrev", sizeof("\0.debug_abbrev"));
	buf_put(&image, &eh, sizeof(eh));
	buf_put(&image, no_headers, sizeof(no_headers));
	put_section(&image, ABBREV, buf_span(&p->abbrev),
		(Elf64_Shdr){ .sh_name = 1, .sh_type = SHT_PROGBITS });
	put_section(&image, INFO, buf_span(&p->info),
		(Elf64_Shdr){ .sh_name = (Elf64_Word)names.n,
			.sh_type = SHT_PROGBITS,
			.sh_flags = p->info_flags });
	buf_put(&names, p->info_name, strlen(p->info_name) + 1);
	put_section(&image, NAMES, buf_span(&names), (Elf64_Shdr){ .sh_type = SHT_STRTAB });
	buf_release(&names);
	return image;
}

static struct elf_file *open_program(void **state, const struct program *p)
{
	char *path = tmpdir_path(state, "program");
	struct buf image = make_file(p);
	enum files_verdict why;
	struct elf_file *ef;

	tmpdir_write(path, buf_span(&image));
	ef = elf_file_open(path, &why);
	assert_non_null(ef);
	buf_release(&image);
	free(path);
	return ef;
}

static void program_end(struct program *p)
{
	buf_release(&p->abbrev);
	buf_release(&p->info);
}

/* ---- packed sections ---------------------------------------------------------------------- */

enum { CONTENT_BYTES = 3000, TYPE_ZSTD = 2 };

enum packing { ZLIB, ZLIB_OF_OLD, ZSTD };

/* What may be wrong with a packed section. */
struct lie {
	int64_t size;     /* said to be larger by so much */
	size_t cut;       /* bytes that are missing at the end */
	const char *more; /* after the end; NULL: nothing */
	char type;        /* in place of the first byte; 0: the right one */
};

static void fill_content(char content[CONTENT_BYTES])
{
	unsigned i;

	for (i = 0; i < CONTENT_BYTES; i++)
		content[i] = (char)(i * i >> 6);
}

static void put_header(struct program *p, enum packing packing, uint64_t size)
{
	p->info_name = packing == ZLIB_OF_OLD ? ".zdebug_info" : ".debug_info";
	if (packing == ZLIB_OF_OLD) {
		buf_puts(&p->info, "ZLIB");
		put_number(&p->info, __builtin_bswap64(size), 8);
		return;
	}
	p->info_flags = SHF_COMPRESSED;
	put_number(&p->info, packing == ZSTD ? TYPE_ZSTD : ELFCOMPRESS_ZLIB, 8);
	put_number(&p->info, size, 8);
	put_number(&p->info, 1, 8);
}

static void put_packed(struct buf *to, bool zstd)
{
	struct libdeflate_compressor *c = libdeflate_alloc_compressor(6);
	size_t most = ZSTD_compressBound(CONTENT_BYTES);
	char content[CONTENT_BYTES];

	fill_content(content);
	buf_reserve(to, most);
	to->n += zstd ? ZSTD_compress(to->p + to->n, most, content, CONTENT_BYTES, 3)
		      : libdeflate_zlib_compress(c, content, CONTENT_BYTES, to->p + to->n, most);
	libdeflate_free_compressor(c);
}

static bool reads(void **state, enum packing packing, struct lie lie)
{
	struct program p = { 0 };
	char content[CONTENT_BYTES];
	struct dwarf_image image;
	struct elf_file *ef;
	bool fine;

	buf_putc(&p.abbrev, '\0');
	put_header(&p, packing, (uint64_t)CONTENT_BYTES + (uint64_t)lie.size);
	put_packed(&p.info, packing == ZSTD);
	p.info.n -= lie.cut;
	buf_puts(&p.info, lie.more ? lie.more : "");
	p.info.p[0] = lie.type ? lie.type : p.info.p[0];
	ef = open_program(state, &p);
	fine = dwarf_image_read(&image, ef, NULL, DWARF_BY_UNIT);
	fill_content(content);
	if (fine) {
		assert_false(image.by_unit);
		assert_int_equal(image.section[SECTION_INFO].n, CONTENT_BYTES);
		assert_memory_equal(image.section[SECTION_INFO].p, content, CONTENT_BYTES);
	}
	dwarf_image_release(&image);
	elf_file_close(ef);
	program_end(&p);
	return fine;
}

static void a_packed_section_is_read_whole_or_not_at_all(void **state)
{
	static const struct lie lies[] = { { .size = 1 }, { .size = -1 },
		{ .size = (int64_t)1 << 40 }, { .size = INT64_MIN }, { .cut = 1 }, { .cut = 100 } };
	enum packing packing;
	size_t i;

	for (packing = ZLIB; packing <= ZSTD; packing++) {
		assert_true(reads(state, packing, (struct lie){ 0 }));
		for (i = 0; i < ARRAY_LEN(lies); i++)
			assert_false(reads(state, packing, lies[i]));
	}
}

/* Bytes after the end of zlib's stream are ignored; to zstd they are another frame. */
static void bytes_after_a_packed_section_are_ignored(void **state)
{
	static const struct lie lie = { .more = "and more" };

	assert_true(reads(state, ZLIB, lie));
	assert_true(reads(state, ZLIB_OF_OLD, lie));
	assert_false(reads(state, ZSTD, lie));
}

static void another_packing_is_refused(void **state)
{
	assert_false(reads(state, ZLIB, (struct lie){ .type = 3 }));
	assert_false(reads(state, ZLIB, (struct lie){ .type = TYPE_ZSTD }));
	assert_false(reads(state, ZLIB_OF_OLD, (struct lie){ .type = 'z' }));
}

/* ---- units ------------------------------------------------------------------------------- */

/* Bytes between a root and the functions of its unit: pages. */
enum { FILLING_BYTES = 30000, NAME_BYTES = 8 };
enum { FIRST_CODE = 0x1000, SECOND_CODE = 0x2000, CODE_BYTES = 0x100 };

/* origin: the form of a function's reference to its name. */
static void put_abbreviations(struct program *p, uint8_t origin)
{
	buf_put(&p->abbrev,
		BYTES(1, DW_TAG_compile_unit, 1, DW_AT_name, DW_FORM_string, DW_AT_low_pc,
			DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, 0, 0));
	buf_put(&p->abbrev, BYTES(2, DW_TAG_variable, 0, DW_AT_const_value, DW_FORM_block4, 0, 0));
	buf_put(&p->abbrev, BYTES(3, DW_TAG_subprogram, 0, DW_AT_name, DW_FORM_string, 0, 0));
	buf_put(&p->abbrev,
		BYTES(4, DW_TAG_subprogram, 0, DW_AT_abstract_origin, origin, DW_AT_low_pc,
			DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, 0, 0, 0));
}

static void put_code(struct buf *to, uint64_t address)
{
	put_number(to, address, 8);
	put_number(to, CODE_BYTES, 4);
}

static void put_filling(struct buf *to, size_t n)
{
	buf_reserve(to, n);
	memset(to->p + to->n, 'x', n);
	to->n += n;
}

/* The offset of a function's name in its unit. */
static uint64_t name_offset(size_t root_name_bytes)
{
	return 11 + 1 + root_name_bytes + 1 + 12 + 5 + FILLING_BYTES;
}

/* { u32 length, u16 version, u32 abbreviations, u8 address size }, then the entries. */
static void put_unit(struct buf *to, uint64_t code, const char name[NAME_BYTES], uint64_t origin,
	size_t root_name_bytes)
{
	size_t start = to->n;
	uint32_t length;

	buf_put(to, BYTES(0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 8, 1));
	put_filling(to, root_name_bytes);
	buf_putc(to, '\0');
	put_code(to, code);
	buf_putc(to, 2);
	put_number(to, FILLING_BYTES, 4);
	put_filling(to, FILLING_BYTES);
	assert_int_equal(to->n - start, name_offset(root_name_bytes));
	buf_putc(to, 3);
	buf_put(to, name, NAME_BYTES);
	buf_putc(to, 4);
	put_number(to, origin, 4);
	put_code(to, code);
	buf_putc(to, '\0');
	length = (uint32_t)(to->n - start - 4);
	memcpy(to->p + start, &length, sizeof(length));
}

/* Two units, each with a function. across: its name is in the other one. */
static struct program two_units(bool across, size_t root_name_bytes)
{
	struct program p = { .info_name = ".debug_info" };
	uint64_t name = name_offset(root_name_bytes), size;

	put_abbreviations(&p, across ? DW_FORM_ref_addr : DW_FORM_ref4);
	put_unit(&p.info, FIRST_CODE, "first..", name, root_name_bytes);
	size = p.info.n;
	put_unit(&p.info, SECOND_CODE, "second.", name, root_name_bytes);
	if (across) {
		uint32_t other = (uint32_t)(size + name);

		memcpy(p.info.p + name + 1 + NAME_BYTES + 1, &other, sizeof(other));
	}
	return p;
}

struct inlines {
	struct strtab *strings;
	struct frames *frames;
	struct recording *r;
	struct files *files;
	struct dwarf_debug *d;
	site_id site[2];
	struct program program;
	struct elf_file *ef;
};

/* p: released by world_end(). */
static void world_begin(struct inlines *w, void **state, struct program p)
{
	static const struct files_opts nowhere = { .no_system = true };
	static const uint64_t code[2] = { FIRST_CODE, SECOND_CODE };
	struct frame unknown = { .kind = FRAME_UNKNOWN, .why = WHY_NO_SYMBOL };
	struct dwarf_place *place;
	unsigned i;

	w->program = p;
	w->ef = open_program(state, &p);
	w->strings = strtab_new();
	w->frames = frames_new(w->strings);
	w->r = recording_new("test", w->strings, w->frames);
	w->files = files_new(&nowhere, w->strings);
	w->d = dwarf_debug_open(
		w->files, w->ef, &(struct dwarf_addresses){ 0 }, (struct dwarf_wanted){ 0 }, NULL);
	assert_non_null(w->d);
	for (i = 0; i < 2; i++) {
		struct site s = { .rel = code[i] + 1, .kind = FRAME_USER };
		frame_id f = frames_add(w->frames, &unknown);

		w->site[i] = sites_add(w->r->sites, &s);
		sites_set_frames(w->r->sites, w->site[i], &f, 1);
		place = dwarf_debug_add(
			w->d, s.rel, &(struct symbol){ .start = code[i] }, w->site[i]);
		if (place)
			place->code = (struct site_code){
				.at_address = s.rel, .at_function = code[i], .function_bytes = 0x10
			};
	}
	dwarf_debug_make_tasks(w->d);
}

static void world_run(struct inlines *w)
{
	struct symbolize_opts o = { .files = w->files };
	struct dwarf_worker worker = { 0 };
	uint32_t i;

	for (i = 0; i < w->d->n_tasks; i++)
		dwarf_name_task(&worker, w->r, &o, w->d, &w->d->task[i]);
	dwarf_worker_release(&worker);
}

static void assert_name(const struct inlines *w, unsigned which, const char *name)
{
	uint32_t n;
	const frame_id *f = sites_frames(w->r->sites, w->site[which], &n);

	assert_string_equal(strtab_str(w->strings, frames_get(w->frames, *f)->name), name);
}

static void assert_code(const struct inlines *w, unsigned which, uint64_t function)
{
	uint32_t n;
	const frame_id *id = sites_frames(w->r->sites, w->site[which], &n);
	const struct frame *f = frames_get(w->frames, *id);

	assert_int_equal(f->at_address, function + 1);
	assert_int_equal(f->at_function, function);
	assert_int_equal(f->function_bytes, 0x10);
}

static void world_end(struct inlines *w)
{
	dwarf_debug_release(w->d);
	files_free(w->files);
	recording_free(w->r);
	frames_free(w->frames);
	strtab_free(w->strings);
	elf_file_close(w->ef);
	program_end(&w->program);
}

static char byte_at(const struct inlines *w, uint64_t at)
{
	return w->d->main.image.section[SECTION_INFO].p[at];
}

static void a_unit_is_there_while_it_is_read(void **state)
{
	uint64_t inside = DWARF_ROOT_BYTES + 2 * 4096, until;
	struct inlines w;

	world_begin(&w, state, two_units(false, 3));
	until = w.program.info.n / 2;
	assert_true(w.d->main.image.by_unit);
	assert_int_equal(w.d->n_tasks, 2);
	assert_int_equal(byte_at(&w, inside), '\0');
	assert_int_equal(byte_at(&w, until + inside), '\0');
	assert_true(dwarf_image_load(&w.d->main.image, DWARF_ROOT_BYTES, until));
	assert_int_equal(byte_at(&w, inside), 'x');
	assert_int_equal(byte_at(&w, until + inside), '\0');
	dwarf_image_drop(&w.d->main.image, DWARF_ROOT_BYTES, until);
	assert_int_equal(byte_at(&w, inside), '\0');
	assert_int_equal(byte_at(&w, 100), 'x');
	world_run(&w);
	assert_name(&w, 0, "first..");
	assert_name(&w, 1, "second.");
	assert_int_equal(byte_at(&w, inside), '\0');
	world_end(&w);
}

/* As of Rust, and of what was optimised when it was linked. */
static void units_that_refer_to_others_are_all_read(void **state)
{
	struct inlines w;

	world_begin(&w, state, two_units(true, 3));
	assert_false(w.d->main.image.by_unit);
	world_run(&w);
	assert_name(&w, 0, "second.");
	world_end(&w);
}

static void a_root_that_is_long_is_found_all_the_same(void **state)
{
	struct inlines w;

	world_begin(&w, state, two_units(false, 2 * DWARF_ROOT_BYTES));
	assert_int_equal(w.d->n_tasks, 2);
	world_run(&w);
	assert_name(&w, 0, "first..");
	assert_name(&w, 1, "second.");
	world_end(&w);
}

/* A unit with a function inside a type. */
static struct program member_of_type(uint8_t language)
{
	struct program p = { .info_name = ".debug_info" };

	buf_put(&p.abbrev, BYTES(1, DW_TAG_compile_unit, 1, DW_AT_language, DW_FORM_data1,
				   DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, 0, 0));
	buf_put(&p.abbrev, BYTES(2, DW_TAG_structure_type, 1, 0, 0));
	buf_put(&p.abbrev, BYTES(3, DW_TAG_subprogram, 0, DW_AT_name, DW_FORM_string, DW_AT_low_pc,
				   DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, 0, 0, 0));
	buf_put(&p.info, BYTES(52, 0, 0, 0, 4, 0, 0, 0, 0, 0, 8, 1, language));
	put_code(&p.info, FIRST_CODE);
	buf_put(&p.info, BYTES(2, 3));
	buf_put(&p.info, "member.", NAME_BYTES);
	put_code(&p.info, FIRST_CODE);
	put_number(&p.info, 0, 9); /* ends of lists, and more of them than there are lists */
	return p;
}

static void members_are_looked_for_where_types_have_code(void **state)
{
	static const struct {
		uint8_t language;
		const char *name;
	} cases[] = { { DW_LANG_Rust, "member." }, { DW_LANG_C_plus_plus, "" } };
	size_t i;

	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct inlines w;

		world_begin(&w, state, member_of_type(cases[i].language));
		assert_int_equal(w.d->n_tasks, 1);
		world_run(&w);
		assert_name(&w, 0, cases[i].name);
		world_end(&w);
	}
}

static void a_file_that_shrinks_names_less(void **state)
{
	char *path = tmpdir_at(state, "program");
	struct inlines w;

	world_begin(&w, state, two_units(false, 3));
	assert_int_equal(truncate(path, (off_t)(w.program.info.n * 3 / 4)), 0);
	world_run(&w);
	assert_name(&w, 0, "first..");
	assert_name(&w, 1, "");
	assert_code(&w, 0, FIRST_CODE);
	assert_code(&w, 1, SECOND_CODE);
	world_end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TMPDIR(a_packed_section_is_read_whole_or_not_at_all),
		IN_TMPDIR(bytes_after_a_packed_section_are_ignored),
		IN_TMPDIR(another_packing_is_refused),
		IN_TMPDIR(a_unit_is_there_while_it_is_read),
		IN_TMPDIR(units_that_refer_to_others_are_all_read),
		IN_TMPDIR(a_root_that_is_long_is_found_all_the_same),
		IN_TMPDIR(members_are_looked_for_where_types_have_code),
		IN_TMPDIR(a_file_that_shrinks_names_less),
	};

	elf_version(EV_CURRENT);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
