/*
 * How rows are merged: a log has its rows in the order of the file, one run from each CPU after the
 * other, as perf found its buffers. Within a run rows are in order, so runs are merged and nothing
 * is moved.
 *
 *	runs, by first row:   [1 ... 9] [2 ... 30] [10 ... 12] [11 ... 40]
 *	                       \_____________________/ opened    \_ not yet: its rows are all later
 *
 * Only runs that overlap are in the heap. A batch is the rows of the run with the
 * earliest row that come before the next row of any other. Most batches are whole runs, so the
 * cost is a few comparisons for thousands of rows.
 *
 * A log whose runs are shorter than 16 rows on average is sorted first; its run is then cut where
 * times of 32 bits end.
 */
#include "trace/switch_merge.h"

#include "base/mem.h"
#include "base/bisect.h"
#include "base/sort.h"

#include <stdlib.h>

/* A log with fewer rows in a run is out of order. */
enum { ROWS_PER_RUN_MIN = 16 };

/* The first of the rows from..to of a run that is not before the time. */
static size_t find_time(
	const struct switch_log *l, uint64_t begin_ns, size_t from, size_t to, uint64_t time_ns)
{
	return bisect(i, from, to, begin_ns + l->rows[i].after_ns >= time_ns);
}

static void add_run(
	struct switch_merge *m, unsigned log, size_t run, const struct switch_merge_window *window)
{
	const struct switch_log *l = &m->logs[log];
	uint64_t begin_ns = l->runs[run].begin_ns;
	size_t to = switch_log_run_end(l, run);
	size_t from = find_time(l, begin_ns, l->runs[run].row, to, window->from_ns);

	if (!window->to_the_end)
		to = find_time(l, begin_ns, from, to, window->to_ns);
	if (from == to)
		return;
	ARRAY_GROW(m->runs, m->n_runs, m->cap_runs);
	m->runs[m->n_runs++] = (struct switch_merge_run){
		.begin_ns = begin_ns,
		.next_ns = switch_log_point(l, begin_ns, from).time_ns,
		.log = log,
		.next = (uint32_t)from,
		.end = (uint32_t)to,
	};
}

static int compare_times(const void *pa, const void *pb)
{
	const struct switch_point *a = pa, *b = pb;

	return (a->time_ns > b->time_ns) - (a->time_ns < b->time_ns);
}

static int compare_points(const void *a, const void *b, void *log)
{
	return switch_log_is_after(log, a, log, b) - switch_log_is_after(log, b, log, a);
}

/* Sorts by time in place, then those of the same time. */
static void sort_points(struct switch_log *l, struct switch_point *points)
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
	struct switch_point *points = xcalloc(l->n, sizeof(*points));
	size_t i, k;

	for (i = 0; i < l->n_runs; i++)
		for (k = l->runs[i].row; k < switch_log_run_end(l, i); k++)
			points[k] = switch_log_point(l, l->runs[i].begin_ns, k);
	sort_points(l, points);
	l->n_runs = l->n_backward = 0;
	for (i = 0; i < l->n; i++) {
		if (!i || points[i].time_ns - l->begin_ns > UINT32_MAX)
			switch_log_begin_run(l, i, points[i].time_ns);
		l->rows[i].after_ns = (uint32_t)(points[i].time_ns - l->begin_ns);
		l->rows[i].transition = points[i].transition;
	}
	free(points);
}

void switch_merge_sort_logs(struct switch_log *logs, unsigned n)
{
	unsigned i;

	for (i = 0; i < n; i++)
		if (logs[i].n_backward > logs[i].n / ROWS_PER_RUN_MIN)
			sort_log(&logs[i]);
}

static bool is_after_at_same_time(const struct switch_merge *m, const struct switch_merge_run *a,
	const struct switch_merge_run *b)
{
	const struct switch_log *la = &m->logs[a->log], *lb = &m->logs[b->log];
	struct switch_point pa = switch_log_point(la, a->begin_ns, a->next);
	struct switch_point pb = switch_log_point(lb, b->begin_ns, b->next);

	return switch_log_is_after(la, &pa, lb, &pb);
}

/* Does the next row of a come after that of b? */
static inline bool is_after(const struct switch_merge *m, const struct switch_merge_run *a,
	const struct switch_merge_run *b)
{
	if (a->next_ns != b->next_ns)
		return a->next_ns > b->next_ns;
	return is_after_at_same_time(m, a, b);
}

static int compare_runs(const void *a, const void *b, void *m)
{
	return is_after(m, a, b) - is_after(m, b, a);
}

void switch_merge_init(struct switch_merge *m, struct switch_log *logs, unsigned n,
	const struct switch_merge_window *window)
{
	unsigned i;
	size_t k;

	*m = (struct switch_merge){ .logs = logs };
	switch_merge_sort_logs(logs, n);
	for (i = 0; i < n; i++)
		for (k = 0; k < logs[i].n_runs; k++)
			add_run(m, i, k, window);
	if (m->n_runs)
		qsort_r(m->runs, m->n_runs, sizeof(*m->runs), compare_runs, m);
	m->open = xcalloc(m->n_runs, sizeof(*m->open));
}

void switch_merge_release(struct switch_merge *m)
{
	free(m->runs);
	free(m->open);
}

/* ---- the heap of open runs ---------------------------------------------------------------- */

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

/* Goes on to the run with the earliest row; false if there is none. */
static bool next_run(struct switch_merge *m)
{
	if (m->current && m->current->next < m->current->end)
		push(m, (size_t)(m->current - m->runs));
	while (m->n_opened < m->n_runs &&
		(!m->n_open || is_after(m, open_run(m, 0), &m->runs[m->n_opened])))
		push(m, m->n_opened++);
	m->current = m->n_open ? &m->runs[pop(m)] : NULL;
	m->bound = m->n_open ? open_run(m, 0) : NULL;
	if (m->n_opened < m->n_runs) {
		const struct switch_merge_run *later = &m->runs[m->n_opened];

		if (!m->bound || is_after(m, m->bound, later))
			m->bound = later;
	}
	return m->current;
}

static bool is_after_bound(const struct switch_merge *m, uint32_t row)
{
	struct switch_merge_run run = *m->current;

	run.next = row;
	run.next_ns = switch_log_point(&m->logs[run.log], run.begin_ns, row).time_ns;
	return is_after(m, &run, m->bound);
}

/* The end of the rows that come before those of all other runs, or of the run. It can be the next
 * row, so steps are doubled from there. */
static uint32_t find_end(const struct switch_merge *m)
{
	uint32_t before = m->current->next, to = m->current->end, step;

	if (!m->bound)
		return to;
	/* The first row is before, as it was chosen for that. */
	for (step = 1; to - before > step; step *= 2) {
		if (is_after_bound(m, before + step)) {
			to = before + step;
			break;
		}
		before += step;
	}
	return bisect(i, before + 1, to, is_after_bound(m, i));
}

bool switch_merge_next(struct switch_merge *m, struct switch_batch *b)
{
	if (!next_run(m))
		return false;
	*b = (struct switch_batch){ m->current->begin_ns, m->current->log, m->current->next,
		find_end(m) };
	m->current->next = b->to;
	if (b->to < m->current->end)
		m->current->next_ns =
			switch_log_point(&m->logs[b->log], b->begin_ns, b->to).time_ns;
	return true;
}
