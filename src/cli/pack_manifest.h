/*
 * pack_manifest.h - what is in a pack and why, and what was not found, as JSON
 *
 *	{"perfpack": 1, "light"?: true, "left_out"?: ["data of binaries, ...", ...],
 *	 "files": [{"place", "why", "bytes", "sha256", "original"?: {"bytes", "sha256"},
 *	            "build_id"?, "recorded"?, "frames"?}],
 *	 "missing": [{"recorded", "why", "build_id"?, "frames"}],
 *	 "missing_sources"?: [{"recorded", "why"}]}
 *
 * It holds no paths of this machine, only recorded ones: the same files make the same bytes.
 *
 * Owns: nothing. Threads: one.
 */
#ifndef PERFOLD_CLI_PACK_MANIFEST_H
#define PERFOLD_CLI_PACK_MANIFEST_H

#include "cli/pack_sources.h"

/* The manifest, for what the first recording of a result used. *missing is the number of files
 * without which frames have no name. A file that cannot be read is an error. */
int pack_manifest_put(struct buf *to, struct pack_uses *uses, const struct pack_form *form,
	const struct pack_sources *sources, const struct pipeline_result *r, uint32_t *missing,
	struct err *e);

#endif
