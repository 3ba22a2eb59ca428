#include "jit/bytecodes.h"

#include "base/mem.h"
#include "model/v8name.h"

#include <stdlib.h>

enum { FIRST_SQUEEZE = 64 * 1024 };

bool bytecodes_wants(struct span name)
{
	struct v8_name v8;

	return v8_name_parse(name, &v8) && v8.tier == V8_INTERPRETED;
}

static int compare_lines(const void *pa, const void *pb)
{
	const struct bytecode *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

/* One line for each start: the last. */
static void drop_repeated(struct bytecodes *b)
{
	size_t i, out = 0;

	for (i = 0; i < b->n; i++) {
		struct bytecode *last = out ? &b->at[out - 1] : NULL;

		if (!last || last->start != b->at[i].start) {
			b->at[out++] = b->at[i];
			continue;
		}
		b->at[i].of_several =
			last->of_several || b->at[i].of_several ||
			!v8_same_function(bytecodes_name(b, last), bytecodes_name(b, &b->at[i]));
		*last = b->at[i];
	}
	b->n = out;
}

/* The lines that are left are older than all that come later: their order does not matter. */
static void compact_text(struct bytecodes *b)
{
	struct buf text = { 0 };
	size_t i;

	for (i = 0; i < b->n; i++) {
		struct bytecode *line = &b->at[i];
		size_t place = text.n;

		buf_put_span(&text, bytecodes_name(b, line));
		line->name = place;
	}
	buf_release(&b->text);
	b->text = text;
}

static void squeeze(struct bytecodes *b)
{
	if (!b->n)
		return;
	qsort(b->at, b->n, sizeof(*b->at), compare_lines);
	drop_repeated(b);
	compact_text(b);
	b->squeeze_at = 2 * b->n;
}

void bytecodes_add(struct bytecodes *b, uint64_t start, struct span name)
{
	if (b->n >= FIRST_SQUEEZE && b->n >= b->squeeze_at)
		squeeze(b);
	ARRAY_GROW(b->at, b->n, b->cap);
	b->at[b->n++] = (struct bytecode){
		.start = start, .name = b->text.n, .name_size = (uint32_t)name.n
	};
	buf_put_span(&b->text, name);
}

void bytecodes_continue_name(struct bytecodes *b, struct span more)
{
	buf_put_span(&b->text, more);
	b->at[b->n - 1].name_size += (uint32_t)more.n;
}

void bytecodes_finish(struct bytecodes *b)
{
	squeeze(b);
}

void bytecodes_release(struct bytecodes *b)
{
	free(b->at);
	buf_release(&b->text);
}

struct bytecode *bytecodes_from(const struct bytecodes *b, uint64_t address)
{
	size_t from = 0, until = b->n;

	while (from < until) {
		size_t middle = from + (until - from) / 2;

		if (b->at[middle].start < address)
			from = middle + 1;
		else
			until = middle;
	}
	return from < b->n ? &b->at[from] : NULL;
}
