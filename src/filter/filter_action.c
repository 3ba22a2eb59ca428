/*
 * How actions work: an edit is given a copy of a frame and says whether it matched and whether it
 * is gone; what it did to the copy holds for all frames of that number (filter_worker.c). A change
 * is given a stack, outermost frame first, and works in place: n counts what was kept so far, and
 * never overtakes i.
 *
 * A new action is a function and a row in actions[]; the parser, the list in error messages and
 * scripts/check-man.sh read that table.
 */
#include "filter/filter_action.h"

#include "base/mem.h"

static struct filter_edit edit_drop(
	const struct filter_rule *r, struct filter_match *b, struct frame *f)
{
	bool matched = filter_match_rule(r, b, f);

	return (struct filter_edit){ .matched = matched, .gone = matched };
}

static struct filter_edit edit_keep(
	const struct filter_rule *r, struct filter_match *b, struct frame *f)
{
	bool matched = filter_match_rule(r, b, f);

	return (struct filter_edit){ .matched = matched, .gone = !matched };
}

static struct filter_edit edit_rename(
	const struct filter_rule *r, struct filter_match *b, struct frame *f)
{
	struct span text = filter_field_of_frame(r->field, f, b->strings, &b->scratch), result;

	/* A name that would become empty is kept: an empty name means that there is none. */
	if (!pattern_replace(r->pattern, b->matcher, text, &result) || !result.n)
		return (struct filter_edit){ 0 };
	if (!span_eq(text, result))
		*filter_field_in_frame(r->field, f) = strtab_add(b->strings, result);
	return (struct filter_edit){ .matched = true };
}

static struct filter_edit edit_category(
	const struct filter_rule *r, struct filter_match *b, struct frame *f)
{
	if (!filter_match_rule(r, b, f))
		return (struct filter_edit){ 0 };
	f->category = r->category;
	return (struct filter_edit){ .matched = true };
}

static bool stack_matches(struct filter_memo *m, const struct stack *s)
{
	if (filter_field_in(m->rule->field, FIELDS_ROOT))
		return filter_match_memo_root(m, s->root);
	return filter_match_memo_first(m, s) < s->n;
}

static uint32_t change_drop_stack(struct filter_memo *m, struct stack *s)
{
	s->dropped = stack_matches(m, s);
	return s->dropped;
}

static uint32_t change_keep_stack(struct filter_memo *m, struct stack *s)
{
	s->dropped = !stack_matches(m, s);
	return !s->dropped;
}

/* Counts: root frames are made of filter_worker_root_name(). */
static uint32_t change_rename_root(struct filter_memo *m, struct stack *s)
{
	return filter_match_memo_root(m, s->root);
}

static uint32_t change_group(struct filter_memo *m, struct stack *s)
{
	uint32_t i, n = 0, hits = 0;
	bool in_run = false;

	for (i = 0; i < s->n; i++) {
		bool matched = filter_match_memo_frame(m, s->frames[i]);

		if (!matched)
			s->frames[n++] = s->frames[i];
		else if (!in_run)
			s->frames[n++] = m->rule->label_frame;
		hits += matched;
		in_run = matched;
	}
	s->n = n;
	return hits;
}

static uint32_t change_label(struct filter_memo *m, struct stack *s)
{
	uint32_t first = filter_match_memo_first(m, s);

	if (first == s->n)
		return 0;
	s->frames[first] = m->rule->label_frame;
	s->n = first + 1;
	return 1;
}

static uint32_t change_root(struct filter_memo *m, struct stack *s)
{
	uint32_t first = filter_match_memo_first(m, s);

	if (first == s->n)
		return 0;
	s->n -= first;
	memmove(s->frames, s->frames + first, s->n * sizeof(*s->frames));
	return 1;
}

static uint32_t change_leaf(struct filter_memo *m, struct stack *s)
{
	uint32_t first = filter_match_memo_first(m, s);

	if (first == s->n)
		return 0;
	s->n = first + 1;
	return 1;
}

/* The same function to a reader: its tiers, and copies of it that were inlined, count as one. */
static bool same_function(const struct frames *t, frame_id a, frame_id b)
{
	const struct frame *f, *g;

	if (a == b)
		return true;
	f = frames_get(t, a);
	g = frames_get(t, b);
	return f->name && f->name == g->name && f->module == g->module && f->file == g->file &&
	       f->line == g->line && f->column == g->column;
}

static uint32_t change_fold(struct filter_memo *m, struct stack *s)
{
	uint32_t i, n = 0;

	for (i = 0; i < s->n; i++) {
		if (!n || !same_function(m->bench->frames, s->frames[n - 1], s->frames[i]) ||
			!filter_match_memo_frame(m, s->frames[i]))
			s->frames[n++] = s->frames[i];
	}
	i = s->n - n;
	s->n = n;
	return i;
}

/* clang-format off: a table */
static const struct filter_action actions[] = {
	{ "drop", OPERAND_PATTERN, FIELDS_FRAME, edit_drop, NULL },
	{ "keep", OPERAND_PATTERN, FIELDS_FRAME, edit_keep, NULL },
	{ "drop-stack", OPERAND_PATTERN, FIELDS_ALL, NULL, change_drop_stack },
	{ "keep-stack", OPERAND_PATTERN, FIELDS_ALL, NULL, change_keep_stack },
	{ "rename", OPERAND_REPLACEMENT, FIELDS_TEXT, edit_rename, NULL },
	{ "rename-root", OPERAND_REPLACEMENT, FIELDS_ROOT, NULL, change_rename_root },
	{ "group", OPERAND_LABEL, FIELDS_FRAME, NULL, change_group },
	{ "label", OPERAND_LABEL, FIELDS_FRAME, NULL, change_label },
	{ "root", OPERAND_PATTERN, FIELDS_FRAME, NULL, change_root },
	{ "leaf", OPERAND_PATTERN, FIELDS_FRAME, NULL, change_leaf },
	{ "fold-recursion", OPERAND_OPTIONAL_PATTERN, FIELDS_FRAME, NULL, change_fold },
	{ "category", OPERAND_LABEL, FIELDS_FRAME, edit_category, NULL },
	{ "include", OPERAND_FILE, FIELDS_NONE, NULL, NULL },
};
/* clang-format on */

const struct filter_action *filter_action_find(struct span name)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(actions); i++)
		if (span_eq(name, span_of(actions[i].name)))
			return &actions[i];
	return NULL;
}

void filter_action_put_names(struct buf *b)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(actions); i++) {
		buf_puts(b, i ? ", " : "");
		buf_puts(b, actions[i].name);
	}
}
