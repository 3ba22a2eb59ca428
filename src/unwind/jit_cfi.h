/*
 * generated.h - rules for generated code, from what its maker wrote into a jitdump
 *
 * The record holds an .eh_frame and its .eh_frame_hdr, in that order (V8) or the other (LLVM),
 * written for a place other than the one where the code ran: the lowest address that it speaks of
 * stands for where the code begins. Pieces of code are known by number; one that moved keeps its
 * rules.
 *
 * Owns: copies of the information, rules. Threads: one at a time. Private to unwind/.
 * Source: jitdump-specification.txt, JIT_CODE_UNWINDING_INFO; jit_add_eh_frame_info() in
 * tools/perf/util/genelf.c; src/diagnostics/eh-frame.cc of V8.
 */
#ifndef PERFOLD_UNWIND_GENERATED_H
#define PERFOLD_UNWIND_GENERATED_H

#include "base/buf.h"
#include "base/index.h"
#include "unwind/cfi_rows.h"

struct jit_cfi {
	struct jit_cfi_code {
		uint64_t id;
		struct buf sections;
		struct frame_info info;
		uint64_t lowest; /* the lowest address that it speaks of */
		struct cfi_rows rows;
	} * pieces;
	uint32_t n, cap;
	struct index by_id;
};

/* NULL: the piece is not known yet. */
struct jit_cfi_code *jit_cfi_find(struct jit_cfi *g, uint64_t id);
/* Takes the sections over. */
struct jit_cfi_code *jit_cfi_add(
	struct jit_cfi *g, uint64_t id, struct buf sections, uint64_t header_bytes);
/* NULL: there is none. */
const struct unwind_rule *jit_cfi_rule(
	struct jit_cfi_code *p, const struct unwind_arch *a, uint64_t offset);
void jit_cfi_release(struct jit_cfi *g);

#endif
