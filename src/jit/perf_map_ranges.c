/*
 * How it works: a sorted list of disjoint ranges, in blocks of up to 1024, each of which lies
 * within 4 GiB of addresses:
 *
 *	block[]   first = 7f0000001000        first = 7f0000800000        ...
 *	          at: |range|range|range|     at: |range|range|...
 *	range     16 bytes: start (low half), size, offset of its line, hash of its function, 2 bits
 *
 * A new line is put in one of three ways: after the last range of the block that was used last (the
 * usual case: no search), between two ranges, or over ranges that it overlaps. In the last case
 * the new range and what it leaves of the old ones are collected in a struct range_cover and
 * replace the old ones in place, if they fit in the block.
 *
 *	old   [   a    ][  b  ][    c    ]
 *	new        [        x       ]
 *	out   [ a ][x' ][ x'' ][ x' ][ c ]    x', x'': reused, ambiguous as the old ones were
 *
 * Costs: a look-up is two binary searches; a line over k ranges costs k. Frames are kept in an
 * array beside a block's ranges, allocated when one of them is first asked for.
 */
#include "jit/perf_map_ranges.h"

#include "base/mem.h"
#include "base/bisect.h"

#include <stdlib.h>
#include <string.h>

enum {
	BLOCK_RANGES = 1024,
	/* How many ranges a line is compared with where it covers older code; a bound for hostile
	 * maps. A line over more counts as ambiguous everywhere, or nowhere. */
	COVERED_MAX = 64,
	NO_BLOCK = UINT32_MAX,
};

struct packed_range {
	uint32_t start; /* lower half */
	uint32_t size_bytes;
	uint64_t offset : PERF_MAP_OFFSET_BITS,
			  ambiguous : 1,
			  reused : 1,
			  function : PERF_MAP_FUNCTION_BITS;
};

_Static_assert(sizeof(struct packed_range) == 16, "the bound in perf_map_ranges.h");

void perf_map_ranges_release(struct perf_map_ranges *l)
{
	uint32_t i;

	for (i = 0; i < l->n_blocks; i++) {
		free(l->block[i].at);
		free(l->block[i].frames);
	}
	free(l->block);
	*l = (struct perf_map_ranges){ 0 };
}

bool perf_map_ranges_any_ambiguous(const struct perf_map_ranges *l)
{
	uint32_t i, k;

	for (i = 0; i < l->n_blocks; i++)
		for (k = 0; k < l->block[i].n; k++)
			if (l->block[i].at[k].ambiguous)
				return true;
	return false;
}

/* ---- where ranges are --------------------------------------------------------------------- */

static uint64_t upper_half(uint64_t address)
{
	return address & ~(uint64_t)UINT32_MAX;
}

static uint64_t start_at(const struct perf_map_range_block *b, uint32_t i)
{
	return upper_half(b->first) | b->at[i].start;
}

static bool is_end(const struct perf_map_ranges *l, struct perf_map_range_pos at)
{
	return at.block == l->n_blocks;
}

static struct perf_map_range_pos next_spot(
	const struct perf_map_ranges *l, struct perf_map_range_pos at)
{
	if (++at.i < l->block[at.block].n)
		return at;
	return (struct perf_map_range_pos){ at.block + 1, 0 };
}

struct perf_map_range perf_map_ranges_get(
	const struct perf_map_ranges *l, struct perf_map_range_pos at)
{
	const struct perf_map_range_block *b = &l->block[at.block];
	const struct packed_range *r = &b->at[at.i];
	uint64_t start = start_at(b, at.i);

	return (struct perf_map_range){ start, start + r->size_bytes, r->offset, r->function,
		r->ambiguous, r->reused };
}

/* Does the block hold what starts at the address, or would it? */
static bool is_in_block(const struct perf_map_ranges *l, uint32_t i, uint64_t address)
{
	return i < l->n_blocks && l->block[i].first <= address &&
	       (i + 1 == l->n_blocks || address < l->block[i + 1].first);
}

/* The last block that starts at the address or before it. */
static uint32_t find_block(const struct perf_map_ranges *l, uint64_t address)
{
	uint32_t after;

	if (is_in_block(l, l->hint, address))
		return l->hint;
	after = bisect(i, 0, l->n_blocks, l->block[i].first > address);
	return after ? after - 1 : NO_BLOCK;
}

/* How many ranges of the block start at the address or before it. */
static uint32_t count_until(const struct perf_map_range_block *b, uint64_t address)
{
	/* Most code comes after what is there already. */
	if (upper_half(address) != upper_half(b->first) ||
		b->at[b->n - 1].start <= (uint32_t)address)
		return b->n;
	return bisect(i, 0, (uint32_t)b->n, b->at[i].start > (uint32_t)address);
}

bool perf_map_ranges_find(
	const struct perf_map_ranges *l, uint64_t address, struct perf_map_range_pos *at)
{
	uint32_t block = find_block(l, address);

	*at = (struct perf_map_range_pos){ 0, 0 };
	if (block != NO_BLOCK) {
		*at = (struct perf_map_range_pos){ block,
			count_until(&l->block[block], address) - 1 };
		if (perf_map_ranges_get(l, *at).end <= address)
			*at = next_spot(l, *at);
	}
	return !is_end(l, *at);
}

frame_id *perf_map_ranges_frame(const struct perf_map_ranges *l, struct perf_map_range_pos at)
{
	struct perf_map_range_block *b = &l->block[at.block];
	frame_id *frames = __atomic_load_n(&b->frames, __ATOMIC_ACQUIRE), *made;

	if (frames)
		return &frames[at.i];
	made = xcalloc(b->n, sizeof(*made));
	/* If another thread was faster, frames is now its array. */
	if (__atomic_compare_exchange_n(
		    &b->frames, &frames, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		frames = made;
	else
		free(made);
	return &frames[at.i];
}

/* ---- adding a line ------------------------------------------------------------------------------
 */

static struct packed_range pack(const struct perf_map_range *r)
{
	return (struct packed_range){ .start = (uint32_t)r->start,
		.size_bytes = (uint32_t)(r->end - r->start),
		.offset = r->offset,
		.ambiguous = r->ambiguous,
		.reused = r->reused,
		.function = r->function };
}

static void set_capacity(struct perf_map_range_block *b, uint32_t cap)
{
	b->cap = cap;
	b->at = xreallocarray(b->at, cap, sizeof(*b->at));
}

/* A block may hold just one range: in a map from a stranger, all may. */
static void reserve(struct perf_map_range_block *b, uint32_t need)
{
	size_t cap = need > 1 ? mem_next_capacity(b->cap, need, BLOCK_RANGES) : 1;

	if (need > b->cap)
		set_capacity(b, (uint32_t)cap);
}

static struct perf_map_range_block *add_block(struct perf_map_ranges *l, uint32_t i)
{
	struct perf_map_range_block *b;

	ARRAY_GROW(l->block, l->n_blocks, l->cap_blocks);
	b = &l->block[i];
	memmove(b + 1, b, (l->n_blocks++ - i) * sizeof(*b));
	*b = (struct perf_map_range_block){ 0 };
	return b;
}

static void insert_at(
	struct perf_map_ranges *l, uint32_t block, uint32_t i, const struct perf_map_range *r)
{
	struct perf_map_range_block *b = &l->block[block];

	reserve(b, b->n + 1);
	memmove(b->at + i + 1, b->at + i, (b->n - i) * sizeof(*b->at));
	b->at[i] = pack(r);
	if (i == 0)
		b->first = r->start;
	b->n++;
	l->n++;
	l->hint = block;
}

static void split(struct perf_map_ranges *l, uint32_t block)
{
	struct perf_map_range_block *upper = add_block(l, block + 1), *b = &l->block[block];
	uint32_t n = b->n / 2;

	reserve(upper, b->n - n);
	upper->n = b->n - n;
	memcpy(upper->at, b->at + n, upper->n * sizeof(*b->at));
	upper->first = start_at(b, n);
	b->n = n;
	set_capacity(b, n);
}

static bool has_room_for(const struct perf_map_ranges *l, uint32_t block, uint64_t address)
{
	return block < l->n_blocks && l->block[block].n < BLOCK_RANGES &&
	       upper_half(l->block[block].first) == upper_half(address);
}

/* A range that overlaps no other. */
static void insert(struct perf_map_ranges *l, const struct perf_map_range *r)
{
	uint32_t block = find_block(l, r->start), next = block + 1, i;

	if (block == NO_BLOCK) {
		next = 0;
	} else {
		i = count_until(&l->block[block], r->start);
		if (i < l->block[block].n && !has_room_for(l, block, r->start)) {
			split(l, block);
			insert(l, r);
			return;
		}
		if (has_room_for(l, block, r->start)) {
			insert_at(l, block, i, r);
			return;
		}
	}
	if (!has_room_for(l, next, r->start))
		add_block(l, next);
	insert_at(l, next, 0, r);
}

static void remove_ranges(struct perf_map_ranges *l, struct perf_map_range_pos at, uint64_t n)
{
	while (n) {
		struct perf_map_range_block *b = &l->block[at.block];
		uint32_t here = n < b->n - at.i ? (uint32_t)n : b->n - at.i;

		memmove(b->at + at.i, b->at + at.i + here, (b->n - at.i - here) * sizeof(*b->at));
		b->n -= here;
		l->n -= here;
		n -= here;
		if (!b->n) {
			free(b->at);
			memmove(b, b + 1, (--l->n_blocks - at.block) * sizeof(*b));
			continue;
		}
		if (b->n < b->cap / 4)
			set_capacity(b, b->n);
		b->first = start_at(b, 0);
		at = (struct perf_map_range_pos){ at.block + 1, 0 };
	}
}

/* ---- covering what was there -------------------------------------------------------------- */

/* A new range, what it covers, and what replaces that. */
struct range_cover {
	const struct perf_map_range *line;
	struct perf_map_range right; /* what is left of the last range covered; empty: nothing */
	struct perf_map_range out[2 * COVERED_MAX + 3];
	uint32_t n, n_left; /* of out; of those, how many are in front of the new range */
	uint64_t covered;   /* ranges */
	uint64_t until;     /* up to where out reaches */
	bool any_of_several;
};

static void add_piece(struct range_cover *c, uint64_t end, bool reused, bool ambiguous)
{
	struct perf_map_range *last = c->n > c->n_left ? &c->out[c->n - 1] : NULL;

	if (c->until == end)
		return;
	if (last && last->reused == reused && last->ambiguous == ambiguous) {
		last->end = end;
	} else {
		c->out[c->n] = *c->line;
		c->out[c->n].start = c->until;
		c->out[c->n].end = end;
		c->out[c->n].reused = reused;
		c->out[c->n++].ambiguous = ambiguous;
	}
	c->until = end;
}

static void cover_range(
	struct perf_map_ranges *l, struct range_cover *c, const struct perf_map_range *old)
{
	bool ambiguous = old->ambiguous || old->function != c->line->function;
	uint64_t start = old->start, end = old->end;

	if (start < c->line->start) {
		c->out[0] = *old;
		c->out[0].end = start = c->line->start;
		c->n = c->n_left = 1;
	}
	if (end > c->line->end) {
		c->right = *old;
		c->right.start = end = c->line->end;
	}
	if (__builtin_add_overflow(l->overwritten_bytes, end - start, &l->overwritten_bytes))
		l->overwritten_bytes = UINT64_MAX;
	c->any_of_several |= ambiguous;
	if (++c->covered > COVERED_MAX)
		return;
	add_piece(c, start, false, false);
	add_piece(c, end, true, ambiguous);
}

static void finish_cover(struct range_cover *c)
{
	bool too_many = c->covered > COVERED_MAX;

	if (too_many) {
		c->n = c->n_left;
		c->until = c->line->start;
	}
	add_piece(c, c->line->end, too_many, too_many && c->any_of_several);
	if (c->right.start < c->right.end)
		c->out[c->n++] = c->right;
}

/* Can out replace ranges within one block? */
static bool fits_in_block(
	const struct perf_map_ranges *l, struct perf_map_range_pos at, const struct range_cover *c)
{
	const struct perf_map_range_block *b = &l->block[at.block];

	return at.i + c->covered <= b->n && b->n - c->covered + c->n <= BLOCK_RANGES &&
	       upper_half(c->out[0].start) == upper_half(b->first) &&
	       upper_half(c->out[c->n - 1].start) == upper_half(b->first);
}

static void replace(
	struct perf_map_ranges *l, struct perf_map_range_pos at, const struct range_cover *c)
{
	struct perf_map_range_block *b = &l->block[at.block];
	uint32_t covered = (uint32_t)c->covered, after = b->n - at.i - covered, i;

	reserve(b, b->n - covered + c->n);
	if (covered != c->n)
		memmove(b->at + at.i + c->n, b->at + at.i + covered, after * sizeof(*b->at));
	for (i = 0; i < c->n; i++)
		b->at[at.i + i] = pack(&c->out[i]);
	b->n = b->n - covered + c->n;
	l->n = l->n - covered + c->n;
	b->first = start_at(b, 0);
	l->hint = at.block;
}

static void put_over(
	struct perf_map_ranges *l, struct perf_map_range_pos first, const struct perf_map_range *r)
{
	struct perf_map_range_pos at;
	struct range_cover c;
	uint32_t i;

	c.line = r;
	c.right = (struct perf_map_range){ 0 };
	c.n = c.n_left = 0;
	c.covered = 0;
	c.until = r->start;
	c.any_of_several = false;
	for (at = first; !is_end(l, at); at = next_spot(l, at)) {
		struct perf_map_range old = perf_map_ranges_get(l, at);

		if (old.start >= r->end)
			break;
		cover_range(l, &c, &old);
	}
	finish_cover(&c);
	if (fits_in_block(l, first, &c)) {
		replace(l, first, &c);
		return;
	}
	remove_ranges(l, first, c.covered);
	for (i = 0; i < c.n; i++)
		insert(l, &c.out[i]);
}

/* Most lines come after the line before, and after everything near it. */
static bool put_after(struct perf_map_ranges *l, const struct perf_map_range *r)
{
	const struct packed_range *last;
	struct perf_map_range_block *b;

	if (l->hint >= l->n_blocks)
		return false;
	b = &l->block[l->hint];
	if (b->n >= b->cap || upper_half(b->first) != upper_half(r->start))
		return false;
	last = &b->at[b->n - 1];
	if ((uint64_t)last->start + last->size_bytes > (uint32_t)r->start ||
		(l->hint + 1 < l->n_blocks && r->end > b[1].first))
		return false;
	b->at[b->n++] = pack(r);
	l->n++;
	return true;
}

void perf_map_ranges_put(struct perf_map_ranges *l, const struct perf_map_range *r)
{
	struct perf_map_range alone = *r;
	struct perf_map_range_pos first;

	alone.ambiguous = alone.reused = false;
	if (put_after(l, &alone))
		return;
	if (perf_map_ranges_find(l, r->start, &first) &&
		perf_map_ranges_get(l, first).start < r->end) {
		put_over(l, first, r);
		return;
	}
	insert(l, &alone);
}
