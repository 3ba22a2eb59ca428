/*
 * spaces.h - address spaces, and what each inherits from the one it was forked from
 *
 * A fork copies nothing: the child's space refers to its parent's as of the fork. A look-up tries
 * the space's own mappings, then its parent's, and so on. A parent that has not mapped anything of
 * its own is skipped, so chains are short: a few steps for servers that fork from forks.
 *
 * Owns: the mappings. Threads: build from one, look up from any. Private to process/.
 */
#ifndef PERFOLD_PROCESS_WORLD_SPACES_H
#define PERFOLD_PROCESS_WORLD_SPACES_H

#include "model/overlay.h"
#include "process/world/world.h"

struct space {
	struct overlay own;
	int32_t pid;
	space_id parent;   /* always a lower number: there are no loops. 0: none */
	clock_id forked;   /* the parent's mappings up to here are this space's too */
	clock_id made;     /* by a fork or an exec that was recorded; else CLOCK_START */
	uint32_t n_live;   /* known threads in it that have not ended */
	str_id executable; /* base name of the first executable file, 0: none */
	bool jit_code;     /* it mapped executable memory without a file itself */
};

struct spaces {
	struct space *space; /* number 0 stays empty: no address space */
	uint32_t n, cap;
};

void spaces_init(struct spaces *s);
void spaces_release(struct spaces *s);

/* A new one; parent 0: it starts empty. */
space_id spaces_add(struct spaces *s, int32_t pid, space_id parent, clock_id made);
void spaces_map(struct spaces *s, space_id id, const struct mapping *m);
/* No more mappings. */
void spaces_freeze(struct spaces *s);

struct space_hit {
	const struct mapping *now;   /* its own or inherited; NULL: nothing */
	const struct mapping *later; /* its next own one to cover the address, NULL: none */
	bool later_only;             /* nothing else ever covers the address in this space */
	bool ever_executable;
	clock_id from, until; /* all this holds from one until the other */
};

struct space_hit spaces_find(const struct spaces *s, space_id id, uint64_t address, clock_id clock);
/* Executable memory of all spaces of a process, sorted and disjoint; the caller frees
 * ranges->range. */
void spaces_executable_ranges(const struct spaces *s, int32_t pid, struct codemap_ranges *ranges);
/* The name of the program it runs, 0 if no file was mapped. */
str_id spaces_executable(const struct spaces *s, space_id id);

#endif
