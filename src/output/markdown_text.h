/*
 * markdown_text.h - names of strangers in Markdown, that of GitHub (https://github.github.com/gfm/)
 *
 * In a code span there are no mentions, links, HTML or emphasis; control characters and workflow
 * commands are escaped as for terminals (base/utf8.h).
 *
 * Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_OUTPUT_MARKDOWN_TEXT_H
#define PERFOLD_OUTPUT_MARKDOWN_TEXT_H

#include "base/buf.h"

/* A code span in a paragraph, a list or a heading. */
void markdown_text_put_code(struct buf *b, struct span text);
/* A fence longer than any run of backticks in the text, for a block of code. */
void markdown_text_put_fence(struct buf *b, struct span text);

#endif
