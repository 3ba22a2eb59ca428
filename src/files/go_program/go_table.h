/*
 * go_table.h - functions, lines, inlined calls and stack sizes in .gopclntab of a Go program
 *
 * The Go runtime needs them for tracebacks, so they are in every program, stripped or not. The
 * format has no documentation but its readers; these are its forms since Go 1.16, told apart by the
 * magic number.
 *
 *	header      magic, size of the smallest instruction, of a word, counts, where the parts are
 *	functions   (first address, where its record is) x n, ascending; the end of the last
 *	record      name, unit, tables of values by address: stack size, file, line, inlined call
 *	values      LEB128: (difference of values, difference of addresses) until the first is 0
 *	trees       (name, address whose line is that of the call) of each inlined call, elsewhere;
 *	            the data of the program say where (go_program.h)
 *
 * Owns: nothing. The bytes are borrowed, and names are in them. Threads: one at a time, as the
 * steps of looking values up are counted. Source: Go, runtime/symtab.go, runtime/symtabinl.go,
 * debug/gosym/pclntab.go, cmd/link/internal/ld/pcln.go.
 */
#ifndef PERFOLD_FILES_GO_PROGRAM_GO_TABLE_H
#define PERFOLD_FILES_GO_PROGRAM_GO_TABLE_H

#include "base/cursor.h"
#include "files/go_program/go_bytes.h"

enum go_part { GO_NAMES, GO_UNITS, GO_FILES, GO_VALUES, GO_FUNCTIONS, GO_PARTS };

enum go_form { GO_1_16, GO_1_18, GO_1_20 };

/* Values are found by a walk from the start of a function. Who asks for many addresses, in their
 * order, has points on the last walk of each kind kept, from which the next one goes on. */
struct go_walk {
	uint32_t table;     /* where it is in GO_VALUES */
	uint32_t n, stride; /* a point after so many pairs of numbers */
	struct go_point {
		uint64_t offset; /* of the next pair, in GO_VALUES */
		uint64_t end;    /* up to where the value holds */
		uint32_t value;
	} point[64];
};

struct go_walks {
	struct go_walk files, lines, calls;
};

struct go_table {
	enum go_form form;
	bool swapped;
	uint8_t word_bytes, instruction_bytes; /* of a pointer; of the smallest instruction */
	struct span part[GO_PARTS];            /* each to the end of the table */
	uint64_t n;                            /* functions */
	/* What follows is for the caller to set, after go_table_read(). */
	uint64_t text;          /* where addresses count from; GO_1_16: 0, they are whole */
	uint64_t trees;         /* the same for trees; 0: not known */
	struct span tree_bytes; /* where they are; empty: no inlined calls */
	uint64_t tree_address;  /* of these bytes */
	struct go_bytes *table_from, *trees_from; /* borrowed; NULL: all bytes are there */
	struct go_walks *walks;                   /* borrowed, zeros at first; NULL: none */
	uint64_t steps_left;                      /* a hostile table costs no more than this */
};

struct go_function {
	uint64_t start, end;
	struct span name;
	uint64_t record; /* in GO_FUNCTIONS */
};

/* A function at an address: the one that was compiled, or one that was inlined. */
struct go_call {
	struct span name;
	struct span file; /* empty: not known, or not wanted */
	uint32_t line;    /* of what ran, or of the call of the next one */
	uint32_t declared_line;
};

/* How many bytes of the stack a function uses between two addresses, without the return address
 * that a call pushes. */
struct go_stack {
	uint64_t start, end;
	uint32_t size_bytes;
};

enum { GO_CALLS_MAX = 64 };

/* May a table begin here? For a search; go_table_read() says whether one does. */
bool go_table_begins(struct span bytes);
/* False if this is no such table, or one of an unknown form. *text is what it says itself. */
bool go_table_read(struct go_table *g, struct span bytes, bool swapped, uint64_t *text);
enum { GO_TABLE_HEADER_BYTES = 128 }; /* at most; they must be there */
/* A word of the program. */
uint64_t go_table_word(const struct go_table *g, struct cursor *c);
/* The i-th function, i < n. False if the table is damaged there. */
bool go_table_get(const struct go_table *g, uint64_t i, struct go_function *f);
/* The function that covers an address. */
bool go_table_find(const struct go_table *g, uint64_t address, struct go_function *f);
/* The address of its tree; 0: it has none, or trees is not known. */
uint64_t go_table_tree(const struct go_table *g, const struct go_function *f);
/* What ran at an address in f: the innermost inlined call first, f itself last. Returns how many,
 * at least 1. Files and lines are looked up if they are wanted: that is most of the time. */
uint32_t go_table_calls(struct go_table *g, const struct go_function *f, uint64_t address,
	bool lines, struct go_call call[GO_CALLS_MAX]);

/* The stack at an address in f. False: the table does not say. */
bool go_table_stack(
	struct go_table *g, const struct go_function *f, uint64_t address, struct go_stack *stack);
/* Has f no caller, as where a goroutine begins? Go before 1.17 does not say. */
bool go_table_is_outermost(const struct go_table *g, const struct go_function *f);

#endif
