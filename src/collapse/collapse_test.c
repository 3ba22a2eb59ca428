#include "collapse/collapse.h"

#include "base/mem.h"
#include "model/profile_for_test.h"
#include "model/site_use.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* A recording of which every entry e is the function "f<e>", in a library of its own for odd
 * hundreds: f101 and f1 have one name and two modules. */
struct world {
	struct strtab *strings;
	struct frames *frames;
	struct recording *recording;
	struct pool *pool;
};

static site_id resolve(
	void *ctx, uint32_t space, uint64_t entry, struct moment at, struct validity *valid)
{
	struct world *w = ctx;
	char name[32];
	struct frame f = { .kind = FRAME_USER };

	(void)space;
	(void)at;
	(void)valid;
	snprintf(name, sizeof(name), "f%u(int)", (unsigned)(entry % 100));
	f.name = strtab_add_str(w->strings, name);
	f.module = strtab_add_str(w->strings, entry >= 100 ? "/lib/b.so" : "/lib/a.so");
	return sites_add(w->recording->sites,
		&(struct site){ .kind = FRAME_USER, .named = frames_add(w->frames, &f) });
}

static void world_init(struct world *w, unsigned n_logs)
{
	unsigned i;

	w->strings = strtab_new();
	w->frames = frames_new(w->strings);
	w->pool = pool_new(2);
	w->recording = recording_new("test", w->strings, w->frames);
	w->recording->n_logs = n_logs;
	w->recording->logs = calloc(n_logs, sizeof(struct stacklog *));
	for (i = 0; i < n_logs; i++)
		w->recording->logs[i] = stacklog_new(resolve, w);
}

static void world_release(struct world *w)
{
	pool_free(w->pool);
	recording_free(w->recording);
	frames_free(w->frames);
	strtab_free(w->strings);
}

static void add(struct world *w, unsigned log, const char *comm, uint64_t weight,
	const uint64_t *entries, uint32_t n)
{
	struct root key = {
		.comm = strtab_add_str(w->strings, comm), .pid = -1, .tid = -1, .cpu = -1
	};
	struct stacklog_sample s = { .root = roots_add(w->recording->roots, &key),
		.weight = weight,
		.n = n,
		.entries = entries };

	stacklog_add(w->recording->logs[log], &s);
}

static struct profile *finish(struct world *w, struct collapse_opts o)
{
	struct collapsing *c;
	struct profile *p;
	struct err e;
	site_id id;
	unsigned i;

	for (i = 0; i < w->recording->n_logs; i++)
		stacklog_flush(w->recording->logs[i]);
	for (id = 1; id < sites_count(w->recording->sites); id++)
		sites_set_frames(
			w->recording->sites, id, &sites_get(w->recording->sites, id)->named, 1);
	o.roots[0] = ROOT_COMM;
	assert_int_equal(collapse_begin(&c, &w->recording, 1, &o, w->pool, &e), OK);
	p = collapse_make(c, w->pool);
	collapse_free(c);
	return p;
}

/* "name:self:total name:self:total ..." in preorder, without the root. */
static const char *text_of(const struct profile *p, struct buf *b)
{
	uint32_t i;

	b->n = 0;
	for (i = 1; i < p->n_nodes; i++) {
		const struct node *n = &p->nodes[i];

		assert_true(n->parent < i);
		assert_int_equal(n->depth, p->nodes[n->parent].depth + 1);
		buf_printf(b, "%s", i > 1 ? " " : "");
		profile_put_name(p, n->frame, b);
		buf_printf(b, ":%u:%u", (unsigned)n->self, (unsigned)n->total);
	}
	return buf_str(b);
}

static void a_caller_of_many_functions_finds_each_again(void **state)
{
	struct world w;
	struct profile *p;
	uint64_t stack[3] = { 1 };
	uint32_t i;

	(void)state;
	world_init(&w, 2);
	for (i = 0; i < 4 * 50 * 40; i++) {
		stack[1] = i % 50;
		stack[2] = i / 50 % 40;
		add(&w, i / 7 % 2, "a", 1, stack, 3);
	}
	p = finish(&w, (struct collapse_opts){ 0 });
	assert_int_equal(p->n_nodes, 1 + 1 + 1 + 50 + 50 * 40);
	for (i = 0; i < p->n_nodes; i++) {
		assert_int_equal(p->nodes[i].self, p->nodes[i].depth == 4 ? 4 : 0);
		assert_int_equal(profile_samples(p, i).self, p->nodes[i].self);
	}
	profile_free(p);
	world_release(&w);
}

static void stacks_become_a_tree_in_the_order_of_names(void **state)
{
	static const uint64_t abc[] = { 1, 2, 3 }, ab[] = { 1, 2 }, ad[] = { 1, 4 };
	struct world w;
	struct buf b = { 0 };
	struct profile *p;

	(void)state;
	world_init(&w, 1);
	add(&w, 0, "z", 1, ad, 2);
	add(&w, 0, "a b", 5, ad, 2);
	add(&w, 0, "a b", 7, abc, 3);
	add(&w, 0, "a b", 3, ab, 2);
	add(&w, 0, "a b", 3, ab, 2);
	p = finish(&w, (struct collapse_opts){ 0 });
	assert_string_equal(
		text_of(p, &b), "a_b:0:18 f1:0:18 f2:6:13 f3:7:7 f4:5:5 z:0:1 f1:0:1 f4:1:1");
	assert_int_equal(p->nodes[0].total, 19);
	assert_int_equal(profile_samples(p, 0).total, 5);
	assert_int_equal(p->max_depth, 4);
	profile_free(p);
	buf_release(&b);
	world_release(&w);
}

/* What a stack has in common with the one before is not looked up again. */
static void a_stack_like_the_one_before_has_its_own_root_and_depth(void **state)
{
	static const uint64_t abc[] = { 1, 2, 3 }, abd[] = { 1, 2, 4 };
	static const struct {
		uint32_t max_depth;
		const char *tree;
	} cases[] = {
		{ 0, "a:4:13 f1:0:9 f2:2:9 f3:6:6 f4:1:1 b:0:3 f1:0:3 f2:0:3 f3:3:3" },
		{ 2, "a:4:13 f1:0:9 f2:9:9 b:0:3 f1:0:3 f2:3:3" },
		{ 1, "a:4:13 f1:9:9 b:0:3 f1:3:3" },
	};
	struct buf b = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct profile *p;
		struct world w;

		world_init(&w, 1);
		add(&w, 0, "a", 1, abc, 3);
		add(&w, 0, "b", 3, abc, 3);
		add(&w, 0, "a", 1, abd, 3);
		add(&w, 0, "a", 4, abc, 0);
		add(&w, 0, "a", 5, abc, 3);
		add(&w, 0, "a", 2, abc, 2);
		p = finish(&w, (struct collapse_opts){ .max_depth = cases[i].max_depth });
		assert_string_equal(text_of(p, &b), cases[i].tree);
		profile_free(p);
		world_release(&w);
	}
	buf_release(&b);
}

static void by_name_merges_functions_of_two_modules(void **state)
{
	static const uint64_t a[] = { 1, 2, 3 }, b[] = { 1, 102, 3 }, c[] = { 1, 102, 4 };
	struct world w;
	struct buf text = { 0 };
	struct profile *p, *by_name;

	(void)state;
	world_init(&w, 1);
	add(&w, 0, "x", 1, a, 3);
	add(&w, 0, "x", 2, b, 3);
	add(&w, 0, "x", 4, c, 3);
	p = finish(&w, (struct collapse_opts){ 0 });
	assert_string_equal(text_of(p, &text), "x:0:7 f1:0:7 f2:0:1 f3:1:1 f2:0:6 f3:2:2 f4:4:4");
	by_name = collapse_by_name(p, true);
	assert_string_equal(text_of(by_name, &text), "x:0:7 f1:0:7 f2:0:7 f3:3:3 f4:4:4");
	profile_free(by_name);
	profile_free(p);
	buf_release(&text);
	world_release(&w);
}

static frame_id frame_at_line(struct test_profile *t, const char *name, uint32_t line)
{
	struct frame f = { .kind = FRAME_USER, .line = 3, .flags = FRAME_DECLARED };

	f.name = strtab_add_str(t->p.strings, name);
	f.file = strtab_add_str(t->p.strings, "x.c");
	f.at_line = line;
	return frames_add(t->p.frames, &f);
}

static void a_profile_without_addresses_still_has_its_lines(void **state)
{
	struct frame f = { .kind = FRAME_USER, .at_line = 7 }, g;
	struct test_profile t;
	struct profile *p;
	struct buf text = { 0 };
	frame_id id[2];
	unsigned i;

	(void)state;
	test_profile_init(&t);
	f.name = strtab_add_str(t.p.strings, "f");
	f.build = strtab_add_str(t.p.strings, "abcd");
	for (i = 0; i < 2; i++) {
		f.at_address = 0x401000 + i;
		id[i] = frames_add(t.p.frames, &f);
		test_profile_add_frames(&t, &id[i], 1, 1 + i);
	}
	test_profile_finish(&t);
	assert_int_equal(t.p.n_nodes, 3);
	p = collapse_without_addresses(&t.p);
	assert_string_equal(text_of(p, &text), "f:3:3");
	g = *frames_get(p->frames, p->nodes[1].frame);
	assert_int_equal(g.at_line, 7);
	assert_int_equal(g.at_address, 0);
	assert_int_equal(g.build, 0);
	profile_free(p);
	p = collapse_without_lines(&t.p);
	assert_string_equal(text_of(p, &text), "f:3:3");
	assert_int_equal(frames_get(p->frames, p->nodes[1].frame)->at_address, 0);
	profile_free(p);
	buf_release(&text);
	test_profile_release(&t);
}

static void without_lines_a_profile_is_as_if_none_had_been_looked_up(void **state)
{
	struct test_profile t;
	struct profile *p;
	struct buf text = { 0 };
	const struct frame *f;

	(void)state;
	test_profile_init(&t);
	test_profile_add_frames(
		&t, (frame_id[]){ frame_at_line(&t, "main", 5), frame_at_line(&t, "f", 7) }, 2, 1);
	test_profile_add_frames(
		&t, (frame_id[]){ frame_at_line(&t, "main", 6), frame_at_line(&t, "f", 7) }, 2, 2);
	test_profile_add_frames(&t, (frame_id[]){ frame_at_line(&t, "main", 6) }, 1, 4);
	test_profile_finish(&t);
	assert_int_equal(t.p.n_nodes, 5);
	p = collapse_without_lines(&t.p);
	assert_string_equal(text_of(p, &text), "main:4:7 f:3:3");
	f = frames_get(p->frames, p->nodes[1].frame);
	assert_int_equal(f->at_line, 0);
	assert_int_equal(f->line, 0);
	assert_int_equal(f->file, 0);
	assert_int_equal(f->flags, 0);
	profile_free(p);
	buf_release(&text);
	test_profile_release(&t);
}

static void the_number_of_logs_changes_nothing(void **state)
{
	struct buf one = { 0 }, three = { 0 };
	unsigned logs, i, k;

	(void)state;
	for (logs = 1; logs <= 3; logs += 2) {
		struct world w;
		struct profile *p;
		uint64_t rng = 7, entries[8];

		world_init(&w, logs);
		for (i = 0; i < 2000; i++) {
			uint32_t n = 1 + i % 8;

			for (k = 0; k < n; k++) {
				rng = rng * 6364136223846793005u + 1;
				entries[k] = (rng >> 40) % 4 * 51;
			}
			add(&w, i % logs, "x", i, entries, n);
		}
		p = finish(&w, (struct collapse_opts){ 0 });
		text_of(p, logs == 1 ? &one : &three);
		profile_free(p);
		world_release(&w);
	}
	assert_string_equal(one.p, three.p);
	buf_release(&one);
	buf_release(&three);
}

static void logs_of_many_stacks_lose_them_and_keep_their_counts(void **state)
{
	uint64_t *before, *after;
	struct profile *p;
	struct world w;
	unsigned i;

	(void)state;
	world_init(&w, 2);
	for (i = 0; i < 70000; i++)
		add(&w, i % 2, "node", 10, (uint64_t[]){ i / 2000, i / 50 % 40, i % 50 }, 3);
	stacklog_flush(w.recording->logs[0]);
	stacklog_flush(w.recording->logs[1]);
	before = site_use_count(w.recording);
	p = finish(&w, (struct collapse_opts){ 0 });
	assert_int_equal(p->nodes[0].total, 700000);
	assert_int_equal(stacklog_count(w.recording->logs[0]), 0);
	assert_int_equal(stacklog_count(w.recording->logs[1]), 0);
	after = site_use_count(w.recording);
	assert_memory_equal(after, before, sites_count(w.recording->sites) * sizeof(*after));
	free(before);
	free(after);
	profile_free(p);
	world_release(&w);
}

static void small_subtrees_become_weight_of_their_caller(void **state)
{
	static const uint64_t a[] = { 1, 2 }, b[] = { 1, 3 }, c[] = { 1, 3, 4 };
	struct world w;
	struct buf text = { 0 };
	struct profile *p;

	(void)state;
	world_init(&w, 1);
	add(&w, 0, "x", 96, a, 2);
	add(&w, 0, "x", 2, b, 2);
	add(&w, 0, "x", 2, c, 3);
	p = finish(&w, (struct collapse_opts){ .min_percent = 4 });
	assert_string_equal(text_of(p, &text), "x:0:100 f1:0:100 f2:96:96 f3:4:4");
	profile_free(p);
	p = finish(&w, (struct collapse_opts){ .min_percent = 4.5 });
	assert_string_equal(text_of(p, &text), "x:0:100 f1:4:100 f2:96:96");
	profile_free(p);
	p = finish(&w, (struct collapse_opts){ .max_depth = 1, .full_names = true });
	assert_string_equal(text_of(p, &text), "x:0:100 f1(int):100:100");
	profile_free(p);
	buf_release(&text);
	world_release(&w);
}

static void expect_rows(bool sorts_later)
{
	static const uint64_t a[] = { 1, 2 }, b[] = { 1, 102 };
	struct world w;
	struct profile *p, *by_name;
	struct timeline *t = timeline_new();
	unsigned i;

	world_init(&w, 1);
	w.recording->timelines = calloc(1, sizeof(struct timeline *));
	w.recording->timelines[0] = t;
	for (i = 0; i < 4; i++) {
		struct timeline_row row = { .time_ns = 100 - i,
			.weight = i + 1,
			.thread = timeline_thread(t, 1, i == 3 ? 9 : 1, 0, 0),
			.stack = i % 2 };

		timeline_add(t, &row);
	}
	add(&w, 0, "x", 4, a, 2);
	add(&w, 0, "x", 6, b, 2);
	p = finish(&w, (struct collapse_opts){ .timeline = true, .sorts_later = sorts_later });
	assert_int_equal(p->n_rows, 4);
	if (sorts_later) {
		assert_int_equal(p->rows[0].time_ns, 100);
		collapse_sort_rows(p);
	}
	assert_int_equal(p->n_threads, 2);
	assert_int_equal(p->threads[0].tid, 1); /* weight 6; the other 4 */
	assert_int_equal(p->threads[0].n_rows, 3);
	for (i = 0; i < 3; i++)
		assert_int_equal(p->rows[i].time_ns, 98 + i);
	assert_int_equal(p->rows[0].stack, p->rows[2].stack);
	assert_int_not_equal(p->rows[0].stack, p->rows[1].stack);
	by_name = collapse_by_name(p, true);
	assert_int_equal(by_name->rows[0].stack, by_name->rows[1].stack);
	profile_free(p);
	profile_free(by_name);
	world_release(&w);
}

static void rows_point_at_the_nodes_of_their_stacks(void **state)
{
	(void)state;
	expect_rows(false);
	expect_rows(true);
}

static void expect_function(const struct profile *p, node_id node, unsigned number)
{
	struct buf name = { 0 }, expected = { 0 };

	profile_put_name(p, p->nodes[node].frame, &name);
	buf_printf(&expected, "f%u", number);
	assert_string_equal(buf_str(&name), buf_str(&expected));
	buf_release(&name);
	buf_release(&expected);
}

static void add_timeline(struct world *w, unsigned log, uint32_t n_stacks)
{
	struct timeline *t = w->recording->timelines[log] = timeline_new();
	uint32_t i;

	for (i = 0; i < n_stacks; i++) {
		struct timeline_row row = { .time_ns = 1 + i,
			.weight = 1,
			.thread = timeline_thread(t, 1, 1, 0, 0),
			.stack = i };

		timeline_add(t, &row);
	}
}

/* Whoever has none left replays parts of the other log. */
static void rows_of_a_long_log_do_too(void **state)
{
	enum { STACKS = 20000 };
	struct world w;
	struct profile *p;
	uint64_t i;

	(void)state;
	world_init(&w, 2);
	w.recording->timelines = calloc(2, sizeof(struct timeline *));
	add_timeline(&w, 0, STACKS);
	add_timeline(&w, 1, 0);
	for (i = 0; i < STACKS; i++)
		add(&w, 0, "long", 1, (uint64_t[]){ i % 50, 50 + i / 50 % 50, i / 2500 }, 3);
	add(&w, 1, "short", 1, (uint64_t[]){ 1, 2 }, 2);
	p = finish(&w, (struct collapse_opts){ .timeline = true });
	assert_int_equal(p->n_rows, STACKS);
	for (i = 0; i < STACKS; i++) {
		node_id node = p->rows[i].stack;

		assert_int_equal(p->rows[i].time_ns, 1 + i);
		expect_function(p, node, i / 2500);
		expect_function(p, p->nodes[node].parent, 50 + i / 50 % 50);
	}
	profile_free(p);
	world_release(&w);
}

/* 20,000 different stacks in the first log; in the last log one more. */
static const char *text_of_long_log(unsigned n_logs, struct buf *b)
{
	struct world w;
	struct profile *p;
	uint64_t i;

	world_init(&w, n_logs);
	for (i = 0; i < 20000; i++)
		add(&w, 0, "long", 1 + i % 7, (uint64_t[]){ i % 50, i / 50 % 50, i / 2500 }, 3);
	add(&w, n_logs - 1, "short", 1, (uint64_t[]){ 1, 2 }, 2);
	p = finish(&w, (struct collapse_opts){ 0 });
	text_of(p, b);
	profile_free(p);
	world_release(&w);
	return buf_str(b);
}

static void workers_share_a_log_that_is_longer_than_the_others(void **state)
{
	struct buf alone = { 0 }, shared = { 0 };
	unsigned i;

	(void)state;
	text_of_long_log(1, &alone);
	for (i = 0; i < 5; i++)
		assert_string_equal(text_of_long_log(2, &shared), buf_str(&alone));
	buf_release(&alone);
	buf_release(&shared);
}

/* Cells */

static void add_of(struct world *w, unsigned log, struct root key, uint64_t weight,
	const uint64_t *entries, uint32_t n)
{
	struct stacklog_sample s = { .root = roots_add(w->recording->roots, &key),
		.weight = weight,
		.n = n,
		.entries = entries };

	stacklog_add(w->recording->logs[log], &s);
}

static void put_key(const struct profile *p, const struct profile_key *k, struct buf *b)
{
	struct label_list l = { 0 };
	size_t i;

	buf_printf(b, "%s %s %d/%d %s in %s of %u", strtab_str(p->strings, k->root.process),
		strtab_str(p->strings, k->root.comm), k->root.pid, k->root.tid,
		strtab_str(p->strings, k->root.event), strtab_str(p->strings, k->unit),
		(unsigned)k->period);
	label_list_unpack(&l, strtab_get(p->strings, k->labels));
	for (i = 0; i < l.n; i++)
		buf_printf(b, " %s=%s", l.at[i].key, l.at[i].value);
	label_list_release(&l);
}

/* "FRAME SAMPLESxWEIGHT of KEY" */
static const char *text_of_cells(const struct profile *p, struct buf *b)
{
	size_t i;

	b->n = 0;
	for (i = 0; i < p->n_cells; i++) {
		const struct profile_cell *c = &p->cells[i];

		profile_put_name(p, p->nodes[c->stack].frame, b);
		buf_printf(b, " %ux%u of ", (unsigned)c->samples, (unsigned)c->weight);
		put_key(p, &p->keys[c->key], b);
		buf_putc(b, '\n');
	}
	return buf_str(b);
}

static void describe_recording(struct world *w)
{
	struct recording *r = w->recording;
	struct event events[] = { { .chosen = true, .samples = 9, .time_ns_unit = true },
		{ .chosen = true, .samples = 9, .period = 1000 } };

	events[0].name = strtab_add_str(w->strings, "cpu-clock");
	events[0].frequency_hz = 1000;
	events[1].name = strtab_add_str(w->strings, "cycles:u");
	r->events = xmemdup(events, sizeof(events));
	r->n_events = 2;
	r->facts.host = strtab_add_str(w->strings, "a1");
	r->facts.wall_ns = 5000001999;
	r->facts.first_time_ns = 7000;
	r->facts.last_time_ns = 19999;
	r->facts.fingerprint = strtab_add_str(w->strings, "ff00");
	label_list_set(&r->labels, SPAN("service"), SPAN("web"));
	label_list_set(&r->labels, SPAN("host"), SPAN("b2"));
}

/* The cells of a recording with so many logs. */
static struct profile *make_cells(struct world *w, unsigned n_logs, struct collapse_opts o)
{
	static const uint64_t a[] = { 1, 2 }, b[] = { 1, 3 };
	struct root key = { .pid = 7, .tid = 8, .cpu = -1 };

	world_init(w, n_logs);
	describe_recording(w);
	key.process = strtab_add_str(w->strings, "node");
	key.comm = strtab_add_str(w->strings, "pool");
	key.event = w->recording->events[1].name;
	add_of(w, n_logs - 1, key, 4000, b, 2);
	key.event = w->recording->events[0].name;
	add_of(w, 0, key, 10, a, 2);
	add_of(w, n_logs / 2, key, 20, a, 2);
	key.tid = 9;
	add_of(w, n_logs / 2, key, 1, b, 2);
	o.cells = true;
	return finish(w, o);
}

#define FACTS " duration_us=12 host=b2 recording=ff00 service=web time_us=5000001\n"

static void cells_count_stacks_by_thread_and_event(void **state)
{
	struct buf text = { 0 };
	unsigned logs;

	(void)state;
	for (logs = 1; logs <= 3; logs++) {
		struct world w;
		struct profile *p = make_cells(&w, logs, (struct collapse_opts){ 0 });

		assert_string_equal(text_of_cells(p, &text),
			"f2 2x30 of node pool 7/8 cpu-clock in nanoseconds of 1000000" FACTS
			"f3 1x4000 of node pool 7/8 cycles:u in cycles of 1000" FACTS
			"f3 1x1 of node pool 7/9 cpu-clock in nanoseconds of 1000000" FACTS);
		profile_free(p);
		world_release(&w);
	}
	buf_release(&text);
}

static void cells_follow_their_nodes(void **state)
{
	struct buf text = { 0 };
	struct world w;
	struct profile *p = make_cells(
		&w, 2, (struct collapse_opts){ .min_percent = 1, .weight_by_samples = true });
	struct profile *again = collapse_without_lines(p);
	size_t i;

	(void)state;
	assert_int_equal(p->n_cells, 3);
	assert_string_equal(text_of_cells(again, &text),
		"f2 2x2 of node pool 7/8 cpu-clock in samples of 1" FACTS
		"f3 1x1 of node pool 7/8 cycles:u in samples of 1" FACTS
		"f3 1x1 of node pool 7/9 cpu-clock in samples of 1" FACTS);
	profile_free(again);
	profile_free(p);
	world_release(&w);
	p = make_cells(&w, 2, (struct collapse_opts){ .min_percent = 1 });
	for (i = 0; i < p->n_cells; i++)
		assert_true(p->cells[i].stack < p->n_nodes);
	assert_string_equal(text_of_cells(p, &text),
		"f1 2x30 of node pool 7/8 cpu-clock in nanoseconds of 1000000" FACTS
		"f3 1x4000 of node pool 7/8 cycles:u in cycles of 1000" FACTS
		"f3 1x1 of node pool 7/9 cpu-clock in nanoseconds of 1000000" FACTS);
	profile_free(p);
	world_release(&w);
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(workers_share_a_log_that_is_longer_than_the_others),
		cmocka_unit_test(a_caller_of_many_functions_finds_each_again),
		cmocka_unit_test(stacks_become_a_tree_in_the_order_of_names),
		cmocka_unit_test(a_stack_like_the_one_before_has_its_own_root_and_depth),
		cmocka_unit_test(by_name_merges_functions_of_two_modules),
		cmocka_unit_test(a_profile_without_addresses_still_has_its_lines),
		cmocka_unit_test(without_lines_a_profile_is_as_if_none_had_been_looked_up),
		cmocka_unit_test(the_number_of_logs_changes_nothing),
		cmocka_unit_test(logs_of_many_stacks_lose_them_and_keep_their_counts),
		cmocka_unit_test(small_subtrees_become_weight_of_their_caller),
		cmocka_unit_test(rows_point_at_the_nodes_of_their_stacks),
		cmocka_unit_test(rows_of_a_long_log_do_too),
		cmocka_unit_test(cells_count_stacks_by_thread_and_event),
		cmocka_unit_test(cells_follow_their_nodes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
