/*
 * cells.h - samples counted by stack and key: thread, event, labels ...
 *
 * Logs keep stacks of different roots apart, so what a replay noted of each is added up here; rows
 * of single samples are not needed, and memory grows with distinct (root, stack).
 *
 * Owns: the tables while cells are added. Threads: one. Private to collapse/.
 */
#ifndef PERFOLD_COLLAPSE_CELLS_H
#define PERFOLD_COLLAPSE_CELLS_H

#include "base/index.h"
#include "collapse/replay.h"

struct cells {
	struct profile *p;            /* borrowed; gets the cells */
	struct index by_key, by_cell; /* by_cell: of cells_add_profile() */
	size_t cap_cells;
	uint32_t cap_keys;
};

void cells_init(struct cells *c, struct profile *p);
/* Those of a replay; place: of the nodes of its tree. */
void cells_add(struct cells *c, const struct recording *r, const struct replay_cell *from, size_t n,
	const node_id *place, bool weight_by_samples);
/* All are added: each (stack, key) becomes one, and they are sorted. */
void cells_finish(struct cells *c);

/* Those of another profile, with strings of its own; its node i is node[i]. of_labels: keys become
 * nothing but labels that users gave, so that a sum of many recordings stays small. Each (stack,
 * key) is added up at once; their nodes may be any numbers until cells_place(). */
void cells_add_profile(
	struct cells *c, const struct profile *from, const uint32_t *node, bool of_labels);
/* Makes nodes of the profile of those that were added, before cells_finish(). */
void cells_place(struct cells *c, const node_id *place);

/* Of cells that are not finished; the profile keeps what it has. */
void cells_release(struct cells *c);

/* Those of another profile, whose node i is place[i] here. */
void cells_copy(struct profile *to, const struct profile *from, const node_id *place);

#endif
