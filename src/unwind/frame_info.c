/*
 * frame_info.c - an index of .eh_frame or .debug_frame, and the row of CFI for an address
 *
 * frame_info_read() walks all entries once and keeps (start, size, offset of the FDE) for each
 * function, 16 bytes a piece, sorted. frame_info_row() finds the FDE by bisection, reads its CIE,
 * and runs the instructions of both until they pass the address:
 *
 *	CIE instructions   the initial row: usually CFA = sp + 8, return address at CFA - 8
 *	FDE instructions   DW_CFA_advance_loc begins a new row; the one that contains the address is
 *	                   the answer, together with the range [start, end) it holds for
 *
 * A row is not kept: cfi_rows.h keeps the rule that it is compiled to. frame_info.h says why
 * libdw is not used.
 *
 * All numbers come from files: columns are checked against UNWIND_REGS, and the instructions of an
 * entry and the states that they push are bounded.
 *
 * Source: DWARF 5, 6.4 (call frame information); libdw/cfi.c of elfutils for what producers write
 * beyond that (DW_CFA_GNU_*). The entries: base/frame_entry.h.
 */
#include "unwind/frame_info.h"

#include "base/bisect.h"
#include "base/mem.h"

#include <dwarf.h>
#include <stdlib.h>

enum {
	SECTION_MAX_BYTES = 1 << 30,
	INSTRUCTIONS_MAX_BYTES = 1 << 20, /* of one entry: they are run for each address */
	STATES_MAX = 16,
};

/* ---- sections ---- */

static struct span file_bytes(Elf *elf, uint64_t offset, uint64_t n)
{
	Elf_Data *d = n && n <= SECTION_MAX_BYTES && offset <= INT64_MAX
			      ? elf_getdata_rawchunk(elf, (int64_t)offset, n, ELF_T_BYTE)
			      : NULL;

	return d ? (struct span){ d->d_buf, d->d_size } : (struct span){ 0 };
}

/* Finds .eh_frame in a file without section headers: PT_GNU_EH_FRAME is .eh_frame_hdr, which has
 * its address; its end is somewhere in the segment. */
static bool find_by_header(struct frame_info *f, const struct elf_file *ef)
{
	Elf *elf = ef->elf;
	GElf_Phdr header, ph;
	struct frame_reader r;
	uint8_t encoding;
	size_t n, i;

	if (!elf_file_segment(ef, PT_GNU_EH_FRAME, &header) || elf_getphdrnum(elf, &n))
		return false;
	r = frame_reader_of(file_bytes(elf, header.p_offset, 16));
	frame_reader_fixed(&r, 1);
	encoding = (uint8_t)frame_reader_fixed(&r, 1);
	frame_reader_fixed(&r, 2);
	f->section.address = frame_entry_encoded(&f->section, &r, encoding, header.p_vaddr + 4);
	for (i = 0; i < n && !r.failed; i++)
		if (gelf_getphdr(elf, (int)i, &ph) && ph.p_type == PT_LOAD &&
			f->section.address - ph.p_vaddr < ph.p_filesz) {
			uint64_t offset = f->section.address - ph.p_vaddr;

			f->section.bytes =
				file_bytes(elf, ph.p_offset + offset, ph.p_filesz - offset);
		}
	return f->section.bytes.n;
}

static bool find_section(struct frame_info *f, const struct elf_file *ef, const char *name)
{
	GElf_Shdr header;
	Elf_Scn *section = elf_file_section(ef, name, &header);
	GElf_Chdr packed;
	Elf_Data *d;

	if (!section || header.sh_type == SHT_NOBITS || header.sh_size > SECTION_MAX_BYTES)
		return false;
	if (header.sh_flags & SHF_COMPRESSED &&
		(!gelf_getchdr(section, &packed) || packed.ch_size > SECTION_MAX_BYTES ||
			elf_compress(section, 0, 0) < 0))
		return false;
	d = elf_file_rawdata(ef, section);
	if (!d || !d->d_buf)
		return false;
	f->section.bytes = (struct span){ d->d_buf, d->d_size };
	f->section.address = header.sh_addr;
	return true;
}

/* ---- the index ---- */

static int compare_ranges(const void *pa, const void *pb)
{
	const struct frame_range *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->entry < b->entry ? -1 : a->entry > b->entry;
}

static void make_index(struct frame_info *f, bool ends_at_zero)
{
	struct frame_cie c = { .at = UINT64_MAX };
	uint64_t at = 0, from = 0;
	struct frame_entry e;
	struct frame_fde fde;

	for (; frame_entry_next(&f->section, &at, &e); from = at) {
		uint64_t size;

		if (ends_at_zero && at == from + 4)
			break;
		if (at == from + 4 || frame_entry_is_cie(&f->section, &e) ||
			!frame_entry_read_fde(&f->section, &e, &c, &fde))
			continue;
		size = fde.end - fde.start;
		ARRAY_GROW(f->ranges, f->n, f->cap);
		f->ranges[f->n++] = (struct frame_range){ fde.start,
			size < UINT32_MAX ? (uint32_t)size : UINT32_MAX, (uint32_t)from };
	}
	if (f->n)
		qsort(f->ranges, f->n, sizeof(*f->ranges), compare_ranges);
}

bool frame_info_read(struct frame_info *f, struct frame_section section)
{
	*f = (struct frame_info){ .section = section };
	make_index(f, false);
	return f->n;
}

static bool has_narrow_addresses(const struct elf_file *ef)
{
	return ef->header.e_ident[EI_CLASS] == ELFCLASS32;
}

bool frame_info_read_eh_frame(struct frame_info *f, const struct elf_file *ef)
{
	f->section.narrow = has_narrow_addresses(ef);
	if (find_section(f, ef, ".eh_frame"))
		return frame_info_read(f, f->section);
	if (!find_by_header(f, ef))
		return false;
	make_index(f, true);
	return f->n;
}

bool frame_info_read_debug_frame(struct frame_info *f, const struct elf_file *ef)
{
	f->section.debug_frame = true;
	f->section.narrow = has_narrow_addresses(ef);
	return find_section(f, ef, ".debug_frame") && frame_info_read(f, f->section);
}

void frame_info_release(struct frame_info *f)
{
	free(f->ranges);
	*f = (struct frame_info){ 0 };
}

/* The last range that begins at the address or before it. */
static const struct frame_range *find_range(const struct frame_info *f, uint64_t address)
{
	uint32_t low = bisect(i, 0, f->n, f->ranges[i].start > address);

	if (!low || address - f->ranges[low - 1].start >= f->ranges[low - 1].size_bytes)
		return NULL;
	return &f->ranges[low - 1];
}

uint64_t frame_info_next_start(const struct frame_info *f, uint64_t address)
{
	uint32_t i = bisect(k, 0, f->n, f->ranges[k].start >= address);

	return i < f->n ? f->ranges[i].start : UINT64_MAX;
}

/* ---- rows ---- */

struct cfa_machine {
	const struct frame_info *f;
	const struct frame_cie *c;
	struct frame_reader r;
	uint64_t address; /* whose row is wanted */
	uint64_t at;      /* start of the current row */
	struct frame_row *row;
	const struct frame_row *initial; /* after the CIE's instructions */
	struct frame_row states[STATES_MAX];
	unsigned n_states;
};

static void set(struct cfa_machine *m, uint64_t column, struct reg_rule w)
{
	if (column < UNWIND_REGS)
		m->row->column[column] = w;
}

/* Factored offsets are multiplied by the data alignment factor; overflow wraps around. */
static int64_t in_bytes(const struct cfa_machine *m, int64_t units)
{
	return (int64_t)((uint64_t)units * (uint64_t)m->c->data_alignment);
}

static void set_offset(
	struct cfa_machine *m, enum reg_rule_kind kind, uint64_t column, int64_t units)
{
	set(m, column, (struct reg_rule){ .kind = (uint8_t)kind, .offset = in_bytes(m, units) });
}

static void set_expression(struct cfa_machine *m, enum reg_rule_kind kind)
{
	uint64_t column = frame_reader_uleb(&m->r);
	struct span expr = frame_reader_bytes(&m->r, frame_reader_uleb(&m->r));

	set(m, column, (struct reg_rule){ .kind = (uint8_t)kind, .expr = expr });
}

static void restore(struct cfa_machine *m, uint64_t column)
{
	if (column < UNWIND_REGS && m->initial)
		m->row->column[column] = m->initial->column[column];
}

static void set_cfa(struct cfa_machine *m, uint64_t column, int64_t offset)
{
	m->row->cfa_column = column;
	m->row->cfa_offset = offset;
	m->row->cfa_expr = (struct span){ 0 };
}

static void push_state(struct cfa_machine *m)
{
	if (m->n_states == STATES_MAX)
		m->r.failed = true;
	else
		m->states[m->n_states++] = *m->row;
}

static void pop_state(struct cfa_machine *m)
{
	if (!m->n_states)
		m->r.failed = true;
	else
		*m->row = m->states[--m->n_states];
}

/* Instructions that define the CFA. False: op is none of them. */
static bool run_cfa(struct cfa_machine *m, uint8_t op)
{
	struct frame_reader *r = &m->r;
	uint64_t column;

	switch (op) {
	case DW_CFA_def_cfa:
		column = frame_reader_uleb(r);
		set_cfa(m, column, (int64_t)frame_reader_uleb(r));
		return true;
	case DW_CFA_def_cfa_sf:
		column = frame_reader_uleb(r);
		set_cfa(m, column, in_bytes(m, frame_reader_sleb(r)));
		return true;
	case DW_CFA_def_cfa_register:
		set_cfa(m, frame_reader_uleb(r), m->row->cfa_offset);
		return true;
	case DW_CFA_def_cfa_offset:
		set_cfa(m, m->row->cfa_column, (int64_t)frame_reader_uleb(r));
		return true;
	case DW_CFA_def_cfa_offset_sf:
		set_cfa(m, m->row->cfa_column, in_bytes(m, frame_reader_sleb(r)));
		return true;
	case DW_CFA_def_cfa_expression:
		m->row->cfa_expr = frame_reader_bytes(r, frame_reader_uleb(r));
		r->failed |= !m->row->cfa_expr.n;
		return true;
	}
	return false;
}

/* Instructions that define the rule of a register. */
static bool run_register(struct cfa_machine *m, uint8_t op)
{
	struct frame_reader *r = &m->r;
	uint64_t column;

	switch (op) {
	case DW_CFA_offset_extended:
		column = frame_reader_uleb(r);
		set_offset(m, REG_RULE_OFFSET, column, (int64_t)frame_reader_uleb(r));
		return true;
	case DW_CFA_offset_extended_sf:
		column = frame_reader_uleb(r);
		set_offset(m, REG_RULE_OFFSET, column, frame_reader_sleb(r));
		return true;
	case DW_CFA_GNU_negative_offset_extended:
		column = frame_reader_uleb(r);
		set_offset(m, REG_RULE_OFFSET, column, (int64_t)(0 - frame_reader_uleb(r)));
		return true;
	case DW_CFA_val_offset:
		column = frame_reader_uleb(r);
		set_offset(m, REG_RULE_VAL_OFFSET, column, (int64_t)frame_reader_uleb(r));
		return true;
	case DW_CFA_val_offset_sf:
		column = frame_reader_uleb(r);
		set_offset(m, REG_RULE_VAL_OFFSET, column, frame_reader_sleb(r));
		return true;
	case DW_CFA_register:
		column = frame_reader_uleb(r);
		set(m, column,
			(struct reg_rule){ .kind = REG_RULE_REGISTER,
				.offset = (int64_t)frame_reader_uleb(r) });
		return true;
	case DW_CFA_undefined:
		set(m, frame_reader_uleb(r), (struct reg_rule){ .kind = REG_RULE_UNDEFINED });
		return true;
	case DW_CFA_same_value:
		set(m, frame_reader_uleb(r), (struct reg_rule){ .kind = REG_RULE_SAME_VALUE });
		return true;
	case DW_CFA_restore_extended:
		restore(m, frame_reader_uleb(r));
		return true;
	case DW_CFA_expression:
		set_expression(m, REG_RULE_EXPRESSION);
		return true;
	case DW_CFA_val_expression:
		set_expression(m, REG_RULE_VAL_EXPRESSION);
		return true;
	}
	return false;
}

static bool run_other(struct cfa_machine *m, uint8_t op)
{
	switch (op) {
	case DW_CFA_nop:
	case DW_CFA_GNU_window_save: /* on aarch64: DW_CFA_AARCH64_negate_ra_state */
		return true;
	case DW_CFA_remember_state:
		push_state(m);
		return true;
	case DW_CFA_restore_state:
		pop_state(m);
		return true;
	case DW_CFA_GNU_args_size:
		frame_reader_uleb(&m->r);
		return true;
	}
	return false;
}

/* Instructions that begin a new row: its address. */
static bool read_advance(struct cfa_machine *m, uint8_t op, uint64_t *next)
{
	uint64_t delta;

	switch (op) {
	case DW_CFA_set_loc:
		*next = frame_entry_encoded(&m->f->section, &m->r, m->c->encoding,
			frame_entry_address(&m->f->section, &m->r));
		return true;
	case DW_CFA_advance_loc1:
		delta = frame_reader_fixed(&m->r, 1);
		break;
	case DW_CFA_advance_loc2:
		delta = frame_reader_fixed(&m->r, 2);
		break;
	case DW_CFA_advance_loc4:
		delta = frame_reader_fixed(&m->r, 4);
		break;
	default:
		if (op >> 6 != DW_CFA_advance_loc >> 6)
			return false;
		delta = op & 63;
	}
	*next = m->at + delta * m->c->code_alignment;
	return true;
}

/* Runs up to the row for the address; *end becomes the start of the next row. */
static bool run(struct cfa_machine *m, struct span instructions, uint64_t *end)
{
	uint64_t next;

	if (instructions.n > INSTRUCTIONS_MAX_BYTES)
		return false;
	m->r = frame_reader_of(instructions);
	while (frame_reader_left(&m->r) && !m->r.failed) {
		uint8_t op = (uint8_t)frame_reader_fixed(&m->r, 1);

		if (read_advance(m, op, &next)) {
			if (next > m->address) {
				*end = next < *end ? next : *end;
				break;
			}
			m->at = next;
		} else if (op >> 6 == DW_CFA_offset >> 6) {
			set_offset(m, REG_RULE_OFFSET, op & 63, (int64_t)frame_reader_uleb(&m->r));
		} else if (op >> 6 == DW_CFA_restore >> 6) {
			restore(m, op & 63);
		} else if (!run_register(m, op) && !run_cfa(m, op) && !run_other(m, op)) {
			return false;
		}
	}
	return !m->r.failed;
}

bool frame_info_row(const struct frame_info *f, uint64_t address, struct frame_row *row)
{
	const struct frame_range *range = find_range(f, address);
	uint64_t at, end;
	struct frame_cie c = { .at = UINT64_MAX };
	struct cfa_machine m = { .f = f, .c = &c, .address = address, .row = row };
	struct frame_row initial;
	struct frame_entry e;
	struct frame_fde fde;

	*row = (struct frame_row){ .cfa_column = UINT64_MAX };
	if (!range)
		return false;
	at = range->entry;
	if (!frame_entry_next(&f->section, &at, &e) ||
		!frame_entry_read_fde(&f->section, &e, &c, &fde))
		return false;
	end = fde.end;
	m.at = fde.start;
	if (!run(&m, c.instructions, &end))
		return false;
	initial = *row;
	m.initial = &initial;
	end = fde.end;
	if (!run(&m, fde.instructions, &end))
		return false;
	row->start = m.at;
	row->end = end;
	row->signal = c.signal;
	row->ra = c.ra;
	return true;
}
