/*
 * arm_exidx.h - .ARM.exidx: where the registers of a caller are, in 32-bit Arm programs
 *
 * What C++ exceptions need on this architecture, and often all that there is. An entry is for a
 * whole function and holds where it calls, so not while it makes its frame or leaves it: see
 * arm_prologue.h. Code that has none, as assembly, appears to be of the function before it: rows
 * are guesses.
 *
 * Owns: nothing; the bytes are borrowed, of the ELF file. Threads: any. A zeroed struct is empty.
 * Source: Exception Handling ABI for the Arm Architecture (EHABI32), 6 to 10. Private to unwind/.
 */
#ifndef PERFOLD_UNWIND_ARM_EXIDX_H
#define PERFOLD_UNWIND_ARM_EXIDX_H

#include "unwind/frame_info.h"

struct arm_exidx {
	struct arm_exidx_bytes {
		struct span bytes;
		uint64_t address;
	} index, tables; /* .ARM.exidx, .ARM.extab or the segment that it is in */
};

/* False if the file has none. */
bool arm_exidx_read(struct arm_exidx *x, const struct elf_file *ef);

/* The row for an address: of all of its function. False if there is none, if the function cannot be
 * unwound (EXIDX_CANTUNWIND: also said of code that nothing is known of), or if it makes no sense.
 */
bool arm_exidx_row(const struct arm_exidx *x, uint64_t address, struct frame_row *row);

#endif
