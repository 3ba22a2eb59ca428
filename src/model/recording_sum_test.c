#include "model/recording_sum.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
	struct strtab *strings[3]; /* the last is that of the whole */
	struct frames *frames[3];
	struct recording *in[2], *whole;
	struct recording_sum joined;
};

static struct recording *new_recording(struct fixture *x, int i)
{
	x->strings[i] = strtab_new();
	strtab_add_str(x->strings[i], i ? "shifts" : "the"); /* numbers differ */
	if (i)
		strtab_add_str(x->strings[i], "numbers");
	x->frames[i] = frames_new(x->strings[i]);
	return recording_new("x", x->strings[i], x->frames[i]);
}

static void add_event(struct recording *r, const char *name, uint64_t samples, bool chosen)
{
	r->events = xreallocarray(r->events, r->n_events + 1, sizeof(*r->events));
	r->events[r->n_events++] = (struct event){
		.name = strtab_add_str(r->strings, name), .samples = samples, .chosen = chosen
	};
}

static int setup(void **state)
{
	struct fixture *x = xcalloc(1, sizeof(*x));

	x->in[0] = new_recording(x, 0);
	x->in[1] = new_recording(x, 1);
	x->whole = new_recording(x, 2);
	x->joined = (struct recording_sum){ .whole = x->whole };
	*state = x;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *x = *state;
	int i;

	recording_free(x->in[0]);
	recording_free(x->in[1]);
	recording_free(x->whole);
	for (i = 0; i < 3; i++) {
		frames_free(x->frames[i]);
		strtab_free(x->strings[i]);
	}
	free(x);
	return 0;
}

static void join(struct fixture *x, int first)
{
	struct frame_account account = { .frames = 3,
		.why = { [WHY_HAS_NAME] = 2, [WHY_NO_FILE] = 1 } };

	recording_sum_add(&x->joined, x->in[first], &account);
	recording_sum_add(&x->joined, x->in[!first], &account);
}

static void counts_add_up(void **state)
{
	struct fixture *x = *state;
	struct frame_account account = { 0 };

	x->in[0]->samples_read = 5;
	x->in[1]->samples_read = UINT64_MAX;
	x->in[0]->samples_kept = 4;
	x->in[1]->samples_kept = 3;
	diag_count(&x->in[1]->diag, DIAG_LOST, 9);
	join(x, 0);
	assert_true(x->whole->samples_read == UINT64_MAX);
	assert_int_equal(x->whole->samples_kept, 7);
	assert_int_equal(x->whole->diag.count[DIAG_LOST], 1);
	frame_account_add(&account, x->whole);
	assert_int_equal(account.frames, 6);
	assert_int_equal(account.why[WHY_HAS_NAME], 4);
	assert_int_equal(account.why[WHY_NO_FILE], 2);
}

static void events_are_joined_by_name_and_in_its_order(void **state)
{
	struct fixture *x = *state;

	add_event(x->in[0], "faults", 2, false);
	add_event(x->in[0], "cycles", 5, true);
	add_event(x->in[1], "cycles", 3, true);
	join(x, 1);
	assert_int_equal(x->whole->n_events, 2);
	assert_string_equal(strtab_str(x->strings[2], x->whole->events[0].name), "cycles");
	assert_int_equal(x->whole->events[0].samples, 8);
	assert_true(x->whole->events[0].chosen);
	assert_int_equal(x->whole->events[1].samples, 2);
	assert_false(x->whole->events[1].chosen);
}

static void durations_add_up_and_the_time_is_the_earliest(void **state)
{
	struct fixture *x = *state;

	x->in[0]->facts.first_time_ns = 1000;
	x->in[0]->facts.last_time_ns = 1500;
	x->in[0]->facts.wall_ns = 90;
	x->in[1]->facts.first_time_ns = 7;
	x->in[1]->facts.last_time_ns = 107;
	x->in[1]->facts.wall_ns = 80;
	join(x, 0);
	assert_int_equal(x->whole->facts.last_time_ns - x->whole->facts.first_time_ns, 600);
	assert_int_equal(x->whole->facts.wall_ns, 80);
}

static void no_times_stay_none(void **state)
{
	struct fixture *x = *state;

	join(x, 0);
	assert_true(x->whole->facts.first_time_ns > x->whole->facts.last_time_ns);
	assert_int_equal(x->whole->facts.wall_ns, 0);
}

static void facts_that_differ_are_dropped(void **state)
{
	struct fixture *x = *state;
	int i;

	for (i = 0; i < 2; i++) {
		struct recording_facts *f = &x->in[i]->facts;

		f->arch = strtab_add_str(x->strings[i], "x86_64");
		f->host = strtab_add_str(x->strings[i], i ? "b" : "a");
		f->n_cpus = i ? 8 : 0;
	}
	join(x, 0);
	assert_string_equal(strtab_str(x->strings[2], x->whole->facts.arch), "x86_64");
	assert_int_equal(x->whole->facts.host, 0);
	assert_int_equal(x->whole->facts.n_cpus, 0);
}

/* A recording with a module, and one frame in it; id 0: its build-id is not known. */
static void add_module(struct fixture *x, int i, const char *shown, uint8_t id)
{
	struct strtab *strings = x->strings[i];
	struct module m = { .kind = MODULE_FILE, .shown = strtab_add_str(strings, shown) };
	struct frame f = { .name = strtab_add_str(strings, "main"), .module = m.shown };
	struct node nodes[2] = { { 0 }, { .frame = frames_add(x->frames[i], &f) } };
	struct profile p = {
		.frames = x->frames[i], .strings = strings, .nodes = nodes, .n_nodes = 2
	};

	if (id)
		m.build_id = (struct build_id){ 2, { 0xab, id } };
	modules_add(x->in[i]->modules, &m);
	m.shown = strtab_add_str(strings, "unused");
	modules_add(x->in[i]->modules, &m);
	recording_sum_add_modules(&x->joined, x->in[i], &p);
}

/* How many build-ids a name has in the sum. */
static uint32_t count_build_ids(const struct fixture *x, const char *shown)
{
	uint32_t n = 0;
	module_id i;

	for (i = 1; i < modules_count(x->whole->modules); i++)
		n += strcmp(strtab_str(x->strings[2], modules_get(x->whole->modules, i)->shown),
			     shown) == 0;
	return n;
}

static void build_ids_are_kept_by_shown_name(void **state)
{
	struct fixture *x = *state;

	add_module(x, 0, "libc.so.6", 1);
	add_module(x, 1, "libc.so.6", 1);
	assert_int_equal(count_build_ids(x, "libc.so.6"), 1);
	assert_int_equal(count_build_ids(x, "unused"), 0);
	assert_int_equal(modules_get(x->whole->modules, 1)->build_id.byte[1], 1);
	add_module(x, 1, "node", 2);
	add_module(x, 0, "node", 3);
	assert_int_equal(count_build_ids(x, "node"), 2);
	add_module(x, 1, "java", 0);
	add_module(x, 0, "java", 3);
	assert_int_equal(count_build_ids(x, "java"), 2);
}

static void two_builds_in_one_recording_are_none(void **state)
{
	struct fixture *x = *state;

	add_module(x, 0, "node", 2);
	assert_int_equal(count_build_ids(x, "node"), 1);
	add_module(x, 0, "node", 3);
	assert_int_equal(count_build_ids(x, "node"), 2);
	assert_int_equal(modules_get(x->whole->modules, 2)->build_id.n, 0);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(counts_add_up),
		TEST(events_are_joined_by_name_and_in_its_order),
		TEST(durations_add_up_and_the_time_is_the_earliest),
		TEST(no_times_stay_none),
		TEST(facts_that_differ_are_dropped),
		cmocka_unit_test_setup_teardown(build_ids_are_kept_by_shown_name, setup, teardown),
		cmocka_unit_test_setup_teardown(
			two_builds_in_one_recording_are_none, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
