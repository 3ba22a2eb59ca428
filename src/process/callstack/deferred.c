#include "process/callstack/deferred.h"

#include "base/cursor.h"
#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

void deferred_release(struct deferred *d)
{
	free(d->chain);
	free(d->ips);
	index_release(&d->by_cookie);
	*d = (struct deferred){ 0 };
}

static uint64_t hash_of(int32_t tid, uint64_t cookie)
{
	return hash_pair(cookie, (uint32_t)tid);
}

static const struct deferred_chain *find(const struct deferred *d, int32_t tid, uint64_t cookie)
{
	struct index_cursor c;
	uint32_t i;

	index_for_each (&d->by_cookie, hash_of(tid, cookie), c, i)
		if (d->chain[i].cookie == cookie && d->chain[i].tid == tid)
			return &d->chain[i];
	return NULL;
}

bool deferred_add(struct deferred *d, int32_t tid, uint64_t cookie, const uint8_t *ips, uint32_t n,
	bool swapped)
{
	uint32_t i;

	/* Cookies are unique in a thread: a second chain of one is damage. */
	if (find(d, tid, cookie))
		return true;
	if (n > DEFERRED_IPS_MAX - d->n_ips || d->n >= DEFERRED_IPS_MAX)
		return false;
	ARRAY_RESERVE(d->ips, d->n_ips + n, d->cap_ips);
	ARRAY_GROW(d->chain, d->n, d->cap);
	d->chain[d->n] = (struct deferred_chain){ cookie, tid, d->n_ips, n };
	for (i = 0; i < n; i++)
		d->ips[d->n_ips++] = bytes_u64(ips + (size_t)i * 8, swapped);
	index_add(&d->by_cookie, hash_of(tid, cookie), d->n);
	d->n++;
	return true;
}

const uint64_t *deferred_find(const struct deferred *d, int32_t tid, uint64_t cookie, uint32_t *n)
{
	const struct deferred_chain *c = find(d, tid, cookie);

	*n = c ? c->n : 0;
	return c ? d->ips + c->first : NULL;
}
