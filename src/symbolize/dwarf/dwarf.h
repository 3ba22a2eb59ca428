/*
 * dwarf.h - inlined functions and source lines, from DWARF with libdw
 *
 * After a module's sites have their symbols, those with debug information are sorted by (unit,
 * address): a task for each compilation unit, for any worker. A worker opens handles of its own on
 * the unpacked image and closes them when they have grown.
 *
 * A chain is the function by its symbol (by its DIE, where functions were merged and several
 * symbols start at one address), then what was inlined, outermost first, by the names of
 * dwarf_names.h. With lines, each name is followed by the line in it at which the next one is
 * called, the innermost by the line of the address.
 *
 * Owns: struct dwarf_debug owns what it read; it is shared and freed by its last user. Threads: as
 * said at each function. Private to symbolize/.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_H

#include "model/site_code.h"
#include "symbolize/dwarf/dwarf_units.h"
#include "symbolize/dwarf/dwarf_image.h"
#include "symbolize/dwarf/dwarf_names.h"
#include "symbolize/dwarf/dwarf_packages.h"
#include "symbolize/dwarf/dwarf_sources.h"
#include "symbolize/dwarf/dwarf_split.h"
#include "symbolize/dwarf/dwarf_store.h"
#include "symbolize/elf/elf.h"
#include "symbolize/symbolize.h"

struct dwarf_place {
	uint64_t unit, address;
	uint64_t symbol;       /* the start of its symbol */
	struct site_code code; /* for its frame; without an address: not wanted */
	bool shared;           /* the symbol is one of several functions that start there */
	site_id site;
};

/* The places of a unit: n of struct dwarf_debug's, from first on. */
struct dwarf_task {
	uint32_t first, n;
	struct dwarf_unit unit;
};

struct dwarf_debug {
	struct dwarf_kept main, alternate; /* alternate: what dwz moved there, or empty */
	struct dwarf_store *store;         /* they go there once nobody uses them; NULL: none */
	struct dwarf_store_key main_key, alternate_key;
	char *path;
	int64_t built_s; /* source_file_judge_program() */
	bool is_local;
	struct elf_layout layout;
	bool by_address; /* of a kernel or its module: sites have addresses, not offsets */
	struct dwarf_packages packages;
	struct dwarf_place *place;
	uint32_t n_places, cap_places;
	struct dwarf_task *task;
	uint32_t n_tasks;

	str_id module; /* shown */
	bool injected; /* of generated code, by perf inject --jit */
	bool inlined;  /* frames for inlined functions are wanted */
	struct demangle_style style;
	struct symbolize_module *report;

	struct dwarf_debug *next; /* for work.c: under its lock */
	uint32_t next_task;
	_Atomic uint32_t users;
	_Atomic uint64_t spent_ns;
	_Atomic uint32_t named; /* sites that have a name only from here */
	_Atomic bool lacks_dwo; /* of some unit */
};

/* How a recorded place becomes an address of the debug information; borrowed. */
struct dwarf_addresses {
	const struct elf_layout *layout; /* of the file that ran; NULL: they hold addresses */
	const struct elf_places *places; /* of sections of an object file; NULL: it was linked */
};

struct dwarf_wanted {
	bool lines;      /* line tables are needed */
	bool only_lines; /* nothing else is, where units say in a plain way which is theirs */
	struct dwarf_store
		*store; /* may have it from another recording, and keeps it; NULL: none */
};

/* The debug information of ef; NULL if it has none that can be read. The caller is its only user.
 */
struct dwarf_debug *dwarf_debug_open(const struct files *files, const struct elf_file *ef,
	const struct dwarf_addresses *at, struct dwarf_wanted wanted, struct files_trail *trail);
/* Adds a place, before any task is made, and returns it until the next one is added. NULL: no unit
 * has it. offset is as recorded; symbol is the one that covers it, in the same terms, or NULL. */
struct dwarf_place *dwarf_debug_add(
	struct dwarf_debug *d, uint64_t offset, const struct symbol *symbol, site_id site);
void dwarf_debug_make_tasks(struct dwarf_debug *d);
void dwarf_debug_release(struct dwarf_debug *d);
/* Opens main, and the alternate file for it where there is one; both are to be closed. */
bool dwarf_debug_open_handles(
	const struct dwarf_debug *d, struct dwarf_handle *main, struct dwarf_handle *alternate);

/* A frame from which an inlined function is called. */
struct dwarf_call {
	const void *scope, *callee; /* DIEs */
	frame_id symbol;            /* which the site had before; of inlined scopes 0 */
	frame_id frame;
};

/* Memory and handles of a worker. A zeroed struct is good. */
struct dwarf_worker {
	struct dwarf_debug *debug; /* the handles are open on it; it has this worker as a user */
	struct dwarf_handle main, alternate;
	uint32_t units_read;
	struct dwarf_sources sources; /* of units of the handles, or of the current .dwo */
	struct dwarf_names names;     /* of DIEs of debug, or of the current .dwo */
	struct dwarf_chain *chains;
	uint32_t n_chains;
	frame_id *run;
	uint64_t *addresses;
	uint32_t cap_run, cap_addresses;
	/* By depth, of the sites of the unit that were named last: the next one is often called
	 * from the same. */
	struct dwarf_call *calls;
	uint32_t n_calls, cap_calls;
	const void *declared_die; /* the function of the site before; NULL: the site is the first */
	struct dwarf_declaration declared;
	struct buf text;
};

/* Give the sites of a task their frames. They have one each, from their symbol, which does not say
 * yet what is in dwarf_place.code. */
void dwarf_name_task(struct dwarf_worker *w, struct recording *r, const struct symbolize_opts *o,
	struct dwarf_debug *d, const struct dwarf_task *task);
/* Where there are no tasks after all: says of all places what is in dwarf_place.code. */
void dwarf_name_nothing(struct recording *r, const struct dwarf_debug *d);
void dwarf_worker_release(struct dwarf_worker *w);

#endif
