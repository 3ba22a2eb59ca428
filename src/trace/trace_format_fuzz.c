/* Formats and payloads: the first byte cuts the input into a section (or a format) and a sample. */
#include "trace/trace_format_for_test.h"
#include "trace/trace_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void read_name(const struct trace_format *f, const uint8_t *raw, size_t n, struct buf *b)
{
	struct trace_picked picked = trace_format_pick(f, buf_span(b));
	struct field_value v;
	unsigned swapped;

	for (swapped = 0; swapped < 2; swapped++)
		if (trace_format_read_picked(&picked, raw, n, swapped, &v))
			field_value_put(b, &v);
	b->n = 0;
}

static void read_all(const struct trace_format *f, const uint8_t *raw, size_t n, struct buf *b)
{
	uint32_t i, k;

	for (i = 0; i < f->n_fields; i++) {
		buf_puts(b, f->fields[i].name);
		read_name(f, raw, n, b);
		for (k = 0; k < 4; k++) {
			buf_printf(b, "%s[%u]", f->fields[i].name, k);
			read_name(f, raw, n, b);
		}
	}
}

/* All formats with a number that is in the text. */
static void read_formats(const struct trace_format_table *t, struct span text, const uint8_t *raw,
	size_t n, struct buf *b)
{
	const struct span key = SPAN("ID: ");
	ptrdiff_t at;
	uint64_t id;

	while ((at = span_find(text, key)) >= 0) {
		const struct trace_format *f;

		text = span_skip(text, (size_t)at + key.n);
		f = span_scan_u64(&text, &id) ? trace_format_table_find(t, id) : NULL;
		if (f)
			read_all(f, raw, n, b);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct trace_format_table *t;
	struct buf b = { 0 };
	struct span text;
	size_t raw_bytes;

	if (n < 2)
		return 0;
	raw_bytes = p[0] < n - 1 ? p[0] : n - 1;
	text = (struct span){ (const char *)p + 1, n - 1 - raw_bytes };
	t = trace_format_table_new();
	if (!trace_format_table_parse(t, p + 1, text.n)) {
		section_begin(&b, p[1] & 1, 1);
		section_add(&b, p[1] & 1, "fuzz", text.p, text.n);
		trace_format_table_parse(t, (const uint8_t *)b.p, b.n);
		b.n = 0;
	}
	read_formats(t, text, p + n - raw_bytes, raw_bytes, &b);
	buf_release(&b);
	trace_format_table_free(t);
	return 0;
}
