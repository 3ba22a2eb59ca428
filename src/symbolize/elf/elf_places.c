#include "symbolize/elf/elf.h"

#include "base/mem.h"

#include <stdlib.h>

enum { ALIGN_MAX = 1 << 21 };

bool elf_is_object(const struct elf_file *ef)
{
	GElf_Ehdr eh;

	return gelf_getehdr(ef->elf, &eh) && eh.e_type == ET_REL;
}

void elf_places_init(struct elf_places *p, const struct elf_file *ef)
{
	Elf_Scn *section = NULL;

	*p = (struct elf_places){ 0 };
	while ((section = elf_nextscn(ef->elf, section)))
		p->n = elf_ndxscn(section) + 1;
	p->section = xcalloc(p->n + 1, sizeof(*p->section));
}

void elf_places_lay_out(struct elf_places *p, const struct elf_file *ef, uint64_t start)
{
	uint64_t at = start;
	Elf_Scn *section = NULL;
	size_t names = 0;

	elf_places_init(p, ef);
	elf_getshdrstrndx(ef->elf, &names);
	while ((section = elf_nextscn(ef->elf, section))) {
		const char *name;
		GElf_Shdr sh;

		if (!gelf_getshdr(section, &sh) || !(sh.sh_flags & SHF_ALLOC) ||
			!(sh.sh_flags & SHF_EXECINSTR))
			continue;
		name = elf_strptr(ef->elf, names, sh.sh_name);
		if (name && strncmp(name, ".init", 5) == 0)
			continue;
		if (sh.sh_addralign > 1 && sh.sh_addralign <= ALIGN_MAX)
			at = (at + sh.sh_addralign - 1) / sh.sh_addralign * sh.sh_addralign;
		elf_places_set(p, elf_ndxscn(section), at);
		at += sh.sh_size;
	}
}

void elf_places_set(struct elf_places *p, size_t section, uint64_t address)
{
	struct elf_place *place;

	if (section >= p->n)
		return;
	place = &p->section[section];
	place->disputed |= place->known && place->address != address;
	place->known = true;
	place->address = address;
}

bool elf_places_get(const struct elf_places *p, size_t section, uint64_t *address)
{
	if (section >= p->n || !p->section[section].known || p->section[section].disputed)
		return false;
	*address = p->section[section].address;
	return true;
}

bool elf_places_any(const struct elf_places *p)
{
	uint64_t address;
	size_t i;

	for (i = 0; i < p->n; i++)
		if (elf_places_get(p, i, &address))
			return true;
	return false;
}

void elf_places_release(struct elf_places *p)
{
	free(p->section);
	*p = (struct elf_places){ 0 };
}
