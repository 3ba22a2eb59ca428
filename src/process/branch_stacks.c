/*
 * A branch stack is read in two steps. First the addresses of all its entries are looked up in the
 * world, at the moment of the sample, through a cache with one entry for each hash: programs have
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
#include "process/branch_stacks.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

enum { CACHE_BITS = 16, CACHE_SIZE = 1 << CACHE_BITS, SEARCH_MAX = 64 };

/* Of struct perf_branch_entry. */
enum { FLAG_MISPREDICTED = 1 << 0, FLAG_PREDICTED = 1 << 1 };

struct branch_place {
	uint64_t rel;
	module_id module; /* 0: none */
	bool kernel;      /* by its address */
};

struct branch_stack_entry {
	struct branch_place from, to;
	bool mispredicted;
};

struct place_cache_entry {
	uint64_t address;
	space_id space;
	struct branch_place place;
	struct validity valid; /* zeroed: holds never */
};

struct branch_stacks {
	const struct world *world;
	const struct modules *modules;
	bool alone;
	struct branch_traces *traces;
	struct place_cache_entry *cache;
	struct branch_stack_entry *entry; /* of one sample, the newest first */
	uint32_t n, cap;
};

bool branch_stacks_has(const struct perfdata_attr *a)
{
	return a->sample_type & SAMPLE_BRANCH_STACK && !(a->branch_sample_type & BRANCH_CALL_STACK);
}

struct branch_stacks *branch_stacks_new(
	const struct world *w, const struct modules *modules, bool alone)
{
	struct branch_stacks *b = xcalloc(1, sizeof(*b));

	b->world = w;
	b->modules = modules;
	b->alone = alone;
	b->traces = branch_traces_new();
	b->cache = xcalloc(CACHE_SIZE, sizeof(*b->cache));
	return b;
}

void branch_stacks_free(struct branch_stacks *b)
{
	if (!b)
		return;
	branch_traces_free(b->traces);
	free(b->cache);
	free(b->entry);
	free(b);
}

struct branch_traces *branch_stacks_take_traces(struct branch_stacks *b)
{
	struct branch_traces *t = b->traces;

	b->traces = NULL;
	return t;
}

/* ---- places ------------------------------------------------------------------------------- */

/* Is it in a file, or in the kernel? */
static bool has_offsets(const struct branch_stacks *b, module_id module)
{
	switch (modules_get(b->modules, module)->kind) {
	case MODULE_FILE:
	case MODULE_VDSO:
	case MODULE_KERNEL:
	case MODULE_KMOD:
		return true;
	default:
		return false;
	}
}

static struct branch_place look_up(const struct branch_stacks *b, uint64_t address, space_id space,
	struct moment at, struct validity *valid)
{
	struct branch_place place = { .kernel = address >> 63 };
	struct world_place found = place.kernel
					   ? world_find_kernel(b->world, address, at, valid)
					   : world_find_user(b->world, space, address, at, valid);

	place.module = found.module;
	if (found.module && has_offsets(b, found.module))
		place.rel = found.rel;
	return place;
}

static struct branch_place find_place(
	struct branch_stacks *b, uint64_t address, space_id space, struct moment at)
{
	uint64_t hash = hash_pair(address, space);
	struct place_cache_entry *c = &b->cache[hash >> (64 - CACHE_BITS)];

	if (c->address != address || c->space != space || !validity_holds(c->valid, at)) {
		c->address = address;
		c->space = space;
		c->valid = VALIDITY_ALWAYS;
		c->place = look_up(b, address, space, at, &c->valid);
	}
	return c->place;
}

/* ---- traces ------------------------------------------------------------------------------- */

static bool is_kernel(const struct branch_stack_entry *entry)
{
	return entry->from.kernel || entry->to.kernel;
}

/* Where the range ends that entry i began, if the entry `next` came after it. */
static uint64_t range_end(const struct branch_stacks *b, uint32_t i, uint32_t next)
{
	const struct branch_stack_entry *entry = &b->entry[i], *after = &b->entry[next];

	return after->from.module == entry->to.module ? after->from.rel : BRANCH_NO_NEXT;
}

static uint64_t next_if_resumed(const struct branch_stacks *b, uint32_t i)
{
	uint32_t j, last = i > SEARCH_MAX ? i - SEARCH_MAX : 0;

	for (j = i; j-- > last;)
		if (!is_kernel(&b->entry[j]))
			return range_end(b, i, j);
	return BRANCH_NO_NEXT;
}

static uint64_t next_if_interrupted(const struct branch_stacks *b, uint32_t i)
{
	uint32_t j, last = i > SEARCH_MAX ? i - SEARCH_MAX : 0;
	module_id module = b->entry[i].to.module;

	for (j = i; j-- > last;)
		if (b->entry[j].from.module == module || b->entry[j].to.module == module)
			return range_end(b, i, j);
	return BRANCH_NO_NEXT;
}

static void count_trace(struct branch_stacks *b, const struct branch_stack_entry *entry,
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

	branch_traces_count(b->traces, branch_traces_find(b->traces, &t), 1, entry->mispredicted);
}

static void add_trace(struct branch_stacks *b, uint32_t i)
{
	const struct branch_stack_entry *entry = &b->entry[i];
	bool has_range = entry->to.module && has_offsets(b, entry->to.module);
	uint64_t resumed, interrupted;

	if (!has_range) {
		/* Into a kernel that was not recorded: an interrupt still. */
		bool left_out = entry->to.kernel && !entry->from.kernel;

		count_trace(b, entry, BRANCH_NO_NEXT, left_out ? BRANCH_INTERRUPTED : BRANCH_ANY);
		return;
	}
	interrupted = next_if_interrupted(b, i);
	resumed = is_kernel(entry) ? interrupted : next_if_resumed(b, i);
	if (entry->from.kernel && !entry->to.kernel) {
		count_trace(b, entry, interrupted, BRANCH_INTERRUPTED);
	} else if (resumed == interrupted) {
		count_trace(b, entry, resumed, BRANCH_ANY);
	} else {
		count_trace(b, entry, resumed, BRANCH_RESUMED);
		count_trace(b, entry, interrupted, BRANCH_INTERRUPTED);
	}
}

static void read_entries(
	struct branch_stacks *b, const struct perfdata_sample *s, space_id space, struct moment at)
{
	struct branch_totals *totals = &b->traces->totals;
	uint32_t i;

	b->n = 0;
	ARRAY_RESERVE(b->entry, s->n_branches, b->cap);
	for (i = 0; i < s->n_branches; i++) {
		struct perfdata_branch branch = perfdata_sample_branch(s, i);
		struct branch_stack_entry *entry = &b->entry[b->n];

		if (!branch.from && !branch.to) /* the hardware had no more */
			continue;
		entry->from = find_place(b, branch.from, space, at);
		entry->to = find_place(b, branch.to, space, at);
		entry->mispredicted = branch.flags & FLAG_MISPREDICTED;
		totals->predictions += (branch.flags & (FLAG_MISPREDICTED | FLAG_PREDICTED)) != 0;
		totals->mispredicted += entry->mispredicted;
		b->n++;
	}
	totals->entries += b->n;
}

static void add_address(
	struct branch_stacks *b, const struct perfdata_sample *s, space_id space, struct moment at)
{
	struct branch_place place = find_place(b, s->ip, space, at);
	struct branch_trace t = {
		.to = place.rel,
		.next = BRANCH_NO_NEXT,
		.to_module = place.module,
		.reading = BRANCH_SAMPLE,
	};

	b->traces->totals.sampled++;
	branch_traces_count(b->traces, branch_traces_find(b->traces, &t), 1, 0);
}

void branch_stacks_add(struct branch_stacks *b, const struct perfdata_attr *a,
	const struct perfdata_sample *s, space_id space, struct moment at)
{
	uint32_t i;

	if (b->alone && s->has & SAMPLE_IP)
		add_address(b, s, space, at);
	if (!branch_stacks_has(a))
		return;
	read_entries(b, s, space, at);
	if (b->n)
		b->traces->totals.samples++;
	else
		b->traces->totals.empty++;
	for (i = 0; i < b->n; i++)
		add_trace(b, i);
}
