/*
 * profile.h - the profile that writers see: a tree of named frames
 *
 * Made by collapse/ from recordings, and not changed afterwards. Nodes are in preorder: a node's
 * subtree is nodes[i .. i + subtree), its parent has a lower number. The children of a node are
 * sorted by the bytes of name + ";", as flamegraph.pl sorts them. Node 0 is the root: it has frame
 * 0 and holds everything.
 *
 * In the tree by name (collapse_by_name()) siblings have different names, annotations included; in
 * the full tree they differ in some field of struct frame.
 *
 * Owns: nodes, samples, timeline, cells, comparison, strings of its own; frames and their strtab
 * are borrowed. Threads: read by any.
 */
#ifndef PERFOLD_MODEL_PROFILE_H
#define PERFOLD_MODEL_PROFILE_H

#include "base/buf.h"
#include "model/recording.h"

typedef uint32_t node_id;

struct node {
	frame_id frame;
	node_id parent;   /* of node 0: 0 */
	uint32_t subtree; /* nodes in it, this one included */
	uint32_t depth;   /* of node 0: 0 */
	uint64_t self;    /* weight of the stacks that end here */
	uint64_t total;   /* and of all that end above */
};

/* The number of samples that make up the weights of a node. */
struct node_samples {
	uint64_t self, total;
};

/* A thread's samples in order of time. */
struct profile_thread {
	int32_t pid, tid;
	str_id name;
	str_id group;          /* of struct timeline_thread */
	uint64_t name_time_ns; /* when the thread had that name: the time of its latest row */
	uint64_t weight, samples;
	uint32_t recording;       /* number of the input */
	size_t first_row, n_rows; /* in rows */
};

/* What samples have in common, beside their stack, as a table of them has it in columns. */
struct profile_key {
	struct root root;
	/* Those of its recording, which has "recording", "host", "time_us" and "duration_us" among
	 * them as far as they are known, and its own: label_list_pack(). */
	str_id labels;
	str_id unit;     /* what weights count */
	uint64_t period; /* as the profile's; 0: not known */
};

/* All samples of a key with a stack. */
struct profile_cell {
	node_id stack;
	uint32_t key;
	uint64_t samples, weight;
};

/* The weight of a node in the profile that this one is compared with, and the p-value of the
 * difference, adjusted for all nodes: see compare/significance.h. */
struct node_before {
	uint64_t self, self_samples, total, total_samples;
	float self_p_value, total_p_value;
};

struct node_after {
	uint64_t self, self_samples, total, total_samples;
};

/* The other side of a difference. The profile also has the nodes that are gone, without weight. */
struct comparison {
	struct node_before *of; /* by node */
	/* By node too, if a node's own weight is its width in a picture; else NULL. */
	struct node_after *after;
	const struct profile *whole; /* of a picture: the difference that it shows (borrowed) */
	str_id unit;                 /* what its weights count */
	bool absolute;      /* weights are compared as they are, not as shares of their whole */
	double max_p_value; /* a difference with a larger p-value counts as noise */
};

struct profile {
	struct frames *frames;  /* borrowed */
	struct strtab *strings; /* borrowed */
	struct node *nodes;
	struct node_samples *samples; /* by node; NULL: not wanted */
	uint32_t n_nodes;
	uint64_t n_samples; /* that the whole is of; also where samples is NULL */
	uint32_t max_depth;
	str_id unit;     /* "samples", "nanoseconds", "cycles": what weights count */
	str_id event;    /* the name of the event, 0 where there are several */
	uint8_t sums;    /* enum sum_kind: what numbers of samples are; the worst of the inputs */
	uint64_t period; /* weight of one sample at the recorded rate, 0: not known */
	uint64_t period_ns; /* time between two samples of a running thread, 0: not known */

	/* Only with a timeline: rows by thread, then time; row.stack is a node. */
	struct timeline_row *rows;
	size_t n_rows;
	bool rows_have_duration;        /* a row lasts as many nanoseconds as it weighs: see struct
					   recording */
	struct profile_thread *threads; /* the busiest first */
	uint32_t n_threads;

	/* Only if cells are wanted: each (stack, key) once, in that order; keys are in the order of
	 * their content. */
	struct profile_cell *cells;
	size_t n_cells;
	struct profile_key *keys;
	uint32_t n_keys;

	struct comparison *before; /* NULL: compared with nothing */

	uint32_t annotate; /* enum annotate bits: which suffixes shown names get */
	bool addresses;
};

void profile_free(struct profile *p);

static inline struct node_samples profile_samples(const struct profile *p, node_id i)
{
	return p->samples ? p->samples[i] : (struct node_samples){ 0 };
}

/* For each thread the name of its process: that of its first thread, or of the busiest if that one
 * has no samples. The caller frees it. */
str_id *profile_process_names(const struct profile *p);

/* The frame's kind. For one without a name, the kind of code as far as it is known, else
 * FRAME_UNKNOWN. */
enum frame_kind profile_frame_kind(const struct profile *p, frame_id id);

/* The frame's name as it is shown: with _[k], _[j], _[i] as p->annotate says, ";" as ":", line
 * breaks and other control characters as blanks. Appended to b. */
void profile_put_name(const struct profile *p, frame_id id, struct buf *b);
/* The same with ";" as it is, for formats that have lists of names. */
void profile_put_full_name(const struct profile *p, frame_id id, struct buf *b);

#endif
