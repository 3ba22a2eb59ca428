/*
 * near_word.h - a word that was mistyped: which of several names was meant
 *
 *	near_word_is_near(SPAN("nodjs"), SPAN("nodejs"))	yes: a letter is missing
 *
 * Names are near if at most two letters differ, and a third of the word's: two letters make a short
 * word into another one.
 *
 * Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_BASE_NEAR_WORD_H
#define PERFOLD_BASE_NEAR_WORD_H

#include "base/span.h"

#include <stdbool.h>
#include <stddef.h>

bool near_word_is_near(struct span word, struct span name);

/* The nearest of several names. */
struct near_word {
	struct span word;
	size_t far; /* the nearest so far is less far than that */
};

struct near_word near_word_of(struct span word);
/* Is it near, and nearer than all before it? Of names that are as near, the first is. */
bool near_word_is_nearer(struct near_word *w, struct span name);

#endif
