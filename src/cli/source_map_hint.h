/*
 * source_map_hint.h - whether scripts that were sampled have source maps, which nobody asked for
 *
 * Owns: nothing. Threads: one.
 */
#ifndef PERFOLD_CLI_SOURCE_MAP_HINT_H
#define PERFOLD_CLI_SOURCE_MAP_HINT_H

#include "base/buf.h"
#include "cli/options.h"

/* Puts a line about the scripts of the recording; nothing if none has a map here, or if
 * --source-maps is given. */
void source_map_hint_put(struct buf *b, const struct recording *r, const struct options *o);

#endif
