#include "model/stack_delta.h"

#include "base/varint.h"

static unsigned bytes_of_largest(const site_id *sites, uint32_t n)
{
	uint32_t bits = 1, i;

	for (i = 0; i < n; i++)
		bits |= sites[i];
	return (39u - (unsigned)__builtin_clz(bits)) / 8;
}

/* A site is written and read as four bytes, of which the next one overwrites some. */
enum { BEYOND = 4 };

void stack_delta_put(struct buf *b, const struct stack_delta *d, const site_id *sites)
{
	unsigned bytes = bytes_of_largest(sites, d->n);
	char *at;
	uint32_t i;

	varint_put(b, d->root);
	varint_put(b, d->keep);
	varint_put(b, (uint64_t)d->n << 2 | (bytes - 1));
	buf_reserve(b, (size_t)d->n * bytes + BEYOND);
	at = b->p + b->n;
	for (i = 0; i < d->n; i++, at += bytes)
		bytes_put(at, sites[i], 4, HOST_IS_BIG_ENDIAN);
	memset(at, 0, BEYOND);
	b->n += (size_t)d->n * bytes;
}

struct stack_delta stack_delta_decode(struct cursor *c)
{
	struct stack_delta d;
	uint64_t n;

	d.root = (uint32_t)cursor_uleb(c);
	d.keep = (uint32_t)cursor_uleb(c);
	n = cursor_uleb(c);
	d.n = (uint32_t)(n >> 2);
	d.site_bytes = (unsigned)(n & 3) + 1;
	return d;
}

void stack_delta_decode_sites(struct cursor *c, const struct stack_delta *d, site_id *sites)
{
	uint32_t mask = UINT32_MAX >> (32 - 8 * d->site_bytes), i;
	const uint8_t *at = cursor_array(c, d->n, d->site_bytes);

	for (i = 0; at && i < d->n; i++, at += d->site_bytes)
		sites[i] = bytes_u32(at, HOST_IS_BIG_ENDIAN) & mask;
}
