/*
 * markdown_diff.h - the page of a difference (profile.before)
 *
 * Owns: nothing. Threads: one. Private to the files markdown*.c.
 */
#ifndef PERFOLD_OUTPUT_MARKDOWN_DIFF_H
#define PERFOLD_OUTPUT_MARKDOWN_DIFF_H

#include "output/output.h"

int markdown_diff_write(const struct profile *p, const struct output_opts *o, struct sink *to);

#endif
