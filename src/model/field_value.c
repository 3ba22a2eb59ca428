#include "model/field_value.h"

#include "base/chars.h"

#include <inttypes.h>

void field_value_put(struct buf *b, const struct field_value *v)
{
	if (v->has_text)
		buf_put_span(b, v->text);
	else if (v->has_number && v->is_address)
		buf_printf(b, "0x%" PRIx64, v->number);
	else if (v->has_number && v->is_signed)
		buf_printf(b, "%" PRId64, (int64_t)v->number);
	else if (v->has_number)
		buf_printf(b, "%" PRIu64, v->number);
}

bool field_value_scan(struct span text, struct field_value *v)
{
	bool negative = text.n && text.p[0] == '-';
	bool hex;

	*v = (struct field_value){ 0 };
	if (negative)
		text = span_skip(text, 1);
	hex = span_starts(text, SPAN("0x"));
	if (hex)
		text = span_skip(text, 2);
	if (!(hex ? span_scan_hex(&text, &v->number) : span_scan_u64(&text, &v->number)) ||
		text.n || (negative && v->number > (uint64_t)INT64_MAX))
		return false;
	v->has_number = true;
	v->is_signed = negative;
	v->is_address = hex;
	if (negative)
		v->number = -v->number;
	return true;
}

bool field_value_split_name(struct span s, struct span *name, int32_t *element)
{
	struct span rest = s;
	uint64_t v;
	size_t n = 0;

	*element = -1;
	while (n < s.n && char_is_word(s.p[n]))
		n++;
	*name = (struct span){ s.p, n };
	rest = span_skip(s, n);
	if (!n || !rest.n)
		return n > 0;
	if (rest.p[0] != '[')
		return false;
	rest = span_skip(rest, 1);
	if (!span_scan_u64(&rest, &v) || v > UINT16_MAX || !span_eq(rest, SPAN("]")))
		return false;
	*element = (int32_t)v;
	return true;
}
