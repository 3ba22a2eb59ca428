/*
 * call_code.h - where a call instruction of x86 ends
 *
 * A return address is what follows a call. A word on a stack that points to code, and that no call
 * is before, is something else: a pointer to a function, or the work of makecontext().
 *
 * Owns: nothing. Threads: any. Source: Intel SDM, volume 2, CALL and 2.1 (ModR/M and SIB).
 */
#ifndef PERFOLD_BASE_CALL_CODE_H
#define PERFOLD_BASE_CALL_CODE_H

#include <stdbool.h>
#include <stdint.h>

enum { CALL_CODE_BYTES = 7 }; /* of the longest call, without prefixes */

/* Can a call end where end points to? The CALL_CODE_BYTES before it are read. They may be those of
 * another instruction that only look like a call; without any such bytes there is none. 64 and 32
 * bits. */
bool call_code_ends(const uint8_t *end);

/* Can it be a call of a function? end_address is where end runs, 64 bits. A call by way of a
 * register or of memory can be one of any function. */
bool call_code_may_call(const uint8_t *end, uint64_t end_address, uint64_t function);

/* The function that a direct call calls, 64 bits. False if no direct call can end there. */
bool call_code_target(const uint8_t *end, uint64_t end_address, uint64_t *function);

#endif
