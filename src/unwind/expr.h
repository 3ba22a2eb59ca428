/*
 * expr.h - DWARF expressions, as far as call frame information needs them
 *
 * Arithmetic, comparisons, jumps, registers and the user stack dump. Bounded: EXPR_STEPS_MAX
 * operations, EXPR_DEPTH_MAX values; an unknown operation ends without a result.
 *
 * Owns: operations live in the arena. Threads: any. Source: DWARF 5, 2.5 and 6.4.2.
 * Private to unwind/.
 */
#ifndef PERFOLD_UNWIND_EXPR_H
#define PERFOLD_UNWIND_EXPR_H

#include "base/arena.h"
#include "unwind/memory.h"

#include <elfutils/libdw.h>

enum { EXPR_STEPS_MAX = 1000, EXPR_DEPTH_MAX = 64, EXPR_OPS_MAX = 4096 };

struct expr {
	const Dwarf_Op *op;
	uint32_t n;
};

/* A copy of operations; false if there are too many. */
bool expr_copy(struct expr *x, const Dwarf_Op *op, size_t n, struct arena *arena);

/* An expression as it is in a file. with_cfa: the CFA is pushed before it runs. False if an
 * operation is not known. */
bool expr_decode(struct expr *x, struct span bytes, bool with_cfa, struct arena *arena);

struct expr_env {
	const struct unwind_regs *regs;
	const struct unwind_memory *memory;
	const uint64_t *cfa; /* NULL: not known yet */
	uint64_t missed;     /* after a failure: the address outside of the dump, else 0 */
};

/* The value on top at the end; false if there is none. */
bool expr_eval(const struct expr *x, struct expr_env *env, uint64_t *result);

#endif
