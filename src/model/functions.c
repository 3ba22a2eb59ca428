#include "model/functions.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

void functions_init(struct functions *f, const struct profile *p)
{
	*f = (struct functions){ .p = p };
	stack_path_frame(p, 0); /* before frames are counted */
	display_names_init(&f->names, p);
	f->n_frames = frames_count(p->frames);
	f->by_frame = xcalloc(f->n_frames + 1, sizeof(*f->by_frame));
}

void functions_release(struct functions *f)
{
	display_names_release(&f->names);
	free(f->function);
	free(f->by_frame);
	index_release(&f->by_content);
}

static bool same_function(const struct function *a, const struct function *b)
{
	return a->name == b->name && a->module == b->module && a->file == b->file &&
	       a->line == b->line && a->column == b->column;
}

static function_id functions_add(struct functions *f, const struct function *function)
{
	uint64_t hash = hash_pair(hash_pair(function->name, function->module),
		hash_pair(function->file, hash_pair(function->line, function->column)));
	struct index_cursor cursor;
	uint32_t i;

	index_for_each (&f->by_content, hash, cursor, i)
		if (same_function(&f->function[i], function))
			return i;
	ARRAY_GROW(f->function, f->n, f->cap);
	f->function[f->n] = *function;
	index_add(&f->by_content, hash, f->n);
	return f->n++;
}

function_id functions_add_frame(struct functions *f, frame_id id)
{
	const struct frame *frame = frames_get(f->p->frames, id);
	struct function function = { .name = display_names_number(&f->names, id),
		.module = frame->module,
		.file = frame->file,
		.line = frame->line,
		.column = frame->column };

	f->by_frame[id] = functions_add(f, &function) + 1;
	return f->by_frame[id] - 1;
}
