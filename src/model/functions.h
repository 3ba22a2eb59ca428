/*
 * functions.h - the distinct functions of a profile
 *
 * A function is the display name of a frame, its module, and its place in the source.
 *
 * Owns: the tables. Threads: each has its own.
 */
#ifndef PERFOLD_MODEL_FUNCTIONS_H
#define PERFOLD_MODEL_FUNCTIONS_H

#include "model/display_names.h"
#include "model/stack_path.h"

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
	function_id *by_frame; /* plus 1; 0: not yet computed */
	uint32_t n_frames;     /* there were when it was made */
	struct index by_content;
};

void functions_init(struct functions *f, const struct profile *p);
void functions_release(struct functions *f);
/* Numbers those that are there anew: by name, then by all else that is known of them. */
void functions_sort(struct functions *f);
/* Of a frame that was not asked for before. */
function_id functions_add_frame(struct functions *f, frame_id frame);

static inline function_id functions_of_frame(struct functions *f, frame_id frame)
{
	uint32_t known = f->by_frame[frame];

	return known ? known - 1 : functions_add_frame(f, frame);
}

static inline struct span functions_name(const struct functions *f, function_id id)
{
	return display_names_get(&f->names, f->function[id].name);
}

#endif
