/*
 * light.c - plans the light form of an ELF file
 *
 *	before   [ehdr][phdr][ .text ........ ][.eh_frame][ .data ][.symtab][.debug_info ...][shdr]
 *	after    [ehdr][phdr][ 0 0 code 0 0 0 ][.eh_frame][ 0 0 0 ][.symtab][note][shdr]
 *
 * Loaded sections keep their offset, or become SHT_NOBITS; other sections that are kept move
 * together after them, and the section headers follow. The program headers are unchanged, so
 * offsets in a recording stay true; holes are zeros, which compress to nothing.
 *
 * The plan is a list of pieces (offset in the result, offset in the file, or rewritten bytes),
 * later ones over earlier ones; light_read() copies from it, so a file of any size needs no memory.
 * A file that contradicts itself is not planned, and goes into the pack as it is. One that cannot
 * be read is an error, as where its bytes are copied.
 *
 * Source: elf(5); objcopy --only-keep-debug does the opposite with the same means (SHT_NOBITS).
 */
#include "files/light.h"

#include "base/cursor.h"
#include "base/mem.h"
#include "files/files.h"

#include <errno.h>
#include <stdlib.h>

enum { TABLE_MAX_BYTES = 64 << 20, ALIGN_MAX = 4096 };

/* Offsets of the fields that are rewritten, in headers of 32 and of 64 bits. */
struct light_fields {
	uint64_t header_bytes, section_bytes, width;
	uint64_t sections_offset, n_sections; /* e_shoff, e_shnum */
	uint64_t type, offset, size, align;   /* sh_type, sh_offset, sh_size, sh_addralign */
};

#define FIELDS(bits)                                                                               \
	{                                                                                          \
		.header_bytes = sizeof(Elf##bits##_Ehdr),                                          \
		.section_bytes = sizeof(Elf##bits##_Shdr), .width = (bits) / 8,                    \
		.sections_offset = offsetof(Elf##bits##_Ehdr, e_shoff),                            \
		.n_sections = offsetof(Elf##bits##_Ehdr, e_shnum),                                 \
		.type = offsetof(Elf##bits##_Shdr, sh_type),                                       \
		.offset = offsetof(Elf##bits##_Shdr, sh_offset),                                   \
		.size = offsetof(Elf##bits##_Shdr, sh_size),                                       \
		.align = offsetof(Elf##bits##_Shdr, sh_addralign),                                 \
	}

static const struct light_fields fields_32 = FIELDS(32);
static const struct light_fields fields_64 = FIELDS(64);

struct light_planner {
	struct light *light;
	const struct file *file;
	Elf *elf;
	GElf_Ehdr header;
	const struct light_fields *fields;
	bool debug, swapped, dropped;
	size_t names; /* the section with the names of sections */
	struct err *e;
	int rc; /* of reading the file */
};

/* ---- pieces ---- */

static void add_piece(struct light *l, struct light_piece piece)
{
	ARRAY_GROW(l->piece, l->n, l->cap);
	l->piece[l->n++] = piece;
	if (l->size_bytes < piece.at + piece.n)
		l->size_bytes = piece.at + piece.n;
}

static bool is_within(const struct file *f, uint64_t from, uint64_t n)
{
	return from <= f->size_bytes && n <= f->size_bytes - from;
}

/* False: the file ends before that. */
static bool keep(struct light_planner *p, uint64_t from, uint64_t n, uint64_t at)
{
	if (!is_within(p->file, from, n))
		return false;
	if (n)
		add_piece(p->light, (struct light_piece){ .at = at, .n = n, .from = from });
	return true;
}

static uint64_t aligned_end(const struct light *l, uint64_t align)
{
	if (align <= 1 || align > ALIGN_MAX)
		align = 8;
	return (l->size_bytes + align - 1) / align * align;
}

/* ---- sections ---- */

static bool is_one_of(const char *const *list, struct span name)
{
	for (; *list; list++)
		if (span_eq(name, span_of(*list)))
			return true;
	return false;
}

static bool starts_like_one_of(const char *const *list, struct span name)
{
	for (; *list; list++)
		if (span_starts(name, span_of(*list)))
			return true;
	return false;
}

/* .comment names the linker, and so the layout of segments. */
static bool is_named_for_it(const struct light_planner *p, const GElf_Shdr *sh)
{
	static const char *const names[] = { ".eh_frame", ".eh_frame_hdr", ".debug_frame",
		".zdebug_frame", ".plt", ".rela.plt", ".rel.plt", ".rela.dyn", ".rel.dyn",
		".gnu_debuglink", ".gnu_debugdata", ".gnu_debugaltlink", ".comment", ".ARM.exidx",
		".ARM.extab", NULL };
	static const char *const stubs[] = { ".plt.", NULL };
	static const char *const debug[] = { ".debug_", ".zdebug_", ".rela.debug_", NULL };
	const char *text = elf_strptr(p->elf, p->names, sh->sh_name);
	struct span name = span_of(text ? text : "");

	return is_one_of(names, name) || starts_like_one_of(stubs, name) ||
	       (p->debug && starts_like_one_of(debug, name));
}

static bool is_kept(const struct light_planner *p, const GElf_Shdr *sh)
{
	switch (sh->sh_type) {
	case SHT_NOTE:
	case SHT_SYMTAB:
	case SHT_DYNSYM:
	case SHT_STRTAB:
	case SHT_SYMTAB_SHNDX:
		return true;
	default:
		return is_named_for_it(p, sh);
	}
}

static bool is_loaded(const struct light_planner *p, const GElf_Shdr *sh)
{
	return sh->sh_flags & SHF_ALLOC && p->header.e_type != ET_REL;
}

/* Loaded sections are planned first, as they keep their offset. */
static bool plan_sections(struct light_planner *p, bool loaded)
{
	struct light *l = p->light;
	Elf_Scn *section = NULL;
	GElf_Shdr sh;

	while ((section = elf_nextscn(p->elf, section))) {
		char *header = l->sections.p + elf_ndxscn(section) * p->fields->section_bytes;
		uint64_t at;

		if (!gelf_getshdr(section, &sh))
			return false;
		if (sh.sh_type == SHT_NOBITS || is_loaded(p, &sh) != loaded)
			continue;
		if (!is_kept(p, &sh)) {
			bytes_put(header + p->fields->type, SHT_NOBITS, 4, p->swapped);
			p->dropped |= sh.sh_size > 0;
			continue;
		}
		at = loaded ? sh.sh_offset : aligned_end(l, sh.sh_addralign);
		if (!keep(p, sh.sh_offset, sh.sh_size, at))
			return false;
		bytes_put(header + p->fields->offset, at, (unsigned)p->fields->width, p->swapped);
	}
	return true;
}

/* ---- headers ---- */

static bool read_part(struct light_planner *p, struct buf *to, uint64_t from, uint64_t n)
{
	if (n > TABLE_MAX_BYTES || !is_within(p->file, from, n))
		return false;
	buf_reserve(to, n);
	to->n = n;
	p->rc = file_read_at(p->file, to->p, n, from, p->e);
	return !p->rc;
}

static bool read_headers(struct light_planner *p)
{
	struct light *l = p->light;
	size_t n_sections, n_segments;

	if (!gelf_getehdr(p->elf, &p->header) || elf_getshdrnum(p->elf, &n_sections) ||
		elf_getphdrnum(p->elf, &n_segments) || elf_getshdrstrndx(p->elf, &p->names) ||
		!n_sections)
		return false;
	p->fields = gelf_getclass(p->elf) == ELFCLASS32 ? &fields_32 : &fields_64;
	p->swapped = (p->header.e_ident[EI_DATA] == ELFDATA2MSB) !=
		     (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	if (p->header.e_shentsize != p->fields->section_bytes ||
		n_sections > TABLE_MAX_BYTES / p->fields->section_bytes)
		return false;
	return read_part(p, &l->head, 0, p->fields->header_bytes) &&
	       read_part(
		       p, &l->sections, p->header.e_shoff, n_sections * p->fields->section_bytes) &&
	       keep(p, p->header.e_phoff, n_segments * p->header.e_phentsize, p->header.e_phoff);
}

/* A build-id may be in a segment only. */
static bool keep_notes(struct light_planner *p)
{
	size_t n, i;
	GElf_Phdr ph;

	if (elf_getphdrnum(p->elf, &n))
		return false;
	for (i = 0; i < n; i++)
		if (gelf_getphdr(p->elf, (int)i, &ph) && ph.p_type == PT_NOTE)
			keep(p, ph.p_offset, ph.p_filesz, ph.p_offset);
	return true;
}

static void put_headers(struct light_planner *p)
{
	struct light *l = p->light;
	uint64_t at = aligned_end(l, 8);

	bytes_put(
		l->head.p + p->fields->sections_offset, at, (unsigned)p->fields->width, p->swapped);
	add_piece(l, (struct light_piece){ .n = l->head.n, .bytes = l->head.p });
	add_piece(l, (struct light_piece){ .at = at, .n = l->sections.n, .bytes = l->sections.p });
}

/* ---- code ---- */

static int by_offset(const void *pa, const void *pb)
{
	const struct pack_code *a = pa, *b = pb;

	if (a->offset != b->offset)
		return a->offset < b->offset ? -1 : 1;
	return a->size_bytes < b->size_bytes ? -1 : a->size_bytes > b->size_bytes;
}

/* Pieces that touch become one. */
static uint32_t merge_code(struct pack_code *code, uint32_t n)
{
	uint32_t i, merged = 0;

	if (n)
		qsort(code, n, sizeof(*code), by_offset);
	for (i = 0; i < n; i++) {
		struct pack_code *last = merged ? &code[merged - 1] : NULL;
		uint64_t end = code[i].offset + code[i].size_bytes;

		if (!last || code[i].offset > last->offset + last->size_bytes)
			code[merged++] = code[i];
		else if (end > last->offset + last->size_bytes)
			last->size_bytes = end - last->offset;
	}
	return merged;
}

static void put_number(struct light_planner *p, uint64_t value, unsigned n)
{
	char bytes[8];

	bytes_put(bytes, value, n, p->swapped);
	buf_put(&p->light->note, bytes, n);
}

static void begin_note(struct light_planner *p, uint32_t n)
{
	put_number(p, sizeof(LIGHT_NOTE_OWNER), 4);
	put_number(p, n * UINT64_C(16), 4);
	put_number(p, LIGHT_NOTE_CODE, 4);
	buf_put(&p->light->note, LIGHT_NOTE_OWNER, sizeof(LIGHT_NOTE_OWNER));
}

static bool is_there(const struct light_planner *p, const struct pack_code *code)
{
	return code->size_bytes && code->offset < p->file->size_bytes &&
	       code->size_bytes <= p->file->size_bytes - code->offset;
}

/* Of an object file no code is kept: what is left of it moves. */
static void keep_code(struct light_planner *p, const struct pack_code *code, uint32_t n)
{
	struct pack_code *kept = xcalloc((size_t)n + 1, sizeof(*kept));
	uint32_t i, n_kept = 0;

	for (i = 0; i < n && p->header.e_type != ET_REL; i++)
		if (is_there(p, &code[i]))
			kept[n_kept++] = code[i];
	n_kept = merge_code(kept, n_kept);
	if (n_kept)
		begin_note(p, n_kept);
	for (i = 0; i < n_kept; i++) {
		keep(p, kept[i].offset, kept[i].size_bytes, kept[i].offset);
		put_number(p, kept[i].offset, 8);
		put_number(p, kept[i].size_bytes, 8);
	}
	free(kept);
}

/* As a section more; files with so many sections that the header cannot count them go without. */
static void put_note(struct light_planner *p)
{
	struct light *l = p->light;
	uint64_t n = l->sections.n / p->fields->section_bytes, at = aligned_end(l, 8);
	uint16_t number;
	char *header;

	if (!l->note.n || n + 1 >= SHN_LORESERVE)
		return;
	buf_reserve(&l->sections, p->fields->section_bytes);
	header = l->sections.p + l->sections.n;
	memset(header, 0, p->fields->section_bytes);
	l->sections.n += p->fields->section_bytes;
	bytes_put(header + p->fields->type, SHT_NOTE, 4, p->swapped);
	bytes_put(header + p->fields->offset, at, (unsigned)p->fields->width, p->swapped);
	bytes_put(header + p->fields->size, l->note.n, (unsigned)p->fields->width, p->swapped);
	bytes_put(header + p->fields->align, 4, (unsigned)p->fields->width, p->swapped);
	number = p->swapped ? __builtin_bswap16((uint16_t)(n + 1)) : (uint16_t)(n + 1);
	memcpy(l->head.p + p->fields->n_sections, &number, sizeof(number));
	add_piece(l, (struct light_piece){ .at = at, .n = l->note.n, .bytes = l->note.p });
}

static bool plan(struct light_planner *p, const struct pack_code *code, uint32_t n_code)
{
	if (!read_headers(p) || !keep_notes(p) || !plan_sections(p, true))
		return false;
	keep_code(p, code, n_code);
	if (!plan_sections(p, false))
		return false;
	put_note(p);
	put_headers(p);
	return p->dropped;
}

int light_plan(struct light *l, const struct file *f, bool debug, const struct pack_code *code,
	uint32_t n_code, struct err *e)
{
	struct light_planner p = { .light = l, .file = f, .debug = debug, .e = e };
	bool lighter;

	*l = (struct light){ 0 };
	elf_version(EV_CURRENT);
	errno = 0;
	p.elf = elf_begin(f->fd, ELF_C_READ, NULL);
	lighter = p.elf && elf_kind(p.elf) == ELF_K_ELF && plan(&p, code, n_code);
	if (!p.rc && errno == EIO) /* libelf takes what it cannot read for what is not there */
		p.rc = err_errno(e, "%s", f->path);
	elf_end(p.elf);
	if (p.rc || !lighter)
		light_release(l);
	return p.rc;
}

void light_release(struct light *l)
{
	free(l->piece);
	buf_release(&l->head);
	buf_release(&l->sections);
	buf_release(&l->note);
	*l = (struct light){ 0 };
}

/* ---- reading ---- */

int light_read(
	const struct light *l, const struct file *f, void *p, size_t n, uint64_t at, struct err *e)
{
	uint64_t end = at + n;
	uint32_t i;

	memset(p, 0, n);
	for (i = 0; i < l->n; i++) {
		const struct light_piece *piece = &l->piece[i];
		uint64_t first = piece->at > at ? piece->at : at;
		uint64_t last = piece->at + piece->n < end ? piece->at + piece->n : end;
		char *to = (char *)p + (first - at);

		if (first >= last)
			continue;
		if (piece->bytes)
			memcpy(to, piece->bytes + (first - piece->at), last - first);
		else if (file_read_at(f, to, last - first, piece->from + (first - piece->at), e))
			return e->code;
	}
	return OK;
}
