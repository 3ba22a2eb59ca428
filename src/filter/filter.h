/*
 * filter.h - rules that change stacks: drop, rename, group, cut (man perfold-filter)
 *
 * Rules are added, then collapse/ gets the rewriter, then the uses of each rule can be read. A
 * mistake in a rule is ERR_USAGE, "FILE:LINE:COLUMN: what"; after it the filter is only fit to be
 * freed.
 *
 * Owns: its rules. Threads: one; the rewriter's workers as model/rewrite.h says.
 */
#ifndef PERFOLD_FILTER_FILTER_H
#define PERFOLD_FILTER_FILTER_H

#include "base/sink.h"
#include "model/diag.h"
#include "model/rewrite.h"

struct filter;

/* frames is borrowed. dirs: where filter files are searched by name, first wins, NULL ended;
 * borrowed. */
struct filter *filter_new(struct frames *frames, const char *const *dirs);
void filter_free(struct filter *f);
/* The filter in dirs whose name is most like that one, into found; false: none is like it. */
bool filter_nearest(const char *const *dirs, const char *name, struct buf *found);
/* A name (searched in dirs, with or without ".rules") or, with a slash in it, a path. */
int filter_add_file(struct filter *f, const char *name, struct err *e);
/* One rule from the command line. */
int filter_add_rule(struct filter *f, const char *rule, struct err *e);
/* The filter as collapse/ sees it; lives as long as f, which gets no more rules. */
struct rewriter filter_rewriter(struct filter *f);

/* The parts of the root that rules choose stacks by (bits 1 << enum root_part): reading must keep
 * them. */
uint32_t filter_root_fields(const struct filter *f);

/* After the rewriting: what each rule did. */
struct filter_rule_use {
	const char *place; /* "nodejs.rules:12" or "-e 1" */
	const char *text;  /* the rule as written */
	uint64_t hits;     /* frames or stacks that matched, weighted by samples */
	uint64_t weight;
};
uint32_t filter_rule_count(const struct filter *f);
struct filter_rule_use filter_rule_use(const struct filter *f, uint32_t rule);
void filter_diag(const struct filter *f, struct diag *d);

#endif
