/*
 * headline.h - what a profile is, at a glance: the title of a page, the first line of a table
 *
 *	node server.js
 *	CPU time · 1.95 s in 776 samples · recorded 2.01 s, 2026-11-20 14:02 UTC, on www1
 *
 *	before.data → after.data
 *	Difference · CPU time · 1.95 s in 776 samples → 2.03 s in 801 samples · 99.9% named
 *
 * The title is the process with most samples, and the script that it ran if the command says so,
 * else the name of the file. Times of recording come from the recording, in UTC. What is not known
 * is left out, as most is of folded stacks.
 *
 * With --during, the line also says which spans, and how many these were.
 *
 * Texts are as recorded: who shows them escapes them.
 *
 * Owns: its texts. Threads: one.
 */
#ifndef PERFOLD_MODEL_HEADLINE_H
#define PERFOLD_MODEL_HEADLINE_H

#include "model/frame_account.h"
#include "model/profile.h"

struct headline_source {
	const struct profile *p;
	struct recording *const *recordings;
	size_t n_recordings;
	const char *const *before; /* the inputs that p is compared with */
	size_t n_before;
	const char *count_name; /* what weights count, if not p's unit; may be NULL */
};

struct headline {
	struct buf title;
	struct buf kind;     /* "CPU time" */
	struct buf weight;   /* "1.95 s in 776 samples" */
	struct buf during;   /* "during event-loop #17 (1 of 242 spans)" */
	struct buf recorded; /* "recorded 2.01 s, 2026-11-20 14:02 UTC, on www1" */
	struct buf named;    /* "99.9% named" */
	struct frame_account account;
};

void headline_make(struct headline *h, const struct headline_source *of);
void headline_release(struct headline *h);

/* All but the title, in one line of at most that many columns (0: any): what there is no room for
 * is left out, first how it was recorded, then what share is named. */
void headline_put_subtitle(const struct headline *h, size_t columns, struct buf *b);

/* "1.95 s in 776 samples": a weight in the unit of a profile. */
void headline_put_weight(
	struct buf *b, const struct headline_source *of, uint64_t weight, uint64_t samples);

#endif
