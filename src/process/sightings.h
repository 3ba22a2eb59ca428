/*
 * sightings.h - when samples first saw each piece of code that perf maps list
 *
 * From it maps learn about when the code of their lines was made, which they do not tell: see
 * jit/layers.h. It takes one more pass over the samples, and only where a map lists several
 * functions at one address.
 *
 * Private to process/.
 */
#ifndef PERFOLD_PROCESS_SIGHTINGS_H
#define PERFOLD_PROCESS_SIGHTINGS_H

#include "base/pool.h"
#include "process/pass2.h"

/* The blocks of p->pd are read, and rewound. maps are those of p. */
int sightings_date_maps(
	struct codemaps *maps, const struct pass2 *p, struct pool *pool, struct err *e);

#endif
