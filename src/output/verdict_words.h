/*
 * verdict_words.h - what text and Markdown say alike of a verdict
 *
 * Owns: nothing. Threads: any. Private to the files verdict_*.c.
 */
#ifndef PERFOLD_OUTPUT_VERDICT_WORDS_H
#define PERFOLD_OUTPUT_VERDICT_WORDS_H

#include "base/buf.h"
#include "compare/verdict.h"

/* "self" or "total" */
const char *verdict_words_cost(const struct gate_rule *r);
void verdict_words_put_share(struct buf *b, double share);
/* By how many percentage points a finding has grown. */
double verdict_words_points(const struct verdict_finding *f);

/* "1 over the limit, 5 looked at": what became of a rule. */
void verdict_words_put_checked(struct buf *b, const struct verdict *v, size_t rule);
/* The confidence, and how much costs vary. */
void verdict_words_put_how(struct buf *b, const struct verdict *v);
/* What growth could have been found. put_name() makes a name safe. */
void verdict_words_put_power(
	struct buf *b, const struct verdict *v, void (*put_name)(struct buf *, struct span));

#endif
