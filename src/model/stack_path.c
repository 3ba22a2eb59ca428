#include "model/stack_path.h"

#include "base/mem.h"

#include <stdlib.h>

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
