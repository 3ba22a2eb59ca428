/*
 * rewrite.h - the interface through which collapse/ lets filter/ change stacks
 *
 * The pipeline connects the two: neither knows the other. A rewriter never makes a stack longer.
 *
 * Threads: each worker gets a state of its own from worker_new().
 */
#ifndef PERFOLD_MODEL_REWRITE_H
#define PERFOLD_MODEL_REWRITE_H

#include "model/roots.h"

/* A stack that is being rewritten, outermost first, without its root frames. frames is changed in
 * place. */
struct stack {
	frame_id *frames;
	uint32_t n;
	const struct root *root;
	uint64_t weight, samples;
	bool dropped; /* set: leave the whole stack out */
};

struct rewriter {
	void *ctx;
	void *(*worker_new)(void *ctx);
	void (*apply)(void *worker, struct stack *s);
	/* What root frames show for the name of a thread, a process or an event (ROOT_COMM,
	 * ROOT_PROCESS, ROOT_EVENT). */
	str_id (*root_name)(void *worker, enum root_part part, str_id name);
	/* Adds the worker's counts to ctx and frees it. */
	void (*worker_merge)(void *ctx, void *worker);
};

#endif
