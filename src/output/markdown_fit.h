/*
 * markdown_fit.h - a page that has room for so many tokens (--page-tokens)
 *
 * What is known of a recording varies, so a page is written with many rows in each list, and again
 * with fewer until it fits; what it leaves out, it counts. The tokens of a text are estimated, a
 * little too high.
 *
 * Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_OUTPUT_MARKDOWN_FIT_H
#define PERFOLD_OUTPUT_MARKDOWN_FIT_H

#include "base/buf.h"

/* Appends a page to b, with lists of at most about that many rows. */
typedef void (*markdown_put)(void *page, uint32_t rows, struct buf *b);

/* tokens: 0: the default. */
void markdown_fit(struct buf *b, unsigned tokens, markdown_put put, void *page);

#endif
