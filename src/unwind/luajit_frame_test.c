/* Traces of LuaJIT, which run somewhere below a frame of its interpreter. */
#include "unwind/unwind_for_test.h"

/* The interpreter is at 0x1000, and its code was generated, so all of it has one frame. */
#define INTERPRETER_RULE CFI("\x0e\x50\x86\x02\x83\x03\x8f\x04\x8e\x05")
#define CALL             CFI("\xe8\xb0\xfd\xff\xff") /* of 0x1000, returning to 0x1250 */
#define OTHER_CALL       CFI("\xe8\xb0\xfe\xff\xff") /* of 0x1100, likewise */

enum { STATE = 0x55550000, OTHER_STATE = 0x55560000 };

/* ctx: what kind of code it is */
static bool find_luajit(void *ctx, uint32_t space, uint64_t address, struct moment at,
	struct validity *valid, struct unwind_code *code, struct buf *sections)
{
	const enum unwind_code_kind *kind = ctx;

	(void)space;
	(void)at;
	(void)valid;
	(void)sections;
	*code = (struct unwind_code){ .kind = kind ? *kind : UNWIND_CODE_LUAJIT };
	return address - JIT < 0x10;
}

/* A frame of the interpreter that begins at a word of the stack. before: the word at which the
 * frame before it begins, 0: there is none. */
static void put_frame(struct thread *t, unsigned at, unsigned before, uint64_t ra)
{
	t->word[at + 1] = 1;
	t->word[at + 2] = STATE;
	t->word[at + 4] = before ? STACK + 8 * before : 0;
	t->word[at + 8] = STACK + 0x700;
	t->word[at + 9] = ra;
}

/* A trace that spills nothing runs. What is called before 0x1250 was called at 0x1350, or is
 * _start. */
static struct thread *begin_in_trace(void **state, struct span call, bool is_start)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	function(t, 0x1000, 0x100, INTERPRETER_RULE);
	function(t, 0x1100, 0x100, CFI(""));
	if (is_start)
		start_function(t, 0x1200);
	else
		function(t, 0x1200, 0x100, CFI("\x0e\x10"));
	start_function(t, 0x1300);
	memset(t->image.code, 0x90, sizeof(t->image.code));
	memcpy(t->image.code + 0x250 - call.n, call.p, call.n);
	memcpy(t->image.code + 0x350 - 2, "\xff\xd0", 2);
	load(t);
	unwind_worker_set_code(t->worker, find_luajit, NULL);
	set(t, RIP, JIT + 6);
	set(t, RBP, 12345);
	put_frame(t, 2, 0, TEXT + 0x1250);
	return t;
}

static void a_trace_runs_below_the_frame_of_the_interpreter(void **state)
{
	struct thread *t = begin_in_trace(state, CALL, true);

	EXPECT(t, UNWIND_COMPLETE, (JIT + 6) | EXACT, TEXT + 0x1250);
	assert_int_equal(t->result.frames[1].fp, STACK + 0x700);
}

static void a_trace_may_have_spilled_values(void **state)
{
	struct thread *t = begin_in_trace(state, CALL, true);

	memset(t->word, 0, sizeof(t->word));
	put_frame(t, 2 + 128, 0, TEXT + 0x1250);
	EXPECT(t, UNWIND_COMPLETE, (JIT + 6) | EXACT, TEXT + 0x1250);
	memset(t->word, 0, sizeof(t->word));
	put_frame(t, 2 + 130, 0, TEXT + 0x1250); /* more than there are slots for */
	EXPECT(t, UNWIND_NO_CFI, (JIT + 6) | EXACT);
}

/* The function at 0x1200 has two words, and the interpreter was called at the end of _start. */
static void a_trace_may_call_functions(void **state)
{
	struct thread *t = begin_in_trace(state, CALL, false);

	memset(t->word, 0, sizeof(t->word));
	set(t, RIP, TEXT + 0x1280);
	t->word[1] = JIT + 8;
	put_frame(t, 4, 0, TEXT + 0x1250);
	t->word[15] = TEXT + 0x1350;
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1280) | EXACT, JIT + 8, TEXT + 0x1250, TEXT + 0x1350);
}

static void words_that_are_no_frame_are_passed_over(void **state)
{
	struct thread *t = begin_in_trace(state, CALL, true);

	put_frame(t, 20, 0, TEXT + 0x1250);
	t->word[21] = 2;
	t->word[28] = STACK + 0x600;
	t->word[3] = 0xffffff38; /* for C code */
	EXPECT(t, UNWIND_COMPLETE, (JIT + 6) | EXACT, TEXT + 0x1250);
	assert_int_equal(t->result.frames[1].fp, STACK + 0x600);
	t->word[3] = 1;
	t->word[4] = STACK + 0x100; /* no state is on the stack */
	EXPECT(t, UNWIND_COMPLETE, (JIT + 6) | EXACT, TEXT + 0x1250);
	assert_int_equal(t->result.frames[1].fp, STACK + 0x600);
	t->word[4] = STATE;
	t->word[6] = STACK + 8; /* the frame before would be a later one */
	EXPECT(t, UNWIND_COMPLETE, (JIT + 6) | EXACT, TEXT + 0x1250);
	assert_int_equal(t->result.frames[1].fp, STACK + 0x600);
	t->word[6] = STACK + 8 * 20;
	t->word[22] = OTHER_STATE; /* the frame before would be another state's */
	EXPECT(t, UNWIND_COMPLETE, (JIT + 6) | EXACT, TEXT + 0x1250);
	assert_int_equal(t->result.frames[1].fp, STACK + 0x600);
	t->word[22] = STATE;
	EXPECT(t, UNWIND_COMPLETE, (JIT + 6) | EXACT, TEXT + 0x1250);
	assert_int_equal(t->result.frames[1].fp, STACK + 0x700);
}

/* As from lua_resume(), which jumps to the interpreter. */
static void what_calls_another_function_has_a_caller_itself(void **state)
{
	struct thread *t = begin_in_trace(state, OTHER_CALL, false);

	t->word[13] = TEXT + 0x1350;
	EXPECT(t, UNWIND_COMPLETE, (JIT + 6) | EXACT, TEXT + 0x1250, TEXT + 0x1350);
	t->word[13] = TEXT + 0x1340; /* no call is before it */
	EXPECT(t, UNWIND_NO_CFI, (JIT + 6) | EXACT);
	t = begin_in_trace(state, CALL, false);
	t->word[13] = TEXT + 0x1340;
	EXPECT(t, UNWIND_COMPLETE, (JIT + 6) | EXACT, TEXT + 0x1250, TEXT + 0x1340);
}

/* A frame that cannot be vouched for may be one: those after it are not its caller's. */
static void no_frame_is_taken_for_another(void **state)
{
	struct thread *t = begin_in_trace(state, OTHER_CALL, false);

	put_frame(t, 20, 0, TEXT + 0x1250);
	t->word[31] = TEXT + 0x1350;
	EXPECT(t, UNWIND_NO_CFI, (JIT + 6) | EXACT);
	t->word[11] = 12345; /* it is none */
	EXPECT(t, UNWIND_COMPLETE, (JIT + 6) | EXACT, TEXT + 0x1250, TEXT + 0x1350);
}

/* Words that look like a frame are on the stacks of other JIT compilers' code, too. */
static void code_without_a_name_must_have_been_called_by_the_interpreter(void **state)
{
	static enum unwind_code_kind kind = UNWIND_CODE_UNNAMED;
	struct thread *t = begin_in_trace(state, CALL, false);

	unwind_worker_set_code(t->worker, find_luajit, &kind);
	t->word[13] = TEXT + 0x1350;
	EXPECT(t, UNWIND_COMPLETE, (JIT + 6) | EXACT, TEXT + 0x1250, TEXT + 0x1350);
	t = begin_in_trace(state, OTHER_CALL, false);
	unwind_worker_set_code(t->worker, find_luajit, &kind);
	t->word[13] = TEXT + 0x1350;
	EXPECT(t, UNWIND_NO_CFI, (JIT + 6) | EXACT);
	set(t, RBP, STACK + 0x100);
	t->word[0x100 / 8] = STACK + 0x200;
	t->word[0x100 / 8 + 1] = TEXT + 0x1350;
	EXPECT(t, UNWIND_COMPLETE, (JIT + 6) | EXACT, TEXT + 0x1350);
}

static void the_stack_of_a_trace_is_aligned(void **state)
{
	struct thread *t = begin_in_trace(state, CALL, true);

	set(t, RSP, STACK + 8);
	t->memory.start = STACK + 8;
	EXPECT(t, UNWIND_NO_CFI, (JIT + 6) | EXACT);
}

/* It pushed 14 registers and an exit number of two words, below what the trace has spilled, and
 * made room for 16 more. */
static void the_interpreter_leaves_a_trace_with_its_registers_on_the_stack(void **state)
{
	enum { PUSHED_WORDS = 32, SPILLED_WORDS = 4 };
	struct thread *t = begin_in_trace(state, CALL, true);

	memset(t->word, 0, sizeof(t->word));
	set(t, RIP, TEXT + 0x1080);
	put_frame(t, PUSHED_WORDS + SPILLED_WORDS + 2, 0, TEXT + 0x1250);
	t->word[9] = 12345;
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, TEXT + 0x1250);
	assert_int_equal(t->result.frames[1].fp, STACK + 0x700);
	t = begin_in_trace(state, CALL, true);
	unwind_worker_keep_to_cfi(t->worker);
	set(t, RIP, TEXT + 0x1080);
	t->word[9] = 12345;
	EXPECT(t, UNWIND_TO_DATA, (TEXT + 0x1080) | EXACT);
}

static void a_trace_calls_functions_of_the_interpreter(void **state)
{
	struct thread *t = begin_in_trace(state, CALL, true);

	memset(t->word, 0, sizeof(t->word));
	set(t, RIP, TEXT + 0x1080);
	set(t, RSP, STACK + 8);
	t->memory.start = STACK;
	t->word[1] = JIT + 8;
	put_frame(t, 4, 0, TEXT + 0x1250);
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, JIT + 8, TEXT + 0x1250);
}

static void the_interpreter_has_one_frame_elsewhere(void **state)
{
	struct thread *t = begin_in_trace(state, CALL, true);

	set(t, RIP, TEXT + 0x1080);
	t->word[9] = TEXT + 0x1250;
	t->word[8] = STACK + 0x600;
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, TEXT + 0x1250);
	assert_int_equal(t->result.frames[1].fp, STACK + 0x600);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_TEST(a_trace_runs_below_the_frame_of_the_interpreter),
		BED_TEST(a_trace_may_have_spilled_values),
		BED_TEST(a_trace_may_call_functions),
		BED_TEST(words_that_are_no_frame_are_passed_over),
		BED_TEST(what_calls_another_function_has_a_caller_itself),
		BED_TEST(no_frame_is_taken_for_another),
		BED_TEST(code_without_a_name_must_have_been_called_by_the_interpreter),
		BED_TEST(the_stack_of_a_trace_is_aligned),
		BED_TEST(the_interpreter_leaves_a_trace_with_its_registers_on_the_stack),
		BED_TEST(a_trace_calls_functions_of_the_interpreter),
		BED_TEST(the_interpreter_has_one_frame_elsewhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
