#include "model/site_use.h"

#include "base/mem.h"

#include <stdlib.h>

struct counting {
	uint64_t *samples; /* by site */
	/* The stack that is being walked: its sites, and samples of stacks that ended there. */
	struct waiting {
		site_id site;
		uint64_t samples;
	} * stack;
	uint32_t n, cap;
};

/* Stacks from here on share only the n outermost sites. */
static void pop_to(struct counting *c, uint32_t n)
{
	while (c->n > n) {
		struct waiting *top = &c->stack[--c->n];

		c->samples[top->site] += top->samples;
		if (c->n)
			c->stack[c->n - 1].samples += top->samples;
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
		c->stack[c->n++] = (struct waiting){ s->sites[k], 0 };
	if (c->n)
		c->stack[c->n - 1].samples += s->samples;
	return OK;
}

uint64_t *site_use_count(const struct recording *r)
{
	struct counting c = { .samples = xcalloc(sites_count(r->sites), sizeof(*c.samples)) };
	struct err e;
	unsigned log;

	for (log = 0; log < r->n_logs; log++) {
		stacklog_replay(r->logs[log], count_stack, &c, &e);
		pop_to(&c, 0);
	}
	free(c.stack);
	return c.samples;
}
