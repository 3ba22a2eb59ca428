/*
 * text_log.h - what a worker does with the samples of a text: choose, count and log them
 *
 * A format pushes the frames of a sample one by one, says what the sample is (text_usage_count()),
 * and adds it. When all workers are finished, their logs go to the recording.
 *
 * Owns: its tables; log, timeline and marks go over to the recording. Borrows: recording and rules.
 * Threads: each has its own; text_log_hand_over() and text_log_merge() when all are finished.
 */
#ifndef PERFOLD_INPUT_TEXT_TEXT_LOG_H
#define PERFOLD_INPUT_TEXT_TEXT_LOG_H

#include "base/mem.h"
#include "input/text/text_usage.h"

struct text_log {
	struct text_usage usage;
	struct stacklog *log;
	struct timeline *timeline; /* NULL: not wanted */
	struct marks *marks;       /* likewise */
	bool saw_chain;
	str_id group_of, group; /* with opts->by_label: labels, and the value in them */

	/* The stack being pushed. */
	uint64_t *entries;
	uint32_t n_entries, cap_entries;
};

void text_log_init(struct text_log *s, struct recording *r, const struct text_rules *rules);
void text_log_release(struct text_log *s);
/* Samples become marks: for a format whose events have fields. The values are put after
 * text_log_add(). */
void text_log_make_marks(struct text_log *s);

static inline void text_log_push(struct text_log *s, site_id site)
{
	ARRAY_GROW(s->entries, s->n_entries, s->cap_entries);
	s->entries[s->n_entries++] = site;
}
/* For a stack that was pushed innermost frame first. */
void text_log_reverse(struct text_log *s);
/* Adds the stack that was pushed, for a sample that text_usage_count() wants. */
void text_log_add(struct text_log *s, const struct text_counted *sample);

/* Moves logs, timelines and marks to the recording, whether reading succeeded or not. */
void text_log_hand_over(struct recording *r, struct text_log *const *all, unsigned n);
/* Events, threads and facts of all workers; ERR_UNSUPPORTED as text_usage_check(). */
int text_log_merge(struct recording *r, struct text_log *const *all, unsigned n,
	const struct sample_choice *choice, struct err *e);

#endif
