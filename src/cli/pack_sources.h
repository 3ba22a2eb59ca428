/*
 * pack_sources.h - the sources of what was sampled, for a pack
 *
 * Each file in which a site has a line, and each script whose functions were sampled, is looked for
 * as for a reader (pipeline_source()); what is found is thereby noted for the pack.
 *
 * Owns: the list. Threads: one. Private to cli/.
 */
#ifndef PERFOLD_CLI_PACK_SOURCES_H
#define PERFOLD_CLI_PACK_SOURCES_H

#include "pipeline/pipeline.h"

struct pack_sources {
	struct pack_source {
		str_id file;
		bool found, refused; /* refused: a file is there, and must not or cannot be used */
	} * at;                      /* by name */
	uint32_t n, n_missing;
};

/* Of the first recording of a result. */
void pack_sources_find(struct pack_sources *s, const struct pipeline_result *r);
/* Tells the user which files were refused or are in doubt, and why. */
void pack_sources_report(const struct pack_sources *s, const struct pipeline_result *r);
void pack_sources_release(struct pack_sources *s);

#endif
