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
	struct place_tally tally[2];
};

static void bench_init(struct bench *b)
{
	b->strings = strtab_new();
	b->frames = frames_new(b->strings);
	place_tally_init(&b->tally[0], b->frames);
	place_tally_init(&b->tally[1], b->frames);
}

static void bench_release(struct bench *b)
{
	place_tally_release(&b->tally[0]);
	place_tally_release(&b->tally[1]);
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

static void expect(const struct bench *b, const struct place_cost *cost, uint32_t n,
	const char *name, uint32_t line, uint64_t address, uint64_t self, uint64_t total)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		const struct frame *f = frames_get(b->frames, cost[i].place);

		if (f->at_line != line || f->at_address != address ||
			!span_eq(strtab_get(b->strings, f->name), span_of(name)))
			continue;
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
	place_tally_add(&b.tally[0], stack, 4, 100, 10);
	place_tally_add(&b.tally[1], stack, 3, 20, 2);
	c = finish(&b);
	assert_int_equal(c.n_lines, 3);
	assert_int_equal(c.n_instructions, 4);
	expect(&b, c.line, c.n_lines, "main", 3, 0, 0, 120);
	expect(&b, c.line, c.n_lines, "f", 7, 0, 20, 120);
	expect(&b, c.line, c.n_lines, "f", 8, 0, 100, 100);
	expect(&b, c.instruction, c.n_instructions, "main", 0, 0x10, 0, 120);
	expect(&b, c.instruction, c.n_instructions, "f", 0, 0x21, 0, 120);
	expect(&b, c.instruction, c.n_instructions, "f", 0, 0x25, 20, 120);
	expect(&b, c.instruction, c.n_instructions, "f", 0, 0x29, 100, 100);
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
	place_tally_add(&b.tally[0], stack, 3, 50, 5);
	stack[1] = at(&b, "h", 9, 0x30, 0); /* called here */
	place_tally_add(&b.tally[0], stack, 2, 10, 1);
	c = finish(&b);
	assert_int_equal(c.n_lines, 3);
	expect(&b, c.line, c.n_lines, "main", 3, 0, 0, 60);
	expect(&b, c.line, c.n_lines, "g", 5, 0, 0, 50);
	expect(&b, c.line, c.n_lines, "h", 9, 0, 60, 60);
	assert_int_equal(c.n_instructions, 2);
	expect(&b, c.instruction, c.n_instructions, "main", 0, 0x10, 50, 60);
	expect(&b, c.instruction, c.n_instructions, "h", 0, 0x30, 10, 10);
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
	place_tally_add(&b.tally[0], stack, 4, 100, 10); /* line 7 calls f twice */
	stack[3] = at(&b, "g", 9, 0, FRAME_INLINED);
	place_tally_add(&b.tally[0], stack, 4, 10, 1);
	place_tally_add(&b.tally[1], stack, 4, 30, 3);
	place_tally_add(&b.tally[0], stack, 1, 40, 4);
	stack[1] = stack[3];
	place_tally_add(&b.tally[0], stack, 2, 50, 5);
	c = finish(&b);
	assert_int_equal(c.n_calls, 4);
	expect_call(&b, &c, 3, "f", 140);
	expect_call(&b, &c, 7, "f", 140);
	expect_call(&b, &c, 7, "g", 40);
	expect_call(&b, &c, 3, "g", 50);
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
	place_tally_add(&b.tally[0], stack, 2, 50, 5);
	c = finish(&b);
	expect(&b, c.instruction, c.n_instructions, "main", 0, 0x10, 0, 50);
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
	shown = place_tally_shown(&b.tally[0], at(&b, "f", 7, 0x21, 0));
	assert_int_equal(shown, place_tally_shown(&b.tally[0], at(&b, "f", 8, 0x25, 0)));
	f = frames_get(b.frames, shown);
	assert_int_equal(f->at_line, 0);
	assert_int_equal(f->at_address, 0);
	assert_int_equal(f->file, 0);
	assert_int_equal(place_tally_shown(&b.tally[0], shown), shown);
	bench_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_that_is_in_a_stack_twice_counts_once),
		cmocka_unit_test(inlined_code_has_lines_of_its_own_in_instructions_of_its_caller),
		cmocka_unit_test(calls_are_of_a_line_and_count_once),
		cmocka_unit_test(code_without_an_address_is_no_instruction_of_its_caller),
		cmocka_unit_test(the_shown_frame_has_neither_line_nor_address),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
