/*
 * batches.h - the sites of each module together, for one worker each
 *
 * Owns: the batches and their lists of sites; the report is borrowed. Threads: one makes them, then
 * any may read. Private to symbolize/.
 */
#ifndef PERFOLD_SYMBOLIZE_BATCHES_H
#define PERFOLD_SYMBOLIZE_BATCHES_H

#include "symbolize/symbolize.h"

struct batch {
	site_id *sites; /* report->sites elements; NULL: not known beforehand */
	struct symbolize_module *report;
	bool needs_kallsyms;
};

struct batches {
	struct batch *batch; /* the largest first, but those of the kernel last */
	uint32_t n, n_free;  /* work.h */
	site_id *sites;      /* by module */
};

/* The sites of r that have no name from the start; rep gets a module for each batch. */
void batches_make(struct batches *b, const struct recording *r, struct symbolize_report *rep);
/* What is needed of the kernel's list. False: all of it. want->address is the caller's to free. */
bool batches_want_kernel(const struct batches *b, const struct recording *r,
	const struct symbolize_opts *o, struct files_kallsyms_want *want);
void batches_release(struct batches *b);

#endif
