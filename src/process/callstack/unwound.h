/*
 * unwound.h - an unwound user stack as words of a recorded call chain
 *
 * perfold strip writes the frames of a copied stack in the place of the copy. A call chain has less
 * to say of a frame than an unwinder, so context marks, which readers pass over, say the rest:
 *
 *	USER ip                 begins at ip: was running, or was interrupted by a signal
 *	ip                      a return address
 *	USER USER code ...      the frame that follows is an interpreter, running the bytecode at
 *	                        that address
 *	m m m                   at the very end: how the stack ended, as three digits 0 to 2
 *	                        (USER, KERNEL, HYPERVISOR)
 *
 * perf shows the bytecode as a frame of its own, and all else as it is.
 *
 * Owns: nothing. Threads: any. Private to process/.
 */
#ifndef PERFOLD_PROCESS_CALLSTACK_UNWOUND_H
#define PERFOLD_PROCESS_CALLSTACK_UNWOUND_H

#include "base/buf.h"
#include "unwind/unwind.h"

#include <stdint.h>

/* The innermost first, which is exact. bytecode: 0 if it is no interpreter. */
void unwound_put_frame(struct buf *b, uint64_t ip, bool exact, uint64_t bytecode, bool swapped);
/* UNWIND_CONTINUE stands for a stack that could not be unwound at all. */
void unwound_put_end(struct buf *b, enum unwind_end end, bool swapped);

/* Takes the end off a chain of *n words; false if it has none. */
bool unwound_take_end(const uint8_t *ips, uint32_t *n, bool swapped, enum unwind_end *end);

/* An address of a chain. */
struct unwound_address {
	uint64_t ip;
	uint64_t bytecode; /* 0: none */
	uint32_t at;       /* of ip in the chain */
	uint8_t mode;      /* as in callchain.h */
	bool exact;
};

struct unwound_reader {
	const uint8_t *ips;
	uint32_t n, at;
	bool swapped;
	uint8_t mode;
	bool exact;
	bool unknown_mark; /* it ended there */
};

/* Any chain can be read, up to a mark that is not known. */
struct unwound_reader unwound_read(const uint8_t *ips, uint32_t n, bool swapped);
bool unwound_next(struct unwound_reader *r, struct unwound_address *a);

#endif
