/*
 * ranks.c - a radix sort of displayed names, eight bytes at a time
 *
 * Each frame is displayed once, and all names are in one buffer, each with ";" after it: that is
 * how lines of folded stacks compare. sort_frames() takes the next eight bytes of each name as a
 * big-endian number, sorts these (base/radix_sort.h), and sorts each run of equal ones by the
 * following bytes. Up to FEW names, or after ALIKE_BYTES equal bytes, qsort() compares them in
 * full; frames of one name are ordered by the rest of their content, never by number, since
 * numbers depend on the workers.
 *
 * A rank is the place in that order. With by_name, frames of one name get the rank of the first,
 * and are shown as the first of their sort: a thread may be called as a function of its program.
 */
#include "collapse/ranks.h"

#include "base/radix_sort.h"
#include "base/mem.h"

#include <endian.h>
#include <stdlib.h>

enum {
	FEW = 32, /* up to this many frames are sorted by comparing them */
	/* and so are those that begin with this many equal bytes: names of C++ in one namespace
	 * do */
	ALIKE_BYTES = 64,
};

struct ranked_frame {
	frame_id frame;
	struct span shown; /* with ";" after it, as lines are compared */
	const struct frame *content;
	const struct strtab *strings;
};

static int compare_text(const struct strtab *t, str_id a, str_id b)
{
	return a == b ? 0 : span_cmp(strtab_get(t, a), strtab_get(t, b));
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_content(const struct strtab *t, const struct frame *a, const struct frame *b)
{
	int c;

	if ((c = compare_text(t, a->name, b->name)) ||
		(c = compare_text(t, a->module, b->module)) ||
		(c = compare_text(t, a->file, b->file)) ||
		(c = compare_text(t, a->at_file, b->at_file)) ||
		(c = compare_text(t, a->category, b->category)) ||
		(c = compare_text(t, a->build, b->build)))
		return c;
	if ((c = compare_numbers(a->line, b->line)) ||
		(c = compare_numbers(a->column, b->column)) ||
		(c = compare_numbers(a->at_line, b->at_line)) ||
		(c = compare_numbers(a->address, b->address)) ||
		(c = compare_numbers(a->at_address, b->at_address)) ||
		(c = compare_numbers(a->at_function, b->at_function)) ||
		(c = compare_numbers(a->function_bytes, b->function_bytes)))
		return c;
	return compare_numbers((uint64_t)a->kind << 24 | a->flags << 16 | a->why << 8 | a->tier,
		(uint64_t)b->kind << 24 | b->flags << 16 | b->why << 8 | b->tier);
}

static int compare_ranked(const void *pa, const void *pb)
{
	const struct ranked_frame *a = pa, *b = pb;
	int c = span_cmp(a->shown, b->shown);

	return c ? c : compare_content(a->strings, a->content, b->content);
}

/* Eight bytes of a name as a number in the same order; zeros after its end. */
static uint64_t key_at(struct span s, size_t at)
{
	uint64_t key = 0;

	if (s.n >= at + sizeof(key))
		memcpy(&key, s.p + at, sizeof(key));
	else if (s.n > at)
		memcpy(&key, s.p + at, s.n - at);
	return be64toh(key);
}

/* Sorts frames whose names are equal in the bytes before at. */
static void sort_frames(struct ranked_frame *f, size_t n, size_t at)
{
	struct radix_key *keys;
	size_t i, end;

	if (n <= FEW || at >= ALIKE_BYTES) {
		qsort(f, n, sizeof(*f), compare_ranked);
		return;
	}
	keys = xreallocarray(NULL, n, sizeof(*keys));
	for (i = 0; i < n; i++)
		keys[i] = (struct radix_key){ key_at(f[i].shown, at), (uint32_t)i };
	radix_sort(keys, n);
	radix_sort_arrange(keys, n, f, sizeof(*f));
	for (i = 0; i < n; i = end) {
		for (end = i + 1; end < n && keys[end].key == keys[i].key; end++)
			;
		if (end - i > 1)
			sort_frames(f + i, end - i, at + sizeof(keys->key));
	}
	free(keys);
}

static void mark_used(const struct source_tree *g, bool *used)
{
	uint32_t i;

	for (i = 1; g->frame_of && i < g->n_numbers; i++)
		used[g->frame_of[i]] = true;
	for (i = 1; !g->frame_of && i < g->tree->n; i++)
		used[g->tree->nodes[i].what] = true;
}

/* The frames that are used, of count; their names are in *text. */
static struct ranked_frame *collect_frames(struct ranks *r, const struct profile *p,
	const bool *used, uint32_t count, struct buf *text)
{
	uint32_t i, n = 0;
	struct ranked_frame *f;
	size_t *at;

	for (i = 0; i < count; i++)
		r->n += used[i];
	at = xreallocarray(NULL, (size_t)r->n + 1, sizeof(*at));
	f = xreallocarray(NULL, r->n, sizeof(*f));
	for (i = 0; i < count; i++) {
		if (!used[i])
			continue;
		at[n] = text->n;
		f[n++] = (struct ranked_frame){
			.frame = i, .content = frames_get(p->frames, i), .strings = p->strings
		};
		profile_put_name(p, i, text);
		buf_putc(text, ';');
	}
	at[n] = text->n;
	for (i = 0; i < n; i++) /* only now, as the buffer moved while it grew */
		f[i].shown = (struct span){ text->p + at[i], at[i + 1] - at[i] };
	free(at);
	return f;
}

/* used: of count frames. */
static void rank(
	struct ranks *r, const struct profile *p, const bool *used, uint32_t count, bool by_name)
{
	uint32_t of_sort[2], i; /* the first of a name: code, root frames */
	struct ranked_frame *f;
	struct buf text = { 0 };

	*r = (struct ranks){ 0 };
	f = collect_frames(r, p, used, count, &text);
	sort_frames(f, r->n, 0);
	r->rank = xcalloc(count, sizeof(*r->rank));
	r->frame = xcalloc(count, sizeof(*r->frame));
	for (i = 0; i < r->n; i++) {
		bool same = by_name && i && span_eq(f[i].shown, f[i - 1].shown);
		uint32_t *first = &of_sort[f[i].content->kind == FRAME_ROOT];

		if (!same)
			of_sort[false] = of_sort[true] = UINT32_MAX;
		if (*first == UINT32_MAX)
			*first = i;
		r->rank[f[i].frame] = same ? r->rank[f[i - 1].frame] : i;
		r->frame[f[i].frame] = f[*first].frame;
	}
	free(f);
	buf_release(&text);
}

void ranks_init(struct ranks *r, const struct source_tree *trees, uint32_t n,
	const struct profile *p, bool by_name)
{
	uint32_t count = frames_count(p->frames), i;
	bool *used = xcalloc(count, sizeof(*used));

	used[0] = true; /* the root's */
	for (i = 0; i < n; i++)
		mark_used(&trees[i], used);
	rank(r, p, used, count, by_name);
	free(used);
}

void ranks_of_nodes(struct ranks *r, const struct profile *p)
{
	uint32_t count = frames_count(p->frames);
	bool *used = xcalloc(count, sizeof(*used));
	node_id i;

	for (i = 0; i < p->n_nodes; i++)
		used[p->nodes[i].frame] = true;
	rank(r, p, used, count, true);
	free(used);
}

void ranks_release(struct ranks *r)
{
	free(r->rank);
	free(r->frame);
}
