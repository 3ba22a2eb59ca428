/*
 * go_program.h - the table of functions of a Go program, found in its ELF file
 *
 * The table (go_table.h) does not say by itself where its addresses count from: that is in the
 * data of the runtime (moduledata), which the linker fills in. In a position-independent program
 * the dynamic loader does, and the relocations have it.
 *
 * Owns: bytes that were read; the ELF file must live as long. Threads: one at a time.
 * Source: Go, runtime/symtab.go (moduledata), cmd/link/internal/ld/symtab.go.
 */
#ifndef PERFOLD_FILES_GO_PROGRAM_GO_PROGRAM_H
#define PERFOLD_FILES_GO_PROGRAM_GO_PROGRAM_H

#include "files/files.h"
#include "files/go_program/go_table.h"

/* A zeroed one has no functions. */
struct go_program {
	bool searched; /* go_program_open() has said what there is */
	struct go_table table;
	struct elf_layout layout;
	struct go_bytes table_bytes, tree_bytes;
	/* What was read, as offset and size in the file, for packs: the table, moduledata, trees.
	 */
	struct go_extent {
		uint64_t offset, size_bytes;
	} part[3];
	uint32_t n_parts;
};

/* False if the file is no Go program, or of a form that is not known. */
bool go_program_open(struct go_program *p, const struct elf_file *ef);
void go_program_release(struct go_program *p);
/* Does the table tell inlined calls, too? */
bool go_program_has_calls(const struct go_program *p);
/* For packs: names and lines need what was read. */
void go_program_note(const struct go_program *p, const struct files *f, const struct module *m);

#endif
