/*
 * How it works: pieces of code are numbered from 1. A placement says that from a time on a piece of
 * code is at some addresses. Freezing sorts the placements by time (those of equal time stay in the
 * order of the file) and adds them to a model/overlay.h, in which a later mapping covers earlier
 * ones; the overlay's clock is the number of the placement:
 *
 *	times[]     t1   t2   t3          clock at time t = how many times are <= t
 *	overlay     p1   p2   p3          mapping.from = number of the placement
 *
 * A look-up is a binary search in times[] and one in the overlay: O(log n). Sampled code may be
 * newer than its log by up to 10 ms: the runtime writes after the code has begun to run.
 */
#include "jit/code_log.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/bisect.h"

#include <stdlib.h>

/* Code may run, and be sampled, before the runtime has written its record. The same bound is used
 * for mappings, see process/world/world.h. */
#define LATE_NS (UINT64_C(10) * 1000 * 1000)

enum { CODES_MAX = 1 << 26 };

static struct code_key *find_key(const struct code_log *l, uint64_t key)
{
	struct index_cursor c;
	uint32_t i;

	index_for_each (&l->by_key, hash_u64(key), c, i)
		if (l->keys[i].key == key)
			return &l->keys[i];
	return NULL;
}

static struct code_key *add_key(struct code_log *l, uint64_t key)
{
	ARRAY_GROW(l->keys, l->n_keys, l->cap_keys);
	l->keys[l->n_keys].key = key;
	index_add(&l->by_key, hash_u64(key), l->n_keys);
	return &l->keys[l->n_keys++];
}

uint32_t code_log_add(struct code_log *l, const struct code *code, uint64_t key)
{
	struct code_key *k = find_key(l, key);

	if (l->n_codes == CODES_MAX)
		return CODE_NONE;
	ARRAY_RESERVE(l->codes, l->n_codes + 2, l->cap_codes);
	if (!l->n_codes)
		l->codes[l->n_codes++] = (struct code){ 0 };
	l->codes[l->n_codes] = *code;
	if (!k)
		k = add_key(l, key);
	k->latest = l->n_codes;
	return l->n_codes++;
}

uint32_t code_log_by_key(const struct code_log *l, uint64_t key)
{
	const struct code_key *k = find_key(l, key);

	return k ? k->latest : CODE_NONE;
}

void code_log_place(
	struct code_log *l, uint64_t time_ns, uint64_t start, uint64_t end, uint32_t code)
{
	if (l->n_placements == CODES_MAX)
		return;
	ARRAY_GROW(l->placements, l->n_placements, l->cap_placements);
	l->placements[l->n_placements++] = (struct placement){ time_ns, start, end, code };
}

void code_log_release(struct code_log *l)
{
	free(l->codes);
	free(l->keys);
	free(l->placements);
	free(l->times);
	index_release(&l->by_key);
	overlay_release(&l->overlay);
	*l = (struct code_log){ 0 };
}

/* ---- freezing ----------------------------------------------------------------------------- */

struct placement_key {
	uint64_t time_ns;
	uint32_t number;
};

static int compare_keys(const void *pa, const void *pb)
{
	const struct placement_key *a = pa, *b = pb;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

static struct placement_key *sorted_keys(const struct code_log *l, bool with_times)
{
	struct placement_key *keys =
		xreallocarray(NULL, (size_t)l->n_placements + 1, sizeof(*keys));
	uint32_t i;

	for (i = 0; i < l->n_placements; i++)
		keys[i] = (struct placement_key){ with_times ? l->placements[i].time_ns : 0, i };
	qsort(keys, l->n_placements, sizeof(*keys), compare_keys);
	return keys;
}

void code_log_freeze(struct code_log *l, bool with_times)
{
	struct placement_key *keys = sorted_keys(l, with_times);
	uint32_t i;

	if (with_times)
		l->times = xreallocarray(NULL, (size_t)l->n_placements + 1, sizeof(*l->times));
	for (i = 0; i < l->n_placements; i++) {
		const struct placement *p = &l->placements[keys[i].number];
		struct mapping m = { .start = p->start, .end = p->end, .code = p->code };

		if (with_times) {
			l->times[i] = p->time_ns;
			m.from = i + 1;
		}
		overlay_add(&l->overlay, &m);
	}
	free(keys);
	free(l->placements);
	l->placements = NULL;
	l->cap_placements = 0;
	overlay_freeze(&l->overlay);
}

/* ---- looking up --------------------------------------------------------------------------- */

/* The number of placements up to a time. */
static clock_id clock_at(const struct code_log *l, uint64_t time_ns)
{
	return bisect(i, 0, l->times ? l->n_placements : 0, l->times[i] > time_ns);
}

static struct moment begin_of(const struct code_log *l, const struct mapping *m)
{
	return (struct moment){ m->from ? l->times[m->from - 1] : 0, 0 };
}

struct code_hit code_log_find(
	const struct code_log *l, uint64_t address, struct moment at, struct validity *valid)
{
	struct overlay_hit hit = overlay_find(&l->overlay, address, clock_at(l, at.time_ns));
	const struct mapping *found = hit.now;

	*valid = VALIDITY_ALWAYS;
	if (hit.now)
		valid->from = begin_of(l, hit.now);
	if (hit.next)
		valid->until = begin_of(l, hit.next);
	if (!hit.now && hit.next) {
		struct moment soon = valid->until;

		soon.time_ns -= soon.time_ns < LATE_NS ? soon.time_ns : LATE_NS;
		if (moment_before(at, soon)) {
			valid->until = soon;
		} else {
			valid->from = soon;
			found = hit.next;
		}
	}
	return (struct code_hit){ .code = found ? found->code : CODE_NONE,
		.start = found ? found->start : 0,
		.ever = hit.now || hit.next };
}
