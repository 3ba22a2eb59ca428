/*
 * cfi_rows.h - rules made from rows of call frame information, kept by the addresses they hold for
 *
 * Owns: ranges and rules. Threads: one at a time. A zeroed struct is empty. Private to unwind/.
 */
#ifndef PERFOLD_UNWIND_CFI_ROWS_H
#define PERFOLD_UNWIND_CFI_ROWS_H

#include "base/rbtree.h"
#include "unwind/unwind_rule.h"

struct cfi_rows {
	struct cfi_row_range {
		uint64_t start, end;
		const struct unwind_rule *rule;
	} * ranges;
	uint32_t n, cap;
	struct rbtree by_end;
	struct arena arena; /* rules */
};

/* The rule for an address if it has been made; else NULL. */
const struct unwind_rule *cfi_rows_find(const struct cfi_rows *r, uint64_t address);
/* The rule of a row, from now on kept; NULL if the row makes no sense. */
const struct unwind_rule *cfi_rows_add(
	struct cfi_rows *r, const struct unwind_arch *a, const struct frame_row *row);
/* Makes the rule for an address; NULL if the information has none. */
const struct unwind_rule *cfi_rows_make(struct cfi_rows *r, const struct unwind_arch *a,
	const struct frame_info *f, uint64_t address);
void cfi_rows_release(struct cfi_rows *r);

#endif
