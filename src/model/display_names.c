#include "model/display_names.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

void display_names_init(struct display_names *s, const struct profile *p)
{
	*s = (struct display_names){ .p = p };
	s->number = xcalloc(frames_count(p->frames) + 1, sizeof(*s->number));
}

void display_names_release(struct display_names *s)
{
	free(s->number);
	free(s->names);
	index_release(&s->by_string);
	arena_release(&s->strings);
	buf_release(&s->scratch);
}

static uint32_t intern_name(struct display_names *s, struct span text)
{
	uint64_t hash = hash_span(text);
	struct index_cursor c;
	uint32_t i;

	index_for_each (&s->by_string, hash, c, i)
		if (span_eq(s->names[i], text))
			return i;
	ARRAY_GROW(s->names, s->n, s->cap);
	s->names[s->n] = (struct span){ arena_string(&s->strings, text.p, text.n), text.n };
	index_add(&s->by_string, hash, s->n);
	return s->n++;
}

uint32_t display_names_number(struct display_names *s, frame_id frame)
{
	if (!s->number[frame]) {
		s->scratch.n = 0;
		profile_put_name(s->p, frame, &s->scratch);
		s->number[frame] = intern_name(s, buf_span(&s->scratch)) + 1;
	}
	return s->number[frame] - 1;
}

struct span display_names_plain(struct span name)
{
	const char *end = name.p + name.n;

	if (name.n >= 4 && end[-4] == '_' && end[-3] == '[' && memchr("kwij", end[-2], 4) &&
		end[-1] == ']')
		name.n -= 4;
	return name;
}
