/*
 * go_program.c - .gopclntab and moduledata in an ELF file
 *
 * How it works. moduledata is where a pointer to the table is followed, at the places that its
 * layout has for them, by pointers to the parts of the table: nothing else in a program looks like
 * that. The pointers are in the file itself, or in relocations that add the load address. Without
 * moduledata the table is used only if it says itself what its addresses count from.
 */
#include "files/go_program/go_program.h"

enum { PART_MAX_BYTES = 1 << 30, CANDIDATES_MAX = 16 };
/* Words of moduledata; slices take three. No form needs more of them. */
enum { FIRST_PART = 1, PART_STEP = 3, TEXT = 22, TREES_1_18 = 38, TREES = 40 };
enum { WORDS = 41 };

struct moduledata {
	const struct elf_file *file;
	const struct go_program *program;
	uint64_t address, part[GO_PARTS]; /* of the table and its parts: what it must point to */
	uint64_t word[WORDS];
	uint64_t offset; /* in the file; 0: not there */
	unsigned tried;
};

/* ---- parts of the file ---------------------------------------------------------------------- */

/* A light pack has the bytes, too, where it says that a section has none. */
static struct span bytes_of(const struct elf_file *ef, const GElf_Shdr *sh)
{
	Elf_Data *d = sh->sh_size <= PART_MAX_BYTES ? elf_file_chunk(ef, sh->sh_offset, sh->sh_size)
						    : NULL;

	return d && d->d_buf ? (struct span){ d->d_buf, d->d_size } : SPAN("");
}

static void note_part(struct go_program *p, uint64_t offset, uint64_t n)
{
	p->part[p->n_parts++] = (struct go_extent){ offset, n };
}

/* The section that holds an address; false: none. */
static bool section_at(const struct elf_file *ef, uint64_t address, GElf_Shdr *sh)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(ef->elf, section)))
		if (gelf_getshdr(section, sh) && sh->sh_flags & SHF_ALLOC &&
			address - sh->sh_addr < sh->sh_size)
			return true;
	return false;
}

/* ---- relocations ---------------------------------------------------------------------------- */

/* A walk over the words that the loader sets to an address of the program. */
struct relative_words {
	const struct elf_file *file;
	unsigned type;
	Elf_Scn *section;
	Elf_Data *data; /* of section; NULL: the next section is to be read */
	int next;
};

static unsigned relative_type(const struct elf_file *ef)
{
	switch (ef->header.e_machine) {
	case EM_X86_64:
		return R_X86_64_RELATIVE;
	case EM_AARCH64:
		return R_AARCH64_RELATIVE;
	case EM_RISCV:
		return R_RISCV_RELATIVE;
	case EM_S390:
		return R_390_RELATIVE;
	case EM_PPC64:
		return R_PPC64_RELATIVE;
	default:
		return UINT32_MAX;
	}
}

static bool next_section(struct relative_words *r)
{
	GElf_Shdr sh;

	while ((r->section = elf_nextscn(r->file->elf, r->section))) {
		if (!gelf_getshdr(r->section, &sh) || sh.sh_type != SHT_RELA ||
			!(sh.sh_flags & SHF_ALLOC))
			continue;
		r->data = elf_file_data(r->file, r->section);
		r->next = 0;
		if (r->data)
			return true;
	}
	return false;
}

static bool next_relocation(struct relative_words *r, GElf_Rela *rela)
{
	while (r->data || next_section(r)) {
		if (!gelf_getrela(r->data, r->next++, rela))
			r->data = NULL;
		else if (GELF_R_TYPE(rela->r_info) == r->type)
			return true;
	}
	return false;
}

static struct relative_words relative_words_of(const struct elf_file *ef)
{
	return (struct relative_words){ .file = ef, .type = relative_type(ef) };
}

/* ---- moduledata ----------------------------------------------------------------------------- */

static void read_words(struct moduledata *m, uint64_t at)
{
	const struct go_table *g = &m->program->table;
	struct relative_words r = relative_words_of(m->file);
	struct cursor c = { .swapped = g->swapped };
	GElf_Rela rela;
	Elf_Data *d = NULL;
	unsigned i;

	m->offset = 0;
	if (elf_layout_offset(&m->program->layout, at, &m->offset))
		d = elf_file_chunk(m->file, m->offset, (uint64_t)WORDS * g->word_bytes);
	if (d && d->d_buf) {
		c.p = d->d_buf;
		c.left = d->d_size;
	}
	for (i = 0; i < WORDS; i++)
		m->word[i] = go_table_word(g, &c);
	while (next_relocation(&r, &rela))
		if (rela.r_offset - at < (uint64_t)WORDS * g->word_bytes)
			m->word[(rela.r_offset - at) / g->word_bytes] = (uint64_t)rela.r_addend;
}

static bool is_at(struct moduledata *m, uint64_t at)
{
	unsigned i;

	if (m->tried++ >= CANDIDATES_MAX)
		return false;
	read_words(m, at);
	for (i = 0; i < GO_PARTS; i++)
		if (m->word[FIRST_PART + i * PART_STEP] != m->part[i])
			return false;
	return m->word[0] == m->address;
}

static bool is_in_section(struct moduledata *m, const char *name)
{
	const struct go_table *g = &m->program->table;
	GElf_Shdr sh;
	struct span bytes;
	struct cursor c;
	uint64_t at;

	if (!elf_file_section(m->file, name, &sh))
		return false;
	bytes = bytes_of(m->file, &sh);
	c = (struct cursor){ (const uint8_t *)bytes.p, bytes.n, g->swapped, false };
	for (at = sh.sh_addr; c.left >= g->word_bytes; at += g->word_bytes)
		if (go_table_word(g, &c) == m->address && is_at(m, at))
			return true;
	return false;
}

static bool is_relocated(struct moduledata *m)
{
	struct relative_words r = relative_words_of(m->file);
	GElf_Rela rela;

	while (next_relocation(&r, &rela))
		if ((uint64_t)rela.r_addend == m->address && is_at(m, rela.r_offset))
			return true;
	return false;
}

static bool find_moduledata(struct moduledata *m)
{
	static const char *const sections[] = { ".go.module", ".noptrdata", ".data",
		".data.rel.ro" };
	size_t i;

	for (i = 0; i < sizeof(sections) / sizeof(*sections); i++)
		if (is_in_section(m, sections[i]))
			return true;
	return is_relocated(m);
}

/* ---- the program ---------------------------------------------------------------------------- */

static bool is_code(const struct go_program *p, uint64_t address)
{
	uint32_t i;

	for (i = 0; i < p->layout.n; i++)
		if (p->layout.segment[i].executable &&
			address - p->layout.segment[i].address < p->layout.segment[i].size_bytes)
			return true;
	return false;
}

/* The trees of all functions are in one section. */
static void find_trees(struct go_program *p, const struct elf_file *ef, uint64_t address)
{
	GElf_Shdr sh;

	if (!address || !section_at(ef, address, &sh))
		return;
	if (p->table.form == GO_1_16)
		address = sh.sh_addr;
	p->table.trees = p->table.tree_address = address;
	sh.sh_offset += address - sh.sh_addr;
	sh.sh_size -= address - sh.sh_addr;
	if (sh.sh_size <= PART_MAX_BYTES &&
		go_bytes_open(&p->tree_bytes, ef, sh.sh_offset, sh.sh_size))
		p->table.trees_from = &p->tree_bytes;
	p->table.tree_bytes = p->tree_bytes.all;
	note_part(p, sh.sh_offset, p->table.tree_bytes.n);
}

static void use_moduledata(struct go_program *p, struct moduledata *m)
{
	if (!find_moduledata(m))
		return;
	p->table.text = p->table.form == GO_1_16 ? 0 : m->word[TEXT];
	note_part(p, m->offset, (uint64_t)WORDS * p->table.word_bytes);
	if (p->table.form != GO_1_16)
		find_trees(p, m->file, m->word[p->table.form == GO_1_18 ? TREES_1_18 : TREES]);
}

/* Functions point to their trees; those of one function say where all are. */
static uint64_t any_tree(const struct go_table *g)
{
	struct go_function f;
	uint64_t i, tree;

	for (i = 0; i < g->n; i++) {
		tree = go_table_get(g, i, &f) ? go_table_tree(g, &f) : 0;
		if (tree)
			return tree;
	}
	return 0;
}

/* A table at an offset in a section; p has its bytes, unless they are the ELF file's. */
static bool use_table(
	struct go_program *p, const struct elf_file *ef, const GElf_Shdr *sh, struct span bytes)
{
	const bool swapped = (ef->header.e_ident[EI_DATA] == ELFDATA2MSB) !=
			     (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	struct moduledata m = { .file = ef, .program = p };
	struct go_function first, last;
	unsigned i;

	m.address = sh->sh_addr + (sh->sh_size - bytes.n);
	if (!go_table_read(&p->table, bytes, swapped, &p->table.text))
		return false;
	p->table.table_from = &p->table_bytes;
	for (i = 0; i < GO_PARTS; i++)
		m.part[i] = m.address + (uint64_t)(p->table.part[i].p - bytes.p);
	elf_layout_read(&p->layout, ef);
	note_part(p, sh->sh_offset + (sh->sh_size - bytes.n), bytes.n);
	use_moduledata(p, &m);
	if (p->table.form == GO_1_16)
		find_trees(p, ef, any_tree(&p->table));
	return go_table_get(&p->table, 0, &first) &&
	       go_table_get(&p->table, p->table.n - 1, &last) && is_code(p, first.start) &&
	       is_code(p, last.end - 1);
}

/* Of a table that is a section by itself. */
static bool open_table(struct go_program *p, const struct elf_file *ef, const GElf_Shdr *sh)
{
	struct span bytes;

	if (sh->sh_size > PART_MAX_BYTES ||
		!go_bytes_open(&p->table_bytes, ef, sh->sh_offset, sh->sh_size))
		return false;
	bytes = p->table_bytes.all;
	go_bytes_need(&p->table_bytes, bytes.p,
		bytes.n < GO_TABLE_HEADER_BYTES ? bytes.n : GO_TABLE_HEADER_BYTES);
	if (use_table(p, ef, sh, bytes))
		return true;
	go_program_release(p);
	return false;
}

/* Linkers of C merge the table's section into .data.rel.ro. It begins at a multiple of 8. */
static bool find_in_data(struct go_program *p, const struct elf_file *ef)
{
	GElf_Shdr sh;
	struct span bytes;

	if (!elf_file_section(ef, ".go.buildinfo", &sh) ||
		!elf_file_section(ef, ".data.rel.ro", &sh))
		return false;
	for (bytes = bytes_of(ef, &sh); bytes.n >= 8; bytes = span_skip(bytes, 8))
		if (go_table_begins(bytes)) {
			if (use_table(p, ef, &sh, bytes))
				return true;
			go_program_release(p);
		}
	return false;
}

void go_program_release(struct go_program *p)
{
	go_bytes_release(&p->table_bytes);
	go_bytes_release(&p->tree_bytes);
	*p = (struct go_program){ .searched = p->searched };
}

bool go_program_has_calls(const struct go_program *p)
{
	return p->table.n && p->table.trees && p->table.tree_bytes.n;
}

bool go_program_open(struct go_program *p, const struct elf_file *ef)
{
	static const char *const names[] = { ".gopclntab", ".data.rel.ro.gopclntab" };
	GElf_Shdr sh;
	size_t i;

	*p = (struct go_program){ .searched = true };
	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (elf_file_section(ef, names[i], &sh) && open_table(p, ef, &sh))
			return true;
	return find_in_data(p, ef);
}

/* ---- packs ----------------------------------------------------------------------------------- */

void go_program_note(const struct go_program *p, const struct files *f, const struct module *m)
{
	uint32_t i;

	for (i = 0; i < p->n_parts; i++)
		files_note_code(f, m, p->part[i].offset, p->part[i].size_bytes);
}
