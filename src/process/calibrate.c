#include "process/calibrate.h"

enum { SAMPLES_MAX = 50 * 1000 }; /* looked at */

struct calibration {
	const struct pass2 *pass;
	const struct perfdata_attr *attrs;
	struct sample_stack stacks;
	uint32_t samples;
};

static void vote_sample(struct calibration *c, const struct perfdata_record *r)
{
	const struct pass2 *p = c->pass;
	struct perfdata_sample s;
	struct validity valid;
	struct moment at;
	uint32_t event;
	space_id space;

	if (!perfdata_sample_event(p->pd, r, &event) || !p->recording->events[event].chosen ||
		!perfdata_sample_decode(&c->attrs[event], r, &s) || !s.stack_bytes)
		return;
	c->samples++;
	at = (struct moment){ p->has_times ? s.time_ns : 0, r->position };
	space = world_find_thread(p->world, s.pid, s.tid, at, &valid).space;
	sample_stack_find(&c->stacks, &c->attrs[event], &s, space, at);
}

/* If the recording cannot be read, the second pass says so. */
static void vote_samples(struct calibration *c, const struct interpreter *in)
{
	struct perfdata_block block = { 0 };
	struct perfdata_record r;
	struct err e;

	while (c->samples < SAMPLES_MAX && !interpreter_has_votes(in) &&
		!perfdata_pop_block(c->pass->pd, &block, &e))
		while (perfdata_block_next(&block, &r))
			if (r.type == RECORD_SAMPLE)
				vote_sample(c, &r);
	perfdata_block_release(&block);
	perfdata_rewind(c->pass->pd);
}

void calibrate_interpreter(struct interpreter *in, const struct pass2 *p)
{
	struct calibration c = { .pass = p };
	uint32_t n;

	if (!p->copies.copied || p->opts->compat_perf || interpreter_has_votes(in))
		return;
	c.attrs = perfdata_attrs(p->pd, &n);
	sample_stack_init(&c.stacks, p->world, p->jit_maps, p->deferred, &p->copies, p->opts);
	c.stacks.votes = in;
	vote_samples(&c, in);
	sample_stack_release(&c.stacks);
	interpreter_decide(in, p->recording);
}
