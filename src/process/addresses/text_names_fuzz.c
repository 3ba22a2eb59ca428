/*
 * Fuzz entry for addresses in a text: taking the text in blocks must give what taking it at once
 * gives, and where nothing has a name, the text itself.
 */
#include "process/addresses/text_names.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every other address is known. */
static enum text_answer name(void *ctx, const struct text_address *at, struct buf *out)
{
	const bool *nothing = ctx;

	if (*nothing || !((at->address - at->is_return) & 1))
		return TEXT_UNKNOWN;
	buf_puts(out, "name");
	return TEXT_NAMED;
}

static void run(struct span text, size_t block, struct text_names *t, struct buf *out)
{
	size_t taken = 0, end = 0;

	do {
		end = text.n - end < block ? text.n : end + block;
		taken += text_names_put(
			t, span_range(text.p + taken, text.p + end), end == text.n, out);
		if (taken > end)
			abort();
	} while (end < text.n);
	if (taken != text.n)
		abort();
	text_names_release(t);
}

static void expect_same(struct span a, struct span b)
{
	if (!span_eq(a, b))
		abort();
}

/* The first byte says how large a block is, and whether names replace addresses. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bool some = false, nothing = true;
	struct text_names t;
	struct buf whole = { 0 }, blocks = { 0 }, copy = { 0 };
	struct span text;

	if (!size)
		return 0;
	text = (struct span){ (const char *)data + 1, size - 1 };
	t = (struct text_names){ .name = name, .ctx = &some, .in_place = data[0] & 1 };
	run(text, SIZE_MAX, &t, &whole);
	t = (struct text_names){ .name = name, .ctx = &some, .in_place = data[0] & 1 };
	run(text, data[0] / 2 + 1, &t, &blocks);
	t = (struct text_names){ .name = name, .ctx = &nothing };
	run(text, SIZE_MAX, &t, &copy);
	expect_same(buf_span(&whole), buf_span(&blocks));
	expect_same(buf_span(&copy), text);
	buf_release(&whole);
	buf_release(&blocks);
	buf_release(&copy);
	return 0;
}
