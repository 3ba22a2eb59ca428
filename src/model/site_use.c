#include "model/site_use.h"

#include "base/mem.h"
#include "base/saturated.h"

#include <stdlib.h>

struct counting {
	uint64_t *samples, *weights; /* by site; weights NULL: not wanted */
	uint64_t weight;             /* of all stacks */
	/* The current stack: its sites, and the sums of the stacks that ended at them. */
	struct open_site {
		site_id site;
		uint64_t samples, weight;
	} * stack;
	uint32_t n, cap;
};

static void add(uint64_t *sum, uint64_t n)
{
	*sum = saturated_add(*sum, n);
}

/* From here on stacks share only the n outermost sites. */
static void pop_to(struct counting *c, uint32_t n)
{
	while (c->n > n) {
		struct open_site *top = &c->stack[--c->n];

		add(&c->samples[top->site], top->samples);
		if (c->weights)
			add(&c->weights[top->site], top->weight);
		if (!c->n)
			return;
		add(&top[-1].samples, top->samples);
		add(&top[-1].weight, top->weight);
	}
}

static int count_stack(void *ctx, const struct stacklog_entry *s, struct err *e)
{
	struct counting *c = ctx;
	uint32_t k;

	(void)e;
	pop_to(c, s->keep);
	ARRAY_RESERVE(c->stack, s->n, c->cap);
	for (k = s->keep; k < s->n; k++)
		c->stack[c->n++] = (struct open_site){ .site = s->sites[k] };
	add(&c->weight, s->weight);
	if (!c->n)
		return OK;
	add(&c->stack[c->n - 1].samples, s->samples);
	add(&c->stack[c->n - 1].weight, s->weight);
	return OK;
}

static uint64_t *new_sums(const struct recording *r)
{
	return xcalloc(sites_count(r->sites), sizeof(uint64_t));
}

static struct site_counts count(const struct recording *r, bool weights)
{
	struct counting c = { .samples = new_sums(r), .weights = weights ? new_sums(r) : NULL };
	struct err e;
	unsigned log;

	for (log = 0; log < r->n_logs; log++) {
		if (!weights && stacklog_count_sites(r->logs[log], c.samples))
			continue;
		stacklog_replay(r->logs[log], count_stack, &c, &e);
		pop_to(&c, 0);
	}
	free(c.stack);
	return (struct site_counts){ c.samples, c.weights, c.weight, sites_count(r->sites),
		r->n_logs, r->samples_kept, r->weight_kept };
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

/* Those of the recording; counted now, unless they were. */
static const struct site_counts *counts_of(const struct recording *r, bool weights)
{
	struct site_counts *c = r->site_counts;

	if (is_current(c, r) && (c->weights || !weights))
		return c;
	free(c->samples);
	free(c->weights);
	*c = count(r, weights);
	return c;
}

static uint64_t *copy(const struct recording *r, const uint64_t *sums)
{
	return xmemdup(sums, sites_count(r->sites) * sizeof(*sums));
}

uint64_t *site_use_count(const struct recording *r)
{
	return copy(r, counts_of(r, false)->samples);
}

uint64_t *site_use_weigh(const struct recording *r, uint64_t *sum)
{
	const struct site_counts *c = counts_of(r, true);

	*sum = c->weight;
	return copy(r, c->weights);
}

void site_use_prepare(const struct recording *r)
{
	(void)counts_of(r, true);
}

void site_use_forget(struct recording *r)
{
	free(r->site_counts->samples);
	free(r->site_counts->weights);
	*r->site_counts = (struct site_counts){ 0 };
}
