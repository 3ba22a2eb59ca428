/*
 * go_cfi.h - call frame information of a stripped Go program, from its table of functions
 *
 * Go's linker makes .debug_frame of the stack sizes in the table (.gopclntab), and strip removes
 * it; the table stays. These are the rows that the linker makes.
 *
 * Owns: nothing. Threads: one at a time for each program. Private to unwind/.
 * Source: Go, cmd/link/internal/ld/dwarf.go (writeframes).
 */
#ifndef PERFOLD_UNWIND_GO_CFI_H
#define PERFOLD_UNWIND_GO_CFI_H

#include "files/go_program/go_program.h"
#include "unwind/frame_info.h"

/* The row for an address; false if there is none, or this is no Go program (a zeroed one). */
bool go_cfi_row(
	struct go_program *p, const struct unwind_arch *a, uint64_t address, struct frame_row *row);

#endif
