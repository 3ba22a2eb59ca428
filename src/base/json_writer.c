/*
 * json_writer.c - JSON by yajl, which checks the order of calls
 *
 * Strings are escaped here, in one pass, and given to yajl as they are to be printed, which has a
 * call for that: for numbers. Its own escapes took most of the time of a large document. Besides
 * what JSON forbids, escapes are written for "<", since a page has JSON in an element that
 * "</script>" would end, and for DEL and C1, since people read JSON on terminals.
 */
#include "base/json_writer.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <yajl/yajl_gen.h>

enum { NUMBER_MAX_BYTES = 24 }; /* 20 digits, a point or a sign */

struct json_writer {
	yajl_gen gen;
	struct buf repaired, escaped;
};

static void print(void *ctx, const char *p, size_t n)
{
	sink_put(ctx, p, n);
}

/* Appends what stands for the first character of s; returns its bytes. C1 is U+0080 to U+009F, c2
 * 80 to c2 9f in UTF-8. */
static size_t put_special(struct buf *to, struct span s)
{
	static const char letter[256] = { ['"'] = '"',
		['\\'] = '\\',
		['\b'] = 'b',
		['\f'] = 'f',
		['\n'] = 'n',
		['\r'] = 'r',
		['\t'] = 't' };
	unsigned char c = (unsigned char)s.p[0];
	unsigned char next = s.n > 1 ? (unsigned char)s.p[1] : 0;

	if (c == 0xc2 && (next < 0x80 || next > 0x9f)) {
		buf_putc(to, s.p[0]);
		return 1;
	}
	if (letter[c]) {
		buf_putc(to, '\\');
		buf_putc(to, letter[c]);
		return 1;
	}
	buf_printf(to, c < ' ' ? "\\u%04X" : "\\u%04x", c == 0xc2 ? next : c);
	return c == 0xc2 ? 2 : 1;
}

/* Appends valid UTF-8 with its quotes. */
static void put_escaped(struct buf *to, struct span s)
{
	static const bool special[256] = { [0 ... 0x1f] = true,
		['"'] = true,
		['\\'] = true,
		['<'] = true,
		[0x7f] = true,
		[0xc2] = true };
	size_t plain;

	buf_putc(to, '"');
	for (;;) {
		plain = span_until(s, special);
		buf_put(to, s.p, plain);
		s = span_skip(s, plain);
		if (!s.n)
			break;
		s = span_skip(s, put_special(to, s));
	}
	buf_putc(to, '"');
}

struct json_writer *json_writer_new(struct sink *to)
{
	struct json_writer *j = xcalloc(1, sizeof(*j));

	j->gen = yajl_gen_alloc(NULL);
	yajl_gen_config(j->gen, yajl_gen_print_callback, print, to);
	return j;
}

void json_writer_indent(struct json_writer *j, const char *indent)
{
	yajl_gen_config(j->gen, yajl_gen_beautify, 1);
	yajl_gen_config(j->gen, yajl_gen_indent_string, indent);
}

void json_writer_free(struct json_writer *j)
{
	if (!j)
		return;
	yajl_gen_free(j->gen);
	buf_release(&j->repaired);
	buf_release(&j->escaped);
	free(j);
}

void json_writer_object(struct json_writer *j)
{
	yajl_gen_map_open(j->gen);
}

void json_writer_object_end(struct json_writer *j)
{
	yajl_gen_map_close(j->gen);
}

void json_writer_array(struct json_writer *j)
{
	yajl_gen_array_open(j->gen);
}

void json_writer_array_end(struct json_writer *j)
{
	yajl_gen_array_close(j->gen);
}

void json_writer_key(struct json_writer *j, const char *key)
{
	yajl_gen_string(j->gen, (const unsigned char *)key, strlen(key));
}

void json_writer_string(struct json_writer *j, struct span text)
{
	j->repaired.n = j->escaped.n = 0;
	if (!utf8_is_ascii(text)) {
		utf8_put_repaired(&j->repaired, text);
		text = buf_span(&j->repaired);
	}
	put_escaped(&j->escaped, text);
	yajl_gen_number(j->gen, j->escaped.p, j->escaped.n);
}

void json_writer_str(struct json_writer *j, const char *text)
{
	json_writer_string(j, span_of(text));
}

/* Numbers are half of a large document, and with printf() they took half of the time. */
void json_writer_int(struct json_writer *j, int64_t v)
{
	char text[NUMBER_MAX_BYTES], *end = text + sizeof(text);
	char *p = span_put_digits(end, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);

	if (v < 0)
		*--p = '-';
	yajl_gen_number(j->gen, p, (size_t)(end - p));
}

void json_writer_u64(struct json_writer *j, uint64_t v)
{
	json_writer_decimal(j, v, 0);
}

void json_writer_decimal(struct json_writer *j, uint64_t v, unsigned places)
{
	char text[NUMBER_MAX_BYTES], *end = text + sizeof(text), *p = end;

	for (; places && v % 10 == 0; places--)
		v /= 10;
	if (places) {
		for (; places; places--, v /= 10)
			*--p = (char)('0' + v % 10);
		*--p = '.';
	}
	p = span_put_digits(p, v);
	yajl_gen_number(j->gen, p, (size_t)(end - p));
}

void json_writer_null(struct json_writer *j)
{
	yajl_gen_null(j->gen);
}

void json_writer_bool(struct json_writer *j, bool v)
{
	yajl_gen_bool(j->gen, v);
}

void json_writer_next(struct json_writer *j, const char *separator)
{
	yajl_gen_reset(j->gen, separator);
}

void json_writer_put_string(struct buf *to, struct span text)
{
	struct sink *sink = sink_to_buf(to);
	struct json_writer *j = json_writer_new(sink);
	struct err never;

	json_writer_string(j, text);
	json_writer_free(j);
	sink_commit(sink, &never);
}
