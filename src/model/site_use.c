#include "model/site_use.h"

#include "base/mem.h"
#include "base/saturated.h"

#include <stdlib.h>

struct counting {
	uint64_t *sum; /* by site: of samples, or of their weights */
	bool weights;
	/* The current stack: its sites, and the sums of the stacks that ended at them. */
	struct open_site {
		site_id site;
		uint64_t sum;
	} * stack;
	uint32_t n, cap;
};

/* From here on stacks share only the n outermost sites. */
static void pop_to(struct counting *c, uint32_t n)
{
	while (c->n > n) {
		struct open_site *top = &c->stack[--c->n];

		c->sum[top->site] = saturated_add(c->sum[top->site], top->sum);
		if (c->n)
			c->stack[c->n - 1].sum = saturated_add(c->stack[c->n - 1].sum, top->sum);
	}
}

static int count_stack(void *ctx, const struct stacklog_entry *s, struct err *e)
{
	struct counting *c = ctx;
	uint64_t sum = c->weights ? s->weight : s->samples;
	uint32_t k;

	(void)e;
	pop_to(c, s->keep);
	ARRAY_RESERVE(c->stack, s->n, c->cap);
	for (k = s->keep; k < s->n; k++)
		c->stack[c->n++] = (struct open_site){ s->sites[k], 0 };
	if (c->n)
		c->stack[c->n - 1].sum = saturated_add(c->stack[c->n - 1].sum, sum);
	return OK;
}

static uint64_t *count(const struct recording *r, bool weights)
{
	struct counting c = { .sum = xcalloc(sites_count(r->sites), sizeof(*c.sum)),
		.weights = weights };
	struct err e;
	unsigned log;

	for (log = 0; log < r->n_logs; log++) {
		if (!weights && stacklog_count_sites(r->logs[log], c.sum))
			continue;
		stacklog_replay(r->logs[log], count_stack, &c, &e);
		pop_to(&c, 0);
	}
	free(c.stack);
	return c.sum;
}

void site_use_keep(struct recording *r)
{
	uint64_t *counts = site_use_count(r);
	unsigned log;

	if (!r->n_logs) {
		free(counts);
		return;
	}
	for (log = 0; log < r->n_logs; log++) {
		stacklog_set_counts(r->logs[log], NULL, 0);
		stacklog_drop_stacks(r->logs[log]);
	}
	stacklog_set_counts(r->logs[0], counts, sites_count(r->sites));
}

static bool is_current(const struct site_counts *c, const struct recording *r)
{
	return c->samples && c->n_sites == sites_count(r->sites) && c->n_logs == r->n_logs &&
	       c->samples_kept == r->samples_kept && c->weight_kept == r->weight_kept;
}

uint64_t *site_use_count(const struct recording *r)
{
	struct site_counts *c = r->site_counts;

	if (!c)
		return count(r, false);
	if (!is_current(c, r)) {
		free(c->samples);
		*c = (struct site_counts){ count(r, false), sites_count(r->sites), r->n_logs,
			r->samples_kept, r->weight_kept };
	}
	return xmemdup(c->samples, c->n_sites * sizeof(*c->samples));
}

uint64_t *site_use_weigh(const struct recording *r)
{
	return count(r, true);
}
