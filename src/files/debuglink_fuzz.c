/*
 * debuglink_fuzz.c - any bytes as what is in a section that leads to another file
 *
 *	byte 0: 0 .gnu_debuglink, 1 .gnu_debugdata packed with xz, 2 the same packed already,
 *		3 .gnu_debugaltlink; bit 2 big-endian
 *	all the rest: the section
 *
 * The ELF file around it is whole, and the packing is undamaged, so that a check of these does not
 * end each run.
 */
#include "files/debuglink.h"

#include "files/decompress.h"
#include "base/fuzz_data_for_test.h"
#include "base/mem.h"

#include <lzma.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEADER = 64, SECTION = 64, NAMES = 64 };

static void put_number(char *p, size_t n, uint64_t v, bool big_endian)
{
	size_t i;

	for (i = 0; i < n; i++)
		p[big_endian ? n - 1 - i : i] = (char)(v >> 8 * i);
}

static void put_section(
	char *image, unsigned number, const uint64_t *type_at_n_name, bool big_endian)
{
	char *p = image + HEADER + SECTION * number;

	put_number(p, 4, type_at_n_name[3], big_endian);
	put_number(p + 4, 4, type_at_n_name[0], big_endian);
	put_number(p + 24, 8, type_at_n_name[1], big_endian);
	put_number(p + 32, 8, type_at_n_name[2], big_endian);
	put_number(p + 48, 8, 1, big_endian);
}

/* Three sections: none, their names, and the one in question. */
static struct elf_file *make_elf(const char *name, struct span content, bool big_endian)
{
	const size_t names = HEADER + 3 * SECTION, at = names + NAMES;
	char *image = xcalloc(1, at + content.n + 1);

	memcpy(image, ELFMAG, SELFMAG);
	image[EI_CLASS] = ELFCLASS64;
	image[EI_DATA] = big_endian ? ELFDATA2MSB : ELFDATA2LSB;
	image[EI_VERSION] = EV_CURRENT;
	put_number(image + 16, 2, ET_DYN, big_endian);
	put_number(image + 18, 2, big_endian ? EM_S390 : EM_X86_64, big_endian);
	put_number(image + 20, 4, EV_CURRENT, big_endian);
	put_number(image + 40, 8, HEADER, big_endian);
	put_number(image + 52, 2, HEADER, big_endian);
	put_number(image + 58, 2, SECTION, big_endian);
	put_number(image + 60, 2, 3, big_endian);
	put_number(image + 62, 2, 1, big_endian);
	put_section(image, 1, (uint64_t[]){ SHT_STRTAB, names, NAMES, 0 }, big_endian);
	put_section(image, 2, (uint64_t[]){ SHT_PROGBITS, at, content.n, 1 }, big_endian);
	strcpy(image + names + 1, name);
	if (content.n)
		memcpy(image + at, content.p, content.n);
	return elf_file_from_memory(image, at + content.n, "testdata/elf/program");
}

static void pack(struct span plain, struct buf *packed)
{
	buf_reserve(packed, lzma_stream_buffer_bound(plain.n));
	if (lzma_easy_buffer_encode(0, LZMA_CHECK_NONE, NULL, (const uint8_t *)plain.p, plain.n,
		    (uint8_t *)packed->p, &packed->n, packed->cap) != LZMA_OK)
		abort();
}

static void follow(const struct elf_file *ef)
{
	static const char *const debug_dirs[] = { "testdata/elf", NULL };
	const struct files_opts o = { .debug_dirs = debug_dirs, .no_system = true };
	struct strtab *strings = strtab_new();
	struct files *files = files_new(&o, strings);
	struct files_trail trail = { 0 };

	elf_file_close(
		debuglink_open(files, SPAN("/usr/bin/program"), ef, FILES_NEED_SYMBOLS, &trail));
	elf_file_close(files_open_alternate(files, ef, &trail));
	elf_file_close(files_open_debugdata(ef));
	files_trail_release(&trail);
	files_free(files);
	strtab_free(strings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = { ".gnu_debuglink", ".gnu_debugdata", ".gnu_debugdata",
		".gnu_debugaltlink" };
	struct span content = { (const char *)data + 1, size - 1 };
	struct buf packed = { 0 };
	struct elf_file *ef;

	if (!size)
		return 0;
	elf_version(EV_CURRENT);
	if (data[0] % 4 == 1) {
		pack(content, &packed);
		content = buf_span(&packed);
	}
	ef = make_elf(names[data[0] % 4], content, data[0] & 4);
	if (!ef)
		abort();
	follow(ef);
	elf_file_close(ef);
	buf_release(&packed);
	return 0;
}
