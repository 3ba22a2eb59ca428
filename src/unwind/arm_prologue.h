/*
 * arm_prologue.h - how far a 32-bit Arm function has come in making its frame, or in leaving it
 *
 * A row of .ARM.exidx holds where a function calls. In the innermost frame any instruction may be
 * next, so those around it are read: they push and pop registers, move the stack pointer and set
 * the frame pointer, as compilers write them, in Arm or Thumb code.
 *
 * Owns: nothing. Threads: any. Private to unwind/.
 * Source: Arm Architecture Reference Manual, ARMv7-A and ARMv7-R edition, A5, A6 and A8.
 */
#ifndef PERFOLD_UNWIND_ARM_PROLOGUE_H
#define PERFOLD_UNWIND_ARM_PROLOGUE_H

#include "base/span.h"
#include "unwind/frame_info.h"

enum { ARM_PROLOGUE_BYTES = 128, ARM_EPILOGUE_BYTES = 48 }; /* of code that are of use */

struct arm_code {
	struct span before; /* from the first byte of the function up to the next instruction */
	struct span after;  /* the next instruction and others */
	uint64_t next;      /* bytes from the first one of the function to the next instruction */
};

/* Changes the row of a function to one that holds at its next instruction. */
void arm_prologue_apply(const struct arm_code *c, struct frame_row *row);

#endif
