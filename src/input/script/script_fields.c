#include "input/script/script_fields.h"

#include "base/chars.h"

static bool is_name_char(char c)
{
	return c == '_' || char_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Does "NAME=" or "NAME:" begin at s? The sign, or NUL. */
static char begins_field(struct span s)
{
	size_t n = 0;

	while (n < s.n && is_name_char(s.p[n]))
		n++;
	if (!n || n == s.n || (s.p[n] != '=' && s.p[n] != ':'))
		return '\0';
	/* "==>" and "::" belong to values. */
	return n + 1 < s.n && (s.p[n + 1] == '=' || s.p[n + 1] == ':') ? '\0' : s.p[n];
}

/* What lies between the sign of a field and the next one. */
static struct span take_value(struct span s, char sign)
{
	size_t i;

	if (s.n && s.p[0] == '"') {
		const char *end = memchr(s.p + 1, '"', s.n - 1);

		if (end)
			return span_range(s.p + 1, end);
	}
	for (i = 0; i < s.n; i++) {
		struct span behind = span_skip(s, i + 1);

		if (!char_is_blank(s.p[i]))
			continue;
		if (span_starts(behind, SPAN("==>")) || begins_field(behind) == sign)
			break;
	}
	s.n = i;
	s = span_trim(s);
	if (sign == ':' && s.n && s.p[s.n - 1] == ',')
		s.n--;
	return s;
}

/* sys_exit_*: what the call returned stands there alone, in hexadecimal; then perhaps a frame. */
static bool take_result(struct span rest, struct field_value *v)
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

bool script_fields_find(struct span rest, struct span name, struct field_value *v)
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
		value = take_value(at, sign);
		if (!field_value_scan(value, v))
			*v = (struct field_value){ .has_text = true, .text = value };
		return true;
	}
	return span_eq(name, SPAN("ret")) && take_result(rest, v);
}
