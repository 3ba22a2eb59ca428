/*
 * A branch stack is read in two steps. First the addresses of all its entries are looked up,
 * as of the moment of the sample, through a cache with one entry for each hash: programs have
 * fewer branches than samples have entries. Then each entry becomes a trace, with the source of the
 * entry after it as the end of its range:
 *
 *	newest  entry[0]  E -> F	range of F: not known
 *	        entry[1]  C -> D	range D..E, by entry[0]
 *	oldest  entry[2]  A -> B	range B..C, by entry[1]
 *
 * Which entry is after another, the two readings see differently (model/branch_traces.h). Where
 * they agree, one trace has both; they do but for entries with addresses in the kernel, or with a
 * gap in the history. Their search is bounded: hardware has at most 64 entries, while a hostile
 * sample may have thousands.
 *
 * Cost: two look-ups in the cache and one in the table of traces for each entry.
 */
#include "model/branch_history.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

enum { CACHE_BITS = 16, CACHE_SIZE = 1 << CACHE_BITS, SEARCH_MAX = 64 };

struct branch_history_entry {
	struct branch_place from, to;
	bool mispredicted;
};

struct place_cache_entry {
	uint64_t address;
	uint32_t space;
	struct branch_place place;
	struct validity valid; /* zeroed: holds never */
};

struct branch_history {
	branch_history_look_up look_up;
	void *ctx;
	const struct modules *modules;
	struct branch_traces *traces;
	struct place_cache_entry *cache;

	/* The stack being read. */
	uint32_t space;
	struct moment at;
	struct branch_history_entry *entry; /* the newest first */
	uint32_t n, cap;
};

struct branch_history *branch_history_new(
	const struct modules *modules, branch_history_look_up look_up, void *ctx)
{
	struct branch_history *h = xcalloc(1, sizeof(*h));

	h->look_up = look_up;
	h->ctx = ctx;
	h->modules = modules;
	h->traces = branch_traces_new();
	h->cache = xcalloc(CACHE_SIZE, sizeof(*h->cache));
	return h;
}

void branch_history_free(struct branch_history *h)
{
	if (!h)
		return;
	branch_traces_free(h->traces);
	free(h->cache);
	free(h->entry);
	free(h);
}

void branch_history_collect(struct branch_history *h, struct branch_traces **sum)
{
	if (*sum) {
		branch_traces_merge(*sum, h->traces);
	} else {
		*sum = h->traces;
		h->traces = NULL;
	}
}

/* ---- places ------------------------------------------------------------------------------- */

/* Is it in a file, or in the kernel? */
static bool has_offsets(const struct branch_history *h, module_id module)
{
	switch (modules_get(h->modules, module)->kind) {
	case MODULE_FILE:
	case MODULE_VDSO:
	case MODULE_KERNEL:
	case MODULE_KMOD:
		return true;
	default:
		return false;
	}
}

static struct branch_place find_place(struct branch_history *h, uint64_t address)
{
	uint64_t hash = hash_pair(address, h->space);
	struct place_cache_entry *c = &h->cache[hash >> (64 - CACHE_BITS)];

	if (c->address != address || c->space != h->space || !validity_holds(c->valid, h->at)) {
		c->address = address;
		c->space = h->space;
		c->valid = VALIDITY_ALWAYS;
		c->place = h->look_up(h->ctx, address, h->space, h->at, &c->valid);
		c->place.kernel = branch_history_is_kernel(address);
		if (!c->place.module || !has_offsets(h, c->place.module))
			c->place.rel = 0;
	}
	return c->place;
}

/* ---- traces ------------------------------------------------------------------------------- */

static bool is_kernel(const struct branch_history_entry *entry)
{
	return entry->from.kernel || entry->to.kernel;
}

/* Where the range ends that entry i began, if the entry `next` came after it. */
static uint64_t range_end(const struct branch_history *h, uint32_t i, uint32_t next)
{
	const struct branch_history_entry *entry = &h->entry[i], *after = &h->entry[next];

	return after->from.module == entry->to.module ? after->from.rel : BRANCH_NO_NEXT;
}

static uint64_t next_if_resumed(const struct branch_history *h, uint32_t i)
{
	uint32_t j, last = i > SEARCH_MAX ? i - SEARCH_MAX : 0;

	for (j = i; j-- > last;)
		if (!is_kernel(&h->entry[j]))
			return range_end(h, i, j);
	return BRANCH_NO_NEXT;
}

static uint64_t next_if_interrupted(const struct branch_history *h, uint32_t i)
{
	uint32_t j, last = i > SEARCH_MAX ? i - SEARCH_MAX : 0;
	module_id module = h->entry[i].to.module;

	for (j = i; j-- > last;)
		if (h->entry[j].from.module == module || h->entry[j].to.module == module)
			return range_end(h, i, j);
	return BRANCH_NO_NEXT;
}

static void count_trace(struct branch_history *h, const struct branch_history_entry *entry,
	uint64_t next, enum branch_reading reading)
{
	struct branch_trace t = {
		.from = entry->from.rel,
		.to = entry->to.rel,
		.next = next,
		.from_module = entry->from.module,
		.to_module = entry->to.module,
		.reading = (uint8_t)reading,
	};

	branch_traces_count(h->traces, branch_traces_find(h->traces, &t), 1, entry->mispredicted);
}

static void add_trace(struct branch_history *h, uint32_t i)
{
	const struct branch_history_entry *entry = &h->entry[i];
	bool has_range = entry->to.module && has_offsets(h, entry->to.module);
	uint64_t resumed, interrupted;

	if (!has_range) {
		/* Into a kernel that was not recorded: an interrupt still. */
		bool left_out = entry->to.kernel && !entry->from.kernel;

		count_trace(h, entry, BRANCH_NO_NEXT, left_out ? BRANCH_INTERRUPTED : BRANCH_ANY);
		return;
	}
	interrupted = next_if_interrupted(h, i);
	resumed = is_kernel(entry) ? interrupted : next_if_resumed(h, i);
	if (entry->from.kernel && !entry->to.kernel) {
		count_trace(h, entry, interrupted, BRANCH_INTERRUPTED);
	} else if (resumed == interrupted) {
		count_trace(h, entry, resumed, BRANCH_ANY);
	} else {
		count_trace(h, entry, resumed, BRANCH_RESUMED);
		count_trace(h, entry, interrupted, BRANCH_INTERRUPTED);
	}
}

void branch_history_begin(struct branch_history *h, uint32_t space, struct moment at)
{
	h->space = space;
	h->at = at;
	h->n = 0;
}

void branch_history_push(struct branch_history *h, const struct branch_record *branch)
{
	struct branch_totals *totals = &h->traces->totals;
	struct branch_history_entry *entry;

	if (!branch->from && !branch->to) /* the hardware had no more */
		return;
	ARRAY_GROW(h->entry, h->n, h->cap);
	entry = &h->entry[h->n++];
	entry->from = find_place(h, branch->from);
	entry->to = find_place(h, branch->to);
	entry->mispredicted = branch->mispredicted;
	totals->entries++;
	totals->predictions += branch->mispredicted || branch->predicted;
	totals->mispredicted += branch->mispredicted;
}

void branch_history_end(struct branch_history *h)
{
	uint32_t i;

	if (h->n)
		h->traces->totals.samples++;
	else
		h->traces->totals.empty++;
	for (i = 0; i < h->n; i++)
		add_trace(h, i);
}

void branch_history_add_sample(
	struct branch_history *h, uint32_t space, struct moment at, uint64_t address)
{
	struct branch_place place;
	struct branch_trace t = { .next = BRANCH_NO_NEXT, .reading = BRANCH_SAMPLE };

	branch_history_begin(h, space, at);
	place = find_place(h, address);
	t.to = place.rel;
	t.to_module = place.module;
	h->traces->totals.sampled++;
	branch_traces_count(h->traces, branch_traces_find(h->traces, &t), 1, 0);
}
