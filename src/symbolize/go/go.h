/*
 * go.h - names, lines and inlined functions from the table of a Go program
 *
 * For programs without debug information, as most images of containers hold them, and where the
 * table says as much and is faster to read. What a frame gets is what dwarf/ gives.
 *
 * Owns: its text. Threads: one for each naming.
 */
#ifndef PERFOLD_FILES_GO_PROGRAM_GO_H
#define PERFOLD_FILES_GO_PROGRAM_GO_H

#include "files/go_program/go_program.h"
#include "symbolize/elf/elf.h"
#include "symbolize/symbolize.h"

struct go_naming {
	struct recording *r;
	const struct symbolize_opts *o;
	struct go_program *program;
	const struct demangle_style *style;
	bool inlined;              /* frames for inlined functions are wanted */
	struct source_claim claim; /* about the sources of the program, but for the file */
	struct buf text;
};

/* Adds the functions as symbols, by offset in the file: those that hold a wanted one, or all if
 * wanted is NULL. */
void go_symbols_add(const struct go_program *p, struct symtab *t, struct elf_wanted *wanted);
/* The frames of a site that has the one of its symbol. rel: the offset in the file of what ran, or
 * of one byte of the call. */
void go_frames_set(struct go_naming *g, site_id site, uint64_t rel);
void go_frames_release(struct go_naming *g);

#endif
