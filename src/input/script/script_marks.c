#include "input/script/script_marks.h"

#include "input/text/text.h"

static bool is_call(struct span rest)
{
	return span_starts(rest, SPAN("NR "));
}

/* "NR 257 (ffffff9c, ...)": the number is "id", arguments are "args[0]" and so on. */
static bool call_field(struct span rest, struct span name, struct field_value *v)
{
	struct span number = span_skip(rest, 3);

	*v = (struct field_value){ .has_number = true };
	if (!span_scan_u64(&number, &v->number))
		return false;
	if (span_eq(name, SPAN("id")))
		return true;
	if (span_eq(name, SPAN("args[0]")) && span_starts(number, SPAN(" ("))) {
		number = span_skip(number, 2);
		return span_scan_hex(&number, &v->number);
	}
	if (span_eq(name, SPAN(MARK_RESULT_FIELD)) && span_starts(number, SPAN(" = "))) {
		v->is_signed = true;
		return field_value_scan(span_trim(span_skip(number, 3)), v);
	}
	return false;
}

static bool find_field(struct span rest, struct span name, struct field_value *v)
{
	if (text_fields_find(rest, name, v))
		return true;
	return is_call(rest) && call_field(rest, name, v);
}

void script_marks_put(
	struct marks *m, const struct mark_fields *fields, struct span rest, struct strtab *strings)
{
	struct field_value v;
	uint32_t i;

	rest = span_trim(rest);
	for (i = 0; i < fields->n; i++)
		if (find_field(rest, span_of(fields->name[i]), &v))
			marks_add_value(m, i, &v, strings);
}
