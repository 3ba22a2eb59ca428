/*
 * diag.h - damage and loss that can be survived, counted
 *
 * What cannot be read or resolved is no error: it is counted here, by kind, with the first place
 * it was seen at. Each worker has its own struct diag; diag_merge() adds them up. The closing
 * summary, `perfold info` and the pictures tell the user; --strict makes some kinds fail.
 *
 * Owns: nothing. Threads: one struct for each.
 */
#ifndef PERFOLD_MODEL_DIAG_H
#define PERFOLD_MODEL_DIAG_H

#include <stdbool.h>
#include <stdint.h>

enum diag_kind {
#define DIAG(id, strict, one, many, rest, hint) DIAG_##id,
#include "model/diag.def"
#undef DIAG
	DIAG_KINDS
};

struct diag {
	uint64_t count[DIAG_KINDS];
	uint64_t first_at[DIAG_KINDS]; /* file offset, line or time of the first one counted */
};

struct diag_info {
	const char *name; /* stable: "BAD_RECORD" */
	const char *one;  /* behind "1": "damaged record skipped" */
	const char *many; /* behind other numbers: "damaged records skipped" */
	const char *hint; /* what a user can do, or NULL */
	bool strict;      /* makes --strict fail */
};

const struct diag_info *diag_info(enum diag_kind kind);
/* What to say behind the count. */
const char *diag_message(const struct diag *d, enum diag_kind kind);
/* Add n, without wrapping; at is where. */
void diag_add(struct diag *d, enum diag_kind kind, uint64_t n, uint64_t at);
static inline void diag_count(struct diag *d, enum diag_kind kind, uint64_t at)
{
	diag_add(d, kind, 1, at);
}
void diag_merge(struct diag *into, const struct diag *from);
/* True if anything was counted that --strict minds; its kind is in *which. */
bool diag_strict_failure(const struct diag *d, enum diag_kind *which);

#endif
