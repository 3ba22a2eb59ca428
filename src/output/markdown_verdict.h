/*
 * markdown_verdict.h - a verdict in a page of Markdown
 *
 *	- failed `any-self > +2pp`: 1 over the limit, 5 looked at
 *	- over the limit: `copy`, self 11.90% before, 27.25% after, +15.35pp; 500 samples, then 1390
 *	- called by: `copy`, from `parse`, self 7.14% before, 23.14% after
 *
 * Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_OUTPUT_MARKDOWN_VERDICT_H
#define PERFOLD_OUTPUT_MARKDOWN_VERDICT_H

#include "base/buf.h"
#include "compare/verdict.h"

/* Lists of at most about rows rows. */
void markdown_verdict_put(struct buf *b, const struct verdict *v, uint32_t rows);

#endif
