#include "collapse/root_frames.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

void root_frames_init(struct root_frames *f, const struct recording *recording,
	const struct collapse_opts *opts, void *rules)
{
	*f = (struct root_frames){ .recording = recording, .opts = opts, .rules = rules };
}

void root_frames_release(struct root_frames *f)
{
	free(f->runs);
}

/* A name as stackcollapse-perf.pl writes it: with "_" for blanks. */
static void put_text(struct span s, struct buf *b)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		buf_putc(b, s.p[i] == ' ' ? '_' : s.p[i]);
}

static void put_name(const struct root_frames *f, str_id name, struct buf *b)
{
	put_text(strtab_get(f->recording->strings, name), b);
}

/* What rules make of it. */
static void put_renamed(
	const struct root_frames *f, enum root_part part, str_id name, struct buf *b)
{
	if (f->rules && name)
		name = f->opts->rewriter->root_name(f->rules, part, name);
	put_name(f, name, b);
}

/* What the user says of the recording replaces what samples say. */
static void put_label(
	const struct root_frames *f, const struct root *r, unsigned number, struct buf *b)
{
	struct span key = span_of(f->opts->root_labels.key[number]);
	const char *value = label_list_find(&f->recording->labels, key);
	struct label_list own = { 0 };

	label_list_unpack(&own, strtab_get(f->recording->strings, r->labels));
	if (!value)
		value = label_list_find(&own, key);
	if (value)
		put_text(span_of(value), b);
	label_list_release(&own);
}

static void put_number(struct buf *b, int32_t n)
{
	if (n < 0)
		buf_putc(b, '?'); /* a text with thread numbers only */
	else
		buf_printf(b, "%" PRId32, n);
}

static void put_part(
	const struct root_frames *f, const struct root *r, enum root_part part, struct buf *b)
{
	switch (part) {
	case ROOT_COMM:
		put_renamed(f, ROOT_COMM, r->comm, b);
		break;
	case ROOT_COMM_PID:
	case ROOT_COMM_PID_TID:
		if (!r->comm && r->pid < 0 && r->tid < 0)
			break;
		put_renamed(f, ROOT_COMM, r->comm, b);
		buf_putc(b, '-');
		put_number(b, r->pid);
		if (part == ROOT_COMM_PID_TID) {
			buf_putc(b, '/');
			put_number(b, r->tid);
		}
		break;
	case ROOT_PROCESS:
		put_renamed(f, ROOT_PROCESS, r->process, b);
		break;
	case ROOT_EVENT:
		put_renamed(f, ROOT_EVENT, r->event, b);
		break;
	case ROOT_CGROUP:
		put_name(f, r->cgroup, b);
		break;
	case ROOT_CPU:
		if (r->cpu >= 0)
			buf_printf(b, "cpu_%" PRId32, r->cpu);
		break;
	case ROOT_STATE:
		put_name(f, r->state, b);
		break;
	case ROOT_END:
		break;
	default:
		if (part < ROOT_LABEL)
			put_name(f, r->field[part - ROOT_FIELD], b);
		else
			put_label(f, r, part - ROOT_LABEL, b);
		break;
	}
}

static void make_root_run(struct root_frames *f, root_id id, struct root_run *run)
{
	const struct root *r = roots_get(f->recording->roots, id);
	const enum root_part *parts = f->opts->roots;
	struct strtab *strings = f->recording->strings;
	struct buf b = { 0 };
	int i;

	for (i = 0; i < ROOT_PARTS_MAX && parts[i] != ROOT_END; i++) {
		struct frame frame = { .kind = FRAME_ROOT };

		b.n = 0;
		put_part(f, r, parts[i], &b);
		frame.name = strtab_add(strings, buf_span(&b));
		if (frame.name)
			run->frame[run->n++] = frames_add(f->recording->frames, &frame);
	}
	run->java = span_starts(strtab_get(strings, r->comm), SPAN("java"));
	run->known = true;
	buf_release(&b);
}

const struct root_run *root_frames_get(struct root_frames *f, root_id id)
{
	if (id >= f->cap) {
		uint32_t old = f->cap;

		ARRAY_RESERVE(f->runs, id + 1, f->cap);
		memset(f->runs + old, 0, (f->cap - old) * sizeof(*f->runs));
	}
	if (!f->runs[id].known)
		make_root_run(f, id, &f->runs[id]);
	return &f->runs[id];
}
