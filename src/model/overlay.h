/*
 * overlay.h - mappings over one another: which is on top at an address and a time
 *
 * Used for what a process had mapped (process/), and for code that a runtime generated (jit/).
 *
 * A mapping holds from its clock on, until another one covers the address; there is no unmapping
 * (perf records none, nor does a jitdump). Nothing is cut: the mapping on top is the latest that
 * covers the address, and its shift gives the place in the file.
 *
 * Once frozen, a look-up costs O(log^2 n): 10^5 mappings that all overlap need 10 MB and
 * microseconds. A mapping that repeats what is already on top is dropped.
 *
 * A clock counts the records up to a moment: a mapping from clock 5 is found at 5. The owner of the
 * records converts moments to clocks.
 *
 * Owns: its mappings. Threads: build from one, look up from any.
 */
#ifndef PERFOLD_MODEL_OVERLAY_H
#define PERFOLD_MODEL_OVERLAY_H

#include "model/modules.h"

typedef uint32_t clock_id;

enum { CLOCK_START = 0 };
#define CLOCK_END UINT32_MAX

struct mapping {
	uint64_t start, end; /* end is not part of it */
	uint64_t shift;      /* address + shift is the rel of enum module_kind */
	clock_id from;
	union {
		module_id module; /* 0: code that was removed (process/world/kernel_maps.c) */
		uint32_t code;    /* a number of jit/code_log.h */
	};
	int32_t owner_pid;
	bool executable, generated; /* see struct world_place */
};

/* One entry of a node's list; the bits are about the list up to here. */
struct overlay_item {
	uint32_t mapping : 26;
	uint32_t executable : 1; /* one of its mappings is */
	uint32_t mixed : 1;      /* they are not all alike */
};

/* A zeroed struct is empty. */
struct overlay {
	struct mapping *mappings; /* in order of from */
	uint32_t n, cap;
	uint32_t n_leaves; /* pieces of the address space, between two bounds */
	uint64_t *bounds;  /* n_leaves + 1 of them */
	uint32_t *first; /* of node i: items first[i] .. first[i + 1]; leaf k is node n_leaves + k,
			    the parent of node i is node i / 2 */
	struct overlay_item *items;
};

/* Add a mapping on top of all others; from must not decrease. Empty ones are ignored. */
void overlay_add(struct overlay *o, const struct mapping *m);
void overlay_freeze(struct overlay *o);
void overlay_release(struct overlay *o);

struct overlay_hit {
	const struct mapping *now;  /* NULL: nothing yet */
	const struct mapping *next; /* the next to cover the address; NULL: none */
	bool was_executable;        /* some mapping of the address up to the clock */
	bool ever_executable;       /* some mapping of the address, whenever */
	bool always_same;           /* all mappings of the address, whenever, are alike */
};

struct overlay_hit overlay_find(const struct overlay *o, uint64_t address, clock_id clock);

#endif
