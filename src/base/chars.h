/*
 * chars.h - kinds of bytes in texts, without a locale
 *
 * Threads: any.
 */
#ifndef PERFOLD_INPUT_CHARS_H
#define PERFOLD_INPUT_CHARS_H

#include <stdbool.h>

/* CR counts: texts that passed through other systems end their lines with it. */
static inline bool char_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static inline bool char_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* perf prints addresses in lower case. */
static inline bool char_is_lower_hex(char c)
{
	return char_is_digit(c) || (c >= 'a' && c <= 'f');
}

#endif
