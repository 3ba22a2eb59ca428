/*
 * How it works. One pass over the section headers finds what names mean (".debug_info",
 * ".zdebug_info", ".debug_info.dwo"), and where and how each is packed. Nothing is read then but
 * the headers of compression, since a section may be large and not be needed.
 *
 * A size is believed only after it was checked: packed bytes against the file, unpacked ones
 * against RATIO_MAX times the packed ones. libelf would inflate sections itself (elf_compress()),
 * but with zlib, in twice the time, and not in every version with zstd.
 *
 * gcc's .dwo files have a .debug_info.dwo for each type before that of the unit; those are
 * skipped.
 */
#include "symbolize/dwarf/dwarf_sections.h"

#include "base/cursor.h"
#include "base/mem.h"

#include <dwarf.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <unistd.h>
#include <zstd.h>

/* RATIO_MAX: debug information shrinks to a fifth or so; what promises much more is a bomb.
 * TYPE_ZSTD is younger than the elf.h of some systems. */
enum { RATIO_MAX = 256, TYPE_ZSTD = 2, GNU_HEADER_BYTES = 12 };

static const char *const section_names[SECTIONS] = {
	[SECTION_INFO] = "debug_info",
	[SECTION_ABBREV] = "debug_abbrev",
	[SECTION_STR] = "debug_str",
	[SECTION_STR_OFFSETS] = "debug_str_offsets",
	[SECTION_ADDR] = "debug_addr",
	[SECTION_RANGES] = "debug_ranges",
	[SECTION_RNGLISTS] = "debug_rnglists",
	[SECTION_LINE] = "debug_line",
	[SECTION_LINE_STR] = "debug_line_str",
};

const char *dwarf_sections_name(enum dwarf_section k)
{
	return section_names[k];
}

/* The section of a name. *gnu: the older ".zdebug_". */
static enum dwarf_section section_of(const char *name, bool dwo, bool *gnu)
{
	struct span s = span_of(name);
	int k;

	*gnu = span_starts(s, SPAN(".z"));
	if (s.n >= DWARF_SECTION_NAME_BYTES || !s.n || s.p[0] != '.' ||
		span_ends(s, SPAN(".dwo")) != dwo)
		return SECTIONS;
	s = span_skip(s, *gnu ? 2 : 1);
	if (dwo)
		s.n -= 4;
	for (k = 0; k < SECTIONS; k++)
		if (span_eq(s, span_of(section_names[k])))
			break;
	return k;
}

static bool read_bytes(const struct dwarf_sections *s, const struct dwarf_part *p, uint64_t from,
	size_t n, void *to)
{
	uint64_t at = p->offset + from;
	const char *image;
	size_t size;

	if (s->ef->fd >= 0)
		return files_pread(s->ef->origin, s->ef->fd, to, n, at) == (ssize_t)n;
	image = elf_rawfile(s->ef->elf, &size);
	if (!image || at > size || n > size - at)
		return false;
	memcpy(to, image + at, n);
	return true;
}

static uint64_t number(const char *p, unsigned n, bool big)
{
	uint64_t v = 0;
	unsigned i;

	for (i = 0; i < n; i++)
		v = v << 8 | (unsigned char)p[big ? i : n - 1 - i];
	return v;
}

/* Elf64_Chdr is { u32 type, u32 reserved, u64 size, u64 alignment }, Elf32_Chdr { u32 type, size,
 * alignment }. */
static bool read_chdr(const struct dwarf_sections *s, struct dwarf_part *p)
{
	bool big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != s->swapped;
	char h[sizeof(Elf64_Chdr)];
	uint64_t type;

	p->header_bytes = s->wide ? sizeof(Elf64_Chdr) : sizeof(Elf32_Chdr);
	if (p->packed_bytes < p->header_bytes || !read_bytes(s, p, 0, p->header_bytes, h))
		return false;
	type = number(h, 4, big);
	p->packing = type == TYPE_ZSTD ? PACKED_ZSTD : PACKED_ZLIB;
	p->size_bytes = s->wide ? number(h + 8, 8, big) : number(h + 4, 4, big);
	return type == ELFCOMPRESS_ZLIB || type == TYPE_ZSTD;
}

static bool read_gnu_header(const struct dwarf_sections *s, struct dwarf_part *p)
{
	char h[GNU_HEADER_BYTES];

	p->header_bytes = GNU_HEADER_BYTES;
	if (p->packed_bytes < sizeof(h) || !read_bytes(s, p, 0, sizeof(h), h) ||
		memcmp(h, "ZLIB", 4) != 0)
		return false;
	p->packing = PACKED_ZLIB;
	p->size_bytes = number(h + 4, 8, true);
	return true;
}

static bool describe(const struct dwarf_sections *s, struct dwarf_part *p, Elf_Scn *section,
	const GElf_Shdr *sh, bool gnu)
{
	bool fine = true;

	*p = (struct dwarf_part){ .section = section,
		.offset = sh->sh_offset,
		.packed_bytes = sh->sh_size,
		.size_bytes = sh->sh_size };
	if (sh->sh_flags & SHF_COMPRESSED)
		fine = read_chdr(s, p);
	else if (gnu)
		fine = read_gnu_header(s, p);
	p->packed_bytes -= fine ? p->header_bytes : 0;
	return fine && (p->packing == PACKED_NOT || p->size_bytes / RATIO_MAX <= p->packed_bytes);
}

static bool within_file(const struct elf_file *ef, const GElf_Shdr *sh)
{
	size_t size = 0;

	if (ef->fd < 0)
		elf_rawfile(ef->elf, &size);
	else
		size = (size_t)lseek(ef->fd, 0, SEEK_END);
	return sh->sh_offset <= size && sh->sh_size <= size - sh->sh_offset;
}

/* False where it is damaged. */
static bool check_section(const struct dwarf_sections *s, struct dwarf_part *p, Elf_Scn *section,
	const GElf_Shdr *sh, bool gnu)
{
	return within_file(s->ef, sh) && describe(s, p, section, sh, gnu);
}

/* Does a section of units begin with a type unit? { u32 ~0, u64 length or u32 length, u16 version,
 * u8 type } in DWARF 5 (7.5.1). */
static bool holds_types(const struct dwarf_sections *s, const struct dwarf_part *p)
{
	uint8_t head[15];
	struct cursor c = { .p = head, .left = sizeof(head), .swapped = s->swapped };
	const uint8_t *type;

	if (p->packing != PACKED_NOT || p->size_bytes < sizeof(head) ||
		!read_bytes(s, p, 0, sizeof(head), head))
		return false;
	if (cursor_u32(&c) == UINT32_MAX)
		cursor_u64(&c);
	if (cursor_u16(&c) < 5)
		return false;
	type = cursor_bytes(&c, 1);
	return type && *type == DW_UT_split_type;
}

/* The first section of a name counts. In a .dwo of gcc each type has a .debug_info of its own
 * before that of the unit. */
static bool is_found(const struct dwarf_sections *s, enum dwarf_section k)
{
	return s->part[k].section && (k != SECTION_INFO || !holds_types(s, &s->part[k]));
}

static bool find_parts(struct dwarf_sections *s, bool dwo, bool lines)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(s->ef->elf, &names))
		return false;
	while ((section = elf_nextscn(s->ef->elf, section))) {
		GElf_Shdr sh;
		enum dwarf_section k;
		bool gnu;

		if (!gelf_getshdr(section, &sh) || sh.sh_type == SHT_NOBITS || !sh.sh_size)
			continue;
		k = section_of(elf_strptr(s->ef->elf, names, sh.sh_name), dwo, &gnu);
		if (k == SECTIONS || is_found(s, k) || (k == SECTION_LINE && !lines))
			continue;
		if (!check_section(s, &s->part[k], section, &sh, gnu))
			return false;
	}
	return s->part[SECTION_INFO].section && s->part[SECTION_ABBREV].section;
}

bool dwarf_sections_find(struct dwarf_sections *s, const struct elf_file *ef, bool dwo, bool lines)
{
	GElf_Ehdr eh;

	*s = (struct dwarf_sections){ .ef = ef };
	if (!gelf_getehdr(ef->elf, &eh))
		return false;
	s->machine = eh.e_machine;
	s->encoding = eh.e_ident[EI_DATA];
	s->wide = eh.e_ident[EI_CLASS] == ELFCLASS64;
	s->swapped = (s->encoding == ELFDATA2MSB) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	return find_parts(s, dwo, lines);
}

bool dwarf_sections_find_other(
	const struct dwarf_sections *s, const char *name, struct dwarf_part *p)
{
	char *plain = xasprintf(".%s", name), *packed = xasprintf(".z%s", name);
	GElf_Shdr sh;
	Elf_Scn *section = elf_file_section(s->ef, plain, &sh);
	bool gnu = !section;

	if (gnu)
		section = elf_file_section(s->ef, packed, &sh);
	free(plain);
	free(packed);
	return section && sh.sh_type != SHT_NOBITS && check_section(s, p, section, &sh, gnu);
}

/* A section at once, in less than half of zlib's time. */
static bool inflate_section(const char *packed, const struct dwarf_part *p, char *to)
{
	struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
	bool fine = d && libdeflate_zlib_decompress(d, packed, p->packed_bytes, to, p->size_bytes,
				 NULL) == LIBDEFLATE_SUCCESS;

	libdeflate_free_decompressor(d);
	return fine;
}

bool dwarf_sections_read_part(const struct dwarf_sections *s, const struct dwarf_part *p, char *to)
{
	size_t got = p->size_bytes;
	char *packed;
	bool fine;

	if (p->borrowed.n) {
		memcpy(to, p->borrowed.p, p->borrowed.n);
		return true;
	}
	if (p->packing == PACKED_NOT)
		return read_bytes(s, p, 0, p->size_bytes, to);
	packed = mem_try(p->packed_bytes);
	fine = packed && read_bytes(s, p, p->header_bytes, p->packed_bytes, packed);
	if (fine && p->packing == PACKED_ZSTD)
		got = ZSTD_decompress(to, got, packed, p->packed_bytes);
	else if (fine)
		fine = inflate_section(packed, p, to);
	free(packed);
	return fine && got == p->size_bytes;
}
