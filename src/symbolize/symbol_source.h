/*
 * symbol_source.h - where symbols come from: a table, tried in order
 *
 * A source fills the symbol table of a module, or says why it cannot. Adding one is a file with a
 * struct symbol_source and a line in symbolize.c.
 *
 * Private to symbolize/. Threads: load() of different modules at the same time.
 */
#ifndef PERFOLD_SYMBOLIZE_SYMBOL_SOURCE_H
#define PERFOLD_SYMBOLIZE_SYMBOL_SOURCE_H

#include "symbolize/dwarf/dwarf.h"

struct go_program;
struct kallsyms;

struct symbol_request {
	const struct symbolize_opts *o;
	const struct strtab *strings;
	const struct recorded_symbols *recorded; /* in the recording itself */
	const struct module *module;
	/* The recorded addresses in the module; NULL: not known, so all symbols are needed. */
	struct elf_wanted *wanted;
	const struct kallsyms *kallsyms; /* of the recorded kernel; NULL: not needed */
	struct symbolize_module *report; /* paths and trail are filled in by the source */
	struct elf_functions *functions; /* of the file that ran, set by a source that has it */
	struct go_program *go;           /* the same, where it is a Go program without .symtab */
	struct elf_layout *layout;       /* the same; left empty where it is not known */
	struct dwarf_debug **debug;      /* set by a source that has it; NULL: not wanted */
};

struct symbol_source {
	const char *name;
	uint32_t kinds; /* bits 1 << enum module_kind */
	/* WHY_HAS_NAME: the table has all symbols that there are. Else nothing was added. */
	enum frame_why (*load)(const struct symbol_request *want, struct symtab *t);
	/* Opens the debug information, after load(); NULL: load() does that. */
	void (*open_debug)(const struct symbol_request *want, const struct symtab *t);
};

/* Opens the debug information of ef, which has some. */
void symbol_source_open_debug(const struct symbol_request *want, const struct elf_file *ef,
	const struct dwarf_addresses *at);

extern const struct symbol_source symbol_source_elf, symbol_source_vmlinux, symbol_source_kallsyms,
	symbol_source_kmod, symbol_source_bpf, symbol_source_recorded;

#endif
