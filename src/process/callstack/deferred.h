/*
 * deferred.h - user call chains that the kernel recorded later than their samples
 *
 * With perf record --call-graph fp,defer a sample in the kernel has the kernel's part of its chain
 * alone, which ends in a mark and a cookie. The user's part comes once, in a record
 * CALLCHAIN_DEFERRED of the same thread and cookie, when the thread returns to user code: often
 * many samples later, and in another CPU's part of the file.
 *
 * Owns: its copies of chains, of a bounded size. Threads: filled by one, then read by any.
 * Source: include/uapi/linux/perf_event.h, PERF_RECORD_CALLCHAIN_DEFERRED. Private to process/.
 */
#ifndef PERFOLD_PROCESS_CALLSTACK_DEFERRED_H
#define PERFOLD_PROCESS_CALLSTACK_DEFERRED_H

#include "base/index.h"

#include <stdbool.h>
#include <stddef.h>

enum { DEFERRED_IPS_MAX = 1 << 25 };

struct deferred {
	struct deferred_chain {
		uint64_t cookie;
		int32_t tid;
		uint32_t first, n; /* of ips */
	} * chain;
	uint32_t n, cap;
	uint64_t *ips; /* with marks, in this machine's byte order */
	uint32_t n_ips, cap_ips;
	struct index by_cookie;
};

void deferred_release(struct deferred *d);
/* n words in the recording's byte order. False where there is no room for more. */
bool deferred_add(struct deferred *d, int32_t tid, uint64_t cookie, const uint8_t *ips, uint32_t n,
	bool swapped);
/* The chain, or NULL. */
const uint64_t *deferred_find(const struct deferred *d, int32_t tid, uint64_t cookie, uint32_t *n);

#endif
