#include "symbolize/code/code_relocations.h"

#include "base/bisect.h"
#include "base/mem.h"

#include <stdlib.h>

enum { RELOCATIONS_MAX = 1 << 20 };

struct relocation_reader {
	struct code_relocations *into;
	const struct elf_file *ef;
	const struct elf_places *places;
	uint64_t address, n; /* the code */
	uint64_t section;    /* where its section was loaded */
	Elf_Data *symbols;
	GElf_Shdr symbols_header;
};

/* What a jump to S + A needs added: on x86 it counts from the end of its four bytes. */
static bool is_branch(const struct relocation_reader *r, uint32_t type, uint64_t *more)
{
	*more = r->ef->header.e_machine == EM_X86_64 ? 4 : 0;
	switch (r->ef->header.e_machine) {
	case EM_X86_64:
		return type == R_X86_64_PC32 || type == R_X86_64_PLT32;
	case EM_AARCH64:
		return type == R_AARCH64_CALL26 || type == R_AARCH64_JUMP26 ||
		       type == R_AARCH64_CONDBR19 || type == R_AARCH64_TSTBR14;
	default:
		return false;
	}
}

static void add(struct relocation_reader *r, const GElf_Rela *rela)
{
	struct code_relocation *one;
	uint64_t start, more;
	const char *name;
	GElf_Sym sym;

	ARRAY_GROW(r->into->at, r->into->n, r->into->cap);
	one = &r->into->at[r->into->n++];
	*one = (struct code_relocation){ .address = r->section + rela->r_offset };
	if (!r->symbols || !gelf_getsym(r->symbols, (int)GELF_R_SYM(rela->r_info), &sym) ||
		!is_branch(r, GELF_R_TYPE(rela->r_info), &more))
		return;
	if (elf_places_get(r->places, sym.st_shndx, &start)) {
		one->target = start + sym.st_value + (uint64_t)rela->r_addend + more;
		return;
	}
	name = elf_strptr(r->ef->elf, r->symbols_header.sh_link, sym.st_name);
	one->name = span_of(name ? name : "");
}

static void read_section(struct relocation_reader *r, Elf_Scn *section, const GElf_Shdr *sh)
{
	Elf_Data *d = elf_file_data(r->ef, section);
	Elf_Scn *symbols = elf_getscn(r->ef->elf, sh->sh_link);
	GElf_Rela rela;
	int i;

	r->symbols = symbols && gelf_getshdr(symbols, &r->symbols_header) &&
				     r->symbols_header.sh_type == SHT_SYMTAB
			     ? elf_file_data(r->ef, symbols)
			     : NULL;
	for (i = 0; d && i < RELOCATIONS_MAX && gelf_getrela(d, i, &rela); i++)
		if (r->section + rela.r_offset - r->address < r->n)
			add(r, &rela);
}

/* The number of the section that the code is in; 0: none. */
static size_t find_section(struct relocation_reader *r)
{
	Elf_Scn *section = NULL;
	GElf_Shdr sh;

	while ((section = elf_nextscn(r->ef->elf, section)))
		if (elf_places_get(r->places, elf_ndxscn(section), &r->section) &&
			gelf_getshdr(section, &sh) && r->address - r->section < sh.sh_size)
			return elf_ndxscn(section);
	return 0;
}

static int by_address(const void *pa, const void *pb)
{
	const struct code_relocation *a = pa, *b = pb;

	return a->address < b->address ? -1 : a->address > b->address;
}

void code_relocations_read(struct code_relocations *into, const struct elf_file *ef,
	const struct elf_places *places, uint64_t address, uint64_t n)
{
	struct relocation_reader r = {
		.into = into, .ef = ef, .places = places, .address = address, .n = n
	};
	size_t number = elf_is_object(ef) ? find_section(&r) : 0;
	Elf_Scn *section = NULL;
	GElf_Shdr sh;

	*into = (struct code_relocations){ 0 };
	while (number && (section = elf_nextscn(ef->elf, section)))
		if (gelf_getshdr(section, &sh) && sh.sh_type == SHT_RELA && sh.sh_info == number)
			read_section(&r, section, &sh);
	if (into->n)
		qsort(into->at, into->n, sizeof(*into->at), by_address);
}

void code_relocations_release(struct code_relocations *r)
{
	free(r->at);
	*r = (struct code_relocations){ 0 };
}

const struct code_relocation *code_relocations_find(
	const struct code_relocations *r, uint64_t address, uint64_t n)
{
	uint32_t i = bisect(k, 0, r->n, r->at[k].address >= address);

	return i < r->n && r->at[i].address - address < n ? &r->at[i] : NULL;
}
