/*
 * How it works. The program moves a state (address, file, line) and says when that is a row. A row
 * at the address of the one before replaces it, and one with the same file and line is no row of
 * its own, so that any number of them covers what a single one does:
 *
 *	0x10 a.c:1, 0x14 a.c:1, 0x18 a.c:2, 0x18 a.c:3, 0x20 end  ─►  0x10 a.c:1, 0x18 a.c:3
 *
 * A row is kept when it is known where it ends, if it has one of the addresses that are wanted: of
 * 10,000 rows of a unit, samples want some dozens. Most opcodes are special: what these do is put
 * into a table first.
 *
 * A sequence has rows in ascending order. Where a program goes back without ending it, another one
 * begins. Look-ups go through sequences as dwarf_units.c does through ranges of units.
 *
 * A large program is read piece by piece. Before an opcode whose operands may go on in the next
 * piece, what is left of this one goes to the front, and the rest is filled up:
 *
 *	piece_at   c                 c + left
 *	|  done    | not yet run     | rest: not read      ─►  | not yet run | read now ... |
 *
 * Who shows the instructions of some functions later needs the rows of these. So the state of the
 * machine is kept at the start of each sequence that has a wanted address, and within it after
 * every PART_BYTES of the program: 24 bytes of memory for each of them.
 */
#include "symbolize/dwarf/dwarf_lines.h"

#include "base/bisect.h"
#include "base/mem.h"
#include "symbolize/dwarf/dwarf_range.h"

#include <dwarf.h>
#include <stdlib.h>

/* ROW_BYTES: of the frequent opcodes before a row, its own, and what is looked at after that. */
enum {
	ROWS_MAX = 1 << 26,
	STEPS_BACK_MAX = 256,
	PART_BYTES = 1024,
	ROW_BYTES = 11,
	DISCRIMINATOR_BYTES = 4,
	/* An opcode may have 255 operands, of which each has 10 bytes or less. */
	OPCODE_BYTES_MOST = 4096,
};

/* Beyond any program. */
#define NO_PART ((const uint8_t *)UINTPTR_MAX)

/* What a special opcode adds. */
struct line_step {
	uint32_t operations, lines;
};

struct line_machine {
	struct dwarf_lines *to;
	struct dwarf_line_header *h;
	const struct dwarf_lines_wanted *wanted; /* NULL: all addresses are */
	struct dwarf_line_parts *parts;          /* NULL: not needed */
	struct cursor c;
	uint64_t rest;        /* bytes of the program that come after c, in other pieces */
	const uint8_t *piece; /* where it begins in memory */
	uint64_t piece_at;    /* and in the program */
	uint64_t address;
	uint32_t operation; /* within an instruction of several */
	uint32_t line, file;
	bool in_sequence;
	/* Of the sequence. */
	uint64_t start;
	uint32_t first; /* row */
	uint32_t first_part;
	const uint8_t *next_part;  /* a row here in the program or later begins one */
	struct dwarf_line_row row; /* the latest, which is not kept yet */
	uint64_t next_wanted;      /* the first address in it or later that is wanted */
	struct line_step special[256];
};

/* ---- rows ----------------------------------------------------------------------------------- */

static uint64_t first_wanted(const struct line_machine *m, uint64_t address)
{
	const struct dwarf_lines_wanted *w = m->wanted;
	uint32_t at;

	if (!w)
		return address;
	at = bisect(i, 0u, w->n, w->address[i] >= address);
	return at < w->n ? w->address[at] : UINT64_MAX;
}

/* The latest row goes up to end. */
static void finish_row(struct line_machine *m, uint64_t end)
{
	struct dwarf_lines *l = m->to;
	const struct dwarf_line_row *last = l->n_rows > m->first ? &l->row[l->n_rows - 1] : NULL;

	if (m->next_wanted >= end)
		return;
	m->next_wanted = first_wanted(m, end);
	if (m->row.line > INT32_MAX)
		m->row.line = 0;
	if ((last && last->file == m->row.file && last->line == m->row.line) ||
		l->n_rows == ROWS_MAX)
		return;
	ARRAY_GROW(l->row, l->n_rows, l->cap_rows);
	l->row[l->n_rows++] = m->row;
}

static uint64_t place_in_program(const struct line_machine *m)
{
	return m->piece_at + (uint64_t)(m->c.p - m->piece);
}

static void end_part(struct line_machine *m, uint64_t end)
{
	struct dwarf_line_part *last = &m->parts->part[m->parts->n - 1];

	last->end = end;
	last->end_at = (uint32_t)place_in_program(m);
}

/* At the row that was added last. */
static void add_part(struct line_machine *m)
{
	struct dwarf_line_parts *parts = m->parts;

	if (parts->n > m->first_part) {
		if (parts->part[parts->n - 1].start == m->address)
			return;
		end_part(m, m->address);
	}
	ARRAY_GROW(parts->part, parts->n, parts->cap);
	parts->part[parts->n++] = (struct dwarf_line_part){ .start = m->address,
		.at = (uint32_t)place_in_program(m),
		.file = m->file,
		.line = m->line };
	m->next_part = m->c.p + PART_BYTES;
}

/* keep: the sequence has a wanted address. */
static void end_parts(struct line_machine *m, uint64_t end, bool keep)
{
	if (!keep)
		m->parts->n = m->first_part;
	else if (m->parts->n > m->first_part)
		end_part(m, end);
}

static void end_sequence(struct line_machine *m, uint64_t end)
{
	struct dwarf_lines *l = m->to;

	finish_row(m, end);
	m->in_sequence = false;
	if (dwarf_range_is_dropped(m->start, end))
		l->n_rows = m->first;
	if (m->parts)
		end_parts(m, end, l->n_rows > m->first);
	if (l->n_rows == m->first)
		return;
	ARRAY_GROW(l->sequence, l->n_sequences, l->cap_sequences);
	l->sequence[l->n_sequences++] = (struct dwarf_line_sequence){
		.start = m->start, .end = end, .first = m->first, .n = l->n_rows - m->first
	};
}

/* Not with an address of its own that says where it ends: its last row is of one byte. */
static void cut_sequence(struct line_machine *m)
{
	if (m->in_sequence)
		end_sequence(m, m->row.address + 1);
}

static void begin_sequence_at_row(struct line_machine *m)
{
	m->in_sequence = true;
	m->start = m->address;
	m->first = m->to->n_rows;
	if (m->parts) {
		m->first_part = m->parts->n;
		m->next_part = m->c.p;
	}
	m->next_wanted = first_wanted(m, m->address);
}

static void set_row(struct line_machine *m)
{
	m->row = (struct dwarf_line_row){ m->address, m->file, m->line };
}

static void add_row(struct line_machine *m)
{
	if (m->in_sequence && m->address < m->row.address)
		cut_sequence(m);
	if (!m->in_sequence)
		begin_sequence_at_row(m);
	else if (m->next_wanted < m->address)
		finish_row(m, m->address);
	set_row(m);
	if (m->c.p >= m->next_part)
		add_part(m);
}

/* The same; nearly all rows are of addresses that nobody wants. */
static inline void add_frequent_row(
	struct line_machine *m, const uint8_t *p, uint64_t address, uint32_t line)
{
	m->c.p = p;
	m->address = address;
	m->line = line;
	if (m->in_sequence && address >= m->row.address && address <= m->next_wanted &&
		p < m->next_part)
		m->row = (struct dwarf_line_row){ address, m->file, line };
	else
		add_row(m);
}

/* ---- pieces --------------------------------------------------------------------------------- */

static uint64_t program_bytes(const struct dwarf_line_header *h)
{
	return h->pieces.read ? h->pieces.size_bytes : h->program.left;
}

/* Goes to a place in the program, of which n bytes are run. */
static void go_to(struct line_machine *m, uint64_t at, uint64_t n)
{
	m->c = m->h->program;
	m->piece = m->c.p;
	if (m->h->pieces.read) {
		m->piece = m->c.p = m->h->pieces.room;
		m->piece_at = at;
		m->rest = n;
	} else {
		cursor_bytes(&m->c, at);
		m->c.left = m->c.left < n ? m->c.left : (size_t)n;
	}
}

/* Of what can be read no more, all that comes before it is run. */
static void read_piece(struct line_machine *m)
{
	const struct dwarf_line_pieces *from = &m->h->pieces;
	size_t kept = m->c.left, room = from->room_bytes - kept;
	size_t n = m->rest < room ? (size_t)m->rest : room;
	uint64_t at = place_in_program(m);

	if (kept)
		memmove(from->room, m->c.p, kept);
	if (m->next_part != NO_PART)
		m->next_part = from->room + (m->next_part > m->c.p ? m->next_part - m->c.p : 0);
	if (from->read(from->from, from->offset + at + kept, from->room + kept, n))
		m->rest -= n;
	else
		m->rest = n = 0;
	m->piece_at = at;
	m->piece = m->c.p = from->room;
	m->c.left = kept + n;
}

/* Is there an opcode, with its operands? */
static inline bool has_opcode(struct line_machine *m)
{
	if (m->rest && m->c.left < OPCODE_BYTES_MOST)
		read_piece(m);
	return m->c.left && !m->c.failed;
}

/* The next n bytes; NULL: there are not so many, or more than are looked at. */
static const uint8_t *next_bytes(struct line_machine *m, uint64_t n)
{
	uint64_t beyond;

	if (n > m->c.left && m->rest)
		read_piece(m);
	if (n <= m->c.left || n - m->c.left > m->rest)
		return cursor_bytes(&m->c, n);
	beyond = n - m->c.left;
	m->piece_at = place_in_program(m) + n;
	m->piece = m->c.p;
	m->c.left = 0;
	m->rest -= beyond;
	return NULL;
}

/* ---- the program ---------------------------------------------------------------------------- */

/* Opcodes count through the lines first: an opcode is opcode_base + line - line_base +
 * line_range * operations. */
static void make_special(struct line_machine *m)
{
	const struct dwarf_line_header *h = m->h;
	uint32_t opcode, operations = 0, line = 0;

	for (opcode = h->opcode_base; opcode < ARRAY_LEN(m->special); opcode++) {
		m->special[opcode] =
			(struct line_step){ operations, (uint32_t)(h->line_base + (int32_t)line) };
		if (++line == h->line_range) {
			line = 0;
			operations++;
		}
	}
}

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
	m->line += m->special[opcode].lines;
	advance(m, m->special[opcode].operations);
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
	const uint8_t *p = next_bytes(m, n);
	struct cursor c = { .p = p, .left = p ? (size_t)n : 0, .swapped = m->c.swapped };
	const uint8_t *opcode = p ? cursor_bytes(&c, 1) : NULL;

	switch (opcode ? *opcode : 0) {
	case DW_LNE_end_sequence:
		if (m->in_sequence && m->address >= m->row.address)
			end_sequence(m, m->address);
		cut_sequence(m);
		begin_sequence(m);
		break;
	case DW_LNE_set_address:
		set_address(m, &c);
		break;
	case DW_LNE_define_file:
		if (m->h->version < 5) /* where it is reserved */
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
	case DW_LNS_set_column:
		cursor_uleb(&m->c);
		break;
	case DW_LNS_negate_stmt:
		break;
	case DW_LNS_const_add_pc:
		advance(m, m->special[255].operations);
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

static void run_next(struct line_machine *m)
{
	uint8_t opcode = *cursor_bytes(&m->c, 1);

	if (opcode >= m->h->opcode_base)
		run_special(m, opcode);
	else if (opcode)
		run_standard(m, opcode);
	else
		run_extended(m);
}

/* After an opcode that is skipped, whose operand has one byte or two; NULL: it has more. */
static inline const uint8_t *skip_operand(const uint8_t *p)
{
	if (!(p[1] & 128))
		return p + 2;
	return p[2] & 128 ? NULL : p + 3;
}

/* What an operand of one byte or two adds, which is signed. */
static inline uint32_t read_lines(const uint8_t *p)
{
	uint32_t operand = p[1], sign = 64;

	if (operand & 128) {
		operand = (operand & 127) | (uint32_t)p[2] << 7;
		sign <<= 7;
	}
	return operand - 2 * (operand & sign);
}

/* Which of several blocks of code of one line follows, in one byte. */
static inline bool is_discriminator(const uint8_t *p)
{
	return !p[0] && p[1] == DISCRIMINATOR_BYTES - 2 && p[2] == DW_LNE_set_discriminator;
}

/* As run_next(), in a third of the time, as long as opcodes are frequent ones and operands short:
 * nearly all of a program. Before a row, compilers write what has changed in one order:
 *
 *	set_column  negate_stmt  advance_line  special opcode or copy
 *
 * An instruction is one operation. */
static void run_frequent(struct line_machine *m)
{
	const uint8_t *p = m->c.p, *end = p + m->c.left, *next;
	const uint32_t opcode_base = m->h->opcode_base, bytes = m->h->instruction_bytes;
	uint64_t address = m->address;
	uint32_t line = m->line;

	while (end - p >= ROW_BYTES) {
		if (*p == DW_LNS_set_column) {
			if (!(next = skip_operand(p)))
				break;
			p = next;
		}
		p += *p == DW_LNS_negate_stmt;
		if (*p == DW_LNS_advance_line) {
			if (!(next = skip_operand(p)))
				break;
			line += read_lines(p);
			p = next;
		}
		if (*p >= opcode_base || *p == DW_LNS_copy) {
			line += m->special[*p].lines;
			address += bytes * m->special[*p].operations;
			add_frequent_row(m, ++p, address, line);
		} else if (*p == DW_LNS_set_file && !(p[1] & 128)) {
			m->file = p[1];
			p += 2;
		} else if (is_discriminator(p)) {
			p += DISCRIMINATOR_BYTES;
		} else if (*p == DW_LNS_const_add_pc) {
			address += bytes * m->special[255].operations;
			p++;
		} else if (*p < DW_LNS_advance_line || *p > DW_LNS_negate_stmt ||
			   *p == DW_LNS_set_file) {
			break;
		}
	}
	m->address = address;
	m->line = line;
	m->c.p = p;
	m->c.left = (size_t)(end - p);
}

static void run(struct line_machine *m)
{
	make_special(m);
	while (has_opcode(m)) {
		if (m->h->operations <= 1 && m->h->opcode_base > DW_LNS_const_add_pc)
			run_frequent(m);
		if (has_opcode(m))
			run_next(m);
	}
}

/* ---- parts ---------------------------------------------------------------------------------- */

static int by_start_of_part(const void *pa, const void *pb)
{
	const struct dwarf_line_part *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

/* Which of overlapping sequences has an address is decided among all of them, so these have no
 * parts. */
static void sort_parts(struct dwarf_line_parts *parts)
{
	uint32_t i;

	if (!parts->n)
		return;
	qsort(parts->part, parts->n, sizeof(*parts->part), by_start_of_part);
	for (i = 1; i < parts->n; i++)
		if (parts->part[i].start < parts->part[i - 1].end)
			parts->n = 0;
	parts->cap = parts->n;
	parts->part = xreallocarray(parts->part, parts->n + 1, sizeof(*parts->part));
}

void dwarf_lines_read_part(
	struct dwarf_lines *l, struct dwarf_line_header *h, const struct dwarf_line_part *part)
{
	struct line_machine m = { .to = l, .h = h, .next_part = NO_PART };

	*l = (struct dwarf_lines){ 0 };
	go_to(&m, part->at, part->end_at - part->at);
	m.address = part->start;
	m.file = part->file;
	m.line = part->line;
	add_row(&m);
	run(&m);
	if (!l->n_sequences && m.in_sequence)
		end_sequence(&m, part->end);
	l->n_sequences = l->n_sequences > 0; /* what comes after one that goes back is not of it */
	if (l->n_sequences)
		l->sequence[0].reach = l->sequence[0].end;
}

const struct dwarf_line_part *dwarf_lines_find_part(
	const struct dwarf_line_parts *parts, uint64_t address)
{
	uint32_t after = bisect(i, 0u, parts->n, parts->part[i].start > address);

	return after && address < parts->part[after - 1].end ? &parts->part[after - 1] : NULL;
}

/* ---- all ------------------------------------------------------------------------------------ */

static int by_start(const void *pa, const void *pb)
{
	const struct dwarf_line_sequence *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

void dwarf_lines_read(
	struct dwarf_lines *l, struct dwarf_line_header *h, const struct dwarf_lines_wanted *wanted)
{
	struct line_machine m = { .to = l, .h = h, .wanted = wanted, .next_part = NO_PART };
	uint32_t i, n_files = h->n_files;
	uint64_t reach = 0;

	*l = (struct dwarf_lines){ 0 };
	if (wanted && wanted->parts && h->operations <= 1 && program_bytes(h) <= UINT32_MAX)
		m.parts = wanted->parts;
	go_to(&m, 0, program_bytes(h));
	begin_sequence(&m);
	run(&m);
	cut_sequence(&m);
	if (m.parts && h->n_files != n_files)
		m.parts->n = 0; /* parts would not define files */
	if (m.parts)
		sort_parts(m.parts);
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
	uint32_t after = bisect(i, s->first, end, l->row[i].address > address);

	return after > s->first ? &l->row[after - 1] : NULL; /* NULL: nobody wanted it */
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
