#include "symbolize/dwarf/dwarf_lines.h"

#include "base/buf.h"
#include "symbolize/dwarf/dwarf_lines_for_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- programs ------------------------------------------------------------------------------- */

/* Special opcodes begin with 13, lines with -3, in steps of 12. */
#define HEADER(instruction_bytes, operations)                                                      \
	"\4\0\33\0\0\0" instruction_bytes operations "\1\375\14\15"                                \
	"\0\1\1\1\1\0\0\0\1\0\0\1"                                                                 \
	"\0a.c\0\0\0\0\0"
#define COPY             "\1"
#define ADVANCE_PC(n)    "\2" n
#define ADVANCE_LINE(n)  "\3" n
#define SET_FILE(n)      "\4" n
#define CONST_ADD_PC     "\10"
#define FIXED_ADVANCE(n) "\11" n
#define ADDRESS(low)     "\0\11\2" low "\0\0\0\0\0\0"
#define END              "\0\1\1"

struct program {
	struct buf section;
	struct dwarf_line_header header;
	struct dwarf_lines_wanted wanted; /* n 0: all */
	struct dwarf_lines lines;
	char text[512];
};

static void release(struct program *p)
{
	dwarf_lines_release(&p->lines);
	dwarf_line_header_release(&p->header);
	buf_release(&p->section);
}

static void run_behind(struct program *p, struct span header, struct span program)
{
	struct dwarf_line_sections from = { 0 };
	uint32_t length = (uint32_t)(header.n + program.n);

	release(p);
	buf_put(&p->section, &length, sizeof(length));
	buf_put_span(&p->section, header);
	buf_put_span(&p->section, program);
	from.line = buf_span(&p->section);
	dwarf_line_header_read(&p->header, &from, 0);
	dwarf_lines_read(&p->lines, &p->header, p->wanted.n ? &p->wanted : NULL);
}

/* "address file:line" of all rows, "end" of all sequences. */
static const char *text_of(struct program *p)
{
	const struct dwarf_lines *l = &p->lines;
	struct buf b = { 0 };
	uint32_t i, k;

	for (i = 0; i < l->n_sequences; i++) {
		const struct dwarf_line_sequence *s = &l->sequence[i];

		for (k = s->first; k < s->first + s->n; k++)
			buf_printf(&b, "%llx %u:%u, ", (unsigned long long)l->row[k].address,
				l->row[k].file, l->row[k].line);
		buf_printf(&b, "%llx end%s", (unsigned long long)s->end,
			i + 1 < l->n_sequences ? "; " : "");
	}
	snprintf(p->text, sizeof(p->text), "%s", buf_str(&b));
	buf_release(&b);
	return p->text;
}

static const char *lines_of(struct program *p, struct span program)
{
	run_behind(p, SPAN(HEADER("\1", "\1")), program);
	return text_of(p);
}

static void opcodes_move_address_and_line(void **state)
{
	struct program p = { 0 };

	(void)state;
	assert_string_equal(
		lines_of(&p, SPAN(ADDRESS("\0\20") COPY "\51" /* 2 bytes, 1 line */
				     ADVANCE_LINE("\377\0") CONST_ADD_PC COPY FIXED_ADVANCE("\4\1")
					     ADVANCE_LINE("\170") SET_FILE("\2")
						     COPY ADVANCE_PC("\200\1") END)),
		"1000 1:1, 1002 1:2, 1016 1:129, 111a 2:121, 119a end");
	/* A sequence begins where it began before, but for the address. */
	assert_string_equal(lines_of(&p, SPAN(ADDRESS("\0\20") SET_FILE("\3") ADVANCE_LINE("\4")
							 COPY ADVANCE_PC("\1") END ADDRESS("\0\60")
								 COPY ADVANCE_PC("\1") END)),
		"1000 3:5, 1001 end; 3000 1:1, 3001 end");
	release(&p);
}

/* Of one byte or two, they are read in a loop of their own. */
static void operands_may_have_any_length(void **state)
{
	struct program p = { 0 };

	(void)state;
	assert_string_equal(
		lines_of(&p,
			SPAN(ADDRESS("\0\20") ADVANCE_LINE("\200\4") COPY CONST_ADD_PC ADVANCE_LINE(
				"\200\176") SET_FILE("\201\1")
					COPY CONST_ADD_PC ADVANCE_LINE("\377\177")
						SET_FILE("\201\200\1") COPY ADVANCE_LINE(
							"\201\200\4") "\51" CONST_ADD_PC END)),
		"1000 1:513, 1014 129:257, 1028 16385:256, 102a 16385:65794, 103e end");
	release(&p);
}

static void what_has_no_part_in_lines_is_skipped(void **state)
{
	struct program p = { 0 };

	(void)state;
	/* column, statement, block, end of prologue, begin of epilogue, isa, discriminator, an
	 * opcode that nobody knows */
	assert_string_equal(
		lines_of(&p, SPAN(ADDRESS("\0\20") COPY
				     "\5\200\1\6\7\12\13\14\2\0\2\4\7\0\3\200ab" ADVANCE_PC("\1")
					     ADVANCE_LINE("\1") COPY ADVANCE_PC("\1") END)),
		"1000 1:1, 1001 1:2, 1002 end");
	release(&p);
}

/* Nor is anything behind the end looked at, where an opcode is cut off after the longest others
 * that may come before it. */
static void what_is_behind_the_end_is_not_run(void **state)
{
	static const struct span ends[] = { SPAN("\0\2"), SPAN("\0\2\4"), SPAN("\4"), SPAN("\2") };
	struct program p = { 0 };
	unsigned i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(ends); i++) {
		struct buf program = { 0 }, table = { 0 };
		struct dwarf_line_sections from = { 0 };
		uint32_t length;

		buf_put_span(&program, SPAN(ADDRESS("\0\20") COPY ADVANCE_PC("\4") COPY
					       "\5\200\1\6" ADVANCE_LINE("\200\1")));
		buf_put_span(&program, ends[i]);
		length = (uint32_t)(SPAN(HEADER("\1", "\1")).n + program.n);
		buf_put(&table, &length, sizeof(length));
		buf_put_span(&table, SPAN(HEADER("\1", "\1")));
		buf_put_span(&table, buf_span(&program));
		buf_put_span(&table, SPAN("\4\1" ADDRESS("\0\40") COPY ADVANCE_PC("\4") COPY END));
		release(&p);
		from.line = buf_span(&table);
		dwarf_line_header_read(&p.header, &from, 0);
		dwarf_lines_read(&p.lines, &p.header, NULL);
		assert_string_equal(text_of(&p), "1000 1:1, 1005 end");
		buf_release(&program);
		buf_release(&table);
	}
	release(&p);
}

static void rows_that_say_the_same_are_one(void **state)
{
	struct program p = { 0 };

	(void)state;
	assert_string_equal(
		lines_of(&p, SPAN(ADDRESS("\20\20") COPY ADVANCE_PC("\4") COPY ADVANCE_PC("\4")
					     ADVANCE_LINE("\1") COPY ADVANCE_LINE("\1")
						     COPY ADVANCE_PC("\10") END)),
		"1010 1:1, 1018 1:3, 1020 end");
	release(&p);
}

static void an_instruction_may_have_several_operations(void **state)
{
	struct program p = { 0 };

	(void)state;
	run_behind(&p, SPAN(HEADER("\4", "\3")),
		SPAN(ADDRESS("\0\20") COPY ADVANCE_PC("\4") ADVANCE_LINE("\1") COPY ADVANCE_PC("\2")
				ADVANCE_LINE("\1") COPY ADVANCE_PC("\3") END));
	assert_string_equal(text_of(&p), "1000 1:1, 1004 1:2, 1008 1:3, 100c end");
	release(&p);
}

static void sequences_are_sorted_and_dropped_ones_left_out(void **state)
{
	struct program p = { 0 };

	(void)state;
	assert_string_equal(
		lines_of(&p, SPAN(ADDRESS("\0\60") COPY ADVANCE_PC("\1") END ADDRESS(
				     "\0\0") COPY ADVANCE_PC("\200\200\1") END ADDRESS("\0\20")
					     COPY ADVANCE_PC("\1") END ADDRESS("\0\40") COPY END)),
		"1000 1:1, 1001 end; 3000 1:1, 3001 end");
	release(&p);
}

static void a_sequence_that_goes_back_is_two(void **state)
{
	struct program p = { 0 };

	(void)state;
	assert_string_equal(lines_of(&p, SPAN(ADDRESS("\0\60") COPY ADDRESS("\0\20")
							 COPY ADVANCE_PC("\4") END)),
		"1000 1:1, 1004 end; 3000 1:1, 3001 end");
	/* Also at its end, and where the program ends before. */
	assert_string_equal(lines_of(&p, SPAN(ADDRESS("\0\60") COPY ADDRESS("\0\20") END)),
		"3000 1:1, 3001 end");
	assert_string_equal(
		lines_of(&p, SPAN(ADDRESS("\0\60") COPY ADVANCE_PC("\4"))), "3000 1:1, 3001 end");
	release(&p);
}

static void damage_ends_the_program(void **state)
{
	struct program p = { 0 };

	(void)state;
	assert_string_equal(lines_of(&p, SPAN("")), "");
	assert_string_equal(lines_of(&p, SPAN(END END)), "");
	/* an address of 3 bytes, an extended opcode without a byte, one beyond the end */
	assert_string_equal(lines_of(&p, SPAN("\0\4\2\1\1\1" COPY ADVANCE_PC("\1") END)), "");
	assert_string_equal(
		lines_of(&p, SPAN(ADDRESS("\0\60") COPY "\0\100\1")), "3000 1:1, 3001 end");
	assert_string_equal(lines_of(&p, SPAN(ADDRESS("\0\60") COPY ADVANCE_LINE("\200"))),
		"3000 1:1, 3001 end");
	/* A line below 0 is none. */
	assert_string_equal(
		lines_of(&p, SPAN(ADDRESS("\0\60") ADVANCE_LINE("\175") COPY ADVANCE_PC("\1") END)),
		"3000 1:0, 3001 end");
	release(&p);
}

static void programs_may_define_files(void **state)
{
	struct program p = { 0 };

	(void)state;
	lines_of(&p, SPAN("\0\6\3b.c\0\0\0\0" ADDRESS("\0\60") COPY));
	assert_int_equal(p.header.n_files, 2); /* it is cut off */
	lines_of(&p, SPAN("\0\10\3b.c\0\0\0\0" ADDRESS("\0\60") COPY));
	assert_int_equal(p.header.n_files, 3);
	assert_memory_equal(p.header.file[2].name.p, "b.c", 4);
	assert_string_equal(text_of(&p), "3000 1:1, 3001 end");
	release(&p);
}

static uint32_t line_at(const struct program *p, uint64_t address)
{
	const struct dwarf_line_row *row = dwarf_lines_find(&p->lines, address);

	return row ? row->line : 0;
}

static void an_address_is_in_the_sequence_that_starts_last(void **state)
{
	struct program p = { 0 };

	(void)state;
	/* 0x1000 to 0x3000 of line 1, within it 0x2000 to 0x2008 of lines 2 and 3 */
	lines_of(&p, SPAN(ADDRESS("\0\20") COPY ADVANCE_PC("\200\100") END ADDRESS("\0\40")
				     ADVANCE_LINE("\1") COPY ADVANCE_PC("\4") ADVANCE_LINE("\1")
					     COPY ADVANCE_PC("\4") END));
	assert_int_equal(line_at(&p, 0xfff), 0);
	assert_int_equal(line_at(&p, 0x1000), 1);
	assert_int_equal(line_at(&p, 0x1fff), 1);
	assert_int_equal(line_at(&p, 0x2000), 2);
	assert_int_equal(line_at(&p, 0x2003), 2);
	assert_int_equal(line_at(&p, 0x2004), 3);
	assert_int_equal(line_at(&p, 0x2007), 3);
	assert_int_equal(line_at(&p, 0x2008), 1);
	assert_int_equal(line_at(&p, 0x2fff), 1);
	assert_int_equal(line_at(&p, 0x3000), 0);
	assert_int_equal(line_at(&p, UINT64_MAX), 0);
	release(&p);
}

/* Three sequences: lines 1 to 4, 4 bytes each, from 0x1000; line 1 at 0x2000; again at 0x3000. */
static const struct span three =
	SPAN(ADDRESS("\0\20") COPY "\101\101\101" ADVANCE_PC("\4") END ADDRESS("\0\40")
			COPY ADVANCE_PC("\4") END ADDRESS("\0\60") COPY ADVANCE_PC("\4") END);

static void only_what_is_wanted_is_kept(void **state)
{
	static const uint64_t two[] = { 0x1005, 0x1007, 0x1008, 0x3003 },
			      none[] = { 0x1010, 0x4000 };
	struct program p = { 0 };

	(void)state;
	assert_string_equal(lines_of(&p, three),
		"1000 1:1, 1004 1:2, 1008 1:3, 100c 1:4, 1010 end; 2000 1:1, 2004 end; "
		"3000 1:1, 3004 end");
	p.wanted = (struct dwarf_lines_wanted){ .address = two, .n = ARRAY_LEN(two) };
	assert_string_equal(
		lines_of(&p, three), "1004 1:2, 1008 1:3, 1010 end; 3000 1:1, 3004 end");
	assert_int_equal(line_at(&p, 0x1005), 2);
	assert_int_equal(line_at(&p, 0x1008), 3);
	assert_int_equal(line_at(&p, 0x3003), 1);
	/* What nobody wanted may be found or not, but nothing is read beyond the rows. */
	assert_int_equal(line_at(&p, 0x1000), 0);
	assert_int_equal(line_at(&p, 0x2000), 0);
	p.wanted = (struct dwarf_lines_wanted){ .address = none, .n = ARRAY_LEN(none) };
	assert_string_equal(lines_of(&p, three), "");
	release(&p);
}

/* ---- images that are read by unit ----------------------------------------------------------- */

static const char plain[] = "testdata/elf/inlines/inlines-gcc-5";

/* Rows of 1 byte, each of the next line, from a state that an earlier one has set. */
static void put_rows(struct buf *b, unsigned n)
{
	while (n--)
		buf_putc(b, '\36'); /* 1 byte, 1 line */
}

/* Every address that is in a part has the line there that it has in all rows. */
static uint32_t compare_parts(struct program *p, const struct dwarf_line_parts *parts)
{
	struct dwarf_lines all;
	uint32_t i, n = 0;

	dwarf_lines_read(&all, &p->header, NULL);
	for (i = 0; i < parts->n; i++) {
		const struct dwarf_line_part *part = &parts->part[i];
		struct dwarf_lines some;
		uint64_t at;

		dwarf_lines_read_part(&some, &p->header, part);
		for (at = part->start; at < part->end; at++, n++) {
			const struct dwarf_line_row *a = dwarf_lines_find(&all, at);
			const struct dwarf_line_row *b = dwarf_lines_find(&some, at);

			assert_non_null(a);
			assert_non_null(b);
			assert_int_equal(a->line, b->line);
			assert_int_equal(a->file, b->file);
			assert_ptr_equal(dwarf_lines_find_part(parts, at), part);
		}
		assert_null(dwarf_lines_find(&some, part->start - 1));
		assert_null(dwarf_lines_find(&some, part->end));
		dwarf_lines_release(&some);
	}
	dwarf_lines_release(&all);
	return n;
}

static void parts_of_a_program_are_read_alone(void **state)
{
	const uint64_t wanted[] = { 0x2010, 0x4000 };
	struct dwarf_line_parts parts = { 0 };
	struct program p = { .wanted = { wanted, 2, &parts } };
	struct buf b = { 0 };

	(void)state;
	buf_put_span(&b, SPAN(ADDRESS("\0\100") COPY ADVANCE_PC("\4") END));
	buf_put_span(&b, SPAN(ADDRESS("\0\20") COPY ADVANCE_PC("\4") END));
	buf_put_span(&b, SPAN(ADDRESS("\0\40") SET_FILE("\3") ADVANCE_LINE("\5") COPY));
	put_rows(&b, 3000);
	buf_put_span(&b, SPAN(ADVANCE_PC("\1") END));
	lines_of(&p, buf_span(&b));
	/* Those of 3000 rows, and of a sequence of one; none of a sequence that nobody wants. */
	assert_int_equal(parts.n, 4);
	assert_int_equal(parts.part[0].start, 0x2000);
	assert_int_equal(parts.part[1].start, parts.part[0].end);
	assert_int_equal(parts.part[3].start, 0x4000);
	assert_null(dwarf_lines_find_part(&parts, 0x1000));
	assert_null(dwarf_lines_find_part(&parts, 0x4004));
	assert_int_equal(compare_parts(&p, &parts), 3001 + 4);
	release(&p);
	free(parts.part);
	buf_release(&b);
}

/* All sequences decide there which one an address is in. */
static void sequences_that_overlap_have_no_parts(void **state)
{
	const uint64_t wanted[] = { 0x1000, 0x1002 };
	struct dwarf_line_parts parts = { 0 };
	struct program p = { .wanted = { wanted, 2, &parts } };

	(void)state;
	lines_of(&p, SPAN(ADDRESS("\0\20") COPY ADVANCE_PC("\10") END ADDRESS("\2\20")
				     COPY ADVANCE_PC("\2") END));
	assert_int_equal(p.lines.n_sequences, 2);
	assert_int_equal(parts.n, 0);
	release(&p);
	free(parts.part);
}

/* ---- pieces --------------------------------------------------------------------------------- */

enum { SEQUENCES = 40, OPCODES = 900, LONG_BYTES = 3 * DWARF_LINE_PIECE_MIN_BYTES };

static void put_opcodes(struct buf *b, uint32_t *random)
{
	static const struct span opcodes[] = { SPAN("\51"), SPAN("\372"), SPAN("\102"), SPAN(COPY),
		SPAN(CONST_ADD_PC), SPAN(ADVANCE_PC("\200\1")), SPAN(ADVANCE_LINE("\5")),
		SPAN(ADVANCE_LINE("\200\1")), SPAN(SET_FILE("\1")), SPAN(SET_FILE("\2")),
		SPAN("\5\7"), SPAN("\6"), SPAN("\0\2\4\3"), SPAN("\0\4\4\200\200\1") };
	uint32_t i;

	for (i = 0; i < OPCODES; i++) {
		*random = *random * 1664525 + 1013904223;
		buf_put_span(b, opcodes[(*random >> 16) % ARRAY_LEN(opcodes)]);
	}
}

/* One of the opcodes is longer than a piece. */
static void put_large_program(struct buf *b)
{
	uint32_t random = 1, i;

	for (i = 0; i < SEQUENCES; i++) {
		const char address[] = { 0, 9, 2, 0, 0, 0, (char)(i + 1), 0, 0, 0, 0 };

		buf_put(b, address, sizeof(address));
		put_opcodes(b, &random);
		if (i == SEQUENCES / 2) {
			buf_put_span(b, SPAN("\0\200\300\1\200")); /* 24 KB that nobody knows */
			buf_reserve(b, LONG_BYTES);
			memset(b->p + b->n, 1, LONG_BYTES - 1);
			b->n += LONG_BYTES - 1;
		}
		buf_put_span(b, SPAN(ADVANCE_PC("\1") END));
	}
}

/* A file that ends. */
struct cut_file {
	struct span bytes;
	uint32_t n_reads;
};

static bool read_from_memory(const void *from, uint64_t offset, void *to, size_t n)
{
	struct cut_file *f = (struct cut_file *)from;

	f->n_reads++;
	if (offset + n > f->bytes.n)
		return false;
	memcpy(to, f->bytes.p + offset, n);
	return true;
}

static void expect_same_lines(const struct dwarf_lines *a, const struct dwarf_lines *b)
{
	assert_int_equal(a->n_rows, b->n_rows);
	assert_memory_equal(a->row, b->row, a->n_rows * sizeof(*a->row));
	assert_int_equal(a->n_sequences, b->n_sequences);
	assert_memory_equal(a->sequence, b->sequence, a->n_sequences * sizeof(*a->sequence));
}

/* Rows of parts, one after the other. */
static void expect_same_parts(struct dwarf_line_header *whole, struct dwarf_line_header *in_pieces,
	const struct dwarf_line_parts *parts)
{
	uint32_t i;

	for (i = 0; i < parts->n; i += 7) {
		struct dwarf_lines a, b;

		dwarf_lines_read_part(&a, whole, &parts->part[i]);
		dwarf_lines_read_part(&b, in_pieces, &parts->part[i]);
		expect_same_lines(&a, &b);
		dwarf_lines_release(&a);
		dwarf_lines_release(&b);
	}
}

static void a_program_in_pieces_has_the_same_rows(void **state)
{
	static uint8_t room[DWARF_LINE_PIECE_MIN_BYTES];
	struct program p = { 0 };
	struct buf program = { 0 };
	struct dwarf_line_header in_pieces;
	struct dwarf_line_parts parts = { 0 }, same_parts = { 0 };
	const uint64_t address[] = { 0x1000100, 0x5000080, 0x27000001 };
	struct dwarf_lines_wanted wanted = { address, ARRAY_LEN(address), &parts };
	struct dwarf_lines lines;
	struct cut_file file;

	(void)state;
	put_large_program(&program);
	run_behind(&p, SPAN(HEADER("\1", "\1")), buf_span(&program));
	assert_int_equal(p.lines.n_sequences, SEQUENCES);
	file = (struct cut_file){ .bytes = buf_span(&program) };
	in_pieces = p.header;
	in_pieces.program = (struct cursor){ 0 };
	in_pieces.pieces = (struct dwarf_line_pieces){ read_from_memory, &file, 0, program.n, room,
		sizeof(room) };
	dwarf_lines_read(&lines, &in_pieces, NULL);
	expect_same_lines(&p.lines, &lines);
	assert_true(file.n_reads > 10);
	dwarf_lines_release(&lines);

	dwarf_lines_release(&p.lines);
	dwarf_lines_read(&p.lines, &p.header, &wanted);
	wanted.parts = &same_parts;
	dwarf_lines_read(&lines, &in_pieces, &wanted);
	expect_same_lines(&p.lines, &lines);
	assert_true(parts.n > 3);
	assert_int_equal(parts.n, same_parts.n);
	assert_memory_equal(parts.part, same_parts.part, parts.n * sizeof(*parts.part));
	expect_same_parts(&p.header, &in_pieces, &parts);
	dwarf_lines_release(&lines);

	/* What can be read no more ends it. */
	file.bytes.n = program.n / 2;
	dwarf_lines_read(&lines, &in_pieces, NULL);
	assert_true(lines.n_sequences > SEQUENCES / 4 && lines.n_sequences < SEQUENCES);
	dwarf_lines_release(&lines);
	free(parts.part);
	free(same_parts.part);
	buf_release(&program);
	release(&p);
}

/* Version 5, with a file in each list. */
#define HEADER_5                                                                                   \
	"\5\0\10\0\41\0\0\0\1\1\1\375\14\15\0\1\1\1\1\0\0\0\1\0\0\1"                               \
	"\1\1\10\1/d\0\1\1\10\1a.c\0"

/* Of a table of that program: its lines, as they are read from a file. */
static void read_lines_of_file(struct span program, struct dwarf_lines *lines, bool *by_pieces)
{
	char ident[EI_NIDENT] = { [EI_DATA] = ELFDATA2LSB };
	FILE *file = tmpfile();
	struct dwarf_image image = { .bytes = ident, .fd = fileno(file), .lines_by_unit = true };
	uint32_t length = (uint32_t)(SPAN(HEADER_5).n + program.n);
	struct dwarf_line_sections from = { 0 };
	struct dwarf_line_header h = { 0 };
	struct dwarf_room room = { 0 };
	struct buf table = { 0 };

	buf_put(&table, &length, sizeof(length));
	buf_put_span(&table, SPAN(HEADER_5));
	buf_put_span(&table, program);
	buf_put_span(&table, SPAN(ADDRESS("\0\1") COPY "the next table"));
	assert_int_equal(write(image.fd, table.p, table.n), table.n);
	image.section[SECTION_LINE] = (struct span){ NULL, table.n };
	from.line = dwarf_image_read_table(&image, 0, &room, &from.pieces);
	dwarf_line_header_read(&h, &from, 0);
	assert_int_equal(h.n_files, 1);
	assert_true(span_eq(h.file[0].name, SPAN("a.c")));
	*by_pieces = h.pieces.read;
	dwarf_lines_read(lines, &h, NULL);
	assert_true(span_eq(h.file[0].name, SPAN("a.c")));
	dwarf_line_header_release(&h);
	dwarf_image_release_room(&room);
	buf_release(&table);
	fclose(file);
}

static void large_programs_are_read_by_pieces(void **state)
{
	struct program p = { 0 };
	struct buf program = { 0 };
	struct dwarf_lines lines;
	bool by_pieces;
	unsigned i;

	(void)state;
	for (i = 0; i < 5; i++) {
		put_large_program(&program);
		run_behind(&p, SPAN(HEADER("\1", "\1")), buf_span(&program));
		read_lines_of_file(buf_span(&program), &lines, &by_pieces);
		assert_int_equal(by_pieces, program.n > 256 << 10);
		expect_same_lines(&p.lines, &lines);
		dwarf_lines_release(&lines);
	}
	assert_true(by_pieces);
	buf_release(&program);
	release(&p);
}

static void the_size_of_a_header_is_in_its_start(void **state)
{
	(void)state;
	assert_int_equal(dwarf_line_header_size(SPAN("\0\1\0\0\5\0\10\0\7\0\0\0"), false), 19);
	assert_int_equal(dwarf_line_header_size(SPAN("\377\377\377\377\0\1\0\0\0\0\0\0\5\0\10\0"
						     "\7\0\0\0\0\0\0\0"),
				 false),
		31);
	assert_int_equal(dwarf_line_header_size(SPAN("\0\0\1\0\0\5\10\0\0\0\0\7"), true), 19);
	assert_int_equal(dwarf_line_header_size(SPAN("\0\1\0\0\4\0\7\0\0\0\0\0"), false), 0);
	assert_int_equal(dwarf_line_header_size(SPAN("\0\1\0\0\5\0\10\0\7"), false), 0);
}

static void a_table_is_read_from_the_file(void **state)
{
	enum files_verdict why;
	struct elf_file *ef;
	struct dwarf_image whole, image;
	struct span lines;
	struct dwarf_room room = { 0 };
	struct dwarf_line_pieces pieces;
	struct span table;

	(void)state;
	elf_version(EV_CURRENT);
	ef = elf_file_open(plain, &why);
	assert_true(dwarf_image_read(&whole, ef, NULL, DWARF_LINES));
	assert_true(dwarf_image_read(&image, ef, NULL, DWARF_LINES | DWARF_BY_UNIT));
	assert_true(image.lines_by_unit);
	lines = whole.section[SECTION_LINE];
	assert_int_equal(image.section[SECTION_LINE].n, lines.n);
	assert_int_equal(image.section[SECTION_LINE].p[4], 0);
	table = dwarf_image_read_table(&image, 0, &room, &pieces);
	assert_true(table.n > 100 && table.n <= lines.n);
	assert_memory_equal(table.p, lines.p, table.n);
	/* A length is what the bytes say, up to the end of the section. */
	table = dwarf_image_read_table(&image, lines.n - 3, &room, &pieces);
	assert_int_equal(table.n, 3);
	assert_memory_equal(table.p, lines.p + lines.n - 3, 3);
	assert_false(dwarf_image_read_table(&image, lines.n, &room, &pieces).n);
	assert_false(dwarf_image_read_table(&image, UINT64_MAX, &room, &pieces).n);
	dwarf_image_release_room(&room);
	assert_true(dwarf_image_load_lines(&image));
	assert_false(image.lines_by_unit);
	assert_memory_equal(image.section[SECTION_LINE].p, lines.p, lines.n);
	dwarf_image_release(&image);
	dwarf_image_release(&whole);
	elf_file_close(ef);
}

/* ---- libdw ---------------------------------------------------------------------------------- */

static struct line_comparison compare_with_libdw(unsigned flags)
{
	static const char *const names[] = { "inlines-gcc-2", "inlines-gcc-3", "inlines-gcc-4",
		"inlines-gcc-5", "inlines-clang", "inlines-zstd", "inlines-split-4",
		"inlines-split-5", "inlines-clang-split-4", "inlines-clang-split-5", "inlines-dwz",
		"inlines-types", "scopes", "label", "relative" };
	struct line_comparison c = { 0 };
	size_t i;

	elf_version(EV_CURRENT);
	for (i = 0; i < ARRAY_LEN(names); i++) {
		char *path = xasprintf("testdata/elf/inlines/%s", names[i]);
		uint64_t before = c.n_addresses;

		compare_lines(&c, path, flags);
		assert_true(c.n_addresses > before);
		free(path);
	}
	assert_int_equal(c.n_different, 0);
	assert_true(c.n_files > ARRAY_LEN(names));
	return c;
}

static void libdw_finds_the_same(void **state)
{
	struct line_comparison c = compare_with_libdw(DWARF_LINES);

	(void)state;
	assert_int_equal(c.n_by_unit, 0);
	assert_true(c.n_plain > 10);
}

static void libdw_finds_the_same_where_tables_are_read_by_unit(void **state)
{
	(void)state;
	assert_true(compare_with_libdw(DWARF_LINES | DWARF_BY_UNIT).n_by_unit > 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(opcodes_move_address_and_line),
		cmocka_unit_test(operands_may_have_any_length),
		cmocka_unit_test(what_has_no_part_in_lines_is_skipped),
		cmocka_unit_test(what_is_behind_the_end_is_not_run),
		cmocka_unit_test(rows_that_say_the_same_are_one),
		cmocka_unit_test(an_instruction_may_have_several_operations),
		cmocka_unit_test(sequences_are_sorted_and_dropped_ones_left_out),
		cmocka_unit_test(a_sequence_that_goes_back_is_two),
		cmocka_unit_test(damage_ends_the_program),
		cmocka_unit_test(programs_may_define_files),
		cmocka_unit_test(an_address_is_in_the_sequence_that_starts_last),
		cmocka_unit_test(only_what_is_wanted_is_kept),
		cmocka_unit_test(parts_of_a_program_are_read_alone),
		cmocka_unit_test(sequences_that_overlap_have_no_parts),
		cmocka_unit_test(a_program_in_pieces_has_the_same_rows),
		cmocka_unit_test(large_programs_are_read_by_pieces),
		cmocka_unit_test(the_size_of_a_header_is_in_its_start),
		cmocka_unit_test(a_table_is_read_from_the_file),
		cmocka_unit_test(libdw_finds_the_same),
		cmocka_unit_test(libdw_finds_the_same_where_tables_are_read_by_unit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
