/*
 * input_cpuprofile.c - V8's CPU profile (.cpuprofile), of node, DevTools or perfold
 *
 *	{ "nodes": [ { "id", "callFrame": { "functionName", "url", "lineNumber", "columnNumber" },
 *	  "hitCount", "children": [id, ...] or "parent": id }, ... ],
 *	  "startTime": us, "endTime": us, "samples": [id, ...], "timeDeltas": [us, ...] }
 *
 *	before 2016:
 *	{ "head": { "functionName", "url", "lineNumber", "hitCount", "children": [{...}, ...] },
 *	  "startTime": s, "endTime": s, "samples": [id, ...], "timestamps": [us, ...] }
 *
 * With times, a sample weighs the nanoseconds until the next one, the last one until endTime, as in
 * DevTools; without times it weighs one. Where there are no samples, a node weighs its hitCount. A
 * function is "NAME URL:LINE:COLUMN", as V8 names it in a perf map, without the tier. The root,
 * "(root)", is no frame; in profiles converted from another format it is the name of the process.
 *
 * The document is read as a stream of values into nodes[], edges[] (children may come before their
 * node) and lists of numbers. connect() makes parents of the edges and cuts cycles, as files may
 * hold anything; a stack is the way from a node up to the root.
 *
 * Source: https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile
 */
#include "input/profiles/profiles.h"

#include "base/hash.h"
#include "base/mem.h"
#include "input/stacks/stacks.h"

#include <stdlib.h>

#define NONE UINT32_MAX

enum { STACK_MAX = 1 << 15 };

struct numbers {
	int64_t *v;
	size_t n, cap;
};

struct cpuprofile_node {
	int64_t id, parent_id; /* parent_id: used while parent is NONE; -1: none */
	uint32_t parent;
	str_id function, url;
	int64_t line, column; /* as written */
	int64_t hits;
	site_id site;
};

struct cpuprofile {
	struct recording *recording;
	struct cpuprofile_node *nodes;
	uint32_t n_nodes, cap_nodes;
	struct edge {
		uint32_t parent;
		int64_t child;
	} * edges;
	uint32_t n_edges, cap_edges;
	struct index by_id;
	/* Nodes that are open, outermost first, and the level of each. */
	struct open {
		uint32_t node, depth;
	} * open;
	uint32_t n_open, cap_open;
	bool is_tree; /* "head" */
	struct numbers samples, deltas, stamps;
	int64_t start_us, end_us;
};

/* ---- reading ---- */

static void add_number(struct numbers *n, const struct json_value *v)
{
	int64_t value;

	if (!json_reader_to_int(v, &value))
		return;
	ARRAY_GROW(n->v, n->n, n->cap);
	n->v[n->n++] = value;
}

static bool begins_node(const struct cpuprofile *c, const struct json_reader *j)
{
	uint32_t depth = json_reader_depth(j);

	if (c->n_open) /* a child in a tree: { "children": [ { */
		return c->is_tree && depth == c->open[c->n_open - 1].depth + 2 &&
		       json_reader_in_array(j) && json_reader_key_is(j, 0, "children");
	if (depth == 1)
		return json_reader_key_is(j, 0, "head");
	return depth == 2 && json_reader_in_array(j) && json_reader_key_is(j, 0, "nodes");
}

static void begin_node(struct cpuprofile *c, const struct json_reader *j)
{
	struct cpuprofile_node node = { .id = -1, .parent_id = -1, .parent = NONE };

	if (c->n_open)
		node.parent = c->open[c->n_open - 1].node;
	if (json_reader_depth(j) == 1)
		c->is_tree = true;
	ARRAY_GROW(c->open, c->n_open, c->cap_open);
	c->open[c->n_open++] = (struct open){ c->n_nodes, json_reader_depth(j) };
	ARRAY_GROW(c->nodes, c->n_nodes, c->cap_nodes);
	c->nodes[c->n_nodes++] = node;
}

static void read_location(struct cpuprofile *c, struct cpuprofile_node *node,
	const struct json_reader *j, const struct json_value *v)
{
	struct strtab *strings = c->recording->strings;

	if (v->kind == JSON_STRING && json_reader_key_is(j, 0, "functionName"))
		node->function = strtab_add(strings, v->text);
	else if (v->kind == JSON_STRING && json_reader_key_is(j, 0, "url"))
		node->url = strtab_add(strings, v->text);
	else if (json_reader_key_is(j, 0, "lineNumber"))
		json_reader_to_int(v, &node->line);
	else if (json_reader_key_is(j, 0, "columnNumber"))
		json_reader_to_int(v, &node->column);
}

static void read_field(struct cpuprofile *c, struct cpuprofile_node *node,
	const struct json_reader *j, const struct json_value *v)
{
	if (json_reader_key_is(j, 0, "id"))
		json_reader_to_int(v, &node->id);
	else if (json_reader_key_is(j, 0, "parent"))
		json_reader_to_int(v, &node->parent_id);
	else if (json_reader_key_is(j, 0, "hitCount"))
		json_reader_to_int(v, &node->hits);
	else
		read_location(c, node, j, v);
}

static void read_child(struct cpuprofile *c, uint32_t parent, const struct json_value *v)
{
	struct edge edge = { parent, 0 };

	if (!json_reader_to_int(v, &edge.child))
		return;
	ARRAY_GROW(c->edges, c->n_edges, c->cap_edges);
	c->edges[c->n_edges++] = edge;
}

static void read_in_node(
	struct cpuprofile *c, const struct json_reader *j, const struct json_value *v)
{
	struct open *at = &c->open[c->n_open - 1];
	uint32_t inner = json_reader_depth(j) - at->depth;

	if (inner == 1 && !json_reader_in_array(j))
		read_field(c, &c->nodes[at->node], j, v);
	else if (inner == 2 && json_reader_in_array(j) && json_reader_key_is(j, 0, "children"))
		read_child(c, at->node, v);
	else if (inner == 2 && json_reader_key_is(j, 1, "callFrame"))
		read_location(c, &c->nodes[at->node], j, v);
}

static void read_outside(
	struct cpuprofile *c, const struct json_reader *j, const struct json_value *v)
{
	if (json_reader_depth(j) == 1 && json_reader_key_is(j, 0, "startTime"))
		json_reader_to_int(v, &c->start_us);
	else if (json_reader_depth(j) == 1 && json_reader_key_is(j, 0, "endTime"))
		json_reader_to_int(v, &c->end_us);
	if (json_reader_depth(j) != 2 || !json_reader_in_array(j))
		return;
	if (json_reader_key_is(j, 0, "samples"))
		add_number(&c->samples, v);
	else if (json_reader_key_is(j, 0, "timeDeltas"))
		add_number(&c->deltas, v);
	else if (json_reader_key_is(j, 0, "timestamps"))
		add_number(&c->stamps, v);
}

static bool on_value(void *ctx, const struct json_reader *j, const struct json_value *v)
{
	struct cpuprofile *c = ctx;

	if (v->kind == JSON_OBJECT && begins_node(c, j))
		begin_node(c, j);
	else if (v->kind == JSON_END && c->n_open &&
		 c->open[c->n_open - 1].depth == json_reader_depth(j))
		c->n_open--;
	else if (v->kind != JSON_STRING && v->kind != JSON_NUMBER)
		return true;
	else if (c->n_open)
		read_in_node(c, j, v);
	else
		read_outside(c, j, v);
	return true;
}

/* ---- the tree ---- */

static uint32_t node_of(const struct cpuprofile *c, int64_t id)
{
	struct index_cursor cursor;
	uint32_t i;

	index_for_each (&c->by_id, hash_u64((uint64_t)id), cursor, i)
		if (c->nodes[i].id == id)
			return i;
	return NONE;
}

/* A cycle of parents is cut where it closes. */
static void cut_cycles(struct cpuprofile *c, struct diag *d)
{
	uint32_t *seen = xcalloc((size_t)c->n_nodes + 1, sizeof(*seen)); /* by which walk, from 1 */
	uint32_t i, at;

	for (i = 0; i < c->n_nodes; i++) {
		for (at = i; !seen[at]; at = c->nodes[at].parent) {
			uint32_t parent = c->nodes[at].parent;

			seen[at] = i + 1;
			if (parent == NONE)
				break;
			if (seen[parent] == i + 1) {
				c->nodes[at].parent = NONE;
				diag_count(d, DIAG_BAD_RECORD, at);
				break;
			}
		}
	}
	free(seen);
}

static void connect(struct cpuprofile *c, struct diag *d)
{
	uint32_t i;

	for (i = 0; i < c->n_nodes; i++)
		if (c->nodes[i].id >= 0 && node_of(c, c->nodes[i].id) == NONE)
			index_add(&c->by_id, hash_u64((uint64_t)c->nodes[i].id), i);
	for (i = 0; i < c->n_edges; i++) {
		uint32_t child = node_of(c, c->edges[i].child);

		if (child != NONE && c->nodes[child].parent == NONE)
			c->nodes[child].parent = c->edges[i].parent;
	}
	for (i = 0; i < c->n_nodes; i++)
		if (c->nodes[i].parent == NONE && c->nodes[i].parent_id >= 0)
			c->nodes[i].parent = node_of(c, c->nodes[i].parent_id);
	cut_cycles(c, d);
}

/* Numbers of lines and columns start at 0, in trees at 1; -1 is none. */
static uint32_t line_number(const struct cpuprofile *c, int64_t n)
{
	n += !c->is_tree;
	return n > 0 && n <= UINT32_MAX ? (uint32_t)n : 0;
}

static site_id make_site(struct cpuprofile *c, module_id module, const struct cpuprofile_node *node)
{
	struct recording *r = c->recording;
	struct span name = strtab_get(r->strings, node->function);
	struct frame f = { .kind = FRAME_USER };

	f.line = line_number(c, node->line);
	f.column = f.line ? line_number(c, node->column) : 0;
	if (span_starts(name, SPAN("RegExp:")))
		f.kind = FRAME_JIT;
	text_frame_set_name(
		r, &f, name.n ? name : SPAN("(anonymous)"), strtab_get(r->strings, node->url));
	return text_frame_site(r, module, &f);
}

static bool is_root(const struct cpuprofile *c, uint32_t node)
{
	return node == 0 && c->nodes[node].parent == NONE;
}

/* ---- samples ---- */

/* Pushes the stack that ends in a node, outermost frame first. */
static void push_stack(struct cpuprofile *c, struct stacktext *s, uint32_t node)
{
	stacktext_drop(s);
	for (; node != NONE && !is_root(c, node); node = c->nodes[node].parent) {
		if (s->log.n_entries == STACK_MAX) {
			diag_count(&s->diag, DIAG_STACK_TOO_DEEP, node);
			break;
		}
		if (!c->nodes[node].site)
			c->nodes[node].site = make_site(c, s->reader->module, &c->nodes[node]);
		text_log_push(&s->log, c->nodes[node].site);
	}
	text_log_reverse(&s->log);
}

static uint64_t to_ns(int64_t us)
{
	return us < 0 ? 0 : us > INT64_MAX / 1000 ? INT64_MAX : (uint64_t)us * 1000;
}

struct timed_sample {
	int64_t time_us;
	uint32_t node, order;
};

static int compare_times(const void *pa, const void *pb)
{
	const struct timed_sample *a = pa, *b = pb;

	if (a->time_us != b->time_us)
		return a->time_us < b->time_us ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

/* Deltas may be negative: V8 stores some samples late. */
static struct timed_sample *sort_samples(struct cpuprofile *c, bool *timed)
{
	struct timed_sample *all = xcalloc(c->samples.n + 1, sizeof(*all));
	int64_t now = c->start_us;
	size_t i;

	*timed = c->samples.n && (c->deltas.n >= c->samples.n || c->stamps.n >= c->samples.n);
	for (i = 0; i < c->samples.n; i++) {
		all[i].order = (uint32_t)i;
		all[i].node = node_of(c, c->samples.v[i]);
		if (!*timed)
			continue;
		if (c->deltas.n < c->samples.n)
			now = c->stamps.v[i];
		else if (__builtin_add_overflow(now, c->deltas.v[i], &now))
			now = INT64_MAX;
		all[i].time_us = now;
	}
	if (*timed)
		qsort(all, c->samples.n, sizeof(*all), compare_times);
	all[i].time_us = c->end_us;
	return all;
}

static void count_samples(
	struct cpuprofile *c, struct stacktext *s, const struct timed_sample *all, bool timed)
{
	struct text_sample sample = stacktext_empty_sample(s);
	uint32_t before = NONE;
	size_t i;

	sample.has_time = timed;
	for (i = 0; i < c->samples.n; i++) {
		if (all[i].node == NONE) {
			diag_count(&s->diag, DIAG_BAD_SAMPLE, i);
			continue;
		}
		if (all[i].node != before)
			push_stack(c, s, all[i].node);
		before = all[i].node;
		sample.time_ns = to_ns(all[i].time_us);
		if (timed)
			sample.period = to_ns(all[i + 1].time_us) > sample.time_ns
						? to_ns(all[i + 1].time_us) - sample.time_ns
						: 0;
		stacktext_count(s, &sample);
	}
}

static void count_hits(struct cpuprofile *c, struct stacktext *s)
{
	struct text_sample sample = stacktext_empty_sample(s);
	uint32_t i;

	for (i = 0; i < c->n_nodes; i++) {
		if (c->nodes[i].hits <= 0)
			continue;
		push_stack(c, s, i);
		sample.period = (uint64_t)c->nodes[i].hits;
		stacktext_count(s, &sample);
	}
}

/* ---- the format ---- */

static const struct stacktext_format format = { .title = "CPU profile of V8" };

static int fill(struct cpuprofile *c, struct stacktext_reader *reader, struct err *e)
{
	struct timed_sample *all;
	struct stacktext *s;
	struct diag d = { { 0 }, { 0 } };
	struct span name;
	bool timed;
	int rc;

	connect(c, &d);
	all = sort_samples(c, &timed);
	name = strtab_get(c->recording->strings, c->n_nodes ? c->nodes[0].function : 0);
	if (!span_eq(name, SPAN("(root)")))
		reader->comm = name;
	if (timed) {
		reader->unit = SPAN("nanoseconds");
		reader->first_time_ns = to_ns(all[0].time_us);
		reader->last_time_ns = to_ns(all[c->samples.n - 1].time_us);
	}
	reader->opts.weight_by_samples &= c->samples.n != 0;
	rc = stacktext_begin(reader, &s, e);
	diag_merge(&s->diag, &d);
	if (!rc && c->samples.n)
		count_samples(c, s, all, timed);
	else if (!rc)
		count_hits(c, s);
	free(all);
	c->recording->facts.v8_samples = c->recording->rows_have_duration = timed;
	return stacktext_finish(reader, rc, e);
}

static int cpuprofile_read(struct recording *r, const struct file *f, const struct input_head *head,
	const struct read_opts *o, struct pool *pool, struct err *e)
{
	struct cpuprofile c = { .recording = r };
	struct stacktext_reader reader;
	int rc;

	(void)pool;
	rc = text_read_json(f, head, o, on_value, &c, e);
	if (!rc && !c.n_nodes)
		rc = err_set(e, ERR_FORMAT, "not a CPU profile: it has no nodes");
	if (!rc) {
		stacktext_open(&reader, &format, r, o);
		rc = fill(&c, &reader, e);
		stacktext_close(&reader);
	}
	free(c.nodes);
	free(c.edges);
	free(c.open);
	free(c.samples.v);
	free(c.deltas.v);
	free(c.stamps.v);
	index_release(&c.by_id);
	return rc;
}

static int cpuprofile_bid(const struct input_head *head)
{
	struct span s = span_trim(head->bytes);

	if (!s.n || s.p[0] != '{')
		return 0;
	if (span_find(s, SPAN("\"callFrame\"")) >= 0)
		return 90;
	if (span_find(s, SPAN("\"head\"")) >= 0 && span_find(s, SPAN("\"functionName\"")) >= 0)
		return 90;
	return 0;
}

const struct input_format input_cpuprofile = {
	.name = "cpuprofile",
	.about = "CPU profile of V8: node --cpu-prof, DevTools",
	.json = true,
	.bid = cpuprofile_bid,
	.read = cpuprofile_read,
};
