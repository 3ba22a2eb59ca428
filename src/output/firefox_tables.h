/*
 * firefox_tables.h - libraries, functions, symbols and frames, as the Firefox Profiler has them
 *
 * A frame is a place in the code: a function, the line and the address of what ran or of the call,
 * and how deep it is inlined. Its native symbol is the function that was compiled: the profiler
 * asks a symbol server for the instructions of that (build-id, address, size). Addresses count from
 * the begin of the library's file in memory.
 *
 * Owns: the tables. Threads: one. Private to output/.
 */
#ifndef PERFOLD_OUTPUT_FIREFOX_TABLES_H
#define PERFOLD_OUTPUT_FIREFOX_TABLES_H

#include "output/call_frames.h"
#include "output/code_modules.h"

enum { FIREFOX_NONE = UINT32_MAX };

enum firefox_category {
	CATEGORY_IDLE,
	CATEGORY_OTHER,
	CATEGORY_USER,
	CATEGORY_KERNEL,
	CATEGORY_JIT
};

struct firefox_function {
	str_id name, file; /* of texts; 0: no file */
	uint32_t lib;      /* FIREFOX_NONE: none */
	uint32_t line, column;
	bool js;
};

struct firefox_symbol {
	uint32_t lib;
	uint64_t address;
	uint32_t size_bytes; /* 0: not known */
	str_id name;
};

struct firefox_place {
	uint32_t function, symbol; /* FIREFOX_NONE: no symbol */
	uint32_t line;             /* 0: not known */
	uint32_t depth;            /* of inlining */
	bool has_address;
	uint64_t address;
	enum firefox_category category;
};

struct firefox_lib {
	str_id module;
	const struct module *of; /* NULL: not known */
};

struct firefox_tables {
	const struct profile *p;
	struct call_frames calls;
	struct code_modules modules;
	struct strtab *texts;
	struct firefox_lib *libs;
	uint32_t n_libs, cap_libs;
	struct firefox_function *functions;
	uint32_t n_functions, cap_functions;
	struct firefox_symbol *symbols;
	uint32_t n_symbols, cap_symbols;
	struct firefox_place *places;
	uint32_t n_places, cap_places;
	struct index by_lib, by_function, by_symbol, by_place;
	uint32_t *place_of; /* by node */
	uint32_t idle;      /* the place of waiting */
	bool has_js;
	struct buf scratch;
};

/* Finds the places of all nodes. */
void firefox_tables_init(
	struct firefox_tables *t, const struct profile *p, const struct output_opts *o);
void firefox_tables_release(struct firefox_tables *t);

#endif
