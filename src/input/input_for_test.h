/*
 * input_testing.h - read a text in a test and show what was found, one sorted line for each fact
 *
 *	stack NAME[-PID/TID][@CPU]|FRAME|FRAME WEIGHT SAMPLES
 *	site |FRAME SAMPLES SAMPLES
 *	event NAME SAMPLES [chosen]      thread PID/TID NAME SAMPLES      bad KIND COUNT LINE
 *
 * A frame is its name, [MODULE] where it has none, and _[k] _[j] _[i]. For tests only.
 */
#ifndef PERFOLD_INPUT_INPUT_TESTING_H
#define PERFOLD_INPUT_INPUT_TESTING_H

#include "base/mem.h"
#include "input/input.h"
#include "model/sample_choice.h"
#include "model/site_use.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct testing {
	struct span text;
	struct read_opts opts;
	unsigned jobs;                     /* 0: one */
	size_t head_bytes;                 /* how much is looked at beforehand; 0: at most 4096 */
	size_t stream_bytes;               /* not 0: through a pipe, this many bytes at a time */
	const struct input_format *format; /* NULL: looked for */
	bool detail;                       /* show modules, files and addresses of frames */
	bool rows;                         /* show the timeline */
	bool sites;                        /* show how many samples each site is in */
};

struct testing_lines {
	struct testing_line {
		char *text;
		uint64_t weight, samples;
	} * line;
	size_t n, cap;
};

static inline void testing_add(
	struct testing_lines *l, const char *text, uint64_t weight, uint64_t samples)
{
	ARRAY_GROW(l->line, l->n, l->cap);
	l->line[l->n++] = (struct testing_line){ xstrdup(text), weight, samples };
}

static inline int testing_compare(const void *a, const void *b)
{
	return strcmp(
		((const struct testing_line *)a)->text, ((const struct testing_line *)b)->text);
}

/* The lines sorted, equal ones added up, each behind "prefix ". */
static inline void testing_put(struct testing_lines *l, const char *prefix, struct buf *out)
{
	size_t i;

	if (l->n)
		qsort(l->line, l->n, sizeof(*l->line), testing_compare);
	for (i = 0; i < l->n; i++) {
		struct testing_line *next = i + 1 < l->n ? &l->line[i + 1] : NULL;

		if (next && !strcmp(next->text, l->line[i].text)) {
			next->weight += l->line[i].weight;
			next->samples += l->line[i].samples;
		} else {
			buf_printf(out, "%s %s %" PRIu64 " %" PRIu64 "\n", prefix, l->line[i].text,
				l->line[i].weight, l->line[i].samples);
		}
		free(l->line[i].text);
	}
	free(l->line);
	*l = (struct testing_lines){ 0 };
}

static inline void testing_put_frame(
	const struct recording *r, const struct frame *f, bool detail, struct buf *b)
{
	struct span module = strtab_get(r->strings, f->module);

	buf_putc(b, '|');
	if (f->kind == FRAME_UNKNOWN) {
		buf_putc(b, '[');
		buf_put_span(b, module.n ? module : SPAN("unknown"));
		buf_putc(b, ']');
	}
	buf_put_span(b, strtab_get(r->strings, f->name));
	if (f->kind == FRAME_KERNEL)
		buf_puts(b, "_[k]");
	if (f->kind == FRAME_JIT)
		buf_puts(b, "_[j]");
	if (f->flags & FRAME_INLINED)
		buf_puts(b, "_[i]");
	if (!detail)
		return;
	buf_printf(b, "{%s", strtab_str(r->strings, f->module));
	if (f->file)
		buf_printf(b, " %s:%u:%u", strtab_str(r->strings, f->file), f->line, f->column);
	if (f->at_line)
		buf_printf(b, " at %u", f->at_line);
	if (f->tier)
		buf_printf(b, " tier %u", f->tier);
	if (f->address)
		buf_printf(b, " %" PRIx64, f->address);
	buf_putc(b, '}');
}

struct testing_visit {
	const struct recording *recording;
	const struct testing *testing;
	struct testing_lines *lines;
	struct buf *stack_texts; /* of the log, by number; NULL: not wanted */
};

static inline int testing_visit_stack(void *ctx, const struct stacklog_entry *s, struct err *e)
{
	const struct testing_visit *v = ctx;
	const struct recording *r = v->recording;
	const struct root *root = roots_get(r->roots, s->root);
	struct buf b = { 0 };
	uint32_t i;

	(void)e;
	buf_put_span(&b, strtab_get(r->strings, root->comm));
	if (root->pid >= 0 || root->tid >= 0)
		buf_printf(&b, "-%" PRId32 "/%" PRId32, root->pid, root->tid);
	if (root->event)
		buf_printf(&b, "<%s>", strtab_str(r->strings, root->event));
	if (root->cpu >= 0)
		buf_printf(&b, "@%" PRId32, root->cpu);
	for (i = 0; i < s->n; i++)
		testing_put_frame(r, frames_get(r->frames, sites_get(r->sites, s->sites[i])->named),
			v->testing->detail, &b);
	testing_add(v->lines, buf_str(&b), s->weight, s->samples);
	if (v->stack_texts)
		buf_printf(&v->stack_texts[s->number], "%s", buf_str(&b));
	buf_release(&b);
	return OK;
}

static inline void testing_put_rows(const struct recording *r, const struct timeline *t,
	const struct buf *stacks, struct testing_lines *rows)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		const struct timeline_row *row = &t->rows[i];
		const struct timeline_thread *thread = &t->threads[row->thread];
		char *text = xasprintf("%020" PRIu64 " %s/%" PRId32 " %s cpu %" PRId32 " %.*s",
			row->time_ns, strtab_str(r->strings, thread->name), thread->tid,
			strtab_str(r->strings, r->events[row->event].name), row->cpu,
			SPAN_ARG(buf_span(&stacks[row->stack])));

		testing_add(rows, text, row->weight, 1);
		free(text);
	}
}

static inline void testing_put_stacks(
	const struct testing *t, const struct recording *r, struct buf *out)
{
	struct testing_lines lines = { 0 }, rows = { 0 };
	struct err e;
	unsigned i;

	for (i = 0; i < r->n_logs; i++) {
		stack_id n = stacklog_count(r->logs[i]), k;
		struct buf *texts = xcalloc(n, sizeof(*texts));
		struct testing_visit v = { r, t, &lines, texts };

		stacklog_replay(r->logs[i], testing_visit_stack, &v, &e);
		if (t->rows)
			testing_put_rows(r, r->timelines[i], texts, &rows);
		for (k = 0; k < n; k++)
			buf_release(&texts[k]);
		free(texts);
	}
	testing_put(&lines, "stack", out);
	testing_put(&rows, "row", out);
}

static inline void testing_put_sites(
	const struct testing *t, const struct recording *r, struct buf *out)
{
	struct testing_lines lines = { 0 };
	uint64_t *samples = site_use_count(r);
	struct buf b = { 0 };
	site_id i;

	for (i = 1; i < sites_count(r->sites); i++) {
		b.n = 0;
		testing_put_frame(
			r, frames_get(r->frames, sites_get(r->sites, i)->named), t->detail, &b);
		testing_add(&lines, buf_str(&b), samples[i], samples[i]);
	}
	testing_put(&lines, "site", out);
	buf_release(&b);
	free(samples);
}

static inline void testing_put_facts(const struct recording *r, struct buf *out)
{
	uint32_t i;
	int k;

	for (i = 0; i < r->n_events; i++)
		buf_printf(out, "event %s %" PRIu64 "%s\n",
			strtab_str(r->strings, r->events[i].name), r->events[i].samples,
			r->events[i].chosen ? " chosen" : "");
	for (i = 0; i < r->n_threads; i++)
		buf_printf(out, "thread %" PRId32 "/%" PRId32 " %s %" PRIu64 "\n",
			r->threads[i].pid, r->threads[i].tid,
			strtab_str(r->strings, r->threads[i].name), r->threads[i].samples);
	for (k = 0; k < DIAG_KINDS; k++)
		if (r->diag.count[k])
			buf_printf(out, "bad %s %" PRIu64 " %" PRIu64 "\n", diag_info(k)->name,
				r->diag.count[k], r->diag.first_at[k]);
}

struct testing_feed {
	const struct testing *testing;
	int fd;
};

static inline void *testing_feed_main(void *arg)
{
	const struct testing_feed *f = arg;
	struct span rest = f->testing->text;

	while (rest.n) {
		size_t n = rest.n < f->testing->stream_bytes ? rest.n : f->testing->stream_bytes;
		ssize_t k = write(f->fd, rest.p, n);

		if (k < 0)
			break;
		rest = span_skip(rest, (size_t)k);
	}
	close(f->fd);
	return NULL;
}

static inline int testing_read_file(
	const struct testing *t, struct recording *r, struct file *f, struct err *e)
{
	char space[4096];
	size_t want =
		t->head_bytes && t->head_bytes < sizeof(space) ? t->head_bytes : sizeof(space);
	struct input_head head = { .whole = false };
	const struct input_format *format = t->format;
	struct pool *pool = pool_new(t->jobs ? t->jobs : 1);
	int rc;

	head.bytes.p = space;
	if (S_ISREG(f->st.st_mode)) {
		file_read_some_at(f, space, want, 0, &head.bytes.n, e);
		head.whole = head.bytes.n == f->size_bytes;
	} else {
		ssize_t k = read(f->fd, space, want);

		head.bytes.n = k > 0 ? (size_t)k : 0;
	}
	if (!format)
		format = input_sniff(&head);
	if (format)
		rc = format->read(r, f, &head, &t->opts, pool, e);
	else
		rc = err_set(e, ERR_FORMAT, "no format");
	pool_free(pool);
	return rc;
}

static inline int testing_open(const struct testing *t, struct file *f, int *feed_fd, struct err *e)
{
	int fds[2];

	*feed_fd = -1;
	if (t->stream_bytes) {
		if (pipe(fds))
			return err_errno(e, "pipe");
		*feed_fd = fds[1];
	} else {
		struct span rest = t->text;

		fds[0] = memfd_create("text", MFD_CLOEXEC);
		while (rest.n) {
			ssize_t k = write(fds[0], rest.p, rest.n);

			if (k < 0)
				return err_errno(e, "memfd");
			rest = span_skip(rest, (size_t)k);
		}
	}
	return file_adopt(f, fds[0], "text", e);
}

/* What a text was found to hold, to be freed; or "error: MESSAGE". */
static inline char *testing_read(const struct testing *t)
{
	struct strtab *strings = strtab_new();
	struct frames *frames = frames_new(strings);
	struct recording *r = recording_new("text", strings, frames);
	struct testing_feed feed = { .testing = t };
	struct buf out = { 0 };
	struct file f;
	struct err e;
	pthread_t thread;
	char *result;

	if (testing_open(t, &f, &feed.fd, &e))
		abort();
	if (feed.fd >= 0)
		pthread_create(&thread, NULL, testing_feed_main, &feed);
	if (testing_read_file(t, r, &f, &e)) {
		buf_printf(&out, "error: %s\n", e.msg);
	} else {
		testing_put_stacks(t, r, &out);
		if (t->sites)
			testing_put_sites(t, r, &out);
		testing_put_facts(r, &out);
	}
	if (feed.fd >= 0)
		pthread_join(thread, NULL);
	file_close(&f);
	recording_free(r);
	frames_free(frames);
	strtab_free(strings);
	result = xstrdup(buf_str(&out));
	buf_release(&out);
	return result;
}

#ifdef CMOCKA_H_ /* fuzzers do without */
/* Fails the test at the first line that differs. */
static inline void testing_expect(const struct testing *t, const char *want)
{
	char *found = testing_read(t);
	const char *f = found, *w = want;

	while (strcmp(f, w)) {
		size_t n = strcspn(f, "\n");

		if (n != strcspn(w, "\n") || strncmp(f, w, n))
			fail_msg("block %zu stream %zu: found\n%.600s\nwanted\n%.600s",
				t->opts.block_bytes, t->stream_bytes, f, w);
		f += n + (f[n] != 0);
		w += n + (w[n] != 0);
	}
	free(found);
}

/* Read it in blocks of this size, and vary the rest with the size. */
static inline void testing_vary(struct testing *t, size_t block_bytes)
{
	t->opts.block_bytes = block_bytes;
	t->jobs = 1 + block_bytes % 3;
	t->head_bytes = 1 + block_bytes % 100;
	t->stream_bytes = block_bytes % 2 ? block_bytes : 0;
}

/* Fails the test if blocks, workers, how much is looked at, or streams change what is found. */
static inline void testing_expect_no_change(struct testing t)
{
	char *want = testing_read(&t);
	size_t size;

	for (size = 1; size <= 512; size += 3) {
		testing_vary(&t, size);
		testing_expect(&t, want);
	}
	free(want);
}

static inline struct testing testing_of(
	const struct input_format *format, enum root_part root, const char *text)
{
	return (struct testing){
		.text = span_of(text), .format = format, .opts.root_fields = 1u << root
	};
}

/* What holds for every format: a text is known by its front, and found to hold the same however it
 * comes. */
static inline void testing_expect_format(struct testing t)
{
	struct input_head head = { t.text, true };

	assert_ptr_equal(input_sniff(&head), t.format);
	testing_expect_no_change(t);
}

#endif

#endif
