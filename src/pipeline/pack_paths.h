/*
 * pack_paths.h - files of a pack as the user knows them: by the pack, not by the directory that it
 * is unpacked to
 *
 * Owns: nothing. Threads: one. Private to pipeline/.
 */
#ifndef PERFOLD_PIPELINE_PACK_PATHS_H
#define PERFOLD_PIPELINE_PACK_PATHS_H

#include "base/err.h"
#include "model/recording.h"
#include "symbolize/symbolize.h"

/* In all paths that may be shown, "DIR/..." becomes "RECORDING/...": in what was found, tried and
 * refused, and in the message of e, unless that is NULL. */
void pack_paths_show(
	struct recording *r, struct symbolize_report *report, const char *dir, struct err *e);

#endif
