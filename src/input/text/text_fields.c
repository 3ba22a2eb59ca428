#include "input/text/text_fields.h"

#include "base/chars.h"

/* The sign of a field that begins at s, "NAME=" or "NAME:"; NUL: none begins here. */
static char begins_field(struct span s)
{
	size_t n = 0;

	while (n < s.n && char_is_word(s.p[n]))
		n++;
	if (!n || n == s.n || (s.p[n] != '=' && s.p[n] != ':'))
		return '\0';
	/* "==>" and "::" belong to values. */
	return n + 1 < s.n && (s.p[n + 1] == '=' || s.p[n + 1] == ':') ? '\0' : s.p[n];
}

/* The value of a field: from its sign to the next field. */
static struct span cut_value(struct span s, char sign)
{
	size_t i;

	if (s.n && s.p[0] == '"') {
		const char *end = memchr(s.p + 1, '"', s.n - 1);

		if (end)
			return span_range(s.p + 1, end);
	}
	for (i = 0; i < s.n; i++) {
		struct span after = span_skip(s, i + 1);

		if (!char_is_blank(s.p[i]))
			continue;
		if (span_starts(after, SPAN("==>")) || begins_field(after) == sign)
			break;
	}
	s.n = i;
	s = span_trim(s);
	if (sign == ':' && s.n && s.p[s.n - 1] == ',')
		s.n--;
	return s;
}

/* sys_exit_*: the return value alone, in hexadecimal; a frame may follow. */
static bool scan_result(struct span rest, struct field_value *v)
{
	struct span s = span_trim(rest);
	size_t n = 0;

	while (n < s.n && !char_is_blank(s.p[n]))
		n++;
	v->has_number = false;
	if (!span_starts(s, SPAN("0x")) || !field_value_scan((struct span){ s.p, n }, v))
		return false;
	v->is_signed = true;
	v->is_address = false;
	return true;
}

bool text_fields_find(struct span rest, struct span name, struct field_value *v)
{
	struct span value;
	size_t i;

	for (i = 0; i + name.n < rest.n; i++) {
		struct span at = span_skip(rest, i);
		char sign;

		if ((i && !char_is_blank(rest.p[i - 1])) || !span_starts(at, name))
			continue;
		sign = begins_field(at);
		if (!sign || at.p[name.n] != sign)
			continue;
		at = span_skip(at, name.n + 1);
		while (sign == ':' && at.n && char_is_blank(at.p[0]))
			at = span_skip(at, 1);
		value = cut_value(at, sign);
		if (!field_value_scan(value, v))
			*v = (struct field_value){ .has_text = true, .text = value };
		return true;
	}
	return span_eq(name, SPAN("ret")) && scan_result(rest, v);
}
