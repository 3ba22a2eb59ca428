/*
 * pprof_file.h - the tables of a pprof profile: strings, types, functions, locations
 *
 * Tables may be anywhere in the file, even after the samples, so all of it is kept. A number that
 * refers to nothing is an empty string, no function, or a location without a name.
 *
 * Owns: the tables. Borrows: the bytes of the file. Threads: one. Private to profiles/.
 */
#ifndef PERFOLD_INPUT_PROFILES_PPROF_FILE_H
#define PERFOLD_INPUT_PROFILES_PPROF_FILE_H

#include "base/protobuf_reader.h"
#include "input/stacks/stacks.h"

enum pprof_field {
	PPROF_SAMPLE_TYPE = 1,
	PPROF_SAMPLE = 2,
	PPROF_MAPPING = 3,
	PPROF_LOCATION = 4,
	PPROF_FUNCTION = 5,
	PPROF_STRING = 6,
	PPROF_TIME = 9,
	PPROF_DURATION = 10,
	PPROF_PERIOD_TYPE = 11,
	PPROF_PERIOD = 12,
	PPROF_COMMENT = 13,
	PPROF_DEFAULT_TYPE = 14,
};

struct pprof_type {
	struct span name, unit;
	struct span event; /* its name, or the one that a comment of perfold says it had */
};

struct pprof_file {
	struct span *strings;
	uint32_t n_strings, cap_strings;
	struct pprof_type *types;
	uint32_t n_types, cap_types;
	struct pprof_type period_type;
	struct span default_type;
	struct pprof_item {
		uint64_t id;
		struct span message;
		/* of a location that was used: its sites, innermost first */
		uint32_t first_site, n_sites;
	} * items[PPROF_FUNCTION + 1]; /* by kind: mappings, locations, functions */
	uint32_t n_items[PPROF_FUNCTION + 1], cap_items[PPROF_FUNCTION + 1];
	struct index by_id[PPROF_FUNCTION + 1];
	site_id *sites;
	uint32_t n_sites, cap_sites;
	uint64_t damaged; /* messages */
	bool several;     /* strings begin again: it is several profiles, one after the other */
};

/* Cuts the first of several profiles, one after the other, off *rest; all of it is one if their
 * fields are not in the usual order. */
struct span pprof_file_next(struct span *rest);
void pprof_file_read(struct pprof_file *p, struct span bytes);
void pprof_file_release(struct pprof_file *p);
struct span pprof_file_string(const struct pprof_file *p, uint64_t number);
/* Adds the modules of its mappings, with their build-ids, to a recording. */
void pprof_file_add_modules(const struct pprof_file *p, struct recording *r);
/* Pushes the frames of a location, innermost first. */
void pprof_file_push_location(struct pprof_file *p, struct stacktext *s, uint64_t id);

#endif
