/*
 * action.h - the table of actions
 *
 * An action is a row: its name, what is written behind it, and what it does. Actions on single
 * frames say what becomes of a frame, so a run of them is asked once for each frame; actions on
 * stacks change the whole stack.
 *
 * Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_FILTER_ACTION_H
#define PERFOLD_FILTER_ACTION_H

#include "filter/match.h"

/* What stands behind the name. */
enum action_takes {
	TAKES_PATTERN,          /* [FIELD] /regex/ */
	TAKES_OPTIONAL_PATTERN, /* the same, or nothing */
	TAKES_REPLACEMENT,      /* [FIELD] s/regex/text/ */
	TAKES_LABEL,            /* [FIELD] /regex/ LABEL */
	TAKES_FILE,             /* the name of a filter */
};

/* What becomes of a frame. */
struct edit {
	bool matched; /* counts as a hit */
	bool gone;
};

struct action {
	const char *name;
	enum action_takes takes;
	unsigned fields; /* enum field_set */
	/* One of the two; both NULL: an action on the filter itself (include). */
	struct edit (*edit)(const struct rule *r, struct bench *b, struct frame *f);
	/* Returns the number of frames matched; 1 if it is about the stack as a whole. */
	uint32_t (*change)(struct match_memo *m, struct stack *s);
};

/* NULL if there is none of that name. */
const struct action *action_by_name(struct span name);
void action_put_names(struct buf *b);

static inline bool action_is_include(const struct action *a)
{
	return a->takes == TAKES_FILE;
}

#endif
