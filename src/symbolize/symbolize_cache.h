/*
 * symbolize_cache.h - what is read for one recording and kept for the next
 *
 * Recordings of a fleet are small, and of the same programs: to read debug information and the
 * list of the kernel's symbols for each took ten times as long as all else. Files are looked for
 * anew for each recording, as what is beside it comes first; only what is in them is kept.
 *
 * Private to symbolize/; others know it by symbolize.h. Threads: any.
 */
#ifndef PERFOLD_SYMBOLIZE_SYMBOLIZE_CACHE_H
#define PERFOLD_SYMBOLIZE_SYMBOLIZE_CACHE_H

#include "symbolize/dwarf/dwarf.h"
#include "symbolize/kernel/kernel.h"
#include "symbolize/symbolize.h"

/* Parses a list, of which k takes over the memory, or gets the symbols of this machine's list, if
 * it is that one and was parsed before. NULL is fine. */
void symbolize_cache_read_kallsyms(struct symbolize_cache *c, struct kallsyms *k,
	struct files_kallsyms *text, bool compat_perf);

#endif
