/*
 * These functions run over every line of every text input, so some look at several bytes at a time:
 *
 * span_common_prefix() compares words of eight bytes, four of them in each step; the lowest bit in
 * which two words differ gives the byte. span_until() tests four bytes in each step. Folded stacks
 * need them: neighbouring lines share long prefixes, and names are searched for the few bytes that
 * mean something.
 *
 * leading_hex_digits() converts up to eight digits at once, as /proc/kallsyms and perf maps consist
 * of hexadecimal numbers. Arithmetic on a word is done for eight bytes in parallel (SWAR):
 *
 *	low + (0x80 - '0')	has the high bit of each byte that is not below '0'
 *	& ~(low + 0x80 - ':')	and not beyond '9'; likewise a to f after setting bit 5
 *	v << 4 | v >> 8		joins pairs of digits, then pairs of bytes, then of 16 bits
 *
 * The scanners move *s past the number or leave it where it is; no number that does not fit is cut
 * down to one that does.
 */
#include "base/span.h"

#include "base/chars.h"

#include <endian.h>

int span_cmp(struct span a, struct span b)
{
	return span_cmp_ended(a, -1, b, -1);
}

/* The bits in which eight bytes differ. */
static uint64_t difference(const char *a, const char *b)
{
	uint64_t x, y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return x ^ y;
}

size_t span_common_prefix(struct span a, struct span b)
{
	enum { WORD = sizeof(uint64_t) };
	size_t n = a.n < b.n ? a.n : b.n, i = 0;

	for (; i + 4 * WORD <= n; i += 4 * WORD)
		if (difference(a.p + i, b.p + i) | difference(a.p + i + WORD, b.p + i + WORD) |
			difference(a.p + i + 2 * WORD, b.p + i + 2 * WORD) |
			difference(a.p + i + 3 * WORD, b.p + i + 3 * WORD))
			break;
	for (; i + WORD <= n; i += WORD) {
		uint64_t bits = difference(a.p + i, b.p + i);

		if (bits)
			return i + (size_t)__builtin_ctzll(le64toh(bits)) / 8;
	}
	while (i < n && a.p[i] == b.p[i])
		i++;
	return i;
}

size_t span_until(struct span s, const bool set[256])
{
	const unsigned char *p = (const unsigned char *)s.p;
	size_t n = 0;

	while (n + 4 <= s.n && !(set[p[n]] | set[p[n + 1]] | set[p[n + 2]] | set[p[n + 3]]))
		n += 4;
	while (n < s.n && !set[p[n]])
		n++;
	return n;
}

struct span span_basename(struct span path)
{
	const char *slash = path.n ? memrchr(path.p, '/', path.n) : NULL;

	return slash ? span_range(slash + 1, path.p + path.n) : path;
}

struct span span_trim(struct span s)
{
	while (s.n && char_is_space(s.p[0]))
		s = span_skip(s, 1);
	while (s.n && char_is_space(s.p[s.n - 1]))
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
	*rest = span_skip(*rest, line->n + 1);
	return true;
}

bool span_scan_u64(struct span *s, uint64_t *value)
{
	uint64_t v = 0;
	size_t i;

	for (i = 0; i < s->n && char_is_digit(s->p[i]); i++) {
		if (__builtin_mul_overflow(v, 10, &v) ||
			__builtin_add_overflow(v, (uint64_t)(s->p[i] - '0'), &v))
			return false;
	}
	if (!i)
		return false;
	*value = v;
	*s = span_skip(*s, i);
	return true;
}

/* How many of eight bytes are hexadecimal digits, counted from the first, and the value of those:
 * all at once, as maps and /proc/kallsyms consist of such numbers. */
static unsigned leading_hex_digits(const char *p, uint64_t *value)
{
	const uint64_t ones = 0x0101010101010101, high = 0x80 * ones;
	uint64_t v, low, lower, is_digit, is_letter, others;
	unsigned n;

	memcpy(&v, p, sizeof(v));
	v = le64toh(v);
	low = v & ~high;
	lower = low | 0x20 * ones;
	/* The highest bit of each byte: not before the first digit, and not beyond the last. */
	is_digit = (low + (0x80 - '0') * ones) & ~(low + (0x80 - ('9' + 1)) * ones);
	is_letter = (lower + (0x80 - 'a') * ones) & ~(lower + (0x80 - ('f' + 1)) * ones);
	others = ~((is_digit | is_letter) & ~v) & high;
	n = others ? (unsigned)__builtin_ctzll(others) / 8 : 8;
	if (!n)
		return 0;
	v = (v & 0x0f * ones) + 9 * (is_letter >> 7 & ones);
	v <<= 64 - 8 * n; /* fewer than eight: zeros before them */
	v = (v << 4 | v >> 8) & 0x00ff00ff00ff00ff;
	v = (v << 8 | v >> 16) & 0x0000ffff0000ffff;
	*value = (v << 16 | v >> 32) & 0xffffffff;
	return n;
}

bool span_scan_hex(struct span *s, uint64_t *value)
{
	uint64_t v = 0, part;
	unsigned n = 8;
	size_t i = 0;
	int d;

	for (; n == 8 && s->n - i >= 8; i += n) {
		n = leading_hex_digits(s->p + i, &part);
		if (n && v >> (64 - 4 * n))
			return false;
		v = n ? v << 4 * n | part : v;
	}
	for (; n == 8 && i < s->n && (d = char_hex_value(s->p[i])) >= 0; i++) {
		if (v >> 60)
			return false;
		v = v << 4 | (uint64_t)d;
	}
	if (!i)
		return false;
	*value = v;
	*s = span_skip(*s, i);
	return true;
}

bool span_scan_last_number(struct span *s, uint32_t *number)
{
	const char *colon = s->n ? memrchr(s->p, ':', s->n) : NULL;
	struct span digits;
	uint64_t v;

	if (!colon)
		return false;
	digits = span_range(colon + 1, s->p + s->n);
	if (!span_scan_u64(&digits, &v) || digits.n || v > UINT32_MAX)
		return false;
	*s = span_range(s->p, colon);
	*number = (uint32_t)v;
	return true;
}

bool span_scan_double(struct span *s, double *value)
{
	struct span rest = *s;
	uint64_t whole = 0, part = 0;
	double fraction = 0;
	size_t digits;

	if (!span_scan_u64(&rest, &whole))
		return false;
	if (rest.n && rest.p[0] == '.') {
		rest = span_skip(rest, 1);
		digits = rest.n;
		if (!span_scan_u64(&rest, &part))
			return false;
		for (digits -= rest.n, fraction = (double)part; digits; digits--)
			fraction /= 10;
	}
	*value = (double)whole + fraction;
	*s = rest;
	return true;
}
