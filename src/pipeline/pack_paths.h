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

/* The path below the pack, for the caller to free; NULL where it is not below dir. */
char *pack_paths_shown(const char *path, const char *dir, const char *pack);
/* In all paths that may be shown, "DIR/..." becomes "RECORDING/...": in what was found, tried and
 * refused, and in the message of e, unless that is NULL. */
void pack_paths_show(
	struct recording *r, struct symbolize_report *report, const char *dir, struct err *e);

#endif
