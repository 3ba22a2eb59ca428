/*
 * The way of a sample through the ring:
 *
 *	add ──► ring slot i        hash computed, place in the table prefetched
 *	        slot i - PEEK_LAG  candidate read from the table, its counters prefetched;
 *	                           without one: the places where its entries are looked up
 *	        slot i - RING      looked up for good: counted, or logged as new
 *
 * Three stages, because each is a cache miss of its own in a table of millions of stacks, and
 * the misses of different samples do not depend on each other.
 */
#include "model/stacklog.h"

#include "base/arena.h"
#include "base/bisect.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/mem.h"
#include "base/prefetch.h"
#include "base/saturated.h"
#include "model/stack_delta.h"
#include "model/tree.h"

#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

enum {
	RING = 16,
	PEEK_LAG = 8,
	SAME_ADDRESS_MAX = 16, /* meanings of one entry that are kept */
};

/* What is known of a distinct stack, by its number. */
struct known_stack {
	uint64_t verify; /* second lane of its hash */
	uint64_t weight;
	uint32_t samples;
	uint32_t scope;
};

/* And what is left of that in a sealed log. */
struct stack_sum {
	uint64_t weight;
	uint32_t samples;
};

/* A look-up that was made: what the entry means in a scope. */
struct known_entry {
	uint64_t entry;
	site_id site;
	uint32_t scope;
};

/* Where and when entries, or a stack, have one meaning. */
struct scope {
	struct validity valid;
	uint32_t space;
};

struct pending {
	struct stacklog_sample sample; /* entries points into entry */
	uint64_t *entry;
	uint32_t cap;
	uint64_t hash, verify;
};

struct stacklog {
	stacklog_resolve resolve;
	void *resolve_ctx;
	stacklog_on_stack on_stack;
	void *on_stack_ctx;
	stacklog_trim trim; /* NULL: stacks are as they come */
	void *trim_ctx;
	uint64_t key[4];

	/* The stack hashed last: hashing goes on from where the next one differs. */
	uint64_t *last_entry, *last_lane0, *last_lane1;
	uint32_t last_n, last_cap;

	struct pending ring[RING];
	uint64_t n_added, n_counted;

	struct index by_hash;
	struct known_stack *stacks; /* NULL: the log is sealed */
	struct stack_sum *stack_sums;
	uint32_t n_stacks, cap_stacks;

	struct index by_entry;
	struct known_entry *entries;
	uint32_t n_entries, cap_entries;

	/* Each scope once: there are few, they stay in the cache, and every sample looks at
	 * one. Number 0 is space 0, always. */
	struct index by_scope;
	struct scope *scopes;
	uint32_t n_scopes, cap_scopes;
	uint32_t last_scope; /* looked up last */

	struct buf log; /* a delta for each stack; the last one is kept for the next difference */
	size_t *part;   /* where in the log each part begins */
	uint32_t n_parts, cap_parts;
	uint64_t *logged_entry;
	site_id *logged_site;
	uint32_t logged_n, logged_cap, logged_space;
	uint32_t logged_trim; /* so many of the sites were left out of the log */
	struct validity logged_valid;

	stack_id *trimmed; /* the stacks that were */
	uint32_t n_trimmed, cap_trimmed;

	/* Sorted by stack. */
	struct graft {
		stack_id stack;
		uint32_t n;
		const site_id *sites; /* in the arena */
	} * grafts;
	uint32_t n_grafts, cap_grafts;
	struct arena graft_sites;

	struct sums *sums; /* of a log of sums; else NULL */

	uint64_t *counts; /* by site: how many samples it is in; NULL: not set */
	uint32_t n_counts;
};

struct sums {
	struct tree tree;
	root_id root;
};

static void make_key(uint64_t key[4])
{
	struct timespec now;

	if (getrandom(key, 4 * sizeof(*key), GRND_NONBLOCK) == 4 * sizeof(*key))
		return;
	/* At early boot, or where a filter forbids the call: a key that differs between runs is
	 * good enough. */
	clock_gettime(CLOCK_MONOTONIC, &now);
	key[0] = hash_pair((uint64_t)now.tv_nsec, (uintptr_t)key);
	key[1] = hash_u64(key[0]);
	key[2] = hash_u64(key[1]);
	key[3] = hash_u64(key[2]);
}

/* There is room for a short recording from the start. What is not used is not touched, whereas
 * arrays that grow side by side leave holes in the heap. */
enum { FIRST_ENTRIES = 1536, FIRST_STACKS = 768, FIRST_LOG_BYTES = 24576 };

struct stacklog *stacklog_new(stacklog_resolve resolve, void *ctx)
{
	struct stacklog *l = xcalloc_apart(1, sizeof(*l));
	unsigned i;

	l->resolve = resolve;
	l->resolve_ctx = ctx;
	make_key(l->key);
	for (i = 0; i < 4; i++)
		l->key[i] |= 1; /* a multiplier of 0 would forget everything */
	ARRAY_GROW(l->scopes, l->n_scopes, l->cap_scopes);
	l->scopes[l->n_scopes++] = (struct scope){ .valid = VALIDITY_ALWAYS };
	ARRAY_RESERVE(l->entries, FIRST_ENTRIES, l->cap_entries);
	ARRAY_RESERVE(l->stacks, FIRST_STACKS, l->cap_stacks);
	buf_reserve(&l->log, FIRST_LOG_BYTES);
	index_reserve(&l->by_entry, FIRST_ENTRIES);
	return l;
}

static site_id entry_is_site(
	void *ctx, uint32_t space, uint64_t entry, struct moment at, struct validity *valid)
{
	(void)ctx;
	(void)space;
	(void)at;
	(void)valid;
	return (site_id)entry;
}

struct stacklog *stacklog_new_of_sites(void)
{
	return stacklog_new(entry_is_site, NULL);
}

struct stacklog *stacklog_new_of_sums(root_id root)
{
	struct stacklog *l = xcalloc_apart(1, sizeof(*l));

	l->sums = xcalloc(1, sizeof(*l->sums));
	l->sums->root = root;
	tree_init(&l->sums->tree);
	return l;
}

static void sums_free(struct sums *s)
{
	if (!s)
		return;
	tree_release(&s->tree);
	free(s);
}

/* What only adding stacks needs. */
static void release_search(struct stacklog *l)
{
	unsigned i;

	for (i = 0; i < RING; i++)
		free(l->ring[i].entry);
	free(l->last_entry);
	free(l->last_lane0);
	free(l->last_lane1);
	index_release(&l->by_hash);
	index_release(&l->by_entry);
	free(l->entries);
	index_release(&l->by_scope);
	free(l->scopes);
	free(l->logged_entry);
	free(l->logged_site);
}

static void release_stacks(struct stacklog *l)
{
	release_search(l);
	free(l->stacks);
	free(l->stack_sums);
	buf_release(&l->log);
	free(l->part);
	free(l->trimmed);
	free(l->grafts);
	arena_release(&l->graft_sites);
}

void stacklog_free(struct stacklog *l)
{
	if (!l)
		return;
	sums_free(l->sums);
	release_stacks(l);
	free(l->counts);
	free(l);
}

void stacklog_set_on_stack(struct stacklog *l, stacklog_on_stack fn, void *ctx)
{
	l->on_stack = fn;
	l->on_stack_ctx = ctx;
}

void stacklog_set_trim(struct stacklog *l, stacklog_trim fn, void *ctx)
{
	l->trim = fn;
	l->trim_ctx = ctx;
}

static struct stack_sum sum_of(const struct stacklog *l, stack_id stack)
{
	if (l->stack_sums)
		return l->stack_sums[stack];
	return (struct stack_sum){ l->stacks[stack].weight, l->stacks[stack].samples };
}

uint64_t stacklog_trimmed(const struct stacklog *l)
{
	uint64_t samples = 0;
	uint32_t i;

	for (i = 0; i < l->n_trimmed; i++)
		samples += sum_of(l, l->trimmed[i]).samples;
	return samples;
}

stack_id stacklog_count(const struct stacklog *l)
{
	return l->sums ? l->sums->tree.n : l->n_stacks;
}

struct validity stacklog_valid(const struct stacklog *l, stack_id stack)
{
	return l->scopes[l->stacks[stack].scope].valid;
}

static bool is_scope(
	const struct stacklog *l, uint32_t number, uint32_t space, const struct validity *v)
{
	const struct scope *s = &l->scopes[number];

	return s->space == space && memcmp(&s->valid, v, sizeof(*v)) == 0;
}

static uint32_t scope_number(struct stacklog *l, uint32_t space, struct validity v)
{
	static const struct moment start, end = { UINT64_MAX, UINT64_MAX };
	struct index_cursor c;
	uint64_t hash;
	uint32_t i;

	if (!space && !moment_before(start, v.from) && !moment_before(v.until, end))
		return 0;
	if (is_scope(l, l->last_scope, space, &v))
		return l->last_scope;
	hash = hash_pair(hash_bytes(&v, sizeof(v)), space);
	index_for_each (&l->by_scope, hash, c, i)
		if (is_scope(l, i, space, &v))
			return l->last_scope = i;
	ARRAY_GROW(l->scopes, l->n_scopes, l->cap_scopes);
	l->scopes[l->n_scopes] = (struct scope){ v, space };
	index_add(&l->by_scope, hash, l->n_scopes);
	return l->last_scope = l->n_scopes++;
}

/* Hashing */

static void last_reserve(struct stacklog *l, uint32_t n)
{
	uint32_t cap0 = l->last_cap, cap1 = l->last_cap;

	ARRAY_RESERVE(l->last_entry, n, l->last_cap);
	ARRAY_RESERVE(l->last_lane0, n, cap0);
	ARRAY_RESERVE(l->last_lane1, n, cap1);
}

static void hash_stack(struct stacklog *l, struct pending *p)
{
	const uint64_t *e = p->sample.entries;
	uint32_t n = p->sample.n, k = 0, shared = n < l->last_n ? n : l->last_n;
	uint64_t lane0 = l->key[0], lane1 = l->key[1], owner;

	last_reserve(l, n);
	while (k < shared && e[k] == l->last_entry[k])
		k++;
	if (k) {
		lane0 = l->last_lane0[k - 1];
		lane1 = l->last_lane1[k - 1];
	}
	for (; k < n; k++) {
		lane0 = hash_fold(lane0 ^ e[k], l->key[2]);
		lane1 = hash_fold(lane1 + e[k], l->key[3]);
		l->last_entry[k] = e[k];
		l->last_lane0[k] = lane0;
		l->last_lane1[k] = lane1;
	}
	l->last_n = n;
	/* The owner comes last, so that threads share the hashes of what they have in common. */
	owner = (uint64_t)p->sample.root << 32 | p->sample.space;
	p->hash = hash_fold(lane0 ^ owner, l->key[3]) + n;
	p->verify = hash_fold(lane1 + owner, l->key[2]);
}

/* New stacks */

static bool is_of_all_spaces(uint64_t entry)
{
	return (entry & STACKLOG_ALL_SPACES) == STACKLOG_ALL_SPACES;
}

/* The space that an entry is looked up in. */
static uint32_t space_of(uint32_t space, uint64_t entry)
{
	return is_of_all_spaces(entry) ? 0 : space;
}

static uint64_t entry_hash(uint32_t space, uint64_t entry)
{
	return hash_pair(entry, space_of(space, entry));
}

static site_id entry_site(struct stacklog *l, uint32_t space, uint64_t entry, struct moment at,
	struct validity *valid)
{
	uint64_t hash = entry_hash(space, entry);
	struct validity v = VALIDITY_ALWAYS;
	const struct known_entry *k;
	const struct scope *s;
	struct index_cursor c;
	uint32_t i, same = 0;
	site_id site;

	index_for_each (&l->by_entry, hash, c, i) {
		k = &l->entries[i];
		s = &l->scopes[k->scope];
		if (k->entry != entry || s->space != space_of(space, entry))
			continue;
		same++;
		if (!validity_holds(s->valid, at))
			continue;
		validity_narrow(valid, s->valid);
		return k->site;
	}
	site = l->resolve(l->resolve_ctx, space, entry, at, &v);
	validity_narrow(valid, v);
	if (same >= SAME_ADDRESS_MAX)
		return site; /* an address with ever new meanings must not make a list of them */
	ARRAY_GROW(l->entries, l->n_entries, l->cap_entries);
	l->entries[l->n_entries] =
		(struct known_entry){ entry, site, scope_number(l, space_of(space, entry), v) };
	index_add(&l->by_entry, hash, l->n_entries++);
	return site;
}

/* For a stack that seems to be new: prefetches where its entries will be looked up, apart from
 * those that it has in common with the stack logged last. */
static void prefetch_places_of_entries(const struct stacklog *l, const struct stacklog_sample *s)
{
	uint32_t k = 0, n = s->n < l->logged_n ? s->n : l->logged_n;

	while (k < n && s->entries[k] == l->logged_entry[k])
		k++;
	for (; k < s->n; k++)
		index_prefetch(&l->by_entry, entry_hash(s->space, s->entries[k]));
}

static void prefetch_entry(const struct stacklog *l, uint32_t space, uint64_t entry)
{
	struct index_cursor c;
	uint32_t i = index_first(&l->by_entry, entry_hash(space, entry), &c);

	if (i != INDEX_NONE)
		prefetch(&l->entries[i]);
}

/* How much of the stack logged last the new one starts with, with the same meanings. */
static uint32_t shared_prefix(const struct stacklog *l, const struct stacklog_sample *s)
{
	uint32_t k = 0, n = s->n < l->logged_n ? s->n : l->logged_n;

	if (s->space != l->logged_space || !validity_holds(l->logged_valid, s->at))
		return 0;
	while (k < n && s->entries[k] == l->logged_entry[k])
		k++;
	return k;
}

static void begin_part(struct stacklog *l)
{
	ARRAY_GROW(l->part, l->n_parts, l->cap_parts);
	l->part[l->n_parts++] = l->log.n;
	l->logged_n = 0;
}

static void log_reserve(struct stacklog *l, uint32_t n)
{
	uint32_t cap = l->logged_cap;

	ARRAY_RESERVE(l->logged_entry, n, cap);
	ARRAY_RESERVE(l->logged_site, n, l->logged_cap);
}

/* How many of the outermost sites of the stack in logged_site are left out. */
static uint32_t trim(struct stacklog *l, uint32_t n)
{
	uint32_t trimmed = l->trim && n ? l->trim(l->trim_ctx, l->logged_site, n) : 0;

	if (!trimmed)
		return 0;
	ARRAY_GROW(l->trimmed, l->n_trimmed, l->cap_trimmed);
	l->trimmed[l->n_trimmed++] = l->n_stacks;
	return trimmed;
}

/* Append to the log; what the stack means holds for as long as the result says. */
static struct validity log_stack(struct stacklog *l, const struct stacklog_sample *s)
{
	struct validity valid = VALIDITY_ALWAYS;
	uint32_t keep, trimmed, k;

	if (l->n_stacks % STACKLOG_PART_STACKS == 0)
		begin_part(l);
	keep = shared_prefix(l, s);
	if (keep)
		valid = l->logged_valid;
	log_reserve(l, s->n + 1);
	for (k = keep; k < s->n; k++)
		prefetch_entry(l, s->space, s->entries[k]);
	for (k = keep; k < s->n; k++) {
		l->logged_site[k] = entry_site(l, s->space, s->entries[k], s->at, &valid);
		l->logged_entry[k] = s->entries[k];
	}
	trimmed = trim(l, s->n);
	if (trimmed != l->logged_trim || keep < trimmed)
		keep = trimmed;
	stack_delta_put(&l->log,
		&(struct stack_delta){ .root = s->root, .keep = keep - trimmed, .n = s->n - keep },
		l->logged_site + keep);
	l->logged_trim = trimmed;
	l->logged_n = s->n;
	l->logged_space = s->space;
	l->logged_valid = valid;
	return valid;
}

static stack_id stack_find(const struct stacklog *l, const struct pending *p)
{
	struct index_cursor c;
	uint32_t i;

	index_for_each (&l->by_hash, p->hash, c, i) {
		const struct known_stack *k = &l->stacks[i];

		if (k->verify == p->verify &&
			(!k->scope || validity_holds(l->scopes[k->scope].valid, p->sample.at)))
			return i;
	}
	return INDEX_NONE;
}

static stack_id stack_add(struct stacklog *l, const struct pending *p)
{
	struct validity valid = log_stack(l, &p->sample);
	stack_id no = l->n_stacks++;

	ARRAY_RESERVE(l->stacks, l->n_stacks, l->cap_stacks);
	l->stacks[no] = (struct known_stack){ .verify = p->verify,
		.scope = scope_number(l, p->sample.space, valid) };
	index_add(&l->by_hash, p->hash, no);
	return no;
}

void stacklog_weigh(struct stacklog *l, stack_id stack, uint64_t weight, uint32_t samples)
{
	struct known_stack *k = &l->stacks[stack];

	k->weight = saturated_add(k->weight, weight);
	k->samples = samples > UINT32_MAX - k->samples ? UINT32_MAX : k->samples + samples;
}

static void count_pending(struct stacklog *l, const struct pending *p)
{
	stack_id no = stack_find(l, p);

	if (no == INDEX_NONE)
		no = stack_add(l, p);
	if (!p->sample.later)
		stacklog_weigh(l, no, p->sample.weight, 1 + p->sample.more_samples);
	if (l->on_stack)
		l->on_stack(l->on_stack_ctx, p->sample.tag, no);
}

/* The ring of pending samples */

static void prefetch_place(const struct stacklog *l, const struct pending *p)
{
	index_prefetch(&l->by_hash, p->hash);
}

static void prefetch_counters(const struct stacklog *l, const struct pending *p)
{
	struct index_cursor c;
	uint32_t i = index_first(&l->by_hash, p->hash, &c);

	if (i != INDEX_NONE)
		prefetch(&l->stacks[i]);
	else
		prefetch_places_of_entries(l, &p->sample);
}

static bool is_stack_of_all_spaces(const struct stacklog_sample *s)
{
	uint32_t k = 0;

	while (k < s->n && is_of_all_spaces(s->entries[k]))
		k++;
	return s->n && k == s->n;
}

void stacklog_add(struct stacklog *l, const struct stacklog_sample *s)
{
	struct pending *p = &l->ring[l->n_added % RING];

	if (l->n_added - l->n_counted == RING)
		count_pending(l, &l->ring[l->n_counted++ % RING]);
	ARRAY_RESERVE(p->entry, s->n + 1, p->cap);
	p->sample = *s;
	p->sample.entries = p->entry;
	if (is_stack_of_all_spaces(s))
		p->sample.space = 0;
	if (s->n)
		memcpy(p->entry, s->entries, s->n * sizeof(*s->entries));
	hash_stack(l, p);
	prefetch_place(l, p);
	l->n_added++;
	if (l->n_added > PEEK_LAG)
		prefetch_counters(l, &l->ring[(l->n_added - PEEK_LAG) % RING]);
}

void stacklog_flush(struct stacklog *l)
{
	while (l->n_counted < l->n_added)
		count_pending(l, &l->ring[l->n_counted++ % RING]);
}

/* The sums of all stacks, in the memory of what was known of them. */
static struct stack_sum *take_sums(struct stacklog *l)
{
	struct known_stack *stacks = l->stacks;
	stack_id i;

	for (i = 0; i < l->n_stacks; i++) {
		struct stack_sum sum = sum_of(l, i);

		memcpy((char *)stacks + i * sizeof(sum), &sum, sizeof(sum));
	}
	l->stacks = NULL;
	return stacks ? xreallocarray(stacks, (size_t)l->n_stacks + 1, sizeof(struct stack_sum))
		      : NULL;
}

void stacklog_seal(struct stacklog *l)
{
	struct stacklog left = { .stack_sums = take_sums(l),
		.n_stacks = l->n_stacks,
		.log = l->log,
		.part = l->part,
		.n_parts = l->n_parts,
		.trimmed = l->trimmed,
		.n_trimmed = l->n_trimmed,
		.grafts = l->grafts,
		.n_grafts = l->n_grafts,
		.graft_sites = l->graft_sites,
		.sums = l->sums,
		.counts = l->counts,
		.n_counts = l->n_counts };

	release_search(l);
	*l = left;
}

/* Replay */

void stacklog_stitch(struct stacklog *l, stack_id stack, const site_id *sites, uint32_t n)
{
	site_id *copy = arena_alloc(&l->graft_sites, n * sizeof(*sites));

	if (n)
		memcpy(copy, sites, n * sizeof(*sites));
	ARRAY_GROW(l->grafts, l->n_grafts, l->cap_grafts);
	l->grafts[l->n_grafts++] = (struct graft){ stack, n, copy };
}

/* A replay with grafts: the stack as it was visited last. */
struct grafted_stack {
	site_id *sites;
	size_t cap;
	uint32_t n;
	uint32_t next, n_grafts; /* n_grafts: those that were there at the beginning */
};

/* Replaces the outermost site, and counts how much of the stack is as in the one visited last. */
static void apply_graft(const struct stacklog *l, struct grafted_stack *t, struct stacklog_entry *s)
{
	struct graft none = { 0 };
	bool grafted = t->next < t->n_grafts && l->grafts[t->next].stack == s->number;
	const struct graft *g = grafted ? &l->grafts[t->next++] : &none;
	uint32_t n = g->n + s->n - grafted, k;
	bool same = true;

	s->keep = 0;
	ARRAY_RESERVE(t->sites, n, t->cap);
	for (k = 0; k < n; k++) {
		site_id site = k < g->n ? g->sites[k] : s->sites[k - g->n + grafted];

		same &= k < t->n && t->sites[k] == site;
		s->keep += same;
		t->sites[k] = site;
	}
	t->n = s->n = n;
	s->sites = t->sites;
}

static int replay_sums(const struct sums *of, stacklog_visit visit, void *ctx, struct err *e)
{
	const struct tree *t = &of->tree;
	struct stacklog_entry s = { .root = of->root };
	uint32_t at = 0, cap = 0, left;
	site_id *sites = NULL;
	int rc = OK;

	while (t->n && !rc) {
		if (t->nodes[at].sum) {
			s.number = at;
			s.weight = tree_self(t, at).weight;
			s.samples = tree_self(t, at).samples;
			s.sites = sites;
			rc = visit(ctx, &s, e);
			s.keep = s.n;
		}
		at = tree_next(t, at, &left);
		if (!at)
			break;
		s.n -= left;
		s.keep = s.keep < s.n ? s.keep : s.n;
		ARRAY_GROW(sites, s.n, cap);
		sites[s.n++] = t->nodes[at].what;
	}
	free(sites);
	return rc;
}

/* Replays from one stack up to another; the first is complete in the log, at `at`. */
static int replay_stacks(const struct stacklog *l, stack_id no, stack_id end, size_t at,
	stacklog_visit visit, void *ctx, struct err *e)
{
	struct grafted_stack last = { .n_grafts = l->n_grafts,
		.next = bisect(i, 0, l->n_grafts, l->grafts[i].stack >= no) };
	struct cursor c = { .p = (const uint8_t *)l->log.p + at, .left = l->log.n - at };
	site_id *sites = NULL;
	size_t cap = 0;
	int rc = OK;

	for (; no < end && !rc; no++) {
		struct stack_delta d = stack_delta_decode(&c);
		struct stack_sum sum = sum_of(l, no);
		struct stacklog_entry s = {
			.number = no,
			.root = d.root,
			.weight = sum.weight,
			.samples = sum.samples,
			.keep = d.keep,
			.n = d.keep + d.n,
		};

		ARRAY_RESERVE(sites, s.n, cap);
		stack_delta_decode_sites(&c, &d, sites + d.keep);
		s.sites = sites;
		if (last.n_grafts)
			apply_graft(l, &last, &s);
		rc = visit(ctx, &s, e);
	}
	free(sites);
	free(last.sites);
	return rc;
}

int stacklog_replay(const struct stacklog *l, stacklog_visit visit, void *ctx, struct err *e)
{
	return l->sums ? replay_sums(l->sums, visit, ctx, e)
		       : replay_stacks(l, 0, l->n_stacks, 0, visit, ctx, e);
}

uint32_t stacklog_parts(const struct stacklog *l)
{
	return l->sums ? 1 : l->n_parts;
}

int stacklog_replay_part(
	const struct stacklog *l, uint32_t part, stacklog_visit visit, void *ctx, struct err *e)
{
	uint32_t no = part * STACKLOG_PART_STACKS, left;

	if (l->sums)
		return replay_sums(l->sums, visit, ctx, e);
	left = l->n_stacks - no;
	return replay_stacks(l, no,
		no + (left < STACKLOG_PART_STACKS ? left : STACKLOG_PART_STACKS), l->part[part],
		visit, ctx, e);
}

/* Logs of sums */

struct tree *stacklog_tree(struct stacklog *l)
{
	return l->sums ? &l->sums->tree : NULL;
}

root_id stacklog_root(const struct stacklog *l)
{
	return l->sums->root;
}

void stacklog_set_counts(struct stacklog *l, uint64_t *samples, uint32_t n_sites)
{
	free(l->counts);
	l->counts = samples;
	l->n_counts = n_sites;
}

bool stacklog_count_sites(const struct stacklog *l, uint64_t *samples)
{
	uint32_t i;

	for (i = 0; i < l->n_counts; i++)
		samples[i] = saturated_add(samples[i], l->counts[i]);
	return l->sums || l->counts;
}

void stacklog_drop_stacks(struct stacklog *l)
{
	struct stacklog left = { .sums = l->sums, .counts = l->counts, .n_counts = l->n_counts };

	if (l->sums)
		tree_release(&l->sums->tree);
	release_stacks(l);
	*l = left;
}
