#include "unwind/dynamic_symbol.h"

bool dynamic_symbol_find(
	const struct elf_file *ef, const char *name, uint64_t *address, uint64_t *size_bytes)
{
	GElf_Shdr header;
	Elf_Scn *section = elf_file_section(ef, ".dynsym", &header);
	Elf_Data *data = section && header.sh_type == SHT_DYNSYM && header.sh_entsize
				 ? elf_file_data(ef, section)
				 : NULL;
	uint64_t n = data ? data->d_size / header.sh_entsize : 0;
	GElf_Sym symbol;
	int i;

	for (i = 0; (uint64_t)i < n && gelf_getsym(data, i, &symbol); i++) {
		const char *s;

		if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF)
			continue;
		s = elf_strptr(ef->elf, header.sh_link, symbol.st_name);
		if (!s || strcmp(s, name) != 0)
			continue;
		*address = symbol.st_value;
		*size_bytes = symbol.st_size;
		return true;
	}
	return false;
}
