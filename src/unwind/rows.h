/*
 * rows.h - rules made from rows of call frame information, kept by the addresses they hold for
 *
 * Owns: ranges and rules. Threads: one at a time. A zeroed struct is empty. Private to unwind/.
 */
#ifndef PERFOLD_UNWIND_ROWS_H
#define PERFOLD_UNWIND_ROWS_H

#include "base/rbtree.h"
#include "unwind/rule.h"

struct rows {
	struct row_range {
		uint64_t start, end;
		const struct unwind_rule *rule;
	} * ranges;
	uint32_t n, cap;
	struct rbtree by_end;
	struct arena arena; /* rules */
};

/* A rule that is here already, NULL: none is. */
const struct unwind_rule *rows_find(const struct rows *r, uint64_t address);
/* Make the rule for an address; NULL if the information has none. */
const struct unwind_rule *rows_make(
	struct rows *r, const struct unwind_arch *a, const struct frame_info *f, uint64_t address);
void rows_release(struct rows *r);

#endif
