/*
 * arm_exidx.c - the index of functions, and the instructions that undo a frame
 *
 *	.ARM.exidx   two words a function, sorted: where it begins, relative to the word; and
 *	               1               it cannot be unwound
 *	               1000 0000 ...   three bytes of instructions
 *	               0...            where in .ARM.extab it goes on, relative to the word
 *	.ARM.extab   1000 iiii ...     instructions: three bytes, or, if i is 1 or 2, a number of
 *	                               words, then two bytes, then these words
 *	             0...              a routine of a language; a number of words, three bytes, the
 *	                               words
 *
 * The instructions move a virtual stack pointer up and pop registers from it. It is the stack
 * pointer at first, or another register that holds a place in the frame, and the CFA at the end.
 */
#include "unwind/arm_exidx.h"

#include "base/bisect.h"
#include "base/bytes.h"

enum {
	ENTRY_BYTES = 8,
	CANNOT_UNWIND = 1,
	WORDS_MAX = 1 + 255,
	SP = 13,
	LR = 14,
	PC = 15,
	WORD = 4,
};

/* ---- sections ---- */

static bool find_section(struct arm_exidx_bytes *b, const struct elf_file *ef, const char *name)
{
	GElf_Shdr header;
	Elf_Scn *section = elf_file_section(ef, name, &header);
	Elf_Data *d;

	if (!section || header.sh_type == SHT_NOBITS || header.sh_flags & SHF_COMPRESSED)
		return false;
	d = elf_file_rawdata(ef, section);
	if (!d || !d->d_buf)
		return false;
	*b = (struct arm_exidx_bytes){ { d->d_buf, d->d_size }, header.sh_addr };
	return true;
}

static bool read_segment(struct arm_exidx_bytes *b, const struct elf_file *ef, const GElf_Phdr *ph)
{
	Elf_Data *d = ph->p_filesz ? elf_file_chunk(ef, ph->p_offset, ph->p_filesz) : NULL;

	if (!d || !d->d_buf)
		return false;
	*b = (struct arm_exidx_bytes){ { d->d_buf, d->d_size }, ph->p_vaddr };
	return true;
}

/* The loaded segment that has an address. */
static bool find_loaded(struct arm_exidx_bytes *b, const struct elf_file *ef, uint64_t address)
{
	GElf_Phdr ph;
	size_t n, i;

	if (elf_getphdrnum(ef->elf, &n))
		return false;
	for (i = 0; i < n; i++)
		if (gelf_getphdr(ef->elf, (int)i, &ph) && ph.p_type == PT_LOAD &&
			address - ph.p_vaddr < ph.p_filesz)
			return read_segment(b, ef, &ph);
	return false;
}

bool arm_exidx_read(struct arm_exidx *x, const struct elf_file *ef)
{
	GElf_Phdr ph;

	*x = (struct arm_exidx){ 0 };
	if (ef->header.e_machine != EM_ARM || ef->header.e_ident[EI_DATA] != ELFDATA2LSB)
		return false;
	if (!find_section(&x->index, ef, ".ARM.exidx") &&
		!(elf_file_segment(ef, PT_ARM_EXIDX, &ph) && read_segment(&x->index, ef, &ph)))
		return false;
	if (!find_section(&x->tables, ef, ".ARM.extab"))
		find_loaded(&x->tables, ef, x->index.address);
	return x->index.bytes.n >= ENTRY_BYTES;
}

/* ---- words ---- */

static uint32_t word_at(const struct arm_exidx_bytes *b, size_t at)
{
	return bytes_u32((const uint8_t *)b->bytes.p + at, HOST_IS_BIG_ENDIAN);
}

/* What a word is relative to itself: a signed number of 31 bits. */
static uint64_t relative(const struct arm_exidx_bytes *b, size_t at)
{
	uint32_t word = word_at(b, at) & INT32_MAX;
	uint32_t offset = word | (word & 1u << 30) << 1;

	return (uint32_t)(b->address + at + offset);
}

static uint64_t start_of(const struct arm_exidx *x, size_t entry)
{
	return relative(&x->index, entry * ENTRY_BYTES) & ~1ull;
}

/* ---- instructions ---- */

struct arm_instructions {
	uint8_t byte[WORDS_MAX * WORD];
	unsigned n, at;
};

/* The last n_bytes of a word, the most significant one first. */
static void add_bytes(struct arm_instructions *in, uint32_t word, unsigned n_bytes)
{
	while (n_bytes--)
		in->byte[in->n++] = (uint8_t)(word >> 8 * n_bytes);
}

/* n_bytes of the word at a place in .ARM.extab, and n_words after it. */
static bool add_words(struct arm_instructions *in, const struct arm_exidx_bytes *b, size_t at,
	unsigned n_bytes, unsigned n_words)
{
	if (b->bytes.n - at < (size_t)(n_words + 1) * WORD)
		return false;
	add_bytes(in, word_at(b, at), n_bytes);
	while (n_words--)
		add_bytes(in, word_at(b, at += WORD), WORD);
	return true;
}

static bool read_table(
	const struct arm_exidx_bytes *b, uint64_t address, struct arm_instructions *in)
{
	size_t at = address - b->address;
	uint32_t word;

	if (at > b->bytes.n || b->bytes.n - at < 2 * WORD)
		return false;
	word = word_at(b, at);
	if (word >> 31 == 0)
		return add_words(in, b, at + WORD, 3, word_at(b, at + WORD) >> 24);
	if (word >> 24 == 0x80)
		return add_words(in, b, at, 3, 0);
	return (word >> 24 == 0x81 || word >> 24 == 0x82) &&
	       add_words(in, b, at, 2, word >> 16 & 0xff);
}

static bool read_instructions(const struct arm_exidx *x, size_t entry, struct arm_instructions *in)
{
	size_t at = entry * ENTRY_BYTES + WORD;
	uint32_t word = word_at(&x->index, at);

	in->n = in->at = 0;
	if (word == CANNOT_UNWIND)
		return false;
	if (word >> 31 == 0)
		return read_table(&x->tables, relative(&x->index, at), in);
	add_bytes(in, word, 3);
	return word >> 24 == 0x80;
}

/* ---- a frame undone ---- */

struct undoing {
	struct arm_instructions in;
	struct frame_row *row;
	int64_t at; /* of the virtual stack pointer, from row->cfa_column */
	bool popped, failed;
};

static uint8_t next_byte(struct undoing *u)
{
	if (u->in.at == u->in.n)
		u->failed = true;
	return u->failed ? 0 : u->in.byte[u->in.at++];
}

static uint32_t next_uleb(struct undoing *u)
{
	enum { SHIFT_MAX = 21 }; /* a frame of a gigabyte */
	uint32_t value = 0;
	unsigned shift;
	uint8_t byte;

	for (shift = 0; shift <= SHIFT_MAX; shift += 7) {
		byte = next_byte(u);
		value |= (byte & 0x7fu) << shift;
		if (!(byte & 0x80))
			return value;
	}
	u->failed = true;
	return 0;
}

/* Registers by their bits, the lowest number from the lowest address. A stack pointer that is
 * popped is nowhere in what compilers write. */
static void pop(struct undoing *u, uint32_t registers)
{
	unsigned i;

	u->failed |= !registers || registers >> SP & 1;
	u->popped = true;
	for (i = 0; i <= PC; i++)
		if (registers >> i & 1) {
			u->row->column[i] =
				(struct reg_rule){ .kind = REG_RULE_OFFSET, .offset = u->at };
			u->at += WORD;
		}
}

/* Of r4 to r11. */
static uint32_t from_r4(unsigned n)
{
	return ((1u << n) - 1) << 4;
}

static void set_virtual_sp(struct undoing *u, uint8_t column)
{
	/* What was popped before would be relative to two registers. */
	u->failed |= column == SP || column == PC || u->popped || u->row->cfa_column != SP;
	u->row->cfa_column = column;
	u->at = 0;
}

/* Instructions that begin with 1011. */
static void undo_1011(struct undoing *u, uint8_t op)
{
	switch (op) {
	case 0xb1:
		pop(u, next_byte(u) & 0x0f);
		return;
	case 0xb2:
		u->at += 0x204 + (int64_t)next_uleb(u) * WORD;
		return;
	case 0xb3: /* D registers, as FSTMFDX stores them */
		u->at += 8 * ((next_byte(u) & 0x0f) + 1) + WORD;
		return;
	case 0xb4: /* the code that authenticates the return address */
		u->at += WORD;
		return;
	}
	u->failed |= op < 0xb8;
	u->at += 8 * ((op & 7) + 1) + WORD;
}

/* Instructions that begin with 11: registers of coprocessors. */
static void undo_11(struct undoing *u, uint8_t op)
{
	switch (op) {
	case 0xc6:
	case 0xc8:
	case 0xc9:
		u->at += 8 * ((next_byte(u) & 0x0f) + 1);
		return;
	case 0xc7:
		u->at += WORD * __builtin_popcount(next_byte(u) & 0x0f);
		return;
	}
	u->failed |= op > 0xd7 || (op > 0xc5 && op < 0xd0);
	u->at += 8 * ((op & 7) + 1);
}

static void undo(struct undoing *u, uint8_t op)
{
	int64_t bytes = (op & 0x3f) * WORD + WORD;

	switch (op >> 4) {
	case 0x8: /* of no register: it cannot be unwound */
		pop(u, (uint32_t)((op & 0x0f) << 8 | next_byte(u)) << 4);
		break;
	case 0x9:
		set_virtual_sp(u, op & 0x0f);
		break;
	case 0xa:
		pop(u, from_r4((op & 7) + 1) | (op & 8 ? 1u << LR : 0));
		break;
	case 0xb:
		undo_1011(u, op);
		break;
	case 0xc:
	case 0xd:
		undo_11(u, op);
		break;
	default:
		u->failed |= op > 0x7f;
		u->at += op & 0x40 ? -bytes : bytes;
	}
}

/* The virtual stack pointer has become the CFA, and a caller's pc is its return address. */
static void finish(struct frame_row *row, int64_t cfa_offset)
{
	unsigned i;

	if (row->column[PC].kind)
		row->column[LR] = row->column[PC];
	row->column[PC] = (struct reg_rule){ 0 };
	row->cfa_offset = cfa_offset;
	for (i = 0; i <= LR; i++)
		if (row->column[i].kind == REG_RULE_OFFSET)
			row->column[i].offset -= cfa_offset;
}

bool arm_exidx_row(const struct arm_exidx *x, uint64_t address, struct frame_row *row)
{
	enum { FINISH = 0xb0 };
	size_t n = x->index.bytes.n / ENTRY_BYTES;
	size_t after = bisect(i, (size_t)0, n, start_of(x, i) > address);
	struct undoing u = { .row = row };
	uint8_t op;

	*row = (struct frame_row){ .guessed = true, .cfa_column = SP, .ra = LR };
	if (!after || after == n || !read_instructions(x, after - 1, &u.in))
		return false;
	while (u.in.at < u.in.n && !u.failed && (op = next_byte(&u)) != FINISH)
		undo(&u, op);
	row->start = start_of(x, after - 1);
	row->end = start_of(x, after);
	finish(row, u.at);
	return !u.failed && u.at >= 0;
}
