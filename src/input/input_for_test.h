/*
 * input_for_test.h - reads a text in a test and shows what was found, one sorted line for each fact
 *
 *	stack NAME[-PID/TID][@CPU]|FRAME|FRAME WEIGHT SAMPLES
 *	site |FRAME SAMPLES SAMPLES
 *	row TIME THREAD/TID EVENT cpu CPU STACK WEIGHT 1
 *	branch MODULE+FROM MODULE+TO-NEXT READING COUNT MISPREDICTED
 *	event NAME SAMPLES [chosen]      thread PID/TID NAME SAMPLES      bad KIND COUNT LINE
 *
 * A frame is its name, [MODULE] where it has none, and _[k] _[j] _[i]. A test file defines
 *
 *	#define CHECK(text, want) input_check(&stacks_bcc, ROOT_COMM_PID_TID, (text), (want))
 *
 * and compares the whole output; where it sets options it makes a struct input_bed instead.
 * However a text is read (blocks of any size, workers, a stream), it must show the same.
 *
 * The text is a memfd, or comes through a pipe that a thread feeds; sums of all logs are merged by
 * sorting the lines. input_fuzz_for_test.h uses this header without cmocka.
 *
 * Owns: what input_read() returns is the caller's. Threads: one.
 */
#ifndef PERFOLD_INPUT_INPUT_FOR_TEST_H
#define PERFOLD_INPUT_INPUT_FOR_TEST_H

#include "base/mem.h"
#include "input/input.h"
#include "model/sample_choice.h"
#include "model/site_use.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct input_bed {
	struct span text;
	struct read_opts opts;
	unsigned jobs;                     /* 0: one */
	size_t head_bytes;                 /* of the head that formats bid on; 0: at most 4096 */
	size_t stream_bytes;               /* not 0: through a pipe, this many bytes at a time */
	const struct input_format *format; /* NULL: the one that bids highest */
	bool detail;                       /* show modules, files and addresses of frames */
	bool rows;                         /* show the timeline */
	bool sites;                        /* show how many samples each site is in */
};

/* ---- what was found ---- */

struct input_lines {
	struct input_line {
		char *text;
		uint64_t weight, samples;
	} * line;
	size_t n, cap;
};

static inline void input_add_line(
	struct input_lines *l, const char *text, uint64_t weight, uint64_t samples)
{
	ARRAY_GROW(l->line, l->n, l->cap);
	l->line[l->n++] = (struct input_line){ xstrdup(text), weight, samples };
}

static inline int input_compare_lines(const void *a, const void *b)
{
	return strcmp(((const struct input_line *)a)->text, ((const struct input_line *)b)->text);
}

/* Moves the lines to out: sorted, equal ones added up, "prefix " before each. */
static inline void input_put_lines(struct input_lines *l, const char *prefix, struct buf *out)
{
	size_t i;

	if (l->n)
		qsort(l->line, l->n, sizeof(*l->line), input_compare_lines);
	for (i = 0; i < l->n; i++) {
		struct input_line *at = &l->line[i];

		if (i + 1 < l->n && !strcmp(at[1].text, at->text)) {
			at[1].weight += at->weight;
			at[1].samples += at->samples;
		} else {
			buf_printf(out, "%s %s %" PRIu64 " %" PRIu64 "\n", prefix, at->text,
				at->weight, at->samples);
		}
		free(at->text);
	}
	free(l->line);
}

static inline void input_put_frame(
	const struct recording *r, site_id site, bool detail, struct buf *b)
{
	const struct frame *f = frames_get(r->frames, sites_get(r->sites, site)->named);
	const char *module = strtab_str(r->strings, f->module);

	buf_putc(b, '|');
	if (f->kind == FRAME_UNKNOWN)
		buf_printf(b, "[%s]", *module ? module : "unknown");
	buf_puts(b, strtab_str(r->strings, f->name));
	buf_puts(b, f->kind == FRAME_KERNEL ? "_[k]" : f->kind == FRAME_JIT ? "_[j]" : "");
	buf_puts(b, f->flags & FRAME_INLINED ? "_[i]" : "");
	if (!detail)
		return;
	buf_printf(b, "{%s", module);
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

struct input_visit {
	const struct recording *recording;
	const struct input_bed *bed;
	struct input_lines *lines;
	char **shown; /* the stacks of the log, by number */
};

static inline int input_visit_stack(void *ctx, const struct stacklog_entry *s, struct err *e)
{
	const struct input_visit *v = ctx;
	const struct recording *r = v->recording;
	const struct root *root = roots_get(r->roots, s->root);
	struct buf b = { 0 };
	uint32_t i;

	(void)e;
	buf_puts(&b, strtab_str(r->strings, root->comm));
	if (root->pid >= 0 || root->tid >= 0)
		buf_printf(&b, "-%" PRId32 "/%" PRId32, root->pid, root->tid);
	if (root->event)
		buf_printf(&b, "<%s>", strtab_str(r->strings, root->event));
	if (root->cpu >= 0)
		buf_printf(&b, "@%" PRId32, root->cpu);
	for (i = 0; i < s->n; i++)
		input_put_frame(r, (site_id)s->sites[i], v->bed->detail, &b);
	input_add_line(v->lines, buf_str(&b), s->weight, s->samples);
	free(v->shown[s->number]);
	v->shown[s->number] = xstrdup(buf_str(&b));
	buf_release(&b);
	return OK;
}

static inline void input_add_rows(const struct recording *r, const struct timeline *t,
	char *const *stacks, struct input_lines *rows)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		const struct timeline_row *row = &t->rows[i];
		const struct timeline_thread *thread = &t->threads[row->thread];
		char *text = xasprintf("%020" PRIu64 " %s/%" PRId32 " %s cpu %" PRId32 " %s",
			row->time_ns, strtab_str(r->strings, thread->name), thread->tid,
			strtab_str(r->strings, r->events[row->event].name), row->cpu,
			stacks[row->stack]);

		input_add_line(rows, text, row->weight, 1);
		free(text);
	}
}

static inline void input_put_stacks(
	const struct input_bed *t, const struct recording *r, struct buf *out)
{
	struct input_lines lines = { 0 }, rows = { 0 };
	struct err e;
	unsigned i;

	for (i = 0; i < r->n_logs; i++) {
		stack_id n = stacklog_count(r->logs[i]), k;
		char **shown = xcalloc((size_t)n + 1, sizeof(*shown));
		struct input_visit v = { r, t, &lines, shown };

		stacklog_replay(r->logs[i], input_visit_stack, &v, &e);
		if (t->rows)
			input_add_rows(r, r->timelines[i], shown, &rows);
		for (k = 0; k < n; k++)
			free(shown[k]);
		free(shown);
	}
	input_put_lines(&lines, "stack", out);
	input_put_lines(&rows, "row", out);
}

static inline void input_put_sites(
	const struct input_bed *t, const struct recording *r, struct buf *out)
{
	struct input_lines lines = { 0 };
	uint64_t *samples = site_use_count(r);
	site_id i;

	for (i = 1; i < sites_count(r->sites); i++) {
		struct buf b = { 0 };

		input_put_frame(r, i, t->detail, &b);
		input_add_line(&lines, buf_str(&b), samples[i], samples[i]);
		buf_release(&b);
	}
	input_put_lines(&lines, "site", out);
	free(samples);
}

static inline void input_put_place(
	struct buf *b, const struct recording *r, module_id module, uint64_t rel)
{
	buf_printf(b, " %s+%" PRIx64,
		module ? strtab_str(r->strings, modules_get(r->modules, module)->path) : "", rel);
}

/* Those of a worker come in any order of modules. */
static inline void input_put_branches(const struct recording *r, struct buf *out)
{
	static const char *const readings[] = { "any", "resumed", "interrupted", "sample" };
	const struct branch_traces *t = r->branches;
	struct input_lines lines = { 0 };
	uint32_t i;

	for (i = 0; t && i < t->n; i++) {
		const struct branch_trace *row = &t->row[i];
		struct buf b = { 0 };

		input_put_place(&b, r, row->from_module, row->from);
		input_put_place(&b, r, row->to_module, row->to);
		if (row->next != BRANCH_NO_NEXT)
			buf_printf(&b, "-%" PRIx64, row->next);
		buf_printf(&b, " %s", readings[row->reading]);
		input_add_line(&lines, buf_str(&b), row->count, row->mispredicted);
		buf_release(&b);
	}
	input_put_lines(&lines, "branch", out);
	if (t)
		buf_printf(out, "branches %" PRIu64 " of %" PRIu64 " samples, %" PRIu64 " empty\n",
			t->totals.entries, t->totals.samples, t->totals.empty);
}

static inline void input_put_facts(const struct recording *r, struct buf *out)
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

/* ---- reading ---- */

struct input_feed {
	struct span rest;
	size_t bytes; /* at a time */
	int fd;
};

static inline void *input_feed_main(void *arg)
{
	struct input_feed *f = arg;

	while (f->rest.n) {
		ssize_t k = write(f->fd, f->rest.p, f->rest.n < f->bytes ? f->rest.n : f->bytes);

		if (k < 0)
			break;
		f->rest = span_skip(f->rest, (size_t)k);
	}
	close(f->fd);
	return NULL;
}

static inline int input_read_file(
	const struct input_bed *t, struct recording *r, struct file *f, struct err *e)
{
	char space[4096];
	size_t want = t->head_bytes ? t->head_bytes : sizeof(space);
	struct input_head head = { { space, 0 }, false };
	const struct input_format *format = t->format;
	struct pool *pool = pool_new(t->jobs ? t->jobs : 1);
	ssize_t n =
		S_ISREG(f->st.st_mode) ? pread(f->fd, space, want, 0) : read(f->fd, space, want);
	int rc;

	head.bytes.n = n > 0 ? (size_t)n : 0;
	head.whole = S_ISREG(f->st.st_mode) && head.bytes.n == f->size_bytes;
	if (!format)
		format = input_sniff(&head);
	rc = format ? format->read(r, f, &head, &t->opts, pool, e)
		    : err_set(e, ERR_FORMAT, "no format");
	pool_free(pool);
	return rc;
}

/* Opens the text as a file; feed->fd is -1 unless it is a pipe. */
static inline int input_open_text(
	const struct input_bed *t, struct file *f, struct input_feed *feed, struct err *e)
{
	int fds[2] = { -1, -1 };

	if (t->stream_bytes && pipe(fds))
		return err_errno(e, "pipe");
	*feed = (struct input_feed){ t->text, t->stream_bytes, fds[1] };
	if (!t->stream_bytes) {
		fds[0] = memfd_create("text", MFD_CLOEXEC);
		if (write(fds[0], t->text.p, t->text.n) != (ssize_t)t->text.n)
			return err_errno(e, "memfd");
	}
	return file_adopt(f, fds[0], "text", e);
}

/* The facts in a text, to be freed; or "error: MESSAGE". */
static inline char *input_read(const struct input_bed *t)
{
	struct strtab *strings = strtab_new();
	struct frames *frames = frames_new(strings);
	struct recording *r = recording_new("text", strings, frames);
	struct input_feed feed;
	struct buf out = { 0 };
	struct file f;
	struct err e;
	pthread_t thread;
	char *result;

	if (input_open_text(t, &f, &feed, &e))
		abort();
	if (t->stream_bytes)
		pthread_create(&thread, NULL, input_feed_main, &feed);
	if (input_read_file(t, r, &f, &e)) {
		buf_printf(&out, "error: %s\n", e.msg);
	} else {
		input_put_stacks(t, r, &out);
		if (t->sites)
			input_put_sites(t, r, &out);
		input_put_branches(r, &out);
		input_put_facts(r, &out);
	}
	if (t->stream_bytes)
		pthread_join(thread, NULL);
	file_close(&f);
	recording_free(r);
	frames_free(frames);
	strtab_free(strings);
	result = xstrdup(buf_str(&out));
	buf_release(&out);
	return result;
}

#ifndef INPUT_FUZZ

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* Fails the test at the first line that differs. */
static inline void input_expect(const struct input_bed *t, const char *want)
{
	char *found = input_read(t);
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

/* Fails the test if blocks, workers, the size of the head, or streams change what is found. */
static inline void input_expect_no_change(struct input_bed t)
{
	char *want = input_read(&t);
	size_t size;

	for (size = 1; size <= 512; size += 3) {
		t.opts.block_bytes = size;
		t.jobs = 1 + size % 3;
		t.head_bytes = 1 + size % 100;
		t.stream_bytes = size % 2 ? size : 0;
		input_expect(&t, want);
	}
	free(want);
}

static inline struct input_bed input_bed_of(
	const struct input_format *format, enum root_part root, const char *text)
{
	return (struct input_bed){
		.text = span_of(text), .format = format, .opts.root_fields = 1u << root
	};
}

static inline void input_check(
	const struct input_format *format, enum root_part root, const char *text, const char *want)
{
	struct input_bed t = input_bed_of(format, root, text);

	input_expect(&t, want);
}

/* What holds for every format: a text is recognized by its front, and shows the same however it is
 * read. */
static inline void input_expect_format(struct input_bed t)
{
	struct input_head head = { t.text, true };

	assert_ptr_equal(input_sniff(&head), t.format);
	input_expect_no_change(t);
}

#endif

#endif
