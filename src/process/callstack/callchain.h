/*
 * callchain.h - a recorded call chain as entries for the stack log
 *
 * perf records the innermost frame first, in segments that begin with a context mark (values
 * from -4095 up, PERF_CONTEXT_*). The log wants the outermost first; each entry says in one word
 * the address, whether it is kernel or user code, and whether it is a return address:
 *
 *	bits 63..55 of an address are all equal (x86-64, aarch64 without tags). Bit 62 differs from
 *	bit 63 where the address is exact (first of its segment), bit 61 where the segment is not
 *	what bit 63 says (kernel addresses of 32-bit machines), bit 60 where it is the return
 *	address of the outermost frame, of user code. So entries of 64-bit kernels, and no others,
 *	have STACKLOG_ALL_SPACES (model/stacklog.h).
 *
 * Anything else (garbage that a broken frame pointer led to, an address with a function) is kept in
 * a table, and its entry is an index there. A truncated user stack dump has a mark as its outermost
 * entry, and where stacks are stitched (stitch.h), so has a stack that ends early for another
 * reason.
 *
 * Source: perf_event_open(2), tools/perf/util/machine.c for the meaning of marks.
 *
 * Owns: its buffers. Threads: each has its own.
 */
#ifndef PERFOLD_PROCESS_CALLSTACK_CALLCHAIN_H
#define PERFOLD_PROCESS_CALLSTACK_CALLCHAIN_H

#include "base/index.h"

#include <stdbool.h>
#include <stddef.h>

enum { MODE_UNKNOWN, MODE_KERNEL, MODE_USER, MODE_HYPERVISOR, MODE_GUEST_KERNEL, MODE_GUEST_USER };

struct callchain_address {
	uint64_t ip;
	uint8_t mode; /* MODE_KERNEL, MODE_USER or MODE_HYPERVISOR */
	bool exact, outermost;
	uint32_t function; /* frame_id of what runs there if it is an interpreter, or 0 */
};

/* The mark of a truncated stack; no odd address has this index. */
#define CALLCHAIN_TRUNCATED (1ull << 56 | UINT32_MAX)
/* The mark of a stack that ends early for another reason. */
#define CALLCHAIN_UNFINISHED (1ull << 56 | (UINT32_MAX - 1))

/* PERF_CONTEXT_*: what follows is code of that kind. */
#define CALLCHAIN_HYPERVISOR ((uint64_t)-32)
#define CALLCHAIN_KERNEL     ((uint64_t)-128)
#define CALLCHAIN_USER       ((uint64_t)-512)

/* PERF_CONTEXT_USER_DEFERRED: a cookie follows, under which the user's part was recorded later. */
#define CALLCHAIN_DEFERRED ((uint64_t)-640)

struct callchain {
	uint64_t *entry; /* outermost first: the last n of room */
	uint32_t n, cap;
	uint64_t *room;
	bool adjusted;                 /* calls were recorded, not return addresses: simpleperf */
	struct callchain_address *odd; /* what does not fit into an entry */
	uint32_t n_odd, cap_odd;
	struct index by_odd;
};

void callchain_release(struct callchain *c);

/* Is a word of a recorded chain a mark? */
static inline bool callchain_is_mark(uint64_t word)
{
	return word >= (uint64_t)-4095; /* PERF_CONTEXT_MAX */
}

/* The mode that a mark stands for; false for those at which perf discards the chain. */
bool callchain_read_mark(uint64_t mark, uint8_t *mode);

/* Start a stack; pieces are added innermost first. */
void callchain_clear(struct callchain *c);
/* A recorded chain with its marks, n words in the recording's byte order. False if it holds a mark
 * at which perf discards the chain (guests, unknown marks); what is before the mark was added. mode
 * is that of what comes before the first mark. */
bool callchain_add(struct callchain *c, const uint8_t *ips, uint32_t n, bool swapped, uint8_t mode);
/* Does it hold only addresses, and marks of kernel and user? Other marks are damage, counted for
 * each sample, or continue in another record. */
bool callchain_is_plain(const uint8_t *ips, uint32_t n, bool swapped);
/* One address; exact: the innermost of its segment. */
void callchain_add_address(struct callchain *c, uint64_t ip, uint8_t mode, bool exact);
/* An address of user code, which may be an interpreter that runs that function. */
void callchain_add_function(struct callchain *c, uint64_t ip, bool exact, uint32_t function);
/* The frames outside of this are not known: CALLCHAIN_TRUNCATED or CALLCHAIN_UNFINISHED. */
void callchain_add_mark(struct callchain *c, uint64_t mark);
/* Once all is added. */
void callchain_finish(struct callchain *c);

struct callchain_address callchain_decode(const struct callchain *c, uint64_t entry);

#endif
