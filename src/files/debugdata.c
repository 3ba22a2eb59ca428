/*
 * debugdata.c - .gnu_debugdata: an ELF file with a small .symtab, packed with xz
 *
 * Fedora's programs carry it ("MiniDebugInfo"): the functions that .dynsym does not name.
 */
#include "files/files.h"

#include "files/decompress.h"

struct elf_file *files_open_debugdata(const struct elf_file *runtime)
{
	GElf_Shdr sh;
	Elf_Scn *section = elf_file_section(runtime, ".gnu_debugdata", &sh);
	struct span packed = section ? elf_file_content(section, &sh) : SPAN("");
	struct buf image = { 0 };
	struct buf name = { 0 };
	struct elf_file *ef;

	if (!packed.n || !decompress(packed, &image)) {
		buf_release(&image);
		return NULL;
	}
	buf_printf(&name, "%s(.gnu_debugdata)", runtime->path);
	ef = elf_file_from_memory(image.p, image.n, buf_str(&name));
	buf_release(&name);
	return ef;
}
