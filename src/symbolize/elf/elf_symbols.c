/*
 * How it works. A table of symbols is read in one of two ways:
 *
 * - whole: each symbol is described (place, binding, type), its name is read, it is added;
 * - by the addresses that a recording asks for (elf_wanted.h), where the table is large: all
 *   symbols are described, those that can matter are chosen, and only their names are read, in the
 *   order in which these are in the string table. Of Node.js that is 5,000 of 110,000 symbols.
 *
 * Where a symbol is depends on what was recorded: its offset in the runtime file by way of the
 * PT_LOAD segments (programs), its address (vmlinux), or the address at which its section was
 * loaded (kernel modules, elf_places.h).
 *
 * A separate debug file has sections without content, whose offsets mean nothing: they are looked
 * up in the runtime file by number (see elf_layout.h for segments).
 *
 * Kept are functions, IFUNCs and data objects, and labels (STT_NOTYPE) of sections named like text
 * or data, as in perf (elf_sym__filter() in tools/perf/util/symbol-elf.c); mapping symbols of ARM
 * and RISC-V are not. Source: gABI, elf(5).
 */
#include "symbolize/elf/elf.h"

#include "base/mem.h"
#include "symbolize/elf/elf_names.h"

#include <stdlib.h>

/* A section, as far as its symbols need it. */
struct section_use {
	uint64_t address, offset; /* of the section; offset in the runtime file */
	uint64_t size_bytes;
	bool loaded; /* SHF_ALLOC */
	bool labels; /* ".text" or ".data" of some kind: labels in it are symbols */
	bool placed; /* in a kernel module: address is where it was loaded */
};

struct sections {
	struct section_use *use;
	size_t n;
};

static bool holds_labels(const char *name)
{
	return name && (strstr(name, "text") || strstr(name, "data"));
}

/* In a separate debug file .text has no content, and its offset means nothing. */
static void read_sections(struct sections *s, Elf *elf, Elf *runtime)
{
	Elf_Scn *section = NULL;
	size_t names = 0, cap = 0;

	*s = (struct sections){ 0 };
	elf_getshdrstrndx(elf, &names);
	while ((section = elf_nextscn(elf, section))) {
		size_t number = elf_ndxscn(section);
		Elf_Scn *other = elf_getscn(runtime, number);
		GElf_Shdr sh, there;

		if (number >= cap) {
			ARRAY_RESERVE(s->use, number + 1, cap);
			memset(s->use + s->n, 0, (cap - s->n) * sizeof(*s->use));
		}
		s->n = number + 1;
		if (!gelf_getshdr(section, &sh))
			continue;
		s->use[number].loaded = sh.sh_flags & SHF_ALLOC;
		s->use[number].labels = holds_labels(elf_strptr(elf, names, sh.sh_name));
		if (sh.sh_type == SHT_NOBITS && other && gelf_getshdr(other, &there))
			sh = there;
		s->use[number].address = sh.sh_addr;
		s->use[number].offset = sh.sh_offset;
		s->use[number].size_bytes = sh.sh_size;
	}
}

static bool has_mapping_symbols(uint16_t machine)
{
	return machine == EM_ARM || machine == EM_AARCH64 || machine == EM_RISCV;
}

/* Mapping symbols of ARM and RISC-V, between code and data: $a $d $t $x, also "$x.12" and
 * "$xrv64i". */
static bool is_mapping_symbol(uint16_t machine, struct span name)
{
	if (!has_mapping_symbols(machine))
		return false;
	return name.n >= 2 && name.p[0] == '$' && memchr("adtx", name.p[1], 4) &&
	       (name.n == 2 || name.p[2] == '.' || machine == EM_RISCV);
}

static bool is_kept(const GElf_Sym *sym, const struct section_use *section)
{
	unsigned visibility = GELF_ST_VISIBILITY(sym->st_other);

	if (!section->loaded)
		return false;
	switch (GELF_ST_TYPE(sym->st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
	case STT_OBJECT:
		return true;
	case STT_NOTYPE:
		return section->labels && visibility != STV_HIDDEN && visibility != STV_INTERNAL;
	}
	return false;
}

struct symbol_reader {
	struct symtab *t;
	const struct elf_file *ef;
	Elf *elf;
	struct elf_names names;
	GElf_Shdr table;
	Elf_Data *symbols, *indices, *versions; /* the last two may be NULL */
	uint16_t machine;
	struct sections sections;
	struct elf_layout layout;
	bool by_address;                 /* symbols keep their addresses */
	const struct elf_places *places; /* they count from the start of their section; or NULL */
	bool wide;                       /* ELFCLASS64 */
	struct elf_wanted *wanted;       /* NULL: all are */
};

static const struct section_use *section_of(
	const struct symbol_reader *r, const GElf_Sym *sym, Elf32_Word extended)
{
	size_t number = sym->st_shndx;

	if (number == SHN_XINDEX)
		number = extended;
	else if (number >= SHN_LORESERVE)
		return NULL; /* SHN_ABS: no place in the file */
	return number != SHN_UNDEF && number < r->sections.n ? &r->sections.use[number] : NULL;
}

/* A hidden version is marked in .gnu.version, and in .symtab by "name@VERSION". */
static bool is_old_version(const struct symbol_reader *r, int i, struct span name)
{
	const char *at = memchr(name.p, '@', name.n);
	GElf_Versym version;

	if (r->versions && gelf_getversym(r->versions, i, &version))
		return version & 0x8000;
	return at && at > name.p && at + 1 < name.p + name.n && at[1] != '@';
}

/* The start of a symbol in the terms of recordings; false if it is nowhere in the file. perf falls
 * back to the section, whose offset means something for a few odd files only. */
static bool place(const struct symbol_reader *r, uint64_t address,
	const struct section_use *section, uint64_t *start)
{
	if (r->places) {
		*start = section->address + address;
		return section->placed;
	}
	*start = address;
	if (r->by_address || elf_layout_offset(&r->layout, address, start))
		return true;
	*start = address - (section->address - section->offset);
	return r->t->style.compat_perf;
}

/* Where the code of a symbol without a size ends at the latest. address: in the terms of its
 * section.
 *
 * LABEL_MAX_BYTES: of 158 functions in assembly with a size and without CFI, in the multimedia and
 * cryptographic libraries of Debian 12, 4 are longer, by a sixth at most. FUNCTION_MAX_BYTES: V8 up
 * to Node.js 12 gives its builtins a type but no size; of the 2182 of Node.js 20, 4 are longer. */
static uint64_t limit_of(const struct symbol_reader *r, const struct symbol *s, uint64_t address,
	const struct section_use *section)
{
	enum { LABEL_MAX_BYTES = 4096, FUNCTION_MAX_BYTES = 16384 };
	uint64_t most = s->type == STT_NOTYPE ? LABEL_MAX_BYTES : FUNCTION_MAX_BYTES;
	uint64_t in_section = r->places ? address : address - section->address;
	uint64_t left = section->size_bytes - in_section;

	return s->start + (left < most ? left : most);
}

/* Everything about a symbol except its name. False if it is not kept. */
static bool describe(
	const struct symbol_reader *r, const GElf_Sym *sym, Elf32_Word extended, struct symbol *s)
{
	const struct section_use *section = section_of(r, sym, extended);
	uint64_t address = sym->st_value;

	*s = (struct symbol){
		.bind = GELF_ST_BIND(sym->st_info),
		.type = GELF_ST_TYPE(sym->st_info),
	};
	if (!section || !sym->st_name || !is_kept(sym, section))
		return false;
	if (r->machine == EM_ARM && s->type == STT_FUNC) {
		s->thumb = address & 1;
		address &= ~1ull;
	}
	if (!place(r, address, section, &s->start))
		return false;
	if (__builtin_add_overflow(s->start, sym->st_size, &s->end))
		s->end = UINT64_MAX;
	if (!sym->st_size && !r->t->style.compat_perf)
		s->limit = limit_of(r, s, address, section);
	return true;
}

/* s has its name. */
static void add(const struct symbol_reader *r, uint32_t i, struct symbol *s)
{
	if (!s->name.n || is_mapping_symbol(r->machine, s->name))
		return;
	s->old_version = is_old_version(r, (int)i, s->name);
	symtab_add(r->t, s);
}

/* The content of the section of the type that belongs to the symbol table, or NULL. */
static Elf_Data *companion(const struct elf_file *ef, Elf_Scn *table, uint32_t sh_type)
{
	Elf_Scn *section = NULL;
	GElf_Shdr sh;

	while ((section = elf_nextscn(ef->elf, section)))
		if (gelf_getshdr(section, &sh) && sh.sh_type == sh_type &&
			sh.sh_link == elf_ndxscn(table))
			return elf_file_data(ef, section);
	return NULL;
}

static bool symbol_at(
	const struct symbol_reader *r, uint32_t i, GElf_Sym *sym, Elf32_Word *extended)
{
	*extended = 0;
	if (!r->wide || r->indices)
		return gelf_getsymshndx(r->symbols, r->indices, (int)i, sym, extended);
	/* What libelf does, without its locks. */
	memcpy(sym, (const char *)r->symbols->d_buf + i * sizeof(*sym), sizeof(*sym));
	return true;
}

static void read_every(struct symbol_reader *r, uint32_t n)
{
	Elf32_Word extended;
	struct symbol s;
	GElf_Sym sym;
	uint32_t i;

	symtab_reserve(r->t, n);
	for (i = 0; i < n; i++) {
		if (!symbol_at(r, i, &sym, &extended) || !describe(r, &sym, extended, &s))
			continue;
		s.name = elf_names_get(&r->names, sym.st_name);
		add(r, i, &s);
	}
}

static int compare_u64(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;

	return a < b ? -1 : a > b;
}

/* A symbol whose name is needed. */
struct wanted_symbol {
	struct symbol symbol;
	uint32_t number, name_at;
};

/* Reads names in the order of the string table; symbols keep their order. */
static void read_names(struct symbol_reader *r, struct wanted_symbol *wanted, uint32_t n)
{
	uint64_t *order = xcalloc((size_t)n + 1, sizeof(*order));
	uint32_t i;

	for (i = 0; i < n; i++)
		order[i] = (uint64_t)wanted[i].name_at << 32 | i;
	if (n)
		qsort(order, n, sizeof(*order), compare_u64);
	for (i = 0; i < n; i++) {
		struct wanted_symbol *w = &wanted[(uint32_t)order[i]];

		w->symbol.name = elf_names_get(&r->names, w->name_at);
	}
	free(order);
}

/* IFUNCs are kept in any case: elf_plt_add() needs their names. */
static void read_wanted(struct symbol_reader *r, uint32_t n)
{
	struct elf_wanted_extent *extent = xcalloc((size_t)n + 1, sizeof(*extent));
	struct wanted_symbol *wanted = NULL;
	Elf32_Word extended;
	struct symbol s;
	GElf_Sym sym;
	uint32_t i, n_extents = 0, n_wanted = 0, cap = 0;

	for (i = 0; i < n; i++)
		if (symbol_at(r, i, &sym, &extended) && describe(r, &sym, extended, &s))
			extent[n_extents++] = (struct elf_wanted_extent){ s.start, s.end, i,
				s.type == STT_GNU_IFUNC };
	elf_wanted_sort(r->wanted);
	elf_wanted_choose(r->wanted, extent, n_extents);
	for (i = 0; i < n_extents; i++) {
		if (!extent[i].keep || !symbol_at(r, extent[i].number, &sym, &extended) ||
			!describe(r, &sym, extended, &s))
			continue;
		ARRAY_GROW(wanted, n_wanted, cap);
		wanted[n_wanted++] = (struct wanted_symbol){ s, extent[i].number, sym.st_name };
	}
	free(extent);
	read_names(r, wanted, n_wanted);
	for (i = 0; i < n_wanted; i++)
		add(r, wanted[i].number, &wanted[i].symbol);
	free(wanted);
}

static void read_table(struct symbol_reader *r, Elf_Scn *table)
{
	size_t entry = gelf_fsize(r->elf, ELF_T_SYM, 1, EV_CURRENT), n;
	bool few;

	r->symbols = elf_file_data(r->ef, table);
	r->indices = companion(r->ef, table, SHT_SYMTAB_SHNDX);
	r->versions = companion(r->ef, table, SHT_GNU_versym);
	r->wide = entry == sizeof(GElf_Sym);
	/* sh_entsize is ignored: the class gives the size of an entry. */
	n = r->symbols && r->symbols->d_buf && entry ? r->symbols->d_size / entry : 0;
	n = n < SYMTAB_MAX ? n : SYMTAB_MAX;
	/* Mapping symbols are recognized by their names, so all names are needed. */
	few = r->wanted && n >= ELF_WANTED_MIN_SYMBOLS && !has_mapping_symbols(r->machine);
	elf_names_open(&r->names, r->ef, r->table.sh_link, few, &r->t->names);
	if (few)
		read_wanted(r, (uint32_t)n);
	else
		read_every(r, (uint32_t)n);
	elf_names_close(&r->names);
}

static void place_sections(struct sections *s, const struct elf_places *places)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		s->use[i].placed = elf_places_get(places, i, &s->use[i].address);
}

static void read_tables(struct symbol_reader *r, const struct elf_file *runtime, uint32_t sh_type)
{
	Elf_Scn *section = NULL;
	GElf_Ehdr eh;

	if (!gelf_getehdr(r->elf, &eh))
		return;
	r->machine = eh.e_machine;
	if (!r->by_address && !r->places && !elf_layout_read(&r->layout, runtime))
		return;
	read_sections(&r->sections, r->elf, runtime->elf);
	if (r->places)
		place_sections(&r->sections, r->places);
	while ((section = elf_nextscn(r->elf, section))) {
		if (gelf_getshdr(section, &r->table) && r->table.sh_type == sh_type) {
			read_table(r, section);
			break;
		}
	}
	free(r->sections.use);
}

void elf_symbols_add(struct symtab *t, const struct elf_file *ef, const struct elf_file *runtime,
	uint32_t sh_type, struct elf_wanted *wanted)
{
	struct symbol_reader r = { .t = t, .ef = ef, .elf = ef->elf, .wanted = wanted };

	read_tables(&r, runtime, sh_type);
}

void elf_addresses_add(struct symtab *t, const struct elf_file *ef)
{
	struct symbol_reader r = { .t = t, .ef = ef, .elf = ef->elf, .by_address = true };

	read_tables(&r, ef, SHT_SYMTAB);
}

void elf_module_symbols_add(
	struct symtab *t, const struct elf_file *ef, const struct elf_places *places)
{
	struct symbol_reader r = { .t = t, .ef = ef, .elf = ef->elf, .places = places };

	read_tables(&r, ef, SHT_SYMTAB);
}
