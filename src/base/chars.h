/*
 * chars.h - classes of bytes, as in ctype.h but without a locale
 *
 * The one place for such predicates. A byte of 128 and above is in no class, whether char is
 * signed or not; so sequences of UTF-8 beyond ASCII are never part of a word.
 *
 *	char_is_blank		' ' \t \r: separates words of a line
 *	char_is_space		' ' \t \r \n
 *	char_is_digit		0-9
 *	char_is_lower		a-z
 *	char_is_upper		A-Z
 *	char_is_letter		a-z A-Z
 *	char_is_alnum		a-z A-Z 0-9
 *	char_is_word		a-z A-Z 0-9 _
 *	char_is_hex		0-9 a-f A-F
 *	char_is_lower_hex	0-9 a-f, as perf prints addresses
 *	char_is_punct		! to ~ without letters and digits
 *
 *	char_to_lower		A-Z become a-z
 *	char_hex_value		0 to 15; -1 where it is no hexadecimal digit
 *
 * Numbers are scanned by base/span.h: span_scan_u64(), span_scan_hex().
 *
 * Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_BASE_CHARS_H
#define PERFOLD_BASE_CHARS_H

#include <stdbool.h>

/* CR counts: text files that passed through other systems end their lines with it. */
static inline bool char_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static inline bool char_is_space(char c)
{
	return char_is_blank(c) || c == '\n';
}

static inline bool char_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool char_is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static inline bool char_is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static inline bool char_is_letter(char c)
{
	return char_is_lower(c) || char_is_upper(c);
}

static inline bool char_is_alnum(char c)
{
	return char_is_letter(c) || char_is_digit(c);
}

static inline bool char_is_word(char c)
{
	return char_is_alnum(c) || c == '_';
}

static inline bool char_is_lower_hex(char c)
{
	return char_is_digit(c) || (c >= 'a' && c <= 'f');
}

static inline bool char_is_hex(char c)
{
	return char_is_lower_hex(c) || (c >= 'A' && c <= 'F');
}

static inline bool char_is_punct(char c)
{
	return c >= '!' && c <= '~' && !char_is_alnum(c);
}

static inline char char_to_lower(char c)
{
	return char_is_upper(c) ? (char)(c - 'A' + 'a') : c;
}

static inline int char_hex_value(char c)
{
	if (char_is_digit(c))
		return c - '0';
	c = char_to_lower(c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

#endif
