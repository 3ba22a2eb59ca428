/*
 * packed.h - a profile's tree as few bytes, for the scripts of pages
 *
 * All numbers are LEB128 (base/varint.h), in columns, which deflate well and are read in one go by
 * assets/packed_reader.js:
 *
 *	strings     n, then n lengths in bytes, then their UTF-8 in one run; string 0 is empty
 *	modules     n, then n strings, then n colours; module 0 is none
 *	categories  n, then n strings, then n colours
 *	packages    n, then n strings, then n colours; package 0 is none
 *	mixes       of tiers: n, then n strings, then n colours, then n tiers (enum v8_tier or
 *	            code_tier, that of most weight); mix 0 is none
 *	tiers       n, then n colours
 *	frames      n, then n each of: name (string), module, file (string), line,
 *	            category, package, kind (enum frame_kind, plus 8 for an inlined frame),
 *	            tier, mix, colour (frame_color.h); frame 0 is none, with the colour of the root
 *	nodes       n, unit, then n each of: frame, self weight in units, levels gone up
 *	changes     only in a difference, n each of: share before and after in total, share before
 *	            and after by itself, all in millionths, 1 for a clear change in total
 *
 * A colour is red << 16 | green << 8 | blue. Nodes are in preorder, as in model/profile.h, so a
 * node has the same number there and here; node 0 is the root. A node is one level deeper than the
 * node before it, less the levels gone up: 0 is a first child, 1 a sibling. Frames are numbered by
 * how often they occur, so most take one or two bytes; self weights are divided by their greatest
 * common divisor (the unit), since samples of one period all weigh the same. Names have no
 * annotation (the kind says it), no character that changes the direction of text, and are UTF-8.
 *
 * Owns: the nodes added so far. Threads: one for each until it is closed; then any.
 */
#ifndef PERFOLD_OUTPUT_PICTURE_PACKED_H
#define PERFOLD_OUTPUT_PICTURE_PACKED_H

#include "base/sink.h"
#include "output/picture/frame_color.h"
#include "model/display_names.h"
#include "model/tiers.h"

struct packed_frame {
	frame_id id;
	bool waker; /* above a frame "--": has its own colour */
	uint32_t nodes;
};

struct packed_node {
	uint32_t number, depth;
	uint64_t self;
};

struct packed_tree {
	const struct profile *p;     /* borrowed */
	struct display_names *names; /* borrowed */
	struct frame_coloring colors;
	const struct tiers *tiers; /* borrowed; NULL: none are known */

	struct packed_frame *frames;
	uint32_t n_frames, cap_frames;
	uint32_t *number[2];    /* by frame_id, [1] for wakers: place in frames, plus 1 */
	uint32_t *order, *rank; /* frames by their use, and where each is there */

	/* The nodes: those of the profile, with the ones above "--" marked (NULL: none), or
	 * those that were added. */
	bool of_profile;
	bool *waker;
	struct packed_node *node;
	size_t n_nodes, cap_nodes;
	uint64_t unit;
};

void packed_init(
	struct packed_tree *k, struct display_names *names, const struct frame_coloring *colors);
/* The next node in preorder; first the root, which has no frame and depth 0. */
void packed_add_node(
	struct packed_tree *k, frame_id frame, bool waker, uint32_t depth, uint64_t self);
/* Weight of the parent that no child has, as a node with frame 0: it keeps its place among the
 * children of a flame chart. */
void packed_add_gap(struct packed_tree *k, uint32_t depth, uint64_t weight);
/* Instead of adding nodes: all those of the profile, and the changes of a difference. */
void packed_add_profile(struct packed_tree *k);

/* All nodes are added. From now on the bytes can be made in parts, any part by any thread, appended
 * to out. Where parts begin depends on the number of nodes; few nodes are one part. */
void packed_close(struct packed_tree *k);
uint32_t packed_count_parts(const struct packed_tree *k);
void packed_put_part(const struct packed_tree *k, uint32_t part, struct buf *out);
/* Or all bytes at once. */
void packed_put_all(const struct packed_tree *k, struct buf *out);
void packed_release(struct packed_tree *k);

/* Deflated, so that a page can inflate them, new DecompressionStream("deflate"), in base64. */
void packed_put_base64(struct sink *to, struct span bytes);

/* A string from a recording, made safe to show: UTF-8 is repaired, and characters that change the
 * direction of text, which could make one name look like another, become U+FFFD. */
void packed_put_text(struct buf *b, struct span text);

#endif
