/*
 * replay.c - a log's stacks into a tree, without repeating what stacks share
 *
 * A log has each stack as a difference to the one before: keep sites from the root on, then new
 * ones. Three caches follow that:
 *
 *	site_frames  main  a  b | c d       frames of the stack's sites; end[k]: where site k's end
 *	path, node   [comm] main a b | c d  the latest path in the tree, after rules and naming
 *	n_shared     3                      frames at the front of site_frames that are in path too
 *
 * so for the next stack only frames after the kept ones are named, and the tree is descended only
 * from there. Rules may change any frame: a changed stack is in `changed`, shares nothing, and is
 * compared with path frame by frame.
 *
 * The steps for a stack are visit_stack(): frames of sites, [idle], rules, depth limit, root
 * frames, shortened names, tree_child() for each new frame, tree_add(). Costs: about one hash
 * look-up for each frame that differs from the stack before; where places are wanted
 * (place_tally.h), a look at every frame.
 */
#include "collapse/replay.h"

#include "base/mem.h"

#include <stdlib.h>

void replay_init(struct replay *r, const struct recording *recording, uint32_t n_frames,
	const struct collapse_opts *opts, struct place_tally *places)
{
	*r = (struct replay){ .recording = recording, .opts = opts, .places = places };
	tree_init(&r->tree);
	naming_init(&r->naming, recording->frames, n_frames, opts);
	idle_init(&r->idle, recording->frames);
	if (opts->rewriter)
		r->rules = opts->rewriter->worker_new(opts->rewriter->ctx);
	root_frames_init(&r->roots, recording, opts, r->rules);
}

void replay_release(struct replay *r)
{
	if (r->rules)
		r->opts->rewriter->worker_merge(r->opts->rewriter->ctx, r->rules);
	tree_release(&r->tree);
	naming_release(&r->naming);
	idle_release(&r->idle);
	root_frames_release(&r->roots);
	free(r->cells);
	free(r->site_frames);
	free(r->end);
	free(r->changed);
	free(r->path);
	free(r->node);
}

/* Puts the frames of all sites into r->site_frames; those of kept sites are there already. */
static uint32_t name_sites(struct replay *r, const struct stacklog_entry *s)
{
	const struct sites *sites = r->recording->sites;
	uint32_t n = s->keep ? r->end[s->keep - 1] : 0, k;

	if (r->n_shared > n)
		r->n_shared = n;
	ARRAY_RESERVE(r->end, s->n, r->cap_end);
	for (k = s->keep; k < s->n; k++)
		sites_prefetch_frames(sites, s->sites[k]);
	for (k = s->keep; k < s->n; k++) {
		uint32_t count;
		const frame_id *f = sites_frames(sites, s->sites[k], &count);

		ARRAY_RESERVE(r->site_frames, n + count, r->cap_site_frames);
		if (count == 1) /* nearly always */
			r->site_frames[n] = *f;
		else if (count)
			memcpy(r->site_frames + n, f, count * sizeof(*f));
		n += count;
		r->end[k] = n;
	}
	return n;
}

/* The frames after rules; false if these drop the stack. r->site_frames stays for the next stack,
 * and is the result for most. */
static bool change_stack(
	struct replay *r, const struct stacklog_entry *s, const frame_id **frames, uint32_t *n)
{
	struct stack stack = {
		.n = *n,
		.root = roots_get(r->recording->roots, s->root),
		.weight = r->opts->weight_by_samples ? s->samples : s->weight,
		.samples = s->samples,
	};
	bool idle = idle_is_stack(&r->idle, stack.root, r->site_frames, *n);

	*frames = r->site_frames;
	if (!idle && !r->rules)
		return true;
	ARRAY_RESERVE(r->changed, *n + 1, r->cap_changed);
	if (idle)
		r->changed[0] = idle_frame(&r->idle);
	if (*n)
		memcpy(r->changed + idle, r->site_frames, *n * sizeof(*r->changed));
	stack.n += idle;
	stack.frames = r->changed;
	if (r->rules)
		r->opts->rewriter->apply(r->rules, &stack);
	*frames = r->changed;
	*n = stack.n;
	return !stack.dropped;
}

/* The length of the path that the stack shares with the last one. */
static uint32_t shared_path(const struct replay *r, root_id id, const struct root_run *root,
	const frame_id *frames, uint32_t n)
{
	if (frames != r->site_frames || r->shared_root != id || !r->n_shared)
		return 0;
	return root->n + (r->n_shared < n ? r->n_shared : n);
}

static frame_id tree_frame(struct replay *r, frame_id frame, bool java)
{
	if (!r->opts->places)
		return frame;
	if (!r->opts->without_lines)
		return naming_tidy(&r->naming, frame, java);
	return place_tally_shown(r->places, &r->naming, frame, java);
}

/* The node of a path; the nodes shared with the last path are known. */
static uint32_t insert_path(struct replay *r, root_id id, const frame_id *frames, uint32_t n)
{
	const struct root_run *root = root_frames_get(&r->roots, id);
	uint32_t total = root->n + n, i = shared_path(r, id, root, frames, n);
	uint32_t node = i ? r->node[i - 1] : 0;
	bool same = r->is_java == root->java;

	ARRAY_RESERVE(r->path, total, r->cap_path);
	ARRAY_RESERVE(r->node, total, r->cap_node);
	for (; i < total; i++) {
		frame_id f = i < root->n ? root->frame[i] : frames[i - root->n];

		if (!r->opts->places && i >= root->n)
			f = naming_tidy(&r->naming, f, root->java);
		if (same && i < r->n_path && r->path[i] == f) {
			node = r->node[i];
			continue;
		}
		same = false;
		node = tree_child(&r->tree, node, tree_frame(r, f, root->java));
		r->path[i] = f;
		r->node[i] = node;
	}
	r->n_path = total;
	r->n_shared = frames == r->site_frames ? n : 0;
	r->shared_root = id;
	r->is_java = root->java;
	return node;
}

/* Of the stack whose path was inserted last. */
static void add_places(struct replay *r, uint64_t weight, uint64_t samples)
{
	const struct place_stack stack = { r->path, r->n_path, r->is_java, weight, samples };

	place_tally_add(r->places, &r->naming, &stack);
}

static void add_cell(
	struct replay *r, const struct stacklog_entry *s, uint32_t node, uint64_t weight)
{
	ARRAY_GROW(r->cells, r->n_cells, r->cap_cells);
	r->cells[r->n_cells++] = (struct replay_cell){ node, s->root, s->samples, weight };
}

static int visit_stack(void *ctx, const struct stacklog_entry *s, struct err *e)
{
	struct replay *r = ctx;
	uint32_t n = name_sites(r, s), node = NODE_DROPPED;
	const frame_id *frames;
	uint64_t weight;

	(void)e;
	if (s->samples && change_stack(r, s, &frames, &n)) {
		if (r->opts->max_depth && n > r->opts->max_depth)
			n = r->opts->max_depth;
		node = insert_path(r, s->root, frames, n);
		weight = r->opts->weight_by_samples ? s->samples : s->weight;
		tree_add(&r->tree, node, weight, s->samples);
		if (r->opts->places)
			add_places(r, weight, s->samples);
		if (r->opts->cells)
			add_cell(r, s, node, weight);
	}
	if (r->node_of_stack)
		r->node_of_stack[s->number] = node;
	return OK;
}

/* With one frame for each site, the tree of sites has the shape of the tree of names, apart from
 * siblings of one name. */
frame_id *replay_frames_of_sites(struct replay *r, struct stacklog *log)
{
	const struct sites *sites = r->recording->sites;
	const struct root_run *root;
	frame_id *frame_of;
	site_id i;

	if (!stacklog_tree(log) || r->rules || r->opts->max_depth || r->opts->places ||
		r->opts->cells)
		return NULL;
	root = root_frames_get(&r->roots, stacklog_root(log));
	if (root->n || roots_get(r->recording->roots, stacklog_root(log))->state)
		return NULL;
	frame_of = xcalloc(sites_count(sites), sizeof(*frame_of));
	for (i = 1; i < sites_count(sites); i++) {
		uint32_t n;
		const frame_id *f = sites_frames(sites, i, &n);

		if (n != 1) {
			free(frame_of);
			return NULL;
		}
		frame_of[i] = naming_tidy(&r->naming, f[0], root->java);
	}
	return frame_of;
}

int replay_run(struct replay *r, const struct stacklog *log, uint32_t part, struct err *e)
{
	return stacklog_replay_part(log, part, visit_stack, r, e);
}
