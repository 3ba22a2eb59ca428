/*
 * filter_action.h - the table of actions
 *
 * An action is a row: its name, its operands, and what it does. Actions on single frames say what
 * becomes of a frame, so a run of them is evaluated once for each frame; actions on stacks change
 * the whole stack.
 *
 * Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_FILTER_FILTER_ACTION_H
#define PERFOLD_FILTER_FILTER_ACTION_H

#include "filter/filter_match.h"

/* What follows the name. */
enum filter_operand {
	OPERAND_PATTERN,          /* [FIELD] /regex/ */
	OPERAND_OPTIONAL_PATTERN, /* the same, or nothing */
	OPERAND_REPLACEMENT,      /* [FIELD] s/regex/text/ */
	OPERAND_LABEL,            /* [FIELD] /regex/ LABEL */
	OPERAND_FILE,             /* the name of a filter */
};

/* What becomes of a frame. */
struct filter_edit {
	bool matched; /* counts as a hit */
	bool gone;
};

struct filter_action {
	const char *name;
	enum filter_operand operand;
	unsigned fields; /* enum filter_field_set */
	/* One of the two; both NULL: an action on the filter itself (include). */
	struct filter_edit (*edit)(
		const struct filter_rule *r, struct filter_match *b, struct frame *f);
	/* Returns the number of frames matched; 1 if it is about the stack as a whole. */
	uint32_t (*change)(struct filter_memo *m, struct stack *s);
};

/* NULL if there is none of that name. */
const struct filter_action *filter_action_find(struct span name);
void filter_action_put_names(struct buf *b);

/* Is it on the names that root frames show? */
static inline bool filter_action_names_roots(const struct filter_action *a)
{
	return a->operand == OPERAND_REPLACEMENT && a->change;
}

static inline bool filter_action_is_include(const struct filter_action *a)
{
	return a->operand == OPERAND_FILE;
}

#endif
