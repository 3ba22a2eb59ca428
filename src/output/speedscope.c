/*
 * speedscope.c - the file format of speedscope, https://www.speedscope.app
 *
 *	{ "$schema": "https://www.speedscope.app/file-format-schema.json", "exporter",
 *	  "activeProfileIndex", "shared": { "frames": [ { "name", "file", "line", "col" }, ... ] },
 *	  "profiles": [ { "type": "sampled", "name", "unit", "startValue", "endValue",
 *	  "samples": [ [frame, ...], ... ], "weights": [number, ...] }, ... ] }
 *
 * https://github.com/jlfwong/speedscope/blob/main/src/lib/file-format-spec.ts One profile for each
 * thread, the busiest first. Weights are those of the samples, so that a function has the same
 * total as in all other formats; the axis counts the same thing. If that is time, samples without
 * frames fill the gaps in which the thread waited: speedscope leaves them blank. Successive samples
 * with the same stack become one. A frame is a function, with the line that it begins at, as
 * speedscope would count it once for each of its lines. Nodes that differ in lines alone are one
 * stack.
 */
#include "output/output_formats.h"

#include "base/hash.h"
#include "base/json_writer.h"
#include "base/mem.h"
#include "base/saturated.h"
#include "model/functions.h"
#include "output/slices/slices.h"

#include <stdlib.h>

struct speedscope {
	const struct profile *p;
	const struct output_opts *o;
	struct functions functions;
	struct stack_path path;
	struct json_writer *j;
	node_id *same; /* by node: the first one with the same functions on its stack */
	bool time;     /* weights are nanoseconds */
};

/* What tells a node from its siblings: its function; a root frame is in no stack. */
static uint64_t content_of(struct speedscope *s, node_id i)
{
	frame_id frame = stack_path_frame(s->p, i);

	return stack_path_includes(s->p, i) ? functions_of_frame(&s->functions, frame)
					    : (uint64_t)frame << 32;
}

static node_id find_same(struct speedscope *s, struct index *by_content, node_id i)
{
	const struct node *nodes = s->p->nodes;
	node_id parent = s->same[nodes[i].parent], k;
	uint64_t content = content_of(s, i), hash = hash_pair(parent, content);
	struct index_cursor cursor;

	index_for_each (by_content, hash, cursor, k)
		if (s->same[nodes[k].parent] == parent && content_of(s, k) == content)
			return k;
	index_add(by_content, hash, i);
	return i;
}

/* Numbers all functions before they are listed: a frame's number is its function's. */
static void number_functions(struct speedscope *s)
{
	struct index by_content = { 0 };
	node_id i;

	s->same = xcalloc((size_t)s->p->n_nodes + 1, sizeof(*s->same));
	if (s->p->n_nodes && stack_path_includes(s->p, 0))
		functions_of_frame(&s->functions, stack_path_frame(s->p, 0));
	for (i = 1; i < s->p->n_nodes; i++)
		s->same[i] = find_same(s, &by_content, i);
	index_release(&by_content);
}

static void write_frame(struct speedscope *s, function_id id)
{
	const struct function *f = &s->functions.function[id];
	struct span file = strtab_get(s->p->strings, f->file ? f->file : f->module);

	json_writer_object(s->j);
	json_writer_key(s->j, "name");
	json_writer_string(s->j, functions_name(&s->functions, id));
	if (file.n) {
		json_writer_key(s->j, "file");
		json_writer_string(s->j, file);
	}
	if (f->file && f->line) {
		json_writer_key(s->j, "line");
		json_writer_int(s->j, f->line);
	}
	if (f->file && f->line && f->column) {
		json_writer_key(s->j, "col");
		json_writer_int(s->j, f->column);
	}
	json_writer_object_end(s->j);
}

/* Successive slices with one stack, as one. */
struct slice_runs {
	struct slices *slices;
	struct slice next; /* the slice after the run, if there is one */
	bool more;
	bool idle; /* wanted */
	const node_id *same;
};

static bool next_slice(struct slice_runs *r)
{
	do
		r->more = slices_next(r->slices, &r->next);
	while (r->more && r->next.idle && !r->idle);
	return r->more;
}

static void runs_start(struct slice_runs *r, const struct speedscope *s, struct slices *slices)
{
	*r = (struct slice_runs){ .slices = slices, .idle = s->time, .same = s->same };
	slices_rewind(slices);
	next_slice(r);
}

static bool runs_next(struct slice_runs *r, struct slice *run)
{
	if (!r->more)
		return false;
	*run = r->next;
	while (next_slice(r) && !r->next.idle && !run->idle &&
		r->same[r->next.stack] == r->same[run->stack])
		run->weight = saturated_add(run->weight, r->next.weight);
	return true;
}

static void write_stack(struct speedscope *s, const struct slice *run)
{
	uint32_t i;

	json_writer_array(s->j);
	if (!run->idle)
		stack_path_get(&s->path, s->p, run->stack);
	for (i = 0; i < s->path.n && !run->idle; i++)
		json_writer_int(s->j, functions_of_frame(&s->functions, s->path.frame[i]));
	json_writer_array_end(s->j);
}

static uint64_t run_weight(const struct slice *run)
{
	return run->idle ? run->until_ns - run->from_ns : run->weight;
}

static const char *unit_of(const struct profile *p)
{
	struct span unit = strtab_get(p->strings, p->unit);

	return span_eq(unit, SPAN("nanoseconds")) ? "nanoseconds"
	       : span_eq(unit, SPAN("bytes"))     ? "bytes"
						  : "none";
}

static void write_track(struct speedscope *s, struct slices *slices, struct sink *to)
{
	struct buf name = { 0 };
	struct slice_runs runs;
	struct slice run;
	uint64_t sum = 0;

	json_writer_object(s->j);
	json_writer_key(s->j, "type");
	json_writer_str(s->j, "sampled");
	json_writer_key(s->j, "name");
	slices_put_track_name(slices, &name);
	json_writer_string(s->j, buf_span(&name));
	json_writer_key(s->j, "unit");
	json_writer_str(s->j, unit_of(s->p));
	json_writer_key(s->j, "samples");
	json_writer_array(s->j);
	for (runs_start(&runs, s, slices); runs_next(&runs, &run) && !sink_failed(to);)
		write_stack(s, &run);
	json_writer_array_end(s->j);
	json_writer_key(s->j, "weights");
	json_writer_array(s->j);
	for (runs_start(&runs, s, slices); runs_next(&runs, &run) && !sink_failed(to);) {
		json_writer_u64(s->j, run_weight(&run));
		sum = saturated_add(sum, run_weight(&run));
	}
	json_writer_array_end(s->j);
	json_writer_key(s->j, "startValue");
	json_writer_int(s->j, 0);
	json_writer_key(s->j, "endValue");
	json_writer_u64(s->j, sum);
	json_writer_object_end(s->j);
	buf_release(&name);
}

static void write_document(struct speedscope *s, struct sink *to)
{
	struct slices slices;
	uint32_t i;

	json_writer_object(s->j);
	json_writer_key(s->j, "$schema");
	json_writer_str(s->j, "https://www.speedscope.app/file-format-schema.json");
	json_writer_key(s->j, "exporter");
	json_writer_str(s->j, "perfold");
	json_writer_key(s->j, "activeProfileIndex");
	json_writer_int(s->j, 0);
	json_writer_key(s->j, "shared");
	json_writer_object(s->j);
	json_writer_key(s->j, "frames");
	json_writer_array(s->j);
	for (i = 0; i < s->functions.n && !sink_failed(to); i++)
		write_frame(s, i);
	json_writer_array_end(s->j);
	json_writer_object_end(s->j);
	json_writer_key(s->j, "profiles");
	json_writer_array(s->j);
	for (i = 0; i < slices_tracks(s->p) && !sink_failed(to); i++)
		if (slices_start(&slices, s->p, s->o, i))
			write_track(s, &slices, to);
	json_writer_array_end(s->j);
	json_writer_object_end(s->j);
	sink_putc(to, '\n');
}

static int speedscope_write(
	const struct profile *p, const struct output_opts *o, struct sink *to, struct err *e)
{
	struct speedscope s = { .p = p, .o = o, .j = json_writer_new(to) };

	(void)e;
	s.time = span_eq(strtab_get(p->strings, p->unit), SPAN("nanoseconds"));
	functions_init(&s.functions, p);
	number_functions(&s);
	write_document(&s, to);
	functions_release(&s.functions);
	free(s.same);
	stack_path_release(&s.path);
	json_writer_free(s.j);
	return OK;
}

static const char *const suffixes[] = { ".speedscope.json", NULL };

const struct output_format speedscope_format = {
	.name = "speedscope",
	.suffixes = suffixes,
	.about = "all threads, for https://www.speedscope.app",
	.needs = OUTPUT_TIMELINE | OUTPUT_LINES,
	.write = speedscope_write,
};
