#include "base/mem.h"
#include "pipeline/stages.h"
#include "unwind/unwind.h"

#include <stdlib.h>

struct frameless_count {
	const struct recording *recording;
	struct unwinder *unwinder;
	site_id *stack; /* the current one */
	uint32_t cap;
	uint64_t samples;
};

/* Frame pointers lead from the innermost function of user code to return addresses; in stacks of
 * calls (LBR) every address is that of a call. */
static int count_stack(void *ctx, const struct stacklog_entry *s, struct err *e)
{
	struct frameless_count *c = ctx;
	const struct sites *sites = c->recording->sites;
	const struct site *innermost, *caller;
	uint32_t i;

	(void)e;
	ARRAY_RESERVE(c->stack, s->n, c->cap);
	for (i = s->keep; i < s->n; i++)
		c->stack[i] = s->sites[i];
	for (i = s->n; i && sites_get(sites, c->stack[i - 1])->kind == FRAME_KERNEL; i--)
		;
	if (!i)
		return OK;
	innermost = sites_get(sites, c->stack[i - 1]);
	caller = i > 1 ? sites_get(sites, c->stack[i - 2]) : NULL;
	if (innermost->kind == FRAME_USER && innermost->how == SITE_EXACT &&
		(!caller || caller->how == SITE_RETURN) &&
		unwind_is_frameless(c->unwinder, innermost->module, innermost->rel) &&
		!(c->recording->facts.links &&
			unwind_keeps_link(c->unwinder, innermost->module, innermost->rel)))
		c->samples += s->samples;
	return OK;
}

void frameless_find(struct recording *r, const struct files *files)
{
	const struct unwind_arch *arch =
		r->facts.arch ? unwind_arch_by_name(strtab_get(r->strings, r->facts.arch)) : NULL;
	struct frameless_count c = { .recording = r };
	struct err e;
	unsigned log;

	if (!arch || r->facts.copied_stacks || !r->facts.has_callchains)
		return;
	c.unwinder = unwind_new(arch, files, r->modules);
	for (log = 0; log < r->n_logs; log++)
		stacklog_replay(r->logs[log], count_stack, &c, &e);
	r->frameless_samples = c.samples;
	unwind_free(c.unwinder);
	free(c.stack);
}
