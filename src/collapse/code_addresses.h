/*
 * code_addresses.h - which functions weigh so much that their places are wanted, and the addresses
 * of their code
 *
 * Owns: nothing. Threads: one; others may add frames meanwhile. Private to collapse/.
 */
#ifndef PERFOLD_COLLAPSE_CODE_ADDRESSES_H
#define PERFOLD_COLLAPSE_CODE_ADDRESSES_H

#include "collapse/collapse.h"

/* Frames of functions that may have o->places_min_percent of all weight. */
struct heavy_frames {
	bool *is;   /* by frame_id; NULL: all are */
	uint32_t n; /* those from here on are, too */
};

static inline bool heavy_frames_has(const struct heavy_frames *h, frame_id id)
{
	return !h->is || id >= h->n || h->is[id];
}

/* The frame of a site before it got an address, and after; several sites may have the same two. */
struct addressed_frame {
	frame_id from, to;
};

struct addressed_frames {
	struct addressed_frame *frame;
	uint32_t n, cap;
};

/* n_frames: of the table; sites have no others. Those that no site has are not heavy. is is owned
 * by the caller: free(). */
struct heavy_frames code_addresses_weigh(struct recording *const *recordings, unsigned n,
	uint32_t n_frames, const struct collapse_opts *o);
/* Moves the addresses that recordings have kept (symbolize_opts.code_later) into the frames of
 * their sites: those that are heavy. These frames are added to a list, which the caller owns. */
void code_addresses_add(struct recording *const *recordings, unsigned n,
	const struct heavy_frames *heavy, struct addressed_frames *list);

#endif
