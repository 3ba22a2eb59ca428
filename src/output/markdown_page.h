/*
 * markdown_page.h - what the parts of a page of Markdown share (markdown.c)
 *
 * Every part writes to b, lists of at most about rows rows, and says of each share what it is of.
 * The page is written several times, until it fits: what takes a look at all nodes or functions is
 * found once, by markdown_page_prepare_...().
 *
 * Owns: nothing; what the page holds is released by markdown.c. Threads: one. Private to the files
 * markdown*.c.
 */
#ifndef PERFOLD_OUTPUT_MARKDOWN_PAGE_H
#define PERFOLD_OUTPUT_MARKDOWN_PAGE_H

#include "compare/costs.h"
#include "model/headline.h"
#include "model/names/activity_name.h"
#include "output/markdown_text.h"
#include "output/output.h"

enum {
	MARKDOWN_HOT_FUNCTIONS = 5, /* that have their paths shown */
	MARKDOWN_WAYS = 2,          /* of each */
};

/* What functions of an activity cost together, and the most expensive of them. */
struct markdown_activity {
	uint64_t weight;
	function_id most;
};

/* The most expensive nodes of a function, and how many it has. */
struct markdown_ways {
	node_id most[MARKDOWN_WAYS];
	unsigned n;
	uint32_t all;
};

/* What has no weight is left out, the rest is the most expensive first. */
struct markdown_part {
	struct span name;
	uint64_t weight;
};

struct markdown_parts {
	struct markdown_part *part;
	uint32_t n;
};

/* A row of the tree: a node that its caller's row does not have. */
struct markdown_row {
	uint64_t weight;
	node_id node;
};

/* What is known of the quality of an input. */
struct markdown_side {
	struct output_side of;
	const char *name; /* "before: " and the like, or "" */
	struct frame_account account;
	struct frame_gap *gap; /* owned */
	uint32_t n_gaps;
};

struct markdown_page {
	const struct profile *p;
	const struct output_opts *o;
	struct costs costs;
	struct function_cost *by_self, *by_total; /* the most expensive first */
	uint32_t n_self, n_total;
	struct headline headline;
	struct markdown_side side; /* the inputs of p */
	struct markdown_activity activity[ACTIVITY_COUNT];
	struct markdown_ways ways[MARKDOWN_HOT_FUNCTIONS]; /* to the first of by_self */
	struct markdown_parts kinds, modules, waits;
	struct markdown_row *branch; /* rows of the tree, the heaviest first */
	uint32_t n_branches;
	uint64_t weight; /* of everything */
	uint32_t rows;   /* of a list */
	struct buf *b;
};

/* Once, before any part. */
void markdown_page_prepare_activities(struct markdown_page *g);
void markdown_page_prepare_where(struct markdown_page *g);
void markdown_page_prepare_ways(struct markdown_page *g);
void markdown_page_prepare_tree(struct markdown_page *g);

/* The parts, in order. */
void markdown_page_put_glance(struct markdown_page *g);
void markdown_page_put_where(struct markdown_page *g);
void markdown_page_put_waits(struct markdown_page *g); /* with --off-cpu */
void markdown_page_put_by_self(struct markdown_page *g);
void markdown_page_put_by_total(struct markdown_page *g);
void markdown_page_put_paths(struct markdown_page *g);
void markdown_page_put_tree(struct markdown_page *g);
void markdown_page_put_quality(struct markdown_page *g);
void markdown_page_put_next(struct markdown_page *g);

/* Words. */

enum {
	MARKDOWN_NAME_MOST = 100, /* bytes; of a longer name the middle is left out */
	MARKDOWN_NAME_IN_PATH = 60,
};

double markdown_page_share(const struct markdown_page *g, uint64_t weight);
void markdown_page_put_share(struct markdown_page *g, uint64_t weight);
void markdown_page_put_short(struct buf *b, struct span name, size_t most);
/* A name, shortened, as code. */
void markdown_page_put_code(struct markdown_page *g, struct span name);
/* The last row of a list: how many were left out. */
void markdown_page_put_more(struct markdown_page *g, uint32_t n, const char *one, const char *many);

struct span markdown_page_name(const struct markdown_page *g, function_id id);
/* False for code of which only the module is known. */
bool markdown_page_has_name(const struct markdown_page *g, function_id id);
/* " in `module`, `file:line`", as far as the name does not say so. */
void markdown_page_put_place(struct markdown_page *g, function_id id);

/* "`main` > `run` > `parse`": the stack of a node. Of a long one the middle is left out. */
void markdown_page_put_way(struct markdown_page *g, node_id to);

/* Made once; its gaps are the caller's to free. */
struct markdown_side markdown_page_side(const struct output_side *of, const char *name);
void markdown_page_put_quality_of(struct markdown_page *g, const struct markdown_side *side);
/* What of that makes its figures doubtful. */
void markdown_page_put_doubts_of(struct markdown_page *g, const struct markdown_side *side);

/* The innermost frame of the tree that has half of everything, or more, below it: what is around it
 * leads there, what is in it shares the time. 0: none. */
node_id markdown_page_busiest_caller(const struct markdown_page *g);

#endif
