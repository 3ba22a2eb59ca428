/*
 * chrome_trace.c - trace events of Chrome, for Perfetto, chrome://tracing and the Performance panel
 *
 *	[
 *	{"name":"thread_name","cat":"__metadata","ph":"M","pid","tid","ts":0,"args":{"name"}},
 *	{"name":FRAME,"cat":KIND,"ph":"X","pid","tid","ts":us,"dur":us,"args":{"self","samples"}},
 *	]
 *
 * https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU A frame is one
 * event, from the first slice that has it at its depth to the last; there is nothing where the
 * thread waited. All events nest, since times are cut to whole microseconds before durations are
 * computed. An event is written when it ends, but not before outer ones that began at the same
 * microsecond: Perfetto takes the first of those for the outermost. args are the weight and number
 * of the samples that ended in the frame. The array form can be read even if it is cut off. In a
 * trace without the events of a browser, DevTools draws all threads and all events.
 */
#include "output/output_formats.h"

#include "base/arena.h"
#include "base/mem.h"
#include "base/saturated.h"
#include "model/functions.h"
#include "base/json_writer.h"
#include "output/slices/slices.h"

#include <inttypes.h>
#include <stdlib.h>

/* Processes of different inputs may have the same numbers: those of the second input and on are
 * raised by the largest number that Linux gives. */
enum { PIDS_OF_AN_INPUT = 1 << 22 };

struct trace_event {
	frame_id frame;
	uint64_t from_us, until_us;
	uint64_t self, samples;
};

struct open_frame {
	struct trace_event event;
	size_t waiting; /* the index of its first in trace.waiting */
};

struct trace {
	const struct profile *p;
	str_id *process_name; /* by thread */
	struct functions functions;
	struct stack_path path;
	struct open_frame *open; /* what is running, outermost first */
	uint32_t n_open, cap_open;
	/* Events that have ended, and began together with an open one: at most one stack for each
	 * open one, unless samples have the same microsecond. Outer ones first. */
	struct trace_event *waiting;
	size_t n_waiting, cap_waiting;
	int64_t pid, tid;
	struct buf track;  /* the members that all events of a track share */
	struct span *name; /* by function, as JSON; NULL: not made yet */
	uint32_t n_names, cap_names;
	struct arena texts;
	struct sink *to;
	struct json_writer *j; /* into it */
	bool any;              /* an event was written */
};

static const char *kind_of(const struct trace *t, frame_id frame)
{
	static const char *const name[] = {
		[FRAME_UNKNOWN] = "unknown",
		[FRAME_USER] = "user",
		[FRAME_KERNEL] = "kernel",
		[FRAME_JIT] = "jit",
		[FRAME_ROOT] = "root",
		[FRAME_LABEL] = "label",
	};

	return name[profile_frame_kind(t->p, frame)];
}

static void separate(struct trace *t)
{
	sink_puts(t->to, t->any ? ",\n" : "");
	t->any = true;
}

static void put_metadata(struct trace *t, const char *what, struct span name)
{
	struct json_writer *j = t->j;

	separate(t);
	json_writer_object(j);
	json_writer_key(j, "name");
	json_writer_str(j, what);
	json_writer_key(j, "cat");
	json_writer_str(j, "__metadata");
	json_writer_key(j, "ph");
	json_writer_str(j, "M");
	json_writer_key(j, "pid");
	json_writer_int(j, t->pid);
	json_writer_key(j, "tid");
	json_writer_int(j, t->tid);
	json_writer_key(j, "ts");
	json_writer_int(j, 0);
	json_writer_key(j, "args");
	json_writer_object(j);
	json_writer_key(j, "name");
	json_writer_string(j, name);
	json_writer_object_end(j);
	json_writer_object_end(j);
	json_writer_next(j, NULL);
}

static struct span name_of(struct trace *t, frame_id frame)
{
	function_id function = functions_of_frame(&t->functions, frame);
	struct buf text = { 0 };

	ARRAY_RESERVE(t->name, t->functions.n, t->cap_names);
	while (t->n_names < t->functions.n)
		t->name[t->n_names++] = (struct span){ 0 };
	if (!t->name[function].p) {
		json_writer_put_string(&text, functions_name(&t->functions, function));
		t->name[function] =
			(struct span){ arena_string(&t->texts, text.p, text.n), text.n };
		buf_release(&text);
	}
	return t->name[function];
}

/* A trace has millions of these, with few distinct names: they are put together here, not by
 * json.h. */
static void write_event(struct trace *t, const struct trace_event *v)
{
	struct sink *to = t->to;

	separate(t);
	sink_puts(to, "{\"name\":");
	sink_put_span(to, name_of(t, v->frame));
	sink_puts(to, ",\"cat\":\"");
	sink_puts(to, kind_of(t, v->frame));
	sink_put_span(to, buf_span(&t->track));
	sink_put_u64(to, v->from_us);
	sink_puts(to, ",\"dur\":");
	sink_put_u64(to, v->until_us - v->from_us);
	if (v->samples) {
		sink_puts(to, ",\"args\":{\"self\":");
		sink_put_u64(to, v->self);
		sink_puts(to, ",\"samples\":");
		sink_put_u64(to, v->samples);
		sink_putc(to, '}');
	}
	sink_putc(to, '}');
}

/* The innermost frame ends: its event goes before those that have waited for it. */
static void close_frame(struct trace *t, uint64_t until_us)
{
	struct open_frame *f = &t->open[--t->n_open];
	size_t first = f->waiting, i;

	f->event.until_us = until_us;
	ARRAY_GROW(t->waiting, t->n_waiting, t->cap_waiting);
	memmove(t->waiting + first + 1, t->waiting + first,
		(t->n_waiting - first) * sizeof(*t->waiting));
	t->waiting[first] = f->event;
	t->n_waiting++;
	if (t->n_open && f[-1].event.from_us == f->event.from_us)
		return;
	for (i = first; i < t->n_waiting; i++)
		write_event(t, &t->waiting[i]);
	t->n_waiting = first;
}

static void close_frames(struct trace *t, uint32_t depth, uint64_t until_ns)
{
	while (t->n_open > depth)
		close_frame(t, until_ns / 1000);
}

static void run_stack(struct trace *t, const struct slice *slice)
{
	struct trace_event *leaf;
	uint32_t same = 0;

	stack_path_get(&t->path, t->p, slice->stack);
	while (same < t->n_open && same < t->path.n &&
		t->open[same].event.frame == t->path.frame[same])
		same++;
	close_frames(t, same, slice->from_ns);
	ARRAY_RESERVE(t->open, t->path.n, t->cap_open);
	for (; t->n_open < t->path.n; t->n_open++)
		t->open[t->n_open] = (struct open_frame){
			.event = { .frame = t->path.frame[t->n_open],
				.from_us = slice->from_ns / 1000 },
			.waiting = t->n_waiting,
		};
	leaf = &t->open[t->n_open - 1].event;
	leaf->self = saturated_add(leaf->self, slice->weight);
	leaf->samples = saturated_add(leaf->samples, slice->samples);
}

static void write_track(struct trace *t, struct slices *slices, const struct sink *to)
{
	struct slice slice = { 0 };

	while (slices_next(slices, &slice) && !sink_failed(to)) {
		if (slice.idle)
			close_frames(t, 0, slice.from_ns);
		else
			run_stack(t, &slice);
	}
	close_frames(t, 0, slice.until_ns);
}

static void set_track(struct trace *t, int64_t pid, int64_t tid)
{
	t->pid = pid;
	t->tid = tid;
	t->track.n = 0;
	buf_printf(&t->track,
		"\",\"ph\":\"X\",\"pid\":%" PRId64 ",\"tid\":%" PRId64 ",\"ts\":", pid, tid);
}

static void name_track(struct trace *t, const struct slices *slices)
{
	const struct profile_thread *thread = slices->thread;
	int64_t first;

	if (!thread) {
		set_track(t, 1, 1);
		put_metadata(t, "thread_name", SPAN("all"));
		return;
	}
	first = (int64_t)thread->recording * PIDS_OF_AN_INPUT;
	set_track(t, thread->pid < 0 ? 0 : thread->pid + first,
		thread->tid < 0 ? 0 : thread->tid + first);
	put_metadata(t, "process_name",
		strtab_get(t->p->strings, t->process_name[thread - t->p->threads]));
	put_metadata(t, "thread_name", strtab_get(t->p->strings, thread->name));
}

static int trace_write(
	const struct profile *p, const struct output_opts *o, struct sink *to, struct err *e)
{
	struct trace t = { .p = p, .to = to, .j = json_writer_new(to) };
	struct slices slices;
	uint32_t i;

	(void)e;
	t.process_name = profile_process_names(p);
	functions_init(&t.functions, p);
	sink_puts(to, "[\n");
	for (i = 0; i < slices_tracks(p) && !sink_failed(to); i++) {
		if (!slices_start(&slices, p, o, i))
			continue;
		name_track(&t, &slices);
		write_track(&t, &slices, to);
	}
	sink_puts(to, "\n]\n");
	free(t.process_name);
	functions_release(&t.functions);
	stack_path_release(&t.path);
	buf_release(&t.track);
	arena_release(&t.texts);
	free(t.name);
	free(t.open);
	free(t.waiting);
	json_writer_free(t.j);
	return OK;
}

static const char *const suffixes[] = { ".trace.json", NULL };

const struct output_format chrome_trace_format = {
	.name = "trace",
	.suffixes = suffixes,
	.about = "trace events of all threads, for Perfetto and Chrome",
	.needs = OUTPUT_TIMELINE,
	.write = trace_write,
};
