/*
 * cfi.h - the unwind rules of all files, made when they are first needed
 *
 * For each module: the .eh_frame of the file that ran, then the .debug_frame of that file or of its
 * debug file. A row holds for a range of addresses; rules are kept by range, under the module's
 * lock, and by address in a table that is read without a lock.
 *
 * Owns: files, CFI, rules. Threads: any. Private to unwind/.
 */
#ifndef PERFOLD_UNWIND_CFI_H
#define PERFOLD_UNWIND_CFI_H

#include "unwind/unwind_rule.h"

struct cfi;

struct cfi *cfi_new(
	const struct unwind_arch *a, const struct files *files, const struct modules *modules);
void cfi_free(struct cfi *c);

/* A place in a module: rel as in enum module_kind. */
struct cfi_place {
	module_id module;
	uint64_t rel;
	bool exact; /* else the place is the byte before a return address */
};

/* The rule for a place in code of an architecture, NULL: there is none, as where the file is for
 * another one; *no_file: because the file is missing. */
const struct unwind_rule *cfi_find(
	struct cfi *c, const struct unwind_arch *a, struct cfi_place p, bool *no_file);

/* The rule that .eh_frame has for a place, and the architecture of its file. NULL: none. */
const struct unwind_rule *cfi_find_in_eh_frame(
	struct cfi *c, struct cfi_place p, const struct unwind_arch **a);

/* The rule in the body of execute_ex(), PHP's interpreter. NULL: the file does not export it, or
 * is for another architecture. */
const struct unwind_rule *cfi_find_execute_ex(
	struct cfi *c, const struct unwind_arch *a, module_id id);
/* Can a call of execute_ex(), in the same file, return to the byte after p? Where its code is
 * missing, it cannot. */
bool cfi_may_call_execute_ex(struct cfi *c, struct cfi_place p);

/* What .eh_frame has for the first byte of the function whose direct call returns to the byte after
 * p, in the same file. NULL: nothing, or there is no such call. */
const struct unwind_rule *cfi_find_called(
	struct cfi *c, const struct unwind_arch *a, struct cfi_place p);

/* Can a call return to the byte after p? Where its code is missing, it can. */
bool cfi_may_follow_call(struct cfi *c, struct cfi_place p);

#endif
