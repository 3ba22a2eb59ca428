/*
 * html_for_test.h - the data of a report, read as its script does
 *
 * Owns: nothing; what is unpacked is owned by the caller. Only for tests.
 */
#ifndef PERFOLD_OUTPUT_HTML_HTML_FOR_TEST_H
#define PERFOLD_OUTPUT_HTML_HTML_FOR_TEST_H

#include "base/base64.h"
#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <cmocka.h>

/* Pops the text between start and end from the front of from; false if there is none. */
static inline bool test_between(
	struct span *from, const char *start, const char *end, struct span *out)
{
	const char *a = memmem(from->p, from->n, start, strlen(start)), *b;

	*out = (struct span){ 0 };
	if (!a)
		return false;
	a += strlen(start);
	b = memmem(a, (size_t)(from->p + from->n - a), end, strlen(end));
	assert_non_null(b);
	*out = span_range(a, b);
	*from = span_range(b, from->p + from->n);
	return true;
}

/* The next of a page's packed blocks; false: there are no more. */
static inline bool test_html_block(struct span *page, struct buf *out)
{
	struct span text;
	struct buf packed = { 0 };
	uLongf n = 1 << 24;

	if (!test_between(
		    page, "<script type=\"text/plain\" class=\"packed\">", "</script>", &text))
		return false;
	assert_true(base64_decode(text, &packed));
	out->n = 0;
	buf_reserve(out, n);
	assert_int_equal(uncompress((Bytef *)out->p, &n, (const Bytef *)packed.p, packed.n), Z_OK);
	out->n = n;
	buf_release(&packed);
	return true;
}

static inline uint64_t test_varint(struct span *from)
{
	uint64_t v = 0;
	unsigned shift;

	for (shift = 0; from->n; shift += 7) {
		unsigned char c = (unsigned char)*from->p;

		*from = span_skip(*from, 1);
		v |= (uint64_t)(c & 0x7f) << shift;
		if (c < 0x80)
			return v;
	}
	fail_msg("the bytes end within a number");
	return 0;
}

static inline uint64_t test_change(struct span *from)
{
	uint64_t v = test_varint(from);

	return v >> 1 ^ (v & 1 ? UINT64_MAX : 0);
}

static inline uint64_t *test_column(struct span *from, size_t n)
{
	uint64_t *column = xcalloc(n + 1, sizeof(*column));
	size_t i;

	for (i = 0; i < n; i++)
		column[i] = test_varint(from);
	return column;
}

/* The tree: names of nodes (borrowed from the block), what ends in them, and their depth. */
struct test_html_tree {
	size_t n;
	struct span *name;
	uint64_t *self;
	uint32_t *depth;
};

static inline struct span *test_html_names(struct span *rest)
{
	size_t n_texts = test_varint(rest), n, i;
	uint64_t *length = test_column(rest, n_texts), *name;
	struct span *texts = xcalloc(n_texts + 1, sizeof(*texts)), *names;

	for (i = 0; i < n_texts; i++) {
		texts[i] = (struct span){ rest->p, length[i] };
		*rest = span_skip(*rest, length[i]);
	}
	free(test_column(rest, 2 * test_varint(rest))); /* modules */
	free(test_column(rest, 2 * test_varint(rest))); /* categories */
	free(test_column(rest, 2 * test_varint(rest))); /* packages */
	free(test_column(rest, 3 * test_varint(rest))); /* mixes */
	free(test_column(rest, test_varint(rest)));     /* colours of tiers */
	n = test_varint(rest);
	name = test_column(rest, n);
	free(test_column(rest, 9 * n));
	names = xcalloc(n + 1, sizeof(*names));
	for (i = 0; i < n; i++)
		names[i] = texts[name[i]];
	free(name);
	free(texts);
	free(length);
	return names;
}

static inline void test_html_tree(struct span rest, struct test_html_tree *t)
{
	struct span *names = test_html_names(&rest);
	uint64_t unit, *frame;
	size_t i;

	t->n = test_varint(&rest);
	unit = test_varint(&rest);
	frame = test_column(&rest, t->n);
	t->self = test_column(&rest, t->n);
	t->name = xcalloc(t->n + 1, sizeof(*t->name));
	t->depth = xcalloc(t->n + 1, sizeof(*t->depth));
	for (i = 0; i < t->n; i++) {
		uint64_t up = test_varint(&rest);

		t->name[i] = names[frame[i]];
		t->self[i] *= unit;
		t->depth[i] = i ? (uint32_t)(t->depth[i - 1] + 1 - up) : 0;
	}
	assert_int_equal(rest.n, 0);
	free(names);
	free(frame);
}

static inline void test_html_tree_release(struct test_html_tree *t)
{
	free(t->name);
	free(t->self);
	free(t->depth);
}

/* "a;b;c" of a node. */
static inline void test_html_stack(const struct test_html_tree *t, size_t node, struct buf *out)
{
	struct span *path = xcalloc(t->depth[node] + 1, sizeof(*path));
	uint32_t depth = t->depth[node], i;
	size_t at;

	for (at = node, i = depth; i; at--)
		if (t->depth[at] == i)
			path[--i] = t->name[at];
	out->n = 0;
	for (i = 0; i < depth; i++) {
		if (i)
			buf_putc(out, ';');
		buf_put_span(out, path[i]);
	}
	free(path);
}

#endif
