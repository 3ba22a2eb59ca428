/*
 * picture_label.h - what of a name is written where there is room for a part
 *
 * What tells least goes first: arguments, template arguments, the folders of a place, leading
 * namespaces, and only then the middle. The scripts of pictures do the same
 * (assets/shared/labels.js); testdata/labels/examples.tsv holds for both.
 *
 * Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_OUTPUT_PICTURE_PICTURE_LABEL_H
#define PERFOLD_OUTPUT_PICTURE_PICTURE_LABEL_H

#include "base/buf.h"

/* Appends at most so many characters of a name; nothing if too few would be left. */
void picture_label_put(struct buf *b, struct span name, size_t columns);

#endif
