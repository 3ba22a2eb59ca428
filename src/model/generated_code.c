#include "model/generated_code.h"

#include "base/mem.h"
#include "base/saturated.h"
#include "model/names/v8_name.h"
#include "model/site_use.h"

#include <stdlib.h>

/* Stacks with a site that is ambiguous */

struct ambiguity_search {
	const struct sites *sites;
	struct recording_generated *account;
	bool *ambiguous; /* by depth: that site or one further out is */
	uint32_t cap;
};

static int check_stack(void *ctx, const struct stacklog_entry *s, struct err *e)
{
	struct ambiguity_search *search = ctx;
	uint32_t i;

	(void)e;
	ARRAY_RESERVE(search->ambiguous, (size_t)s->n + 1, search->cap);
	search->ambiguous[0] = false;
	for (i = s->keep; i < s->n; i++)
		search->ambiguous[i + 1] =
			search->ambiguous[i] || sites_get(search->sites, s->sites[i])->ambiguous;
	if (!search->ambiguous[s->n])
		return OK;
	search->account->ambiguous_samples += s->samples;
	search->account->ambiguous_weight =
		saturated_add(search->account->ambiguous_weight, s->weight);
	return OK;
}

static void count_ambiguous(struct recording_generated *a, const struct recording *r)
{
	struct ambiguity_search search = { .sites = r->sites, .account = a };
	struct err e;
	unsigned log;

	for (log = 0; log < r->n_logs; log++)
		stacklog_replay(r->logs[log], check_stack, &search, &e);
	free(search.ambiguous);
}

/* Frames of an interpreter */

enum { NO_INTERPRETER, INTERPRETER_UNNAMED, INTERPRETER_NAMED };

static int interpreter_at(const struct recording *r, site_id id)
{
	const struct site *s = sites_get(r->sites, id);
	uint32_t n;
	const frame_id *f = sites_frames(r->sites, id, &n);
	enum v8_machine machine;

	if (!n)
		return NO_INTERPRETER;
	if (s->function && f[0] == s->function)
		return INTERPRETER_NAMED;
	machine = v8_name_machine(frames_name(r->frames, f[0]));
	/* At the entry itself the frame does not exist yet; a handler with a frame of its own is on
	 * top of that of its function. */
	return machine == V8_INTERPRETER_ENTRY && s->how == SITE_RETURN ? INTERPRETER_UNNAMED
									: NO_INTERPRETER;
}

static void count_interpreted(struct recording_generated *a, const struct recording *r)
{
	uint64_t *samples = site_use_count(r);
	uint32_t i;
	site_id id;

	for (id = 1; id < sites_count(r->sites); id++) {
		int what = interpreter_at(r, id);

		a->interpreted += what != NO_INTERPRETER ? samples[id] : 0;
		a->interpreted_named += what == INTERPRETER_NAMED ? samples[id] : 0;
	}
	for (i = 0; i < r->n_processes && !a->slot_bytes; i++)
		a->slot_bytes = r->processes[i].interpreter_slot_bytes;
	free(samples);
}

static bool has_ambiguous(const struct recording *r)
{
	site_id id;

	for (id = 1; id < sites_count(r->sites); id++)
		if (sites_get(r->sites, id)->ambiguous)
			return true;
	return false;
}

void generated_code_account(struct recording *r)
{
	struct recording_generated *a = &r->generated;

	*a = (struct recording_generated){ 0 };
	if (has_ambiguous(r)) {
		count_ambiguous(a, r);
		diag_add(&r->diag, DIAG_JIT_AMBIGUOUS, a->ambiguous_samples, 0);
	}
	if (r->facts.copied_stacks)
		count_interpreted(a, r);
}

enum frame_why generated_code_why(const struct recording *r, int32_t pid)
{
	const struct process_use *p = recording_process(r, pid);

	return p && (p->perf_map || p->jitdump) ? WHY_NOT_IN_MAP : WHY_NO_JIT_MAP;
}
