/*
 * code_modules.h - the modules of all inputs, by what frames say of theirs
 *
 * Owns: the list; modules are borrowed from the recordings. Threads: one. Private to output/.
 */
#ifndef PERFOLD_OUTPUT_CODE_MODULES_H
#define PERFOLD_OUTPUT_CODE_MODULES_H

#include "base/index.h"
#include "output/output.h"

struct code_module {
	str_id shown, build; /* of frames: frame.module, frame.build */
	const struct module *module;
};

struct code_modules {
	struct code_module *module; /* of several that are alike, one */
	uint32_t n, cap;
	struct index by_both, by_shown;
};

void code_modules_init(
	struct code_modules *t, const struct profile *p, const struct output_opts *o);
void code_modules_release(struct code_modules *t);
/* The module of a frame; of one that does not say its build, the one that all inputs agree on.
 * NULL: not known. */
const struct code_module *code_modules_of(const struct code_modules *t, const struct frame *f);

#endif
