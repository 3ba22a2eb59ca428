#include "model/branch_sites.h"

#include "base/mem.h"
#include "base/saturated.h"
#include "base/sort.h"

#include <stdlib.h>

static int compare_ends(const void *pa, const void *pb)
{
	const struct branch_trace *a = pa, *b = pb;
	int order = sort_compare_u64(a->to_module, b->to_module);

	if (!order)
		order = sort_compare_u64(a->to, b->to);
	if (!order)
		order = sort_compare_u64(a->from_module, b->from_module);
	return order ? order : sort_compare_u64(a->from, b->from);
}

static int compare_counts(const void *pa, const void *pb)
{
	const struct branch_trace *a = pa, *b = pb;
	int order = sort_compare_u64(b->count, a->count);

	return order ? order : compare_ends(a, b);
}

static int compare_mispredicted(const void *pa, const void *pb)
{
	const struct branch_trace *a = pa, *b = pb;
	int order = sort_compare_u64(b->mispredicted, a->mispredicted);

	return order ? order : compare_counts(a, b);
}

/* Traces with the same ends, added up; the caller frees them. */
static struct branch_trace *find_edges(const struct branch_traces *t, uint32_t *n)
{
	struct branch_trace *edge = xcalloc((size_t)t->n + 1, sizeof(*edge));
	uint32_t i, k = 0;

	for (i = 0; i < t->n; i++)
		if (t->row[i].reading == BRANCH_ANY || t->row[i].reading == BRANCH_INTERRUPTED)
			edge[k++] = t->row[i];
	sort_in_place(edge, k, sizeof(*edge), compare_ends);
	for (i = 0, *n = 0; i < k; i++) {
		struct branch_trace *last = *n ? &edge[*n - 1] : NULL;

		if (!last || compare_ends(last, &edge[i])) {
			edge[(*n)++] = edge[i];
			continue;
		}
		last->count = saturated_add(last->count, edge[i].count);
		last->mispredicted = saturated_add(last->mispredicted, edge[i].mispredicted);
	}
	return edge;
}

static site_id add_site(
	const struct modules *modules, struct sites *sites, module_id module, uint64_t rel)
{
	uint8_t kind = module ? modules_get(modules, module)->kind : MODULE_NONE;
	struct site s = { .module = module, .rel = rel, .how = SITE_EXACT, .kind = FRAME_USER };

	if (kind == MODULE_KERNEL || kind == MODULE_KMOD || kind == MODULE_BPF)
		s.kind = FRAME_KERNEL;
	else if (kind == MODULE_NONE)
		s.kind = FRAME_UNKNOWN;
	return sites_add(sites, &s);
}

void branch_sites_find(struct branch_sites *s, const struct branch_traces *t,
	const struct modules *modules, struct sites *sites, uint32_t most)
{
	uint32_t n, i, split;
	struct branch_trace *edge = find_edges(t, &n);

	sort_in_place(edge, n, sizeof(*edge), compare_counts);
	split = n < most ? n : most;
	sort_in_place(edge + split, n - split, sizeof(*edge), compare_mispredicted);
	s->edge = xcalloc(2 * (size_t)most + 1, sizeof(*s->edge));
	for (i = 0, s->n = 0; i < n && i < 2 * (uint64_t)most; i++) {
		if (i >= split && !edge[i].mispredicted)
			break;
		s->edge[s->n++] = (struct branch_site_edge){
			.from = add_site(modules, sites, edge[i].from_module, edge[i].from),
			.to = add_site(modules, sites, edge[i].to_module, edge[i].to),
			.count = edge[i].count,
			.mispredicted = edge[i].mispredicted,
		};
	}
	free(edge);
}

void branch_sites_release(struct branch_sites *s)
{
	free(s->edge);
	*s = (struct branch_sites){ 0 };
}
