/*
 * durations_json.c - durations as one JSON document, or as slices of a trace
 *
 *	{"from_ns","to_ns",
 *	 "kinds":[{"name","count","total_ns","mean_ns","p50_ns","p95_ns","p99_ns","max_ns"}],
 *	 "left_out":{"unended","unbegun","open","lost","unkeyed"},
 *	 "threads":[{"name","pid","tid"}],
 *	 "spans":[{"kind","thread","from_ns","duration_ns","detail","stack":[outermost first],
 *	           "beside":[likewise: who ran instead of a thread that waited for a CPU]}]}
 *
 * In a trace each duration is a pair of async events ("b", "e"), since those of one thread may
 * overlap; its track is its kind.
 * https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
 */
#include "output/output.h"

#include "base/mem.h"
#include "base/json_writer.h"

#include <stdlib.h>

static void put_number(struct json_writer *j, const char *key, uint64_t v)
{
	json_writer_key(j, key);
	json_writer_u64(j, v);
}

static void put_text(struct json_writer *j, const char *key, const struct profile *p, str_id text)
{
	json_writer_key(j, key);
	json_writer_string(j, strtab_get(p->strings, text));
}

static void put_kinds(struct json_writer *j, const struct durations *d, const struct profile *p)
{
	uint32_t i;

	json_writer_key(j, "kinds");
	json_writer_array(j);
	for (i = 0; i < d->n_kinds; i++) {
		const struct duration_kind *k = &d->kinds[i];

		json_writer_object(j);
		put_text(j, "name", p, k->name);
		put_number(j, "count", k->count);
		put_number(j, "total_ns", k->total_ns);
		put_number(j, "mean_ns", k->count ? k->total_ns / k->count : 0);
		put_number(j, "p50_ns", k->p50_ns);
		put_number(j, "p95_ns", k->p95_ns);
		put_number(j, "p99_ns", k->p99_ns);
		put_number(j, "max_ns", k->max_ns);
		json_writer_object_end(j);
	}
	json_writer_array_end(j);
}

static void put_left_out(struct json_writer *j, const struct durations_left_out *l)
{
	json_writer_key(j, "left_out");
	json_writer_object(j);
	put_number(j, "unended", l->unended);
	put_number(j, "unbegun", l->unbegun);
	put_number(j, "open", l->open);
	put_number(j, "lost", l->lost);
	put_number(j, "unkeyed", l->unkeyed);
	json_writer_object_end(j);
}

static void put_threads(struct json_writer *j, const struct durations *d, const struct profile *p)
{
	uint32_t i;

	json_writer_key(j, "threads");
	json_writer_array(j);
	for (i = 0; i < d->n_threads; i++) {
		json_writer_object(j);
		put_text(j, "name", p, d->threads[i].name);
		json_writer_key(j, "pid");
		json_writer_int(j, d->threads[i].pid);
		json_writer_key(j, "tid");
		json_writer_int(j, d->threads[i].tid);
		json_writer_object_end(j);
	}
	json_writer_array_end(j);
}

/* Stacks */

/* Outermost first, without root frames. */
struct frames_of {
	const struct profile *p;
	node_id *node;
	uint32_t n, cap;
	struct buf name;
};

static void find_frames(struct frames_of *f, node_id stack)
{
	f->n = 0;
	for (; stack && stack < f->p->n_nodes; stack = f->p->nodes[stack].parent) {
		if (profile_frame_kind(f->p, f->p->nodes[stack].frame) == FRAME_ROOT)
			continue;
		ARRAY_GROW(f->node, f->n, f->cap);
		f->node[f->n++] = stack;
	}
}

static void put_stack(struct json_writer *j, const char *key, struct frames_of *f, node_id stack)
{
	find_frames(f, stack);
	if (!f->n)
		return;
	json_writer_key(j, key);
	json_writer_array(j);
	while (f->n) {
		f->name.n = 0;
		profile_put_name(f->p, f->p->nodes[f->node[--f->n]].frame, &f->name);
		json_writer_string(j, buf_span(&f->name));
	}
	json_writer_array_end(j);
}

static void frames_of_release(struct frames_of *f)
{
	free(f->node);
	buf_release(&f->name);
}

/* The document */

static void put_item(struct json_writer *j, const struct duration *item, struct frames_of *f)
{
	json_writer_object(j);
	put_number(j, "kind", item->kind);
	put_number(j, "thread", item->thread);
	put_number(j, "from_ns", item->from_ns);
	put_number(j, "duration_ns", item->duration_ns);
	if (item->detail)
		put_text(j, "detail", f->p, item->detail);
	put_stack(j, "stack", f, item->stack);
	put_stack(j, "beside", f, item->beside);
	json_writer_object_end(j);
}

void output_durations_json(const struct durations *d, const struct profile *p, struct sink *to)
{
	struct json_writer *j = json_writer_new(to);
	struct frames_of f = { .p = p };
	size_t i;

	json_writer_object(j);
	put_number(j, "from_ns", d->from_ns);
	put_number(j, "to_ns", d->to_ns);
	put_kinds(j, d, p);
	put_left_out(j, &d->left_out);
	put_threads(j, d, p);
	json_writer_key(j, "spans");
	json_writer_array(j);
	for (i = 0; i < d->n && !sink_failed(to); i++)
		put_item(j, &d->item[i], &f);
	json_writer_array_end(j);
	json_writer_object_end(j);
	json_writer_free(j);
	sink_putc(to, '\n');
	frames_of_release(&f);
}

/* The trace */

static void begin_event(
	struct json_writer *j, struct span name, const char *phase, const struct duration_thread *t)
{
	json_writer_object(j);
	json_writer_key(j, "name");
	json_writer_string(j, name);
	json_writer_key(j, "cat");
	json_writer_str(j, "span");
	json_writer_key(j, "ph");
	json_writer_str(j, phase);
	json_writer_key(j, "pid");
	json_writer_int(j, t->pid < 0 ? 0 : t->pid);
	json_writer_key(j, "tid");
	json_writer_int(j, t->tid < 0 ? 0 : t->tid);
}

static void put_moment(struct json_writer *j, uint64_t ns)
{
	json_writer_key(j, "ts");
	json_writer_decimal(j, ns, 3);
}

static void name_thread(
	struct json_writer *j, const struct profile *p, const struct duration_thread *t)
{
	begin_event(j, SPAN("thread_name"), "M", t);
	json_writer_key(j, "ts");
	json_writer_int(j, 0);
	json_writer_key(j, "args");
	json_writer_object(j);
	put_text(j, "name", p, t->name);
	json_writer_object_end(j);
	json_writer_object_end(j);
	json_writer_next(j, ",\n");
}

static void put_async(
	struct json_writer *j, const struct durations *d, size_t i, struct frames_of *f)
{
	const struct duration *item = &d->item[i];
	const struct duration_thread *t = &d->threads[item->thread];
	struct span name = strtab_get(f->p->strings, d->kinds[item->kind].name);

	begin_event(j, name, "b", t);
	put_moment(j, item->from_ns);
	put_number(j, "id", i);
	json_writer_key(j, "args");
	json_writer_object(j);
	if (item->detail)
		put_text(j, "detail", f->p, item->detail);
	put_stack(j, "stack", f, item->stack);
	json_writer_object_end(j);
	json_writer_object_end(j);
	json_writer_next(j, ",\n");
	begin_event(j, name, "e", t);
	put_moment(j, item->from_ns + item->duration_ns);
	put_number(j, "id", i);
	json_writer_object_end(j);
}

void output_durations_trace(const struct durations *d, const struct profile *p, struct sink *to)
{
	struct json_writer *j = json_writer_new(to);
	struct frames_of f = { .p = p };
	size_t i;

	sink_puts(to, "[\n");
	for (i = 0; i < d->n_threads && d->n; i++)
		name_thread(j, p, &d->threads[i]);
	for (i = 0; i < d->n && !sink_failed(to); i++) {
		if (i)
			json_writer_next(j, ",\n");
		put_async(j, d, i, &f);
	}
	sink_puts(to, "\n]\n");
	json_writer_free(j);
	frames_of_release(&f);
}
