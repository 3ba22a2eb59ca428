#include "compare/grouping.h"

#include "base/mem.h"
#include "model/names/package_name.h"
#include "model/stack_path.h"

#include <stdlib.h>

static struct span kind_name(enum frame_kind kind)
{
	static const char *const name[] = {
		[FRAME_UNKNOWN] = "unknown",
		[FRAME_USER] = "user",
		[FRAME_KERNEL] = "kernel",
		[FRAME_JIT] = "jit",
		[FRAME_ROOT] = "none",
		[FRAME_LABEL] = "label",
	};

	return span_of(name[kind]);
}

static bool is_by_root(enum grouping_by by)
{
	return by == GROUPING_ROOT || by == GROUPING_STATE;
}

static struct span group_name(
	const struct profile *p, frame_id id, enum grouping_by by, struct buf *name)
{
	const struct frame *f = frames_get(p->frames, id);

	switch (by) {
	case GROUPING_MODULE:
		return f->module ? strtab_get(p->strings, f->module) : SPAN("[unknown]");
	case GROUPING_CATEGORY:
		return f->category ? strtab_get(p->strings, f->category)
				   : kind_name(profile_frame_kind(p, id));
	case GROUPING_FILE:
		return f->file ? strtab_get(p->strings, f->file) : SPAN("[no file known]");
	case GROUPING_PACKAGE:
		name->n = 0;
		if (f->kind == FRAME_KERNEL)
			return SPAN("[kernel]");
		profile_put_name(p, id, name);
		return package_name_of(buf_span(name)).n ? package_name_of(buf_span(name))
							 : SPAN("[no package]");
	case GROUPING_ROOT:
		if (f->kind != FRAME_ROOT)
			return SPAN("[unknown]");
		break;
	case GROUPING_STATE:
		if (f->kind != FRAME_ROOT)
			return SPAN("running");
		break;
	case GROUPING_NONE:
		break;
	}
	name->n = 0;
	profile_put_name(p, id, name);
	return buf_span(name);
}

/* The frame that stands for a frame. */
static frame_id group_of(const struct profile *p, frame_id id, enum grouping_by by,
	struct profile *out, struct buf *name)
{
	struct frame f = { .kind = FRAME_USER };
	bool is_root = frames_get(p->frames, id)->kind == FRAME_ROOT;

	f.name = strtab_add(out->strings,
		group_name(p, id, is_root && !is_by_root(by) ? GROUPING_NONE : by, name));
	if (!is_by_root(by))
		f.kind = is_root ? FRAME_ROOT : (uint8_t)profile_frame_kind(p, id);
	/* A group may have code of several kinds; only roots are no code. */
	if (by != GROUPING_CATEGORY && f.kind != FRAME_ROOT)
		f.kind = FRAME_USER;
	return frames_add(out->frames, &f);
}

bool grouping_has_roots(const struct profile *p)
{
	node_id i;

	for (i = 1; i < p->n_nodes; i += p->nodes[i].subtree)
		if (frames_get(p->frames, p->nodes[i].frame)->kind == FRAME_ROOT)
			return true;
	return false;
}

struct profile *grouping_make(const struct profile *p, enum grouping_by by)
{
	struct profile *out = xcalloc(1, sizeof(*out));
	frame_id *group = xcalloc((size_t)frames_count(p->frames) + 1, sizeof(*group));
	struct buf name = { 0 };
	node_id i;

	*out = *p;
	out->strings = strtab_new();
	out->frames = frames_new(out->strings);
	out->unit = strtab_add(out->strings, strtab_get(p->strings, p->unit));
	out->event = strtab_add(out->strings, strtab_get(p->strings, p->event));
	out->annotate = 0;
	out->nodes = p->n_nodes ? xmemdup(p->nodes, p->n_nodes * sizeof(*p->nodes)) : NULL;
	out->samples = p->samples ? xmemdup(p->samples, p->n_nodes * sizeof(*p->samples)) : NULL;
	out->rows = NULL;
	out->threads = NULL;
	out->before = NULL;
	out->n_rows = out->n_threads = 0;
	for (i = 1; i < p->n_nodes; i++) {
		struct node *n = &out->nodes[i];

		if (is_by_root(by) && n->parent) {
			n->frame = out->nodes[n->parent].frame;
			continue;
		}
		if (!group[n->frame])
			group[n->frame] = group_of(p, n->frame, by, out, &name);
		n->frame = group[n->frame];
	}
	buf_release(&name);
	free(group);
	return out;
}

void grouping_free(struct profile *p)
{
	if (!p)
		return;
	frames_free(p->frames);
	strtab_free(p->strings);
	profile_free(p);
}
