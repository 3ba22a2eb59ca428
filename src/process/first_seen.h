/*
 * sightings.h - when samples first saw each piece of code that perf maps list
 *
 * Maps do not say when code was made; this tells roughly when (see jit/perf_map_layers.h). It takes
 * one more pass over the samples, which is made only if a map lists several functions at one
 * address.
 *
 * Private to process/.
 */
#ifndef PERFOLD_PROCESS_SIGHTINGS_H
#define PERFOLD_PROCESS_SIGHTINGS_H

#include "base/pool.h"
#include "process/pass2.h"

/* The blocks of p->pd are read, and rewound. maps are those of p. */
int first_seen_date_maps(
	struct jit_maps *maps, const struct pass2 *p, struct pool *pool, struct err *e);

#endif
