/*
 * samples.h - what a worker does with the samples of a text: choose, count, put in order of time
 *
 * A format puts the frames of a sample one after the other, says whose it is, and ends it. When all
 * workers are finished, what they found is put into the recording.
 *
 * Owns: its tables; log, timeline and marks go over to the recording. Borrows: recording and rules.
 * Threads: each has its own; samples_hand_over() and samples_merge() when all are finished.
 */
#ifndef PERFOLD_INPUT_SAMPLES_H
#define PERFOLD_INPUT_SAMPLES_H

#include "base/mem.h"
#include "input/script_usage.h"
#include "model/recording.h"

struct samples {
	struct script_usage usage;
	struct stacklog *log;
	struct timeline *timeline; /* NULL: not wanted */
	struct marks *marks;       /* likewise */
	bool saw_chain;

	/* The stack being put. */
	uint64_t *entries;
	uint32_t n_entries, cap_entries;
};

void samples_init(struct samples *s, struct recording *r, const struct script_rules *rules);
void samples_release(struct samples *s);
/* Samples become marks: for a format whose events have fields. The values are put after
 * samples_add(). */
void samples_make_marks(struct samples *s);

/* A frame of the stack being put. */
static inline void samples_push(struct samples *s, site_id site)
{
	ARRAY_GROW(s->entries, s->n_entries, s->cap_entries);
	s->entries[s->n_entries++] = site;
}
/* The stack was put down innermost frame first. */
void samples_reverse(struct samples *s);
/* Count the stack being put for a sample that script_usage_take() took. */
void samples_add(struct samples *s, const struct script_sample *sample);

/* Hand logs, timelines and marks over to the recording, whether reading succeeded or not. */
void samples_hand_over(struct recording *r, struct samples *const *all, unsigned n);
/* Events, threads and facts of all workers; ERR_UNSUPPORTED as script_usage_check(). */
int samples_merge(struct recording *r, struct samples *const *all, unsigned n,
	const struct sample_choice *choice, struct err *e);

#endif
