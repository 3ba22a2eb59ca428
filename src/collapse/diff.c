/*
 * diff.c - two profiles as one tree, walked in step
 *
 * A node of the new tree has sources: the nodes on both sides that have the same callers.
 * merge_next() pops a node and lists the children of all its sources as entries, sorts these by
 * name, and makes one group of each name, which becomes a child:
 *
 *	before  f ─ g ─ h 4        node f: entries   g(before) h(after)    no group has both sides
 *	after   f ─ h 6                    g skipped: h(before) h(after)   one group: h 4>6
 *
 * Names are compared by the number of the name that they are matched with (diff_match.h).
 *
 * A compiler that newly inlines g into f, and does not say so, turns f;g;h into f;h. So a child
 * that is on one side only is skipped if most of what it calls is called right there on the other
 * side, and not on its own (is_inlined()). Its self weight becomes that of f. Chains are found by
 * SKIP_ROUNDS rounds.
 *
 * Then the tree is put in order (finish.h), sums of the side before are made, and chances of all
 * nodes are computed and adjusted for their number (compare/significance.h).
 *
 * Costs: each source is listed once for each round, and entries of a node are sorted. The walk
 * keeps a stack of its own: call stacks may be 10^5 frames deep.
 */
#include "collapse/collapse.h"

#include "base/gcd.h"
#include "base/mem.h"
#include "base/saturated.h"
#include "base/bisect.h"
#include "collapse/finish.h"
#include "collapse/diff_match.h"
#include "compare/significance.h"
#include "compare/change.h"

#include <stdlib.h>

enum {
	SKIP_ROUNDS = 8, /* for chains of inlined functions */
	/* Weights of light stacks from which on they are periods, not counts of samples: */
	FIXED_PERIOD = 1000,
	ANY_PERIOD = 10000,
	SKIP_DEPTH = 4, /* how deep to look for the callees of an inlined function */
};

/* A node of one side. */
struct diff_source {
	const struct profile *p;
	uint64_t per_sample; /* weight of a sample; 0: samples were counted */
	node_id node;
	bool before;
};

struct diff_sources {
	struct diff_source *item;
	size_t n, cap;
};

/* A child of the node at work. */
struct diff_entry {
	uint32_t name; /* number of the name that it is matched with */
	struct diff_source source;
};

struct diff_entries {
	struct diff_entry *item;
	size_t n, cap;
};

/* Entries of one name. */
struct diff_group {
	size_t first, n;
	uint32_t name;
	uint8_t sides;  /* bits: 1 before, 2 after */
	bool is_answer; /* a callee of a skipped group of the other side */
	bool skipped;
};

struct diff_todo {
	uint32_t node; /* of the tree */
	size_t first;  /* in sources; the last one has all from there on */
};

struct diff_walk {
	struct diff_match match;
	bool exact;
	struct tree tree;           /* weights are those after */
	struct node_before *before; /* by node of the tree; self only */
	size_t cap_before;
	struct diff_sources sources; /* of all nodes to do */
	struct diff_todo *todo;
	size_t n_todo, cap_todo;
	/* Of the node at work: */
	struct diff_entries entries;
	struct diff_group *groups;
	size_t n_groups, cap_groups;
	struct diff *diff;
	size_t cap_skipped, cap_alike;
};

static const struct node *node_of(const struct diff_source *s)
{
	return &s->p->nodes[s->node];
}

static frame_id frame_of(const struct diff_walk *m, const struct diff_source *s)
{
	return m->match.as[node_of(s)->frame];
}

static uint64_t samples_of(const struct diff_source *s)
{
	const struct node *n = node_of(s);
	uint64_t samples;

	if (!s->per_sample || !n->self)
		return profile_samples(s->p, s->node).self;
	samples = n->self / s->per_sample + (n->self % s->per_sample >= s->per_sample / 2 + 1);
	return samples ? samples : 1;
}

static void count_self(struct diff_walk *m, uint32_t node, const struct diff_source *s)
{
	const struct node *n = node_of(s);
	struct node_before *b;

	if (!s->before) {
		tree_add(&m->tree, node, n->self, samples_of(s));
		return;
	}
	b = &m->before[node];
	b->self = saturated_add(b->self, n->self);
	b->self_samples = saturated_add(b->self_samples, samples_of(s));
}

/* True for f;f.part.0: a function that GCC split, not one that calls itself. */
static bool is_part_of(
	struct diff_walk *m, const struct diff_source *child, const struct diff_source *parent)
{
	frame_id a = frame_of(m, child), b = frame_of(m, parent);

	return parent->node && diff_match_name(&m->match, a) == diff_match_name(&m->match, b) &&
	       display_names_number(&m->match.shown, a) != display_names_number(&m->match.shown, b);
}

/* Adds the children of a source to the entries, and its self weight to the node. */
static void open_source(struct diff_walk *m, uint32_t node, struct diff_source s)
{
	struct diff_sources todo = { 0 };

	ARRAY_GROW(todo.item, todo.n, todo.cap);
	todo.item[todo.n++] = s;
	while (todo.n) {
		struct diff_source at = todo.item[--todo.n];
		node_id i, end = at.node + node_of(&at)->subtree;

		count_self(m, node, &at);
		for (i = at.node + 1; i < end; i += at.p->nodes[i].subtree) {
			struct diff_source child = { at.p, at.per_sample, i, at.before };

			if (!m->exact && is_part_of(m, &child, &at)) {
				ARRAY_GROW(todo.item, todo.n, todo.cap);
				todo.item[todo.n++] = child;
				continue;
			}
			ARRAY_GROW(m->entries.item, m->entries.n, m->entries.cap);
			m->entries.item[m->entries.n++] = (struct diff_entry){
				diff_match_name(&m->match, frame_of(m, &child)), child
			};
		}
	}
	free(todo.item);
}

static int compare_entries(const void *pa, const void *pb)
{
	const struct diff_entry *a = pa, *b = pb;

	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	if (a->source.before != b->source.before)
		return a->source.before ? 1 : -1;
	return (a->source.node > b->source.node) - (a->source.node < b->source.node);
}

static void make_groups(struct diff_walk *m)
{
	struct diff_entries *e = &m->entries;
	size_t i;

	if (e->n > 1)
		qsort(e->item, e->n, sizeof(*e->item), compare_entries);
	m->n_groups = 0;
	for (i = 0; i < e->n; i++) {
		if (!i || e->item[i].name != e->item[i - 1].name) {
			ARRAY_GROW(m->groups, m->n_groups, m->cap_groups);
			m->groups[m->n_groups++] =
				(struct diff_group){ .first = i, .name = e->item[i].name };
		}
		m->groups[m->n_groups - 1].n++;
		m->groups[m->n_groups - 1].sides |= e->item[i].source.before ? 1 : 2;
	}
}

/* Inlined functions */

static struct diff_group *find_group(struct diff_walk *m, uint32_t name)
{
	size_t low = bisect(i, 0, m->n_groups, m->groups[i].name >= name);

	return low < m->n_groups && m->groups[low].name == name ? &m->groups[low] : NULL;
}

/* The weight of the source's callees that are, on the other side only, children of the node itself;
 * mark: mark their groups. */
static uint64_t answered(struct diff_walk *m, const struct diff_source *s, bool mark, int depth)
{
	node_id i, end = s->node + node_of(s)->subtree;
	uint64_t sum = 0;

	for (i = s->node + 1; i < end; i += s->p->nodes[i].subtree) {
		struct diff_source child = { s->p, s->per_sample, i, s->before };
		struct diff_group *g =
			find_group(m, diff_match_name(&m->match, frame_of(m, &child)));

		if (g && g->sides == (s->before ? 2 : 1) && !g->skipped) {
			sum = saturated_add(sum, node_of(&child)->total);
			g->is_answer |= mark;
		} else if (depth > 1) {
			sum = saturated_add(sum, answered(m, &child, mark, depth - 1));
		}
	}
	return sum;
}

static void add_skipped(struct diff_walk *m, const struct diff_group *g, uint32_t node)
{
	struct diff *d = m->diff;
	struct diff_skipped *s;
	size_t i;

	ARRAY_GROW(d->skipped, d->n_skipped, m->cap_skipped);
	s = &d->skipped[d->n_skipped++];
	*s = (struct diff_skipped){ .frame = frame_of(m, &m->entries.item[g->first].source),
		.caller = m->tree.nodes[node].what,
		.before = g->sides == 1 };
	for (i = g->first; i < g->first + g->n; i++)
		s->weight = saturated_add(s->weight, node_of(&m->entries.item[i].source)->total);
}

/* True if most of the group's callees are called from the node on the other side. */
static bool is_inlined(struct diff_walk *m, const struct diff_group *g)
{
	uint64_t below = 0, found = 0;
	size_t i;

	for (i = g->first; i < g->first + g->n; i++) {
		const struct diff_source *s = &m->entries.item[i].source;

		below = saturated_add(below, node_of(s)->total - node_of(s)->self);
		found = saturated_add(found, answered(m, s, false, SKIP_DEPTH));
	}
	return found && found >= below - below / 2;
}

static uint8_t sides_unmatched(const struct diff_walk *m)
{
	uint8_t sides = 0;
	size_t i;

	for (i = 0; i < m->n_groups; i++)
		if (m->groups[i].sides != 3)
			sides |= m->groups[i].sides;
	return sides;
}

/* One round: marks the groups to skip; their children become entries after the others. */
static bool skip_inlined(struct diff_walk *m, uint32_t node)
{
	size_t i, k;
	bool any = false;

	if (sides_unmatched(m) != 3)
		return false;
	for (i = 0; i < m->n_groups; i++) {
		struct diff_group *g = &m->groups[i];

		/* What may be on the other side, below another path, is not inlined there. */
		if (g->sides == 3 || g->is_answer || m->match.unclear[g->name] || !is_inlined(m, g))
			continue;
		g->skipped = any = true;
		add_skipped(m, g, node);
		for (k = g->first; k < g->first + g->n; k++)
			answered(m, &m->entries.item[k].source, true, SKIP_DEPTH);
	}
	return any;
}

static void open_skipped(struct diff_walk *m, uint32_t node)
{
	struct diff_entries *e = &m->entries;
	struct diff_sources opened = { 0 };
	size_t i, k, kept = 0;

	for (i = 0; i < m->n_groups; i++) {
		const struct diff_group *g = &m->groups[i];

		for (k = g->first; k < g->first + g->n; k++) {
			if (!g->skipped) {
				e->item[kept++] = e->item[k];
				continue;
			}
			ARRAY_GROW(opened.item, opened.n, opened.cap);
			opened.item[opened.n++] = e->item[k].source;
		}
	}
	e->n = kept;
	for (i = 0; i < opened.n; i++)
		open_source(m, node, opened.item[i]);
	free(opened.item);
}

/* The roots of stacks */

static bool is_root_frame(const struct diff_walk *m, const struct diff_group *g)
{
	const struct diff_source *s = &m->entries.item[g->first].source;

	return frames_get(s->p->frames, frame_of(m, s))->kind == FRAME_ROOT;
}

static struct diff_group *only_group_of(struct diff_walk *m, uint8_t sides)
{
	struct diff_group *found = NULL;
	size_t i;

	for (i = 0; i < m->n_groups; i++) {
		if (m->groups[i].sides != sides)
			continue;
		if (found)
			return NULL;
		found = &m->groups[i];
	}
	return found;
}

/* The name of a program at the root may have its version in it (python3.10, node-24): if just one
 * name is gone and one is new, their children can be compared. */
static void join_roots(struct diff_walk *m)
{
	struct diff_group *before = only_group_of(m, 1), *after = only_group_of(m, 2);
	size_t i;

	if (!before || !after ||
		(m->n_groups > 2 && !(is_root_frame(m, before) && is_root_frame(m, after))))
		return;
	ARRAY_GROW(m->diff->alike, m->diff->n_alike, m->cap_alike);
	m->diff->alike[m->diff->n_alike++] =
		(struct diff_alike){ frame_of(m, &m->entries.item[before->first].source),
			frame_of(m, &m->entries.item[after->first].source), true };
	for (i = before->first; i < before->first + before->n; i++)
		m->entries.item[i].name = after->name;
	make_groups(m);
}

/* Weights of folded stacks */

static int compare_weights(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;

	return (a > b) - (a < b);
}

/*
 * The weight of one sample in folded stacks, which do not say whether they are counts or periods.
 * One sample may weigh millions, which would make any difference look certain. Counts have no large
 * divisor, and many stacks were sampled only a few times. If all periods are equal, they are the
 * divisor. If not, the weight of a light stack is the best guess; not of the lightest, as perf -F
 * begins with periods of 1.
 */
static uint64_t weight_per_sample(const struct profile *p)
{
	uint64_t *self = xcalloc(p->n_nodes, sizeof(*self)), divisor = 0, light;
	node_id i, n = 0;

	for (i = 0; i < p->n_nodes; i++) {
		if (!p->nodes[i].self)
			continue;
		self[n++] = p->nodes[i].self;
		divisor = gcd(p->nodes[i].self, divisor);
	}
	qsort(self, n, sizeof(*self), compare_weights);
	light = n ? self[n / 4] : 0;
	free(self);
	if (divisor >= FIXED_PERIOD)
		return divisor;
	return light >= ANY_PERIOD ? light : 1;
}

static bool counts_samples(const struct profile *p)
{
	return p->sums != SUMS_ASSUMED;
}

static struct diff_source root_source(const struct profile *p, bool before)
{
	return (struct diff_source){ p, counts_samples(p) ? 0 : weight_per_sample(p), 0, before };
}

uint64_t diff_count_samples(const struct profile *p)
{
	struct diff_source s = root_source(p, false);
	uint64_t sum = 0;

	for (s.node = 0; s.node < p->n_nodes; s.node++)
		sum = saturated_add(sum, samples_of(&s));
	return sum;
}

/* The walk */

static void add_todo(struct diff_walk *m, uint32_t node)
{
	ARRAY_GROW(m->todo, m->n_todo, m->cap_todo);
	m->todo[m->n_todo++] = (struct diff_todo){ node, m->sources.n };
}

static void add_source(struct diff_walk *m, struct diff_source s)
{
	ARRAY_GROW(m->sources.item, m->sources.n, m->sources.cap);
	m->sources.item[m->sources.n++] = s;
}

/* Adds a node for the siblings of one name, with the frame of the first, preferably of the side
 * after. */
static void add_child(struct diff_walk *m, uint32_t parent, const struct diff_group *g)
{
	const struct diff_entry *e = &m->entries.item[g->first];
	uint32_t node = tree_child(&m->tree, parent, m->match.of_frame[frame_of(m, &e->source)]);
	size_t i;

	if (node >= m->cap_before) {
		size_t old = m->cap_before;

		ARRAY_RESERVE(m->before, (size_t)node + 1, m->cap_before);
		memset(m->before + old, 0, (m->cap_before - old) * sizeof(*m->before));
	}
	add_todo(m, node);
	for (i = 0; i < g->n; i++)
		add_source(m, e[i].source);
}

static void merge_next(struct diff_walk *m)
{
	struct diff_todo w = m->todo[--m->n_todo];
	size_t i;
	int round;

	m->entries.n = 0;
	for (i = w.first; i < m->sources.n; i++)
		open_source(m, w.node, m->sources.item[i]);
	m->sources.n = w.first;
	make_groups(m);
	for (round = 0; !m->exact && round < SKIP_ROUNDS && skip_inlined(m, w.node); round++) {
		open_skipped(m, w.node);
		make_groups(m);
	}
	if (!m->exact && !w.node)
		join_roots(m);
	for (i = 0; i < m->n_groups; i++)
		add_child(m, w.node, &m->groups[i]);
}

static void merge_trees(struct diff_walk *m, const struct profile *const *before, size_t n_before,
	const struct profile *after)
{
	size_t i;

	tree_init(&m->tree);
	m->cap_before = 1;
	m->before = xcalloc(1, sizeof(*m->before));
	add_todo(m, 0);
	add_source(m, root_source(after, false));
	for (i = 0; i < n_before; i++)
		add_source(m, root_source(before[i], true));
	while (m->n_todo)
		merge_next(m);
}

/* The profile */

/* Sums the side before, limited as tree_walk.c limits the weights after. */
static void sum_up_before(struct profile *p)
{
	uint64_t room = INT64_MAX, room_for_samples = INT64_MAX;
	struct node_before *of = p->before->of;
	node_id i;

	for (i = 0; i < p->n_nodes; i++) {
		of[i].self = saturated_fit(of[i].self, &room);
		of[i].self_samples = saturated_fit(of[i].self_samples, &room_for_samples);
	}
	for (i = p->n_nodes; i-- > 0;) {
		struct node_before *parent = &of[p->nodes[i].parent];

		of[i].total += of[i].self;
		of[i].total_samples += of[i].self_samples;
		if (i) {
			parent->total += of[i].total;
			parent->total_samples += of[i].total_samples;
		}
	}
}

/* The probability that chance alone made each node's difference, by self and in total, adjusted for
 * the number of nodes. */
static void set_chances(struct profile *p)
{
	struct change_scale scale = change_scale_of(p);
	double *chance = xcalloc((size_t)p->n_nodes * 2, sizeof(*chance));
	double *total = chance + p->n_nodes;
	node_id i;

	for (i = 0; i < p->n_nodes; i++) {
		const struct node *n = &p->nodes[i];
		const struct node_before *b = &p->before->of[i];
		struct node_samples samples = profile_samples(p, i);

		chance[i] = change_of(&scale, (struct cost){ b->self, b->self_samples },
			(struct cost){ n->self, samples.self })
				    .p_value;
		total[i] = change_of(&scale, (struct cost){ b->total, b->total_samples },
			(struct cost){ n->total, samples.total })
				   .p_value;
	}
	significance_benjamini_hochberg(chance, p->n_nodes);
	significance_benjamini_hochberg(total, p->n_nodes);
	for (i = 0; i < p->n_nodes; i++) {
		p->before->of[i].self_p_value = (float)chance[i];
		p->before->of[i].total_p_value = (float)total[i];
	}
	free(chance);
}

static void finish(struct profile *p, struct diff_walk *m)
{
	node_id *place = xcalloc(m->tree.n, sizeof(*place));
	uint32_t i;

	finish_tree(&m->tree, p, 0, place);
	p->before->of = xcalloc(p->n_nodes, sizeof(*p->before->of));
	for (i = 0; i < m->tree.n; i++)
		p->before->of[place[i]] = m->before[i];
	sum_up_before(p);
	set_chances(p);
	free(place);
}

static struct profile *new_profile(const struct profile *const *before, size_t n_before,
	const struct profile *after, const struct diff_opts *o)
{
	struct profile *p = xcalloc(1, sizeof(*p));
	size_t i;

	p->frames = after->frames;
	p->strings = after->strings;
	p->unit = after->unit;
	p->sums = after->sums;
	p->event = after->event;
	p->period = after->period;
	p->period_ns = after->period_ns;
	p->annotate = after->annotate;
	p->addresses = after->addresses;
	for (i = 0; i < n_before; i++) {
		p->annotate |= before[i]->annotate;
		p->addresses |= before[i]->addresses;
	}
	p->before = xcalloc(1, sizeof(*p->before));
	p->before->unit = n_before ? before[0]->unit : after->unit;
	p->before->absolute = o->absolute;
	p->before->max_p_value = o->max_p_value;
	return p;
}

/* Matched names, for the report */

static void add_alike(struct diff_walk *m, const struct profile *p, bool before, bool *seen)
{
	struct diff *d = m->diff;
	node_id i;

	for (i = 1; i < p->n_nodes; i++) {
		frame_id frame = m->match.as[p->nodes[i].frame];
		uint32_t shown = display_names_number(&m->match.shown, frame);

		if (m->match.of_name[shown] == shown || seen[shown])
			continue;
		seen[shown] = true;
		ARRAY_GROW(d->alike, d->n_alike, m->cap_alike);
		d->alike[d->n_alike++] =
			(struct diff_alike){ frame, m->match.of_frame[frame], before };
	}
}

static int compare_skipped(const void *pa, const void *pb)
{
	const struct diff_skipped *a = pa, *b = pb;

	return (a->weight < b->weight) - (a->weight > b->weight);
}

void diff_make(struct diff *d, const struct profile *const *before, size_t n_before,
	const struct profile *after, const struct diff_opts *o)
{
	struct diff_walk m = { .exact = o->exact, .diff = d };
	bool *seen;
	size_t i;

	*d = (struct diff){ .profile = new_profile(before, n_before, after, o) };
	diff_match_init(&m.match, d->profile, before, n_before, after, o->exact);
	merge_trees(&m, before, n_before, after);
	finish(d->profile, &m);
	seen = xcalloc((size_t)m.match.shown.n + 1, sizeof(*seen));
	add_alike(&m, after, false, seen);
	for (i = 0; i < n_before; i++)
		add_alike(&m, before[i], true, seen);
	if (d->n_skipped)
		qsort(d->skipped, d->n_skipped, sizeof(*d->skipped), compare_skipped);
	free(seen);
	d->path = m.match.moved.item;
	d->n_paths = m.match.moved.n;
	d->strings = m.match.moved.strings;
	m.match.moved = (struct diff_moved){ 0 };
	tree_release(&m.tree);
	diff_match_release(&m.match);
	free(m.before);
	free(m.sources.item);
	free(m.todo);
	free(m.entries.item);
	free(m.groups);
}

void diff_release(struct diff *d)
{
	profile_free(d->profile);
	free(d->alike);
	free(d->skipped);
	free(d->path);
	arena_release(&d->strings);
	*d = (struct diff){ 0 };
}
