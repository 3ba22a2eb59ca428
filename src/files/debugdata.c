/*
 * debugdata.c - .gnu_debugdata: an ELF file with a small .symtab, packed with xz
 *
 * Fedora's programs carry it ("MiniDebugInfo"): the functions that .dynsym does not name.
 */
#include "files/files.h"

#include "base/mem.h"

#include <lzma.h>

/* The largest seen in practice unpack to some 10 MiB; xz can reach 7000 : 1. */
enum { IMAGE_MAX_BYTES = 256 << 20, DECODER_MAX_BYTES = 128 << 20 };

static bool unpack(struct span packed, struct buf *out)
{
	lzma_stream s = LZMA_STREAM_INIT;
	lzma_ret rc;

	if (lzma_stream_decoder(&s, DECODER_MAX_BYTES, 0) != LZMA_OK)
		return false;
	s.next_in = (const uint8_t *)packed.p;
	s.avail_in = packed.n;
	do {
		buf_reserve(out, 256 * 1024);
		s.next_out = (uint8_t *)out->p + out->n;
		s.avail_out = out->cap - out->n;
		rc = lzma_code(&s, LZMA_FINISH);
		out->n = (size_t)((char *)s.next_out - out->p);
	} while (rc == LZMA_OK && out->n <= IMAGE_MAX_BYTES);
	lzma_end(&s);
	return rc == LZMA_STREAM_END;
}

struct elf_file *files_open_debugdata(const struct elf_file *runtime)
{
	GElf_Shdr sh;
	Elf_Scn *section = elf_file_section(runtime, ".gnu_debugdata", &sh);
	struct span packed = section ? elf_file_content(section, &sh) : SPAN("");
	struct buf image = { 0 };
	struct buf name = { 0 };
	struct elf_file *ef;

	if (!packed.n || !unpack(packed, &image)) {
		buf_release(&image);
		return NULL;
	}
	buf_printf(&name, "%s(.gnu_debugdata)", runtime->path);
	ef = elf_file_from_memory(image.p, image.n, buf_str(&name));
	buf_release(&name);
	return ef;
}
