/*
 * elf_plt.c - names for the stubs of the procedure linkage table
 *
 * Stubs have no symbols. Each jumps through a slot that a relocation fills; the relocation knows
 * the symbol. perf counts: stub i belongs to entry i of .rela.plt. That fails for .plt.got, for
 * sections that the linker sorted, and for slots of IFUNCs, whose relocations name no symbol. On
 * x86-64 we read the stub instead:
 *
 *	[f3 0f 1e fa] [f2] ff 25 rel32		jmp *slot(%rip)
 *	[f3 0f 1e fa] 68 imm32 ...		push number of the relocation (.plt with .plt.sec)
 */
#include "symbolize/elf/elf.h"

#include "base/bytes.h"
#include "base/mem.h"
#include "symbolize/elf/elf_names.h"

#include <stdlib.h>

/* A slot of the global offset table (or an IFUNC), and its symbol's name. */
struct slot {
	uint64_t address;
	struct span name; /* empty: not known */
};

struct slots {
	struct slot *slot;
	uint32_t n, cap;
	bool named_only; /* tens of thousands of relocations, of which some hundred have a name */
};

struct plt {
	struct symtab *t;
	struct elf_layout layout;
	uint16_t machine;
	struct slots jumps;      /* of .rela.plt, in its order */
	struct slots by_address; /* those and the ones of .rela.dyn, sorted */
	struct slots ifuncs;     /* by offset in the file, sorted */
};

static int by_address(const void *pa, const void *pb)
{
	const struct slot *a = pa, *b = pb;

	return a->address < b->address ? -1 : a->address > b->address;
}

static void slots_add(struct slots *s, uint64_t address, struct span name)
{
	if (s->named_only && !name.n)
		return;
	ARRAY_GROW(s->slot, s->n, s->cap);
	s->slot[s->n++] = (struct slot){ address, name };
}

static void slots_sort(struct slots *s)
{
	if (s->n)
		qsort(s->slot, s->n, sizeof(*s->slot), by_address);
}

static struct span slots_find(const struct slots *s, uint64_t address)
{
	struct slot key = { .address = address }, *found = NULL;

	if (s->n)
		found = bsearch(&key, s->slot, s->n, sizeof(key), by_address);
	return found ? found->name : SPAN("");
}

static void collect_ifuncs(struct plt *p)
{
	uint32_t i;

	for (i = 0; i < p->t->n; i++)
		if (p->t->sym[i].type == STT_GNU_IFUNC)
			slots_add(&p->ifuncs, p->t->sym[i].start, p->t->sym[i].name);
	slots_sort(&p->ifuncs);
}

/* A slot of an IFUNC has no symbol: its relocation points to the resolver. */
static struct span ifunc_of(const struct plt *p, const GElf_Rela *rela)
{
	uint64_t offset;

	return p->ifuncs.n && elf_layout_offset(&p->layout, (uint64_t)rela->r_addend, &offset)
		       ? slots_find(&p->ifuncs, offset)
		       : SPAN("");
}

struct relocations {
	Elf_Data *data, *symbols;
	GElf_Shdr header, symbols_header;
	size_t n;
};

static bool open_relocations(
	const struct elf_file *ef, const char *const names[2], struct relocations *r)
{
	Elf_Scn *section = elf_file_section(ef, names[0], &r->header), *symbols;
	size_t entry;

	if (!section)
		section = elf_file_section(ef, names[1], &r->header);
	if (!section || (r->header.sh_type != SHT_RELA && r->header.sh_type != SHT_REL))
		return false;
	symbols = elf_getscn(ef->elf, r->header.sh_link);
	if (!symbols || !gelf_getshdr(symbols, &r->symbols_header) ||
		r->symbols_header.sh_type != SHT_DYNSYM)
		return false;
	r->data = elf_file_data(ef, section);
	r->symbols = elf_file_data(ef, symbols);
	entry = gelf_fsize(
		ef->elf, r->header.sh_type == SHT_RELA ? ELF_T_RELA : ELF_T_REL, 1, EV_CURRENT);
	r->n = r->data && r->data->d_buf && entry ? r->data->d_size / entry : 0;
	return r->symbols != NULL;
}

static bool read_relocation(const struct relocations *r, size_t i, GElf_Rela *rela)
{
	GElf_Rel rel;

	if (r->header.sh_type == SHT_RELA)
		return gelf_getrela(r->data, (int)i, rela) != NULL;
	if (!gelf_getrel(r->data, (int)i, &rel))
		return false;
	*rela = (GElf_Rela){ .r_offset = rel.r_offset, .r_info = rel.r_info };
	return true;
}

static void read_slots(const struct plt *p, const struct elf_file *ef, const char *const names[2],
	struct slots *into)
{
	struct elf_names strings;
	struct relocations r;
	size_t i;

	if (!open_relocations(ef, names, &r))
		return;
	elf_names_open(
		&strings, ef, r.symbols_header.sh_link, r.n < ELF_WANTED_MIN_SYMBOLS, &p->t->names);
	for (i = 0; i < r.n && i < SYMTAB_MAX; i++) {
		struct span name = SPAN("");
		GElf_Rela rela;
		GElf_Sym sym;

		if (!read_relocation(&r, i, &rela))
			break;
		if (GELF_R_SYM(rela.r_info) &&
			gelf_getsym(r.symbols, (int)GELF_R_SYM(rela.r_info), &sym))
			name = sym.st_name ? elf_names_get(&strings, sym.st_name) : SPAN("");
		else
			name = ifunc_of(p, &rela);
		slots_add(into, rela.r_offset, name);
	}
	elf_names_close(&strings);
}

static void add_stub(const struct plt *p, uint64_t offset, uint64_t size, struct span name)
{
	struct symbol s = {
		.start = offset,
		.end = offset + size,
		.name = name,
		.bind = STB_GLOBAL,
		.type = STT_FUNC,
		.plt = true,
	};

	if (s.end > s.start)
		symtab_add(p->t, &s);
}

/* Bytes of the header and of a stub in .plt, as perf has them. */
static void plt_shape(const struct plt *p, const GElf_Shdr *plt, uint64_t *header, uint64_t *stub)
{
	*header = *stub = plt->sh_entsize;
	if (p->machine == EM_ARM) {
		*header = 20;
		*stub = 12;
	} else if (p->machine == EM_AARCH64 ||
		   (!p->t->style.compat_perf && p->machine == EM_RISCV)) {
		*header = 32;
		*stub = 16;
	} else if (!p->t->style.compat_perf && (p->machine == EM_X86_64 || p->machine == EM_386)) {
		*header = *stub = 16; /* old binutils write sh_entsize 4 for i386 */
	}
}

static void add_counted(const struct plt *p, const GElf_Shdr *plt, uint64_t header, uint64_t stub)
{
	uint64_t offset = plt->sh_offset + header;
	uint32_t i;

	for (i = 0; i < p->jumps.n && stub; i++, offset += stub) {
		if (!p->t->style.compat_perf &&
			(offset < plt->sh_offset || offset - plt->sh_offset >= plt->sh_size))
			return;
		add_stub(p, offset, stub, p->jumps.slot[i].name);
	}
}

static uint32_t word_at(const unsigned char *p)
{
	return bytes_u32(p, HOST_IS_BIG_ENDIAN);
}

/* code: the n bytes of a stub that runs at address. */
static struct span decode_stub(
	const struct plt *p, const unsigned char *code, size_t n, uint64_t address)
{
	size_t i = n >= 4 && word_at(code) == 0xfa1e0ff3 ? 4 : 0;

	if (i < n && code[i] == 0xf2)
		i++;
	if (i + 6 <= n && code[i] == 0xff && code[i + 1] == 0x25)
		return slots_find(
			&p->by_address, address + i + 6 + (uint64_t)(int32_t)word_at(code + i + 2));
	if (i + 5 <= n && code[i] == 0x68 && word_at(code + i + 1) < p->jumps.n)
		return p->jumps.slot[word_at(code + i + 1)].name;
	return SPAN("");
}

static void add_decoded(const struct plt *p, const struct elf_file *ef, const char *name)
{
	GElf_Shdr sh;
	Elf_Scn *section = elf_file_section(ef, name, &sh);
	struct span code;
	uint64_t stub, at;

	if (!section)
		return;
	code = elf_file_content(section, &sh);
	stub = sh.sh_entsize == 8 ? 8 : 16;
	for (at = 0; at < code.n; at += stub) {
		size_t n = code.n - at < stub ? code.n - at : stub;
		struct span target =
			decode_stub(p, (const unsigned char *)code.p + at, n, sh.sh_addr + at);

		if (target.n)
			add_stub(p, sh.sh_offset + at, n, target);
	}
}

/* A separate debug file has the sections of stubs, but not their content. A hole keeps their
 * addresses from the symbol before them, _init, which has no size. */
static void add_hole(const struct plt *p, const struct elf_file *ef, const char *name)
{
	struct symbol s = { .hole = true };
	GElf_Shdr sh;

	if (elf_file_section(ef, name, &sh) && sh.sh_type == SHT_NOBITS &&
		elf_layout_offset(&p->layout, sh.sh_addr, &s.start) &&
		!__builtin_add_overflow(s.start, sh.sh_size, &s.end) && s.end > s.start)
		symtab_add(p->t, &s);
}

static void add_stubs(struct plt *p, const struct elf_file *ef)
{
	static const char *const sections[] = { ".plt", ".plt.sec", ".plt.got" };
	uint64_t header, stub;
	GElf_Shdr plt;
	size_t i;

	for (i = 0; i < ARRAY_LEN(sections) && !p->t->style.compat_perf; i++) {
		add_hole(p, ef, sections[i]);
		if (p->machine == EM_X86_64)
			add_decoded(p, ef, sections[i]);
	}
	if ((p->t->style.compat_perf || p->machine != EM_X86_64) &&
		elf_file_section(ef, ".plt", &plt)) {
		plt_shape(p, &plt, &header, &stub);
		add_counted(p, &plt, header, stub);
	}
}

void elf_plt_add(struct symtab *t, const struct elf_file *ef)
{
	static const char *const plt_names[2] = { ".rela.plt", ".rel.plt" };
	static const char *const dyn_names[2] = { ".rela.dyn", ".rel.dyn" };
	struct plt p = { .t = t, .by_address.named_only = true };
	GElf_Ehdr eh;
	uint32_t i;

	if (!gelf_getehdr(ef->elf, &eh))
		return;
	p.machine = eh.e_machine;
	elf_layout_read(&p.layout, ef);
	if (!t->style.compat_perf)
		collect_ifuncs(&p);
	read_slots(&p, ef, plt_names, &p.jumps);
	if (!t->style.compat_perf) {
		for (i = 0; i < p.jumps.n; i++)
			slots_add(&p.by_address, p.jumps.slot[i].address, p.jumps.slot[i].name);
		read_slots(&p, ef, dyn_names, &p.by_address);
		slots_sort(&p.by_address);
	}
	add_stubs(&p, ef);
	free(p.jumps.slot);
	free(p.by_address.slot);
	free(p.ifuncs.slot);
}

/* The extent of all stubs; false where a section has no content. */
static bool find_stubs(const struct elf_file *ef, uint64_t *start, uint64_t *end)
{
	static const char *const sections[] = { ".plt", ".plt.sec", ".plt.got" };
	size_t i;

	*start = UINT64_MAX;
	*end = 0;
	for (i = 0; i < ARRAY_LEN(sections); i++) {
		uint64_t after;
		GElf_Shdr sh;

		if (!elf_file_section(ef, sections[i], &sh))
			continue;
		if (sh.sh_type == SHT_NOBITS ||
			__builtin_add_overflow(sh.sh_offset, sh.sh_size, &after))
			return false;
		*start = sh.sh_offset < *start ? sh.sh_offset : *start;
		*end = after > *end ? after : *end;
	}
	return true;
}

/* Stubs end a symbol without size before them. That makes no difference if a symbol starts between
 * the stubs and the next wanted address. */
bool elf_plt_matters(
	const struct symtab *t, const struct elf_file *runtime, const struct elf_wanted *wanted)
{
	uint64_t start, end, next = UINT64_MAX;
	uint32_t i, after;

	if (!wanted || !wanted->sorted || t->style.compat_perf ||
		!find_stubs(runtime, &start, &end) || elf_wanted_within(wanted, start, end))
		return true;
	for (i = 0; i < t->n; i++)
		if (t->sym[i].start >= end && t->sym[i].start < next)
			next = t->sym[i].start;
	after = elf_wanted_count_below(wanted, end);
	return next == UINT64_MAX || (after < wanted->n && wanted->at[after] < next);
}
