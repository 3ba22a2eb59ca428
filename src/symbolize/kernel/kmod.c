#include "symbolize/kernel/kmod.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

/* A symbol of the module in the list. Names that several functions share are not used. */
struct listed_symbol {
	struct span name;
	uint64_t address;
	uint32_t n_listed, n_in_file;
};

struct matching {
	struct listed_symbol *listed;
	uint32_t n, cap;
	struct index by_name;
};

static struct listed_symbol *find_listed(const struct matching *m, struct span name)
{
	struct index_cursor c;
	uint32_t i;

	index_for_each (&m->by_name, hash_span(name), c, i)
		if (span_eq(m->listed[i].name, name))
			return &m->listed[i];
	return NULL;
}

static void add_listed(struct matching *m, const struct kallsym *s)
{
	struct listed_symbol *l = find_listed(m, s->name);

	if (l) {
		l->n_listed++;
		return;
	}
	ARRAY_GROW(m->listed, m->n, m->cap);
	index_add(&m->by_name, hash_span(s->name), m->n);
	m->listed[m->n++] =
		(struct listed_symbol){ .name = s->name, .address = s->start, .n_listed = 1 };
}

/* Functions that the file defines and the list has, one after the other. */
static void each_common(struct matching *m, const struct elf_file *ef,
	void (*see)(struct elf_places *p, struct listed_symbol *l, const GElf_Sym *sym),
	struct elf_places *p)
{
	Elf_Scn *section = NULL;
	Elf_Data *data = NULL;
	GElf_Shdr sh;
	GElf_Sym sym;
	int i;

	while (!data && (section = elf_nextscn(ef->elf, section)))
		if (gelf_getshdr(section, &sh) && sh.sh_type == SHT_SYMTAB)
			data = elf_file_data(ef, section);
	for (i = 0; data && gelf_getsym(data, i, &sym); i++) {
		struct span name = span_of(elf_strptr(ef->elf, sh.sh_link, sym.st_name));
		struct listed_symbol *l = NULL;

		if (GELF_ST_TYPE(sym.st_info) == STT_FUNC && sym.st_shndx != SHN_UNDEF &&
			sym.st_shndx < SHN_LORESERVE && name.n)
			l = find_listed(m, name);
		if (l)
			see(p, l, &sym);
	}
}

static void count(struct elf_places *p, struct listed_symbol *l, const GElf_Sym *sym)
{
	(void)p;
	(void)sym;
	l->n_in_file++;
}

static void place(struct elf_places *p, struct listed_symbol *l, const GElf_Sym *sym)
{
	if (l->n_listed == 1 && l->n_in_file == 1)
		elf_places_set(p, sym->st_shndx, l->address - sym->st_value);
}

/* The address of a section follows from that of each of its functions. All must agree. */
void kmod_find_places(struct elf_places *p, const struct elf_file *ef, const struct kallsyms *k,
	struct span module)
{
	struct matching m = { 0 };
	uint32_t i;

	elf_places_init(p, ef);
	for (i = kallsyms_first(k, module); i != KALLSYMS_END; i = k->sym[i].next)
		add_listed(&m, &k->sym[i]);
	each_common(&m, ef, count, p);
	each_common(&m, ef, place, p);
	index_release(&m.by_name);
	free(m.listed);
}
