/*
 * source_shelf.h - the source texts of a run, each read once
 *
 * A frame names a file; what is known about that is in the recording that the frame comes from
 * (model/source_files.h), and where it is looked for too (kept_files.h). Frames are shared by all
 * recordings of a run, so those that know the file are asked first, then the others.
 *
 * Owns: texts and trails. Borrows: the result. Threads: one at a time. Private to pipeline/.
 */
#ifndef PERFOLD_PIPELINE_SOURCE_SHELF_H
#define PERFOLD_PIPELINE_SOURCE_SHELF_H

#include "pipeline/pipeline.h"

struct source_shelf;

struct source_shelf *source_shelf_new(const struct pipeline_result *r);
/* NULL is fine. */
void source_shelf_free(struct source_shelf *s);

#endif
