/*
 * How the log is filled: a transition that was seen lately is found by hash among 4096 recent ones,
 * so that most rows add 8 bytes and nothing else; one that is not found there is added again, which
 * costs memory only.
 *
 * A row that is not later than the last is compared with it in full; if it belongs before, or is
 * 2^32 ns after the begin of its run, a run begins. Rows are counted that go backward:
 * switch_merge.c sorts a log with many of them.
 */
#include "trace/switch_log.h"

#include "base/mem.h"
#include "base/bisect.h"

#include <stdlib.h>

enum { CLASSES_MAX = 1 << 28, RECENT_BITS = 12 };

enum switch_state switch_log_state(uint64_t prev_state)
{
	static const uint8_t of_bit[] = { STATE_INTERRUPTIBLE, STATE_DISK, STATE_STOPPED,
		STATE_STOPPED, STATE_ENDED, STATE_ENDED, STATE_OTHER, STATE_OTHER };
	uint64_t known = prev_state & ((1u << sizeof(of_bit)) - 1);

	return known ? (enum switch_state)of_bit[__builtin_ctzll(known)] : STATE_PREEMPTED;
}

uint32_t switch_log_add_class(struct switch_log *l, const struct switch_class *class)
{
	if (l->n_classes == CLASSES_MAX)
		return SWITCH_NO_CLASS;
	ARRAY_GROW(l->classes, l->n_classes, l->cap_classes);
	l->kinds |= 1u << class->kind;
	l->classes[l->n_classes] = *class;
	return l->n_classes++;
}

static uint32_t add_transition(struct switch_log *l, union switch_transition t)
{
	ARRAY_GROW(l->transitions, l->n_transitions, l->cap_transitions);
	l->transitions[l->n_transitions] = t;
	return l->n_transitions++;
}

/* Its number, if it was seen lately; else a new one. */
static inline uint32_t find_transition(struct switch_log *l, union switch_transition t)
{
	/* The upper bits of a product depend on all of what was multiplied. */
	uint64_t hash = t.all * 0x9e3779b97f4a7c15u;
	uint32_t *recent = &l->recent[hash >> (64 - RECENT_BITS)];

	if (l->transitions[*recent].all != t.all)
		*recent = add_transition(l, t);
	return *recent;
}

void switch_log_begin_run(struct switch_log *l, size_t row, uint64_t begin_ns)
{
	ARRAY_GROW(l->runs, l->n_runs, l->cap_runs);
	l->runs[l->n_runs++] = (struct switch_run){ begin_ns, (uint32_t)row };
	l->begin_ns = begin_ns;
}

/* A row that is not later than the last, or far from its begin, may begin a run. It is called for
 * few rows, and kept out of what is done for all. */
static __attribute__((noinline)) void check_run(
	struct switch_log *l, uint64_t time_ns, uint32_t transition)
{
	struct switch_point next = { time_ns, transition };
	bool backward = false;

	if (l->n) {
		struct switch_point last = switch_log_point(l, l->begin_ns, l->n - 1);

		backward = switch_log_is_after(l, &last, l, &next);
		if (!backward && time_ns - l->begin_ns <= UINT32_MAX)
			return;
	}
	l->n_backward += backward;
	switch_log_begin_run(l, l->n, time_ns);
}

/* The numbers in recent, all 0 at first, are those of transitions that exist. */
static void begin(struct switch_log *l, union switch_transition first)
{
	l->recent = xcalloc((size_t)1 << RECENT_BITS, sizeof(*l->recent));
	add_transition(l, first);
}

void switch_log_add(struct switch_log *l, uint32_t class, const struct switch_seen *s)
{
	union switch_transition t = {
		{ .class = class, .other_tid = s->other_tid, .cpu = s->cpu }
	};
	uint32_t transition;

	if (class == SWITCH_NO_CLASS)
		return;
	if (!l->recent)
		begin(l, t);
	transition = find_transition(l, t);
	if (s->time_ns <= l->last_ns || s->time_ns - l->begin_ns > UINT32_MAX || !l->n)
		check_run(l, s->time_ns, transition);
	ARRAY_GROW_FAR(l->rows, l->n, l->cap, SIZE_MAX);
	l->rows[l->n++] = (struct switch_row){ (uint32_t)(s->time_ns - l->begin_ns), transition };
	l->last_ns = s->time_ns;
}

void switch_log_set_class(struct switch_log *l, size_t row, uint32_t class)
{
	union switch_transition t = l->transitions[l->rows[row].transition];

	t.class = class;
	l->rows[row].transition = find_transition(l, t);
}

size_t switch_log_run_of(const struct switch_log *l, size_t row)
{
	return bisect(i, 0, l->n_runs, l->runs[i].row > row) - 1;
}

size_t switch_log_run_end(const struct switch_log *l, size_t run)
{
	return run + 1 < l->n_runs ? l->runs[run + 1].row : l->n;
}

static bool is_after_at_same_time(const struct switch_log *la, const struct switch_point *a,
	const struct switch_log *lb, const struct switch_point *b)
{
	union switch_transition ta = la->transitions[a->transition];
	union switch_transition tb = lb->transitions[b->transition];
	const struct switch_class *ca = &la->classes[ta.class], *cb = &lb->classes[tb.class];

	if (ca->kind != cb->kind)
		return ca->kind > cb->kind;
	if (ca->tid != cb->tid)
		return ca->tid > cb->tid;
	return ta.other_tid > tb.other_tid;
}

bool switch_log_is_after(const struct switch_log *la, const struct switch_point *a,
	const struct switch_log *lb, const struct switch_point *b)
{
	if (a->time_ns != b->time_ns)
		return a->time_ns > b->time_ns;
	return is_after_at_same_time(la, a, lb, b);
}

void switch_log_release(struct switch_log *l)
{
	free(l->rows);
	free(l->classes);
	free(l->transitions);
	free(l->recent);
	free(l->runs);
	*l = (struct switch_log){ 0 };
}
