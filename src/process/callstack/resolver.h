/*
 * resolver.h - the site of an entry of a stack, at a moment
 *
 * The connection between the stack log and the frozen world.
 *
 * Owns: nothing. Threads: each worker has its own. Private to process/.
 */
#ifndef PERFOLD_PROCESS_CALLSTACK_RESOLVER_H
#define PERFOLD_PROCESS_CALLSTACK_RESOLVER_H

#include "process/callstack/callchain.h"
#include "process/jit_code/jit_code.h"

struct resolver {
	const struct recording *recording; /* borrowed */
	struct sites *sites;               /* borrowed */
	const struct modules *modules;     /* borrowed */
	const struct world *world;         /* borrowed */
	const struct jit_maps *jit_maps;   /* borrowed */
	const struct callchain *chain;     /* borrowed: decodes entries */
	bool compat_perf; /* raw return addresses; maps only where perf uses them */
	struct diag diag; /* of DIAG_LATE_MAP the first place counts: caches decide on the number */
};

void resolver_init(struct resolver *r, const struct recording *recording, const struct world *world,
	const struct jit_maps *jit_maps, const struct callchain *chain, bool compat_perf);
/* The site of CALLCHAIN_TRUNCATED or CALLCHAIN_UNFINISHED. */
site_id resolver_mark_site(const struct recording *r, uint64_t mark);
/* A stacklog_trim; ctx is the struct resolver. Frame pointers lead on where a stack has ended: the
 * code that started main() need not keep them, and what the kernel then reads is data. Entries at
 * the root that were never executable in the process are left out, if code follows. Not if all
 * of the user's part is such: then the mappings are not known, as in the second file of
 * --switch-output. mprotect(2) records a mapping again, so what becomes executable later is known.
 */
uint32_t resolver_trim(void *ctx, const site_id *sites, uint32_t n);
/* A stacklog_resolve; ctx is the struct resolver. */
site_id resolver_resolve(
	void *ctx, uint32_t space, uint64_t entry, struct moment at, struct validity *valid);

#endif
