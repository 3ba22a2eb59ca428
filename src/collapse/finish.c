/*
 * From a tree in order of arrival to the profile's preorder. Frames are ranked once by their
 * shown name (and, where that is equal, by all else that tells them apart), so that sorting
 * children compares numbers; nothing here recurses, stacks may be 10^5 frames deep.
 */
#include "collapse/finish.h"

#include "base/mem.h"
#include "base/saturated.h"

#include <stdlib.h>

struct ranked_frame {
	frame_id frame;
	struct span shown; /* with ";" behind it, which is what the order of lines compares */
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
		(c = compare_text(t, a->category, b->category)))
		return c;
	if ((c = compare_numbers(a->line, b->line)) ||
		(c = compare_numbers(a->column, b->column)) ||
		(c = compare_numbers(a->address, b->address)))
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

static void collect_frames(struct frame_ranks *r, const struct profile *p, const bool *used,
	struct ranked_frame **out, struct buf *text)
{
	uint32_t count = frames_count(p->frames), i, n = 0;
	size_t *at = xreallocarray(NULL, r->n + 1, sizeof(*at));
	struct ranked_frame *f = xreallocarray(NULL, r->n, sizeof(*f));

	for (i = 0; i < count; i++) {
		if (!used[i])
			continue;
		at[n] = text->n;
		f[n] = (struct ranked_frame){
			.frame = i, .content = frames_get(p->frames, i), .strings = p->strings
		};
		profile_put_name(p, i, text);
		buf_putc(text, ';');
		n++;
	}
	at[n] = text->n;
	for (i = 0; i < n; i++) /* only now: the buffer has moved while it grew */
		f[i].shown = (struct span){ text->p + at[i], at[i + 1] - at[i] };
	free(at);
	*out = f;
}

void frame_ranks_init(
	struct frame_ranks *r, const struct profile *p, const struct tree *const *trees, uint32_t n)
{
	uint32_t count = frames_count(p->frames), i, k;
	bool *used = xcalloc(count, sizeof(*used));
	struct ranked_frame *f;
	struct buf text = { 0 };

	*r = (struct frame_ranks){ 0 };
	for (k = 0; k < n; k++) {
		for (i = 0; i < trees[k]->n; i++) {
			r->n += !used[trees[k]->nodes[i].frame];
			used[trees[k]->nodes[i].frame] = true;
		}
	}
	collect_frames(r, p, used, &f, &text);
	qsort(f, r->n, sizeof(*f), compare_ranked);
	r->rank = xcalloc(count, sizeof(*r->rank));
	r->alike = xcalloc(count, sizeof(*r->alike));
	for (i = 0; i < r->n; i++) {
		bool same = i && span_eq(f[i].shown, f[i - 1].shown);

		r->twins = r->twins || same;
		r->rank[f[i].frame] = i;
		r->alike[f[i].frame] = same ? r->alike[f[i - 1].frame] : f[i].frame;
	}
	free(f);
	free(used);
	buf_release(&text);
}

void frame_ranks_release(struct frame_ranks *r)
{
	free(r->rank);
	free(r->alike);
}

/* ---- the order of nodes ------------------------------------------------------------------- */

struct child {
	uint32_t rank, node;
};

static int compare_children(const void *pa, const void *pb)
{
	const struct child *a = pa, *b = pb;

	return compare_numbers(a->rank, b->rank);
}

/* Children of node i: list[first[i]..first[i + 1]), in order of rank. */
struct children {
	uint32_t *first;
	struct child *list;
};

static void children_init(
	struct children *c, const struct tree *t, const struct frame_ranks *r, const bool *pruned)
{
	uint32_t *fill, i;

	c->first = xcalloc((size_t)t->n + 1, sizeof(*c->first));
	c->list = xreallocarray(NULL, t->n, sizeof(*c->list));
	for (i = 1; i < t->n; i++)
		c->first[t->nodes[i].parent + 1] += !pruned[i];
	for (i = 0; i < t->n; i++)
		c->first[i + 1] += c->first[i];
	fill = xmemdup(c->first, ((size_t)t->n + 1) * sizeof(*fill));
	for (i = 1; i < t->n; i++)
		if (!pruned[i])
			c->list[fill[t->nodes[i].parent]++] =
				(struct child){ r->rank[t->nodes[i].frame], i };
	for (i = 0; i < t->n; i++)
		if (c->first[i + 1] - c->first[i] > 1)
			qsort(c->list + c->first[i], c->first[i + 1] - c->first[i],
				sizeof(*c->list), compare_children);
	free(fill);
}

static void children_release(struct children *c)
{
	free(c->first);
	free(c->list);
}

/* Total weights, and which subtrees are too small to be kept. What stands on the root stays: it
 * has no caller to leave its weight to. */
static uint64_t *totals(const struct tree *t, uint64_t min_weight, bool *pruned)
{
	uint64_t *total = xcalloc(t->n, sizeof(*total));
	uint32_t i;

	for (i = t->n; i-- > 0;) {
		uint64_t *below = &total[t->nodes[i].parent];

		total[i] = add_saturated(total[i], t->nodes[i].self);
		if (i)
			*below = add_saturated(*below, total[i]);
	}
	for (i = 1; i < t->n; i++)
		pruned[i] =
			pruned[t->nodes[i].parent] || (t->nodes[i].parent && total[i] < min_weight);
	return total;
}

/* Walk in preorder with a list of places still to visit: its top is the next sibling. */
static void place_nodes(
	struct profile *p, const struct tree *t, const struct children *c, node_id *place)
{
	uint32_t *next = xmemdup(c->first, ((size_t)t->n + 1) * sizeof(*next));
	uint32_t at = 0; /* the node of t whose children are being placed */

	place[0] = 0;
	p->nodes[0] = (struct node){ .frame = t->nodes[0].frame };
	p->n_nodes = 1;
	for (;;) {
		uint32_t child;
		struct node *n;

		if (next[at] == c->first[at + 1]) {
			if (!at)
				break;
			at = t->nodes[at].parent;
			continue;
		}
		child = c->list[next[at]++].node;
		n = &p->nodes[p->n_nodes];
		*n = (struct node){ .frame = t->nodes[child].frame,
			.parent = place[at],
			.depth = p->nodes[place[at]].depth + 1 };
		if (n->depth > p->max_depth)
			p->max_depth = n->depth;
		place[child] = p->n_nodes++;
		at = child;
	}
	free(next);
}

/* Writers add weights up, and write them as signed numbers: all together must have room in one.
 * Only a recording made to do harm has more. */
static void limit_weights(struct profile *p)
{
	uint64_t room = INT64_MAX, room_for_samples = INT64_MAX;
	uint32_t i;

	for (i = 0; i < p->n_nodes; i++) {
		p->nodes[i].self = fit_into(p->nodes[i].self, &room);
		p->nodes[i].self_samples = fit_into(p->nodes[i].self_samples, &room_for_samples);
	}
}

static void sum_up(struct profile *p)
{
	uint32_t i;

	for (i = p->n_nodes; i-- > 0;) {
		struct node *n = &p->nodes[i], *parent = &p->nodes[n->parent];

		n->total += n->self;
		n->total_samples += n->self_samples;
		n->subtree++;
		if (i) {
			parent->total += n->total;
			parent->total_samples += n->total_samples;
			parent->subtree += n->subtree;
		}
	}
}

void tree_finish_ranked(const struct tree *t, struct profile *p, uint64_t min_weight,
	const struct frame_ranks *r, node_id *map)
{
	bool *pruned = xcalloc(t->n, sizeof(*pruned));
	node_id *place = map ? map : xcalloc(t->n, sizeof(*place));
	uint64_t *total = totals(t, min_weight, pruned);
	struct children c;
	uint32_t i;

	children_init(&c, t, r, pruned);
	p->nodes = xreallocarray(NULL, t->n, sizeof(*p->nodes));
	place_nodes(p, t, &c, place);
	for (i = 0; i < t->n;
		i++) { /* parents come first: a pruned node lies where its parent does */
		struct node *n;

		if (pruned[i])
			place[i] = place[t->nodes[i].parent];
		n = &p->nodes[place[i]];
		n->self = add_saturated(n->self, t->nodes[i].self);
		n->self_samples = add_saturated(n->self_samples, t->nodes[i].samples);
	}
	limit_weights(p);
	sum_up(p);
	children_release(&c);
	free(total);
	free(pruned);
	if (!map)
		free(place);
}

void tree_finish(const struct tree *t, struct profile *p, uint64_t min_weight, node_id *map)
{
	struct frame_ranks r;

	frame_ranks_init(&r, p, &t, 1);
	tree_finish_ranked(t, p, min_weight, &r, map);
	frame_ranks_release(&r);
}
