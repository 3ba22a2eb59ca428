/*
 * tree.h - a tree of frames while it grows
 *
 * Nodes are numbered as they come, a parent before its children; tree_finish() puts them in the
 * order that model/profile.h promises.
 *
 * Owns: its nodes. Threads: one for each tree. Private to collapse/.
 */
#ifndef PERFOLD_COLLAPSE_TREE_H
#define PERFOLD_COLLAPSE_TREE_H

#include "base/index.h"
#include "model/profile.h"

struct tree_node {
	uint32_t parent;
	frame_id frame;
	/* The first of its children, 0: none. Most nodes have no other; those that have are
	 * indexed, all but the first. */
	uint32_t child;
	bool more;
	uint64_t self, samples;
};

struct tree {
	struct tree_node *nodes; /* 0 is the root */
	uint32_t n, cap;
	struct index by_child; /* second and further children */
};

void tree_init(struct tree *t);
void tree_release(struct tree *t);
/* The child of parent for a frame, new where there is none. */
uint32_t tree_child(struct tree *t, uint32_t parent, frame_id frame);
void tree_count(struct tree *t, uint32_t node, uint64_t weight, uint64_t samples);
/* Add all of from; map[i], if not NULL, gets the node of t for node i of from. alike, if not NULL,
 * is the frame to put in place of each, by frame_id. */
void tree_merge(struct tree *t, const struct tree *from, const frame_id *alike, uint32_t *map);

/* So much must a subtree weigh to be min_percent of the whole. */
uint64_t tree_least(const struct tree *t, double min_percent);

/* Fill p's nodes; p->frames, annotate and addresses must be set. Subtrees below min_weight
 * become weight of their parent. map[i], if not NULL, gets the profile's node for node i. */
void tree_finish(const struct tree *t, struct profile *p, uint64_t min_weight, node_id *map);

#endif
