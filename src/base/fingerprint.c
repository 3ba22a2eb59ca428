#include "base/fingerprint.h"

#include "base/mem.h"

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { BLOCK_BYTES = 1 << 20 };

static void put_hex(struct buf *b, XXH128_hash_t hash)
{
	buf_printf(b, "%016llx%016llx", (unsigned long long)hash.high64,
		(unsigned long long)hash.low64);
}

static int add_blocks(XXH3_state_t *state, const struct file *f, void *block, struct err *e)
{
	uint64_t offset = 0;
	size_t got;

	do {
		if (file_read_some_at(f, block, BLOCK_BYTES, offset, &got, e))
			return e->code;
		XXH3_128bits_update(state, block, got);
		offset += got;
	} while (got);
	return OK;
}

int fingerprint_file(struct buf *b, const struct file *f, struct err *e)
{
	XXH3_state_t *state = xchecked(XXH3_createState());
	void *block = xmalloc(BLOCK_BYTES);
	int rc;

	XXH3_128bits_reset(state);
	rc = add_blocks(state, f, block, e);
	if (!rc)
		put_hex(b, XXH3_128bits_digest(state));
	XXH3_freeState(state);
	free(block);
	return rc;
}

void fingerprint_bytes(struct buf *b, struct span bytes)
{
	put_hex(b, XXH3_128bits(bytes.p, bytes.n));
}
