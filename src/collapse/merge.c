/*
 * merge.c - many profiles to one: each has frames and strings of its own, and can be freed once
 * added. Only the tree and the frames in it are kept.
 *
 * The sum depends neither on the order nor on how it is grouped: weights are added in the tree of
 * frames, which finish_tree() puts in order by their content; the sum has an event only if all
 * inputs have the same, and no period, as that belongs to a single recording.
 */
#include "collapse/collapse.h"

#include "base/mem.h"
#include "collapse/builds.h"
#include "collapse/cells.h"
#include "collapse/finish.h"

#include <pthread.h>
#include <stdlib.h>

struct merge {
	struct frames *frames; /* borrowed */
	struct strtab *strings;
	pthread_mutex_t lock; /* of all that follows */
	struct tree tree;
	struct profile facts; /* without nodes; has the cells */
	struct cells cells;
	enum merge_cells kept;
	bool any;
};

struct merge *merge_new(struct frames *frames, enum merge_cells cells)
{
	struct merge *m = xcalloc(1, sizeof(*m));

	m->frames = frames;
	m->strings = frames_strings(frames);
	m->facts.strings = m->strings;
	m->kept = cells;
	cells_init(&m->cells, &m->facts);
	pthread_mutex_init(&m->lock, NULL);
	tree_init(&m->tree);
	return m;
}

void merge_free(struct merge *m)
{
	if (!m)
		return;
	tree_release(&m->tree);
	cells_release(&m->cells);
	free(m->facts.cells);
	free(m->facts.keys);
	pthread_mutex_destroy(&m->lock);
	free(m);
}

static str_id add_string(const struct merge *m, const struct profile *p, str_id text)
{
	return text ? strtab_add(m->strings, strtab_get(p->strings, text)) : 0;
}

static frame_id add_frame(const struct merge *m, const struct profile *p, frame_id id)
{
	struct frame f = *frames_get(p->frames, id);

	f.name = add_string(m, p, f.name);
	f.module = add_string(m, p, f.module);
	f.file = add_string(m, p, f.file);
	f.at_file = add_string(m, p, f.at_file);
	f.category = add_string(m, p, f.category);
	f.build = add_string(m, p, f.build);
	return frames_add(m->frames, &f);
}

/* By frame_id of p, the frame of the sum; only for frames that nodes have. */
static frame_id *find_frames(const struct merge *m, const struct profile *p)
{
	frame_id *same = xcalloc(frames_count(p->frames), sizeof(*same));
	node_id i;

	for (i = 1; i < p->n_nodes; i++) {
		frame_id f = p->nodes[i].frame;

		if (!same[f])
			same[f] = add_frame(m, p, f);
	}
	return same;
}

static void add_facts(struct merge *m, const struct profile *p)
{
	struct profile *whole = &m->facts;
	str_id event = add_string(m, p, p->event);

	if (p->sums > whole->sums)
		whole->sums = p->sums;
	if (!m->any) {
		whole->unit = add_string(m, p, p->unit);
		whole->event = event;
		m->any = true;
	}
	if (whole->event != event)
		whole->event = 0;
}

void merge_add(struct merge *m, const struct profile *p)
{
	frame_id *same = find_frames(m, p);
	uint32_t *place = xcalloc(p->n_nodes, sizeof(*place));
	node_id i;

	pthread_mutex_lock(&m->lock);
	m->facts.annotate |= p->annotate;
	m->facts.addresses |= p->addresses;
	if (profile_samples(p, 0).total || p->nodes[0].total)
		add_facts(m, p);
	for (i = 0; i < p->n_nodes; i++) {
		const struct node *n = &p->nodes[i];

		if (i)
			place[i] = tree_child(&m->tree, place[n->parent], same[n->frame]);
		tree_add(&m->tree, place[i], n->self, profile_samples(p, i).self);
	}
	if (m->kept)
		cells_add_profile(&m->cells, p, place, m->kept == MERGE_LABELS);
	pthread_mutex_unlock(&m->lock);
	free(place);
	free(same);
}

/* By frame_id, the frame that is shown. */
static frame_id *find_shown(const struct merge *m, uint32_t *n)
{
	struct builds b;
	frame_id *shown;
	uint32_t i;

	*n = frames_count(m->frames);
	shown = xcalloc(*n, sizeof(*shown));
	builds_init(&b, m->frames, 1);
	for (i = 1; i < m->tree.n; i++)
		builds_add(&b, m->tree.nodes[i].what, 1);
	for (i = 1; i < m->tree.n; i++)
		shown[m->tree.nodes[i].what] = builds_shown(&b, m->tree.nodes[i].what);
	builds_release(&b);
	return shown;
}

struct profile *merge_profile(struct merge *m, double min_percent)
{
	struct profile *p = xmemdup(&m->facts, sizeof(m->facts));
	node_id *place = xcalloc(m->tree.n, sizeof(*place));
	struct source_tree tree = { .tree = &m->tree, .place = place };
	frame_id *shown = find_shown(m, &tree.n_numbers);

	p->frames = m->frames;
	p->strings = m->strings;
	if (!p->unit)
		p->unit = strtab_add(m->strings, SPAN("samples"));
	tree.frame_of = shown;
	finish_trees(&tree, 1, p, &(struct finish_opts){ .min_percent = min_percent });
	if (m->kept) {
		m->cells.p = p; /* which has them from now on */
		m->facts.cells = NULL;
		m->facts.keys = NULL;
		cells_place(&m->cells, place);
		cells_finish(&m->cells);
	}
	free(place);
	free(shown);
	return p;
}
