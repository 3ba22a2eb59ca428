/*
 * collapse.h - stacks of sites with names to the profile that writers read
 *
 * Each worker replays one log: sites become frames, rules change the stack, names are shortened,
 * and the stack goes into a tree of names. Only those trees are merged. The result does not
 * depend on the number of workers.
 *
 * Owns: what is said at each function. Threads: uses the pool it is given.
 */
#ifndef PERFOLD_COLLAPSE_COLLAPSE_H
#define PERFOLD_COLLAPSE_COLLAPSE_H

#include "base/arena.h"
#include "base/pool.h"
#include "model/place_costs.h"
#include "model/profile_part.h"
#include "model/rewrite.h"
#include "model/tiers.h"
#include "model/tree.h"

struct collapse_opts {
	enum root_part roots[ROOT_PARTS_MAX]; /* outermost first, up to ROOT_END */
	struct root_labels root_labels;       /* of parts from ROOT_LABEL on */
	uint32_t annotate;                    /* enum annotate */
	bool addresses;
	bool full_names;    /* keep argument lists */
	bool tiers;         /* keep the tiers of a JavaScript function apart */
	bool cut_at_first;  /* cut names at the first bracket, as stackcollapse-perf.pl does */
	uint32_t max_depth; /* frames kept, outermost first; 0: all */
	double min_percent; /* smaller subtrees become weight of their parent */
	bool timeline;      /* turn the recordings' rows into the profile's */
	bool sorts_later;   /* the caller sorts these, before anybody reads them */
	bool cells;         /* count samples by stack and key */
	bool weight_by_samples;
	bool lost_frame;            /* add a frame [lost] for samples that the kernel lost */
	bool weights_only;          /* numbers of samples are not needed */
	struct place_costs *places; /* gets the costs of lines and instructions; NULL: not
				     * wanted */
	double places_min_percent;  /* of functions that have less of the weight, they may be left
				     * out; 0: none is */
	bool without_lines;         /* with places: frames of the tree as if no line had been
				     * looked up */
	bool by_name; /* merge siblings of one displayed name: see collapse_by_name() */
	const struct rewriter *rewriter; /* NULL: no rules */
};

/* Stacks of recordings in trees of workers, which become a profile. */
struct collapsing;

/* Names of all sites must be set. Logs of sums or of many stacks lose these and keep their counts
 * (see stacklog_drop_stacks()). Recordings and o have to live as long as *out. */
int collapse_begin(struct collapsing **out, struct recording *const *recordings, unsigned n,
	const struct collapse_opts *o, struct pool *pool, struct err *e);
/* With places: fills these. Once. */
void collapse_sum_places(struct collapsing *c);
/* The profile, which the caller owns; rows are moved into it. Once, and beside
 * collapse_sum_places() if that has another thread: without a pool, as each has. */
struct profile *collapse_make(struct collapsing *c, struct pool *pool);
/* Would a pool be of no use to that? */
bool collapse_makes_alone(const struct collapsing *c);
/* The trees of frames that it is made of, which stay as they are until collapse_free() if it is
 * made alone. The caller frees the list. */
const struct tree **collapse_list_trees(const struct collapsing *c, uint32_t *n);
/* NULL is fine. */
void collapse_free(struct collapsing *c);

/* Sorts the rows of a profile that was made with sorts_later. Others may read its nodes. */
void collapse_sort_rows(struct profile *p);

/* The same profile with siblings of one displayed name merged; with_rows: and rows that refer to
 * its nodes. */
struct profile *collapse_by_name(const struct profile *full, bool with_rows);

/* The same profile with its rows, as if no line had been looked up in debug information, and no
 * address been kept. */
struct profile *collapse_without_lines(const struct profile *full);
/* The same profile with its rows, as if no address had been kept. */
struct profile *collapse_without_addresses(const struct profile *full);

/* The tiers in which functions of the recordings ran. Call before these are collapsed. t is owned
 * by the caller: tiers_release(). */
void collapse_tiers(struct tiers *t, struct recording *const *recordings, unsigned n,
	const struct collapse_opts *o);

/* A stack of a profile with a weight of the caller's, under a root frame (label; 0: none). */
struct weighted_stack {
	frame_id label;
	node_id stack; /* beyond the last node: unknown */
	/* On top of it, after a frame --, with the innermost frame first, as --wakers has it; 0, or
	 * beyond the last node: none. */
	node_id beside;
	uint64_t weight, samples;
};

/* A profile of these stacks alone, without rows; the stacks get sorted. Owned by the caller. */
struct profile *collapse_weighted(
	const struct profile *full, struct weighted_stack *stacks, size_t n, str_id unit);

/* Differences */

struct diff_opts {
	bool exact;         /* names match where they are equal, nothing else does */
	bool absolute;      /* weights are compared as they are */
	double max_p_value; /* see struct comparison */
};

/* A name of one side that was matched with a name of the other. */
struct diff_alike {
	frame_id frame, as;
	bool before; /* the frame's side */
};

/* A frame that is between two others on one side only: assumed to be inlined on the other. */
struct diff_skipped {
	frame_id frame, caller;
	bool before;     /* the side that has it */
	uint64_t weight; /* its total at that caller */
};

/* Source files that have another path after: a folder, with its slash, or a bundle. */
struct diff_path {
	struct span from, to;
	bool unclear; /* they may be other files: their names are not matched */
};

/* Two profiles as one tree, with the weights of both sides in each node (profile.before). */
struct diff {
	struct profile *profile; /* owned; weights are those after */
	struct diff_alike *alike;
	struct diff_skipped *skipped; /* the largest weight first */
	struct diff_path *path;
	size_t n_alike, n_skipped, n_paths;
	struct arena strings; /* of the paths */
};

/* Both by name, and with the same frames and strings. Several before count as one; none is fine. */
void diff_make(struct diff *d, const struct profile *const *before, size_t n_before,
	const struct profile *after, const struct diff_opts *o);
void diff_release(struct diff *d);

/* The number of samples in a profile, estimated for folded stacks, which do not have it. */
uint64_t diff_count_samples(const struct profile *p);

/*
 * A difference as a picture shows it. The weight of a node is its width: the weight after, or with
 * by_before the weight before. Nodes without one (removed, or new) are in a lane of their own
 * beside the rest, with their callers, as wide as they are on the other side. The category of each
 * frame is the class of change of its node: see compare/change.h. Owned by the caller; d must live
 * longer.
 */
struct profile *diff_picture(const struct diff *d, bool by_before);

/* Merging */

/* A sum of profiles that need not share frames or strings. Threads: any may add. */
struct merge;

/* What is kept of cells (struct profile_cell), if profiles have any. */
enum merge_cells { MERGE_NO_CELLS, MERGE_LABELS, MERGE_CELLS };

/* frames are borrowed, and get those of all profiles. */
struct merge *merge_new(struct frames *frames, enum merge_cells cells);
void merge_free(struct merge *m);
/* The full tree, without rows. p may be freed afterwards. Its unit must be that of the others. */
void merge_add(struct merge *m, const struct profile *p);
/* The sum, the same bytes in whatever order profiles were added; subtrees below min_percent become
 * weight of their parent. Owned by the caller; nothing may be added afterwards. */
struct profile *merge_profile(struct merge *m, double min_percent);

/* Parts, for --split */

/* The profile's rows, split into parts. p must have rows; all is borrowed. */
struct split_profile;

struct split_profile *split_profile_new(
	const struct profile *p, const struct split *split, struct recording *const *recordings);
void split_profile_free(struct split_profile *s);
uint32_t split_profile_count(const struct split_profile *s);
struct profile_part split_profile_name(const struct split_profile *s, uint32_t part);
/* A profile of one part alone; owned by the caller. One at a time. */
struct profile *split_profile_get(struct split_profile *s, uint32_t part);

#endif
