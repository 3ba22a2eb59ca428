/*
 * The pre-aggregated profile of BOLT (perf2bolt -pa, llvm-bolt -pa): a line for each branch and for
 * each range, with hexadecimal addresses.
 *
 *	B FROM TO COUNT MISPREDICTED	a branch; the address 0 is anywhere else
 *	F START END COUNT		a range that was reached from within its function
 *	f START END COUNT		the same, reached from another function, as by a return
 *	E EVENT				before S: the event of samples
 *	S ADDRESS COUNT			samples, where no branches were recorded
 *
 * All versions read B, F and f, which LLVM 19 and older know alone; T of LLVM 20, a branch with its
 * range, has no mispredictions. S and E are read by LLVM 21 and newer.
 *
 * Source: LLVM 22, bolt/include/bolt/Profile/DataAggregator.h.
 */
#include "base/mem.h"
#include "base/sink.h"
#include "base/sort.h"
#include "output/output_formats.h"

#include <inttypes.h>
#include <stdlib.h>

static void put_branches(const struct branch_binary *b, struct sink *to)
{
	uint32_t n, i;
	struct branch_edge *edge = branch_profile_edges(b, BRANCH_RESUMED, &n);

	for (i = 0; i < n; i++)
		sink_printf(to, "B %" PRIx64 " %" PRIx64 " %" PRIu64 " %" PRIu64 "\n", edge[i].from,
			edge[i].to, edge[i].count, edge[i].mispredicted);
	free(edge);
}

static void put_range(struct sink *to, char type, const struct branch_range *r, uint64_t count)
{
	if (count)
		sink_printf(to, "%c %" PRIx64 " %" PRIx64 " %" PRIu64 "\n", type, r->start, r->end,
			count);
}

static void put_ranges(const struct branch_binary *b, struct sink *to)
{
	uint32_t n, i;
	struct branch_range *range = branch_profile_ranges(b, BRANCH_RESUMED, &n);

	for (i = 0; i < n; i++) {
		put_range(to, 'F', &range[i], range[i].count - range[i].entered);
		put_range(to, 'f', &range[i], range[i].entered);
	}
	free(range);
}

/* A name from a recording, which may hold any byte: a word of one line. */
static void put_event(struct span name, struct sink *to)
{
	size_t i;

	sink_puts(to, "E ");
	for (i = 0; i < name.n; i++)
		sink_printf(to, "%c", (unsigned char)name.p[i] <= ' ' ? '_' : name.p[i]);
	sink_puts(to, "\n");
}

static int compare_names(const void *a, const void *b)
{
	return span_cmp(*(const struct span *)a, *(const struct span *)b);
}

/* Each once, in an order that does not depend on that of the inputs. */
static void put_events(const struct output_opts *o, struct sink *to)
{
	struct span *name = NULL;
	uint32_t n = 0, cap = 0, k;
	size_t i;

	for (i = 0; i < o->n_recordings; i++) {
		const struct recording *r = o->recordings[i];

		for (k = 0; k < r->n_events; k++) {
			if (!r->events[k].kept)
				continue;
			ARRAY_GROW(name, n, cap);
			name[n++] = strtab_get(r->strings, r->events[k].name);
		}
	}
	sort_in_place(name, n, sizeof(*name), compare_names);
	for (k = 0; k < n; k++)
		if (!k || !span_eq(name[k - 1], name[k]))
			put_event(name[k], to);
	free(name);
}

/* Only where no input has branches in the binary. */
static void put_samples(const struct output_opts *o, struct sink *to)
{
	uint32_t n, i;
	struct branch_address *address = branch_profile_addresses(o->branches, &n);

	if (n)
		put_events(o, to);
	for (i = 0; i < n; i++)
		sink_printf(
			to, "S %" PRIx64 " %" PRIu64 "\n", address[i].address, address[i].count);
	free(address);
}

static int preagg_write(
	const struct profile *p, const struct output_opts *o, struct sink *to, struct err *e)
{
	(void)p;
	(void)e;
	put_branches(o->branches, to);
	put_ranges(o->branches, to);
	if (!o->branches->entries)
		put_samples(o, to);
	return OK;
}

static const char *const suffixes[] = { ".preagg", NULL };

const struct output_format preagg_format = {
	.name = "preagg",
	.suffixes = suffixes,
	.about = "BOLT: branches of one binary, pre-aggregated (perf2bolt -pa)",
	.needs = OUTPUT_BRANCHES | OUTPUT_BY_NAME | OUTPUT_WEIGHTS,
	.write = preagg_write,
};
