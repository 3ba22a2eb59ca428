#include "process/seenstacks.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

enum {
	SLOTS = 1024,
	IPS_MAX = 56, /* in longer chains, finding the same one again is the smaller part */
	CONTEXT_KERNEL = -128,
	CONTEXT_USER = -512,
	CONTEXT_FIRST = -4095,
};

struct seen_stack {
	uint64_t ip;
	uint32_t use, event, n_ips;
	str_id name, process;
	space_id space;
	uint8_t kind, state, cpumode;
	bool filled, numbered;
	uint32_t row; /* that knows its number, unless it is numbered */
	stack_no stack;
	struct validity valid;
	uint8_t ips[8 * IPS_MAX];
};

static bool has_plain_root(const struct process_opts *o)
{
	const uint32_t other = 1u << ROOT_CPU | 1u << ROOT_CGROUP;

	return !(o->root_fields & other) && (!o->root_fields_named || !o->root_fields_named->n);
}

void seen_stacks_init(struct seen_stacks *s, const struct stacklog *log,
	const struct switch_log *rows, const struct process_opts *o, bool unwinds)
{
	*s = (struct seen_stacks){ .log = log, .rows = rows };
	if (!unwinds && has_plain_root(o))
		s->slot = xcalloc(SLOTS, sizeof(*s->slot));
}

void seen_stacks_release(struct seen_stacks *s)
{
	free(s->slot);
}

static struct seen_stack *slot_of(const struct seen_stacks *s, const struct seen_key *k)
{
	const struct perfdata_sample *p = k->sample;
	uint64_t hash = (uint64_t)k->thread->use << 8 | k->state;
	uint32_t i;

	if (!s->slot || p->n_ips > IPS_MAX || p->n_branches)
		return NULL;
	/* Each address tells something of the way: one round for each is less than a call. */
	for (i = 0; i < p->n_ips; i++)
		hash = (hash << 7 | hash >> 57) ^ get_u64(p->ips + (size_t)8 * i, false);
	return &s->slot[hash_fold(hash ^ p->ip, 0x9e3779b97f4a7c15u) % SLOTS];
}

/* Its root is the same, and its addresses are of the same space. */
static bool is_of_thread(const struct seen_stack *a, const struct whose_thread *t)
{
	return a->use == t->use && a->name == t->thread.name && a->process == t->thread.process &&
	       a->space == t->thread.space;
}

static bool is_equal(const struct seen_stack *a, const struct seen_key *k)
{
	const struct perfdata_sample *p = k->sample;

	return a->filled && is_of_thread(a, k->thread) && a->event == k->event && a->ip == p->ip &&
	       a->n_ips == p->n_ips && a->kind == k->kind && a->state == k->state &&
	       a->cpumode == p->cpumode &&
	       (!p->n_ips || memcmp(a->ips, p->ips, (size_t)p->n_ips * 8) == 0);
}

bool seen_stacks_find(
	struct seen_stacks *s, const struct seen_key *k, struct moment at, stack_no *stack)
{
	struct seen_stack *a = slot_of(s, k);

	if (!a || !is_equal(a, k))
		return false;
	if (!a->numbered) {
		a->stack = s->rows->rows[a->row].stack;
		a->numbered = a->stack != SWITCH_NO_STACK;
		if (!a->numbered)
			return false;
		a->valid = stacklog_valid(s->log, a->stack);
	}
	*stack = a->stack;
	return validity_holds(a->valid, at);
}

/* Others are counted as damage, each time, or go on in another record. */
static bool is_plain_chain(const struct perfdata_sample *p)
{
	uint32_t i;

	for (i = 0; i < p->n_ips; i++) {
		uint64_t ip = perfdata_sample_ip(p, i);

		if (ip >= (uint64_t)CONTEXT_FIRST && ip != (uint64_t)CONTEXT_KERNEL &&
			ip != (uint64_t)CONTEXT_USER)
			return false;
	}
	return true;
}

void seen_stacks_add(struct seen_stacks *s, const struct seen_key *k, uint32_t row)
{
	const struct perfdata_sample *p = k->sample;
	struct seen_stack *a = slot_of(s, k);

	if (!a || !is_plain_chain(p))
		return;
	a->filled = true;
	a->numbered = false;
	a->use = k->thread->use;
	a->name = k->thread->thread.name;
	a->process = k->thread->thread.process;
	a->space = k->thread->thread.space;
	a->event = k->event;
	a->ip = p->ip;
	a->n_ips = p->n_ips;
	a->kind = k->kind;
	a->state = k->state;
	a->cpumode = p->cpumode;
	a->row = row;
	if (p->n_ips)
		memcpy(a->ips, p->ips, (size_t)p->n_ips * 8);
}
