/*
 * recorded_symbols.h - symbols that the recording itself contains
 *
 * simpleperf (Android) writes the symbols of what its samples hit into its file, so that a
 * recording can be read where the phone's files are not. Filled while the input is read; symbolize/
 * looks here before it looks at any file.
 *
 * Owns: its lists; strings belong to the strtab of the recording. Threads: filled by one, then read
 * by any.
 */
#ifndef PERFOLD_MODEL_RECORDED_SYMBOLS_H
#define PERFOLD_MODEL_RECORDED_SYMBOLS_H

#include "base/index.h"
#include "base/strtab.h"

#include <stdbool.h>

struct recorded_symbol {
	uint64_t start, size;
	str_id name;
};

struct recorded_file {
	str_id path;
	/* Added to a place in the module (enum module_kind) this gives the address that symbols
	 * have; for a kernel module, added to the distance from the module's start. */
	uint64_t shift;
	uint32_t first, n; /* of symbols */
	bool by_mapping;   /* shift is the address that symbols have where a mapping begins */
	bool generated;    /* code of the Java runtime: shift is 0, and names have types */
};

/* A mapping of a file whose symbols are by_mapping. */
struct recorded_mapped {
	uint32_t file; /* its number */
	uint64_t offset, size_bytes;
};

/* A zeroed struct is empty. */
struct recorded_symbols {
	struct recorded_symbol *symbols;
	uint32_t n_symbols, cap_symbols;
	struct recorded_file *files;
	uint32_t n_files, cap_files;
	struct index by_path;
	struct recorded_mapped *mapped; /* those of one file do not overlap */
	uint32_t n_mapped, cap_mapped;
};

/* The symbols added next belong to this file. */
void recorded_symbols_add_file(struct recorded_symbols *r, str_id path);
void recorded_symbols_set_shift(struct recorded_symbols *r, uint64_t shift);
/* The address that symbols have where an executable mapping of the file begins, wherever in the
 * file that is. */
void recorded_symbols_set_mapped(struct recorded_symbols *r, uint64_t address);
/* The file holds code that was generated; places in the module are addresses in memory. */
void recorded_symbols_set_generated(struct recorded_symbols *r, str_id path);
void recorded_symbols_add_mapping(
	struct recorded_symbols *r, str_id path, uint64_t offset, uint64_t size_bytes);
void recorded_symbols_add(struct recorded_symbols *r, uint64_t start, uint64_t size, str_id name);
/* Calls add() for each symbol of the file; its start plus the shift returned is its address. */
uint64_t recorded_symbols_each(const struct recorded_symbols *r, const struct recorded_file *f,
	void (*add)(void *ctx, const struct recorded_symbol *s), void *ctx);
/* The file with a path, or NULL; of several the first. */
const struct recorded_file *recorded_symbols_find(const struct recorded_symbols *r, str_id path);
void recorded_symbols_release(struct recorded_symbols *r);

#endif
