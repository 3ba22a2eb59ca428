#include "symbolize/dwarf/perf_asked.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

/* ---- the order ---------------------------------------------------------------------------- */

/* When perf first meets a site. tid and depth order those of one moment; whatever perf does then,
 * the answer must not depend on the number of workers. */
struct meeting {
	uint64_t time_ns;
	int32_t tid;
	uint32_t depth; /* 0: innermost */
	uint64_t rel;
	site_id site;
};

struct meetings {
	struct meeting *of_site;  /* by site_id */
	struct meeting *of_stack; /* by stack_id of the current log */
	site_id *stack;           /* the current one, outermost first */
	uint32_t cap;
};

static int compare_meetings(const void *pa, const void *pb)
{
	const struct meeting *a = pa, *b = pb;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	if (a->depth != b->depth)
		return a->depth < b->depth ? -1 : 1;
	return a->rel == b->rel ? 0 : a->rel < b->rel ? -1 : 1;
}

static void meet(struct meeting *first, const struct meeting *m)
{
	if (compare_meetings(m, first) < 0) {
		first->time_ns = m->time_ns;
		first->tid = m->tid;
		first->depth = m->depth;
	}
}

static void meet_stacks(struct meetings *all, const struct timeline *t, stack_id stacks)
{
	size_t i;

	all->of_stack = xreallocarray(all->of_stack, (size_t)stacks + 1, sizeof(*all->of_stack));
	for (i = 0; i < stacks; i++)
		all->of_stack[i] = (struct meeting){ .time_ns = UINT64_MAX, .tid = INT32_MAX };
	for (i = 0; i < t->n; i++) {
		const struct timeline_row *row = &t->rows[i];
		struct meeting m = { .time_ns = row->time_ns, .tid = t->threads[row->thread].tid };

		if (row->stack < stacks)
			meet(&all->of_stack[row->stack], &m);
	}
}

static int meet_sites(void *ctx, const struct stacklog_entry *s, struct err *e)
{
	struct meetings *all = ctx;
	struct meeting m = all->of_stack[s->number];
	uint32_t n = s->keep + s->n, i;

	(void)e;
	ARRAY_RESERVE(all->stack, n, all->cap);
	for (i = 0; i < s->n; i++)
		all->stack[s->keep + i] = s->sites[i];
	for (i = 0; i < n; i++) {
		struct meeting *first = &all->of_site[all->stack[i]];

		m.depth = n - 1 - i;
		m.rel = first->rel;
		meet(first, &m);
	}
	return OK;
}

uint32_t *perf_asked_ranks(const struct recording *r)
{
	uint32_t n = sites_count(r->sites), *rank = xcalloc((size_t)n + 1, sizeof(*rank)), i;
	struct meetings all = { .of_site = xcalloc((size_t)n + 1, sizeof(*all.of_site)) };
	struct err e;
	unsigned k;

	for (i = 0; i < n; i++)
		all.of_site[i] = (struct meeting){
			.time_ns = UINT64_MAX,
			.tid = INT32_MAX,
			.depth = UINT32_MAX,
			.rel = i ? sites_get(r->sites, i)->rel : 0,
			.site = i,
		};
	for (k = 0; r->timelines && k < r->n_logs; k++) {
		if (!r->timelines[k])
			continue;
		meet_stacks(&all, r->timelines[k], stacklog_count(r->logs[k]));
		stacklog_replay(r->logs[k], meet_sites, &all, &e);
	}
	qsort(all.of_site, n, sizeof(*all.of_site), compare_meetings);
	for (i = 0; i < n; i++)
		rank[all.of_site[i].site] = i;
	free(all.of_site);
	free(all.of_stack);
	free(all.stack);
	return rank;
}

/* ---- what addr2line remembers ------------------------------------------------------------- */

static struct perf_function *find(const struct perf_asked *a, const void *die)
{
	struct index_cursor c;
	uint32_t i;

	index_for_each (&a->by_function, hash_u64((uintptr_t)die), c, i)
		if (a->functions[i].die == die)
			return &a->functions[i];
	return NULL;
}

str_id perf_asked_innermost(struct perf_asked *a, const void *die, str_id symbol, bool starts_alike)
{
	const struct perf_function *f = find(a, die);

	if (f)
		return f->name;
	ARRAY_GROW(a->functions, a->n, a->cap);
	a->functions[a->n] = (struct perf_function){ die, starts_alike ? symbol : 0 };
	index_add(&a->by_function, hash_u64((uintptr_t)die), a->n++);
	return symbol;
}

str_id perf_asked_caller(const struct perf_asked *a, const void *die)
{
	const struct perf_function *f = find(a, die);

	return f ? f->name : 0;
}

void perf_asked_release(struct perf_asked *a)
{
	index_release(&a->by_function);
	free(a->functions);
	*a = (struct perf_asked){ 0 };
}
