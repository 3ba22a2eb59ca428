/*
 * code_lines.h - the source line of any instruction of a module, from its debug information
 *
 * Addresses are those of code.h. An instruction of a function that was inlined has the line in that
 * function. There are no lines for kernel modules, and none for generated code:
 * those of a jitdump are in its dump (codemap_open_lines()).
 *
 * Owns: the debug information, until code_lines_free(). Threads: one for each.
 */
#ifndef PERFOLD_SYMBOLIZE_CODE_CODE_LINES_H
#define PERFOLD_SYMBOLIZE_CODE_CODE_LINES_H

#include "files/files.h"

struct code_lines;
struct symbolize_cache;

/* Never NULL: without debug information nothing is found. files, m, strings and cache are borrowed.
 * The debug information is taken out of the cache, if that has it, and not put back; NULL: none. */
struct code_lines *code_lines_new(const struct files *files, const struct module *m,
	struct strtab *strings, struct symbolize_cache *cache);
void code_lines_free(struct code_lines *l);
/* The line of an address, and its file as debug information has it. False: not known. */
bool code_lines_find(struct code_lines *l, uint64_t address, str_id *file, uint32_t *line);

#endif
