/*
 * replay.h - stacks of logs into one tree of names
 *
 * Owns: the tree and its work space. Threads: each has its own. Private to collapse/.
 */
#ifndef PERFOLD_COLLAPSE_REPLAY_H
#define PERFOLD_COLLAPSE_REPLAY_H

#include "collapse/collapse.h"
#include "collapse/idle.h"
#include "collapse/naming.h"
#include "collapse/place_tally.h"
#include "collapse/root_frames.h"
#include "model/tree.h"

enum { NODE_DROPPED = UINT32_MAX };

/* A stack of a log that went into the tree. */
struct replay_cell {
	uint32_t node;
	root_id root;
	uint64_t samples, weight;
};

struct replay {
	const struct recording *recording; /* borrowed */
	const struct collapse_opts *opts;  /* borrowed */
	struct tree tree;
	struct naming naming;
	struct root_frames roots;
	struct place_tally *places; /* borrowed; with opts->places */
	void *rules;                /* the rewriter's state, or NULL */
	struct idle idle;
	struct replay_cell *cells; /* with opts->cells */
	size_t n_cells, cap_cells;
	/* Borrowed, of the log: by stack_id, nodes of tree; NODE_DROPPED by a rule. NULL: they are
	 * not needed. */
	uint32_t *node_of_stack;

	frame_id *site_frames; /* the frames of the stack's sites */
	uint32_t cap_site_frames;
	uint32_t *end; /* by site of the stack: where its frames end in site_frames */
	uint32_t cap_end;
	frame_id *changed; /* the same after rules */
	uint32_t cap_changed;
	/* The last stack that went into the tree, and its nodes. Names are short, unless places are
	 * wanted: these are of frames as samples have them. */
	frame_id *path;
	uint32_t *node;
	uint32_t n_path, cap_path, cap_node;
	bool is_java; /* its thread is called java* */
	/* The number of frames at the front of site_frames that are in path too, after those of
	 * this root. */
	uint32_t n_shared;
	root_id shared_root;
};

/* n_frames: as for naming_init(). places: the worker's. */
void replay_init(struct replay *r, const struct recording *recording, uint32_t n_frames,
	const struct collapse_opts *opts, struct place_tally *places);
/* The frame of each site, if sites have one each and stacks need not be replayed; else NULL. Owned
 * by the caller. */
frame_id *replay_frames_of_sites(struct replay *r, struct stacklog *log);
/* Any replay of the recording may run any part of its logs. */
int replay_run(struct replay *r, const struct stacklog *log, uint32_t part, struct err *e);
void replay_release(struct replay *r);

#endif
