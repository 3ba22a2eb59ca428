/*
 * span.h - a borrowed string with a length
 *
 * May hold any byte, NUL included; has no terminator. The scanners read the longest number at
 * the front of a span, without locale, sign or overflow.
 *
 * Owns: nothing, the bytes are borrowed. Threads: any.
 */
#ifndef PERFOLD_BASE_SPAN_H
#define PERFOLD_BASE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct span {
	const char *p;
	size_t n;
};

#define SPAN(literal) ((struct span){ (literal), sizeof(literal) - 1 })
/* For printf("%.*s"): a span as two arguments, at most 400 bytes of it. */
#define SPAN_ARG(s) (int)((s).n > 400 ? 400 : (s).n), (s).p

static inline struct span span_of(const char *s)
{
	return (struct span){ s, s ? strlen(s) : 0 };
}

static inline struct span span_range(const char *from, const char *to)
{
	return (struct span){ from, (size_t)(to - from) };
}

/* The span without its first n bytes. The p of an empty span may be NULL, which is not added to. */
static inline struct span span_skip(struct span s, size_t n)
{
	n = n < s.n ? n : s.n;
	return n > 0 ? (struct span){ s.p + n, s.n - n } : s;
}

static inline bool span_eq(struct span a, struct span b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

static inline bool span_starts(struct span s, struct span prefix)
{
	return s.n >= prefix.n && (prefix.n == 0 || memcmp(s.p, prefix.p, prefix.n) == 0);
}

/* Take the prefix off; false if *s does not start with it. */
static inline bool span_take(struct span *s, struct span prefix)
{
	if (!span_starts(*s, prefix))
		return false;
	*s = span_skip(*s, prefix.n);
	return true;
}

static inline bool span_ends(struct span s, struct span suffix)
{
	return s.n >= suffix.n &&
	       (suffix.n == 0 || memcmp(s.p + s.n - suffix.n, suffix.p, suffix.n) == 0);
}

/* Length of the prefix that both have. */
size_t span_common_prefix(struct span a, struct span b);

/* Order by bytes, a prefix first: strcmp() for spans. */
int span_cmp(struct span a, struct span b);
/* The same with one more byte after each; -1: none. */
static inline int span_cmp_ended(struct span a, int a_end, struct span b, int b_end)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int order = n ? memcmp(a.p, b.p, n) : 0;

	if (order)
		return order;
	return (n < a.n ? (unsigned char)a.p[n] : a_end) -
	       (n < b.n ? (unsigned char)b.p[n] : b_end);
}

/* How many bytes at the front are not in the set. */
size_t span_until(struct span s, const bool set[256]);
/* The last part of a path; the whole where it has no slash. */
struct span span_basename(struct span path);
/* Without blanks, tabs, CR and LF at both ends. */
struct span span_trim(struct span s);
/* Position of needle in s, or -1. */
ptrdiff_t span_find(struct span s, struct span needle);
/* Cut the line at the front off *rest, without its LF; false at the end. */
bool span_next_line(struct span *rest, struct span *line);

/* Writes the digits of a number, 20 at most, to end at end. Returns where they begin. */
static inline char *span_put_digits(char *end, uint64_t v)
{
	do {
		*--end = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	return end;
}

/* Number at the front of *s, which is moved past it. False (and *s unmoved) where there is no digit
 * or the number does not fit. Hexadecimal digits of both cases; no "0x". */
bool span_scan_u64(struct span *s, uint64_t *value);
bool span_scan_hex(struct span *s, uint64_t *value);
/* ":NUMBER" at the end of *s, which is cut off. False (and *s unchanged) where there is none or
 * it does not fit. */
bool span_scan_last_number(struct span *s, uint32_t *number);
/* Digits, and one point among them or none: "2.5"; no exponent. */
bool span_scan_double(struct span *s, double *value);

#endif
