/*
 * branch_sites.h - the branches of a recording that are worth a name
 *
 * A recording has many thousands of branches, and each end that is shown must be a site, which gets
 * its frames from symbolize/. So the branches taken most often, and those mispredicted most often,
 * become edges between sites before names are found; all others do not.
 *
 * Each entry of a branch stack counts once, whatever the readings of model/branch_traces.h.
 *
 * Owns: the edges. Threads: made by one, before names are found; read by any.
 */
#ifndef PERFOLD_MODEL_BRANCH_SITES_H
#define PERFOLD_MODEL_BRANCH_SITES_H

#include "model/branch_traces.h"
#include "model/sites.h"

struct branch_site_edge {
	site_id from, to;
	uint64_t count, mispredicted;
};

struct branch_sites {
	struct branch_site_edge *edge; /* in no order */
	uint32_t n;
};

/* The `most` edges that were taken most often, and as many that were mispredicted most often. */
void branch_sites_find(struct branch_sites *s, const struct branch_traces *t,
	const struct modules *modules, struct sites *sites, uint32_t most);
void branch_sites_release(struct branch_sites *s);

#endif
