/*
 * pprof_tables.h - mappings, locations and functions of a profile of pprof
 *
 * A location is an address of code, or a frame of which none is known, with all that was inlined
 * there: a line for each function, that of the call, the innermost that of what ran. Addresses are
 * those of the file (frame.at_address), and mappings say so: as if each file had been loaded where
 * it was linked, so that what pprof computes from them is the address that objdump shows.
 *
 * A mapping is a segment of code of one build of a module. pprof looks for names itself where a
 * mapping is said to have none.
 *
 * Owns: the tables. Threads: one. Private to output/.
 */
#ifndef PERFOLD_OUTPUT_PPROF_TABLES_H
#define PERFOLD_OUTPUT_PPROF_TABLES_H

#include "model/functions.h"
#include "output/code_modules.h"
#include "output/pprof_message.h"

/* Numbers in the file count from 1: 0 is none. */
struct pprof_location {
	uint32_t function;
	uint32_t within; /* the location that this is inlined into; 0: none */
	uint32_t mapping;
	uint32_t line; /* of what ran, or of the call; else where the function begins */
	uint64_t address;
};

/* A function, or those lines of it that are in another file. */
struct pprof_function {
	function_id function;
	str_id file;
	uint32_t line;
};

struct pprof_mapping {
	str_id module, build;
	const struct module_segment *segment; /* NULL: not known */
	struct build_id build_id;
	bool has_names, has_files, has_lines, has_inlined;
};

struct pprof_tables {
	const struct profile *p;
	struct functions names;
	struct pprof_function *function;
	uint32_t n_functions, cap_functions;
	struct index by_function;
	struct pprof_location *location;
	uint32_t n_locations, cap_locations;
	struct index by_location;
	uint32_t *location_of; /* by node */
	struct pprof_mapping *mapping;
	uint32_t n_mappings, cap_mappings;
	struct index by_mapping;
	uint32_t *mapping_of; /* by frame, plus 1; 0: not yet found */
	struct code_modules modules;
};

/* Finds the locations of all nodes. */
void pprof_tables_init(
	struct pprof_tables *t, const struct profile *p, const struct output_opts *o);
void pprof_tables_release(struct pprof_tables *t);
/* Is a node a line of its parent's location? */
bool pprof_tables_is_inlined(const struct pprof_tables *t, node_id node);
void pprof_tables_write(const struct pprof_tables *t, struct pprof_message *m);

#endif
