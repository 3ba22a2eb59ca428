/*
 * symbolize.h - names for the sites of a recording
 *
 * Every distinct site gets its frames once, however many samples and processes hit it. Sites are
 * grouped by module; a worker takes a module, reads its symbols and looks up all its sites. Sites
 * that have their frame from reading (named) get that one. If a module has debug information, its
 * compilation units are shared out among the workers, for the functions that were inlined
 * (dwarf.h). perf expands these only in stacks that it unwound itself; so does --compat perf, in
 * recordings of user stack dumps.
 *
 * Which symbol covers an address: the innermost of those that hold it; of symbols that start
 * together, the one that a programmer knows best (by perf's rules). A return address is looked up
 * at the call before it. --compat perf instead does what perf 6.1 does: raw return addresses, its
 * order of steps, its tree.
 *
 * Owns: nothing but the report. Threads: symbolize() runs on the pool; no other thread may add
 * sites meanwhile.
 */
#ifndef PERFOLD_SYMBOLIZE_SYMBOLIZE_H
#define PERFOLD_SYMBOLIZE_SYMBOLIZE_H

#include "base/pool.h"
#include "files/files.h"
#include "model/recording.h"

/* What was read of files and of the kernel's list, for the next recording, or for source and code
 * of the same. Threads: any. */
struct symbolize_cache;
/* most_bytes: of debug information; of all files together, or of a single one. only_lines: for the
 * lines of code alone. */
struct symbolize_cache *symbolize_cache_new(size_t most_bytes, bool only_lines);
enum { SYMBOLIZE_CACHE_BYTES = 512 << 20 };
/* Where it has debug information; NULL: there is no cache. */
struct dwarf_store *symbolize_cache_dwarf(const struct symbolize_cache *c);
/* Before the cache of kallsyms in struct files_opts. NULL is fine. */
void symbolize_cache_free(struct symbolize_cache *c);

struct symbolize_opts {
	const struct files *files;     /* borrowed */
	struct symbolize_cache *cache; /* NULL: everything is read anew */
	/* The kernel's reference symbol as recorded (world_kernel_reference): 0 where not known. */
	str_id kernel_reference_symbol;
	uint64_t kernel_reference_address;
	const char *const *source_maps; /* directories, NULL ended; NULL: none */
	bool compat_perf;
	bool addresses;    /* keep the address of frames without a name */
	bool no_functions; /* code without a symbol is its module, not a function of that */
	bool no_demangle;
	bool full_names;     /* with parameters, as the demangler gives them */
	bool no_inline;      /* no frames of inlined functions */
	bool no_debug;       /* names are from symbols alone, and lines are not wanted */
	bool lines;          /* frames know the line of what ran, or of the call */
	bool sources;        /* with lines: the recording gets facts about their files */
	bool lines_in_names; /* and their names are followed by ":file:line"; needs lines */
	bool code_addresses; /* frames know the address of what ran, or of the call */
	bool code_later;     /* with code_addresses: not those that have a name and a file, but the
			      * recording does: recording.code */
};

/* What was found for a module that has sites. */
struct symbolize_module {
	module_id module;
	uint32_t sites, named;
	uint32_t shared;    /* sites in one of several functions that start together, where no debug
			     * information says which */
	enum frame_why why; /* WHY_HAS_NAME, or why there are no symbols at all */
	char *runtime_path; /* the file that ran, as found here; NULL: none */
	char *symbols_path; /* where the symbols are from, if from another file */
	char *dwarf_path;   /* the file with the debug information that was read; NULL: none */
	char *package_path; /* the .dwp that a unit was read from; NULL: none */
	struct files_trail trail;
};

struct symbolize_report {
	struct symbolize_module *modules; /* by module_id, those without sites left out */
	uint32_t n;
	struct files_unread *unread; /* files that could not be read; NULL: not wanted */
};

/* Adds the branches of a recording, which is the number-th of the run, by binary and address. Sites
 * need not be named. */
struct branch_profile;
void symbolize_branches(struct recording *r, size_t number, const struct symbolize_opts *o,
	struct branch_profile *to);

int symbolize(struct recording *r, const struct symbolize_opts *o, struct pool *pool,
	struct symbolize_report *rep, struct err *e);
void symbolize_report_release(struct symbolize_report *rep);
void symbolize_report_release_module(struct symbolize_module *m);
/* Files that exist and could not be used. */
void symbolize_report_count_refusals(const struct symbolize_report *rep, struct diag *d);

/* Names one site at a time, when not all are known beforehand. The symbols of a module are read for
 * its first site and kept. Inlined functions and lines are left out. */
struct symbolize_lookup;
struct kallsyms;

/* r holds the modules; it and what o points to are borrowed. Threads: one. */
struct symbolize_lookup *symbolize_lookup_new(struct recording *r, const struct symbolize_opts *o);
void symbolize_lookup_free(struct symbolize_lookup *s);
/* A frame of FRAME_UNKNOWN if no symbol covers the site. */
frame_id symbolize_lookup_find(struct symbolize_lookup *s, const struct site *site);
/* An address of the kernel, or of one of its modules if kallsyms are there. */
frame_id symbolize_lookup_find_kernel(struct symbolize_lookup *s, uint64_t address);

/* A function, for its code (symbolize/code/). */
struct symbolize_function {
	frame_id frame;      /* without a name where only .eh_frame knows the function */
	uint64_t start, end; /* in the terms of site.rel */
	uint64_t address;    /* of the start in the file, where only .eh_frame knows it */
	bool guessed;        /* the symbol has no size: the function ends where the next begins */
	bool stub;           /* of the procedure linkage table */
	bool thumb;          /* the code of 32-bit ARM with short instructions */
};

/* The function that an address of a module is in. False: no symbol and no .eh_frame has one. */
bool symbolize_lookup_function(
	struct symbolize_lookup *s, module_id module, uint64_t rel, struct symbolize_function *f);
/* The code that has the symbol, or the FDE, of an address: in the terms of site.rel. */
struct symbolize_bounds {
	uint64_t start, end; /* end 0: nothing is known */
	bool stub;           /* of the procedure linkage table */
};

struct symbolize_bounds symbolize_lookup_bounds(
	struct symbolize_lookup *s, module_id module, uint64_t rel);
/* The address that objdump shows for it (frame.at_address); 0: not known without the file. */
uint64_t symbolize_lookup_address(struct symbolize_lookup *s, module_id module, uint64_t rel);
/* The address of the module's first segment with code, or 0. */
uint64_t symbolize_lookup_first_code(struct symbolize_lookup *s, module_id module);
/* Is the kernel named by --vmlinux? *shift is then what is added to a recorded address to get that
 * in the file (KASLR). */
bool symbolize_lookup_has_vmlinux(struct symbolize_lookup *s, module_id kernel, uint64_t *shift);
/* What build is in a frame of the module that knows its address. */
str_id symbolize_lookup_build(struct symbolize_lookup *s, module_id module);
/* The kernel's list of symbols, which is read now if it was not yet. */
const struct kallsyms *symbolize_lookup_kallsyms(struct symbolize_lookup *s);
/* Frees the symbols of all modules, but for that list and those of modules that are shown as except
 * (may be 0); they are read again when they are needed. */
void symbolize_lookup_forget(struct symbolize_lookup *s, str_id except);

#endif
