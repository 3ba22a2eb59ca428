#include "files/go_program/tiny_go_for_test.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static void open_table(struct go_table *g, const struct tiny_go *t)
{
	uint64_t text;

	assert_true(go_table_read(g, buf_span(&t->table), t->swapped, &text));
	assert_int_equal(g->form, t->form);
	assert_int_equal(text, t->form == GO_1_16 ? 0 : TINY_GO_MAIN);
	g->text = text;
	g->trees = g->tree_address = TINY_GO_TREES;
	g->tree_bytes = buf_span(&t->trees);
}

static void check_call(
	const struct go_call *call, const char *name, const char *file, uint32_t line)
{
	assert_true(span_eq(call->name, span_of(name)));
	assert_true(span_eq(call->file, span_of(file)));
	assert_int_equal(call->line, line);
}

static void check_functions(const struct tiny_go *t)
{
	struct go_call call[GO_CALLS_MAX];
	struct go_function f;
	struct go_table g;

	open_table(&g, t);
	assert_false(go_table_find(&g, TINY_GO_MAIN - 1, &f));
	assert_false(go_table_find(&g, TINY_GO_END, &f));
	assert_true(go_table_find(&g, TINY_GO_LEAF, &f));
	assert_int_equal(f.start, TINY_GO_LEAF);
	assert_int_equal(f.end, TINY_GO_END);
	assert_int_equal(go_table_calls(&g, &f, TINY_GO_END - 1, true, call), 1);
	check_call(call, "main.leaf", "/b.go", 31);
	assert_int_equal(call[0].declared_line, t->form == GO_1_20 ? 30 : 0);

	assert_true(go_table_find(&g, TINY_GO_LEAF - 1, &f));
	assert_int_equal(f.start, TINY_GO_MAIN);
	assert_int_equal(go_table_calls(&g, &f, TINY_GO_MAIN + 0x0f, true, call), 1);
	check_call(call, "main.main", "/a.go", 7);
	assert_int_equal(go_table_calls(&g, &f, TINY_GO_MAIN + 0x10, true, call), 2);
	check_call(&call[0], "main.mix", "/b.go", 20);
	check_call(&call[1], "main.main", "/a.go", 7);
	assert_int_equal(call[0].declared_line, t->form == GO_1_20 ? 19 : 0);
	assert_int_equal(go_table_calls(&g, &f, TINY_GO_MAIN + 0x20, true, call), 1);
	check_call(call, "main.main", "/a.go", 8);
	assert_int_equal(go_table_calls(&g, &f, TINY_GO_MAIN + 0x10, false, call), 2);
	check_call(&call[0], "main.mix", "", 0);
	check_call(&call[1], "main.main", "", 0);
}

static void check_stack(struct go_table *g, const struct go_function *f, uint64_t address,
	uint64_t start, uint64_t end, uint32_t size_bytes)
{
	struct go_stack stack;

	assert_true(go_table_stack(g, f, address, &stack));
	assert_int_equal(stack.start, start);
	assert_int_equal(stack.end, end);
	assert_int_equal(stack.size_bytes, size_bytes);
}

static void check_stacks(const struct tiny_go *t)
{
	struct go_function f;
	struct go_table g;

	open_table(&g, t);
	assert_true(go_table_find(&g, TINY_GO_MAIN, &f));
	check_stack(&g, &f, TINY_GO_MAIN, TINY_GO_MAIN, TINY_GO_MAIN + 4, 0);
	check_stack(&g, &f, TINY_GO_MAIN + 3, TINY_GO_MAIN, TINY_GO_MAIN + 4, 0);
	check_stack(&g, &f, TINY_GO_MAIN + 4, TINY_GO_MAIN + 4, TINY_GO_LEAF, 24);
	assert_true(go_table_is_outermost(&g, &f));
	assert_true(go_table_find(&g, TINY_GO_LEAF, &f));
	check_stack(&g, &f, TINY_GO_END - 1, TINY_GO_LEAF, TINY_GO_END, 0);
	assert_false(go_table_is_outermost(&g, &f));
}

static void every_form_is_read(void **state)
{
	struct tiny_go t;
	unsigned i;

	(void)state;
	for (i = 0; i < 12; i++) {
		t = (struct tiny_go){
			.form = i / 4, .word_bytes = i & 1 ? 4 : 8, .swapped = i & 2
		};
		tiny_go_init(&t);
		check_functions(&t);
		check_stacks(&t);
		tiny_go_release(&t);
	}
}

/* A table of 64 bits, and what was asked of it last. */
struct asked {
	struct tiny_go t;
	struct go_table g;
	struct go_function f;
	struct go_call call[GO_CALLS_MAX];
};

static void begin(struct asked *a, enum go_form form)
{
	a->t = (struct tiny_go){ .form = form, .word_bytes = 8 };
	tiny_go_init(&a->t);
	open_table(&a->g, &a->t);
	assert_true(go_table_find(&a->g, TINY_GO_MAIN, &a->f));
}

/* How many calls are at the inlined one. */
static uint32_t calls(struct asked *a)
{
	return go_table_calls(&a->g, &a->f, TINY_GO_MAIN + 0x10, true, a->call);
}

static void without_trees_nothing_is_inlined(void **state)
{
	struct asked a;

	(void)state;
	begin(&a, GO_1_20);
	a.g.trees = 0;
	assert_int_equal(calls(&a), 1);
	check_call(a.call, "main.main", "/b.go", 20);
	tiny_go_release(&a.t);
}

static void a_call_that_is_its_own_parent_ends(void **state)
{
	struct asked a;

	(void)state;
	begin(&a, GO_1_20);
	a.t.trees.p[8] = 0x10;
	assert_int_equal(calls(&a), GO_CALLS_MAX);
	tiny_go_release(&a.t);
}

static void steps_are_limited(void **state)
{
	struct asked a;

	(void)state;
	begin(&a, GO_1_18);
	a.g.steps_left = 0;
	assert_int_equal(calls(&a), 1);
	check_call(a.call, "main.main", "", 0);
	tiny_go_release(&a.t);
}

static void without_steps_no_stack_is_known(void **state)
{
	struct asked a;
	struct go_stack stack;

	(void)state;
	begin(&a, GO_1_20);
	a.g.steps_left = 0;
	assert_false(go_table_stack(&a.g, &a.f, TINY_GO_MAIN, &stack));
	tiny_go_release(&a.t);
}

enum { LONG_BYTES = 3000 };

/* Makes the table at a number of main.main's record one that was appended. */
static void set_table(struct asked *a, unsigned number, size_t appended_at)
{
	size_t values = (size_t)(a->g.part[GO_VALUES].p - a->t.table.p);
	size_t functions = (size_t)(a->g.part[GO_FUNCTIONS].p - a->t.table.p);

	bytes_put(a->t.table.p + functions + a->f.record + 4 + number * 4, appended_at - values, 4,
		false);
}

/* main.main gets LONG_BYTES, each on a line of its own, from 1 on. */
static void begin_long(struct asked *a)
{
	size_t files, lines;
	unsigned i;

	begin(a, GO_1_20);
	files = a->t.table.n;
	buf_put(&a->t.table, "\2\xb8\x17", 4); /* file 0, for 3000 bytes; the end */
	lines = a->t.table.n;
	buf_put(&a->t.table, "\4\1", 2);
	for (i = 1; i < LONG_BYTES; i++)
		buf_put(&a->t.table, "\2\1", 2);
	buf_putc(&a->t.table, 0);
	open_table(&a->g, &a->t);
	set_table(a, 4, files);
	set_table(a, 5, lines);
	a->f.end = a->f.start + LONG_BYTES;
}

static void check_line_of_byte(struct asked *a, uint64_t byte)
{
	uint32_t line;

	assert_int_equal(go_table_calls(&a->g, &a->f, a->f.start + byte, true, a->call), 1);
	line = a->call[0].line;
	assert_int_equal(line, byte + 1);
}

static void walks_go_on_where_others_were(void **state)
{
	struct go_walks walks = { 0 };
	struct asked a;
	uint64_t i, steps;

	(void)state;
	begin_long(&a);
	a.g.walks = &walks;
	for (i = 0; i < LONG_BYTES; i++)
		check_line_of_byte(&a, 0x20 + i * 1777 % (LONG_BYTES - 0x20));
	steps = a.g.steps_left;
	for (i = 0x20; i < LONG_BYTES; i++)
		check_line_of_byte(&a, i);
	assert_in_range(steps - a.g.steps_left, LONG_BYTES, LONG_BYTES * 80);
	a.f.end++;
	assert_int_equal(go_table_calls(&a.g, &a.f, a.f.end - 1, true, a.call), 1);
	assert_int_equal(a.call[0].line, 0);
	tiny_go_release(&a.t);
}

/* A walk that was begun in one table is not gone on with in another. */
static void walks_are_of_one_table(void **state)
{
	struct go_walks walks = { 0 };
	struct asked a;
	struct go_function leaf;

	(void)state;
	begin_long(&a);
	a.g.walks = &walks;
	check_line_of_byte(&a, LONG_BYTES - 1);
	assert_true(go_table_find(&a.g, TINY_GO_LEAF, &leaf));
	assert_int_equal(go_table_calls(&a.g, &leaf, TINY_GO_END - 1, true, a.call), 1);
	check_call(a.call, "main.leaf", "/b.go", 31);
	check_line_of_byte(&a, 0x20);
	tiny_go_release(&a.t);
}

/* Else an address would have another value when it is asked for again. */
static void addresses_that_wrap_end_a_table(void **state)
{
	struct go_walks walks = { 0 };
	struct asked a;
	unsigned i;

	(void)state;
	begin_long(&a);
	a.g.walks = &walks;
	i = (unsigned)(a.t.table.n - 1 - 2 * (LONG_BYTES - 40));
	memcpy(a.t.table.p + i, "\2\xff\xff\xff\xff\xff\xff\xff\xff\xff\1\2\1", 14);
	check_line_of_byte(&a, 0x20);
	assert_int_equal(go_table_calls(&a.g, &a.f, a.f.start + LONG_BYTES - 1, true, a.call), 1);
	assert_int_equal(a.call[0].line, 0);
	check_line_of_byte(&a, 0x21);
	tiny_go_release(&a.t);
}

/* A function is never said to have a stack beyond its end. */
static void stacks_beyond_the_function_are_refused(void **state)
{
	struct asked a;
	struct go_stack stack;

	(void)state;
	begin(&a, GO_1_20);
	a.f.end = a.f.start + 0x20;
	assert_false(go_table_stack(&a.g, &a.f, TINY_GO_MAIN + 4, &stack));
	assert_true(go_table_stack(&a.g, &a.f, TINY_GO_MAIN, &stack));
	tiny_go_release(&a.t);
}

static void longer_names_than_any_are_not_there(void **state)
{
	size_t n = 1 << 17;
	char *names = xmalloc(n);
	struct asked a;

	(void)state;
	begin(&a, GO_1_20);
	memset(names, 'n', n);
	names[n - 1] = 0;
	a.g.part[GO_NAMES] = (struct span){ names, n };
	assert_false(go_table_find(&a.g, TINY_GO_MAIN, &a.f));
	names[50000] = 0;
	assert_true(go_table_find(&a.g, TINY_GO_MAIN, &a.f));
	assert_in_range(a.f.name.n, 49000, 50000);
	free(names);
	tiny_go_release(&a.t);
}

/* Cut anywhere, a table is refused or has less to say. */
static void cut_tables_are_survived(void **state)
{
	struct tiny_go t = { .form = GO_1_20, .word_bytes = 8 };
	struct go_call call[GO_CALLS_MAX];
	struct go_function f;
	struct go_stack stack;
	struct go_table g;
	uint64_t text, at;
	size_t n;

	(void)state;
	tiny_go_init(&t);
	for (n = 0; n < t.table.n; n++) {
		char *copy = xmemdup(t.table.p, n);

		if (go_table_read(&g, (struct span){ copy, n }, false, &text)) {
			g.text = text;
			g.trees = g.tree_address = TINY_GO_TREES;
			g.tree_bytes = buf_span(&t.trees);
			for (at = TINY_GO_MAIN; at < TINY_GO_END; at += 8)
				if (go_table_find(&g, at, &f)) {
					go_table_calls(&g, &f, at, true, call);
					go_table_stack(&g, &f, at, &stack);
					go_table_is_outermost(&g, &f);
				}
		}
		free(copy);
	}
	tiny_go_release(&t);
}

static void other_bytes_are_no_table(void **state)
{
	struct tiny_go t = { .form = GO_1_20, .word_bytes = 8 };
	struct go_table g;
	uint64_t text;

	(void)state;
	tiny_go_init(&t);
	t.table.p[7] = 2; /* the size of a pointer */
	assert_false(go_table_read(&g, buf_span(&t.table), false, &text));
	t.table.p[7] = 8;
	assert_false(go_table_read(&g, buf_span(&t.table), true, &text));
	t.table.p[0] = (char)0xfb; /* Go 1.2 to 1.15 */
	assert_false(go_table_read(&g, buf_span(&t.table), false, &text));
	assert_false(go_table_read(&g, SPAN(""), false, &text));
	tiny_go_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form_is_read),
		cmocka_unit_test(without_trees_nothing_is_inlined),
		cmocka_unit_test(a_call_that_is_its_own_parent_ends),
		cmocka_unit_test(steps_are_limited),
		cmocka_unit_test(without_steps_no_stack_is_known),
		cmocka_unit_test(walks_go_on_where_others_were),
		cmocka_unit_test(walks_are_of_one_table),
		cmocka_unit_test(addresses_that_wrap_end_a_table),
		cmocka_unit_test(stacks_beyond_the_function_are_refused),
		cmocka_unit_test(longer_names_than_any_are_not_there),
		cmocka_unit_test(cut_tables_are_survived),
		cmocka_unit_test(other_bytes_are_no_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
