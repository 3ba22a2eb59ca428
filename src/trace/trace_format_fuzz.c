/* Formats and payloads: the first byte cuts the input into a section (or a format) and a sample. */
#include "trace/trace_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void read_all(const struct trace_format *f, const uint8_t *raw, size_t n, struct buf *b)
{
	struct field_value v;
	uint32_t i, k, swapped;

	for (swapped = 0; swapped < 2; swapped++) {
		for (i = 0; i < f->n_fields; i++) {
			const struct trace_field *field = &f->fields[i];

			if (trace_format_read_field(field, raw, n, swapped, &v))
				field_value_put(b, &v);
			k = trace_format_count_elements(field, raw, n, swapped);
			if (k && trace_format_read_element(field, k - 1, raw, n, swapped, &v))
				field_value_put(b, &v);
			b->n = 0;
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct trace_formats *t;
	struct buf shown = { 0 };
	size_t raw_bytes;
	uint32_t i;

	if (n < 2)
		return 0;
	raw_bytes = p[0] < n - 1 ? p[0] : n - 1;
	t = trace_formats_new();
	if (!trace_formats_parse(t, p + 1, n - 1 - raw_bytes))
		trace_formats_add(t, SPAN("fuzz"),
			(struct span){ (const char *)p + 1, n - 1 - raw_bytes }, 8, p[1] & 1);
	for (i = 0; i < trace_formats_count(t); i++)
		read_all(trace_formats_get(t, i), p + n - raw_bytes, raw_bytes, &shown);
	buf_release(&shown);
	trace_formats_free(t);
	return 0;
}
