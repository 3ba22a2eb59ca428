/*
 * The unsymbolized profile of llvm-profgen (--unsymbolized-profile): ranges and branches of one
 * binary, by hexadecimal offsets from its first page with code.
 *
 *	3			number of ranges
 *	1f0-201:973		START-END:COUNT
 *	...
 *	2			number of branches
 *	12->1b:122		FROM->TO:COUNT
 *	...
 *
 * A branch from another file comes from address 1, less the base as any other. Branches that leave
 * the file are not in it: the format is about what ran here.
 *
 * Source: LLVM 22, llvm/tools/llvm-profgen/PerfReader.cpp, writeUnsymbolizedProfile().
 */
#include "base/sink.h"
#include "output/output_formats.h"

#include <inttypes.h>
#include <stdlib.h>

enum { OUTSIDE = 1 };

static void put_ranges(const struct branch_binary *b, struct sink *to)
{
	uint32_t n, i;
	struct branch_range *range = branch_profile_ranges(b, BRANCH_INTERRUPTED, &n);

	sink_printf(to, "%" PRIu32 "\n", n);
	for (i = 0; i < n; i++)
		sink_printf(to, "%" PRIx64 "-%" PRIx64 ":%" PRIu64 "\n",
			range[i].start - b->text_base, range[i].end - b->text_base, range[i].count);
	free(range);
}

static void put_branches(const struct branch_binary *b, struct sink *to)
{
	uint32_t n, i, n_inside = 0;
	struct branch_edge *edge = branch_profile_edges(b, BRANCH_INTERRUPTED, &n);

	for (i = 0; i < n; i++)
		n_inside += edge[i].to != BRANCH_ELSEWHERE;
	sink_printf(to, "%" PRIu32 "\n", n_inside);
	for (i = 0; i < n; i++) {
		uint64_t from = edge[i].from - b->text_base;

		if (edge[i].from == BRANCH_ELSEWHERE)
			from = b->outside ? b->outside : OUTSIDE - b->text_base;
		if (edge[i].to != BRANCH_ELSEWHERE)
			sink_printf(to, "%" PRIx64 "->%" PRIx64 ":%" PRIu64 "\n", from,
				edge[i].to - b->text_base, edge[i].count);
	}
	free(edge);
}

static int unsymbolized_write(
	const struct profile *p, const struct output_opts *o, struct sink *to, struct err *e)
{
	(void)p;
	if (!o->branches->entries)
		return err_set(e, ERR_FORMAT,
			"llvm-profgen needs branches, and the recording has none there; record "
			"them by perf record -j any,u");
	put_ranges(o->branches, to);
	put_branches(o->branches, to);
	return OK;
}

static const char *const suffixes[] = { ".unsymbolized", NULL };

const struct output_format unsymbolized_format = {
	.name = "unsymbolized",
	.suffixes = suffixes,
	.about = "llvm-profgen: branches of one binary (--unsymbolized-profile)",
	.needs = OUTPUT_BRANCHES | OUTPUT_BY_NAME | OUTPUT_WEIGHTS,
	.write = unsymbolized_write,
};
