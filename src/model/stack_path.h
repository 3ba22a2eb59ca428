/*
 * stack_path.h - a stack of a profile as a list of frames
 *
 * Owns: the list. Threads: each has its own.
 */
#ifndef PERFOLD_MODEL_STACK_PATH_H
#define PERFOLD_MODEL_STACK_PATH_H

#include "model/profile.h"

struct stack_path {
	frame_id *frame; /* outermost first */
	uint32_t n, cap;
};

/* The frame of a node; that of node 0, where stacks without any frame end, is "[empty]". */
frame_id stack_path_frame(const struct profile *p, node_id node);
/* For formats that tell threads apart by themselves: root frames (the thread's name) are left out
 * where code stands on them. Never empty: see stack_path_frame(). */
void stack_path_get(struct stack_path *path, const struct profile *p, node_id stack);
/* Does the node stand for code, not for a root frame or the end of an empty stack? */
bool stack_path_is_code(const struct profile *p, node_id node);
/* Can the node be in a path: is it code, or the end of a stack without any? */
bool stack_path_includes(const struct profile *p, node_id node);
void stack_path_release(struct stack_path *path);

#endif
