#include "base/span.h"

#include <endian.h>

int span_cmp(struct span a, struct span b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n ? memcmp(a.p, b.p, n) : 0;

	if (c)
		return c;
	return a.n < b.n ? -1 : a.n > b.n;
}

size_t span_shared(struct span a, struct span b)
{
	size_t n = a.n < b.n ? a.n : b.n, i = 0;
	uint64_t x, y;

	for (; i + sizeof(x) <= n; i += sizeof(x)) {
		memcpy(&x, a.p + i, sizeof(x));
		memcpy(&y, b.p + i, sizeof(y));
		if (x != y)
			break;
	}
	while (i < n && a.p[i] == b.p[i])
		i++;
	return i;
}

struct span span_basename(struct span path)
{
	const char *slash = path.n ? memrchr(path.p, '/', path.n) : NULL;

	return slash ? span_range(slash + 1, path.p + path.n) : path;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct span span_trim(struct span s)
{
	while (s.n && is_blank(s.p[0]))
		s = span_from(s, 1);
	while (s.n && is_blank(s.p[s.n - 1]))
		s.n--;
	return s;
}

ptrdiff_t span_find(struct span s, struct span needle)
{
	const char *at = needle.n ? memmem(s.p, s.n, needle.p, needle.n) : s.p;

	return at ? at - s.p : -1;
}

bool span_next_line(struct span *rest, struct span *line)
{
	const char *lf;

	if (!rest->n)
		return false;
	lf = memchr(rest->p, '\n', rest->n);
	*line = lf ? span_range(rest->p, lf) : *rest;
	*rest = span_from(*rest, line->n + 1);
	return true;
}

bool scan_dec(struct span *s, uint64_t *value)
{
	uint64_t v = 0;
	size_t i;

	for (i = 0; i < s->n && s->p[i] >= '0' && s->p[i] <= '9'; i++) {
		if (__builtin_mul_overflow(v, 10, &v) ||
			__builtin_add_overflow(v, (uint64_t)(s->p[i] - '0'), &v))
			return false;
	}
	if (!i)
		return false;
	*value = v;
	*s = span_from(*s, i);
	return true;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Eight hexadecimal digits, all at once; false where one of them is none. */
static bool eight_hex_digits(const char *p, uint64_t *value)
{
	const uint64_t ones = 0x0101010101010101;
	uint64_t v, is_letter, low;

	memcpy(&v, p, sizeof(v));
	v = le64toh(v);
	is_letter = v >> 6 & ones;
	low = v & 0x0f * ones;
	/* Digits are 0x30 to 0x39, letters 0x41 to 0x46, and 0x61 to 0x66. */
	if (((v | is_letter << 5) & 0xf0 * ones) != 0x30 * (ones + is_letter) ||
		((low + 6 * ones + 3 * is_letter) & 0x10 * ones) ||
		((low + 0x0f * ones) >> 4 & is_letter) != is_letter)
		return false;
	v = low + 9 * is_letter;
	v = (v << 4 | v >> 8) & 0x00ff00ff00ff00ff;
	v = (v << 8 | v >> 16) & 0x0000ffff0000ffff;
	*value = (v << 16 | v >> 32) & 0xffffffff;
	return true;
}

bool scan_hex(struct span *s, uint64_t *value)
{
	uint64_t v = 0, eight;
	size_t i = 0;
	int d;

	for (; i <= 8 && s->n - i >= 8 && eight_hex_digits(s->p + i, &eight); i += 8)
		v = v << 32 | eight;
	for (; i < s->n && (d = hex_digit(s->p[i])) >= 0; i++) {
		if (v >> 60)
			return false;
		v = v << 4 | (uint64_t)d;
	}
	if (!i)
		return false;
	*value = v;
	*s = span_from(*s, i);
	return true;
}

bool scan_last_number(struct span *s, uint32_t *number)
{
	const char *colon = s->n ? memrchr(s->p, ':', s->n) : NULL;
	struct span digits;
	uint64_t v;

	if (!colon)
		return false;
	digits = span_range(colon + 1, s->p + s->n);
	if (!scan_dec(&digits, &v) || digits.n || v > UINT32_MAX)
		return false;
	*s = span_range(s->p, colon);
	*number = (uint32_t)v;
	return true;
}

bool scan_decimal(struct span *s, double *value)
{
	struct span rest = *s;
	uint64_t whole = 0, part = 0;
	double fraction = 0;
	size_t digits;

	if (!scan_dec(&rest, &whole))
		return false;
	if (rest.n && rest.p[0] == '.') {
		rest = span_from(rest, 1);
		digits = rest.n;
		if (!scan_dec(&rest, &part))
			return false;
		for (digits -= rest.n, fraction = (double)part; digits; digits--)
			fraction /= 10;
	}
	*value = (double)whole + fraction;
	*s = rest;
	return true;
}
