/*
 * perf_asked.h - the order in which perf asks for names, which decides the names it gets
 *
 * perf 6.1 gets functions, and what was inlined, from one `addr2line -fi` for each file, which it
 * asks once for each address: sample by sample in time, each stack from the innermost frame on. GNU
 * addr2line (bfd/dwarf2.c, _bfd_dwarf2_find_nearest_line_with_alt) treats an innermost function
 * that has no linkage name, as gcc's lambdas and instances of their templates, so:
 *
 * - asked for the first time, it answers with the symbol that covers the address;
 * - where that symbol starts where the function does, the function is called so from then on, also
 * as the caller of others;
 * - else it is called by DW_AT_name from the second time on.
 *
 * So --compat perf asks in the same order.
 *
 * Owns: struct perf_asked its table. Threads: one; the ranks may be read by any.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_PERF_ASKED_H
#define PERFOLD_SYMBOLIZE_DWARF_PERF_ASKED_H

#include "base/index.h"
#include "model/recording.h"

/* For each site its place in the order in which perf meets sites; those that it never meets come
 * last. Owned by the caller. Needs the timeline. */
uint32_t *perf_asked_ranks(const struct recording *r);

/* The functions of a unit that were asked about. A zeroed struct is good. */
struct perf_asked {
	struct index by_function; /* numbers in functions */
	struct perf_function {
		const void *die;
		str_id name; /* that of its symbol; 0: DW_AT_name */
	} * functions;
	uint32_t n, cap;
};

/* What an innermost function without a linkage name is called if it is asked for now; 0:
 * DW_AT_name. symbol: what covers the address; starts_alike: it starts where the function does. */
str_id perf_asked_innermost(
	struct perf_asked *a, const void *die, str_id symbol, bool starts_alike);
/* What such a function is called as the caller of what was inlined; 0: DW_AT_name. */
str_id perf_asked_caller(const struct perf_asked *a, const void *die);
void perf_asked_release(struct perf_asked *a);

#endif
