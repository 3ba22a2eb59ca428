#include "symbolize/elf/elf_wanted.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/bisect.h"

#include <stdlib.h>
#include <string.h>

enum { MARK_BITS = 16 };

static int compare(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;

	return a < b ? -1 : a > b;
}

static void fill_buckets(struct elf_wanted *a)
{
	uint64_t width = a->at[a->n - 1] - a->at[0];
	uint32_t i, b = 0;

	while (width >> a->shift >= ELF_WANTED_BUCKETS)
		a->shift++;
	for (i = 0; i < a->n; i++)
		while (b <= (a->at[i] - a->at[0]) >> a->shift)
			a->bucket[b++] = i;
	while (b <= ELF_WANTED_BUCKETS)
		a->bucket[b++] = a->n;
}

void elf_wanted_init(struct elf_wanted *a, uint64_t *at, uint32_t n)
{
	*a = (struct elf_wanted){ .at = at, .n = n };
}

void elf_wanted_sort(struct elf_wanted *a)
{
	uint32_t i, n = a->n;

	if (a->sorted)
		return;
	a->sorted = true;
	if (!n)
		return;
	qsort(a->at, n, sizeof(*a->at), compare);
	for (i = a->n = 0; i < n; i++)
		if (!i || a->at[i] != a->at[i - 1])
			a->at[a->n++] = a->at[i];
	fill_buckets(a);
}

void elf_wanted_release(struct elf_wanted *a)
{
	free(a->at);
	*a = (struct elf_wanted){ 0 };
}

uint32_t elf_wanted_count_below(const struct elf_wanted *a, uint64_t address)
{
	uint64_t b;

	if (!a->n || address <= a->at[0])
		return 0;
	b = (address - a->at[0]) >> a->shift;
	if (b >= ELF_WANTED_BUCKETS)
		return a->n;
	return bisect(i, a->bucket[b], a->bucket[b + 1], a->at[i] >= address);
}

bool elf_wanted_within(const struct elf_wanted *a, uint64_t start, uint64_t end)
{
	uint32_t i = elf_wanted_count_below(a, start);

	return i < a->n && a->at[i] < end;
}

/* ---- choosing symbols ----------------------------------------------------------------------- */

/* Starts of symbols to keep: a bit for each hash, so that some others are kept by chance. */
struct start_marks {
	uint64_t bit[(1u << MARK_BITS) / 64];
};

static uint32_t place_of(uint64_t start)
{
	return (uint32_t)(hash_u64(start) >> (64 - MARK_BITS));
}

static void mark(struct start_marks *m, uint64_t start)
{
	uint32_t i = place_of(start);

	m->bit[i / 64] |= 1ull << i % 64;
}

static bool is_marked(const struct start_marks *m, uint64_t start)
{
	uint32_t i = place_of(start);

	return m->bit[i / 64] >> i % 64 & 1;
}

/* The last start before each address, and the last of all, in *nearest. */
static void find_nearest(const struct elf_wanted *a, const struct elf_wanted_extent *s, uint32_t n,
	struct start_marks *marks, struct elf_wanted *nearest)
{
	uint64_t *last = xcalloc((size_t)a->n + 1, sizeof(*last));
	uint32_t i;

	for (i = 0; i < n; i++) {
		uint32_t before = elf_wanted_count_below(a, s[i].start);

		if (before < a->n && a->at[before] < s[i].end)
			mark(marks, s[i].start);
		if (s[i].start > last[before])
			last[before] = s[i].start;
	}
	/* 0 means not found, too: one symbol too many does no harm. */
	for (i = 0; i <= a->n; i++)
		mark(marks, last[i]);
	elf_wanted_init(nearest, last, a->n + 1);
	elf_wanted_sort(nearest);
}

void elf_wanted_choose(const struct elf_wanted *a, struct elf_wanted_extent *s, uint32_t n)
{
	struct start_marks *marks = xcalloc(1, sizeof(*marks));
	struct elf_wanted nearest;
	uint32_t i;

	find_nearest(a, s, n, marks, &nearest);
	for (i = 0; i < n; i++)
		if (s[i].end > s[i].start && elf_wanted_within(&nearest, s[i].start, s[i].end))
			mark(marks, s[i].start);
	for (i = 0; i < n; i++)
		s[i].keep |= is_marked(marks, s[i].start);
	elf_wanted_release(&nearest);
	free(marks);
}
