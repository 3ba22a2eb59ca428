/*
 * ticks.h - positionTicks: the lines at which a node of a CPU profile ran, and for how long
 *
 * Owns: its table. Threads: each has its own. Private to output/.
 */
#ifndef PERFOLD_OUTPUT_TICKS_H
#define PERFOLD_OUTPUT_TICKS_H

#include "base/index.h"

#include <stddef.h>

struct tick {
	uint32_t node, line;
	uint64_t time_ns;
};

/* A zeroed struct is empty. */
struct ticks {
	struct tick *tick;
	uint32_t n, cap;
	struct index by_line;
};

void ticks_release(struct ticks *t);
void ticks_add(struct ticks *t, uint32_t node, uint32_t line, uint64_t time_ns);
/* All are added: sort by node, then line. */
void ticks_sort(struct ticks *t);
/* The ticks of a node; NULL if there are none. */
const struct tick *ticks_of(const struct ticks *t, uint32_t node, uint32_t *n);

#endif
