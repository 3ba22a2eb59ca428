#include "trace/switches.h"

#include "base/hash.h"
#include "base/index.h"
#include "base/mem.h"
#include "base/search.h"
#include "trace/rowmerge.h"

#include <stdlib.h>

enum { WHATS_MAX = 1 << 28 };

enum switch_state switch_state_of(uint64_t prev_state)
{
	static const uint8_t of_bit[] = { STATE_INTERRUPTIBLE, STATE_DISK, STATE_STOPPED,
		STATE_STOPPED, STATE_ENDED, STATE_ENDED, STATE_OTHER, STATE_OTHER };
	uint64_t known = prev_state & ((1u << sizeof(of_bit)) - 1);

	return known ? (enum switch_state)of_bit[__builtin_ctzll(known)] : STATE_PREEMPTED;
}

const char *switch_state_name(enum switch_state s)
{
	static const char *const names[STATE_COUNT] = { "blocked", "interruptible", "disk",
		"preempted", "stopped", "other", "ended" };

	return names[s];
}

uint32_t switch_log_add_what(struct switch_log *l, const struct switch_what *what)
{
	if (l->n_whats == WHATS_MAX)
		return SWITCH_NO_WHAT;
	ARRAY_GROW(l->whats, l->n_whats, l->cap_whats);
	l->kinds |= 1u << what->kind;
	l->whats[l->n_whats] = *what;
	return l->n_whats++;
}

void switch_log_begin_stretch(struct switch_log *l, size_t row, uint64_t begin_ns)
{
	ARRAY_GROW(l->stretches, l->n_stretches, l->cap_stretches);
	l->stretches[l->n_stretches++] = (struct switch_stretch){ begin_ns, (uint32_t)row };
	l->begin_ns = begin_ns;
}

/* From then on there is a scene of each number in recent. */
static void begin_scenes(struct switch_log *l, uint32_t what, const struct switch_seen *s)
{
	l->recent = xcalloc((size_t)1 << SWITCH_RECENT_BITS, sizeof(*l->recent));
	switch_log_add_scene(l, switch_scene_of(what, s->other_tid, s->cpu));
}

void switch_log_make_way(struct switch_log *l, uint32_t what, const struct switch_seen *s)
{
	struct row_point last, next = { .time_ns = s->time_ns };
	bool backward = false;

	ARRAY_GROW_FAR(l->rows, l->n, l->cap, SIZE_MAX);
	if (!l->recent)
		begin_scenes(l, what, s);
	if (l->n) {
		last = row_point(l, l->begin_ns, l->n - 1);
		next.scene = switch_log_scene(l, switch_scene_of(what, s->other_tid, s->cpu));
		backward = switch_row_is_after(l, &last, l, &next);
		if (!backward && s->time_ns - l->begin_ns <= UINT32_MAX)
			return;
	}
	l->n_backward += backward;
	switch_log_begin_stretch(l, l->n, s->time_ns);
}

uint32_t switch_log_add_scene(struct switch_log *l, union switch_scene scene)
{
	ARRAY_GROW(l->scenes, l->n_scenes, l->cap_scenes);
	l->scenes[l->n_scenes] = scene;
	return l->n_scenes++;
}

void switch_log_set_what(struct switch_log *l, size_t row, uint32_t what)
{
	union switch_scene s = l->scenes[l->rows[row].scene];

	s.what = what;
	l->rows[row].scene = switch_log_scene(l, s);
}

size_t switch_log_stretch(const struct switch_log *l, size_t row)
{
	return search_first(i, 0, l->n_stretches, l->stretches[i].row > row) - 1;
}

size_t switch_log_stretch_end(const struct switch_log *l, size_t stretch)
{
	return stretch + 1 < l->n_stretches ? l->stretches[stretch + 1].row : l->n;
}

void switch_log_release(struct switch_log *l)
{
	free(l->rows);
	free(l->whats);
	free(l->scenes);
	free(l->recent);
	free(l->stretches);
	*l = (struct switch_log){ 0 };
}

/* ---- the threads -------------------------------------------------------------------------- */

/* A row of a log. */
struct row_at {
	const struct switch_what *what; /* NULL: none */
	uint64_t time_ns;
	uint32_t log;
	int32_t cpu;
};

/* What every row looks at comes first. */
struct switches_thread {
	int32_t tid;
	bool off, seen;      /* off its processor; anything is known of it */
	bool told;           /* some of what ran was */
	struct row_at out;   /* where off: the row that says so */
	struct row_at waker; /* the first that woke it since */
	struct row_at ran;   /* its last sample while it ran */
	uint64_t since_ns;   /* on its processor, and not told of */
	uint64_t before_ns;  /* that it ran before its first sample */
	struct row_at first; /* where the join is a part: the first that tells of it */
};

enum { SEEN_SLOTS = 1024 };

struct join {
	const struct switches_opts *opts;
	bool shared; /* among some: threads that are not of this share are left out */
	bool runs;   /* what threads ran is told, too */
	struct switch_log *logs;
	unsigned n_logs;
	struct switches_counts *counts;
	switches_take take;
	void *ctx;
	struct switches_thread *threads;
	uint32_t n_threads, cap_threads;
	uint64_t last_ns;
	struct index by_tid;
	uint32_t seen[SEEN_SLOTS]; /* thread with the last digits of the place, seen last */
};

static uint32_t look_up_thread(struct join *j, int32_t tid)
{
	uint64_t hash = hash_u64((uint32_t)tid);
	struct index_cursor c;
	uint32_t i;

	index_for_each (&j->by_tid, hash, c, i)
		if (j->threads[i].tid == tid)
			return i;
	ARRAY_GROW(j->threads, j->n_threads, j->cap_threads);
	j->threads[j->n_threads] = (struct switches_thread){ .tid = tid };
	index_add(&j->by_tid, hash, j->n_threads);
	return j->n_threads++;
}

static inline struct switches_thread *find_thread(struct join *j, int32_t tid)
{
	uint32_t *seen = &j->seen[(uint32_t)tid % SEEN_SLOTS];

	if (*seen >= j->n_threads || j->threads[*seen].tid != tid)
		*seen = look_up_thread(j, tid);
	return &j->threads[*seen];
}

/* ---- pieces ------------------------------------------------------------------------------- */

static bool is_lost_between(const struct switches_opts *o, uint64_t from_ns, uint64_t to_ns)
{
	/* The first that ends behind from; ranges do not overlap. */
	size_t low = search_first(i, 0, o->n_lost, o->lost[i].to_ns > from_ns);

	return low < o->n_lost && o->lost[low].from_ns < to_ns;
}

/* Were records lost between the two? */
static inline bool is_lost(const struct switches_opts *o, uint64_t from_ns, uint64_t to_ns)
{
	return o->n_lost && is_lost_between(o, from_ns, to_ns);
}

static bool is_wanted_length(const struct switches_opts *o, uint64_t ns)
{
	return ns && ns >= o->min_ns && (!o->max_ns || ns <= o->max_ns);
}

/* What lies within the time that is wanted. */
static bool is_wanted_time(const struct switches_opts *o, struct time_range *when)
{
	if (when->from_ns < o->wanted.from_ns)
		when->from_ns = o->wanted.from_ns;
	if (when->to_ns > o->wanted.to_ns)
		when->to_ns = o->wanted.to_ns;
	return when->from_ns < when->to_ns;
}

/* True where there was something to tell. */
static inline bool tell(struct join *j, const struct row_at *at, const struct row_at *waker,
	struct time_range when, bool again)
{
	struct switches_piece piece;

	if (at->what->thread == UINT32_MAX || !is_wanted_time(j->opts, &when))
		return false;
	if (at->what->kind == SWITCH_OUT) {
		if (!is_wanted_length(j->opts, when.to_ns - when.from_ns))
			return false;
		j->counts->blocked++;
	}
	piece.what = at->what;
	piece.waker = waker->what;
	piece.log = at->log;
	piece.waker_log = waker->log;
	piece.cpu = at->cpu;
	piece.from_ns = when.from_ns;
	piece.duration_ns = when.to_ns - when.from_ns;
	piece.again = again;
	j->take(j->ctx, &piece);
	return true;
}

static void drop(struct join *j, const struct switches_thread *t, uint64_t *count, uint64_t to_ns)
{
	if (t->out.what->thread == UINT32_MAX)
		return;
	++*count;
	j->counts->dropped_ns += to_ns - t->out.time_ns;
}

static inline void note_first(struct switches_thread *t, const struct row_at *at)
{
	if (!t->first.what)
		t->first = *at;
}

/* On its processor. */
static inline void be_seen(const struct join *j, struct switches_thread *t, uint64_t at_ns)
{
	if (j->runs && (t->off || !t->seen))
		t->since_ns = at_ns;
	t->off = false;
	t->seen = true;
}

/* It is known to be back. */
static inline __attribute__((always_inline)) void come_back(
	struct join *j, struct switches_thread *t, const struct row_at *at)
{
	uint64_t at_ns = at->time_ns, from_ns = t->out.time_ns;

	if (t->off) {
		if (is_lost(j->opts, from_ns, at_ns))
			drop(j, t, &j->counts->lost, at_ns);
		else
			tell(j, &t->out, &t->waker, (struct time_range){ from_ns, at_ns }, false);
	}
	be_seen(j, t, at_ns);
	note_first(t, at);
}

/* It is running though it was away: when it came back is not known. */
static inline void be_there(struct join *j, struct switches_thread *t, uint64_t at_ns)
{
	if (t->off)
		drop(j, t, &j->counts->unended, at_ns);
	be_seen(j, t, at_ns);
}

/* What it has run since, to the sample taken last. */
static inline void tell_run(struct join *j, struct switches_thread *t, uint64_t to_ns)
{
	if (!t->ran.what) {
		t->before_ns += to_ns - t->since_ns;
	} else {
		static const struct row_at nobody;

		t->told |= tell(j, &t->ran, &nobody,
			(struct time_range){ t->since_ns - t->before_ns, to_ns }, t->told);
		t->before_ns = 0;
	}
	t->since_ns = to_ns;
}

static inline __attribute__((always_inline)) void leave(
	struct join *j, struct switches_thread *t, const struct row_at *at)
{
	be_there(j, t, at->time_ns);
	if (j->runs)
		tell_run(j, t, at->time_ns);
	t->off = at->what->state != STATE_ENDED;
	t->seen = t->off;
	t->out = *at;
	t->waker.what = NULL;
	note_first(t, at);
}

static void run(struct join *j, struct switches_thread *t, const struct row_at *at)
{
	be_there(j, t, at->time_ns);
	t->ran = *at;
	t->told = false;
	tell_run(j, t, at->time_ns);
}

/* Is it a thread, of this share? */
static inline bool is_mine(const struct join *j, int32_t tid)
{
	return tid > 0 && (!j->shared || (uint32_t)tid % j->opts->shares == j->opts->share);
}

static inline __attribute__((always_inline)) void take_row(
	struct join *j, const struct row_at *at, int32_t other_tid)
{
	int32_t tid = at->what->tid;
	struct switches_thread *t;

	switch (at->what->kind) {
	case SWITCH_IN:
		if (is_mine(j, tid))
			come_back(j, find_thread(j, tid), at);
		break;
	case SWITCH_OUT:
		if (is_mine(j, tid))
			leave(j, find_thread(j, tid), at);
		if (is_mine(j, other_tid))
			come_back(j, find_thread(j, other_tid), at);
		break;
	case SWITCH_WAKE:
		if (!is_mine(j, other_tid))
			break;
		t = find_thread(j, other_tid);
		if (t->off && !t->waker.what)
			t->waker = *at;
		break;
	case SWITCH_RAN:
		if (is_mine(j, tid))
			run(j, find_thread(j, tid), at);
		break;
	}
}

static void finish(struct join *j)
{
	uint32_t i;

	for (i = 0; i < j->n_threads; i++) {
		struct switches_thread *t = &j->threads[i];

		if (t->off)
			j->counts->open += t->out.what->thread != UINT32_MAX;
		else if (t->seen && j->runs)
			tell_run(j, t, j->last_ns);
	}
}

static void take_rows(struct join *j, const struct time_stretch *when)
{
	struct row_batch b;
	struct row_merge m;
	uint32_t i;

	row_merge_init(&m, j->logs, j->n_logs, when);
	while (row_merge_next(&m, &b)) {
		const struct switch_log *l = &j->logs[b.log];

		for (i = b.from; i < b.to; i++) {
			union switch_scene scene = l->scenes[l->rows[i].scene];
			const struct row_at at = { &l->whats[scene.what],
				b.begin_ns + l->rows[i].after_ns, b.log, (int32_t)scene.cpu };

			take_row(j, &at, (int32_t)scene.other_tid);
		}
		j->last_ns = b.begin_ns + l->rows[b.to - 1].after_ns;
	}
	row_merge_release(&m);
}

static void release(struct join *j)
{
	free(j->threads);
	index_release(&j->by_tid);
}

static struct join join_of(struct switch_log *logs, unsigned n, const struct switches_opts *o,
	struct switches_counts *counts)
{
	struct join j = {
		.opts = o, .shared = o->shares > 1, .logs = logs, .n_logs = n, .counts = counts
	};
	unsigned i;

	for (i = 0; i < n; i++)
		j.runs |= logs[i].kinds >> SWITCH_RAN & 1;
	*counts = (struct switches_counts){ 0 };
	return j;
}

void switches_join(struct switch_log *logs, unsigned n, const struct switches_opts *o,
	struct switches_counts *counts, switches_take take, void *ctx)
{
	struct join j = join_of(logs, n, o, counts);

	j.take = take;
	j.ctx = ctx;
	take_rows(&j, &(struct time_stretch){ .to_the_end = true });
	finish(&j);
	release(&j);
}

/* ---- parts -------------------------------------------------------------------------------- */

enum { LOOKS = 256 /* at each log, to see how many rows there are when */ };

struct switches_parts {
	struct switch_log *logs; /* borrowed */
	unsigned n_logs, n;
	const struct switches_opts *opts; /* borrowed */
	struct part {
		struct time_stretch when;
		struct join join; /* as if nothing had been before */
		struct switches_counts counts;
	} * part;
};

static int compare_times(const void *pa, const void *pb)
{
	const uint64_t *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

static uint64_t time_of_row(const struct switch_log *l, size_t row)
{
	return l->stretches[switch_log_stretch(l, row)].begin_ns + l->rows[row].after_ns;
}

/* Times of rows that lie about evenly among all, in order. */
static size_t look_at_times(const struct switch_log *logs, unsigned n, uint64_t *times)
{
	size_t n_times = 0, i, k, rows = 0;

	for (i = 0; i < n; i++)
		rows += logs[i].n;
	for (i = 0; i < n; i++)
		for (k = 0; k < logs[i].n; k += rows / LOOKS + 1)
			times[n_times++] = time_of_row(&logs[i], k);
	if (n_times)
		qsort(times, n_times, sizeof(*times), compare_times);
	return n_times;
}

static void cut(struct switches_parts *p)
{
	uint64_t *times = xcalloc(LOOKS + p->n_logs, sizeof(*times)), from_ns = 0;
	size_t n_times = look_at_times(p->logs, p->n_logs, times);
	unsigned i;

	for (i = 0; i < p->n; i++) {
		struct part *part = &p->part[i];

		part->when = (struct time_stretch){ .from_ns = from_ns };
		part->when.to_the_end = i + 1 == p->n || !n_times;
		if (!part->when.to_the_end)
			from_ns = part->when.to_ns = times[n_times * (i + 1) / p->n];
		part->join = join_of(p->logs, p->n_logs, p->opts, &part->counts);
		if (part->when.to_the_end)
			p->n = i + 1;
	}
	free(times);
}

struct switches_parts *switches_cut(
	struct switch_log *logs, unsigned n, const struct switches_opts *o, unsigned n_parts)
{
	struct switches_parts *p;
	unsigned i;

	for (i = 0; i < n; i++)
		if (logs[i].kinds & ~(1u << SWITCH_OUT | 1u << SWITCH_IN))
			return NULL;
	p = xcalloc(1, sizeof(*p));
	*p = (struct switches_parts){ logs, n, n_parts ? n_parts : 1, o, NULL };
	p->part = xcalloc(p->n, sizeof(*p->part));
	cut(p);
	return p;
}

unsigned switches_part_count(const struct switches_parts *p)
{
	return p->n;
}

void switches_join_part(struct switches_parts *p, unsigned part, switches_take take, void *ctx)
{
	struct part *of = &p->part[part];

	of->join.take = take;
	of->join.ctx = ctx;
	take_rows(&of->join, &of->when);
}

/* The first row in the part ends what began before it; from there on the part knows all. */
static void go_on(struct join *whole, const struct switches_thread *t)
{
	struct switches_thread *before = find_thread(whole, t->tid);

	if (t->first.what->kind == SWITCH_OUT && t->first.what->tid == t->tid)
		leave(whole, before, &t->first);
	else
		come_back(whole, before, &t->first);
	before->off = t->off;
	before->seen = t->seen;
	before->out = t->out;
}

static void add_counts(struct switches_counts *to, const struct switches_counts *c)
{
	to->blocked += c->blocked;
	to->lost += c->lost;
	to->unended += c->unended;
	to->open += c->open;
	to->dropped_ns += c->dropped_ns;
}

void switches_join_ends(
	struct switches_parts *p, struct switches_counts *counts, switches_take take, void *ctx)
{
	struct join whole = join_of(p->logs, p->n_logs, p->opts, counts);
	unsigned i;
	uint32_t k;

	whole.take = take;
	whole.ctx = ctx;
	for (i = 0; i < p->n; i++) {
		struct part *part = &p->part[i];

		for (k = 0; k < part->join.n_threads; k++)
			go_on(&whole, &part->join.threads[k]);
		add_counts(counts, &part->counts);
		release(&part->join);
	}
	finish(&whole);
	release(&whole);
	free(p->part);
	free(p);
}
