/*
 * locations.h - where in the source each instruction of a file is, as compilers count it
 *
 * A compiler that reads a profile knows a function by the name that linkers have for it, and a line
 * by its distance from the line of the function's declaration. What is on one line is told apart by
 * discriminators (DWARF 5, 6.2.2). An instruction has a stack of locations: of the function whose
 * code it is, then of each function that was inlined there, outermost first; the line of each but
 * the last is the one of the call.
 *
 * Addresses are those of the file as it was linked, and are looked up in batches in ascending
 * order: one walk over a compilation unit serves all that are in it.
 *
 * Owns: the files and their debug information, until locations_free(). Borrows: files, the module
 * and the strings. Threads: one for each. The door of symbolize/locations/.
 */
#ifndef PERFOLD_SYMBOLIZE_LOCATIONS_LOCATIONS_H
#define PERFOLD_SYMBOLIZE_LOCATIONS_LOCATIONS_H

#include "base/strtab.h"
#include "files/files.h"

struct locations;

/* Are the file that ran and its debug information here? */
bool locations_exist(const struct files *files, const struct module *m);
/* NULL: they are not, or cannot be read. */
struct locations *locations_open(
	const struct files *files, const struct module *m, struct strtab *strings);
void locations_free(struct locations *l);
/* Do discriminators tell apart what passes of the code generator copied (clang -mllvm
 * -enable-fs-discriminator)? Those have 32 bits, and mean something else. */
bool locations_flow_sensitive(const struct locations *l);

struct location {
	str_id function; /* its name for linkers, without blanks and control characters */
	/* Since that of the declaration, modulo 65536; counted from 0 where it is not known. */
	uint32_t line;
	uint32_t discriminator; /* as it is in the file */
};

/* A function with code of its own. Its code may be in several ranges [start, end). */
struct location_function {
	str_id name;
	uint64_t entry;
	const struct location_range {
		uint64_t start, end;
	} * range;
	uint32_t n_ranges;
};

/* which: the number of the address. What is passed is borrowed for the call. */
typedef void (*location_function_fn)(
	void *ctx, uint32_t which, const struct location_function *function);
typedef void (*location_stack_fn)(
	void *ctx, uint32_t which, const struct location *stack, uint32_t n);
typedef void (*location_code_fn)(void *ctx, uint64_t address, uint32_t size_bytes);

/* The functions that n addresses are in. Those that are in none, or in one without a name, are not
 * reported. */
void locations_functions(struct locations *l, const uint64_t *address, uint32_t n,
	location_function_fn fn, void *ctx);
/* The stacks of n addresses, likewise. */
void locations_stacks(
	struct locations *l, const uint64_t *address, uint32_t n, location_stack_fn fn, void *ctx);
/* The instructions in [start, end), which begins with one; none where the code is not here. An
 * error where none can be had: no libcapstone, or another machine than it is asked for. */
int locations_code(struct locations *l, uint64_t start, uint64_t end, location_code_fn fn,
	void *ctx, struct err *e);

#endif
