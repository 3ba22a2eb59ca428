#include "unwind/cfi_rows.h"

#include "base/mem.h"

#include <stdlib.h>

static bool ends_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct cfi_row_range *ranges = ctx;

	return ranges[a].end < ranges[b].end;
}

/* The first range that ends after the address, NULL: none. */
static const struct cfi_row_range *find_range(const struct cfi_rows *r, uint64_t address)
{
	uint32_t i = r->n ? rbtree_root(&r->by_end) : RBTREE_NONE;
	const struct cfi_row_range *found = NULL;

	while (i != RBTREE_NONE) {
		const struct cfi_row_range *at = &r->ranges[i];

		if (address < at->end)
			found = at;
		i = address < at->end ? rbtree_left(&r->by_end, i) : rbtree_right(&r->by_end, i);
	}
	return found;
}

const struct unwind_rule *cfi_rows_find(const struct cfi_rows *r, uint64_t address)
{
	const struct cfi_row_range *range = find_range(r, address);

	return range && address >= range->start ? range->rule : NULL;
}

const struct unwind_rule *cfi_rows_add(
	struct cfi_rows *r, const struct unwind_arch *a, const struct frame_row *row)
{
	const struct unwind_rule *rule = unwind_rule_compile(a, row, &r->arena);

	if (!rule)
		return NULL;
	ARRAY_GROW(r->ranges, r->n, r->cap);
	r->ranges[r->n] = (struct cfi_row_range){ row->start, row->end, rule };
	rbtree_insert(&r->by_end, r->n++, ends_before, r->ranges);
	return rule;
}

const struct unwind_rule *cfi_rows_make(struct cfi_rows *r, const struct unwind_arch *a,
	const struct frame_info *f, uint64_t address)
{
	struct frame_row row;

	return frame_info_row(f, address, &row) ? cfi_rows_add(r, a, &row) : NULL;
}

void cfi_rows_release(struct cfi_rows *r)
{
	free(r->ranges);
	rbtree_release(&r->by_end);
	arena_release(&r->arena);
	*r = (struct cfi_rows){ 0 };
}
