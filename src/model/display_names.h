/*
 * display_names.h - the names of a profile's frames as they are shown, each string once
 *
 * Owns: the strings. Threads: each has its own.
 */
#ifndef PERFOLD_MODEL_DISPLAY_NAMES_H
#define PERFOLD_MODEL_DISPLAY_NAMES_H

#include "base/arena.h"
#include "base/index.h"
#include "model/profile.h"

struct display_names {
	const struct profile *p; /* borrowed */
	uint32_t *number; /* by frame_id: the number of its name, plus 1; 0: not yet computed */
	struct span *names;
	uint32_t n, cap;
	struct index by_string;
	struct arena strings;
	struct buf scratch;
};

void display_names_init(struct display_names *s, const struct profile *p);
void display_names_release(struct display_names *s);

/* The number of a frame's name; frames with equal names have the same. */
uint32_t display_names_number(struct display_names *s, frame_id frame);

static inline struct span display_names_get(const struct display_names *s, uint32_t number)
{
	return s->names[number];
}

/* A name without the annotation _[k], _[w], _[i] or _[j] at its end. */
struct span display_names_plain(struct span name);

#endif
