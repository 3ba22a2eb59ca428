/*
 * markdown_spans.h - the page of perfold spans
 *
 * Owns: nothing. Threads: one. Private to the files markdown*.c.
 */
#ifndef PERFOLD_OUTPUT_MARKDOWN_SPANS_H
#define PERFOLD_OUTPUT_MARKDOWN_SPANS_H

#include "output/output.h"

/* p has the stacks where spans began, weighing what they lasted; o->durations is what is shown. */
int markdown_spans_write(const struct profile *p, const struct output_opts *o, struct sink *to);

#endif
