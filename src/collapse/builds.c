#include "collapse/builds.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

void builds_init(struct builds *b, struct frames *frames, uint8_t sides)
{
	*b = (struct builds){ .frames = frames, .sides = sides };
}

void builds_release(struct builds *b)
{
	index_release(&b->by_module);
	free(b->module);
}

static struct builds_module *module_of(struct builds *b, const struct frame *f)
{
	struct span name = span_basename(strtab_get(frames_strings(b->frames), f->module));
	uint64_t hash = hash_span(name);
	struct index_cursor c;
	uint32_t i;

	index_for_each (&b->by_module, hash, c, i)
		if (span_eq(b->module[i].name, name))
			return &b->module[i];
	ARRAY_GROW(b->module, b->n, b->cap);
	b->module[b->n] = (struct builds_module){ .name = name, .build = f->build };
	index_add(&b->by_module, hash, b->n);
	return &b->module[b->n++];
}

void builds_add(struct builds *b, frame_id frame, uint8_t side)
{
	const struct frame *f = frames_get(b->frames, frame);
	struct builds_module *m;

	if (!(f->flags & FRAME_FUNCTION))
		return;
	m = module_of(b, f);
	m->several |= m->build != f->build;
	m->sides |= side;
}

frame_id builds_shown(struct builds *b, frame_id frame)
{
	struct frame f = *frames_get(b->frames, frame);
	const struct builds_module *m;

	if (!(f.flags & FRAME_FUNCTION))
		return frame;
	m = module_of(b, &f);
	if (!m->several && m->sides == b->sides)
		return frame;
	f.flags &= (uint8_t)~FRAME_FUNCTION;
	f.address = 0;
	f.build = f.at_address ? f.build : 0;
	return frames_add(b->frames, &f);
}
