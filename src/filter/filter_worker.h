/*
 * filter_worker.h - rules at work on stacks
 *
 * A stack costs one look-up a frame for all consecutive rules on single frames, however many there
 * are; a rule on stacks is applied to the stack as a whole.
 *
 * Owns: a worker its tables and counts. Threads: each worker belongs to one; rules are borrowed
 * and only read.
 */
#ifndef PERFOLD_FILTER_FILTER_WORKER_H
#define PERFOLD_FILTER_FILTER_WORKER_H

#include "filter/filter_match.h"
#include "model/rewrite.h"

struct filter_worker;

struct filter_worker *filter_worker_new(
	const struct filter_rule *rules, uint32_t n_rules, struct frames *frames);
void filter_worker_apply(struct filter_worker *w, struct stack *s);
/* See struct rewriter. */
str_id filter_worker_root_name(struct filter_worker *w, enum root_part part, str_id name);
/* Adds what each rule did to the rules' counts, and the limits that were hit to the list. */
void filter_worker_report(
	const struct filter_worker *w, struct filter_rule *rules, struct filter_limits *limits);
void filter_worker_free(struct filter_worker *w);

#endif
