/*
 * How it works. An image is an ELF file of our own making, in one piece of memory:
 *
 *	| Elf64_Ehdr, Shdr[], names | .debug_info | 64 zeros | .debug_abbrev | 64 zeros | ...
 *
 * Sections of the file are copied or unpacked into it; those of a .dwo lose their ".dwo", and
 * borrow .debug_addr and .debug_ranges from the program. libdw reads it by elf_memory(), without a
 * copy, by any number of handles. The zeros are there because libdw 0.188 reads strings and
 * numbers of damaged line tables up to their end without looking at the end of the section.
 *
 * By unit: if .debug_info is plain in a file, the image is an anonymous mapping of the size that
 * it would have, and no page of .debug_info exists until dwarf_image_load() reads into it.
 * dwarf_image_drop() gives whole pages back (MADV_DONTNEED). First bytes of units were loaded
 * before (dwarf_units.c), and libdw walks from header to header over the rest, which is zeros.
 *
 * A line table may belong to several units, and nobody knows when the last of them was read: so it
 * is read into memory of its own. Of .debug_line libdw has to know no more than its size.
 */
#include "symbolize/dwarf/dwarf_image.h"

#include "base/cursor.h"
#include "base/mem.h"
#include "base/saturated.h"
#include "symbolize/dwarf/dwarf_relocate.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Zeros after each section; see above. */
enum { GAP_BYTES = 64 };

/* A table of up to WHOLE_BYTES is read at once, and the program of a larger one by PIECE_BYTES: a
 * processor's cache has room for both. */
enum { WHOLE_BYTES = 256 << 10, PIECE_BYTES = 128 << 10 };

/* A header in the byte order of the image. */
static void put_header(char *to, Elf_Type type, void *from, size_t n, unsigned encoding)
{
	Elf_Data in = { .d_buf = from, .d_size = n, .d_type = type, .d_version = EV_CURRENT };
	Elf_Data out = in;

	out.d_buf = to;
	elf64_xlatetof(&out, &in, encoding);
}

/* Section 0 is none, SECTIONS + 1 has the names. */
enum { HEADERS = SECTIONS + 2 };

struct image_head {
	Elf64_Ehdr eh;
	Elf64_Shdr sh[HEADERS];
	char names[SECTIONS * DWARF_SECTION_NAME_BYTES + DWARF_SECTION_NAME_BYTES];
};

static void make_head(const struct dwarf_sections *s, struct image_head *head)
{
	size_t at = 1;
	int k;

	head->eh = (Elf64_Ehdr){
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, s->encoding, EV_CURRENT },
		.e_type = ET_EXEC,
		.e_machine = s->machine,
		.e_version = EV_CURRENT,
		.e_shoff = offsetof(struct image_head, sh),
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = HEADERS,
		.e_shstrndx = HEADERS - 1,
	};
	for (k = 0; k < SECTIONS; k++) {
		struct span name = span_of(dwarf_sections_name(k));

		head->names[at] = '.';
		memcpy(head->names + at + 1, name.p, name.n);
		head->sh[k + 1] = (Elf64_Shdr){ .sh_name = (Elf64_Word)at,
			.sh_type = s->part[k].size_bytes ? SHT_PROGBITS : SHT_NULL,
			.sh_size = s->part[k].size_bytes,
			.sh_addralign = 1 };
		at += name.n + 2;
	}
	head->sh[HEADERS - 1] = (Elf64_Shdr){ .sh_name = 0,
		.sh_type = SHT_STRTAB,
		.sh_offset = offsetof(struct image_head, names),
		.sh_size = sizeof(head->names),
		.sh_addralign = 1 };
}

static void put_head(char *to, struct image_head *head)
{
	unsigned encoding = head->eh.e_ident[EI_DATA];

	memcpy(to + offsetof(struct image_head, names), head->names, sizeof(head->names));
	put_header(to + offsetof(struct image_head, sh), ELF_T_SHDR, head->sh, sizeof(head->sh),
		encoding);
	put_header(to, ELF_T_EHDR, &head->eh, sizeof(head->eh), encoding);
}

/* Memory that costs nothing before something is read into it. */
static bool map_sparse(struct dwarf_image *image, const struct dwarf_sections *s)
{
	void *p = mmap(NULL, image->size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		-1, 0);

	image->fd = p == MAP_FAILED ? -1 : fcntl(s->ef->fd, F_DUPFD_CLOEXEC, 0);
	if (image->fd < 0 && p != MAP_FAILED)
		munmap(p, image->size_bytes);
	if (image->fd < 0)
		return false;
	madvise(p, image->size_bytes, MADV_NOHUGEPAGE);
	image->bytes = p;
	image->origin = s->ef->origin;
	image->info_at = s->part[SECTION_INFO].offset;
	image->line_at = s->part[SECTION_LINE].offset;
	image->str_at =
		s->part[SECTION_STR].packing == PACKED_NOT ? s->part[SECTION_STR].offset : 0;
	image->mapped = image->by_unit = true;
	image->lines_by_unit = s->part[SECTION_LINE].packing == PACKED_NOT;
	return true;
}

static bool get_memory(struct dwarf_image *image, const struct dwarf_sections *s, bool by_unit)
{
	if (image->size_bytes >= INT64_MAX / 2)
		return false;
	if (by_unit && s->ef->fd >= 0 && s->part[SECTION_INFO].packing == PACKED_NOT &&
		map_sparse(image, s))
		return true;
	image->bytes = mem_try(image->size_bytes);
	return image->bytes;
}

/* Places the sections one after the other; false if their sum overflows. */
static bool place(const struct dwarf_sections *s, struct image_head *head, size_t *size_bytes)
{
	uint64_t size = sizeof(*head);
	int k;

	for (k = 0; k < SECTIONS; k++) {
		head->sh[k + 1].sh_offset = size;
		if (__builtin_add_overflow(size, s->part[k].size_bytes + GAP_BYTES, &size))
			return false;
	}
	*size_bytes = size;
	return true;
}

bool dwarf_image_is_loaded_later(const struct dwarf_image *image, int section)
{
	return (section == SECTION_INFO && image->by_unit) ||
	       (section == SECTION_LINE && image->lines_by_unit);
}

static bool build(const struct dwarf_sections *s, struct dwarf_image *image, bool by_unit)
{
	struct image_head head = { 0 };
	int k;

	make_head(s, &head);
	if (!place(s, &head, &image->size_bytes) || !get_memory(image, s, by_unit))
		return false;
	for (k = 0; k < SECTIONS; k++) {
		const struct dwarf_part *p = &s->part[k];
		char *to = image->bytes + head.sh[k + 1].sh_offset;

		memset(to + p->size_bytes, 0, GAP_BYTES);
		if (!p->size_bytes)
			continue;
		if (!dwarf_image_is_loaded_later(image, k) && !dwarf_sections_read_part(s, p, to))
			return false;
		image->section[k] = (struct span){ to, p->size_bytes };
	}
	put_head(image->bytes, &head);
	return true;
}

static void borrow(struct dwarf_part *p, struct span what)
{
	if (!p->section && what.n)
		*p = (struct dwarf_part){ .borrowed = what, .size_bytes = what.n };
}

void dwarf_image_borrow(struct dwarf_sections *to, const struct dwarf_borrowed *what)
{
	borrow(&to->part[SECTION_ADDR], what->addr);
	borrow(&to->part[SECTION_RANGES], what->ranges);
}

bool dwarf_image_build(struct dwarf_image *image, const struct dwarf_sections *from, unsigned flags)
{
	*image = (struct dwarf_image){ 0 };
	if (build(from, image, flags & DWARF_BY_UNIT))
		return true;
	dwarf_image_release(image);
	return false;
}

bool dwarf_image_read(struct dwarf_image *image, const struct elf_file *ef,
	const struct dwarf_borrowed *dwo, unsigned flags)
{
	struct dwarf_sections from;

	*image = (struct dwarf_image){ 0 };
	if (!dwarf_sections_find(&from, ef, dwo, flags & DWARF_LINES))
		return false;
	if (dwo)
		dwarf_image_borrow(&from, dwo);
	return dwarf_image_build(image, &from, flags);
}

bool dwarf_image_read_object(struct dwarf_image *image, const struct elf_file *ef,
	const struct elf_places *places, unsigned flags)
{
	struct dwarf_sections from;

	*image = (struct dwarf_image){ 0 };
	if (!dwarf_sections_find(&from, ef, false, flags & DWARF_LINES) ||
		!dwarf_image_build(image, &from, flags & ~(unsigned)DWARF_BY_UNIT))
		return false;
	if (dwarf_relocate(image, &from, places))
		return true;
	dwarf_image_release(image);
	return false;
}

void dwarf_image_release(struct dwarf_image *image)
{
	if (image->mapped) {
		munmap(image->bytes, image->size_bytes);
		close(image->fd);
	} else {
		free(image->bytes);
	}
	*image = (struct dwarf_image){ 0 };
}

bool dwarf_image_is_swapped(const struct dwarf_image *image)
{
	return (image->bytes[EI_DATA] == ELFDATA2MSB) != HOST_IS_BIG_ENDIAN;
}

/* The whole pages between two offsets of a section. */
static struct span pages_of(struct span section, uint64_t from, uint64_t until)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t start = ((uintptr_t)section.p + from + page - 1) / page * page;
	uintptr_t end = ((uintptr_t)section.p + until) / page * page;

	return (struct span){ (char *)start, end > start ? end - start : 0 };
}

bool dwarf_image_load(const struct dwarf_image *image, uint64_t from, uint64_t until)
{
	struct span info = image->section[SECTION_INFO], pages;

	until = until < info.n ? until : info.n;
	if (!image->by_unit || from >= until)
		return true;
	pages = pages_of(info, from, until);
#ifdef MADV_POPULATE_WRITE
	/* At once, not one by one while they are written to. */
	if (pages.n)
		madvise((void *)pages.p, pages.n, MADV_POPULATE_WRITE);
#endif
	return files_pread(image->origin, image->fd, (char *)info.p + from, until - from,
		       image->info_at + from) == (ssize_t)(until - from);
}

bool dwarf_image_load_all(struct dwarf_image *image)
{
	bool whole = dwarf_image_load(image, 0, UINT64_MAX);

	image->by_unit = false;
	return dwarf_image_load_lines(image) && whole;
}

/* n bytes of .debug_line. */
static bool read_lines(const struct dwarf_image *image, uint64_t offset, char *to, size_t n)
{
	return files_pread(image->origin, image->fd, to, n, image->line_at + offset) == (ssize_t)n;
}

static bool read_piece(const void *image, uint64_t offset, void *to, size_t n)
{
	return read_lines(image, offset, to, n);
}

bool dwarf_image_load_lines(struct dwarf_image *image)
{
	struct span lines = image->section[SECTION_LINE];

	if (!image->lines_by_unit)
		return true;
	image->lines_by_unit = false;
	return read_lines(image, 0, (char *)lines.p, lines.n);
}

/* { u32 length or u32 ~0, u64 length }, and so many bytes (DWARF 5, 6.2.4). */
static uint64_t size_of_table(const struct dwarf_image *image, struct span start)
{
	struct cursor c = {
		.p = (const uint8_t *)start.p,
		.left = start.n,
		.swapped = dwarf_image_is_swapped(image),
	};
	uint64_t length = cursor_u32(&c);

	if (length == UINT32_MAX)
		length = cursor_u64(&c);
	return saturated_add(length, start.n - c.left);
}

static bool reserve(struct dwarf_room *room, size_t size_bytes)
{
	if (size_bytes <= room->size_bytes)
		return true;
	dwarf_image_release_room(room);
	room->p = mem_try(size_bytes);
	room->size_bytes = room->p ? size_bytes : 0;
	return room->p;
}

/* n bytes of a table that has more: those before its program, and room for a piece of that. */
static struct span read_header(const struct dwarf_image *image, uint64_t offset, uint64_t n,
	uint64_t header_bytes, struct dwarf_room *to, struct dwarf_line_pieces *pieces)
{
	if (!reserve(to, (size_t)header_bytes + PIECE_BYTES) ||
		!read_lines(image, offset, to->p, (size_t)header_bytes))
		return (struct span){ 0 };
	*pieces = (struct dwarf_line_pieces){
		.read = read_piece,
		.from = image,
		.offset = offset + header_bytes,
		.size_bytes = n - header_bytes,
		.room = (uint8_t *)to->p + header_bytes,
		.room_bytes = PIECE_BYTES,
	};
	return (struct span){ to->p, (size_t)header_bytes };
}

struct span dwarf_image_read_table(const struct dwarf_image *image, uint64_t offset,
	struct dwarf_room *to, struct dwarf_line_pieces *pieces)
{
	uint64_t left = image->section[SECTION_LINE].n, header_bytes, size;
	char start[DWARF_LINE_START_BYTES];
	size_t n;

	*pieces = (struct dwarf_line_pieces){ 0 };
	if (offset >= left)
		return (struct span){ 0 };
	left -= offset;
	n = left < sizeof(start) ? left : sizeof(start);
	if (!read_lines(image, offset, start, n))
		return (struct span){ 0 };
	size = size_of_table(image, (struct span){ start, n });
	header_bytes =
		dwarf_line_header_size((struct span){ start, n }, dwarf_image_is_swapped(image));
	n = size < left ? size : left;
	if (n > WHOLE_BYTES && header_bytes && header_bytes < n)
		return read_header(image, offset, n, header_bytes, to, pieces);
	return reserve(to, n) && read_lines(image, offset, to->p, n) ? (struct span){ to->p, n }
								     : (struct span){ 0 };
}

void dwarf_image_release_room(struct dwarf_room *room)
{
	free(room->p);
	*room = (struct dwarf_room){ 0 };
}

void dwarf_image_drop(const struct dwarf_image *image, uint64_t from, uint64_t until)
{
	struct span pages = pages_of(image->section[SECTION_INFO], from, until);

	if (image->by_unit && pages.n)
		madvise((void *)pages.p, pages.n, MADV_DONTNEED);
}

static bool is_of_lines(int section)
{
	return section == SECTION_LINE || section == SECTION_LINE_STR || section == SECTION_STR;
}

void dwarf_image_keep_lines(struct dwarf_image *image, bool strings)
{
	const bool leaves_strings = !strings && image->str_at;
	int k;

	if (leaves_strings)
		image->strings_left = image->section[SECTION_STR];
	for (k = 0; k < SECTIONS; k++) {
		struct span s = image->section[k], pages = pages_of(s, 0, s.n);

		if (is_of_lines(k) && !(k == SECTION_STR && leaves_strings))
			continue;
		if (pages.n)
			madvise((void *)pages.p, pages.n, MADV_DONTNEED);
		image->section[k] = (struct span){ 0 };
	}
}

bool dwarf_image_load_strings(struct dwarf_image *image)
{
	struct span s = image->strings_left;

	image->strings_left = (struct span){ 0 };
	if (!s.n || files_pread(image->origin, image->fd, (char *)s.p, s.n, image->str_at) !=
			    (ssize_t)s.n)
		return false;
	image->section[SECTION_STR] = s;
	return true;
}

bool dwarf_image_open_handle(struct dwarf_handle *h, const struct dwarf_image *image)
{
	h->elf = elf_memory(image->bytes, image->size_bytes);
	h->dwarf = h->elf ? dwarf_begin_elf(h->elf, DWARF_C_READ, NULL) : NULL;
	if (!h->dwarf)
		dwarf_image_close_handle(h);
	return h->dwarf;
}

void dwarf_image_close_handle(struct dwarf_handle *h)
{
	if (h->dwarf) /* a function that is never called is not looked for */
		dwarf_end(h->dwarf);
	elf_end(h->elf);
	*h = (struct dwarf_handle){ 0 };
}
