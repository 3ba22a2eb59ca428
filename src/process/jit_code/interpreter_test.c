#include "process/jit_code/interpreter.h"

#include "base/tmpdir_for_test.h"
#include "base/mem.h"
#include "jit/jit_load_for_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

enum { WORDS = 8, AHEAD = 0x35, FUNCTIONS = 40 };

#define STACK    0x7ff000ull
#define FP       (STACK + 8 * (WORDS - 1))
#define BYTECODE 0x900001ull /* of function 0, tagged; 0x100 further on, of the next */

/* Process 7, whose map lists the bytecode of FUNCTIONS functions. */
struct bed {
	struct strtab *strings;
	struct frames *frames;
	struct codemap *map;
	struct jit_process of;
	struct interpreter in;
	struct recording recording;
	struct process_use process;
};

static void bed_setup(struct bed *b, void **state)
{
	static const struct codemap_ranges none = { 0 };
	char *path = tmpdir_path(state, "perf-7.map");
	struct buf text = { 0 };
	struct diag diag = { 0 };
	struct jit_maps maps;
	struct err e;
	unsigned i;

	*b = (struct bed){ .strings = strtab_new(), .process = { .pid = 7 } };
	b->frames = frames_new(b->strings);
	for (i = 0; i < FUNCTIONS; i++)
		buf_printf(&text, "%llx 20 JS:~f%u /a.js:%u:1\n", BYTECODE + 0x100 * i + AHEAD, i,
			i + 1);
	tmpdir_write(path, buf_span(&text));
	assert_int_equal(
		load_map_at(path, &b->map, b->frames, &diag,
			&(struct perf_map_opts){ .pid = 7, .exec = &none, .bytecode = true }, &e),
		OK);
	b->of = (struct jit_process){ .pid = 7, .map = b->map };
	maps = (struct jit_maps){ .of = &b->of, .n = 1 };
	interpreter_init(&b->in, &maps);
	b->recording = (struct recording){ .processes = &b->process, .n_processes = 1 };
	buf_release(&text);
	free(path);
}

static void bed_teardown(struct bed *b)
{
	interpreter_release(&b->in);
	codemap_free(b->map);
	frames_free(b->frames);
	strtab_free(b->strings);
}

/* A stack whose slot holds a tagged pointer to a function's bytecode. */
static struct unwind_memory stack_of(uint64_t *word, unsigned slot, unsigned function)
{
	unsigned i;

	for (i = 0; i < WORDS; i++)
		word[i] = 0x1234;
	word[WORDS - 1 - slot] = BYTECODE + 0x100 * function;
	return (struct unwind_memory){
		.bytes = (const uint8_t *)word, .start = STACK, .n = 8 * WORDS, .word_bytes = 8
	};
}

static void vote(struct bed *b, unsigned slot, unsigned times)
{
	uint64_t word[WORDS];
	unsigned i;

	for (i = 0; i < times; i++) {
		struct unwind_memory m = stack_of(word, slot, i % FUNCTIONS);

		interpreter_vote(&b->in, 7, &m, FP);
	}
}

static const char *found(struct bed *b, int32_t pid, unsigned slot, unsigned function, uint64_t fp)
{
	uint64_t word[WORDS];
	struct unwind_memory m = stack_of(word, slot, function);
	frame_id id = interpreter_find(&b->in, pid, interpreter_bytecode(&b->in, pid, &m, fp));

	return id ? strtab_str(b->strings, frames_get(b->frames, id)->name) : "-";
}

static void the_slot_with_most_hits_names_the_functions(void **state)
{
	struct bed b;

	bed_setup(&b, state);
	assert_string_equal(found(&b, 7, 4, 3, FP), "-"); /* nothing is measured yet */
	vote(&b, 4, 20);
	vote(&b, 2, 5);
	interpreter_decide(&b.in, &b.recording);
	assert_int_equal(b.process.interpreter_slot_bytes, 0x20);
	assert_string_equal(found(&b, 7, 4, 3, FP), "JS:~f3 /a.js:4:1");
	assert_string_equal(found(&b, 7, 2, 3, FP), "-");         /* in another slot */
	assert_string_equal(found(&b, 8, 4, 3, FP), "-");         /* of another process */
	assert_string_equal(found(&b, 7, 4, FUNCTIONS, FP), "-"); /* not listed */
	assert_string_equal(found(&b, 7, 4, 3, 0), "-");
	assert_string_equal(found(&b, 7, 4, 3, STACK), "-"); /* outside of the copy */
	bed_teardown(&b);
}

static void a_few_hits_prove_nothing(void **state)
{
	struct bed b;

	bed_setup(&b, state);
	vote(&b, 4, 7);
	interpreter_decide(&b.in, &b.recording);
	assert_int_equal(b.process.interpreter_slot_bytes, 0);
	assert_string_equal(found(&b, 7, 4, 3, FP), "-");
	bed_teardown(&b);
}

static void two_slots_with_similar_hits_prove_nothing(void **state)
{
	struct bed b;

	bed_setup(&b, state);
	vote(&b, 4, 40);
	vote(&b, 3, 21);
	interpreter_decide(&b.in, &b.recording);
	assert_int_equal(b.process.interpreter_slot_bytes, 0);
	bed_teardown(&b);
}

static void voting_ends_with_enough_votes(void **state)
{
	struct bed b;

	bed_setup(&b, state);
	assert_false(interpreter_has_votes(&b.in));
	vote(&b, 4, 999);
	assert_false(interpreter_has_votes(&b.in));
	vote(&b, 4, 1);
	assert_true(interpreter_has_votes(&b.in));
	bed_teardown(&b);
}

static void words_of_32_bits_and_untagged_ones_are_no_pointers(void **state)
{
	uint64_t word[WORDS];
	struct unwind_memory m = stack_of(word, 4, 3);
	struct bed b;

	bed_setup(&b, state);
	vote(&b, 4, 20);
	interpreter_decide(&b.in, &b.recording);
	assert_int_not_equal(interpreter_find(&b.in, 7, interpreter_bytecode(&b.in, 7, &m, FP)), 0);
	word[WORDS - 1 - 4]--;
	assert_int_equal(interpreter_find(&b.in, 7, interpreter_bytecode(&b.in, 7, &m, FP)), 0);
	word[WORDS - 1 - 4]++;
	m.word_bytes = 4;
	assert_int_equal(interpreter_find(&b.in, 7, interpreter_bytecode(&b.in, 7, &m, FP)), 0);
	bed_teardown(&b);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tmpdir_setup, tmpdir_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_slot_with_most_hits_names_the_functions),
		TEST(a_few_hits_prove_nothing),
		TEST(two_slots_with_similar_hits_prove_nothing),
		TEST(voting_ends_with_enough_votes),
		TEST(words_of_32_bits_and_untagged_ones_are_no_pointers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
