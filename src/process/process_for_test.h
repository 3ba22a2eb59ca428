/*
 * process_for_test.h - small recordings for tests, and the stacks that are read from them
 *
 * For *_test.c, which include input/perfdata/perfdata_writer_for_test.h first. Each test has a bed:
 *
 *	static void a_test(void **state)
 *	{
 *		struct recording_writer *w = bed_writer(state);
 *
 *		put_user(w, 7, 100, 0x1010);		process 7 at 100 ns in /bin/a+0x10
 *		expect_stacks(w, DEFAULTS, "main /bin/a+10! =1");
 *	}
 *	...	BED_TEST(a_test),
 *
 * expect_stacks() and bed_read() finish the recording, read it with process_read_run(), and leave
 * its stacks as text, a line each, sorted:
 *
 *	comm outermost+OFFSET ... innermost+OFFSET! =weight
 *
 * "!" follows addresses that are no return addresses; "?" is unmapped memory. In
 * parentheses is the name of JIT code, alone, or as the second choice after a place in a file.
 *
 * Owns: the bed, made by bed_setup(), freed by bed_teardown(); without a bed, what read_stacks()
 * fills until reading_release(). Threads: one.
 */
#ifndef PERFOLD_PROCESS_PROCESS_FOR_TEST_H
#define PERFOLD_PROCESS_PROCESS_FOR_TEST_H

#include "base/mem.h"
#include "base/tmpdir_for_test.h"
#include "process/process.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define KERNEL ((uint64_t)-128)
#define USER   ((uint64_t)-512)
#define GUEST  ((uint64_t)-2048)

enum { TRAILER = 1u << FLAG_SAMPLE_ID_ALL_BIT };

WRITER_FN const uint64_t usual =
	SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU | SAMPLE_PERIOD | SAMPLE_CALLCHAIN;
WRITER_FN const uint64_t with_raw = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU |
				    SAMPLE_PERIOD | SAMPLE_CALLCHAIN | SAMPLE_RAW;

/* ---- records with the trailer of `usual`: tid, time, cpu ---------------------------------- */

WRITER_FN void put_trailer(struct recording_writer *w, uint32_t pid, uint32_t tid, uint64_t time_ns)
{
	put_u32(w, pid);
	put_u32(w, tid);
	put_u64(w, time_ns);
	put_u64(w, 0);
}

WRITER_FN void put_mmap(struct recording_writer *w, uint32_t pid, uint64_t time_ns, uint64_t start,
	uint64_t length, const char *path)
{
	size_t at = writer_begin(w, RECORD_MMAP, CPUMODE_USER);

	put_u32(w, pid);
	put_u32(w, pid);
	put_u64(w, start);
	put_u64(w, length);
	put_u64(w, 0);
	put_string(w, path);
	put_trailer(w, pid, pid, time_ns);
	writer_end(w, at);
}

/* EVENT_DESC: u32 events, attr_bytes; {attr; u32 ids, name_bytes; name} */
WRITER_FN void put_event_name(
	struct recording_writer *w, uint32_t type, uint64_t config, const char *name)
{
	struct buf b = { 0 };

	buf_u32(&b, w->swapped, 1), buf_u32(&b, w->swapped, 64);
	buf_u32(&b, w->swapped, type), buf_u32(&b, w->swapped, 64);
	buf_u64(&b, w->swapped, config);
	while (b.n < 8 + 64)
		buf_putc(&b, '\0');
	buf_u32(&b, w->swapped, 0);
	buf_section_string(&b, w->swapped, name);
	writer_feature(w, FEATURE_EVENT_DESC, b.p, b.n);
	buf_release(&b);
}

WRITER_FN void put_name(
	struct recording_writer *w, uint32_t pid, uint32_t tid, uint64_t time_ns, const char *name)
{
	size_t at = writer_begin(w, RECORD_COMM, 0);

	put_u32(w, pid);
	put_u32(w, tid);
	put_string(w, name);
	put_trailer(w, pid, tid, time_ns);
	writer_end(w, at);
}

/* A FORK of a process's first thread; misc 1 << 13: perf made it up. */
WRITER_FN void put_fork(
	struct recording_writer *w, uint16_t misc, uint32_t pid, uint32_t ppid, uint64_t time_ns)
{
	size_t at = writer_begin(w, RECORD_FORK, misc);

	put_u32(w, pid), put_u32(w, ppid);
	put_u32(w, pid), put_u32(w, ppid);
	put_u64(w, time_ns);
	put_trailer(w, pid, pid, time_ns);
	writer_end(w, at);
}

struct test_sample {
	uint32_t pid, tid, cpu;
	uint64_t time_ns, period, ip;
	uint16_t cpumode;
	uint32_t n;
	uint64_t chain[8];
};

WRITER_FN void put_sample_front(struct recording_writer *w, const struct test_sample *s)
{
	uint32_t i;

	put_u64(w, s->ip);
	put_u32(w, s->pid);
	put_u32(w, s->tid ? s->tid : s->pid);
	put_u64(w, s->time_ns);
	put_u32(w, s->cpu);
	put_u32(w, 0);
	put_u64(w, s->period);
	put_u64(w, s->n);
	for (i = 0; i < s->n; i++)
		put_u64(w, s->chain[i]);
}

WRITER_FN void put_sample(struct recording_writer *w, const struct test_sample *s)
{
	size_t at = writer_begin(w, RECORD_SAMPLE, s->cpumode ? s->cpumode : CPUMODE_USER);

	put_sample_front(w, s);
	writer_end(w, at);
}

/* A sample of a process's first thread in user code, of weight 1. */
WRITER_FN void put_user(struct recording_writer *w, uint32_t pid, uint64_t time_ns, uint64_t ip)
{
	put_sample(w, &(struct test_sample){ pid, pid, 0, time_ns, 1, ip, 0, 2, { USER, ip } });
}

/* ---- reading ------------------------------------------------------------------------------ */

struct reading {
	struct strtab *strings;
	struct frames *frames;
	struct recording *recording;
	struct buf text;
	struct err err;
	char *lines[256];
	unsigned n_lines;
};

static void add_place(const struct reading *g, const struct site *site, struct buf *b)
{
	const struct module *m = modules_get(g->recording->modules, site->module);

	buf_printf(b, "%s+%" PRIx64 "%s", site->module ? strtab_str(g->strings, m->shown) : "?",
		site->rel, site->how == SITE_EXACT ? "!" : "");
}

WRITER_FN int add_line(void *ctx, const struct stacklog_entry *s, struct err *e)
{
	struct reading *g = ctx;
	const struct recording *r = g->recording;
	struct buf b = { 0 };
	uint32_t i;

	(void)e;
	if (!s->samples)
		return OK;
	buf_puts(&b, strtab_str(r->strings, roots_get(r->roots, s->root)->comm));
	for (i = 0; i < s->n; i++) {
		const struct site *site = sites_get(r->sites, s->sites[i]);
		frame_id named = site->named ? site->named : site->fallback;

		buf_putc(&b, ' ');
		if (!site->named)
			add_place(g, site, &b);
		if (named)
			buf_printf(&b, "(%s)",
				strtab_str(r->strings, frames_get(g->frames, named)->name));
	}
	buf_printf(&b, " =%" PRIu64, s->weight);
	assert_true(g->n_lines < ARRAY_LEN(g->lines));
	g->lines[g->n_lines++] = xstrdup(buf_str(&b));
	buf_release(&b);
	return OK;
}

WRITER_FN int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

WRITER_FN void reading_init(struct reading *g)
{
	*g = (struct reading){ .strings = strtab_new() };
	g->frames = frames_new(g->strings);
	g->recording = recording_new("test", g->strings, g->frames);
}

/* The stacks that were read, into g->text. */
WRITER_FN void reading_take_stacks(struct reading *g)
{
	unsigned i;

	for (i = 0; i < g->recording->n_logs; i++)
		stacklog_replay(g->recording->logs[i], add_line, g, &g->err);
	qsort(g->lines, g->n_lines, sizeof(*g->lines), compare_lines);
	for (i = 0; i < g->n_lines; i++)
		buf_printf(&g->text, "%s%s", i ? "\n" : "", g->lines[i]);
}

/* The stacks of the recording, a line each, sorted: "comm outermost ... innermost =weight". */
WRITER_FN int read_stacks(
	struct reading *g, struct recording_writer *w, struct read_opts o, unsigned jobs)
{
	struct files_opts nowhere = { .no_system = true };
	struct process_kernel kernel;
	struct pool *pool = pool_new(jobs);
	struct file f;
	int rc;

	reading_init(g);
	if (!w->file.n) /* unless the test has made another form of it, or damaged it */
		writer_finish(w);
	assert_true(writer_open(w, &f));
	if (!o.files)
		o.files = &nowhere;
	if (!o.root_fields)
		o.root_fields = 1u << ROOT_COMM;
	rc = process_read_run(
		g->recording, &(struct process_part){ .file = &f }, 1, &o, &kernel, pool, &g->err);
	reading_take_stacks(g);
	file_close(&f);
	pool_free(pool);
	return rc;
}

WRITER_FN void reading_release(struct reading *g)
{
	unsigned i;

	for (i = 0; i < g->n_lines; i++)
		free(g->lines[i]);
	recording_free(g->recording);
	frames_free(g->frames);
	strtab_free(g->strings);
	buf_release(&g->text);
}

WRITER_FN void expect_stacks(struct recording_writer *w, struct read_opts o, const char *expected)
{
	struct reading g;

	assert_int_equal(read_stacks(&g, w, o, 1), OK);
	assert_string_equal(buf_str(&g.text), expected);
	reading_release(&g);
}

WRITER_FN void start_as(
	struct recording_writer *w, bool swapped, uint64_t sample_type, uint64_t branches)
{
	*w = (struct recording_writer)WRITER_INIT;
	w->swapped = swapped;
	writer_attr(w,
		&(struct test_attr){ .type = 1,
			.sample_type = sample_type,
			.flags = TRAILER,
			.branch_sample_type = branches },
		NULL, 0);
	put_name(w, 7, 7, 0, "main");
	put_mmap(w, 7, 0, 0x1000, 0x1000, "/bin/a");
}

/* A recording of one event and of process 7, "main", which has /bin/a from 0x1000 to 0x2000. */
WRITER_FN void start(struct recording_writer *w, uint64_t sample_type, uint64_t branches)
{
	start_as(w, false, sample_type, branches);
}

/* ---- a bed for each test -------------------------------------------------------------------- */

/* The recording that a test writes, and the last reading of it. */
struct process_bed {
	struct recording_writer w;
	struct reading reading;
	bool has_reading;
	void *dir; /* of BED_DIR_TEST(): the state of base/tmpdir_for_test.h */
};

#define BED_TEST(t)     cmocka_unit_test_setup_teardown(t, bed_setup, bed_teardown)
#define BED_DIR_TEST(t) cmocka_unit_test_setup_teardown(t, bed_setup_dir, bed_teardown_dir)
#define DEFAULTS        ((struct read_opts){ 0 })

WRITER_FN int bed_setup(void **state)
{
	struct process_bed *b = xcalloc(1, sizeof(*b));

	start(&b->w, usual, 0);
	*state = b;
	return 0;
}

static void bed_forget_reading(struct process_bed *b)
{
	if (b->has_reading)
		reading_release(&b->reading);
	b->has_reading = false;
}

WRITER_FN int bed_teardown(void **state)
{
	struct process_bed *b = *state;

	bed_forget_reading(b);
	writer_release(&b->w);
	free(b);
	return 0;
}

/* The directory of a test that writes files, for tmpdir_path(). */
WRITER_FN void **bed_dir(void **state)
{
	return &((struct process_bed *)*state)->dir;
}

WRITER_FN int bed_setup_dir(void **state)
{
	return bed_setup(state) || tmpdir_setup(bed_dir(state));
}

WRITER_FN int bed_teardown_dir(void **state)
{
	return tmpdir_teardown(bed_dir(state)) || bed_teardown(state);
}

/* The writer of a recording that was begun by start(). */
WRITER_FN struct recording_writer *bed_writer(void **state)
{
	return &((struct process_bed *)*state)->w;
}

/* The same, empty. */
WRITER_FN struct recording_writer *bed_reset(void **state)
{
	struct process_bed *b = *state;

	writer_release(&b->w);
	return &b->w;
}

/* The same, restarted. */
WRITER_FN struct recording_writer *bed_restart(void **state, uint64_t sample_type)
{
	struct recording_writer *w = bed_reset(state);

	start(w, sample_type, 0);
	return w;
}

/* What is read from it, valid until the next reading. */
WRITER_FN const struct recording *bed_read_as(
	void **state, struct read_opts o, unsigned jobs, int rc)
{
	struct process_bed *b = *state;

	bed_forget_reading(b);
	b->has_reading = true;
	assert_int_equal(read_stacks(&b->reading, &b->w, o, jobs), rc);
	return b->reading.recording;
}

WRITER_FN const struct recording *bed_read(void **state, struct read_opts o, unsigned jobs)
{
	return bed_read_as(state, o, jobs, OK);
}

/* The stacks of the last reading. */
WRITER_FN const char *bed_stacks(void **state)
{
	return buf_str(&((struct process_bed *)*state)->reading.text);
}

WRITER_FN const struct recording *bed_expect(void **state, struct read_opts o, const char *stacks)
{
	const struct recording *r = bed_read(state, o, 1);

	assert_string_equal(bed_stacks(state), stacks);
	return r;
}

#endif
