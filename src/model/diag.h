/*
 * diag.h - damage and loss that can be survived, counted
 *
 * What cannot be read or resolved is no error: it is counted here, by kind, with the place of the
 * first. Each worker has its own struct diag; diag_merge() adds them up. The closing
 * summary, `perfold info` and the pictures report it; --strict makes some kinds fail.
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
	const char *one;  /* after "1": "damaged record skipped" */
	const char *many; /* after other numbers: "damaged records skipped" */
	const char *hint; /* what a user can do, or NULL */
	bool strict;      /* makes --strict fail */
};

const struct diag_info *diag_info(enum diag_kind kind);
/* The words that follow the count. */
const char *diag_message(const struct diag *d, enum diag_kind kind);
/* Adds n, without wrapping; at is the place. */
void diag_add(struct diag *d, enum diag_kind kind, uint64_t n, uint64_t at);
static inline void diag_count(struct diag *d, enum diag_kind kind, uint64_t at)
{
	diag_add(d, kind, 1, at);
}
/* Copied stacks that were cut short: [truncated] is in the place of their outer frames. */
uint64_t diag_truncated(const struct diag *d);
void diag_merge(struct diag *into, const struct diag *from);
/* True if anything was counted that --strict makes fail; *which is its kind. */
bool diag_strict_failure(const struct diag *d, enum diag_kind *which);

#endif
