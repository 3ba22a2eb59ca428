#include "model/functions.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

void functions_init(struct functions *f, const struct profile *p)
{
	*f = (struct functions){ .p = p };
	stack_path_frame(p, 0); /* before frames are counted */
	display_names_init(&f->names, p);
	f->by_frame = xcalloc(frames_count(p->frames) + 1, sizeof(*f->by_frame));
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

function_id functions_of_frame(struct functions *f, frame_id id)
{
	if (!f->by_frame[id]) {
		const struct frame *frame = frames_get(f->p->frames, id);
		struct function function = { .name = display_names_number(&f->names, id),
			.module = frame->module,
			.file = frame->file,
			.line = frame->line,
			.column = frame->column };

		f->by_frame[id] = functions_add(f, &function) + 1;
	}
	return f->by_frame[id] - 1;
}

frame_id stack_path_frame(const struct profile *p, node_id node)
{
	struct frame empty = { .kind = FRAME_ROOT };

	if (node)
		return p->nodes[node].frame;
	empty.name = strtab_add_str(p->strings, "[empty]");
	return frames_add(p->frames, &empty);
}

bool stack_path_is_code(const struct profile *p, node_id node)
{
	return node && frames_get(p->frames, p->nodes[node].frame)->kind != FRAME_ROOT;
}

static bool ends_stacks(const struct profile *p, node_id node)
{
	const struct node_before *before = p->before ? &p->before->of[node] : NULL;

	return p->nodes[node].self || profile_samples(p, node).self ||
	       (before && (before->self || before->self_samples));
}

bool stack_path_includes(const struct profile *p, node_id node)
{
	return stack_path_is_code(p, node) || ends_stacks(p, node);
}

void stack_path_get(struct stack_path *path, const struct profile *p, node_id stack)
{
	uint32_t depth = p->nodes[stack].depth, first;
	node_id at = stack;

	ARRAY_RESERVE(path->frame, depth + 1, path->cap);
	for (first = depth; stack_path_is_code(p, at); at = p->nodes[at].parent)
		path->frame[--first] = p->nodes[at].frame;
	path->n = depth - first;
	if (!path->n)
		path->frame[path->n++] = stack_path_frame(p, stack);
	else
		memmove(path->frame, path->frame + first, path->n * sizeof(*path->frame));
}

void stack_path_release(struct stack_path *path)
{
	free(path->frame);
	*path = (struct stack_path){ 0 };
}
