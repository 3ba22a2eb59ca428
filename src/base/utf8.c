/*
 * Three readers need three kinds of escapes: XML, a terminal, and JSON or anything that wants valid
 * UTF-8. put_escaped() decodes a string character by character and asks an escape function for
 * each: NULL keeps the character. What is kept is copied in one piece up to the next escape, as
 * most names have none.
 *
 *	s	f o o < b a r
 *	plain	^             foo is copied when < is reached
 *
 * A byte that begins no valid sequence is a character of its own (bad), as section 3.9 of the
 * Unicode standard allows and as it must be for the escape \xNN; a decoder of browsers (WHATWG)
 * would sometimes take two or three such bytes for one U+FFFD.
 *
 * utf8_is_ascii() and utf8_is_plain_xml() look at all bytes and do not stop at the first special
 * one, as nearly all strings have none.
 *
 * Source: RFC 3629; XML 1.0, 2.2 "Characters" and 2.11 "End-of-Line Handling"; ECMA-48 for control
 * characters; Boucher, Anderson, "Trojan Source" (2021) for those that change the direction of
 * text.
 */
#include "base/utf8.h"

#include "base/chars.h"
#include "base/mem.h"

#include <stdio.h>

unsigned utf8_decode(struct span s, uint32_t *code)
{
	/* By the number of bytes: the smallest value that needs so many. */
	static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)s.p;
	unsigned n = p[0] < 0x80 ? 1 : p[0] < 0xc0 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
	uint32_t value = n == 1 ? p[0] : p[0] & (0x7fu >> n);
	unsigned i;

	if (n == 0 || n > s.n || p[0] >= 0xf8)
		return 0;
	for (i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (p[i] & 0x3f);
	}
	if (value < smallest[n] || (value >= 0xd800 && value <= 0xdfff) || value > 0x10ffff)
		return 0;
	*code = value;
	return n;
}

bool utf8_is_ascii(struct span s)
{
	const uint64_t high = 0x8080808080808080;
	uint64_t all = 0, word;

	for (; s.n >= sizeof(word); s = span_skip(s, sizeof(word))) {
		memcpy(&word, s.p, sizeof(word));
		all |= word;
	}
	for (; s.n; s = span_skip(s, 1))
		all |= (unsigned char)*s.p;
	return !(all & high);
}

bool utf8_valid(struct span s)
{
	uint32_t code;
	unsigned n;

	for (; s.n; s = span_skip(s, n)) {
		n = utf8_decode(s, &code);
		if (!n)
			return false;
	}
	return true;
}

size_t utf8_length(struct span s)
{
	size_t length = 0;
	uint32_t code;
	unsigned n;

	for (; s.n; s = span_skip(s, n ? n : 1)) {
		n = utf8_decode(s, &code);
		length++;
	}
	return length;
}

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

/* What to write for a character, or NULL: the character itself. A bad byte comes with bad set, its
 * value in code. The result may be built in room. */
typedef const char *(*escape_fn)(uint32_t code, bool bad, char room[16]);

static void put_escaped(struct buf *b, struct span s, escape_fn escape)
{
	const char *plain = s.p; /* from here on nothing needed an escape */
	char room[16];

	while (s.n) {
		uint32_t code = (unsigned char)s.p[0];
		unsigned n = utf8_decode(s, &code);
		const char *text = escape(code, n == 0, room);

		if (text) {
			buf_put_span(b, span_range(plain, s.p));
			buf_puts(b, text);
		}
		s = span_skip(s, n ? n : 1);
		if (text)
			plain = s.p;
	}
	buf_put_span(b, span_range(plain, s.p));
}

static const char *escape_xml(uint32_t code, bool bad, char room[16])
{
	(void)room;
	if (bad)
		return replacement;
	switch (code) {
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '&':
		return "&amp;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	/* Left alone, a parser makes blanks of them in attributes, and LF of CR everywhere. */
	case '\t':
		return "&#9;";
	case '\n':
		return "&#10;";
	case '\r':
		return "&#13;";
	}
	/* DEL and C1 are allowed, and discouraged: a page that is printed may be on a terminal. */
	if (code < 0x20 || (code >= 0x7f && code <= 0x9f))
		return replacement;
	return code == 0xfffe || code == 0xffff ? replacement : NULL;
}

bool utf8_is_plain_xml(struct span s)
{
	static const bool special[256] = { [0x00 ... 0x1f] = true,
		[0x7f ... 0xff] = true,
		['<'] = true,
		['>'] = true,
		['&'] = true,
		['"'] = true,
		['\''] = true };
	bool any = false;
	size_t i;

	for (i = 0; i < s.n; i++)
		any |= special[(unsigned char)s.p[i]];
	return !any;
}

void utf8_put_xml(struct buf *b, struct span s)
{
	put_escaped(b, s, escape_xml);
}

/* Characters that move the cursor, start a command of the terminal, or turn around the order of
 * what follows ("Trojan source"). */
static bool moves_terminal(uint32_t code)
{
	static const struct {
		uint32_t from, to;
	} range[] = {
		{ 0x00, 0x1f },     /* C0 */
		{ 0x7f, 0x9f },     /* DEL, C1: U+009B is ESC [ in one character */
		{ 0x061c, 0x061c }, /* Arabic letter mark */
		{ 0x200e, 0x200f }, /* left-to-right and right-to-left marks */
		{ 0x2028, 0x202e }, /* line and paragraph separators, embeddings, overrides */
		{ 0x2066, 0x2069 }, /* isolates */
	};
	size_t i;

	for (i = 0; i < ARRAY_LEN(range); i++)
		if (code >= range[i].from && code <= range[i].to)
			return true;
	return false;
}

static const char *escape_terminal(uint32_t code, bool bad, char room[16])
{
	if (!bad && !moves_terminal(code))
		return NULL;
	snprintf(room, 16, bad || code < 0x80 ? "\\x%02x" : "\\u{%x}", code);
	return room;
}

/* "##[", "##vso[" and their like, anywhere in a line, are commands for what shows a CI job's log.
 */
static bool begins_log_command(struct span s)
{
	s = span_skip(s, 2);
	while (s.n && char_is_lower(s.p[0]))
		s = span_skip(s, 1);
	return s.n && s.p[0] == '[';
}

void utf8_put_terminal(struct buf *b, struct span s)
{
	struct span rest = s;
	const char *at;

	while (rest.n && (at = memmem(rest.p, rest.n, "##", 2))) {
		rest = span_skip(rest, (size_t)(at + 1 - rest.p));
		if (!begins_log_command(span_skip(s, (size_t)(at - s.p))))
			continue;
		put_escaped(b, span_range(s.p, at), escape_terminal);
		buf_puts(b, "\\x23");
		s = rest;
	}
	put_escaped(b, s, escape_terminal);
}

static const char *escape_repair(uint32_t code, bool bad, char room[16])
{
	(void)code;
	(void)room;
	return bad ? replacement : NULL;
}

void utf8_put_repaired(struct buf *b, struct span s)
{
	if (utf8_is_ascii(s))
		buf_put_span(b, s);
	else
		put_escaped(b, s, escape_repair);
}
