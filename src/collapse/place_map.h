/*
 * place_map.h - the places that frames stand for
 *
 *	frame of a sample        place_of
 *	f(int) a.c:3 at 7 +0x11  line: f a.c:3 at 7  instruction: f a.c:3 at 7 +0x11  shown: f
 *	f(int) a.c:3 at 7 +0x15  line: f a.c:3 at 7  instruction: f a.c:3 at 7 +0x15  shown: f
 *	*g     b.js:1 at 2       line: g b.js:1 at 2                                  shown: *g
 *
 * These are frames, so their numbers are those of all workers. The frames of sites are looked up
 * before stacks are replayed, by one thread: a third of them make new frames, for which two would
 * wait for each other.
 *
 * Owns: the list. Threads: made by one, while others may add frames; then read by any. Private to
 * collapse/.
 */
#ifndef PERFOLD_COLLAPSE_PLACE_MAP_H
#define PERFOLD_COLLAPSE_PLACE_MAP_H

#include "collapse/code_addresses.h"
#include "collapse/naming.h"

struct place_of {
	frame_id line, instruction; /* its places; instruction 0: it has no address */
	frame_id shown;             /* with the short name, without its place; 0: not looked up */
	frame_id function;          /* the same in any tier, for its places */
	bool inlined;
	bool light; /* its costs are not wanted */
};

/* java: it is in a stack of a thread called java* (naming.h). */
struct place_of place_map_look_up(struct naming *naming, frame_id id, bool java);

struct place_map {
	struct place_of *of; /* by frame_id, not for java; of frames that no site has, nothing */
	bool *wanted;        /* by frame_id */
	uint32_t n;
};

/* The frames that sites of recordings have now, all of one table, will be looked up. */
void place_map_want(struct place_map *m, struct recording *const *recordings, unsigned n);
/* Looks up those that are wanted and are not there yet. */
void place_map_fill(struct place_map *m, struct frames *frames, const struct collapse_opts *opts);
/* Makes room for all frames there are now, of which those that got an address have the places of
 * the frames that they were made of, which are there already, and an instruction. */
void place_map_add_addressed(
	struct place_map *m, struct frames *frames, const struct addressed_frames *list);
/* Those that are not heavy are light. */
void place_map_lighten(struct place_map *m, const struct heavy_frames *heavy);
void place_map_release(struct place_map *m);

#endif
