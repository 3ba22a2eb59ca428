/*
 * A worker's marks and their values are two arrays; a mark has as many values as bits in has, in
 * the order of their fields, so that one without fields costs nothing:
 *
 *	mark	{ first 4, has 0b0101 } ──┐
 *	value	... | field 0 | field 2 | ...
 *
 * marks_merge() appends the arrays of all workers, which renumbers threads and values, and sorts by
 * time, then by position in the file: blocks are decoded in any order, and the result must not
 * depend on which worker got which. The sort is in place: qsort() would need as much memory again.
 *
 * Gaps are merged likewise: intervals in which records were lost, sorted and joined where they
 * overlap.
 */
#include "model/marks.h"

#include "base/mem.h"
#include "base/sort.h"

#include <stdlib.h>

struct marks *marks_new(void)
{
	struct marks *m = xcalloc(1, sizeof(*m));

	m->threads = timeline_new();
	return m;
}

void marks_free(struct marks *m)
{
	if (!m)
		return;
	timeline_free(m->threads);
	free(m->mark);
	free(m->value);
	free(m->gaps);
	free(m);
}

uint32_t marks_add(struct marks *m, const struct mark *mark)
{
	ARRAY_GROW(m->mark, m->n, m->cap);
	m->mark[m->n] = *mark;
	m->mark[m->n].first = (uint32_t)m->n_values;
	m->mark[m->n].has = m->mark[m->n].text = 0;
	return (uint32_t)m->n++;
}

void marks_add_value(
	struct marks *m, uint32_t field, const struct field_value *v, struct strtab *strings)
{
	struct mark *mark = &m->mark[m->n - 1];

	/* Values are numbered in 32 bits: any beyond are dropped. */
	if ((!v->has_number && !v->has_text) || m->n_values >= UINT32_MAX)
		return;
	ARRAY_GROW(m->value, m->n_values, m->cap_values);
	m->value[m->n_values++] = v->has_number ? v->number : strtab_add(strings, v->text);
	mark->has |= (uint8_t)(1u << field);
	if (!v->has_number)
		mark->text |= (uint8_t)(1u << field);
}

void marks_set_stack(void *marks, uint32_t tag, stack_id stack)
{
	struct marks *m = marks;

	m->mark[tag].stack = stack;
}

bool marks_value(const struct marks *m, const struct mark *mark, uint32_t field, uint64_t *value)
{
	unsigned before = mark->has & ((1u << field) - 1);

	if (!(mark->has >> field & 1))
		return false;
	*value = m->value[mark->first + (uint32_t)__builtin_popcount(before)];
	return true;
}

/* Gaps */

void marks_add_gap(struct marks *m, uint64_t until_ns)
{
	uint64_t from_ns = m->n ? m->mark[m->n - 1].time_ns : 0;

	ARRAY_GROW(m->gaps, m->n_gaps, m->cap_gaps);
	m->gaps[m->n_gaps++] =
		(struct mark_gap){ from_ns < until_ns ? from_ns : until_ns, until_ns };
}

static int compare_gaps(const void *pa, const void *pb)
{
	const struct mark_gap *a = pa, *b = pb;

	return (a->from_ns > b->from_ns) - (a->from_ns < b->from_ns);
}

struct mark_gap *marks_merge_gaps(struct marks *const *parts, unsigned n, size_t *n_gaps)
{
	struct mark_gap *all = NULL;
	size_t k, found = 0, cap = 0, out = 0;
	unsigned i;

	for (i = 0; i < n; i++) {
		for (k = 0; k < parts[i]->n_gaps; k++) {
			ARRAY_GROW(all, found, cap);
			all[found++] = parts[i]->gaps[k];
		}
	}
	if (found)
		qsort(all, found, sizeof(*all), compare_gaps);
	for (k = 0; k < found; k++) {
		if (!out || all[k].from_ns > all[out - 1].to_ns)
			all[out++] = all[k];
		else if (all[k].to_ns > all[out - 1].to_ns)
			all[out - 1].to_ns = all[k].to_ns;
	}
	*n_gaps = out;
	return all;
}

/* Merging */

static void append_marks(struct marks *all, struct marks *part)
{
	uint32_t *number = xcalloc(part->threads->n_threads, sizeof(*number)), i;
	size_t k;

	for (i = 0; i < part->threads->n_threads; i++) {
		const struct timeline_thread *t = &part->threads->threads[i];

		number[i] = timeline_thread(all->threads, t->pid, t->tid, t->name, t->name_time_ns);
	}
	ARRAY_RESERVE(all->mark, all->n + part->n, all->cap);
	for (k = 0; k < part->n; k++) {
		struct mark mark = part->mark[k];

		mark.thread = number[mark.thread];
		mark.first += (uint32_t)all->n_values;
		if (all->n_values + part->n_values > UINT32_MAX)
			mark.has = 0;
		all->mark[all->n++] = mark;
	}
	ARRAY_RESERVE(all->value, all->n_values + part->n_values, all->cap_values);
	if (part->n_values)
		memcpy(all->value + all->n_values, part->value,
			part->n_values * sizeof(*part->value));
	all->n_values += part->n_values;
	free(number);
	marks_free(part);
}

static int compare_marks(const void *pa, const void *pb)
{
	const struct mark *a = pa, *b = pb;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return (a->position > b->position) - (a->position < b->position);
}

struct marks *marks_merge(struct marks **parts, unsigned n)
{
	struct marks *all = n ? parts[0] : marks_new();
	unsigned i;

	for (i = 1; i < n; i++)
		append_marks(all, parts[i]);
	if (all->n)
		sort_in_place(all->mark, all->n, sizeof(*all->mark), compare_marks);
	return all;
}
