/*
 * cpuprofile.c - V8's CPU profile, for DevTools, VS Code, speedscope and the Firefox Profiler
 *
 *	{ "nodes": [ { "id": 1, "callFrame": { "functionName", "scriptId", "url", "lineNumber",
 *	  "columnNumber" }, "hitCount", "children": [id, ...],
 *	  "positionTicks": [{ "line", "ticks" }, ...] }, ... ],
 *	  "startTime": us, "endTime": us, "samples": [id, ...], "timeDeltas": [us, ...] }
 *
 * https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile Clients also need,
 * as found by running them: ids from 1 without a gap, with a node after its parent (Firefox); node
 * 1 is (root) and has children (DevTools); an (idle) sample where the thread did not run, since a
 * sample lasts until the next one; hitCount by time, since the bottom-up view of DevTools divides
 * time by it. speedscope puts (program) on the stack of the sample before, so it is never used.
 *
 * A profile holds one thread: the busiest. Without times every stack comes once, and lasts as long
 * as its weight.
 */
#include "output/output_formats.h"

#include "base/hash.h"
#include "base/mem.h"
#include "output/call_frames.h"
#include "base/json_writer.h"
#include "output/slices/slices.h"
#include "output/ticks.h"

#include <stdio.h>
#include <stdlib.h>

#define NONE UINT32_MAX

struct cpu_node {
	call_frame_id call;
	uint32_t parent, first, last, next; /* children and siblings; NONE: none */
	uint32_t id;
	uint64_t time_ns, samples;
};

struct cpu_profile {
	const struct profile *p;
	struct call_frames calls;
	struct cpu_node *nodes; /* [0] is (root) */
	uint32_t n_nodes, cap_nodes;
	uint32_t *preorder; /* nodes by id - 1 */
	struct index by_edge;
	uint32_t *node_of;     /* by node of the profile; NONE: not used */
	uint32_t idle, native; /* nodes that are no code, NONE: not used */
	struct slices slices;
	bool v8_samples;     /* the thread is from a CPU profile: hits are its samples */
	struct ticks ticks;  /* by node */
	uint32_t *script_of; /* by url */
	uint32_t n_scripts;
};

static uint32_t child_of(struct cpu_profile *c, uint32_t parent, call_frame_id call)
{
	uint64_t hash = hash_pair(parent, call);
	struct index_cursor cursor;
	uint32_t i;

	index_for_each (&c->by_edge, hash, cursor, i)
		if (c->nodes[i].parent == parent && c->nodes[i].call == call)
			return i;
	ARRAY_GROW(c->nodes, c->n_nodes, c->cap_nodes);
	i = c->n_nodes++;
	c->nodes[i] = (struct cpu_node){ call, parent, NONE, NONE, NONE, 0, 0, 0 };
	if (parent == NONE)
		return i;
	index_add(&c->by_edge, hash, i);
	if (c->nodes[parent].first == NONE)
		c->nodes[parent].first = i;
	else
		c->nodes[c->nodes[parent].last].next = i;
	c->nodes[parent].last = i;
	return i;
}

/* A node that is no code, such as (idle): a child of the root, without children. */
static uint32_t meta_node(struct cpu_profile *c, const char *name)
{
	return child_of(c, 0, call_frames_special(&c->calls, name));
}

/* Marks the nodes that samples end in, and their callers. */
static void mark_used(struct cpu_profile *c)
{
	const struct node *nodes = c->p->nodes;
	struct slice slice;
	node_id at;

	for (slices_rewind(&c->slices); slices_next(&c->slices, &slice);)
		for (at = slice.stack; at && c->node_of[at] == NONE; at = nodes[at].parent)
			c->node_of[at] = 0;
}

/* Root frames (the thread's name) get no node, nor do callees of the garbage collector. */
static void make_nodes(struct cpu_profile *c)
{
	const struct profile *p = c->p;
	uint32_t gc = NONE, below;
	node_id i;

	c->node_of[0] = 0;
	for (i = 1; i < p->n_nodes; i++) {
		frame_id frame = p->nodes[i].frame;

		if (c->node_of[i] == NONE)
			continue;
		below = c->node_of[p->nodes[i].parent];
		if (frames_get(p->frames, frame)->kind == FRAME_ROOT || (gc != NONE && below == gc))
			c->node_of[i] = below;
		else if (call_frames_is_gc(p, frame))
			c->node_of[i] = gc = meta_node(c, "(garbage collector)");
		else
			c->node_of[i] = child_of(c, below, call_frames_of_frame(&c->calls, frame));
	}
}

static void number_nodes(struct cpu_profile *c)
{
	uint32_t at = 0, n = 0;

	c->preorder = xcalloc(c->n_nodes, sizeof(*c->preorder));
	while (at != NONE) {
		c->preorder[n++] = at;
		c->nodes[at].id = n;
		if (c->nodes[at].first != NONE) {
			at = c->nodes[at].first;
			continue;
		}
		while (at && c->nodes[at].next == NONE)
			at = c->nodes[at].parent;
		at = at ? c->nodes[at].next : NONE;
	}
}

/* A slice's node; a stack without code is (native). */
static uint32_t slice_node(struct cpu_profile *c, const struct slice *slice)
{
	uint32_t node = slice->idle ? NONE : c->node_of[slice->stack];

	if (slice->idle) {
		if (c->idle == NONE)
			c->idle = meta_node(c, "(idle)");
		return c->idle;
	}
	if (!node && c->native == NONE)
		c->native = meta_node(c, "(native)");
	return node ? node : c->native;
}

/* The line at which a slice ran; 0 if it is not known, or is in another function than the node's.
 */
static uint32_t line_of(struct cpu_profile *c, const struct slice *slice, uint32_t node)
{
	frame_id frame = slice->idle ? 0 : c->p->nodes[slice->stack].frame;
	const struct frame *f = frames_get(c->p->frames, frame);

	if (!frame || !f->at_line || f->at_file || !c->calls.call[c->nodes[node].call].url ||
		call_frames_of_frame(&c->calls, frame) != c->nodes[node].call)
		return 0;
	return f->at_line;
}

/* Sums the time of each node and of its lines; adds the nodes that are no code. */
static void sum_times(struct cpu_profile *c)
{
	struct slice slice;

	for (slices_rewind(&c->slices); slices_next(&c->slices, &slice);) {
		uint32_t node = slice_node(c, &slice), line = line_of(c, &slice, node);
		uint64_t time_ns = slice.until_ns - slice.from_ns;

		c->nodes[node].time_ns += time_ns;
		c->nodes[node].samples += slice.samples;
		if (line)
			ticks_add(&c->ticks, node, line, time_ns);
	}
	ticks_sort(&c->ticks);
	if (c->n_nodes == 1)
		meta_node(c, "(idle)"); /* DevTools refuses a root without children */
}

/* The number of a script, by first use; "0" is for frames without a url. */
static struct span script_id(struct cpu_profile *c, str_id url, char text[16])
{
	uint32_t *number = &c->script_of[url];

	if (url && !*number)
		*number = ++c->n_scripts;
	return (struct span){ text, (size_t)snprintf(text, 16, "%u", *number) };
}

static void write_call(struct cpu_profile *c, struct json_writer *j, const struct call_frame *call)
{
	char text[16];

	json_writer_key(j, "callFrame");
	json_writer_object(j);
	json_writer_key(j, "functionName");
	json_writer_string(j, strtab_get(c->p->strings, call->function));
	json_writer_key(j, "scriptId");
	json_writer_string(j, script_id(c, call->url, text));
	json_writer_key(j, "url");
	json_writer_string(j, strtab_get(c->p->strings, call->url));
	json_writer_key(j, "lineNumber");
	json_writer_int(j, (int64_t)call->line - 1);
	json_writer_key(j, "columnNumber");
	json_writer_int(j, (int64_t)call->column - 1);
	json_writer_object_end(j);
}

/* Time in periods. */
static uint64_t hits_of(const struct cpu_profile *c, uint64_t time_ns)
{
	return (time_ns + c->slices.period_ns / 2) / c->slices.period_ns;
}

static uint64_t hit_count(const struct cpu_profile *c, const struct cpu_node *node)
{
	return c->v8_samples ? node->samples : hits_of(c, node->time_ns);
}

/* Lines round as their sum does, so that they are together as many as the node's hits. */
static void write_ticks(struct cpu_profile *c, struct json_writer *j, uint32_t node)
{
	uint64_t until_ns = 0, before = 0;
	uint32_t n, i;
	const struct tick *ticks = ticks_of(&c->ticks, node, &n);

	if (!n)
		return;
	json_writer_key(j, "positionTicks");
	json_writer_array(j);
	for (i = 0; i < n; i++) {
		uint64_t hits = hits_of(c, until_ns += ticks[i].time_ns) - before;

		if (!hits)
			continue;
		before += hits;
		json_writer_object(j);
		json_writer_key(j, "line");
		json_writer_int(j, ticks[i].line);
		json_writer_key(j, "ticks");
		json_writer_u64(j, hits);
		json_writer_object_end(j);
	}
	json_writer_array_end(j);
}

static void write_node(struct cpu_profile *c, struct json_writer *j, const struct cpu_node *node)
{
	uint32_t child;

	json_writer_object(j);
	json_writer_key(j, "id");
	json_writer_int(j, node->id);
	write_call(c, j, &c->calls.call[node->call]);
	json_writer_key(j, "hitCount");
	json_writer_int(j, (int64_t)hit_count(c, node));
	if (node->first != NONE) {
		json_writer_key(j, "children");
		json_writer_array(j);
		for (child = node->first; child != NONE; child = c->nodes[child].next)
			json_writer_int(j, c->nodes[child].id);
		json_writer_array_end(j);
	}
	write_ticks(c, j, (uint32_t)(node - c->nodes));
	json_writer_object_end(j);
}

/* Some clients give the last sample no time at all: without times, where all samples are equal in
 * this, the last one is written again, with no length. */
static void write_samples(struct cpu_profile *c, struct json_writer *j)
{
	uint32_t last = NONE;
	struct slice slice;

	json_writer_key(j, "samples");
	json_writer_array(j);
	for (slices_rewind(&c->slices); slices_next(&c->slices, &slice);) {
		last = c->nodes[slice_node(c, &slice)].id;
		json_writer_int(j, last);
	}
	if (!c->slices.timed && last != NONE)
		json_writer_int(j, last);
	json_writer_array_end(j);
}

static void write_deltas(struct cpu_profile *c, struct json_writer *j)
{
	uint64_t before = c->slices.start_ns / 1000;
	struct slice slice = { .until_ns = c->slices.start_ns };
	bool any = false;

	json_writer_key(j, "timeDeltas");
	json_writer_array(j);
	for (slices_rewind(&c->slices); slices_next(&c->slices, &slice); any = true) {
		json_writer_int(j, (int64_t)(slice.from_ns / 1000 - before));
		before = slice.from_ns / 1000;
	}
	if (!c->slices.timed && any)
		json_writer_int(j, (int64_t)(slice.until_ns / 1000 - before));
	json_writer_array_end(j);
}

static void write_profile(struct cpu_profile *c, struct sink *to)
{
	struct json_writer *j = json_writer_new(to);
	uint32_t i;

	c->script_of = xcalloc((size_t)strtab_count(c->p->strings) + 1, sizeof(*c->script_of));
	json_writer_object(j);
	json_writer_key(j, "nodes");
	json_writer_array(j);
	for (i = 0; i < c->n_nodes && !sink_failed(to); i++)
		write_node(c, j, &c->nodes[c->preorder[i]]);
	json_writer_array_end(j);
	json_writer_key(j, "startTime");
	json_writer_int(j, (int64_t)(c->slices.start_ns / 1000));
	json_writer_key(j, "endTime");
	json_writer_int(j, (int64_t)(c->slices.end_ns / 1000));
	write_samples(c, j);
	write_deltas(c, j);
	json_writer_object_end(j);
	sink_putc(to, '\n');
	json_writer_free(j);
}

static void cpu_profile_release(struct cpu_profile *c)
{
	call_frames_release(&c->calls);
	index_release(&c->by_edge);
	ticks_release(&c->ticks);
	free(c->nodes);
	free(c->preorder);
	free(c->node_of);
	free(c->script_of);
}

static bool is_v8_profile(const struct slices *s, const struct output_opts *o)
{
	return s->timed && s->thread->recording < o->n_recordings &&
	       o->recordings[s->thread->recording]->facts.v8_samples;
}

static int cpuprofile_write(
	const struct profile *p, const struct output_opts *o, struct sink *to, struct err *e)
{
	struct cpu_profile c = { .p = p, .idle = NONE, .native = NONE };

	(void)e;
	call_frames_init(&c.calls, p, o->native_places);
	c.node_of = xreallocarray(NULL, (size_t)p->n_nodes + 1, sizeof(*c.node_of));
	memset(c.node_of, 0xff, ((size_t)p->n_nodes + 1) * sizeof(*c.node_of));
	child_of(&c, NONE, call_frames_special(&c.calls, "(root)"));
	slices_start(&c.slices, p, o, 0);
	c.v8_samples = is_v8_profile(&c.slices, o);
	mark_used(&c);
	make_nodes(&c);
	sum_times(&c);
	number_nodes(&c);
	write_profile(&c, to);
	cpu_profile_release(&c);
	return OK;
}

static const char *const suffixes[] = { ".cpuprofile", NULL };

const struct output_format cpuprofile_format = {
	.name = "cpuprofile",
	.suffixes = suffixes,
	.about = "the busiest thread as a CPU profile of V8, for DevTools and VS Code",
	.needs = OUTPUT_TIMELINE | OUTPUT_ONE_THREAD | OUTPUT_JIT_LINES,
	.write = cpuprofile_write,
};
