#include "trace/rowmerge.h"

#include "base/mem.h"
#include "base/sort.h"

#include <stdlib.h>

/* With fewer rows to a stretch a log is in disorder. */
enum { RUN_ROWS_MIN = 16 };

static int compare_rows(const void *pa, const void *pb)
{
	const struct switch_row *a = pa, *b = pb;

	return switch_row_is_after(a, b) - switch_row_is_after(b, a);
}

/* ---- stretches ---------------------------------------------------------------------------- */

static void add_run(struct row_merge *m, unsigned log, size_t from, size_t to)
{
	if (from == to)
		return;
	ARRAY_GROW(m->runs, m->n_runs, m->cap_runs);
	m->runs[m->n_runs++] = (struct row_run){ log, (uint32_t)from, (uint32_t)to };
}

static void add_log(struct row_merge *m, unsigned log)
{
	const struct switch_log *l = &m->logs[log];
	size_t i;

	for (i = 0; i < l->n_stretches; i++)
		add_run(m, log, l->stretches[i],
			i + 1 < l->n_stretches ? l->stretches[i + 1] : l->n);
}

void switches_order(struct switch_log *logs, unsigned n)
{
	unsigned i;

	for (i = 0; i < n; i++) {
		if (logs[i].n_stretches <= logs[i].n / RUN_ROWS_MIN + 1)
			continue;
		sort_in_place(logs[i].rows, logs[i].n, sizeof(*logs[i].rows), compare_rows);
		logs[i].n_stretches = 1; /* which begins with the first row */
	}
}

static const struct switch_row *head(const struct row_merge *m, const struct row_run *r)
{
	return &m->logs[r->log].rows[r->next];
}

static int compare_runs(const void *pa, const void *pb, void *ctx)
{
	return compare_rows(head(ctx, pa), head(ctx, pb));
}

void row_merge_init(struct row_merge *m, struct switch_log *logs, unsigned n)
{
	unsigned i;

	*m = (struct row_merge){ .logs = logs };
	switches_order(logs, n);
	for (i = 0; i < n; i++)
		add_log(m, i);
	if (m->n_runs)
		qsort_r(m->runs, m->n_runs, sizeof(*m->runs), compare_runs, m);
	m->open = xcalloc(m->n_runs, sizeof(*m->open));
}

void row_merge_release(struct row_merge *m)
{
	free(m->runs);
	free(m->open);
}

/* ---- those that are open: a heap ------------------------------------------------------------ */

static const struct switch_row *open_head(const struct row_merge *m, size_t i)
{
	return head(m, &m->runs[m->open[i]]);
}

static void swap_open(struct row_merge *m, size_t a, size_t b)
{
	uint32_t run = m->open[a];

	m->open[a] = m->open[b];
	m->open[b] = run;
}

static void push(struct row_merge *m, size_t run)
{
	size_t i = m->n_open++, parent;

	m->open[i] = (uint32_t)run;
	for (; i; i = parent) {
		parent = (i - 1) / 2;
		if (!switch_row_is_after(open_head(m, parent), open_head(m, i)))
			return;
		swap_open(m, parent, i);
	}
}

static size_t pop(struct row_merge *m)
{
	size_t run = m->open[0], i = 0, child;

	m->open[0] = m->open[--m->n_open];
	while ((child = 2 * i + 1) < m->n_open) {
		if (child + 1 < m->n_open &&
			switch_row_is_after(open_head(m, child), open_head(m, child + 1)))
			child++;
		if (!switch_row_is_after(open_head(m, i), open_head(m, child)))
			break;
		swap_open(m, i, child);
		i = child;
	}
	return run;
}

/* ------------------------------------------------------------------------------------------- */

/* Take up the stretch with the earliest row; false where there is none. */
static bool change(struct row_merge *m)
{
	if (m->now && m->now->next < m->now->end)
		push(m, (size_t)(m->now - m->runs));
	while (m->n_begun < m->n_runs &&
		(!m->n_open || switch_row_is_after(open_head(m, 0), head(m, &m->runs[m->n_begun]))))
		push(m, m->n_begun++);
	m->now = m->n_open ? &m->runs[pop(m)] : NULL;
	m->bound = m->n_open ? open_head(m, 0) : NULL;
	if (m->n_begun < m->n_runs) {
		const struct switch_row *later = head(m, &m->runs[m->n_begun]);

		if (!m->bound || switch_row_is_after(m->bound, later))
			m->bound = later;
	}
	return m->now;
}

const struct switch_row *row_merge_next(struct row_merge *m, struct switch_place *at)
{
	const struct switch_row *row;

	if (!m->now || m->now->next == m->now->end ||
		(m->bound && switch_row_is_after(head(m, m->now), m->bound)))
		if (!change(m))
			return NULL;
	row = head(m, m->now);
	*at = (struct switch_place){ m->now->log, m->now->next++ };
	return row;
}
