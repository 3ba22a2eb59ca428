/*
 * go_table_fuzz.c - any bytes as the table of a Go program
 *
 * The first byte says the byte order, and how much of the rest are trees.
 */
#include "files/go_program/go_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct go_call call[GO_CALLS_MAX];
	struct go_function f;
	struct go_stack stack;
	struct go_walks walks = { 0 };
	struct go_table g;
	struct span bytes = span_skip((struct span){ (const char *)data, size }, 1);
	size_t trees = size ? bytes.n * (data[0] >> 1) / 256 : 0;
	uint64_t text, i;

	if (!go_table_read(
		    &g, (struct span){ bytes.p, bytes.n - trees }, size && data[0] & 1, &text))
		return 0;
	g.text = text;
	g.trees = g.tree_address = 0x9000;
	g.tree_bytes = span_skip(bytes, bytes.n - trees);
	g.steps_left = 1 << 16;
	g.walks = &walks;
	for (i = 0; i < g.n && i < 64; i++)
		if (go_table_get(&g, i, &f) && go_table_find(&g, f.start, &f)) {
			go_table_calls(&g, &f, f.start + (f.end - f.start) / 2, true, call);
			go_table_stack(&g, &f, f.start + (f.end - f.start) / 2, &stack);
			go_table_is_outermost(&g, &f);
		}
	return 0;
}
