#include "process/events/switch_waits.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

enum {
	/* Settle the waits when they fill this many blocks: beside the rows of millions of switches
	 * that is little, or else keeping waits is no use. */
	FULL_BLOCKS = 32,
	BLOCK_BYTES = 1 << 20, /* where nothing else is said */
	/* This many waits with one hash are no accident. */
	SAME_HASH_MAX = 16,
	LAST_SLOTS = 1024,
};

/* ---- whether ------------------------------------------------------------------------------ */

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

void switch_waits_init(struct switch_waits *n, const struct switch_events *s,
	const struct perfdata *pd, const struct read_opts *o)
{
	uint32_t unused;

	*n = (struct switch_waits){
		.switch_events = s, .pd = pd, .attrs = perfdata_attrs(pd, &unused)
	};
	n->last = xcalloc(LAST_SLOTS, sizeof(*n->last));
	switch_match_init(&n->matches, pd);
	n->full_bytes = FULL_BLOCKS * (o->block_bytes ? o->block_bytes : BLOCK_BYTES);
}

void switch_waits_clear(struct switch_waits *n)
{
	n->n_waits = n->n_blocks = 0;
	n->n_bytes = n->ips.n = 0;
	n->first_class = n->log.n_classes;
	index_release(&n->by_hash);
	switch_match_clear(&n->matches);
}

void switch_waits_release(struct switch_waits *n)
{
	switch_log_release(&n->log);
	free(n->waits);
	free(n->last);
	switch_match_release(&n->matches);
	index_release(&n->by_hash);
	buf_release(&n->ips);
	free(n->blocks);
	*n = (struct switch_waits){ 0 };
}

bool switch_waits_is_full(const struct switch_waits *n)
{
	return n->ips.n + n->n_waits * sizeof(*n->waits) > n->full_bytes;
}

/* ---- waits -------------------------------------------------------------------------------- */

static uint64_t hash_wait(const union switch_wait_key *key, const uint8_t *ips)
{
	uint64_t hash = hash_fold(key->word[0] ^ 0x9e3779b97f4a7c15u, key->word[1]) ^ key->word[2];
	size_t n = key->n_ips;

	for (; n >= 2; n -= 2, ips += 16)
		hash = hash_fold(hash ^ bytes_u64(ips, false),
			bytes_u64(ips + 8, false) ^ 0xbf58476d1ce4e5b9u);
	return hash_pair(hash, n ? bytes_u64(ips, false) : 0);
}

static inline bool is_equal(const struct switch_waits *n, const struct switch_wait *w,
	const union switch_wait_key *key, const uint8_t *ips)
{
	return w->key.word[0] == key->word[0] && w->key.word[1] == key->word[1] &&
	       w->key.word[2] == key->word[2] &&
	       (!key->n_ips || memcmp(n->ips.p + w->ips, ips, (size_t)key->n_ips * 8) == 0);
}

uint32_t switch_waits_add_class(struct switch_waits *n, uint32_t wait)
{
	const union switch_wait_key *key = &n->waits[wait].key;

	return switch_log_add_class(&n->log, &(struct switch_class){
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
	struct switch_waits *n, const union switch_wait_key *key, const uint8_t *ips)
{
	ARRAY_GROW(n->waits, n->n_waits, n->cap_waits);
	n->waits[n->n_waits] =
		(struct switch_wait){ .key = *key, .ips = n->ips.n, .from_ns = UINT64_MAX };
	if (switch_waits_add_class(n, n->n_waits) == SWITCH_NO_CLASS)
		return INDEX_NONE;
	if (key->n_ips)
		buf_put(&n->ips, ips, (size_t)key->n_ips * 8);
	return n->n_waits++;
}

static uint32_t look_up_wait(
	struct switch_waits *n, const union switch_wait_key *key, const uint8_t *ips)
{
	uint64_t hash = hash_wait(key, ips);
	struct index_cursor c;
	uint32_t i, same = 0;

	index_for_each (&n->by_hash, hash, c, i) {
		if (is_equal(n, &n->waits[i], key, ips))
			return i;
		if (++same == SAME_HASH_MAX)
			return add_wait(n, key, ips);
	}
	i = add_wait(n, key, ips);
	if (i != INDEX_NONE)
		index_add(&n->by_hash, hash, i);
	return i;
}

/* A thread mostly waits where it did before. */
static inline uint32_t find_wait(
	struct switch_waits *n, const union switch_wait_key *key, const uint8_t *ips)
{
	uint32_t *last = &n->last[(uint32_t)key->tid % LAST_SLOTS];

	if (*last >= n->n_waits || !is_equal(n, &n->waits[*last], key, ips))
		*last = look_up_wait(n, key, ips);
	return *last;
}

struct perfdata_sample switch_waits_sample(
	const struct switch_waits *n, const struct switch_wait *w)
{
	return (struct perfdata_sample){
		.ip = w->key.ip,
		.pid = w->key.pid,
		.tid = w->key.tid,
		.cpu = -1,
		.has = (uint32_t)n->attrs[w->key.event].sample_type,
		.cpumode = w->key.cpumode,
		.swapped = n->attrs[w->key.event].swapped,
		.n_ips = w->key.n_ips,
		.ips = (const uint8_t *)n->ips.p + w->ips,
	};
}

/* ---- records ------------------------------------------------------------------------------ */

static inline void add_row(
	struct switch_waits *n, const struct switch_seen *seen, uint32_t wait, uint64_t position)
{
	struct switch_wait *w = &n->waits[wait];

	if (seen->time_ns < w->from_ns)
		w->from_ns = seen->time_ns;
	if (seen->time_ns >= w->last.time_ns)
		w->last = (struct moment){ seen->time_ns, position };
	switch_log_add(&n->log, n->first_class + wait, seen);
}

/* Takes matches as long as one follows another. All that this needs is copied to registers: nobody
 * else can change the copies. The compiler knows swapped, so it is not tested for each number. */
static inline __attribute__((always_inline)) void take_repeats_in_order(
	struct switch_waits *n, struct perfdata_block *b, bool swapped)
{
	const struct switch_match matches = n->matches;
	const uint8_t *chains = (const uint8_t *)n->ips.p;
	const uint8_t *p = b->bytes + b->at, *end = b->bytes + b->n_bytes;
	const struct switch_pattern *t;
	struct switch_seen seen;

	for (; (t = switch_match_find(&matches, p, (size_t)(end - p), chains));
		p += t->size_bytes) {
		if (!switch_match_decode(t, p, swapped, &seen))
			break;
		add_row(n, &seen, t->wait, b->position + (size_t)(p - b->bytes));
	}
	b->at = (size_t)(p - b->bytes);
}

/* Most records are samples like one before. */
static void take_repeats(struct switch_waits *n, struct perfdata_block *b)
{
	if (n->matches.swapped)
		take_repeats_in_order(n, b, true);
	else
		take_repeats_in_order(n, b, false);
}

static void take_sample(struct switch_waits *n, const struct perfdata_record *r)
{
	struct perfdata_sample s;
	struct switch_seen seen;
	union switch_wait_key key;
	uint32_t event, wait;

	if (!perfdata_sample_event(n->pd, r, &event) || !n->switch_events->of[event].role)
		return;
	if (!perfdata_sample_decode_short(&n->attrs[event], r, &s)) {
		diag_count(&n->diag, DIAG_BAD_SAMPLE, r->position);
		return;
	}
	if (!switch_events_decode_sample(n->switch_events, event, &s, &seen))
		return;
	key.ip = s.ip;
	key.pid = s.pid;
	key.tid = s.tid;
	key.n_ips = s.n_ips;
	key.event = (uint16_t)event;
	key.kind = seen.class.kind;
	key.state = seen.class.state;
	key.cpumode = s.cpumode;
	wait = find_wait(n, &key, s.ips);
	if (wait == INDEX_NONE)
		return;
	add_row(n, &seen, wait, r->position);
	switch_match_add(&n->matches, r, &n->attrs[event], &n->switch_events->of[event], &s, wait,
		n->waits[wait].ips);
}

/* A thread comes back, as its own samples tell. */
static void take_return(struct switch_waits *n, const struct perfdata_record *r)
{
	struct switch_seen seen;
	union switch_wait_key key = { .n_ips = 0 };
	uint32_t wait;

	if (!switch_events_decode_record(n->switch_events, n->pd, r, &seen))
		return;
	key.tid = seen.class.tid;
	key.event = (uint16_t)seen.class.event;
	key.kind = seen.class.kind;
	wait = find_wait(n, &key, r->p); /* of which no address is used */
	if (wait != INDEX_NONE)
		add_row(n, &seen, wait, r->position);
}

static void begin_block(struct switch_waits *n, uint64_t position)
{
	if (!n->n_blocks || n->blocks[n->n_blocks - 1].row != n->log.n) {
		ARRAY_GROW(n->blocks, n->n_blocks, n->cap_blocks);
		n->n_blocks++;
	}
	n->blocks[n->n_blocks - 1] = (struct switch_waits_block){ position, n->log.n };
}

static void take_record(struct switch_waits *n, const struct perfdata_record *r)
{
	switch (r->type) {
	case RECORD_SAMPLE:
		take_sample(n, r);
		return;
	case RECORD_SWITCH:
	case RECORD_SWITCH_CPU_WIDE:
		take_return(n, r);
		return;
	case RECORD_LOST:
	case RECORD_LOST_SAMPLES:
	case RECORD_THROTTLE:
	case RECORD_UNTHROTTLE:
	case RECORD_FINISHED_ROUND:
		return;
	}
	begin_block(n, r->position); /* it may change the world */
}

void switch_waits_add_block(struct switch_waits *n, struct perfdata_block *b)
{
	struct perfdata_record r;

	begin_block(n, b->position);
	while (take_repeats(n, b), perfdata_block_next(b, &r))
		take_record(n, &r);
	n->n_bytes += b->n_bytes;
}
