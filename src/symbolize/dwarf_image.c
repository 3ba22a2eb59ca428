#include "symbolize/dwarf_image.h"

#include "base/mem.h"

#include <fcntl.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

/* RATIO_MAX: debug information shrinks to a fifth or so; what promises much more is a bomb.
 * TYPE_ZSTD is younger than the elf.h of some systems. */
enum { RATIO_MAX = 256, NAME_MAX_BYTES = 32, TYPE_ZSTD = 2, GNU_HEADER_BYTES = 12 };
/* Zeros behind each section: libdw 0.188 reads texts and numbers of damaged line tables to their
 * end without a look at the end of the section. */
enum { GAP_BYTES = 64 };

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

enum packing { PACKED_NOT, PACKED_ZLIB, PACKED_ZSTD };

/* Where a section lies, and how. */
struct part {
	Elf_Scn *section; /* NULL: not there, or borrowed */
	struct span borrowed;
	enum packing packing;
	uint64_t offset, packed_bytes; /* in the file, without header of compression */
	uint64_t header_bytes;
	uint64_t size_bytes; /* unpacked */
	uint64_t at;         /* in the image */
};

struct reader {
	const struct elf_file *ef;
	bool swapped; /* not the byte order of this machine */
	bool wide;    /* ELFCLASS64 */
	struct part part[SECTIONS];
};

/* Which section a name means. *gnu: ".zdebug_" of old. */
static enum dwarf_section section_of(const char *name, bool dwo, bool *gnu)
{
	struct span s = span_of(name);
	int k;

	*gnu = span_starts(s, SPAN(".z"));
	if (s.n >= NAME_MAX_BYTES || !s.n || s.p[0] != '.' || span_ends(s, SPAN(".dwo")) != dwo)
		return SECTIONS;
	s = span_from(s, *gnu ? 2 : 1);
	if (dwo)
		s.n -= 4;
	for (k = 0; k < SECTIONS; k++)
		if (span_eq(s, span_of(section_names[k])))
			break;
	return k;
}

static bool read_file(int fd, char *to, size_t n, uint64_t offset)
{
	size_t done = 0;

	while (done < n) {
		ssize_t k = pread(fd, to + done, n - done, (off_t)(offset + done));

		if (k <= 0)
			return false;
		done += (size_t)k;
	}
	return true;
}

static bool read_bytes(
	const struct reader *r, const struct part *p, uint64_t from, size_t n, void *to)
{
	if (r->ef->fd < 0) {
		Elf_Data *d = elf_rawdata(p->section, NULL);

		if (!d || !d->d_buf || from > d->d_size || n > d->d_size - from)
			return false;
		memcpy(to, (char *)d->d_buf + from, n);
		return true;
	}
	return read_file(r->ef->fd, to, n, p->offset + from);
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
static bool read_chdr(const struct reader *r, struct part *p)
{
	bool big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != r->swapped;
	char h[sizeof(Elf64_Chdr)];
	uint64_t type;

	p->header_bytes = r->wide ? sizeof(Elf64_Chdr) : sizeof(Elf32_Chdr);
	if (p->packed_bytes < p->header_bytes || !read_bytes(r, p, 0, p->header_bytes, h))
		return false;
	type = number(h, 4, big);
	p->packing = type == TYPE_ZSTD ? PACKED_ZSTD : PACKED_ZLIB;
	p->size_bytes = r->wide ? number(h + 8, 8, big) : number(h + 4, 4, big);
	return type == ELFCOMPRESS_ZLIB || type == TYPE_ZSTD;
}

static bool read_gnu_header(const struct reader *r, struct part *p)
{
	char h[GNU_HEADER_BYTES];

	p->header_bytes = GNU_HEADER_BYTES;
	if (p->packed_bytes < sizeof(h) || !read_bytes(r, p, 0, sizeof(h), h) ||
		memcmp(h, "ZLIB", 4) != 0)
		return false;
	p->packing = PACKED_ZLIB;
	p->size_bytes = number(h + 4, 8, true);
	return true;
}

static bool describe(
	const struct reader *r, struct part *p, Elf_Scn *section, const GElf_Shdr *sh, bool gnu)
{
	bool fine = true;

	*p = (struct part){ .section = section,
		.offset = sh->sh_offset,
		.packed_bytes = sh->sh_size,
		.size_bytes = sh->sh_size };
	if (sh->sh_flags & SHF_COMPRESSED)
		fine = read_chdr(r, p);
	else if (gnu)
		fine = read_gnu_header(r, p);
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

static bool find_parts(struct reader *r, bool dwo, bool lines)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(r->ef->elf, &names))
		return false;
	while ((section = elf_nextscn(r->ef->elf, section))) {
		GElf_Shdr sh;
		enum dwarf_section k;
		bool gnu;

		if (!gelf_getshdr(section, &sh) || sh.sh_type == SHT_NOBITS || !sh.sh_size)
			continue;
		k = section_of(elf_strptr(r->ef->elf, names, sh.sh_name), dwo, &gnu);
		if (k == SECTIONS || r->part[k].section || (k == SECTION_LINE && !lines))
			continue;
		if (!within_file(r->ef, &sh) || !describe(r, &r->part[k], section, &sh, gnu))
			return false;
	}
	return r->part[SECTION_INFO].section && r->part[SECTION_ABBREV].section;
}

/* A section at once, in less than half of zlib's time. */
static bool inflate_section(const char *packed, const struct part *p, char *to)
{
	struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
	bool fine = d && libdeflate_zlib_decompress(d, packed, p->packed_bytes, to, p->size_bytes,
				 NULL) == LIBDEFLATE_SUCCESS;

	libdeflate_free_decompressor(d);
	return fine;
}

static bool fill(const struct reader *r, const struct part *p, char *to)
{
	size_t got = p->size_bytes;
	char *packed;
	bool fine;

	if (p->borrowed.n) {
		memcpy(to, p->borrowed.p, p->borrowed.n);
		return true;
	}
	if (p->packing == PACKED_NOT)
		return read_bytes(r, p, 0, p->size_bytes, to);
	packed = mem_try(p->packed_bytes);
	fine = packed && read_bytes(r, p, p->header_bytes, p->packed_bytes, packed);
	if (fine && p->packing == PACKED_ZSTD)
		got = ZSTD_decompress(to, got, packed, p->packed_bytes);
	else if (fine)
		fine = inflate_section(packed, p, to);
	free(packed);
	return fine && got == p->size_bytes;
}

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
	char names[SECTIONS * NAME_MAX_BYTES + NAME_MAX_BYTES];
};

static void make_head(const struct reader *r, struct image_head *head, const GElf_Ehdr *like)
{
	size_t at = 1;
	int k;

	head->eh = (Elf64_Ehdr){
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, like->e_ident[EI_DATA], EV_CURRENT },
		.e_type = ET_EXEC,
		.e_machine = like->e_machine,
		.e_version = EV_CURRENT,
		.e_shoff = offsetof(struct image_head, sh),
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = HEADERS,
		.e_shstrndx = HEADERS - 1,
	};
	for (k = 0; k < SECTIONS; k++) {
		struct span name = span_of(section_names[k]);

		head->names[at] = '.';
		memcpy(head->names + at + 1, name.p, name.n);
		head->sh[k + 1] = (Elf64_Shdr){ .sh_name = (Elf64_Word)at,
			.sh_type = r->part[k].size_bytes ? SHT_PROGBITS : SHT_NULL,
			.sh_offset = r->part[k].at,
			.sh_size = r->part[k].size_bytes,
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
static bool map_sparse(struct dwarf_image *image, const struct reader *r)
{
	void *p = mmap(NULL, image->size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		-1, 0);

	image->fd = p == MAP_FAILED ? -1 : fcntl(r->ef->fd, F_DUPFD_CLOEXEC, 0);
	if (image->fd < 0 && p != MAP_FAILED)
		munmap(p, image->size_bytes);
	if (image->fd < 0)
		return false;
	madvise(p, image->size_bytes, MADV_NOHUGEPAGE);
	image->bytes = p;
	image->info_at = r->part[SECTION_INFO].offset;
	image->mapped = image->by_unit = true;
	return true;
}

static bool get_memory(struct dwarf_image *image, const struct reader *r, bool by_unit)
{
	if (image->size_bytes >= INT64_MAX / 2)
		return false;
	if (by_unit && r->ef->fd >= 0 && r->part[SECTION_INFO].packing == PACKED_NOT &&
		map_sparse(image, r))
		return true;
	image->bytes = mem_try(image->size_bytes);
	return image->bytes;
}

static bool build(struct reader *r, struct dwarf_image *image, const GElf_Ehdr *like, bool by_unit)
{
	struct image_head head = { 0 };
	uint64_t size = sizeof(head);
	int k;

	for (k = 0; k < SECTIONS; k++) {
		r->part[k].at = size;
		if (__builtin_add_overflow(size, r->part[k].size_bytes + GAP_BYTES, &size))
			return false;
	}
	image->size_bytes = size;
	if (!get_memory(image, r, by_unit))
		return false;
	make_head(r, &head, like);
	put_head(image->bytes, &head);
	for (k = 0; k < SECTIONS; k++) {
		const struct part *p = &r->part[k];

		memset(image->bytes + p->at + p->size_bytes, 0, GAP_BYTES);
		if (!p->size_bytes)
			continue;
		if (!(k == SECTION_INFO && image->by_unit) && !fill(r, p, image->bytes + p->at))
			return false;
		image->section[k] = (struct span){ image->bytes + p->at, p->size_bytes };
	}
	return true;
}

static void borrow(struct part *p, struct span what)
{
	if (!p->section && what.n)
		*p = (struct part){ .borrowed = what, .size_bytes = what.n };
}

bool dwarf_image_read(struct dwarf_image *image, const struct elf_file *ef,
	const struct dwarf_borrowed *dwo, unsigned flags)
{
	struct reader r = { .ef = ef };
	GElf_Ehdr eh;

	*image = (struct dwarf_image){ 0 };
	if (!gelf_getehdr(ef->elf, &eh))
		return false;
	r.wide = eh.e_ident[EI_CLASS] == ELFCLASS64;
	r.swapped =
		(eh.e_ident[EI_DATA] == ELFDATA2MSB) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	if (!find_parts(&r, dwo, flags & DWARF_LINES))
		return false;
	if (dwo) {
		borrow(&r.part[SECTION_ADDR], dwo->addr);
		borrow(&r.part[SECTION_RANGES], dwo->ranges);
	}
	if (build(&r, image, &eh, flags & DWARF_BY_UNIT))
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

/* What of .debug_info are pages of their own, from an offset to another. */
static struct span pages_of(const struct dwarf_image *image, uint64_t from, uint64_t until)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	const char *info = image->section[SECTION_INFO].p;
	uintptr_t start = ((uintptr_t)info + from + page - 1) / page * page;
	uintptr_t end = ((uintptr_t)info + until) / page * page;

	return (struct span){ (char *)start, end > start ? end - start : 0 };
}

bool dwarf_image_take(const struct dwarf_image *image, uint64_t from, uint64_t until)
{
	struct span info = image->section[SECTION_INFO], pages;

	until = until < info.n ? until : info.n;
	if (!image->by_unit || from >= until)
		return true;
	pages = pages_of(image, from, until);
#ifdef MADV_POPULATE_WRITE
	/* At once, not one by one while they are written to. */
	if (pages.n)
		madvise((void *)pages.p, pages.n, MADV_POPULATE_WRITE);
#endif
	return read_file(image->fd, (char *)info.p + from, until - from, image->info_at + from);
}

bool dwarf_image_take_all(struct dwarf_image *image)
{
	bool whole = dwarf_image_take(image, 0, UINT64_MAX);

	image->by_unit = false;
	return whole;
}

void dwarf_image_drop(const struct dwarf_image *image, uint64_t from, uint64_t until)
{
	struct span pages = pages_of(image, from, until);

	if (image->by_unit && pages.n)
		madvise((void *)pages.p, pages.n, MADV_DONTNEED);
}

bool dwarf_handle_open(struct dwarf_handle *h, const struct dwarf_image *image)
{
	h->elf = elf_memory(image->bytes, image->size_bytes);
	h->dwarf = h->elf ? dwarf_begin_elf(h->elf, DWARF_C_READ, NULL) : NULL;
	if (!h->dwarf)
		dwarf_handle_close(h);
	return h->dwarf;
}

void dwarf_handle_close(struct dwarf_handle *h)
{
	if (h->dwarf) /* a function that is never called is not looked for */
		dwarf_end(h->dwarf);
	elf_end(h->elf);
	*h = (struct dwarf_handle){ 0 };
}
