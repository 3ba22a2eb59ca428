/*
 * tiny_go_for_test.h - the table of a Go program of two functions, in any form and byte order
 *
 *	0x1000	main.main, a.go; line 7, from 0x1010 on main.mix inlined (b.go:20, declared at 19),
 *		from 0x1020 on line 8. From 0x1004 on it has 24 bytes of stack. It has no caller.
 *	0x1040	main.leaf, b.go:31, to 0x1080; without a stack
 */
#ifndef PERFOLD_FILES_GO_PROGRAM_TINY_GO_FOR_TEST_H
#define PERFOLD_FILES_GO_PROGRAM_TINY_GO_FOR_TEST_H

#include "base/buf.h"
#include "files/go_program/go_table.h"

enum { TINY_GO_MAIN = 0x1000, TINY_GO_LEAF = 0x1040, TINY_GO_END = 0x1080, TINY_GO_TREES = 0x9000 };

struct tiny_go {
	enum go_form form;
	unsigned word_bytes;
	bool swapped;
	struct buf table, trees;
};

static inline void tiny_go_put(const struct tiny_go *t, struct buf *b, uint64_t v, unsigned bytes)
{
	char p[8];

	bytes_put(p, v, bytes, t->swapped);
	buf_put(b, p, bytes);
}

static inline void tiny_go_align(struct buf *b)
{
	while (b->n % 8)
		buf_putc(b, 0);
}

static inline void tiny_go_string(struct buf *b, const char *s)
{
	buf_put(b, s, strlen(s) + 1);
}

/* Appends values, each with the bytes of code it is for; returns where they begin. */
static inline uint32_t tiny_go_values(struct buf *b, const int values[][2], unsigned n)
{
	uint32_t at = (uint32_t)b->n;
	int last = -1;
	unsigned i;

	for (i = 0; i < n; last = values[i++][0]) {
		int change = values[i][0] - last;

		buf_putc(b, (char)(change < 0 ? -2 * change - 1 : 2 * change));
		buf_putc(b, (char)values[i][1]);
	}
	buf_putc(b, 0);
	return at;
}

struct tiny_go_function {
	uint64_t start;
	uint32_t name, stack, files, lines, calls, declared;
	bool outermost;
};

static inline void tiny_go_record(
	struct tiny_go *t, struct buf *b, const struct tiny_go_function *f)
{
	const bool old = t->form == GO_1_16;
	unsigned pointer = old ? t->word_bytes : 4, i;

	tiny_go_put(t, b, old ? f->start : f->start - TINY_GO_MAIN, pointer);
	tiny_go_put(t, b, f->name, 4);
	for (i = 0; i < 2; i++)
		tiny_go_put(t, b, 0, 4);
	tiny_go_put(t, b, f->stack, 4);
	tiny_go_put(t, b, f->files, 4);
	tiny_go_put(t, b, f->lines, 4);
	tiny_go_put(t, b, f->calls ? 3 : 0, 4);
	tiny_go_put(t, b, 0, 4); /* the unit */
	if (t->form == GO_1_20)
		tiny_go_put(t, b, f->declared, 4);
	buf_putc(b, 0);
	buf_putc(b, f->outermost);
	buf_putc(b, 0);
	buf_putc(b, f->calls ? 4 : 0);
	for (i = 0; f->calls && i < 3; i++)
		tiny_go_put(t, b, i == 2 ? f->calls : 0, 4);
	while (old && b->n % t->word_bytes)
		buf_putc(b, 0);
	for (i = 0; f->calls && i < 4; i++)
		tiny_go_put(t, b, i < 3 ? 0 : old ? TINY_GO_TREES : 0, pointer);
	tiny_go_align(b);
}

static inline void tiny_go_tree(struct tiny_go *t, uint32_t name)
{
	const uint64_t old[] = { 0, 0, 0, name, 8 }, new[] = { 0, name, 8, 19 };
	const uint64_t *field = t->form == GO_1_20 ? new : old;
	unsigned n = t->form == GO_1_20 ? 4 : 5, i;

	for (i = 0; i < n; i++)
		tiny_go_put(t, &t->trees, field[i], 4);
}

/* Appends a part, and notes where it begins. */
static inline void tiny_go_part(struct tiny_go *t, uint64_t *at, struct buf *part)
{
	tiny_go_align(&t->table);
	*at = t->table.n;
	buf_put_span(&t->table, buf_span(part));
	buf_release(part);
}

static inline void tiny_go_header(struct tiny_go *t, const uint64_t at[GO_PARTS])
{
	static const uint32_t magic[] = { 0xfffffffa, 0xfffffff0, 0xfffffff1 };
	struct buf b = { 0 };
	unsigned i;

	tiny_go_put(t, &b, magic[t->form], 4);
	buf_put(&b, "\0\0\1", 3);
	buf_putc(&b, (char)t->word_bytes);
	tiny_go_put(t, &b, 2, t->word_bytes);
	tiny_go_put(t, &b, 2, t->word_bytes);
	if (t->form != GO_1_16)
		tiny_go_put(t, &b, TINY_GO_MAIN, t->word_bytes);
	for (i = 0; i < GO_PARTS; i++)
		tiny_go_put(t, &b, at[i], t->word_bytes);
	memcpy(t->table.p, b.p, b.n);
	buf_release(&b);
}

/* The list of functions and their records. */
static inline void tiny_go_functions(
	struct tiny_go *t, struct buf *part, const struct tiny_go_function f[2])
{
	const bool old = t->form == GO_1_16;
	unsigned bytes = old ? t->word_bytes : 4, i;
	struct buf list = { 0 }, records = { 0 };
	uint64_t first = (uint64_t)bytes * 6;

	for (i = 0; i < 2; i++) {
		tiny_go_put(t, &list, old ? f[i].start : f[i].start - TINY_GO_MAIN, bytes);
		tiny_go_put(t, &list, first + records.n, bytes);
		tiny_go_record(t, &records, &f[i]);
	}
	tiny_go_put(t, &list, old ? TINY_GO_END : TINY_GO_END - TINY_GO_MAIN, bytes);
	tiny_go_put(t, &list, 0, bytes);
	buf_put_span(part, buf_span(&list));
	buf_put_span(part, buf_span(&records));
	buf_release(&list);
	buf_release(&records);
}

/* t: form, word_bytes and swapped are set. */
static inline void tiny_go_init(struct tiny_go *t)
{
	static const int stack[][2] = { { 0, 4 }, { 24, 60 } }, leaf_stack[][2] = { { 0, 64 } },
			 files[][2] = { { 0, 16 }, { 1, 16 }, { 0, 32 } },
			 lines[][2] = { { 7, 16 }, { 20, 16 }, { 8, 32 } },
			 calls[][2] = { { -1, 16 }, { 0, 16 }, { -1, 32 } },
			 leaf_files[][2] = { { 1, 64 } }, leaf_lines[][2] = { { 31, 64 } };
	struct buf part[GO_PARTS] = { 0 };
	struct tiny_go_function f[2] = {
		{ .start = TINY_GO_MAIN, .declared = 5, .outermost = true },
		{ .start = TINY_GO_LEAF, .declared = 30 }
	};
	uint64_t at[GO_PARTS] = { 0 };
	unsigned i;

	buf_putc(&part[GO_VALUES], 0);
	f[0].stack = tiny_go_values(&part[GO_VALUES], stack, 2);
	f[1].stack = tiny_go_values(&part[GO_VALUES], leaf_stack, 1);
	f[0].files = tiny_go_values(&part[GO_VALUES], files, 3);
	f[0].lines = tiny_go_values(&part[GO_VALUES], lines, 3);
	f[0].calls = tiny_go_values(&part[GO_VALUES], calls, 3);
	f[1].files = tiny_go_values(&part[GO_VALUES], leaf_files, 1);
	f[1].lines = tiny_go_values(&part[GO_VALUES], leaf_lines, 1);
	tiny_go_string(&part[GO_NAMES], "main.main");
	f[1].name = (uint32_t)part[GO_NAMES].n;
	tiny_go_string(&part[GO_NAMES], "main.leaf");
	tiny_go_tree(t, (uint32_t)part[GO_NAMES].n);
	tiny_go_string(&part[GO_NAMES], "main.mix");
	tiny_go_string(&part[GO_FILES], "/a.go");
	tiny_go_string(&part[GO_FILES], "/b.go");
	tiny_go_put(t, &part[GO_UNITS], 0, 4);
	tiny_go_put(t, &part[GO_UNITS], 6, 4);
	tiny_go_functions(t, &part[GO_FUNCTIONS], f);
	for (i = 0; i < 10; i++)
		tiny_go_put(t, &t->table, 0, 8);
	for (i = 0; i < GO_PARTS; i++)
		tiny_go_part(t, &at[i], &part[i]);
	tiny_go_header(t, at);
}

static inline void tiny_go_release(struct tiny_go *t)
{
	buf_release(&t->table);
	buf_release(&t->trees);
}

#endif
