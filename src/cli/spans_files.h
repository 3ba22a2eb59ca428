/*
 * spans_files.h - what perfold spans writes beside its table
 *
 * Owns: nothing. Threads: one.
 */
#ifndef PERFOLD_CLI_SPANS_FILES_H
#define PERFOLD_CLI_SPANS_FILES_H

#include "cli/options.h"
#include "model/durations.h"

struct spans_stacks {
	struct weighted_stack *item;
	size_t n;
	const char *unit; /* what they weigh */
	enum span_view view;
};

/* Is one of the outputs a page that lists the slowest spans? */
bool spans_files_have_page(const struct options *o);

/* --json, --histogram, --heatmap, and -o: traces get a slice for each duration; every other format
 * gets the stacks where things began, weighing what they lasted, and a page of Markdown also the
 * durations. stacks get sorted. The result's profile is replaced. */
int spans_files_write(const struct options *o, struct pipeline_result *result,
	const struct durations *d, const struct spans_stacks *stacks, struct err *e);

#endif
