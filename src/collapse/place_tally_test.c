#include "collapse/place_tally.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

struct bench {
	struct strtab *strings;
	struct frames *frames;
	struct collapse_opts opts;
	struct place_map map; /* empty: frames are looked up as they come */
	struct naming naming;
	struct place_tally tally[2];
};

static void bench_init(struct bench *b)
{
	b->strings = strtab_new();
	b->frames = frames_new(b->strings);
	b->opts = (struct collapse_opts){ 0 };
	b->map = (struct place_map){ 0 };
	naming_init(&b->naming, b->frames, 0, &b->opts);
	place_tally_init(&b->tally[0], b->frames, &b->map);
	place_tally_init(&b->tally[1], b->frames, &b->map);
}

static void bench_release(struct bench *b)
{
	place_tally_release(&b->tally[0]);
	place_tally_release(&b->tally[1]);
	naming_release(&b->naming);
	frames_free(b->frames);
	strtab_free(b->strings);
}

/* A function of a.c, declared in line 1, that ran at a line and at an address. */
static frame_id at(struct bench *b, const char *name, uint32_t line, uint64_t address, int flags)
{
	struct frame f = { .name = strtab_add_str(b->strings, name),
		.module = strtab_add_str(b->strings, "/bin/a"),
		.file = strtab_add_str(b->strings, "a.c"),
		.line = 1,
		.at_line = line,
		.at_address = address,
		.kind = FRAME_USER,
		.flags = (uint8_t)(FRAME_DECLARED | flags) };

	return frames_add(b->frames, &f);
}

static void add_of(struct bench *b, unsigned worker, const frame_id *frames, uint32_t n,
	uint64_t weight, bool java)
{
	const struct place_stack stack = { frames, n, java, weight, weight / 10 };

	place_tally_add(&b->tally[worker], &b->naming, &stack);
}

/* A sample for each 10 of the weight. */
static void add(
	struct bench *b, unsigned worker, const frame_id *frames, uint32_t n, uint64_t weight)
{
	add_of(b, worker, frames, n, weight, false);
}

static frame_id shown_of(struct bench *b, frame_id frame, bool java)
{
	return place_tally_shown(&b->tally[0], &b->naming, frame, java);
}

/* The function of a place has its name, and no tier. */
static void assert_function_of(const struct bench *b, frame_id function, frame_id place)
{
	const struct frame *f = frames_get(b->frames, function), *p = frames_get(b->frames, place);

	assert_int_equal(f->name, p->name);
	assert_int_equal(f->module, p->module);
	assert_int_equal(f->tier, 0);
	assert_int_equal(f->at_address, 0);
	assert_int_equal(f->at_line, 0);
	assert_int_equal(f->line, 0);
}

static void expect(const struct bench *b, const struct place_cost *cost, uint32_t n,
	const char *name, uint32_t line, uint64_t address, uint64_t self, uint64_t total)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		const struct frame *f = frames_get(b->frames, cost[i].place);

		if (f->at_line != line || f->at_address != address ||
			!span_eq(strtab_get(b->strings, f->name), span_of(name)))
			continue;
		assert_function_of(b, cost[i].function, cost[i].place);
		assert_int_equal(cost[i].self, self);
		assert_int_equal(cost[i].total, total);
		assert_int_equal(cost[i].self_samples, self / 10);
		assert_int_equal(cost[i].total_samples, total / 10);
		return;
	}
	fail_msg("%s has no costs at line %u, address %u", name, line, (unsigned)address);
}

static struct place_costs finish(struct bench *b)
{
	return place_tally_finish(b->tally, 2);
}

static void a_line_that_is_in_a_stack_twice_counts_once(void **state)
{
	struct bench b;
	struct place_costs c;
	frame_id stack[4];

	(void)state;
	bench_init(&b);
	stack[0] = at(&b, "main", 3, 0x10, 0);
	stack[1] = at(&b, "f", 7, 0x21, 0);
	stack[2] = at(&b, "f", 7, 0x25, 0); /* another call of the same line */
	stack[3] = at(&b, "f", 8, 0x29, 0);
	add(&b, 0, stack, 4, 100);
	add(&b, 1, stack, 3, 20);
	c = finish(&b);
	assert_int_equal(c.n_lines, 3);
	assert_int_equal(c.n_instructions, 4);
	expect(&b, c.line, c.n_lines, "main", 3, 0, 0, 120);
	expect(&b, c.line, c.n_lines, "f", 7, 0, 20, 120);
	expect(&b, c.line, c.n_lines, "f", 8, 0, 100, 100);
	expect(&b, c.instruction, c.n_instructions, "main", 3, 0x10, 0, 120);
	expect(&b, c.instruction, c.n_instructions, "f", 7, 0x21, 0, 120);
	expect(&b, c.instruction, c.n_instructions, "f", 7, 0x25, 20, 120);
	expect(&b, c.instruction, c.n_instructions, "f", 8, 0x29, 100, 100);
	place_costs_release(&c);
	bench_release(&b);
}

static void inlined_code_has_lines_of_its_own_in_instructions_of_its_caller(void **state)
{
	struct bench b;
	struct place_costs c;
	frame_id stack[3];

	(void)state;
	bench_init(&b);
	stack[0] = at(&b, "main", 3, 0x10, 0);
	stack[1] = at(&b, "g", 5, 0, FRAME_INLINED);
	stack[2] = at(&b, "h", 9, 0, FRAME_INLINED);
	add(&b, 0, stack, 3, 50);
	stack[1] = at(&b, "h", 9, 0x30, 0); /* called here */
	add(&b, 0, stack, 2, 10);
	c = finish(&b);
	assert_int_equal(c.n_lines, 3);
	expect(&b, c.line, c.n_lines, "main", 3, 0, 0, 60);
	expect(&b, c.line, c.n_lines, "g", 5, 0, 0, 50);
	expect(&b, c.line, c.n_lines, "h", 9, 0, 60, 60);
	assert_int_equal(c.n_instructions, 2);
	expect(&b, c.instruction, c.n_instructions, "main", 3, 0x10, 50, 60);
	expect(&b, c.instruction, c.n_instructions, "h", 9, 0x30, 10, 10);
	place_costs_release(&c);
	bench_release(&b);
}

static void expect_call(const struct bench *b, const struct place_costs *c, uint32_t line,
	const char *callee, uint64_t total)
{
	uint32_t i;

	for (i = 0; i < c->n_calls; i++) {
		const struct frame *to = frames_get(b->frames, c->call[i].callee);

		if (frames_get(b->frames, c->call[i].line)->at_line != line ||
			!span_eq(strtab_get(b->strings, to->name), span_of(callee)))
			continue;
		assert_function_of(b, c->call[i].caller, c->call[i].line);
		assert_int_equal(c->call[i].total, total);
		assert_int_equal(c->call[i].total_samples, total / 10);
		assert_int_equal(to->at_line, 0);
		return;
	}
	fail_msg("line %u does not call %s", line, callee);
}

static void calls_are_of_a_line_and_count_once(void **state)
{
	struct bench b;
	struct place_costs c;
	frame_id stack[4];

	(void)state;
	bench_init(&b);
	stack[0] = at(&b, "main", 3, 0x10, 0);
	stack[1] = at(&b, "f", 7, 0x21, 0);
	stack[2] = at(&b, "f", 7, 0x25, 0);
	stack[3] = at(&b, "f", 8, 0x29, 0);
	add(&b, 0, stack, 4, 100); /* line 7 calls f twice */
	stack[3] = at(&b, "g", 9, 0, FRAME_INLINED);
	add(&b, 0, stack, 4, 10);
	add(&b, 1, stack, 4, 30);
	add(&b, 0, stack, 1, 40);
	stack[1] = stack[3];
	add(&b, 0, stack, 2, 50);
	c = finish(&b);
	assert_int_equal(c.n_calls, 4);
	expect_call(&b, &c, 3, "f", 140);
	expect_call(&b, &c, 7, "f", 140);
	expect_call(&b, &c, 7, "g", 40);
	expect_call(&b, &c, 3, "g", 50);
	place_costs_release(&c);
	bench_release(&b);
}

/* main and f are heavy. */
static void of_light_functions_calls_of_heavy_ones_count(void **state)
{
	struct bench b;
	struct place_costs c;
	frame_id stack[4];
	struct place_of of[8] = { { 0 } };
	uint32_t i;

	(void)state;
	bench_init(&b);
	stack[0] = at(&b, "main", 3, 0x10, 0);
	stack[1] = at(&b, "light", 7, 0x21, 0);
	stack[2] = at(&b, "lighter", 8, 0x31, 0);
	stack[3] = at(&b, "f", 9, 0x41, 0);
	for (i = 0; i < 4; i++) {
		assert_true(stack[i] < ARRAY_LEN(of));
		of[stack[i]] = place_map_look_up(&b.naming, stack[i], false);
		of[stack[i]].light = i == 1 || i == 2;
	}
	b.map = (struct place_map){ .of = of, .n = ARRAY_LEN(of) };
	add(&b, 0, stack, 4, 100);
	add(&b, 1, stack, 3, 20);
	c = finish(&b);
	assert_int_equal(c.n_lines, 2);
	assert_int_equal(c.n_instructions, 2);
	assert_int_equal(c.n_calls, 2);
	expect(&b, c.line, c.n_lines, "main", 3, 0, 0, 120);
	expect(&b, c.line, c.n_lines, "f", 9, 0, 100, 100);
	expect_call(&b, &c, 3, "light", 120);
	expect_call(&b, &c, 8, "f", 100);
	place_costs_release(&c);
	bench_release(&b);
}

static void code_without_an_address_is_no_instruction_of_its_caller(void **state)
{
	struct bench b;
	struct place_costs c;
	frame_id stack[2];

	(void)state;
	bench_init(&b);
	stack[0] = at(&b, "main", 3, 0x10, 0);
	stack[1] = at(&b, "generated", 0, 0, 0);
	add(&b, 0, stack, 2, 50);
	c = finish(&b);
	expect(&b, c.instruction, c.n_instructions, "main", 3, 0x10, 0, 50);
	expect(&b, c.line, c.n_lines, "generated", 0, 0, 50, 50);
	place_costs_release(&c);
	bench_release(&b);
}

static void the_shown_frame_has_neither_line_nor_address(void **state)
{
	struct bench b;
	const struct frame *f;
	frame_id shown;

	(void)state;
	bench_init(&b);
	shown = shown_of(&b, at(&b, "f", 7, 0x21, 0), false);
	assert_int_equal(shown, shown_of(&b, at(&b, "f", 8, 0x25, 0), false));
	f = frames_get(b.frames, shown);
	assert_int_equal(f->at_line, 0);
	assert_int_equal(f->at_address, 0);
	assert_int_equal(f->file, 0);
	assert_int_equal(shown_of(&b, shown, false), shown);
	bench_release(&b);
}

static void names_are_short_and_tiers_are_one(void **state)
{
	struct bench b;
	struct place_costs c;
	struct frame f;
	frame_id stack[2];

	(void)state;
	bench_init(&b);
	b.opts.tiers = true; /* they are shown, but are no functions of their own */
	stack[0] = at(&b, "main()", 3, 0x10, 0);
	stack[1] = at(&b, "f", 7, 0x21, 0);
	add(&b, 0, stack, 2, 10);
	f = *frames_get(b.frames, stack[1]);
	f.tier = 2;
	stack[1] = frames_add(b.frames, &f);
	add(&b, 1, stack, 2, 20);
	f = *frames_get(b.frames, at(&b, "g", 9, 0x31, 0));
	f.tier = 2;
	stack[1] = frames_add(b.frames, &f);
	add(&b, 1, stack, 2, 40);
	c = finish(&b);
	assert_int_equal(c.n_lines, 3);
	assert_int_equal(c.n_instructions, 3);
	expect(&b, c.line, c.n_lines, "main", 3, 0, 0, 70);
	expect(&b, c.line, c.n_lines, "f", 7, 0, 30, 30);
	expect(&b, c.line, c.n_lines, "g", 9, 0, 40, 40);
	expect(&b, c.instruction, c.n_instructions, "f", 7, 0x21, 30, 30);
	place_costs_release(&c);
	bench_release(&b);
}

static void in_java_a_name_is_another_one(void **state)
{
	struct bench b;
	struct place_costs c;
	struct frame root = { .kind = FRAME_ROOT };
	frame_id stack[2];

	(void)state;
	bench_init(&b);
	root.name = strtab_add_str(b.strings, "Lroot/with");
	stack[0] = frames_add(b.frames, &root);
	stack[1] = at(&b, "Ljava/lang/String;", 7, 0x21, 0);
	add_of(&b, 0, stack, 2, 10, true);
	add_of(&b, 0, stack, 2, 20, false);
	assert_int_equal(shown_of(&b, stack[0], true), stack[0]);
	assert_int_not_equal(shown_of(&b, stack[1], true), shown_of(&b, stack[1], false));
	c = finish(&b);
	expect(&b, c.line, c.n_lines, "Lroot/with", 0, 0, 0, 30);
	expect(&b, c.line, c.n_lines, "java/lang/String;", 7, 0, 10, 10);
	expect(&b, c.line, c.n_lines, "Ljava/lang/String;", 7, 0, 20, 20);
	place_costs_release(&c);
	bench_release(&b);
}

static void assert_same_place(const struct place_of *a, const struct place_of *b)
{
	assert_int_equal(a->line, b->line);
	assert_int_equal(a->instruction, b->instruction);
	assert_int_equal(a->shown, b->shown);
	assert_int_equal(a->function, b->function);
	assert_int_equal(a->inlined, b->inlined);
	assert_int_equal(a->light, b->light);
}

static void the_map_has_each_frame_that_a_site_has(void **state)
{
	enum { SITES = 10000, WITHOUT = 5 };
	struct recording *r;
	struct bench b;
	frame_id of_site[SITES][2];
	uint32_t i;

	(void)state;
	bench_init(&b);
	r = recording_new("a", b.strings, b.frames);
	for (i = 0; i < SITES; i++) {
		const struct site s = { .rel = i + 1 };
		site_id site = sites_add(r->sites, &s);

		of_site[i][0] = at(&b, i % 3 ? "f(int)" : "g", i / 7 + 1, 0x1000 + i, 0);
		of_site[i][1] = at(&b, "h", i / 7 + 1, 0, FRAME_INLINED);
		if (i != WITHOUT)
			sites_set_frames(r->sites, site, of_site[i], 2);
	}
	place_map_want(&b.map, &r, 1);
	place_map_fill(&b.map, b.frames, &b.opts);
	for (i = 0; i < SITES; i++) {
		struct place_of f = place_map_look_up(&b.naming, of_site[i][0], false);
		struct place_of h = place_map_look_up(&b.naming, of_site[i][1], false);

		if (i == WITHOUT)
			f = (struct place_of){ 0 };
		assert_same_place(&b.map.of[of_site[i][0]], &f);
		assert_same_place(&b.map.of[of_site[i][1]], &h);
	}
	place_map_release(&b.map);
	bench_release(&b);
	recording_free(r);
}

static void frames_with_an_address_have_the_places_of_those_without(void **state)
{
	static const struct frame kinds[] = {
		{ .at_line = 7 },
		{ .at_line = 8, .tier = 1 },
		{ .at_line = 9, .category = 1 },
		{ .at_line = 10, .flags = FRAME_INLINED },
	};
	static const char *const names[] = { "g", "f(int)" };
	enum { N = 2 * ARRAY_LEN(kinds) };
	struct addressed_frame frame[N];
	struct addressed_frames list = { .frame = frame };
	struct recording *r;
	struct bench b;
	uint32_t i;

	(void)state;
	bench_init(&b);
	r = recording_new("a", b.strings, b.frames);
	for (i = 0; i < N; i++) {
		const struct site s = { .rel = i + 1 };
		struct frame f = kinds[i / 2];

		f.name = strtab_add_str(b.strings, names[i % 2]);
		f.kind = FRAME_USER;
		frame[i].from = frames_add(b.frames, &f);
		sites_set_frames(r->sites, sites_add(r->sites, &s), &frame[i].from, 1);
	}
	place_map_want(&b.map, &r, 1);
	place_map_fill(&b.map, b.frames, &b.opts);
	for (i = 0; i < N; i++) {
		struct frame f = *frames_get(b.frames, frame[i].from);

		f.at_address = 0x1000 + i;
		f.at_function = 0x1000;
		f.function_bytes = 64;
		f.build = strtab_add_str(b.strings, "abcd");
		frame[list.n++].to = frames_add(b.frames, &f);
	}
	place_map_add_addressed(&b.map, b.frames, &list);
	for (i = 0; i < N; i++) {
		struct place_of at = place_map_look_up(&b.naming, frame[i].to, false);

		assert_int_not_equal(at.instruction, 0);
		assert_same_place(&b.map.of[frame[i].to], &at);
	}
	place_map_release(&b.map);
	bench_release(&b);
	recording_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_with_an_address_have_the_places_of_those_without),
		cmocka_unit_test(a_line_that_is_in_a_stack_twice_counts_once),
		cmocka_unit_test(inlined_code_has_lines_of_its_own_in_instructions_of_its_caller),
		cmocka_unit_test(calls_are_of_a_line_and_count_once),
		cmocka_unit_test(of_light_functions_calls_of_heavy_ones_count),
		cmocka_unit_test(code_without_an_address_is_no_instruction_of_its_caller),
		cmocka_unit_test(the_shown_frame_has_neither_line_nor_address),
		cmocka_unit_test(names_are_short_and_tiers_are_one),
		cmocka_unit_test(in_java_a_name_is_another_one),
		cmocka_unit_test(the_map_has_each_frame_that_a_site_has),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
