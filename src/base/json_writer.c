/*
 * json_writer.c - JSON by yajl, which checks the order of calls and escapes what JSON forbids
 *
 * What yajl prints passes print_escaped(), which escapes what JSON would let be: "<", since a page
 * has JSON in an element that "</script>" would end, and DEL and C1, since people read JSON on
 * terminals. None of them occurs outside of strings, so they are replaced wherever they are.
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
	struct sink *to;
	struct buf scratch;
};

/* JSON lets DEL and C1 be as they are, and a terminal may not. C1 is U+0080 to U+009F, c2 80 to c2
 * 9f in UTF-8; yajl prints no part of a character. */
static size_t print_special(struct sink *to, struct span s)
{
	char text[8];
	unsigned char c = (unsigned char)s.p[0];
	unsigned char next = s.n > 1 ? (unsigned char)s.p[1] : 0;

	if (c == 0xc2 && (next < 0x80 || next > 0x9f)) {
		sink_put(to, s.p, 1);
		return 1;
	}
	sink_put(to, text, (size_t)snprintf(text, sizeof(text), "\\u%04x", c == 0xc2 ? next : c));
	return c == 0xc2 ? 2 : 1;
}

static void print_escaped(void *ctx, const char *p, size_t n)
{
	static const bool special[256] = { ['<'] = true, [0x7f] = true, [0xc2] = true };
	struct span s = { p, n };
	size_t plain;

	for (;;) {
		plain = span_until(s, special);
		sink_put(ctx, s.p, plain);
		s = span_skip(s, plain);
		if (!s.n)
			break;
		s = span_skip(s, print_special(ctx, s));
	}
}

struct json_writer *json_writer_new(struct sink *to)
{
	struct json_writer *j = xcalloc(1, sizeof(*j));

	j->to = to;
	j->gen = yajl_gen_alloc(NULL);
	yajl_gen_config(j->gen, yajl_gen_print_callback, print_escaped, to);
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
	buf_release(&j->scratch);
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
	j->scratch.n = 0;
	utf8_put_repaired(&j->scratch, text);
	yajl_gen_string(j->gen, (const unsigned char *)buf_str(&j->scratch), j->scratch.n);
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
