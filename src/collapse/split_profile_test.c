#include "collapse/collapse.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>
#include <cmocka.h>

/* The tree a(b c) d, and rows of three threads in two processes, two inputs and two events. */
struct fixture {
	struct strtab *strings;
	struct frames *frames;
	struct recording *recordings[2];
	struct profile p;
	struct split_profile *parts;
};

static void add_input(struct fixture *x, unsigned i)
{
	struct recording *r = recording_new("x", x->strings, x->frames);

	r->n_events = 2;
	r->events = xcalloc(2, sizeof(*r->events));
	r->events[i].name = strtab_add_str(x->strings, "cycles");
	r->events[!i].name = strtab_add_str(x->strings, "faults");
	x->recordings[i] = r;
}

static void add_node(struct fixture *x, node_id at, const char *name, node_id parent)
{
	struct frame f = { .name = strtab_add_str(x->strings, name), .kind = FRAME_USER };

	x->p.nodes[at] = (struct node){ .parent = parent,
		.depth = at ? x->p.nodes[parent].depth + 1 : 0,
		.frame = at ? frames_add(x->frames, &f) : 0 };
}

static int setup(void **state)
{
	static const struct timeline_row rows[] = {
		{ 1000, 5, 0, 2, 0, 0, 0 }, /* time, weight, thread, stack, event, wait, cpu */
		{ 2000, 6, 0, 3, 1, 0, 1 },
		{ 2500, 7, 0, 2, 0, 0, 0 },
		{ 1500, 4, 1, 1, 0, 0, 1 },
		{ 900, 3, 2, 4, 1, 0, -1 },
	};
	struct fixture *x = xcalloc(1, sizeof(*x));

	x->strings = strtab_new();
	x->frames = frames_new(x->strings);
	add_input(x, 0);
	add_input(x, 1);
	x->p.strings = x->strings;
	x->p.frames = x->frames;
	x->p.n_nodes = 5;
	x->p.nodes = xcalloc(5, sizeof(*x->p.nodes));
	add_node(x, 0, "", 0);
	add_node(x, 1, "a", 0);
	add_node(x, 2, "b", 1);
	add_node(x, 3, "c", 1);
	add_node(x, 4, "d", 0);
	x->p.rows = xmemdup(rows, sizeof(rows));
	x->p.n_rows = ARRAY_LEN(rows);
	x->p.n_threads = 3;
	x->p.threads = xcalloc(3, sizeof(*x->p.threads));
	x->p.threads[0] = (struct profile_thread){ .pid = 7, .tid = 8, .n_rows = 3 };
	x->p.threads[1] =
		(struct profile_thread){ .pid = 7, .tid = 7, .first_row = 3, .n_rows = 1 };
	x->p.threads[2] = (struct profile_thread){
		.pid = 7, .tid = 7, .recording = 1, .first_row = 4, .n_rows = 1
	};
	x->p.threads[0].name = strtab_add_str(x->strings, "worker");
	x->p.threads[1].name = strtab_add_str(x->strings, "main");
	x->p.threads[2].name = strtab_add_str(x->strings, "other");
	x->p.threads[0].group = strtab_add_str(x->strings, "/web");
	x->p.threads[1].group = x->p.threads[0].group;
	x->p.threads[2].group = strtab_add_str(x->strings, "/db");
	*state = x;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *x = *state;

	split_profile_free(x->parts);
	recording_free(x->recordings[0]);
	recording_free(x->recordings[1]);
	free(x->p.nodes);
	free(x->p.rows);
	free(x->p.threads);
	frames_free(x->frames);
	strtab_free(x->strings);
	free(x);
	return 0;
}

static void split_by(struct fixture *x, enum split_by by, uint64_t width_ns)
{
	struct split split = { .by = by, .width_ns = width_ns };

	x->parts = split_profile_new(&x->p, &split, x->recordings);
}

/* The nodes of a part as "name:self/total ", those below first. */
static void check_tree(struct fixture *x, uint32_t part, const char *expected)
{
	struct profile *p = split_profile_get(x->parts, part);
	struct buf b = { 0 };
	node_id i;

	for (i = 0; i < p->n_nodes; i++) {
		const struct node *n = &p->nodes[i];

		assert_true(!i || n->parent < i);
		assert_true(i + n->subtree <= p->n_nodes);
		buf_put_span(&b, i ? frames_name(x->frames, n->frame) : SPAN("all"));
		buf_printf(&b, ":%u/%u ", (unsigned)n->self, (unsigned)n->total);
	}
	assert_string_equal(buf_str(&b), expected);
	for (i = 0; i < p->n_rows; i++)
		assert_true(p->rows[i].stack < p->n_nodes && p->rows[i].thread < p->n_threads);
	buf_release(&b);
	profile_free(p);
}

static void check_name(struct fixture *x, uint32_t part, const char *name, int pid, int tid)
{
	struct profile_part n = split_profile_name(x->parts, part);

	assert_string_equal(strtab_str(x->strings, n.name), name);
	assert_int_equal(n.pid, pid);
	assert_int_equal(n.tid, tid);
}

static void a_thread_has_its_own_tree(void **state)
{
	struct fixture *x = *state;

	split_by(x, SPLIT_THREAD, 0);
	assert_int_equal(split_profile_count(x->parts), 3);
	check_tree(x, 0, "all:0/18 a:0/18 b:12/12 c:6/6 ");
	check_tree(x, 1, "all:0/4 a:4/4 ");
	check_tree(x, 2, "all:0/3 d:3/3 ");
	check_tree(x, 0, "all:0/18 a:0/18 b:12/12 c:6/6 "); /* again */
	check_name(x, 0, "worker", 7, 8);
}

static void processes_of_two_inputs_are_two(void **state)
{
	struct fixture *x = *state;

	split_by(x, SPLIT_PROCESS, 0);
	assert_int_equal(split_profile_count(x->parts), 2);
	check_tree(x, 0, "all:0/22 a:4/22 b:12/12 c:6/6 ");
	check_tree(x, 1, "all:0/3 d:3/3 ");
	check_name(x, 0, "main", 7, -1);
	check_name(x, 1, "other", 7, -1);
}

static void an_event_of_two_inputs_is_one(void **state)
{
	struct fixture *x = *state;

	split_by(x, SPLIT_EVENT, 0);
	assert_int_equal(split_profile_count(x->parts), 2);
	check_tree(x, 0, "all:0/19 a:4/16 b:12/12 d:3/3 "); /* cycles */
	check_tree(x, 1, "all:0/6 a:0/6 c:6/6 ");
	assert_string_equal(
		strtab_str(x->strings, split_profile_name(x->parts, 1).event), "faults");
}

static void cpus_are_sorted_by_number(void **state)
{
	struct fixture *x = *state;

	split_by(x, SPLIT_CPU, 0);
	assert_int_equal(split_profile_count(x->parts), 3);
	assert_int_equal(split_profile_name(x->parts, 0).cpu, -1);
	check_tree(x, 0, "all:0/3 d:3/3 ");
	check_tree(x, 1, "all:0/12 a:0/12 b:12/12 ");
	check_tree(x, 2, "all:0/10 a:4/10 c:6/6 ");
	assert_int_equal(split_profile_name(x->parts, 2).cpu, 1);
}

static void cgroups_are_sorted_by_name(void **state)
{
	struct fixture *x = *state;

	split_by(x, SPLIT_CGROUP, 0);
	assert_int_equal(split_profile_count(x->parts), 2);
	check_tree(x, 0, "all:0/3 d:3/3 ");
	check_tree(x, 1, "all:0/22 a:4/22 b:12/12 c:6/6 ");
	check_name(x, 0, "/db", -1, -1);
	check_name(x, 1, "/web", -1, -1);
}

static void time_is_split_from_the_first_sample_on(void **state)
{
	struct fixture *x = *state;

	split_by(x, SPLIT_TIME, 1000);
	assert_int_equal(split_profile_count(x->parts), 2);
	check_tree(x, 0, "all:0/12 a:4/9 b:5/5 d:3/3 "); /* from 900 */
	check_tree(x, 1, "all:0/13 a:0/13 b:7/7 c:6/6 ");
}

static void the_busiest_thread_of_a_part_comes_first(void **state)
{
	struct fixture *x = *state;
	struct profile *p;

	x->p.rows[4].weight = 100;
	split_by(x, SPLIT_TIME, 1000);
	p = split_profile_get(x->parts, 0);
	assert_int_equal(p->n_threads, 3);
	assert_int_equal(p->threads[0].weight, 100);
	assert_int_equal(p->rows[0].weight, 100);
	profile_free(p);
}

/* Quadratic, it would take a minute. */
static void two_hundred_thousand_processes_are_cheap(void **state)
{
	enum { N = 200000 };
	struct fixture *x = *state;
	clock_t start = clock();
	uint32_t i;

	x->p.threads = xreallocarray(x->p.threads, N, sizeof(*x->p.threads));
	for (i = 3; i < N; i++)
		x->p.threads[i] = (struct profile_thread){ .pid = (int32_t)i + 8 };
	x->p.n_threads = N;
	split_by(x, SPLIT_PROCESS, 0);
	assert_int_equal(split_profile_count(x->parts), 2);
	check_name(x, 0, "main", 7, -1);
	assert_true(clock() - start < 10 * CLOCKS_PER_SEC);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_thread_has_its_own_tree),
		TEST(processes_of_two_inputs_are_two),
		TEST(an_event_of_two_inputs_is_one),
		TEST(cpus_are_sorted_by_number),
		TEST(cgroups_are_sorted_by_name),
		TEST(time_is_split_from_the_first_sample_on),
		TEST(the_busiest_thread_of_a_part_comes_first),
		TEST(two_hundred_thousand_processes_are_cheap),
	};

	return cmocka_run_group_tests_name("parts", tests, NULL, NULL);
}
