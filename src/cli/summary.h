/*
 * summary.h - what is told when the work is done
 *
 * Owns: nothing. Threads: one.
 */
#ifndef PERFOLD_CLI_SUMMARY_H
#define PERFOLD_CLI_SUMMARY_H

#include "cli/options.h"

/* How the frames of all stacks fared, each weighted by the samples it is in. */
struct frame_account {
	uint64_t frames;
	uint64_t why[WHY_COUNT]; /* [WHY_NAMED]: resolved */
};

/* Adds the frames of a recording to *a. */
void frame_account(struct frame_account *a, const struct recording *r);
/* 99.8, never rounded up to 100.0 where something is missing. */
double share_percent(uint64_t part, uint64_t whole);
const char *why_text(enum frame_why why);

/* Notes and the closing line on standard error. */
void summary_print(const struct pipeline_result *r, const struct options *o);

#endif
