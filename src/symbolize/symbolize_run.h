/*
 * symbolize_run.h - a run of symbolize(), and the naming of one module in it
 *
 * Owns: what is said below. Threads: a run is shared by its workers, a module is one worker's.
 * Private to symbolize/.
 */
#ifndef PERFOLD_SYMBOLIZE_SYMBOLIZE_RUN_H
#define PERFOLD_SYMBOLIZE_SYMBOLIZE_RUN_H

#include "symbolize/batches.h"
#include "symbolize/go/go.h"
#include "symbolize/kernel/kernel.h"
#include "symbolize/module_names.h"
#include "symbolize/symbol_source.h"
#include "symbolize/work.h"

struct symbolize_run {
	struct recording *r;
	const struct symbolize_opts *o;
	struct pool *pool;
	uint64_t begun_ns;
	struct kallsyms kallsyms;
	struct batches batches;
	struct work work;
};

struct module_names {
	const struct symbolize_run *run;
	const struct module *module;
	struct symtab table;
	const struct symbol_source *source; /* of the symbols in table; NULL: there are none */
	struct elf_functions functions;     /* of its file, while table holds that */
	struct elf_layout layout;           /* of its file, for addresses of code */
	struct go_program go;               /* in it, if table needs that; it holds the file, too */
	bool injected;                      /* made from generated code by perf inject --jit */
	frame_id *frame;                    /* by number of the symbol, and kind: 0 not yet made */
	struct buf text;
	str_id build; /* that frames of it have; 0: not yet made */
	enum frame_why why;
	struct dwarf_debug *debug; /* NULL: none */
	bool merged_only;          /* it is there for merged functions, nothing else */
	uint32_t shared;           /* sites that were named after one of several functions */
};

/* perf expands inlined functions only in stacks that it unwound itself. */
static inline bool symbolize_wants_inlined(const struct symbolize_run *run)
{
	return !run->o->no_inline && (!run->o->compat_perf || run->r->facts.copied_stacks);
}

static inline bool symbolize_wants_debug(const struct symbolize_run *run)
{
	return run->o->lines || symbolize_wants_inlined(run);
}

/* ---- Go programs (module_names_go.c) ---- */

/* Does the table of a Go program tell all that its debug information would? */
bool module_names_go_suffices(struct module_names *n, const struct batch *b);
/* Lines and inlined calls by that table, where no debug information was opened. */
void module_names_go_add(struct module_names *n, const struct batch *b);

#endif
