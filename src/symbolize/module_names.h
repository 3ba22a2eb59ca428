/*
 * module_names.h - the names of one module, for symbolize_lookup.c
 *
 * Owns: its symbols. Threads: one for each module. Private to symbolize/; implemented in
 * symbolize.c.
 */
#ifndef PERFOLD_SYMBOLIZE_MODULE_NAMES_H
#define PERFOLD_SYMBOLIZE_MODULE_NAMES_H

#include "symbolize/symbolize.h"

struct module_names;
struct symbolize_run;

/* What modules share: the recording, options, the kernel's list of symbols. r and o are borrowed.
 */
struct symbolize_run *module_names_run_new(struct recording *r, const struct symbolize_opts *o);
void module_names_run_free(struct symbolize_run *run);
/* Before the names of modules of the kernel; once. */
const struct kallsyms *module_names_read_kallsyms(struct symbolize_run *run);

/* Reads the symbols of report->module. */
struct module_names *module_names_new(
	const struct symbolize_run *run, struct symbolize_module *report);
void module_names_free(struct module_names *n);
/* The offset or address that a site is looked up at: of what ran, or of one byte of the call. */
uint64_t module_names_look_up(const struct module_names *n, const struct site *s);
frame_id module_names_frame(struct module_names *n, const struct site *s);
/* See symbolize_lookup_function() and what follows it. */
bool module_names_function(
	struct module_names *n, const struct site *s, struct symbolize_function *f);
struct symbolize_bounds module_names_bounds(struct module_names *n, const struct site *s);
uint64_t module_names_address(struct module_names *n, const struct site *s);
/* The address of its first code, where it is known; else 0. */
uint64_t module_names_first_code(const struct module_names *n);
bool module_names_by_vmlinux(const struct module_names *n, uint64_t *shift);
/* See symbolize_lookup_build(). */
str_id module_names_build(const struct symbolize_run *run, module_id module);

#endif
