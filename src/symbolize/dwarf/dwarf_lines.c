/*
 * How it works. The program moves a state (address, file, line) and says when that is a row. A row
 * at the address of the one before replaces it, and one with the same file and line is no row of
 * its own, so that any number of them covers what a single one does:
 *
 *	0x10 a.c:1, 0x14 a.c:1, 0x18 a.c:2, 0x18 a.c:3, 0x20 end  ─►  0x10 a.c:1, 0x18 a.c:3
 *
 * A sequence has rows in ascending order. Where a program goes back without ending it, another one
 * begins. Look-ups go through sequences as dwarf_units.c does through ranges of units.
 */
#include "symbolize/dwarf/dwarf_lines.h"

#include "base/bisect.h"
#include "base/mem.h"
#include "symbolize/dwarf/dwarf_range.h"

#include <dwarf.h>
#include <stdlib.h>

enum { ROWS_MAX = 1 << 26, STEPS_BACK_MAX = 256 };

struct line_machine {
	struct dwarf_lines *to;
	struct dwarf_line_header *h;
	struct cursor c;
	uint64_t address;
	uint32_t operation; /* within an instruction of several */
	uint32_t file, line;
	uint32_t first; /* row of the sequence */
	bool in_sequence;
};

/* ---- rows ----------------------------------------------------------------------------------- */

static void end_sequence(struct line_machine *m, uint64_t end)
{
	struct dwarf_lines *l = m->to;
	struct dwarf_line_sequence s = { .end = end, .first = m->first };

	m->in_sequence = false;
	s.start = l->row[s.first].address;
	s.n = l->n_rows - s.first;
	if (dwarf_range_is_dropped(s.start, s.end)) {
		l->n_rows = s.first;
		return;
	}
	ARRAY_GROW(l->sequence, l->n_sequences, l->cap_sequences);
	l->sequence[l->n_sequences++] = s;
}

/* Not with an address of its own that says where it ends: its last row is of one byte. */
static void cut_sequence(struct line_machine *m)
{
	if (m->in_sequence)
		end_sequence(m, m->to->row[m->to->n_rows - 1].address + 1);
}

static void append_row(struct line_machine *m, const struct dwarf_line_row *row)
{
	struct dwarf_lines *l = m->to;

	if (l->n_rows == ROWS_MAX)
		return;
	ARRAY_GROW(l->row, l->n_rows, l->cap_rows);
	l->row[l->n_rows++] = *row;
}

static void add_row(struct line_machine *m)
{
	struct dwarf_lines *l = m->to;
	struct dwarf_line_row row = { m->address, m->file, m->line > INT32_MAX ? 0 : m->line };
	struct dwarf_line_row *last;

	if (m->in_sequence && row.address < l->row[l->n_rows - 1].address)
		cut_sequence(m);
	if (!m->in_sequence) {
		m->first = l->n_rows;
		append_row(m, &row);
		m->in_sequence = l->n_rows > m->first;
		return;
	}
	last = &l->row[l->n_rows - 1];
	if (row.address == last->address)
		*last = row;
	else if (row.file != last->file || row.line != last->line)
		append_row(m, &row);
}

/* ---- the program ---------------------------------------------------------------------------- */

static void begin_sequence(struct line_machine *m)
{
	m->address = 0;
	m->operation = 0;
	m->file = m->line = 1;
}

static void advance(struct line_machine *m, uint64_t operations)
{
	const struct dwarf_line_header *h = m->h;

	if (h->operations > 1) {
		operations += m->operation;
		m->operation = (uint32_t)(operations % h->operations);
		operations /= h->operations;
	}
	m->address += h->instruction_bytes * operations;
}

static void run_special(struct line_machine *m, uint8_t opcode)
{
	uint8_t adjusted = (uint8_t)(opcode - m->h->opcode_base);

	m->line += (uint32_t)(m->h->line_base + adjusted % m->h->line_range);
	advance(m, adjusted / m->h->line_range);
	add_row(m);
}

/* Of as many bytes as the opcode has left. */
static void set_address(struct line_machine *m, struct cursor *c)
{
	switch (c->left) {
	case 4:
		m->address = cursor_u32(c);
		break;
	case 8:
		m->address = cursor_u64(c);
		break;
	default:
		c->failed = true;
	}
	m->operation = 0;
}

static void run_extended(struct line_machine *m)
{
	uint64_t n = cursor_uleb(&m->c);
	const uint8_t *p = cursor_bytes(&m->c, n);
	struct cursor c = { .p = p, .left = p ? (size_t)n : 0, .swapped = m->c.swapped };
	const uint8_t *opcode = cursor_bytes(&c, 1);

	switch (opcode ? *opcode : 0) {
	case DW_LNE_end_sequence:
		if (m->in_sequence && m->address >= m->to->row[m->to->n_rows - 1].address)
			end_sequence(m, m->address);
		cut_sequence(m);
		begin_sequence(m);
		break;
	case DW_LNE_set_address:
		set_address(m, &c);
		break;
	case DW_LNE_define_file:
		dwarf_line_header_define_file(m->h, &c);
		break;
	}
	m->c.failed |= c.failed;
}

static int64_t next_sleb(struct cursor *c)
{
	const uint8_t *start = c->p;
	uint64_t value = cursor_uleb(c);
	size_t bits = 7 * (size_t)(c->p - start);

	if (bits && bits < 64 && value >> (bits - 1) & 1)
		value |= UINT64_MAX << bits;
	return (int64_t)value;
}

/* What is not known is skipped by the number of its operands. */
static void run_standard(struct line_machine *m, uint8_t opcode)
{
	uint8_t i;

	switch (opcode) {
	case DW_LNS_copy:
		add_row(m);
		break;
	case DW_LNS_advance_pc:
		advance(m, cursor_uleb(&m->c));
		break;
	case DW_LNS_advance_line:
		m->line += (uint32_t)next_sleb(&m->c);
		break;
	case DW_LNS_set_file:
		m->file = (uint32_t)cursor_uleb(&m->c);
		break;
	case DW_LNS_const_add_pc:
		advance(m, (uint8_t)(255 - m->h->opcode_base) / m->h->line_range);
		break;
	case DW_LNS_fixed_advance_pc:
		m->address += cursor_u16(&m->c);
		m->operation = 0;
		break;
	default:
		for (i = m->h->operands[opcode - 1]; i; i--)
			cursor_uleb(&m->c);
	}
}

static void run(struct line_machine *m)
{
	begin_sequence(m);
	while (m->c.left && !m->c.failed) {
		uint8_t opcode = *m->c.p;

		cursor_bytes(&m->c, 1);
		if (opcode >= m->h->opcode_base)
			run_special(m, opcode);
		else if (opcode)
			run_standard(m, opcode);
		else
			run_extended(m);
	}
	cut_sequence(m);
}

/* ---- all ------------------------------------------------------------------------------------ */

static int by_start(const void *pa, const void *pb)
{
	const struct dwarf_line_sequence *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

void dwarf_lines_read(struct dwarf_lines *l, struct dwarf_line_header *h)
{
	struct line_machine m = { .to = l, .h = h, .c = h->program };
	uint64_t reach = 0;
	uint32_t i;

	*l = (struct dwarf_lines){ 0 };
	run(&m);
	if (l->n_sequences)
		qsort(l->sequence, l->n_sequences, sizeof(*l->sequence), by_start);
	for (i = 0; i < l->n_sequences; i++) {
		reach = l->sequence[i].end > reach ? l->sequence[i].end : reach;
		l->sequence[i].reach = reach;
	}
}

void dwarf_lines_release(struct dwarf_lines *l)
{
	free(l->row);
	free(l->sequence);
	*l = (struct dwarf_lines){ 0 };
}

static const struct dwarf_line_row *row_in(
	const struct dwarf_lines *l, const struct dwarf_line_sequence *s, uint64_t address)
{
	uint32_t end = s->first + s->n;

	return &l->row[bisect(i, s->first, end, l->row[i].address > address) - 1];
}

const struct dwarf_line_row *dwarf_lines_find(const struct dwarf_lines *l, uint64_t address)
{
	const struct dwarf_line_sequence *all = l->sequence;
	uint32_t at = bisect(i, 0u, l->n_sequences, all[i].start > address), steps;

	for (steps = 0; at && all[at - 1].reach > address && steps < STEPS_BACK_MAX; steps++)
		if (all[--at].end > address)
			return row_in(l, &all[at], address);
	return NULL;
}
