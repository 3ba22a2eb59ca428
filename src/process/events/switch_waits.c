/*
 * How millions of switches are kept small: each becomes a row of 8 bytes (trace/switch_log.h) whose
 * class is its wait: the first switch of this thread, event, state and chain.
 *
 *	record ─► bytes of an earlier one (switch_match.h)? ─ yes ──────────► wait ─► row
 *	             └─ no: decode ─► key (pid, tid, event, ...), chain ─► by_hash ─┘
 *
 *	waits[i]: key | chain, in ips | first and last time        class: first_class + i
 *
 * No world is needed for that, so it is done in pass 1, by the worker that has the bytes at hand.
 * What a wait means (its stack and thread) is found later, once for each wait: pass2_switches.c.
 * For the few rows for which that depends on when they were, blocks[] has their positions in the
 * file: a new one begins with each record that may change the world.
 *
 * Where waits do not repeat, they fill memory and win nothing: pass 2 resolves them when they are
 * full.
 */
#include "process/events/switch_waits.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

enum {
	/* Waits are resolved when they fill this many blocks: little beside the rows of millions of
	 * switches, or else there is no use in keeping them. */
	FULL_BLOCKS = 32,
	BLOCK_BYTES = 1 << 20, /* the default */
	/* This many waits of one hash are made to collide. */
	SAME_HASH_MAX = 16,
	LAST_SLOTS = 1024,
};

/* ---- can switches be recorded in pass 1? -------------------------------------------------- */

static bool has_plain_roots(const struct read_opts *o)
{
	const uint32_t other = 1u << ROOT_CPU | 1u << ROOT_CGROUP;

	return !(o->root_fields & other) && !o->by_cgroup &&
	       (!o->root_field_names || !o->root_field_names->n);
}

/* Are samples chosen by thread and time alone? */
static bool has_plain_choice(const struct sample_choice *c)
{
	return !c || (!c->cpus.n && !c->cgroup && !c->where.n);
}

bool switch_waits_suffice(
	const struct switch_events *s, const struct perfdata *pd, const struct read_opts *o)
{
	uint32_t n, i;
	const struct perfdata_attr *a = perfdata_attrs(pd, &n);

	if (!s->on || s->no_stacks || !has_plain_roots(o) || !has_plain_choice(o->choice))
		return false;
	for (i = 0; i < n; i++)
		if (s->of[i].role && !perfdata_sample_is_short(&a[i]))
			return false;
	return true;
}

void switch_waits_init(struct switch_waits *waits, const struct switch_events *s,
	const struct perfdata *pd, const struct read_opts *o)
{
	uint32_t unused;

	*waits = (struct switch_waits){
		.switch_events = s, .pd = pd, .attrs = perfdata_attrs(pd, &unused)
	};
	waits->last = xcalloc(LAST_SLOTS, sizeof(*waits->last));
	switch_match_init(&waits->matches, pd);
	waits->full_bytes = FULL_BLOCKS * (o->block_bytes ? o->block_bytes : BLOCK_BYTES);
}

void switch_waits_clear(struct switch_waits *waits)
{
	waits->n_waits = waits->n_blocks = 0;
	waits->n_bytes = waits->ips.n = 0;
	waits->first_class = waits->log.n_classes;
	index_release(&waits->by_hash);
	switch_match_clear(&waits->matches);
}

void switch_waits_release(struct switch_waits *waits)
{
	switch_log_release(&waits->log);
	free(waits->waits);
	free(waits->last);
	switch_match_release(&waits->matches);
	index_release(&waits->by_hash);
	buf_release(&waits->ips);
	free(waits->blocks);
	*waits = (struct switch_waits){ 0 };
}

bool switch_waits_is_full(const struct switch_waits *waits)
{
	return waits->ips.n + waits->n_waits * sizeof(*waits->waits) > waits->full_bytes;
}

/* ---- waits -------------------------------------------------------------------------------- */

static uint64_t hash_wait(const union switch_wait_key *key, const uint8_t *ips)
{
	uint64_t hash = hash_fold(key->word[0] ^ 0x9e3779b97f4a7c15u, key->word[1]) ^ key->word[2];
	size_t waits = key->n_ips;

	for (; waits >= 2; waits -= 2, ips += 16)
		hash = hash_fold(hash ^ bytes_u64(ips, false),
			bytes_u64(ips + 8, false) ^ 0xbf58476d1ce4e5b9u);
	return hash_pair(hash, waits ? bytes_u64(ips, false) : 0);
}

static inline bool equals_wait(const struct switch_waits *waits, const struct switch_wait *w,
	const union switch_wait_key *key, const uint8_t *ips)
{
	return w->key.word[0] == key->word[0] && w->key.word[1] == key->word[1] &&
	       w->key.word[2] == key->word[2] &&
	       (!key->n_ips || memcmp(waits->ips.p + w->ips, ips, (size_t)key->n_ips * 8) == 0);
}

uint32_t switch_waits_add_class(struct switch_waits *waits, uint32_t wait)
{
	const union switch_wait_key *key = &waits->waits[wait].key;

	return switch_log_add_class(&waits->log, &(struct switch_class){
							 .thread = SWITCH_NO_THREAD,
							 .stack = SWITCH_NO_STACK,
							 .tid = key->tid,
							 .event = key->event,
							 .kind = key->kind,
							 .state = key->state,
						 });
}

/* INDEX_NONE if the log has no room. */
static uint32_t add_wait(
	struct switch_waits *waits, const union switch_wait_key *key, const uint8_t *ips)
{
	ARRAY_GROW(waits->waits, waits->n_waits, waits->cap_waits);
	waits->waits[waits->n_waits] =
		(struct switch_wait){ .key = *key, .ips = waits->ips.n, .from_ns = UINT64_MAX };
	if (switch_waits_add_class(waits, waits->n_waits) == SWITCH_NO_CLASS)
		return INDEX_NONE;
	if (key->n_ips)
		buf_put(&waits->ips, ips, (size_t)key->n_ips * 8);
	return waits->n_waits++;
}

static uint32_t look_up_wait(
	struct switch_waits *waits, const union switch_wait_key *key, const uint8_t *ips)
{
	uint64_t hash = hash_wait(key, ips);
	struct index_cursor c;
	uint32_t i, same = 0;

	index_for_each (&waits->by_hash, hash, c, i) {
		if (equals_wait(waits, &waits->waits[i], key, ips))
			return i;
		if (++same == SAME_HASH_MAX)
			return add_wait(waits, key, ips);
	}
	i = add_wait(waits, key, ips);
	if (i != INDEX_NONE)
		index_add(&waits->by_hash, hash, i);
	return i;
}

/* The wait of this key and chain: mostly the one in which the thread was seen last. */
static inline uint32_t find_wait(
	struct switch_waits *waits, const union switch_wait_key *key, const uint8_t *ips)
{
	uint32_t *last = &waits->last[(uint32_t)key->tid % LAST_SLOTS];

	if (*last >= waits->n_waits || !equals_wait(waits, &waits->waits[*last], key, ips))
		*last = look_up_wait(waits, key, ips);
	return *last;
}

struct perfdata_sample switch_waits_sample(
	const struct switch_waits *waits, const struct switch_wait *w)
{
	return (struct perfdata_sample){
		.ip = w->key.ip,
		.pid = w->key.pid,
		.tid = w->key.tid,
		.cpu = -1,
		.has = (uint32_t)waits->attrs[w->key.event].sample_type,
		.cpumode = w->key.cpumode,
		.swapped = waits->attrs[w->key.event].swapped,
		.n_ips = w->key.n_ips,
		.ips = (const uint8_t *)waits->ips.p + w->ips,
	};
}

/* ---- records ------------------------------------------------------------------------------ */

static inline void add_row(struct switch_waits *waits, const struct switch_seen *seen,
	uint32_t wait, uint64_t position)
{
	struct switch_wait *w = &waits->waits[wait];

	if (seen->time_ns < w->from_ns)
		w->from_ns = seen->time_ns;
	if (seen->time_ns >= w->last.time_ns)
		w->last = (struct moment){ seen->time_ns, position };
	switch_log_add(&waits->log, waits->first_class + wait, seen);
}

/* Adds rows as long as one match follows another. What this needs is copied to locals, which the
 * compiler keeps in registers; swapped is a constant in each of the two callers. */
static inline __attribute__((always_inline)) void add_matches_of_order(
	struct switch_waits *waits, struct perfdata_block *b, bool swapped)
{
	const struct switch_match matches = waits->matches;
	const uint8_t *chains = (const uint8_t *)waits->ips.p;
	const uint8_t *p = b->bytes + b->at, *end = b->bytes + b->n_bytes;
	const struct switch_pattern *t;
	struct switch_seen seen;

	for (; (t = switch_match_find(&matches, p, (size_t)(end - p), chains));
		p += t->size_bytes) {
		if (!switch_match_decode(t, p, swapped, &seen))
			break;
		add_row(waits, &seen, t->wait, b->position + (size_t)(p - b->bytes));
	}
	b->at = (size_t)(p - b->bytes);
}

/* Most records match one before. */
static void add_matches(struct switch_waits *waits, struct perfdata_block *b)
{
	if (waits->matches.swapped)
		add_matches_of_order(waits, b, true);
	else
		add_matches_of_order(waits, b, false);
}

static void add_sample(struct switch_waits *waits, const struct perfdata_record *r)
{
	struct perfdata_sample s;
	struct switch_seen seen;
	union switch_wait_key key;
	uint32_t event, wait;

	if (!perfdata_sample_event(waits->pd, r, &event) || !waits->switch_events->of[event].role)
		return;
	if (!perfdata_sample_decode_short(&waits->attrs[event], r, &s)) {
		diag_count(&waits->diag, DIAG_BAD_SAMPLE, r->position);
		return;
	}
	if (!switch_events_decode_sample(waits->switch_events, event, &s, &seen))
		return;
	key.ip = s.ip;
	key.pid = s.pid;
	key.tid = s.tid;
	key.n_ips = s.n_ips;
	key.event = (uint16_t)event;
	key.kind = seen.class.kind;
	key.state = seen.class.state;
	key.cpumode = s.cpumode;
	wait = find_wait(waits, &key, s.ips);
	if (wait == INDEX_NONE)
		return;
	add_row(waits, &seen, wait, r->position);
	switch_match_add(&waits->matches, r, &waits->attrs[event], &waits->switch_events->of[event],
		&s, wait, waits->waits[wait].ips);
}

/* A SWITCH record: the thread is back. Of leaving, samples tell, or there are no waits here. */
static void add_return(struct switch_waits *waits, const struct perfdata_record *r)
{
	struct switch_seen seen;
	union switch_wait_key key = { .kind = SWITCH_IN };
	uint32_t wait;

	if (!switch_events_decode_record(waits->switch_events, waits->pd, r, &seen))
		return;
	key.tid = seen.class.tid;
	key.event = (uint16_t)seen.class.event;
	wait = find_wait(waits, &key, r->p); /* any pointer: no address is used */
	if (wait != INDEX_NONE)
		add_row(waits, &seen, wait, r->position);
}

static void begin_block(struct switch_waits *waits, uint64_t position)
{
	if (!waits->n_blocks || waits->blocks[waits->n_blocks - 1].row != waits->log.n) {
		ARRAY_GROW(waits->blocks, waits->n_blocks, waits->cap_blocks);
		waits->n_blocks++;
	}
	waits->blocks[waits->n_blocks - 1] = (struct switch_waits_block){ position, waits->log.n };
}

static void add_record(struct switch_waits *waits, const struct perfdata_record *r)
{
	switch (r->type) {
	case RECORD_SAMPLE:
		add_sample(waits, r);
		return;
	case RECORD_SWITCH:
	case RECORD_SWITCH_CPU_WIDE:
		add_return(waits, r);
		return;
	case RECORD_LOST:
	case RECORD_LOST_SAMPLES:
	case RECORD_THROTTLE:
	case RECORD_UNTHROTTLE:
	case RECORD_FINISHED_ROUND:
		return;
	}
	begin_block(waits, r->position); /* it may change the world */
}

void switch_waits_add_block(struct switch_waits *waits, struct perfdata_block *b)
{
	struct perfdata_record r;

	begin_block(waits, b->position);
	while (add_matches(waits, b), perfdata_block_next(b, &r))
		add_record(waits, &r);
	waits->n_bytes += b->n_bytes;
}
