/*
 * How it works: introsort (Musser 1997). Quicksort, by the median of three elements or, of many, of
 * the medians of three each (Tukey's ninther): where two lists that are in order follow each other,
 * as rows of two workers do, the first, middle and last element are ends of lists. Heapsort where
 * poor pivots have led too deep all the same.
 */
#include "base/sort.h"

#include <stdbool.h>
#include <string.h>

enum {
	FEW = 16,   /* up to this many are sorted by insertion */
	MANY = 128, /* from here on the pivot is a ninther */
	STEP_BYTES = 64,
};

struct sort {
	char *p;
	size_t size;
	int (*compare)(const void *a, const void *b);
};

static char *at(const struct sort *s, size_t i)
{
	return s->p + i * s->size;
}

static bool less(const struct sort *s, size_t a, size_t b)
{
	return s->compare(at(s, a), at(s, b)) < 0;
}

/* One step is enough for most elements; larger ones need several. */
static void swap(const struct sort *s, size_t a, size_t b)
{
	char copy[STEP_BYTES], *p = at(s, a), *q = at(s, b);
	size_t done, n;

	for (done = 0; done < s->size; done += n) {
		n = s->size - done < sizeof(copy) ? s->size - done : sizeof(copy);
		memcpy(copy, p + done, n);
		memcpy(p + done, q + done, n);
		memcpy(q + done, copy, n);
	}
}

static void insert(const struct sort *s, size_t from, size_t end)
{
	size_t i, k;

	for (i = from + 1; i < end; i++)
		for (k = i; k > from && less(s, k, k - 1); k--)
			swap(s, k, k - 1);
}

static void sift(const struct sort *s, size_t from, size_t i, size_t n)
{
	size_t child;

	while ((child = 2 * i + 1) < n) {
		if (child + 1 < n && less(s, from + child, from + child + 1))
			child++;
		if (!less(s, from + i, from + child))
			return;
		swap(s, from + i, from + child);
		i = child;
	}
}

static void heap_sort(const struct sort *s, size_t from, size_t end)
{
	size_t n = end - from, i;

	for (i = n / 2; i-- > 0;)
		sift(s, from, i, n);
	while (n-- > 1) {
		swap(s, from, from + n);
		sift(s, from, 0, n);
	}
}

static size_t median_of(const struct sort *s, size_t a, size_t b, size_t c)
{
	if (less(s, b, a)) {
		size_t t = a;

		a = b;
		b = t;
	}
	if (less(s, c, b))
		b = less(s, c, a) ? a : c;
	return b;
}

static size_t choose_pivot(const struct sort *s, size_t from, size_t end)
{
	size_t step = (end - from) / 8, middle = from + (end - from) / 2, last = end - 1;

	if (end - from < MANY)
		return median_of(s, from, middle, last);
	return median_of(s, median_of(s, from, from + step, from + 2 * step),
		median_of(s, middle - step, middle, middle + step),
		median_of(s, last - 2 * step, last - step, last));
}

/* Returns the place of the pivot, after what is less and before the rest. */
static size_t partition(const struct sort *s, size_t from, size_t end)
{
	size_t low = from, high = end;

	swap(s, from, choose_pivot(s, from, end));
	for (;;) {
		do
			low++;
		while (low < end && less(s, low, from));
		do
			high--;
		while (less(s, from, high));
		if (low >= high)
			break;
		swap(s, low, high);
	}
	swap(s, from, high);
	return high;
}

static void quick_sort(const struct sort *s, size_t from, size_t end, unsigned depth)
{
	while (end - from > FEW) {
		size_t pivot;

		if (!depth--) {
			heap_sort(s, from, end);
			return;
		}
		pivot = partition(s, from, end);
		if (pivot - from < end - pivot) {
			quick_sort(s, from, pivot, depth);
			from = pivot + 1;
		} else {
			quick_sort(s, pivot + 1, end, depth);
			end = pivot;
		}
	}
	insert(s, from, end);
}

void sort_in_place(
	void *p, size_t n, size_t size_bytes, int (*compare)(const void *a, const void *b))
{
	struct sort s = { p, size_bytes, compare };
	unsigned depth = 0;
	size_t i;

	for (i = 1; i < n && !less(&s, i, i - 1); i++)
		;
	if (i >= n)
		return;
	for (i = n; i; i /= 2)
		depth += 2;
	quick_sort(&s, 0, n, depth);
}
