/*
 * jit_cfi.h - unwind rules for JIT code, from the call frame information in a jitdump
 *
 * The record holds an .eh_frame and its .eh_frame_hdr, in that order (V8) or the other (LLVM). Its
 * addresses are not those of the code: the lowest one that it covers is the code's first byte.
 * Code is known by its number in the dump; code that moved keeps its rules.
 *
 * Owns: copies of the information, rules. Threads: one at a time. Private to unwind/.
 * Source: jitdump-specification.txt, JIT_CODE_UNWINDING_INFO; jit_add_eh_frame_info() in
 * tools/perf/util/genelf.c; src/diagnostics/eh-frame.cc of V8.
 */
#ifndef PERFOLD_UNWIND_JIT_CFI_H
#define PERFOLD_UNWIND_JIT_CFI_H

#include "base/buf.h"
#include "base/index.h"
#include "unwind/cfi_rows.h"

struct jit_cfi {
	struct jit_cfi_code {
		uint64_t id;
		struct buf sections;
		struct frame_info info;
		uint64_t lowest; /* the lowest address that it covers */
		struct cfi_rows rows;
	} * codes;
	uint32_t n, cap;
	struct index by_id;
};

/* NULL: the code is not known yet. */
struct jit_cfi_code *jit_cfi_find(struct jit_cfi *g, uint64_t id);
/* Takes the sections over. */
struct jit_cfi_code *jit_cfi_add(
	struct jit_cfi *g, uint64_t id, struct buf sections, uint64_t header_bytes);
/* NULL: there is none. */
const struct unwind_rule *jit_cfi_rule(
	struct jit_cfi_code *p, const struct unwind_arch *a, uint64_t offset);
void jit_cfi_release(struct jit_cfi *g);

#endif
