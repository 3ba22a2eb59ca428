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

/* The frame of a node. For node 0, where stacks without any frame end, it is "[empty]". */
frame_id stack_path_frame(const struct profile *p, node_id node);
/* For formats that have threads of their own: root frames (the thread's name) are left out where
 * there is code above them. Never empty: see stack_path_frame(). */
void stack_path_get(struct stack_path *path, const struct profile *p, node_id stack);
/* True for code; false for a root frame or the end of an empty stack. */
bool stack_path_is_code(const struct profile *p, node_id node);
/* True where a path may contain the node: code, or the end of a stack without any. */
bool stack_path_includes(const struct profile *p, node_id node);
void stack_path_release(struct stack_path *path);

#endif
