/*
 * How it works. The image of the debug information is complete, with unrelocated bytes. For each
 * SHT_RELA or SHT_REL section of the file that applies to one of its sections, every entry is
 * applied in place: value = address of the symbol's section + st_value + addend, 4 or 8 bytes
 * wide.
 *
 * One entry that is unknown, or writes outside its section, refuses the whole image: a partly
 * relocated one would name wrong functions.
 *
 * Types of relocations are those that compilers use in debug information, one table row each.
 * Source: the psABI of each architecture; elf.h.
 */
#include "symbolize/dwarf/dwarf_relocate.h"

#include "base/cursor.h"
#include "base/mem.h"

struct relocating {
	const struct dwarf_sections *s;
	const struct elf_places *places;
	char *content; /* of the section that is changed */
	size_t size_bytes;
	Elf_Data *symbols, *indices; /* indices: of sections beyond 65,000; may be NULL */
};

struct number_type {
	uint16_t machine, type;
	uint8_t bytes;
};

static const struct number_type number_types[] = {
	{ EM_X86_64, R_X86_64_64, 8 },
	{ EM_X86_64, R_X86_64_32, 4 },
	{ EM_X86_64, R_X86_64_32S, 4 },
	{ EM_386, R_386_32, 4 },
	{ EM_AARCH64, R_AARCH64_ABS64, 8 },
	{ EM_AARCH64, R_AARCH64_ABS32, 4 },
	{ EM_ARM, R_ARM_ABS32, 4 },
	{ EM_PPC64, R_PPC64_ADDR64, 8 },
	{ EM_PPC64, R_PPC64_ADDR32, 4 },
	{ EM_S390, R_390_64, 8 },
	{ EM_S390, R_390_32, 4 },
};

enum { TYPE_NONE = 0 }; /* of all of them */

/* How many bytes a relocation of the type writes; 0: it is not known. */
static unsigned bytes_of(uint16_t machine, uint64_t type)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(number_types); i++)
		if (number_types[i].machine == machine && number_types[i].type == type)
			return number_types[i].bytes;
	return 0;
}

/* The value of a symbol. False: there is no such symbol. */
static bool symbol_value(const struct relocating *r, uint64_t number, uint64_t *value)
{
	uint64_t start = 0;
	Elf32_Word extended = 0;
	GElf_Sym sym;

	if (number > INT32_MAX ||
		!gelf_getsymshndx(r->symbols, r->indices, (int)number, &sym, &extended))
		return false;
	if (sym.st_shndx == SHN_XINDEX)
		elf_places_get(r->places, extended, &start);
	else if (sym.st_shndx < SHN_LORESERVE)
		elf_places_get(r->places, sym.st_shndx, &start);
	*value = start + sym.st_value;
	return true;
}

/* addend: NULL where the number that is in place is the summand. */
static bool apply(const struct relocating *r, uint64_t at, uint64_t info, const int64_t *addend)
{
	uint64_t type = GELF_R_TYPE(info), value;
	unsigned bytes = bytes_of(r->s->machine, type);
	uint8_t *to;

	if (type == TYPE_NONE)
		return true;
	if (!bytes || at > r->size_bytes || bytes > r->size_bytes - at ||
		!symbol_value(r, GELF_R_SYM(info), &value))
		return false;
	to = (uint8_t *)r->content + at;
	if (addend)
		value += (uint64_t)*addend;
	else
		value += bytes == 8 ? bytes_u64(to, r->s->swapped) : bytes_u32(to, r->s->swapped);
	bytes_put(to, value, bytes, r->s->swapped);
	return true;
}

static bool apply_all(const struct relocating *r, Elf_Data *data, uint32_t sh_type)
{
	bool rela = sh_type == SHT_RELA, fine = true;
	size_t n = data->d_size / gelf_fsize(r->s->ef->elf, data->d_type, 1, EV_CURRENT), i;

	for (i = 0; i < n && i <= INT32_MAX && fine; i++) {
		GElf_Rela a;
		GElf_Rel b;

		if (rela)
			fine = gelf_getrela(data, (int)i, &a) &&
			       apply(r, a.r_offset, a.r_info, &a.r_addend);
		else
			fine = gelf_getrel(data, (int)i, &b) &&
			       apply(r, b.r_offset, b.r_info, NULL);
	}
	return fine;
}

/* The table of symbols, and the indices that belong to it. */
static bool find_symbols(struct relocating *r, size_t table)
{
	Elf_Scn *section = elf_getscn(r->s->ef->elf, table);
	GElf_Shdr sh;

	r->indices = NULL;
	if (!section || !gelf_getshdr(section, &sh) || sh.sh_type != SHT_SYMTAB)
		return false;
	r->symbols = elf_file_data(r->s->ef, section);
	section = NULL;
	while ((section = elf_nextscn(r->s->ef->elf, section)))
		if (gelf_getshdr(section, &sh) && sh.sh_type == SHT_SYMTAB_SHNDX &&
			sh.sh_link == table)
			r->indices = elf_file_data(r->s->ef, section);
	return r->symbols && r->symbols->d_buf;
}

/* The section of debug information that relocations are for, SECTIONS: another one. */
static int target_of(const struct dwarf_sections *s, const GElf_Shdr *relocations)
{
	int k;

	for (k = 0; k < SECTIONS; k++)
		if (s->part[k].section && elf_ndxscn(s->part[k].section) == relocations->sh_info)
			break;
	return k;
}

bool dwarf_relocate(
	struct dwarf_image *image, const struct dwarf_sections *s, const struct elf_places *places)
{
	struct relocating r = { .s = s, .places = places };
	Elf_Scn *section = NULL;
	GElf_Shdr sh;

	while ((section = elf_nextscn(s->ef->elf, section))) {
		Elf_Data *data;
		int k;

		if (!gelf_getshdr(section, &sh) ||
			(sh.sh_type != SHT_RELA && sh.sh_type != SHT_REL))
			continue;
		k = target_of(s, &sh);
		if (k == SECTIONS || !sh.sh_size)
			continue;
		data = elf_file_data(s->ef, section);
		r.content = (char *)image->section[k].p;
		r.size_bytes = image->section[k].n;
		if (!data || !data->d_buf || !find_symbols(&r, sh.sh_link) ||
			!apply_all(&r, data, sh.sh_type))
			return false;
	}
	return true;
}
