/*
 * dwarf_lines.h - the line of any address of a unit, from its line number program
 *
 * libdw 0.188 makes a row of 48 bytes of every row of the program, of which half differ only in
 * what nobody here asks for, and sorts all of them. Here rows of one line and file become one of 16
 * bytes, in sequences as the program has them; only sequences are sorted. Both find the same
 * (dwarf_lines_test.c), but for two kinds of addresses, which have no line here: libdw gives code
 * that the linker dropped, at 0, a line, and the padding behind a sequence whose last row is at its
 * end.
 *
 * Owns: its rows. Threads: read by any. Private to symbolize/.
 * Source: DWARF 5, 6.2.5 (the line number program).
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_LINES_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_LINES_H

#include "symbolize/dwarf/dwarf_line_header.h"

/* The code from an address to that of the next row. */
struct dwarf_line_row {
	uint64_t address;
	uint32_t file, line; /* 0: the code is of no line */
};

/* Rows that follow each other without a gap. */
struct dwarf_line_sequence {
	uint64_t start, end;
	uint64_t reach; /* the largest end of this and all before it */
	uint32_t first, n;
};

struct dwarf_lines {
	struct dwarf_line_row *row;
	struct dwarf_line_sequence *sequence; /* in order of start */
	uint32_t n_rows, cap_rows, n_sequences, cap_sequences;
};

/* A part of a program, within one sequence, and the state that it begins in, so that it can be run
 * without what comes before it. */
struct dwarf_line_part {
	uint64_t start, end; /* its addresses */
	uint32_t at, end_at; /* in the program */
	uint32_t file, line;
};

/* In order of start, without overlaps. Zeroed: none. */
struct dwarf_line_parts {
	struct dwarf_line_part *part;
	uint32_t n, cap;
};

/* The addresses that will be looked up, in ascending order. */
struct dwarf_lines_wanted {
	const uint64_t *address;
	uint32_t n;
	struct dwarf_line_parts *parts; /* empty: to fill, of their sequences; NULL: not needed */
};

/* Runs the program; may add files to the header. Up to where it is damaged, rows are as it says.
 * wanted: nothing else will be found; NULL: everything will. */
void dwarf_lines_read(struct dwarf_lines *l, struct dwarf_line_header *h,
	const struct dwarf_lines_wanted *wanted);
/* All rows of one part of it. */
void dwarf_lines_read_part(
	struct dwarf_lines *l, struct dwarf_line_header *h, const struct dwarf_line_part *part);
void dwarf_lines_release(struct dwarf_lines *l);
/* NULL: no part has the address. */
const struct dwarf_line_part *dwarf_lines_find_part(
	const struct dwarf_line_parts *parts, uint64_t address);
/* NULL: the address is in no sequence. */
const struct dwarf_line_row *dwarf_lines_find(const struct dwarf_lines *l, uint64_t address);

#endif
