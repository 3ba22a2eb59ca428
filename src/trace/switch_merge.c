#include "trace/switch_merge.h"

#include "base/mem.h"
#include "base/bisect.h"
#include "base/sort.h"

#include <stdlib.h>

/* A log with fewer rows to a stretch is in disorder. */
enum { RUN_ROWS_MIN = 16 };

bool switch_merge_is_after_at_same_time(const struct switch_log *la,
	const struct switch_log_point *a, const struct switch_log *lb,
	const struct switch_log_point *b)
{
	union switch_scene sa = la->scenes[a->scene], sb = lb->scenes[b->scene];
	const struct switch_class *wa = &la->classes[sa.what], *wb = &lb->classes[sb.what];

	if (wa->kind != wb->kind)
		return wa->kind > wb->kind;
	if (wa->tid != wb->tid)
		return wa->tid > wb->tid;
	return sa.other_tid > sb.other_tid;
}

/* ---- stretches ---------------------------------------------------------------------------- */

/* The first of the rows from..to of a stretch that is not before the time. */
static size_t find_time(
	const struct switch_log *l, uint64_t begin_ns, size_t from, size_t to, uint64_t time_ns)
{
	return bisect(i, from, to, begin_ns + l->rows[i].after_ns >= time_ns);
}

static void add_run(
	struct switch_merge *m, unsigned log, size_t stretch, const struct time_stretch *when)
{
	const struct switch_log *l = &m->logs[log];
	uint64_t begin_ns = l->stretches[stretch].begin_ns;
	size_t to = switch_log_stretch_end(l, stretch);
	size_t from = find_time(l, begin_ns, l->stretches[stretch].row, to, when->from_ns);

	if (!when->to_the_end)
		to = find_time(l, begin_ns, from, to, when->to_ns);
	if (from == to)
		return;
	ARRAY_GROW(m->runs, m->n_runs, m->cap_runs);
	m->runs[m->n_runs++] =
		(struct switch_merge_run){ begin_ns, log, (uint32_t)from, (uint32_t)to };
}

static int compare_times(const void *pa, const void *pb)
{
	const struct switch_log_point *a = pa, *b = pb;

	return (a->time_ns > b->time_ns) - (a->time_ns < b->time_ns);
}

static int compare_points(const void *a, const void *b, void *log)
{
	return switch_merge_is_after(log, a, log, b) - switch_merge_is_after(log, b, log, a);
}

/* Sorts by time in place, then those of the same time. */
static void sort_points(struct switch_log *l, struct switch_log_point *points)
{
	size_t i, k;

	sort_in_place(points, l->n, sizeof(*points), compare_times);
	for (i = 0; i < l->n; i = k) {
		for (k = i + 1; k < l->n && points[k].time_ns == points[i].time_ns;)
			k++;
		if (k - i > 1)
			qsort_r(points + i, k - i, sizeof(*points), compare_points, l);
	}
}

static void sort_log(struct switch_log *l)
{
	struct switch_log_point *points = xcalloc(l->n, sizeof(*points));
	size_t i, k;

	for (i = 0; i < l->n_stretches; i++)
		for (k = l->stretches[i].row; k < switch_log_stretch_end(l, i); k++)
			points[k] = switch_log_point(l, l->stretches[i].begin_ns, k);
	sort_points(l, points);
	l->n_stretches = l->n_backward = 0;
	for (i = 0; i < l->n; i++) {
		if (!i || points[i].time_ns - l->begin_ns > UINT32_MAX)
			switch_log_begin_stretch(l, i, points[i].time_ns);
		l->rows[i].after_ns = (uint32_t)(points[i].time_ns - l->begin_ns);
		switch_log_set_scene(l, i, points[i].scene);
	}
	free(points);
}

void switches_order(struct switch_log *logs, unsigned n)
{
	unsigned i;

	for (i = 0; i < n; i++)
		if (logs[i].n_backward > logs[i].n / RUN_ROWS_MIN)
			sort_log(&logs[i]);
}

/* Does the next row of a stretch come behind that of the other? */
static bool is_after(const struct switch_merge *m, const struct switch_merge_run *a,
	const struct switch_merge_run *b)
{
	const struct switch_log *la = &m->logs[a->log], *lb = &m->logs[b->log];
	struct switch_log_point pa = switch_log_point(la, a->begin_ns, a->next);
	struct switch_log_point pb = switch_log_point(lb, b->begin_ns, b->next);

	return switch_merge_is_after(la, &pa, lb, &pb);
}

static int compare_runs(const void *a, const void *b, void *m)
{
	return is_after(m, a, b) - is_after(m, b, a);
}

void switch_merge_init(struct switch_merge *m, struct switch_log *logs, unsigned n,
	const struct time_stretch *when)
{
	unsigned i;
	size_t k;

	*m = (struct switch_merge){ .logs = logs };
	switches_order(logs, n);
	for (i = 0; i < n; i++)
		for (k = 0; k < logs[i].n_stretches; k++)
			add_run(m, i, k, when);
	if (m->n_runs)
		qsort_r(m->runs, m->n_runs, sizeof(*m->runs), compare_runs, m);
	m->open = xcalloc(m->n_runs, sizeof(*m->open));
}

void switch_merge_release(struct switch_merge *m)
{
	free(m->runs);
	free(m->open);
}

/* ---- those that are open: a heap ---------------------------------------------------------- */

static const struct switch_merge_run *open_run(const struct switch_merge *m, size_t i)
{
	return &m->runs[m->open[i]];
}

static void swap_open(struct switch_merge *m, size_t a, size_t b)
{
	uint32_t run = m->open[a];

	m->open[a] = m->open[b];
	m->open[b] = run;
}

static void push(struct switch_merge *m, size_t run)
{
	size_t i = m->n_open++, parent;

	m->open[i] = (uint32_t)run;
	for (; i; i = parent) {
		parent = (i - 1) / 2;
		if (!is_after(m, open_run(m, parent), open_run(m, i)))
			return;
		swap_open(m, parent, i);
	}
}

static size_t pop(struct switch_merge *m)
{
	size_t run = m->open[0], i = 0, child;

	m->open[0] = m->open[--m->n_open];
	while ((child = 2 * i + 1) < m->n_open) {
		if (child + 1 < m->n_open &&
			is_after(m, open_run(m, child), open_run(m, child + 1)))
			child++;
		if (!is_after(m, open_run(m, i), open_run(m, child)))
			break;
		swap_open(m, i, child);
		i = child;
	}
	return run;
}

/* ------------------------------------------------------------------------------------------- */

/* Go on to the stretch with the earliest row; false if there is none. */
static bool change(struct switch_merge *m)
{
	if (m->now && m->now->next < m->now->end)
		push(m, (size_t)(m->now - m->runs));
	while (m->n_begun < m->n_runs &&
		(!m->n_open || is_after(m, open_run(m, 0), &m->runs[m->n_begun])))
		push(m, m->n_begun++);
	m->now = m->n_open ? &m->runs[pop(m)] : NULL;
	m->bound = m->n_open ? open_run(m, 0) : NULL;
	if (m->n_begun < m->n_runs) {
		const struct switch_merge_run *later = &m->runs[m->n_begun];

		if (!m->bound || is_after(m, m->bound, later))
			m->bound = later;
	}
	return m->now;
}

static bool is_after_bound(const struct switch_merge *m, uint32_t row)
{
	return is_after(
		m, &(struct switch_merge_run){ m->now->begin_ns, m->now->log, row, 0 }, m->bound);
}

/* The end of the rows that come before any of another stretch: mostly all of them do, else some. */
static uint32_t find_end(const struct switch_merge *m)
{
	uint32_t before = m->now->next, to = m->now->end, step;

	if (!m->bound || !is_after_bound(m, to - 1))
		return to;
	/* The first row is before, as it was chosen for that; the last one is not. */
	for (step = 1; to - before > step; step *= 2) {
		if (is_after_bound(m, before + step)) {
			to = before + step;
			break;
		}
		before += step;
	}
	return bisect(i, before + 1, to, is_after_bound(m, i));
}

bool switch_merge_next(struct switch_merge *m, struct switch_merge_batch *b)
{
	if (!change(m))
		return false;
	*b = (struct switch_merge_batch){ m->now->begin_ns, m->now->log, m->now->next,
		find_end(m) };
	m->now->next = b->to;
	return true;
}
