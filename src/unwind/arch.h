/*
 * arch.h - differences between architectures
 *
 * Owns: nothing, tables are constant. Threads: any. Private to unwind/.
 */
#ifndef PERFOLD_UNWIND_ARCH_H
#define PERFOLD_UNWIND_ARCH_H

#include "unwind/unwind.h"

struct unwind_rule;

enum { CODE_BYTES = 16, CODE_BEFORE = 8 };

/* A register in the sigcontext of a signal frame: its column, and the offset of its value. */
struct saved_context {
	uint8_t column;
	uint16_t offset;
};

struct unwind_arch {
	const char *name;
	uint16_t elf_machine;
	uint8_t word_bytes;
	const int8_t *from_perf; /* columns by perf's numbers, n_perf of them */
	uint8_t n_perf;
	uint8_t n_columns; /* those that CFI may mention */
	uint8_t pc, sp, fp;
	uint8_t ra;     /* the return address column */
	uint8_t result; /* of a system call */
	/* Columns in struct unwind_rule's saved[], in this order; the last is ra. */
	const uint8_t *saved;
	uint8_t n_saved;
	uint64_t callee_saved; /* the same as bits, without ra */
	uint64_t address_mask; /* of return addresses: any other bits are a signature */
	const struct saved_context *context; /* relative to the stack pointer in the trampoline */
	uint8_t n_context;
	/* A rule for code without CFI, recognized by its bytes: code[CODE_BEFORE] runs next. exact:
	 * it was running, or was interrupted; else a call, or a signal handler, returns there. */
	bool (*guess)(const uint8_t code[CODE_BYTES], bool exact, struct unwind_rule *r);
	/* Does a call end at code[CODE_BEFORE]? NULL: unknown. */
	bool (*follows_call)(const uint8_t code[CODE_BYTES]);
	/* Can it be a call of a function? next: the address of code[CODE_BEFORE]. NULL: unknown. */
	bool (*may_call)(const uint8_t code[CODE_BYTES], uint64_t next, uint64_t function);
	/* Which function does a direct call before it call? False: there is none. NULL: unknown. */
	bool (*called)(const uint8_t code[CODE_BYTES], uint64_t next, uint64_t *function);
	/* Where a function that keeps a frame pointer has its caller's, and the return address
	 * above it, relative to its own. The first is taken if that is code, else the second. */
	int8_t frame_record[2];
	/* A call leaves the return address in a register, else (x86) at the stack pointer. */
	bool link_register;
	uint64_t chain_link;              /* see unwind_arch_link() */
	const struct unwind_arch *narrow; /* of 32-bit programs, NULL: not unwound */
};

extern const struct unwind_arch arch_x86_64, arch_i386, arch_aarch64, arch_arm, arch_riscv64;

#endif
