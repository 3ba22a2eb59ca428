/*
 * How waits for a CPU are found: one state for each thread, which marks move on in order of time.
 *
 *	               sched_switch, prev_state S, D, ...        sched_waking, sched_wakeup
 *	on its CPU ───────────────────────────────────► asleep ─────────────────────────────► ready
 *	    ▲  │       sched_switch, prev_state R                                             ▲  │
 *	    │  └──────────────────────────────────────────────────────────────────────────────┘  │
 *	    └─────────────────────────────────────────────────────────────────────────────────────┘
 *	           sched_switch with it as next_pid, or a record SWITCH: emits the duration
 *
 * A wake-up of a thread that is on its CPU means nothing: it was about to sleep, and did not. One
 * of a thread that was not seen yet counts, as it has begun, or slept since before the recording.
 *
 * Thread ids in fields are those of the first pid namespace. If perf was in another, they are of no
 * use: then only what the samples themselves say is left, being preempted and SWITCH.
 *
 * Cost: a look-up by hash for each thread that a mark names.
 */
#include "trace/run_queue.h"

#include "base/bisect.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/mem.h"
#include "trace/switch_log.h"

#include <stdlib.h>

enum { PREV_PID, PREV_STATE, NEXT_PID, NEXT_COMM, PID, FIELDS };
enum run_queue_role { NO_ROLE, SWITCHES, WAKES };

#define NO_MARK UINT32_MAX

enum run_queue_place { UNSEEN, ON_CPU, ASLEEP, READY };

struct run_queue_thread {
	int32_t tid;
	enum run_queue_place where;
	bool preempted;  /* READY, for that reason */
	uint32_t out;    /* mark of its last sched_switch; NO_MARK: none yet */
	uint32_t ready;  /* mark that made it READY */
	uint32_t number; /* 1 + that in the marks; 0: no switch is its own */
};

struct run_queue {
	struct durations *d;
	const struct recording *recording;
	const struct marks *marks;
	const struct spans_opts *opts;
	uint32_t first_thread;
	uint8_t *role;          /* by event */
	uint32_t field[FIELDS]; /* in the marks; MARK_FIELDS_MAX: none has it */
	bool has_wakes;         /* any mark wakes a thread */
	bool foreign;           /* ids in fields are of another namespace */
	bool *wanted;           /* by thread of the marks */
	str_id names[2];        /* woken, preempted */
	struct run_queue_thread *threads;
	uint32_t n_threads, cap_threads;
	struct index by_tid;
};

/* ---- marks -------------------------------------------------------------------------------- */

static bool get(const struct run_queue *q, const struct mark *m, uint32_t field, uint64_t *value)
{
	return q->field[field] < MARK_FIELDS_MAX &&
	       marks_value(q->marks, m, q->field[field], value);
}

/* A thread that a field names; 0: it does not, or the idle task. */
static int32_t get_tid(const struct run_queue *q, const struct mark *m, uint32_t field)
{
	uint64_t tid;

	if (q->foreign || !get(q, m, field, &tid) || marks_is_string(m, q->field[field]) ||
		tid >= SWITCH_TIDS_MAX)
		return 0;
	return (int32_t)tid;
}

static const struct timeline_thread *thread_of(const struct run_queue *q, const struct mark *m)
{
	return &q->marks->threads->threads[m->thread];
}

static enum run_queue_role role_of(const struct run_queue *q, const struct mark *m)
{
	return m->event < q->recording->n_events ? (enum run_queue_role)q->role[m->event] : NO_ROLE;
}

/* Could the thread that left have run on? */
static bool is_preempted(const struct run_queue *q, const struct mark *m)
{
	uint64_t state;

	if (!get(q, m, PREV_STATE, &state))
		return false;
	if (marks_is_string(m, q->field[PREV_STATE]))
		return span_starts(strtab_get(q->recording->strings, (str_id)state), SPAN("R"));
	return switch_log_state(state) == STATE_PREEMPTED;
}

static bool is_lost_between(const struct recording *r, uint64_t from_ns, uint64_t to_ns)
{
	size_t i = bisect(k, 0, r->n_gaps, r->gaps[k].to_ns > from_ns);

	return i < r->n_gaps && r->gaps[i].from_ns < to_ns;
}

/* ---- threads ------------------------------------------------------------------------------ */

static struct run_queue_thread *find_thread(struct run_queue *q, int32_t tid)
{
	uint64_t hash = hash_u64((uint32_t)tid);
	struct index_cursor c;
	uint32_t i;

	index_for_each (&q->by_tid, hash, c, i)
		if (q->threads[i].tid == tid)
			return &q->threads[i];
	ARRAY_GROW(q->threads, q->n_threads, q->cap_threads);
	q->threads[q->n_threads] = (struct run_queue_thread){ .tid = tid, .out = NO_MARK };
	index_add(&q->by_tid, hash, q->n_threads);
	return &q->threads[q->n_threads++];
}

/* Those of whom a switch was recorded, before any of them. */
static void find_threads(struct run_queue *q)
{
	size_t i;

	q->wanted = xcalloc(q->marks->threads->n_threads, sizeof(*q->wanted));
	for (i = 0; i < q->marks->n; i++) {
		const struct mark *m = &q->marks->mark[i];

		if (role_of(q, m) != SWITCHES && m->event != MARK_SWITCHED_IN)
			continue;
		q->wanted[m->thread] |= !m->unwanted;
		if (thread_of(q, m)->tid > 0)
			find_thread(q, thread_of(q, m)->tid)->number = m->thread + 1;
	}
}

/* Where only some threads were recorded, the others are seen by accident: when one of these woke
 * them, or came before them. */
static bool is_wanted(const struct run_queue *q, const struct run_queue_thread *t)
{
	if (t->out != NO_MARK)
		return !q->marks->mark[t->out].unwanted;
	return t->number && q->wanted[t->number - 1];
}

/* ---- durations ---------------------------------------------------------------------------- */

static void put_name(struct buf *b, const struct run_queue *q, const struct mark *m)
{
	const struct timeline_thread *t = thread_of(q, m);

	if (!t->tid) {
		buf_puts(b, "the idle task");
		return;
	}
	if (t->name)
		buf_put_span(b, strtab_get(q->recording->strings, t->name));
	buf_printf(b, "/%d", t->tid);
}

/* "preempted by a/12, after b/14" */
static str_id describe(struct run_queue *q, const struct run_queue_thread *t, const struct mark *in)
{
	const struct mark *ready = &q->marks->mark[t->ready];
	struct buf b = { 0 };
	uint64_t name;
	int32_t next;
	str_id text;

	if (!t->preempted) {
		buf_puts(&b, "by ");
		put_name(&b, q, ready);
	} else if ((next = get_tid(q, ready, NEXT_PID)) > 0) {
		buf_puts(&b, "by ");
		if (get(q, ready, NEXT_COMM, &name) && marks_is_string(ready, q->field[NEXT_COMM]))
			buf_put_span(&b, strtab_get(q->recording->strings, (str_id)name));
		buf_printf(&b, "/%d", next);
	}
	if (in->event != MARK_SWITCHED_IN) {
		buf_puts(&b, b.n ? ", after " : "after ");
		put_name(&b, q, in);
	}
	text = b.n ? strtab_add(q->recording->strings, buf_span(&b)) : 0;
	buf_release(&b);
	return text;
}

static void emit(struct run_queue *q, struct run_queue_thread *t, const struct mark *in)
{
	const struct mark *ready = &q->marks->mark[t->ready];
	struct duration d = { .from_ns = ready->time_ns,
		.duration_ns = in->time_ns - ready->time_ns,
		.stack = t->out != NO_MARK ? q->marks->mark[t->out].stack : MARK_NO_STACK };

	if (is_lost_between(q->recording, ready->time_ns, in->time_ns)) {
		q->d->left_out.lost++;
		return;
	}
	d.thread = q->first_thread +
		   (t->out != NO_MARK ? q->marks->mark[t->out].thread : t->number - 1);
	d.kind = durations_kind(q->d, q->names[t->preempted]);
	if (q->opts->describe)
		d.detail = describe(q, t, in);
	if (in->event != MARK_SWITCHED_IN)
		d.beside = in->stack;
	durations_add(q->d, &d);
}

static void come_in(struct run_queue *q, int32_t tid, const struct mark *m)
{
	struct run_queue_thread *t = find_thread(q, tid);

	if (t->where == READY && is_wanted(q, t))
		emit(q, t, m);
	else if (t->where == ASLEEP && q->has_wakes && is_wanted(q, t))
		q->d->left_out.unbegun++;
	t->where = ON_CPU;
}

static void leave(struct run_queue *q, const struct mark *m)
{
	struct run_queue_thread *t = find_thread(q, thread_of(q, m)->tid);

	if (t->where == READY && is_wanted(q, t))
		q->d->left_out.unended++;
	t->out = (uint32_t)(m - q->marks->mark);
	t->preempted = is_preempted(q, m);
	t->where = t->preempted ? READY : ASLEEP;
	t->ready = t->out;
}

static void wake(struct run_queue *q, int32_t tid, const struct mark *m)
{
	struct run_queue_thread *t = find_thread(q, tid);

	if (t->where != ASLEEP && t->where != UNSEEN)
		return;
	t->where = READY;
	t->preempted = false;
	t->ready = (uint32_t)(m - q->marks->mark);
}

static void apply(struct run_queue *q, const struct mark *m)
{
	enum run_queue_role role = role_of(q, m);
	int32_t tid;

	if (m->event == MARK_SWITCHED_IN) {
		if (thread_of(q, m)->tid > 0)
			come_in(q, thread_of(q, m)->tid, m);
	} else if (role == SWITCHES) {
		if (thread_of(q, m)->tid > 0)
			leave(q, m);
		tid = get_tid(q, m, NEXT_PID);
		if (tid > 0)
			come_in(q, tid, m);
	} else if (role == WAKES) {
		tid = get_tid(q, m, PID);
		if (tid > 0)
			wake(q, tid, m);
	}
}

/* ---- a recording -------------------------------------------------------------------------- */

static void find_fields(struct run_queue *q)
{
	static const char *const names[FIELDS] = { RUN_QUEUE_FIELDS };
	uint32_t i, k;

	for (i = 0; i < FIELDS; i++) {
		q->field[i] = MARK_FIELDS_MAX;
		for (k = 0; k < q->opts->fields->n; k++)
			if (strcmp(q->opts->fields->name[k], names[i]) == 0)
				q->field[i] = k;
	}
}

static void find_roles(struct run_queue *q)
{
	static const char *const wakes[] = { RUN_QUEUE_WAKES };
	uint32_t i, k;

	q->role = xcalloc(q->recording->n_events, sizeof(*q->role));
	for (i = 0; i < q->recording->n_events; i++) {
		struct span name = strtab_get(q->recording->strings, q->recording->events[i].name);

		if (span_eq(name, SPAN(RUN_QUEUE_SWITCH)))
			q->role[i] = SWITCHES;
		for (k = 0; k < ARRAY_LEN(wakes); k++)
			if (span_eq(name, span_of(wakes[k])))
				q->role[i] = WAKES;
	}
}

/* What all marks say together: is any thread woken; are their fields of perf's namespace? */
static void look_ahead(struct run_queue *q)
{
	uint64_t prev;
	size_t i;

	for (i = 0; i < q->marks->n; i++) {
		const struct mark *m = &q->marks->mark[i];
		enum run_queue_role role = role_of(q, m);

		q->has_wakes |= role == WAKES;
		if (role == SWITCHES && get(q, m, PREV_PID, &prev) &&
			prev != (uint64_t)thread_of(q, m)->tid)
			q->foreign = true;
	}
}

static void count_open(struct run_queue *q)
{
	uint32_t i;

	for (i = 0; i < q->n_threads; i++)
		if (q->threads[i].where == READY && is_wanted(q, &q->threads[i]))
			q->d->left_out.open++;
}

void run_queue_pair(struct durations *d, const struct recording *r, const struct marks *marks,
	uint32_t first_thread, const struct spans_opts *o)
{
	struct run_queue q = {
		.d = d, .recording = r, .marks = marks, .opts = o, .first_thread = first_thread
	};
	size_t i;

	q.names[false] = strtab_add_str(r->strings, "woken");
	q.names[true] = strtab_add_str(r->strings, "preempted");
	find_fields(&q);
	find_roles(&q);
	find_threads(&q);
	look_ahead(&q);
	for (i = 0; i < marks->n; i++)
		apply(&q, &marks->mark[i]);
	count_open(&q);
	index_release(&q.by_tid);
	free(q.threads);
	free(q.wanted);
	free(q.role);
}
