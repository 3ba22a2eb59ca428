#include "unwind/jit_cfi.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

/* Far from both ends of the number space: addresses are relative to the section, and may precede
 * it. */
static const uint64_t SOME_ADDRESS = 1ull << 62;

struct jit_cfi_code *jit_cfi_find(struct jit_cfi *g, uint64_t id)
{
	struct index_cursor c;
	uint32_t i;

	index_for_each (&g->by_id, hash_u64(id), c, i)
		if (g->codes[i].id == id)
			return &g->codes[i];
	return NULL;
}

/* Tries both orders: a header is no entry, as its first bytes are a length beyond the end. */
static bool read_sections(struct frame_info *f, struct span sections, uint64_t header_bytes)
{
	struct frame_section s = { .bytes = { sections.p, sections.n - (size_t)header_bytes },
		.address = SOME_ADDRESS };

	if (frame_info_read(f, s))
		return true;
	s.bytes.p += header_bytes;
	return frame_info_read(f, s);
}

struct jit_cfi_code *jit_cfi_add(
	struct jit_cfi *g, uint64_t id, struct buf sections, uint64_t header_bytes)
{
	struct jit_cfi_code *p;

	ARRAY_GROW(g->codes, g->n, g->cap);
	p = &g->codes[g->n];
	*p = (struct jit_cfi_code){ .id = id, .sections = sections };
	if (header_bytes <= sections.n &&
		read_sections(&p->info, buf_span(&p->sections), header_bytes))
		p->lowest = p->info.ranges[0].start;
	index_add(&g->by_id, hash_u64(id), g->n++);
	return p;
}

const struct unwind_rule *jit_cfi_rule(
	struct jit_cfi_code *p, const struct unwind_arch *a, uint64_t offset)
{
	const struct unwind_rule *r = cfi_rows_find(&p->rows, p->lowest + offset);

	return r ? r : cfi_rows_make(&p->rows, a, &p->info, p->lowest + offset);
}

void jit_cfi_release(struct jit_cfi *g)
{
	uint32_t i;

	for (i = 0; i < g->n; i++) {
		frame_info_release(&g->codes[i].info);
		cfi_rows_release(&g->codes[i].rows);
		buf_release(&g->codes[i].sections);
	}
	free(g->codes);
	index_release(&g->by_id);
	*g = (struct jit_cfi){ 0 };
}
