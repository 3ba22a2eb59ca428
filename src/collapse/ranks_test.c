#include "collapse/ranks.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { PREFIXES = 8, NAMES = 60, LINES = 3 };

struct made {
	struct strtab *strings;
	struct profile p;
	struct tree tree;
};

/* Names with up to 105 equal bytes at the front; as many frames of each as LINES. */
static void make(struct made *m)
{
	unsigned prefix, name, line;
	uint32_t node = 0;

	*m = (struct made){ .strings = strtab_new() };
	m->p.strings = m->strings;
	m->p.frames = frames_new(m->strings);
	tree_init(&m->tree);
	for (prefix = 0; prefix < PREFIXES; prefix++)
		for (name = 0; name < NAMES; name++)
			for (line = LINES; line > 0; line--) {
				char *text = xasprintf("%.*s%x", (int)(prefix * 15),
					"v8::internal::(anonymous namespace)::Builtin_Impl_of_what_"
					"all_others_begin_with_too_and_still_do_now_as_well",
					name * name * 7919 % 1009);
				struct frame f = { .name = strtab_add_str(m->strings, text),
					.kind = FRAME_USER,
					.line = line };

				node = tree_child(&m->tree, node, frames_add(m->p.frames, &f));
				free(text);
			}
}

static void release(struct made *m)
{
	tree_release(&m->tree);
	frames_free(m->p.frames);
	strtab_free(m->strings);
}

static struct buf shown(const struct made *m, frame_id frame)
{
	struct buf b = { 0 };

	profile_put_name(&m->p, frame, &b);
	buf_putc(&b, ';');
	return b;
}

/* By rank, if each frame has its own. */
static frame_id *in_order(const struct ranks *r, const struct made *m)
{
	frame_id *frame = xcalloc(r->n, sizeof(*frame)), i;

	for (i = 0; i < frames_count(m->p.frames); i++)
		if (r->frame[i] == i)
			frame[r->rank[i]] = i;
	return frame;
}

static void frames_are_in_the_order_of_their_names_then_of_their_lines(void **state)
{
	struct made m;
	struct source_tree g = { .tree = &m.tree };
	struct ranks r;
	frame_id *frame;
	uint32_t i;

	(void)state;
	make(&m);
	ranks_init(&r, &g, 1, &m.p, false);
	frame = in_order(&r, &m);
	assert_true(r.n > PREFIXES * NAMES);
	for (i = 1; i < r.n; i++) {
		struct buf a = shown(&m, frame[i - 1]), b = shown(&m, frame[i]);
		int c = span_cmp(buf_span(&a), buf_span(&b));

		assert_true(c <= 0);
		assert_true(c || frames_get(m.p.frames, frame[i - 1])->line <
					 frames_get(m.p.frames, frame[i])->line);
		assert_int_equal(r.rank[frame[i]], i);
		assert_int_equal(r.frame[frame[i]], frame[i]);
		buf_release(&a);
		buf_release(&b);
	}
	free(frame);
	ranks_release(&r);
	release(&m);
}

/* Frames that differ in one thing each, made in either order: numbers must not decide. */
static void put_order(struct buf *b, bool backwards)
{
	struct made m = { .strings = strtab_new() };
	struct source_tree g = { .tree = &m.tree };
	const str_id a = strtab_add_str(m.strings, "a"), z = strtab_add_str(m.strings, "z");
	struct frame f[] = {
		{ 0 },
		{ .line = 1 },
		{ .at_line = 1 },
		{ .at_line = 2 },
		{ .at_file = a },
		{ .at_file = z },
		{ .build = a },
		{ .build = z },
		{ .at_address = 1 },
		{ .at_address = 2 },
	};
	struct ranks r;
	frame_id *frame;
	uint32_t i, node = 0;

	m.p.strings = m.strings;
	m.p.frames = frames_new(m.strings);
	tree_init(&m.tree);
	for (i = 0; i < ARRAY_LEN(f); i++) {
		struct frame *x = &f[backwards ? ARRAY_LEN(f) - 1 - i : i];

		x->name = a;
		x->kind = FRAME_USER;
		node = tree_child(&m.tree, node, frames_add(m.p.frames, x));
	}
	ranks_init(&r, &g, 1, &m.p, false);
	assert_int_equal(r.n, 1 + ARRAY_LEN(f));
	frame = in_order(&r, &m);
	for (i = 1; i < r.n; i++) {
		const struct frame *x = frames_get(m.p.frames, frame[i]);

		buf_printf(b, "%u %u %s %s %u\n", x->line, x->at_line,
			strtab_str(m.strings, x->at_file), strtab_str(m.strings, x->build),
			(unsigned)x->at_address);
	}
	free(frame);
	ranks_release(&r);
	release(&m);
}

static void frames_of_one_name_are_in_the_order_of_all_else(void **state)
{
	struct buf one = { 0 }, other = { 0 };

	(void)state;
	put_order(&one, false);
	put_order(&other, true);
	assert_string_equal(buf_str(&one), buf_str(&other));
	buf_release(&one);
	buf_release(&other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_are_in_the_order_of_their_names_then_of_their_lines),
		cmocka_unit_test(frames_of_one_name_are_in_the_order_of_all_else),
	};

	return cmocka_run_group_tests_name("ranks", tests, NULL, NULL);
}
