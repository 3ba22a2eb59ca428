/*
 * functions.h - the distinct functions of a profile, and its stacks as lists of frames
 *
 * A function is what a frame is shown as, where its code is from, and its place in the source.
 *
 * Owns: the tables. Threads: each has its own.
 */
#ifndef PERFOLD_MODEL_FUNCTIONS_H
#define PERFOLD_MODEL_FUNCTIONS_H

#include "model/display_names.h"

typedef uint32_t function_id;

struct function {
	uint32_t name; /* number of the shown name */
	str_id module, file;
	uint32_t line, column; /* from 1; 0: not known */
};

struct functions {
	const struct profile *p; /* borrowed */
	struct display_names names;
	struct function *function;
	uint32_t n, cap;
	function_id *by_frame; /* plus 1; 0: not yet asked for */
	struct index by_content;
};

void functions_init(struct functions *f, const struct profile *p);
void functions_release(struct functions *f);
function_id functions_of_frame(struct functions *f, frame_id frame);

static inline struct span functions_name(const struct functions *f, function_id id)
{
	return display_names_get(&f->names, f->function[id].name);
}

/* Frames of a stack, outermost first. */
struct stack_path {
	frame_id *frame;
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
